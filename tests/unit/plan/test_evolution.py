"""Tables whose columns change inside the input, in logs made by hand."""

import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches, read_schema
from pyspark_adapter.errors import EventSite, SchemaMismatchError
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.table_view import TableShape, TableView
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import count_calls

INT, BIGINT, FLOAT, DOUBLE, VARCHAR = 3, 8, 4, 5, 15

ID = LoggedColumn("id", INT)
NAME = LoggedColumn("name", VARCHAR, struct.pack("<H", 40), collation=45)
BIG_ID = LoggedColumn("ID", BIGINT)
BIGGEST_ID = LoggedColumn("id", BIGINT, is_unsigned=True)
RATE = LoggedColumn("rate", FLOAT, b"\4")
WIDE_RATE = LoggedColumn("rate", DOUBLE, b"\10")


def text(value: str) -> bytes:
    return bytes([len(value)]) + value.encode()


def number(value: float, form: str = "<i") -> bytes:
    return struct.pack(form, value)


Shape = tuple[list[LoggedColumn], list[bytes | None]]


def write(path: Path, *shapes: Shape, has_metadata: bool = True) -> Path:
    """Write a log in which a table has one row in each shape."""
    writer = LogWriter(has_metadata=has_metadata)
    for i, (columns, row) in enumerate(shapes):
        writer.begin()
        writer.table_map(10 + i, "t", columns)
        writer.rows(10 + i, Rows(WRITE_V2, [row], [True] * len(columns)))
        writer.commit()
    path.write_bytes(writer.data)
    return path


def read(paths: Any, **options: Any) -> list[dict[str, Any]]:
    batches = read_batches(paths, table="d.t", metadata_columns="", **options)
    return [row for batch in batches for row in batch.to_pylist()]


def schema(paths: Any, **options: Any) -> dict[str, pa.DataType]:
    found = read_schema(paths, table="d.t", metadata_columns="", **options)
    return dict(zip(found.names, found.types, strict=True))


FIRST: Shape = ([ID, NAME], [number(1), text("a")])
SECOND: Shape = ([RATE, BIG_ID], [number(0.5, "<f"), number(2**40, "<q")])
THIRD: Shape = ([BIGGEST_ID, WIDE_RATE], [number(2**64 - 1, "<Q"), number(0.1, "<d")])


def test_columns_are_matched_by_name_and_widened(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST, SECOND, THIRD, FIRST)
    assert schema(log) == {"id": pa.decimal128(20, 0), "name": pa.string(), "rate": pa.float64()}
    assert read(log) == [
        {"id": 1, "name": "a", "rate": None},
        {"id": 2**40, "name": None, "rate": 0.5},
        {"id": 2**64 - 1, "name": None, "rate": 0.1},
        {"id": 1, "name": "a", "rate": None},
    ]


def test_shapes_in_several_logs_are_merged(tmp_path: Path) -> None:
    logs = [write(tmp_path / "l.1", FIRST), write(tmp_path / "l.2", SECOND)]
    assert read(logs) == [
        {"id": 1, "name": "a", "rate": None},
        {"id": 2**40, "name": None, "rate": 0.5},
    ]


def test_schema_at_latest(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST, THIRD, SECOND)
    assert schema(log, schema_at="latest") == {"rate": pa.float64(), "ID": pa.decimal128(20, 0)}
    assert read(log, schema_at="latest") == [
        {"rate": None, "ID": 1},
        {"rate": 0.1, "ID": 2**64 - 1},
        {"rate": 0.5, "ID": 2**40},
    ]


def test_the_latest_shape_may_be_an_earlier_one_again(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST, SECOND, FIRST)
    assert list(schema(log, schema_at="latest")) == ["id", "name"]
    # Beyond the size up to which logs are looked at in Python.
    many = write(tmp_path / "m", *([FIRST] * 8000), SECOND, FIRST)
    assert list(schema(many, schema_at="latest")) == ["id", "name"]


def test_schema_at_first(tmp_path: Path) -> None:
    log = write(tmp_path / "l", SECOND, FIRST)
    assert read(log, schema_at="first") == [{"rate": 0.5, "ID": 2**40}, {"rate": None, "ID": 1}]


def test_a_wider_type_than_that_of_the_first_shape_is_an_error(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST, SECOND)
    with pytest.raises(
        SchemaMismatchError, match=r"l@\d+ WRITE_ROWS_EVENT: .*column ID is int64 here and int32 at"
    ):
        read(log, schema_at="first")


def test_without_merging_a_change_is_an_error_after_the_rows(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST, SECOND)
    batches = read_batches(log, table="d.t", merge_schema=False)
    assert next(batches).column("id").to_pylist() == [1]
    with pytest.raises(SchemaMismatchError, match=r"other columns here than at l@\d+ TABLE_MAP"):
        next(batches)


def test_types_without_a_common_one_are_an_error_with_both_places(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST, ([LoggedColumn("name", INT)], [number(1)]))
    with pytest.raises(
        SchemaMismatchError,
        match=r"^l@3\d\d TABLE_MAP_EVENT: table d.t: column name is int32 here and string at"
        r" l@1\d\d TABLE_MAP_EVENT",
    ):
        read_schema(log, table="d.t")


def test_columns_without_names_are_matched_by_place(tmp_path: Path) -> None:
    log = write(
        tmp_path / "l",
        ([ID, RATE], [number(1), number(0.5, "<f")]),
        ([BIG_ID, WIDE_RATE], [number(2**40, "<q"), number(0.25, "<d")]),
        has_metadata=False,
    )
    assert schema(log) == {"col_1": pa.int64(), "col_2": pa.float64()}
    assert read(log) == [{"col_1": 1, "col_2": 0.5}, {"col_1": 2**40, "col_2": 0.25}]


def test_another_number_of_columns_without_names_is_an_error(tmp_path: Path) -> None:
    log = write(tmp_path / "l", ([ID], [number(1)]), FIRST, has_metadata=False)
    with pytest.raises(SchemaMismatchError, match="2 columns without names here, and 1 columns"):
        read_schema(log, table="d.t")


def test_a_log_that_grows_a_column_after_the_plan_is_an_error(tmp_path: Path) -> None:
    log = write(tmp_path / "l", FIRST)
    batches = read_batches(log, table="d.t")
    write(log, FIRST, SECOND)
    next(batches)
    with pytest.raises(SchemaMismatchError, match="columns here that the input did not have"):
        next(batches)


def test_rows_before_a_damage_are_given_although_the_logs_are_looked_through(
    tmp_path: Path,
) -> None:
    log = write(tmp_path / "l", FIRST, SECOND)
    data = bytearray(log.read_bytes())
    data[-5] ^= 1
    log.write_bytes(data)
    batches = read_batches(log, table="d.t")
    assert next(batches).column("id").to_pylist()[0] == 1
    with pytest.raises(Exception, match="CRC32"):
        list(batches)


def test_columns_whose_names_differ_in_case_alone_are_an_error(tmp_path: Path) -> None:
    """No server has such a table, but a log may say so. A schema can name both."""
    log = write(tmp_path / "l", ([ID, LoggedColumn("ID", INT)], [number(1), number(2)]))
    for merges in (True, False):
        with pytest.raises(SchemaMismatchError, match="has columns id and ID: expected names"):
            read(log, merge_schema=merges)
    both = pa.schema([("ID", pa.int32()), ("id", pa.int32())])
    assert read(log, schema=both) == [{"ID": 2, "id": 1}]


@pytest.mark.parametrize("name", ["id", "a"])
def test_columns_of_one_name_are_an_error(name: str, tmp_path: Path) -> None:
    """Names of one character too: Python keeps a single object for each of these."""
    log = write(tmp_path / "l", ([LoggedColumn(name, INT)] * 2, [number(1), number(2)]))
    with pytest.raises(SchemaMismatchError, match=f"has columns {name} and {name}: expected"):
        read(log)


def test_the_work_for_shapes_grows_with_their_columns(tmp_path: Path) -> None:
    """And not with all columns of the output for each, of which there may be many more."""
    calls = []
    for count in (50, 50, 200):
        shapes: list[Shape] = [([LoggedColumn(f"c{i}", INT)], [number(i)]) for i in range(count)]
        log = write(tmp_path / f"l{count}", *shapes)
        batches = read_batches(log, table="d.t")
        calls.append(count_calls(lambda batches=batches: list(batches)))  # type: ignore[misc]
        calls[-1] += count_calls(lambda log=log: schema(log))  # type: ignore[misc]
    assert calls[2] < 6 * calls[1]


def shape_of(*columns: tuple[str, int]) -> TableMap:
    """Return a table with columns of some names and types."""
    made = (
        Column(i, name, code, 0, True, False, None, None) for i, (name, code) in enumerate(columns)
    )
    return TableMap(TableName("d", "t"), tuple(made), has_logged_names=True)


@pytest.mark.parametrize(
    ("later", "message"),
    [
        (
            shape_of(("id", INT), ("added", INT)),
            "added int32 is new; start the query again to continue with the new columns",
        ),
        (
            shape_of(("id", BIGINT)),
            "id is int64 here, and was int32 .*; start the query again to continue with int64",
        ),
    ],
)
def test_a_read_that_is_overtaken_by_a_change_says_what_to_do(
    later: TableMap, message: str
) -> None:
    options = BinlogOptions(table=TableName("d", "t"))
    first = TableShape.of(shape_of(("id", INT)), EventSite("l", 4), options)
    view = TableView.over(TableName("d", "t"), [first], options)
    with pytest.raises(SchemaMismatchError, match=message):
        view.fields_of(later, options)
