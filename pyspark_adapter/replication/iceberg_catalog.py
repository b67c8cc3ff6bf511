"""The catalog of a lake's Iceberg tables: a file of SQLite in the lake, or one of the user's."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pyspark_adapter.errors import BinlogError, one_line
from pyspark_adapter.replication.lake import STATE_FOLDER
from pyspark_adapter.sources.delta_storage import (
    CommitConflictError,
    DamagedTableError,
    TakenFolderError,
    delta_address,
)
from pyspark_adapter.sources.locations import Location

if TYPE_CHECKING:
    from pyiceberg.table import Table

_FILE: Final = f"{STATE_FOLDER}/iceberg.db"
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
        lake: its folder, whose state is there.
        name: of a catalog in the configuration of pyiceberg; empty for the lake's own file.

    Attributes:
        catalog: as pyiceberg has it.
        is_own: whether it is the lake's own.
        shown: its name in messages.

    Raises:
        BinlogError: if pyiceberg is not installed, or the catalog cannot be opened, or is a link.
    """

    def __init__(self, lake: Location, name: str = "") -> None:
        try:
            from pyiceberg.catalog import load_catalog

            from pyspark_adapter.replication.iceberg_io import LakeCatalog
        except ImportError as error:
            raise BinlogError(
                "Iceberg tables need the package pyiceberg, which is not installed",
                advice="pip install 'mysql-binlog-spark[iceberg]'",
            ) from error
        self.is_own, self.shown = not name, name or _FILE
        self._lock = Lock()
        if name:
            _, options = delta_address(lake)
            settings = {_OF_S3[key]: text for key, text in options.items() if key in _OF_S3}
            try:
                self.catalog: Any = load_catalog(name, **settings)
            except Exception as error:  # of the catalog's own library
                raise BinlogError(
                    f"the catalog {name} cannot be opened: {one_line(str(error), 300)}",
                    advice="describe it in .pyiceberg.yaml, or by environment variables:"
                    f" PYICEBERG_CATALOG__{name.upper()}__URI",
                ) from error
            return
        with iceberg_errors(lake):
            self.catalog = LakeCatalog(delta_address(lake)[0], _FILE)

    def has(self, place: Location) -> bool:
        """Return whether the catalog has a table in a folder, by its name; it may be damaged."""
        said = self._said(place)
        return said is not None and _is_at(said, place)

    def load(self, place: Location) -> Table | None:
        """Return the table of the name of a folder; None if the catalog has none.

        Raises:
            DamagedTableError: if its metadata are missing or damaged.
            TakenFolderError: as `_check_place`, if it is in another folder.
            BinlogError: if it cannot be read.
        """
        said = self._said(place)
        if said is None:
            return None
        self._check_place(said, place)
        if self.is_own and not Path(place.path, "metadata").exists():  # its user has removed it
            self.drop(place, self.metadata_of(place))
            return None
        found = self._loaded(place)
        if found is not None:
            self._check_place(Location.parse(found.location()), place)
        return found

    def make(self, place: Location, schema: pa.Schema, properties: dict[str, str]) -> Table:
        """Make a table in a folder.

        Raises:
            TakenFolderError: if the catalog has its own folders.
            BinlogError: if it cannot be made.
        """
        name = self._name(place)
        with iceberg_errors(place):
            with self._lock:  # tables of one database are copied at the same time
                self.catalog.create_namespace_if_not_exists(name[:-1])
            address, _ = delta_address(place)
            found = self.catalog.create_table(name, schema, address, properties=properties)
        self._check_place(Location.parse(found.location()), place)
        return found

    def metadata_of(self, place: Location) -> str | None:
        """Return where the lake's own catalog has the metadata of the table of a folder."""
        with iceberg_errors(place):
            found: str | None = self.catalog.metadata_of(self._name(place))
        return found

    def drop(self, place: Location, metadata: str | None = None) -> None:
        """Forget the table of a folder; its files stay.

        Raises:
            CommitConflictError: if the lake's own catalog has other metadata of it by now.
        """
        name = self._name(place)
        with iceberg_errors(place):
            if self.is_own:
                self.catalog.drop_known(name, metadata)
            else:
                self.catalog.drop_table(name)

    def user_of(self, place: Location) -> str | None:
        """Return another table of the file of the lake's catalog that is in a folder."""
        from sqlalchemy import text

        asked = text(
            "SELECT catalog_name, table_namespace, table_name, metadata_location"
            " FROM iceberg_tables WHERE metadata_location IS NOT NULL"
        )
        with iceberg_errors(place), self.catalog.engine.connect() as connection:
            found = connection.execute(asked).all()
        for catalog, *name, metadata in found:
            is_this = (catalog, *name) == ("lake", *self._name(place))
            if not is_this and any(_is_at(at, place) for at in _folders_of(metadata, *name)):
                return f"the table {'.'.join(name)} of the catalog"
        return None

    def close(self) -> None:
        """Close the catalog."""
        self.catalog.close()

    def _said(self, place: Location) -> Location | None:
        """Return the folder of the table that the catalog has of the name of one; None for none."""
        if not self.is_own:
            found = self._loaded(place)
            return found and Location.parse(found.location())
        said = self.metadata_of(place)
        return None if said is None else Location.parse(said).parent.parent

    def _loaded(self, place: Location) -> Table | None:
        from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

        with iceberg_errors(place):
            try:
                return self.catalog.load_table(self._name(place))
            except (NoSuchTableError, NoSuchNamespaceError):
                return None

    def _name(self, place: Location) -> tuple[str, str]:
        """Return the name of a table: those of its folders, in which only histories have a dot."""
        database, table = place.parent.name, place.name
        if not self.is_own:  # catalogs take it for levels of namespaces, or not at all
            database, table = database.replace(".", "_"), table.replace(".", "_")
        return database, table

    def _check_place(self, found: Location, place: Location) -> None:
        """Check that a table is in its folder: paths in a lake that was copied are of the first.

        Raises:
            TakenFolderError: if not.
        """
        if _is_at(found, place):
            return
        again = "all tables are copied from the server again"
        raise TakenFolderError(
            f"{place.shown}: expected a table in this folder, the catalog {self.shown} has it in"
            f" {found.shown}; Iceberg tables cannot be copied or moved as files",
            option="to",
            value=place.shown,
            advice="choose another folder for the lake, "
            + (f"or move {_FILE} away: then {again}" if self.is_own else "or another catalog"),
        )


def _folders_of(metadata: str, database: str, table: str) -> Iterator[Location]:
    """Yield the folder that the metadata of a table are in, and the one that they name."""
    with suppress(BinlogError), iceberg_errors(Location.parse("/")):
        at = Location.parse(metadata).parent.parent
        yield at
        # A user's, with settings of its own; what is not here may take long to answer.
        is_here = at.is_local and Path(Location.parse(metadata).path).is_file()
        if is_here and (at.parent.name, at.name) != (database, table):
            from pyiceberg.table import StaticTable

            yield Location.parse(StaticTable.from_metadata(metadata).location())


def _is_at(found: Location, place: Location) -> bool:
    """Return whether two folders are the same one."""
    if not place.is_local:
        return str(found) == delta_address(place)[0]
    folder = Path(found.path)
    with suppress(OSError):  # a path that no folder can have, or that may not be looked at
        return found.is_local and folder.exists() and folder.samefile(place.path)
    return False


@contextmanager
def iceberg_errors(place: Location) -> Iterator[None]:
    """Raise what pyiceberg raises in the body as one of our errors."""
    try:
        from pyiceberg.exceptions import (
            CommitFailedException,
            ValidationError,
            ValidationException,
        )
    except ImportError:  # the caller says so
        yield
        return
    try:
        yield
    except BinlogError:
        raise
    except (CommitFailedException, ValidationException) as error:
        raise CommitConflictError(
            f"{place.shown}: another program has changed the table meanwhile:"
            f" {one_line(str(error), 200)}",
            advice="let one program at a time write it",
        ) from error
    except Exception as error:  # of pyiceberg, SQLAlchemy and Arrow, without a common class
        damages = (*_DAMAGES, ValidationError)
        if isinstance(error, damages) and not isinstance(error, pa.ArrowException):
            again = "drop the table in its catalog and move its files away: then it is copied again"
            raise DamagedTableError(
                f"{place.shown}: files of the table are missing or damaged:"
                f" {one_line(str(error), 200)}",
                option="to",
                value=place.shown,
                advice=again,
            ) from error
        raise BinlogError(
            f"{place.shown}: cannot be read or written: {one_line(str(error), 300)}",
            advice="check the path and the permissions",
        ) from error
