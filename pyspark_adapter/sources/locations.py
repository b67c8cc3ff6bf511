"""Paths and URIs as users write them, and what a storage offers at them.

Problems of a storage are raised as `OSError`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pyspark_adapter.errors import EventSite, LogFileError

# A query has a key; a `?` without one is a wildcard.
_URI = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://([^/?]*)(/.*?)?(\?[\w.-]+=.*)?", re.DOTALL)
_FILE_URI = re.compile(
    r"(?:file|local):(?://(?:localhost)?(?=/)|(?!//))(/.*)", re.DOTALL | re.IGNORECASE
)
_FILE_SCHEMES = ("file://", "local://")


@dataclass(frozen=True)
class Location:
    """A file, directory or pattern in some storage.

    Attributes:
        scheme: of the URI, in lower case; empty for a local path.
        authority: of the URI: a bucket, host or container, and perhaps a user before it.
        path: absolute, not percent-encoded, without a slash at the end; empty for the root of a
            bucket.
        query: of the URI, with its question mark: settings of the storage.
    """

    scheme: str
    authority: str
    path: str
    query: str = ""

    @classmethod
    def parse(cls, text: str | os.PathLike[str]) -> Location:
        """Read a path, which may be relative or begin with `~`, or a URI.

        Raises:
            LogFileError: if it contains a zero byte, or is of the files of another machine.

        >>> Location.parse("s3://logs/db1/binlog.*?region=eu-west-1")
        Location(scheme='s3', authority='logs', path='/db1/binlog.*', query='?region=eu-west-1')
        >>> str(Location.parse("file:///var/lib/mysql"))
        '/var/lib/mysql'
        """
        text = os.fspath(text)
        if "\0" in text:
            raise LogFileError("expected a path, found a zero byte in it", site=EventSite(text))
        if match := _FILE_URI.fullmatch(text):
            text = match[1]
        elif text.lower().startswith(_FILE_SCHEMES):
            raise LogFileError(
                "expected a file of this machine (file:///path), found another host in the URI",
                site=EventSite(text),
            )
        elif match := _URI.fullmatch(text):
            scheme, authority, path, query = match.groups()
            return cls(scheme.lower(), authority, (path or "").rstrip("/"), query or "")
        text = os.path.expanduser(text)  # noqa: PTH111  # Path fails for an unknown user
        return cls("", "", str(Path(text).absolute()))

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return not self.scheme

    @property
    def is_plain(self) -> bool:
        """Whether no part of the path of a URI is empty, `.` or `..`.

        Clients of object storage take them out, some of them together with the bucket.
        """
        return self.is_local or {"", ".", ".."}.isdisjoint(self.path.split("/")[1:])

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def parent(self) -> Location:
        """The directory that it is in; that of the root is the root."""
        return self._at(self.path.rpartition("/")[0])

    @property
    def shown(self) -> str:
        """The location as text for messages, without a password or key that the URI may hold."""
        if self.is_local:
            return self.path
        user, _, host = self.authority.rpartition("@")
        if user and self.scheme in ("abfs", "abfss"):  # there it is a container
            host = f"{user.partition(':')[0]}@{host}"
        return f"{self.scheme}://{host}{self.path}"

    @property
    def site(self) -> EventSite:
        """The location as the site of an error."""
        return EventSite(self.shown)

    def child(self, name: str) -> Location:
        """Return a file or directory within it."""
        return self._at(f"{self.path.rstrip('/')}/{name}")

    def _at(self, path: str) -> Location:
        return replace(self, path=path or ("/" if self.is_local else ""))

    def __str__(self) -> str:
        if self.is_local:
            return self.path
        return f"{self.scheme}://{self.authority}{self.path}{self.query}"


class StoredBytes(Protocol):
    """A file that is open for reading; every call reads from the storage."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read into a buffer from the current position; return the bytes read, 0 at the end."""

    def seek(self, position: int, /) -> int:
        """Go to an offset of the file."""

    def tell(self) -> int:
        """Return the current position."""

    def close(self) -> None:
        """Close the file."""


@dataclass(frozen=True)
class StoredFile:
    """A file or directory as a storage lists it.

    Attributes:
        modified: time of the last change, in seconds since 1970-01-01 UTC; None if the storage
            does not say.
        identity: the same by whatever links it is reached; None if the storage has no links.
    """

    location: Location
    is_directory: bool
    num_bytes: int = 0
    modified: float | None = None
    identity: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        r"""The last part of its path, to read; bytes that are not UTF-8 are as `\xff`."""
        return os.fsencode(self.location.name).decode(errors="backslashreplace")


class Storage(Protocol):
    """Files of this machine, a bucket, a cluster. All methods raise OSError."""

    def look_up(self, location: Location) -> StoredFile:
        """Return the file or directory at a location; FileNotFoundError if there is none."""

    def list(self, directory: Location) -> list[StoredFile]:
        """Return the entries of a directory, without those of subdirectories."""

    def open(self, location: Location) -> StoredBytes:
        """Open a file for reading."""


def read_up_to(file: StoredBytes, num_bytes: int) -> bytes:
    """Return the next bytes of a file, fewer only at its end."""
    data = bytearray(num_bytes)
    view, filled = memoryview(data), 0
    while filled < num_bytes and (count := file.readinto(view[filled:])):
        filled += count
    return bytes(view[:filled])
