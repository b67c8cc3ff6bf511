"""Row images that lack columns: which ones is a fact of an event, and differs from one to the next.

The kernels mark these columns once for the rows of an event that they read at a time, so batches
end within events here. The expected values are those that were written.
"""

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.scan import scanned_events
from tests.support.encoders import integer, prefixed
from tests.support.log_writer import (
    ABSENT,
    DELETE_V2,
    UPDATE_V2,
    WRITE_V2,
    Image,
    LoggedColumn,
    LogWriter,
    Rows,
)
from tests.support.logs import LOG_NAME
from tests.support.outcome import read

COLUMNS = [
    LoggedColumn("id", 3),
    LoggedColumn("number", 3),
    LoggedColumn("text", 15, (200).to_bytes(2, "little"), collation=255),
    LoggedColumn("never", 3),
]
KEY, NUMBER, TEXT = ([k in kept for k in range(4)] for kept in ({0}, {1}, {0, 2}))
ALL = [True, True, True, False]
Row = tuple[int | None, int | None, str | None, None]


def image(present: list[bool], row: int) -> tuple[Image, Row]:
    """Return an image with the columns that are present, and its values."""
    number = None if row % 3 == 0 else -row
    text = None if row % 4 == 0 else "é" * (row % 5)
    cells = [
        integer(row, 4),
        None if number is None else integer(number, 4),
        None if text is None else prefixed(text.encode(), 1),
        None,
    ]
    values = (row, number, text, None)
    kept = [cell if is_held else ABSENT for cell, is_held in zip(cells, present, strict=True)]
    row_values: Any = tuple(
        value if is_held else None for value, is_held in zip(values, present, strict=True)
    )
    return kept, row_values


Kind = tuple[int, list[bool], list[bool]]
KINDS: list[Kind] = [
    (UPDATE_V2, KEY, NUMBER),
    (WRITE_V2, ALL, []),
    (UPDATE_V2, KEY, TEXT),
    (UPDATE_V2, ALL, ALL),
    (DELETE_V2, KEY, []),
    (UPDATE_V2, NUMBER, KEY),
    (DELETE_V2, TEXT, []),
]


def write_log(
    path: Path, num_events: int, rows_of_event: int, kinds: Sequence[Kind] = KINDS
) -> list[Row]:
    """Write events of some kinds in turn, with different columns; return the values of all rows."""
    writer = LogWriter()
    expected: list[Row] = []
    row = 0
    for kind, before, after in islice(cycle(kinds), num_events):
        writer.begin()
        writer.table_map(9, "t", COLUMNS)
        images = []
        for _ in range(rows_of_event):
            for present in (before, after) if after else (before,):
                row += 1
                cells, values = image(present, row)
                images.append(cells)
                expected.append(values)
        writer.rows(9, Rows(kind, images, before, after))
        writer.commit()
    path.write_bytes(writer.data)
    return expected


@pytest.mark.parametrize("rows_of_event", [1, 2, 23])
@pytest.mark.parametrize("batch_rows", [2, 7, 16384])
def test_columns_that_an_event_lacks_are_null_in_its_rows(
    tmp_path: Path, rows_of_event: int, batch_rows: int
) -> None:
    path = tmp_path / LOG_NAME
    expected = write_log(path, 30, rows_of_event)
    outcome = read(path, table="d.t", batch_rows=batch_rows)
    assert outcome.error is None
    assert outcome.rows is not None
    columns = (outcome.rows[column.name].to_pylist() for column in COLUMNS)
    assert list(zip(*columns, strict=True)) == expected


@pytest.mark.parametrize("kinds", [KINDS[:1], KINDS[2:3], KINDS[4:6], KINDS])
def test_columns_that_no_event_of_a_wide_table_has_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: list[Kind]
) -> None:
    monkeypatch.setattr(scanned_events, "_FEW_COLUMNS", 0)
    path = tmp_path / LOG_NAME
    expected = write_log(path, 9, 3, kinds)
    outcome = read(path, table="d.t")
    assert outcome.rows is not None
    columns = (outcome.rows[column.name].to_pylist() for column in COLUMNS)
    assert list(zip(*columns, strict=True)) == expected


def test_rows_before_a_damaged_one_keep_what_their_event_lacks(tmp_path: Path) -> None:
    path = tmp_path / LOG_NAME
    writer = LogWriter(has_checksums=False)
    writer.begin()
    writer.table_map(9, "t", COLUMNS)
    made = [image(TEXT, row) for row in range(1, 6)]
    images = [list(cells) for cells, _ in made]
    images[4][2] = prefixed(b"cut", 1)
    writer.rows(9, Rows(DELETE_V2, images, TEXT))
    writer.commit()
    path.write_bytes(writer.data.replace(b"\x03cut", b"\xffcut"))
    outcome = read(path, table="d.t")
    assert outcome.error is not None
    assert "text" in outcome.error[1]
    assert outcome.rows is not None
    columns = (outcome.rows[column.name].to_pylist() for column in COLUMNS)
    assert list(zip(*columns, strict=True)) == [values for _, values in made[:4]]
