"""How pyiceberg writes the files of a lake: their names are noted first."""

from __future__ import annotations

from pathlib import Path

from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO

from pyspark_adapter.replication.iceberg_names import add_names
from pyspark_adapter.replication.lake import ICEBERG_FOLDERS, is_ours
from pyspark_adapter.sources.locations import Location


class NotedFileIO(PyArrowFileIO):  # type: ignore[misc]  # pyiceberg is optional
    """Notes the files that it writes into folders of this package."""

    def new_output(self, location: str) -> PyArrowFile:
        """Return a file to write."""
        path = Path(Location.parse(location).path)
        folder = path.parent.parent
        if path.parent.name in ICEBERG_FOLDERS and is_ours(Location.parse(folder)):
            add_names(folder, [f"{path.parent.name}/{path.name}"])
        return super().new_output(location)
