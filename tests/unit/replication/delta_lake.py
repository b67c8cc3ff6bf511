"""Folders of Delta tables in a lake, which tests write and remove."""

from pathlib import Path

import pyarrow as pa

from pyspark_adapter.replication.delta_tables import write_rows
from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location


def everything(folder: Path) -> dict[Path, bytes | None]:
    """Return what is below a folder, with the content of files."""
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def delta_table(folder: Location) -> None:
    """Make what replicate makes of a table."""
    for value in range(3):
        rows = pa.table({"id": [value]}).to_reader()
        write_rows(folder, open_delta(folder), rows, "append", value + 1)
    table = open_delta(folder)
    assert table is not None
    table.create_checkpoint()
    table.optimize.compact()
