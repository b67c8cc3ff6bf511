"""How pyiceberg writes a lake: names of files are noted first, and the catalog is its own file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO

from pyspark_adapter.own_files import check_own
from pyspark_adapter.replication.iceberg_names import add_names
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
    """

    def __init__(self, lake: str, file: str) -> None:
        self._file, self._lock = Path(lake, file), Lock()
        for end in ("", "-journal", "-wal", "-shm"):
            check_own(self._file.with_name(self._file.name + end))
        with self._lock:
            self._be_alone()
        io = f"{NotedFileIO.__module__}.{NotedFileIO.__name__}"
        properties = {"uri": f"sqlite:///{self._file}", "warehouse": lake, "py-io-impl": io}
        super().__init__("lake", **properties)

    def _be_alone(self) -> None:
        """Have a file of this lake alone: a backup of hard links shares it."""
        if self._file.exists() and self._file.stat().st_nlink > 1:
            with whole_file(self._file, replaces=True, is_own=True) as file:
                file.write(self._file.read_bytes())
            if hasattr(self, "engine"):  # after it: others read meanwhile, and keep connections
                self.engine.dispose()

    @contextmanager
    def _written(self) -> Iterator[None]:
        with self._lock:
            self._be_alone()
            yield

    def commit_table(self, *given: Any) -> Any:
        """Commit changes of a table."""
        with self._written():
            return super().commit_table(*given)

    def create_table(self, *given: Any, **properties: Any) -> Any:
        """Make a table."""
        with self._written():
            return super().create_table(*given, **properties)

    def create_namespace(self, *given: Any) -> None:
        """Make a namespace."""
        with self._written():
            super().create_namespace(*given)

    def drop_table(self, *given: Any) -> None:
        """Take a table out of the catalog."""
        with self._written():
            super().drop_table(*given)
