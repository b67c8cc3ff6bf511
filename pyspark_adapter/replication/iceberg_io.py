"""How pyiceberg writes a lake: names of files are noted first, and the catalog is its own file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO
from pyiceberg.table import Table
from pyiceberg.table.metadata import TableMetadata
from sqlalchemy import text

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.own_files import check_own
from pyspark_adapter.replication.iceberg_names import add_names, newest_names
from pyspark_adapter.replication.lake import ICEBERG_FOLDERS, is_ours
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import whole_file


class NotedFileIO(PyArrowFileIO):  # type: ignore[misc]  # pyiceberg is optional
    """Notes the files that it writes into folders of this package."""

    def new_output(self, location: str) -> PyArrowFile:
        """Return a file to write."""
        path = Path(Location.parse(location).path)
        folder = path.parent.parent
        if path.parent.name in ICEBERG_FOLDERS and is_ours(Location.parse(folder)):
            add_names(folder, [f"{path.parent.name}/{path.name}"])
        return super().new_output(location)


class LakeCatalog(SqlCatalog):  # type: ignore[misc]  # pyiceberg is optional
    """A catalog in a file of SQLite, which is written in place.

    Args:
        lake: its folder.
        file: the name of the file in it.

    Raises:
        OSError: if it, or its journal, is a link, a pipe or a device.
        BinlogError: if it has a journal, and a backup of hard links shares one of them.
    """

    def __init__(self, lake: str, file: str) -> None:
        self._file, self._lock = Path(lake, file), Lock()
        for own in (self._file, *self._journals):
            check_own(own)
        with self._lock:
            self._be_alone()
        io = f"{NotedFileIO.__module__}.{NotedFileIO.__name__}"
        properties = {"uri": f"sqlite:///{self._file}", "warehouse": lake, "py-io-impl": io}
        super().__init__("lake", **properties)
        self._at = self._file.stat()

    @property
    def _journals(self) -> list[Path]:
        ends = ("-journal", "-wal", "-shm")
        return [self._file.with_name(self._file.name + end) for end in ends]

    def _be_alone(self) -> None:
        """Have a file of this lake alone: a backup of hard links shares it."""
        is_shared = self._file.exists() and self._file.stat().st_nlink > 1
        for journal in filter(Path.exists, self._journals):
            if is_shared or journal.stat().st_nlink > 1:
                raise BinlogError(
                    f"{journal}: this journal of the catalog, or {self._file.name}, is shared with"
                    " a backup of hard links, which a commit would damage",
                    advice="make the files of the backup copies of their own",
                )
        if is_shared:
            with whole_file(self._file, replaces=True, is_own=True) as file:
                file.write(self._file.read_bytes())
            if hasattr(self, "engine"):  # after it: others read meanwhile, and keep connections
                self.engine.dispose()
                self._at = self._file.stat()

    @contextmanager
    def _written(self) -> Iterator[None]:
        with self._lock:
            if not (self._file.exists() and os.path.samestat(self._file.stat(), self._at)):
                raise BinlogError(
                    f"{self._file}: the catalog was moved away or replaced meanwhile",
                    advice="start the program again",
                )
            self._be_alone()
            yield

    def commit_table(self, table: Table, *given: Any) -> Any:
        """Commit changes of a table, unless the catalog has another one of its name by now."""
        with self._written():
            self._check_metadata(table.name(), table.metadata_location)
            return super().commit_table(table, *given)

    def _check_metadata(self, name: tuple[str, ...], metadata: str | None) -> None:
        if self.metadata_of(name) != metadata:
            raise CommitFailedException("the catalog has other metadata of the table")

    def metadata_of(self, name: tuple[str, ...]) -> str | None:
        """Return the location of the metadata of a table, as `load_table` finds it."""
        *namespace, table = name
        asked = text(
            "SELECT metadata_location FROM iceberg_tables"
            " WHERE catalog_name = 'lake' AND table_namespace = :database AND table_name = :name"
        )
        with self.engine.connect() as connection:
            values = {"database": ".".join(namespace), "name": table}
            found: str | None = connection.execute(asked, values).scalar()
        return found

    def _delete_old_metadata(  # a static method of pyiceberg
        self, _io: object, base: TableMetadata, metadata: TableMetadata
    ) -> None:
        """Remove metadata that a table no longer names; pyiceberg calls it after a commit.

        Those stay that another program wrote, or that another table of the catalog began with.
        """
        folder = Path(Location.parse(metadata.location).path)
        before, now = ({old.metadata_file for old in of.metadata_log} for of in (base, metadata))
        old = {Path(Location.parse(file).path) for file in before - now}
        if not old or not is_ours(Location.parse(folder)):
            return
        with self.engine.connect() as connection:
            asked = text("SELECT metadata_location FROM iceberg_tables")
            rows = connection.execute(asked).scalars()
            used = {Path(found).name for found in rows if isinstance(found, str)}
        noted = newest_names(folder)
        for file in old:
            is_here = os.path.realpath(file.parent) == os.path.realpath(folder / "metadata")
            is_file = file.is_file() and not file.is_symlink()
            if is_here and is_file and f"metadata/{file.name}" in noted and file.name not in used:
                file.unlink()

    def create_table(self, *given: Any, **properties: Any) -> Any:
        """Make a table."""
        with self._written():
            return super().create_table(*given, **properties)

    def create_namespace(self, *given: Any) -> None:
        """Make a namespace."""
        with self._written():
            super().create_namespace(*given)

    def drop_known(self, name: tuple[str, ...], metadata: str | None) -> None:
        """Take a table out of the catalog, unless it has other metadata by now."""
        with self._written():
            self._check_metadata(name, metadata)
            self.drop_table(name)
