"""Tables that differ in their names alone are decoded together; each row keeps its own table."""

import struct
from typing import Any

import pytest

from pyspark_adapter import BinlogError, read_batches
from pyspark_adapter.decode.row_objects import render_rows
from tests.support.log_writer import ABSENT, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.outcome import ALL_METADATA

NUM_TABLES = 200
YEAR_AND_TEXT = [LoggedColumn("a", 3), LoggedColumn("b", 15, b"\x64\0", collation=45)]


def write_log(path: Any, *, text: bytes = b"\x03abc", bad_table: int = -1) -> None:
    """Write rows of tables t0, t1, ... of one shape, in turns, and of one with another shape."""
    writer = LogWriter()
    for turn in range(2):
        writer.begin()
        for number in range(NUM_TABLES):
            bad = turn == 1 and number == bad_table
            value = b"\x03a\xffc" if bad else text
            holds = [True, number % 3 != 0]
            writer.table_map(number + 1, f"t{number}", YEAR_AND_TEXT)
            image = [struct.pack("<i", number), value if holds[1] or bad else ABSENT]
            writer.rows(number + 1, Rows(WRITE_V2, [image], [True, holds[1] or bad]))
        writer.table_map(9999, "other", YEAR_AND_TEXT[:1])
        writer.rows(9999, Rows(WRITE_V2, [[struct.pack("<i", turn)]], [True]))
        writer.commit()
    path.write_bytes(bytes(writer.data))


def rows_of(path: Any, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_batches(str(path), **options) for row in batch.to_pylist()]


@pytest.mark.parametrize("form", ["json", "variant"])
def test_each_row_has_its_table(tmp_path: Any, form: str) -> None:
    path = tmp_path / "binlog.000001"
    write_log(path)
    found = rows_of(path, row=form, metadata_columns=ALL_METADATA)
    assert [row["_table_name"] for row in found] == 2 * (
        [f"t{number}" for number in range(NUM_TABLES)] + ["other"]
    )
    assert {row["_database_name"] for row in found} == {"d"}
    if form == "json":
        assert [row["row"] for row in found[:4]] == [
            '{"a": 0}',
            '{"a": 1, "b": "abc"}',
            '{"a": 2, "b": "abc"}',
            '{"a": 3}',
        ]
        assert [row["_absent_columns"] for row in found[:3]] == [["b"], [], []]


def test_an_error_names_the_table_of_its_row(tmp_path: Any) -> None:
    path = tmp_path / "binlog.000001"
    write_log(path, bad_table=77)
    with pytest.raises(BinlogError, match=r"table d\.t77 column 2 b"):
        rows_of(path)


def test_a_row_too_large_for_a_variant_names_its_table(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "binlog.000001"
    write_log(path)
    monkeypatch.setattr("pyspark_adapter.decode.row_objects.MAX_BYTES", 8)
    with pytest.raises(BinlogError, match=r"table d\.t1: a row of"):
        rows_of(path, row="variant")


def test_the_cost_of_a_block_is_not_paid_by_each_table(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "binlog.000001"
    write_log(path)
    blocks: list[int] = []

    def counted(block: Any) -> Any:
        blocks.append(block.num_rows)
        return render_rows(block)

    monkeypatch.setattr("pyspark_adapter.decode.output_batch.render_rows", counted)
    assert len(rows_of(path)) == sum(blocks)
    assert len(blocks) == 2  # one of each shape
