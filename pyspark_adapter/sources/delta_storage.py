"""Delta tables by the package deltalake: storage locations, and conversion of its errors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, unquote

import pyarrow as pa

from pyspark_adapter.errors import BinlogError, one_line
from pyspark_adapter.sources.locations import Location

if TYPE_CHECKING:
    from deltalake import DeltaTable

# deltalake decodes the first, takes the second for a slash, and ends with a panic at the others; in
# URIs it takes `#` and `?` for the end of the path.
_TAKEN_APART: Final = re.compile(r"%[0-9A-Fa-f]{2}|[\\\[\]^|]")
_ENDS_OF_URI: Final = re.compile(r"[#?]|\s$")
_OF_ARROW: Final = {"s3n": "s3", "s3a": "s3", "gcs": "gs"}


def delta_address(location: Location) -> tuple[str, dict[str, str]]:
    """Return the URI of a Delta table, and the storage options, as deltalake takes them.

    A URI of S3 is that of pyarrow: `s3://key:secret@bucket/lake?region=eu-west-1`, in whose query
    `endpoint_override` and `scheme` name another server.

    Raises:
        BinlogError: if deltalake would take the path for another one.

    >>> delta_address(Location.parse("s3://lake/shop?endpoint_override=db1:9000&scheme=http"))[1]
    {'AWS_ENDPOINT_URL': 'http://db1:9000', 'AWS_ALLOW_HTTP': 'true'}
    """
    is_other = _TAKEN_APART.search(location.path) or not location.path.isprintable()
    if not location.is_local:
        is_other = is_other or _ENDS_OF_URI.search(location.path) or not location.is_plain
    if is_other:
        raise BinlogError(
            f"{location.shown}: expected a path of a Delta table without %, a backslash, brackets,"
            " ^, | or control characters, in a URI also without #, ? and .., which the package"
            " deltalake takes for another path",
            advice="choose another folder",
        )
    if location.is_local:
        # deltalake would take `link/..` for the folder that the link is in.
        has_up = ".." in location.path.split("/")
        return os.path.realpath(location.path) if has_up else location.path, {}
    query = dict(parse_qsl(location.query.removeprefix("?")))
    options = {"AWS_REGION": query["region"]} if "region" in query else {}
    if endpoint := query.get("endpoint_override"):
        scheme = query.get("scheme", "https")
        options["AWS_ENDPOINT_URL"] = endpoint if "://" in endpoint else f"{scheme}://{endpoint}"
        if scheme == "http":
            options["AWS_ALLOW_HTTP"] = "true"
    scheme = _OF_ARROW.get(location.scheme, location.scheme)
    user, _, bucket = location.authority.rpartition("@")
    if user and scheme == "s3":
        key, _, secret = user.partition(":")
        options["AWS_ACCESS_KEY_ID"] = unquote(key)
        options["AWS_SECRET_ACCESS_KEY"] = unquote(secret)
        return f"{scheme}://{bucket}{location.path}", options
    return f"{scheme}://{location.authority}{location.path}", options


def open_delta(
    location: Location, version: int | None = None, *, extra: str = "replicate"
) -> DeltaTable | None:
    """Return a Delta table as it is now, or was at a version; None if there is none.

    Raises:
        BinlogError: if the place cannot be read, has no such version, or deltalake is not
            installed, which comes with `extra` of this package.
    """
    library = require_deltalake(extra)
    address, options = delta_address(location)
    from deltalake.exceptions import TableNotFoundError

    with delta_errors(location):
        try:
            return library.DeltaTable(address, version, storage_options=options or None)
        except TableNotFoundError:
            return None


def create_delta(
    location: Location, schema: pa.Schema, configuration: Mapping[str, str] | None = None
) -> DeltaTable:
    """Create an empty Delta table; raises BinlogError."""
    library = require_deltalake()
    address, options = delta_address(location)
    with delta_errors(location):
        return library.DeltaTable.create(
            address,
            schema,
            mode="error",
            configuration=configuration,
            storage_options=options or None,
        )


@contextmanager
def delta_errors(location: Location) -> Iterator[None]:
    """Raise what deltalake raises in the body as one of our errors.

    Raises:
        CommitConflictError: if another program has committed meanwhile.
        BinlogError: for all else.
    """
    from deltalake.exceptions import CommitFailedError

    try:
        yield
    except BinlogError:
        raise
    except CommitFailedError as error:
        raise CommitConflictError(
            f"{location.shown}: another program has changed the table meanwhile:"
            f" {one_line(str(error), 200)}",
            advice="let one program at a time write it",
        ) from error
    except BaseException as error:  # of Rust libraries, without a common class
        # A panic of Rust is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise BinlogError(
            f"{location.shown}: cannot be read or written: {one_line(str(error), 300)}",
            advice="check the path, the permissions and the settings of the storage",
        ) from error


class CommitConflictError(BinlogError):
    """Another program has committed to a table of a lake since it was read."""


def require_deltalake(extra: str = "replicate") -> Any:
    """Return the package deltalake; raises BinlogError if it is not installed."""
    try:
        import deltalake
    except ImportError as error:
        raise BinlogError(
            "Delta tables need the package deltalake, which is not installed",
            advice=f"pip install 'mysql-binlog-spark[{extra}]'",
        ) from error
    return deltalake
