"""Logs of rows of one table and of statements."""

import struct
from pathlib import Path

from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

_COLUMNS = [LoggedColumn("id", 3), LoggedColumn("v", 3)]


def write_log(path: Path, *parts: str | int, has_metadata: bool = True) -> Path:
    """Write a log of statements; a number is a row of the table d.t (id, v) with that id."""
    writer = LogWriter(has_metadata=has_metadata)
    for part in parts:
        if isinstance(part, str):
            writer.statement(part)
            continue
        writer.begin()
        writer.table_map(9, "t", _COLUMNS)
        writer.rows(9, Rows(WRITE_V2, [[struct.pack("<i", part), b"\7\0\0\0"]], [True] * 2))
        writer.commit()
    path.write_bytes(writer.data)
    return path
