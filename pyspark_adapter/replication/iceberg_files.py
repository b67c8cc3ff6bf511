"""The files of Iceberg tables that were written and are not synced yet."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Final

from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO

from pyspark_adapter.sources.locations import Location

_written: Final[set[Path]] = set()
_lock: Final = Lock()


class NotedFiles(PyArrowFileIO):  # type: ignore[misc]  # pyiceberg has no types here
    """Notes the local files that pyiceberg writes, since it does not sync them."""

    def new_output(self, location: str) -> PyArrowFile:
        """Return a file to write."""
        output = Location.parse(location)
        if output.is_local:
            with _lock:
                _written.add(Path(output.path).resolve())
        return super().new_output(location)


def written_below(location: Location) -> list[Path]:
    """Return the files in the folder of a table that were written since the last call."""
    folder = Path(location.path).resolve()
    with _lock:
        files = [file for file in _written if folder in file.parents]
        _written.difference_update(files)
    return [file for file in files if file.exists()]  # a commit may have been given up
