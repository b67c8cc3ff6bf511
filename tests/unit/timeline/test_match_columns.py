"""Which column of a table a field of the output is."""

import struct
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import SchemaMismatchError, read_batches
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import growth

LONG, JSON = 3, 245


def write_row(path: Path, columns: list[LoggedColumn], values: list[bytes | None]) -> Path:
    log = LogWriter()
    log.begin()
    log.table_map(100, "t", columns)
    log.rows(100, Rows(WRITE_V2, [values], [True] * len(columns)))
    log.commit()
    path.write_bytes(log.data)
    return path


def write_numbers(path: Path, *names: str) -> Path:
    """Write a log of one row of some columns, whose values are 0, 1, 2, ..."""
    values: list[bytes | None] = [struct.pack("<i", i) for i in range(len(names))]
    return write_row(path, [LoggedColumn(name, LONG) for name in names], values)


@pytest.mark.parametrize("names", [["a", "A"], ["a", "a"]])
def test_two_fields_of_one_column_are_refused(tmp_path: Path, names: list[str]) -> None:
    log = write_numbers(tmp_path / "binlog.000001", "a", "b")
    schema = pa.schema([(name, pa.int32()) for name in names])
    message = f"table d.t column 1 a .* one field of the schema for it, found a and {names[1]}"
    with pytest.raises(SchemaMismatchError, match=message):
        read_batches(log, table="d.t", schema=schema).to_table()


def test_columns_of_one_name_keep_their_values(tmp_path: Path) -> None:
    """No server has such a table; a damaged log may."""
    log = write_numbers(tmp_path / "binlog.000001", "a", "a")
    (group,) = read_batches(log, row="arrow").to_table().to_pylist()
    schema = pa.ipc.read_schema(pa.py_buffer(group["schema"]))
    rows = pa.ipc.read_record_batch(pa.py_buffer(group["rows"]), schema)
    assert [column.to_pylist() for column in rows.columns[-2:]] == [[0], [1]]
    (row,) = read_batches(log, row="json").to_table()["row"].to_pylist()
    assert row == '{"a": 0, "a": 1}'
    assert read_batches(log, row="variant").to_table().num_rows == 1


def read_columns(folder: Path, column_type: tuple[int, bytes], count: int, **options: Any) -> None:
    """Read a row of nulls of a table of some columns, all of one type."""
    columns = [LoggedColumn(f"c{i}", *column_type) for i in range(count)]
    log = write_row(folder / "binlog.000001", columns, [None] * count)
    if "columns" in options:
        options["columns"] = [column.name for column in columns]
    assert read_batches(log, **options).to_table().num_rows == 1


def test_columns_that_are_picked_take_time_in_proportion(tmp_path: Path) -> None:
    assert growth(partial(read_columns, tmp_path, (LONG, b""), table="d.t", columns=[]), 800) < 8


def test_documents_that_are_looked_at_take_time_in_proportion(tmp_path: Path) -> None:
    options: dict[str, Any] = {"table": "d.t", "metadata_columns": ["_absent_columns"]}
    assert growth(partial(read_columns, tmp_path, (JSON, b"\4"), **options), 1000) < 8
