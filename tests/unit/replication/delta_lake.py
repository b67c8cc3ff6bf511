"""Folders of Delta tables in a lake, which tests claim and remove."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa

from pyspark_adapter.replication.delta_tables import write_rows
from pyspark_adapter.replication.lake import claim
from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location


def everything(folder: Path) -> dict[Path, bytes | None]:
    """Return what is below a folder, with the content of files."""
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def delta_table(folder: Location) -> None:
    """Make what replicate makes of a table."""
    claim(folder)
    for value in range(3):
        rows = pa.table({"id": [value]}).to_reader()
        write_rows(folder, open_delta(folder), rows, "append", value + 1)
    table = open_delta(folder)
    assert table is not None
    table.create_checkpoint()
    table.optimize.compact()


@contextmanager
def stopped_after(num_files: int) -> Iterator[None]:
    """Stop the body, as Ctrl-C does, when it has removed so many files."""
    left, unlink = [num_files], os.unlink

    def failing(*arguments: Any, **named: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        unlink(*arguments, **named)

    with patch.object(os, "unlink", failing), suppress(KeyboardInterrupt):
        yield
