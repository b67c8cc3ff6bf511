"""Row images that lack columns, and rows that are split over events, batches and windows."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pyspark_adapter import read_batches, read_schema
from tests.oracle.comparison import compare_log
from tests.property.strategies import ANY_COLUMN
from tests.support.log_writer import ABSENT, UPDATE_V1, UPDATE_V2, WRITE_V2, Rows
from tests.support.reading import PROFILE, encoded, plain, read_rows, write_log
from tests.support.typed_column import TypedColumn

ALL_METADATA = ("_change_type", "_row_number", "_start_pos", "_absent_columns")

TABLES = st.lists(ANY_COLUMN, min_size=1, max_size=20)


def _draw_rows(data: Any, columns: Sequence[TypedColumn], count: int) -> list[list[Any]]:
    row = st.tuples(*(st.none() | column.values for column in columns))
    drawn: list[list[Any]] = [list(data.draw(row)) for _ in range(count)]
    return drawn


def _masked(image: Sequence[bytes | None], present: Sequence[bool]) -> list[bytes | None]:
    return [
        value if is_present else ABSENT for value, is_present in zip(image, present, strict=True)
    ]


def _values(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: v for name, v in row.items() if name != "_start_pos"} for row in rows]


@PROFILE
@given(data=st.data())
def test_absent_columns_are_null_and_listed(tmp_path: Path, data: Any) -> None:
    columns = data.draw(TABLES)
    flags = st.lists(st.booleans(), min_size=len(columns), max_size=len(columns))
    before, after = data.draw(flags), data.draw(flags)
    before[0] = True  # without any column in both images, rows have no bytes to be counted by
    rows = _draw_rows(data, columns, 4)
    sides = (before, after, before, after)
    images = [_masked(encoded(columns, row), side) for row, side in zip(rows, sides, strict=True)]
    rows_type = data.draw(st.sampled_from([UPDATE_V1, UPDATE_V2]))
    log = tmp_path / "log.000001"
    full = [Rows(WRITE_V2, [encoded(columns, row) for row in rows], [True] * len(columns))]
    whole = read_rows(write_log(log, columns, full), metadata_columns=())
    write_log(log, columns, [Rows(rows_type, images, before, after)])
    found = read_rows(log, metadata_columns=ALL_METADATA)
    assert [row["_change_type"] for row in found] == ["update_preimage", "update_postimage"] * 2
    assert [row["_row_number"] for row in found] == [0, 0, 1, 1]
    for row, values, side in zip(found, whole, sides, strict=True):
        names = [f"c{i}" for i, is_present in enumerate(side) if not is_present]
        assert row["_absent_columns"] == names
        assert {name: row[name] for name in values} == {
            name: None if name in names else value for name, value in values.items()
        }


@PROFILE
@given(data=st.data())
def test_any_split_gives_the_same_rows(tmp_path: Path, data: Any) -> None:
    columns = data.draw(TABLES)
    images = [encoded(columns, row) for row in _draw_rows(data, columns, 12)]
    present = [True] * len(columns)
    log = tmp_path / "log.000001"
    one = [Rows(WRITE_V2, images, present)]
    whole = _values(read_rows(write_log(log, columns, one), metadata_columns=ALL_METADATA))
    cuts = [0, *sorted(data.draw(st.sets(st.integers(1, 11)))), 12]
    split = [Rows(WRITE_V2, images[a:b], present, flags=int(b == 12)) for a, b in pairwise(cuts)]
    write_log(log, columns, split)
    options = {
        "batch_rows": data.draw(st.integers(2, 14)),
        "batch_bytes": data.draw(st.sampled_from([1024, 2048, 1 << 20])),
        "window_bytes": data.draw(st.sampled_from([1024, 1500, 4096, 1 << 20])),
    }
    assert _values(read_rows(log, metadata_columns=ALL_METADATA, **options)) == whole


@PROFILE
@given(data=st.data())
def test_projection_is_a_selection_of_the_whole(tmp_path: Path, data: Any) -> None:
    columns = data.draw(TABLES)
    images = [encoded(columns, row) for row in _draw_rows(data, columns, 5)]
    rows = Rows(WRITE_V2, images, [True] * len(columns))
    log = write_log(tmp_path / "log.000001", columns, [rows])
    whole = read_rows(log)
    schema = read_schema(log, table="d.t")
    names = data.draw(st.lists(st.sampled_from(schema.names), min_size=1, unique=True))
    chosen = pa.schema([schema.field(name) for name in names])
    batches = read_batches(log, table="d.t", schema=chosen)
    found = [row for batch in batches for row in plain(batch)]
    assert found == [{name: row[name] for name in names} for row in whole]


@PROFILE
@given(data=st.data())
def test_the_schema_gives_the_same(tmp_path: Path, data: Any) -> None:
    columns = data.draw(TABLES)
    images = [encoded(columns, row) for row in _draw_rows(data, columns, 4)]
    rows = Rows(WRITE_V2, images, [True] * len(columns))
    log = write_log(tmp_path / "log.000001", columns, [rows])
    counts = compare_log(log)
    assert set(counts) <= {"same", "untold"}
    assert sum(counts.values()) == 4 * len(columns)
