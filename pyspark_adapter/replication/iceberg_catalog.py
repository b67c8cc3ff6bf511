"""The catalog of a lake's Iceberg tables: a file of SQLite in the lake, or one of the user's."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pyspark_adapter.errors import BinlogError, one_line
from pyspark_adapter.replication.lake import STATE_FOLDER, remove_empty
from pyspark_adapter.sources.delta_storage import CommitConflictError, delta_address
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError, TakenFolderError

if TYPE_CHECKING:
    from pyiceberg.table import Table

OWN: Final = {"written-by": "mysql-binlog-spark replicate"}  # a property of each table
_FILE: Final = f"{STATE_FOLDER}/iceberg.db"
_FILES: Final = "pyspark_adapter.replication.iceberg_commits.NotedFiles"
# What pyiceberg raises for files that are missing, cut or overwritten in part.
_DAMAGES: Final = (FileNotFoundError, EOFError, ValueError, SystemError, zlib.error)
# The settings of S3 in the URI of a lake, as pyiceberg names them.
_OF_S3: Final = {
    "AWS_REGION": "s3.region",
    "AWS_ENDPOINT_URL": "s3.endpoint",
    "AWS_ACCESS_KEY_ID": "s3.access-key-id",
    "AWS_SECRET_ACCESS_KEY": "s3.secret-access-key",
}


class IcebergCatalog:
    """The tables of a catalog by their folders in a lake.

    Args:
        lake: its folder, with the state.
        name: of a catalog in the configuration of pyiceberg; empty for the lake's own file.

    Raises:
        BinlogError: if pyiceberg is not installed, or the catalog cannot be opened.
    """

    def __init__(self, lake: Location, name: str = "") -> None:
        try:
            from pyiceberg.catalog import load_catalog
            from pyiceberg.catalog.sql import SqlCatalog
        except ImportError as error:
            raise BinlogError(
                "Iceberg tables need the package pyiceberg, which is not installed",
                advice="pip install 'mysql-binlog-spark[iceberg]'",
            ) from error
        self._is_own, self._shown = not name, name or _FILE
        self._lock = Lock()
        address, options = delta_address(lake)
        if not name:
            with iceberg_errors(lake):
                uri = f"sqlite:///{address}/{_FILE}"
                self._catalog: Any = SqlCatalog(
                    "lake", uri=uri, warehouse=address, **{"py-io-impl": _FILES}
                )
            return
        settings = {_OF_S3[key]: text for key, text in options.items() if key in _OF_S3}
        try:
            self._catalog = load_catalog(name, **settings)
        except Exception as error:  # of the catalog's own library
            raise BinlogError(
                f"the catalog {name} cannot be opened: {one_line(str(error), 300)}",
                advice="describe it in .pyiceberg.yaml, or by environment variables:"
                f" PYICEBERG_CATALOG__{name.upper()}__URI",
            ) from error

    def load(self, location: Location) -> Table | None:
        """Return the table of the name of a folder; None if the catalog has none.

        Raises:
            DamagedTableError: if its metadata are missing or damaged.
            TakenFolderError: if it is in another folder, or another program made it.
            BinlogError: if it cannot be read.
        """
        from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

        name = self._name(location)
        with iceberg_errors(location):
            try:
                table: Table = self._catalog.load_table(name)
            except (NoSuchTableError, NoSuchNamespaceError):
                return None
            except FileNotFoundError:
                if not self._is_own or Path(location.path, "metadata").exists():
                    raise
                self._catalog.drop_table(name)  # its user has removed the folder
                return None
        self._check_location(table, location)
        if OWN.items() <= table.properties.items():
            return table
        raise TakenFolderError(
            f"{location.shown}: the Iceberg table in it was not written by this command",
            option="to",
            value=location.shown,
            advice="choose another folder for the lake, or drop the table in the catalog"
            f" {self._shown} and move its files away",
        )

    def make(self, location: Location, schema: pa.Schema, properties: dict[str, str]) -> Table:
        """Make a table in a folder; raises TakenFolderError, BinlogError."""
        name = self._name(location)
        with iceberg_errors(location):
            with self._lock:  # tables of one database are copied at the same time
                self._catalog.create_namespace_if_not_exists(name[:-1])
            address, _ = delta_address(location)
            table: Table = self._catalog.create_table(
                name, schema, address, properties=OWN | properties
            )
        self._check_location(table, location)
        return table

    def purge(self, location: Location) -> str | None:
        """Remove a table with the files that its snapshots name; raises BinlogError.

        Returns:
            Another file in the folder, if that is the lake's own; None for none.
        """
        with iceberg_errors(location):
            if self.load(location) is not None:
                self._catalog.purge_table(self._name(location))
            return remove_empty(location) if self._is_own else None

    def set_back(self, location: Location, metadata: str) -> bool:
        """Let the catalog name other metadata of a table; return whether it does."""
        if not self._is_own or not Path(Location.parse(metadata).path).is_file():
            return False
        self._drop(location)
        with iceberg_errors(location):
            self._catalog.register_table(self._name(location), metadata)
        return True

    def discard(self, location: Location) -> None:
        """Take a table whose files are damaged out of the lake's own catalog; its files stay.

        Raises:
            DamagedTableError: for a catalog of the user.
        """
        if not self._is_own:
            raise _damaged(location, "some cannot be read")
        self._drop(location)

    def _drop(self, location: Location) -> None:
        from pyiceberg.exceptions import NoSuchTableError

        with iceberg_errors(location), suppress(NoSuchTableError):
            self._catalog.drop_table(self._name(location))

    def close(self) -> None:
        """Close the catalog."""
        self._catalog.close()

    def _name(self, location: Location) -> tuple[str, str]:
        """Return the name of a table: those of its folders, in which only histories have a dot."""
        database, table = location.parent.name, location.name
        if not self._is_own:  # catalogs take it for levels of namespaces, or not at all
            database, table = database.replace(".", "_"), table.replace(".", "_")
        return database, table

    def _check_location(self, table: Table, location: Location) -> None:
        """Check that a table is in its folder: a copied lake has the paths of the original.

        Raises:
            TakenFolderError: if not.
        """
        cataloged = Location.parse(table.location())
        if location.is_local and cataloged.is_local:
            is_there = os.path.realpath(cataloged.path) == os.path.realpath(location.path)
        else:
            is_there = str(cataloged) == delta_address(location)[0]
        if is_there:
            return
        again = "all tables are copied from the server again"
        raise TakenFolderError(
            f"{location.shown}: expected a table in this folder, the catalog {self._shown} has it"
            f" in {cataloged.shown}; Iceberg tables cannot be copied or moved as files",
            option="to",
            value=location.shown,
            advice="choose another folder for the lake, "
            + (f"or move {_FILE} away: then {again}" if self._is_own else "or another catalog"),
        )


@contextmanager
def iceberg_errors(location: Location) -> Iterator[None]:
    """Raise what pyiceberg raises in the body as one of our errors."""
    try:
        from pyiceberg.exceptions import CommitFailedException, ValidationError, ValidationException
    except ImportError:  # the caller says so
        yield
        return
    try:
        yield
    except BinlogError:
        raise
    except (CommitFailedException, ValidationException) as error:
        raise CommitConflictError(
            f"{location.shown}: another program has changed the table meanwhile:"
            f" {one_line(str(error), 200)}",
            advice="let one program at a time write it",
        ) from error
    except Exception as error:  # of pyiceberg, SQLAlchemy and Arrow, without a common class
        damages = (*_DAMAGES, ValidationError)
        if isinstance(error, damages) and not isinstance(error, pa.ArrowException):
            raise _damaged(location, one_line(str(error), 200)) from error
        raise BinlogError(
            f"{location.shown}: cannot be read or written: {one_line(str(error), 300)}",
            advice="check the path and the permissions",
        ) from error


def _damaged(location: Location, reason: str) -> DamagedTableError:
    return DamagedTableError(
        f"{location.shown}: files of the table are missing or damaged: {reason}",
        option="to",
        value=location.shown,
        advice="move its folder away, and in a catalog of yours drop the table: then it is copied"
        " again",
    )
