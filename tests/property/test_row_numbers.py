"""Rows are numbered within their transaction, wherever windows begin and end."""

from pathlib import Path

import pytest

from tests.support.encoders import prefixed
from tests.support.log_writer import QUERY, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.reading import read_rows


# Among the windows are some with the beginning of a transaction and without rows: the count of the
# one before it has to end there.
@pytest.mark.parametrize("padding", [0, 300, 1000])
def test_numbers_begin_at_zero_in_each_transaction(tmp_path: Path, padding: int) -> None:
    writer = LogWriter()
    for _ in range(4):
        writer.begin()
        writer.event(QUERY, bytes(13) + b"\0" + b"SELECT 1 /*" + b"x" * padding)
        writer.table_map(9, "t", [LoggedColumn("c0", 252, b"\x02", False, 63)])
        images = [[prefixed(b"x" * 500, 2)], [prefixed(b"y" * 500, 2)]]
        writer.rows(9, Rows(WRITE_V2, images, [True]))
        writer.commit()
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    assert [row["_row_number"] for row in read_rows(log, window_bytes=1024)] == [0, 1] * 4
