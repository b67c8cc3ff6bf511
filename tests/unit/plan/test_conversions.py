"""Columns in other types than the default: by options, and by a schema."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import SchemaMismatchError, read_batches, read_schema
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.plan.conversion import conversion_of
from pyspark_adapter.values.column_types import GEOMETRY as GEOMETRY_STRUCT
from pyspark_adapter.values.column_types import NATIVE_GEOMETRY
from tests.support import encoders
from tests.support.log_writer import STMT_END, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_until_error

UNSIGNED = LoggedColumn("u", 8, is_unsigned=True)
BIT64 = LoggedColumn("b", 16, b"\x00\x08")
MAX_LONG = (1 << 63) - 1


def column(type_code: int, fsp: int) -> LoggedColumn:
    return LoggedColumn("v", type_code, bytes([fsp]))


TIME, DATETIME, TIMESTAMP = column(19, 3), column(18, 6), column(17, 0)
SPANS = [timedelta(hours=-838, microseconds=-500_000), timedelta(minutes=61, seconds=1)]
UNSIGNED_VALUES = [0, MAX_LONG]


def write(
    tmp_path: Path, columns: list[LoggedColumn], rows: Sequence[Sequence[bytes | None]]
) -> Path:
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", columns)
    for number, row in enumerate(rows, 1):  # an event for each
        flags = STMT_END if number == len(rows) else 0
        writer.rows(9, Rows(WRITE_V2, [row], [True] * len(columns), flags=flags))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    return path


def values_of(path: Path, name: str, **options: Any) -> tuple[pa.DataType, list[Any]]:
    batches = list(read_batches(path, table="d.t", **options))
    (found_type,) = {batch.schema.field(name).type for batch in batches}
    assert read_schema(path, table="d.t", **options).field(name).type == found_type
    return found_type, [value for batch in batches for value in batch[name].to_pylist()]


@pytest.fixture
def times(tmp_path: Path) -> Path:
    return write(tmp_path, [TIME], [*[[encoders.time2(span, 3)] for span in SPANS], [None]])


@pytest.mark.parametrize(
    ("option", "arrow_type", "expected"),
    [
        ("interval", pa.duration("us"), [*SPANS, None]),
        ("string", pa.string(), ["-838:00:00.500", "01:01:01.000", None]),
        ("micros", pa.int64(), [-838 * 3600 * 10**6 - 500_000, 3661 * 10**6, None]),
    ],
)
def test_time(times: Path, option: str, arrow_type: pa.DataType, expected: list[Any]) -> None:
    assert values_of(times, "v", time=option) == (arrow_type, expected)
    assert values_of(times, "v", schema=pa.schema([("v", arrow_type)])) == (arrow_type, expected)


@pytest.mark.parametrize(
    ("option", "arrow_type", "kind"),
    [
        ("decimal", pa.decimal128(20, 0), Decimal),
        ("long", pa.int64(), int),
        ("string", pa.string(), str),
    ],
)
def test_unsigned_bigint(tmp_path: Path, option: str, arrow_type: pa.DataType, kind: Any) -> None:
    rows = [[encoders.integer(value, 8)] for value in UNSIGNED_VALUES]
    path = write(tmp_path, [UNSIGNED], rows)
    expected = [kind(value) for value in UNSIGNED_VALUES]
    assert values_of(path, "u", unsigned_bigint=option) == (arrow_type, expected)
    assert values_of(path, "u", schema=pa.schema([("u", arrow_type)])) == (arrow_type, expected)


def test_other_columns_keep_their_type(tmp_path: Path) -> None:
    path = write(tmp_path, [BIT64], [[b"\xff" * 8]])
    found = values_of(path, "b", unsigned_bigint="long")
    assert found == (pa.decimal128(20, 0), [Decimal(2**64 - 1)])


@pytest.mark.parametrize("by_schema", [True, False])
def test_a_value_beyond_long_is_an_error_after_the_rows_before_it(
    tmp_path: Path, by_schema: bool
) -> None:
    values = [1, MAX_LONG, MAX_LONG + 1, 5]
    path = write(tmp_path, [UNSIGNED], [[encoders.integer(value, 8)] for value in values])
    options: dict[str, Any] = {"unsigned_bigint": "long"}
    if by_schema:
        options = {"schema": pa.schema([("u", pa.int64())])}
    num_rows, error = read_until_error(path, table="d.t", **options)
    assert num_rows == 2
    assert isinstance(error, SchemaMismatchError)
    assert str(error).startswith("log.000001@")
    assert error.site is not None
    assert error.site.event_type == "WRITE_ROWS_EVENT"
    assert error.message == (
        "table d.t column 1 u (LONGLONG): expected a value from -9223372036854775808 to"
        " 9223372036854775807 for type int64, found 9223372036854775808"
    )


def test_damage_is_not_what_a_value_beyond_long_is(tmp_path: Path) -> None:
    path = write(tmp_path, [UNSIGNED], [[encoders.integer(MAX_LONG + 1, 8)]])
    options = {"unsigned_bigint": "long", "ignore_corrupt_files": True}
    _, error = read_until_error(path, table="d.t", **options)
    assert isinstance(error, SchemaMismatchError)


TEXTS: list[tuple[LoggedColumn, bytes, str]] = [
    (LoggedColumn("v", 3), encoders.integer(-5, 4), "-5"),
    (LoggedColumn("v", 8), encoders.integer(-5, 8), "-5"),
    (UNSIGNED, b"\xff" * 8, "18446744073709551615"),
    (LoggedColumn("v", 246, b"\x0a\x09"), encoders.decimal(Decimal("1e-9"), 10, 9), "0.000000001"),
    (LoggedColumn("v", 246, b"\x0a\x02"), encoders.decimal(Decimal("-1.5"), 10, 2), "-1.50"),
    (LoggedColumn("v", 5, b"\x08"), encoders.double(1.5), "1.5"),
    (LoggedColumn("v", 10), encoders.day(date(2026, 11, 22)), "2026-11-22"),
    (DATETIME, encoders.datetime2(datetime(2026, 1, 2, 3, 4, 5), 6), "2026-01-02 03:04:05.000000"),
    (TIMESTAMP, encoders.timestamp2(0x7FFFFFFF, 0, 0), "2038-01-19 03:14:07Z"),
    (TIME, encoders.time2(timedelta(seconds=1), 3), "00:00:01.000"),
]


@pytest.mark.parametrize(("column", "data", "text"), TEXTS, ids=str)
def test_a_schema_may_ask_for_text(
    tmp_path: Path, column: LoggedColumn, data: bytes, text: str
) -> None:
    path = write(tmp_path, [column], [[data], [None]])
    schema = pa.schema([(column.name, pa.string())])
    assert values_of(path, column.name, schema=schema) == (pa.string(), [text, None])


def test_the_text_is_that_of_json_rows(tmp_path: Path) -> None:
    for number, (column, data, text) in enumerate(TEXTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = write(folder, [column], [[data]])
        (batch,) = read_batches(path)
        (row,) = batch["row"].to_pylist()
        assert row in (f'{{"{column.name}": "{text}"}}', f'{{"{column.name}": {text}}}')


@pytest.mark.parametrize(
    ("column", "arrow_type"),
    [
        (LoggedColumn("v", 255, b"\x04"), pa.string()),  # GEOMETRY
        (LoggedColumn("v", 3), pa.int16()),
        (LoggedColumn("v", 246, b"\x0a\x02"), pa.int64()),
        (DATETIME, pa.int64()),
    ],
)
def test_other_types_do_not_fit(
    tmp_path: Path, column: LoggedColumn, arrow_type: pa.DataType
) -> None:
    path = write(tmp_path, [column], [[None]])
    with pytest.raises(SchemaMismatchError, match="expected type"):
        list(read_batches(path, table="d.t", schema=pa.schema([("v", arrow_type)])))


@pytest.mark.parametrize("code", [Code.enum, Code.set])
def test_numbers_of_members_are_no_text(code: int) -> None:
    column = Column(0, "v", code, 1, True, None, None, None)
    assert conversion_of(column, pa.int32(), pa.string()) is None


def test_columns_of_two_shapes_have_one_type(tmp_path: Path) -> None:
    """BIGINT UNSIGNED that was BIGINT: long holds both."""
    writer = LogWriter()
    for column in (LoggedColumn("u", 8), UNSIGNED):
        writer.begin()
        writer.table_map(9, "t", [column])
        writer.rows(9, Rows(WRITE_V2, [[encoders.integer(7, 8)]], [True]))
        writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    assert values_of(path, "u", unsigned_bigint="long") == (pa.int64(), [7, 7])
    assert values_of(path, "u") == (pa.decimal128(20, 0), [Decimal(7)] * 2)


WKB = bytes.fromhex("0101000000000000000000f03f0000000000000040")
GEOMETRY = LoggedColumn("v", 255, b"\x04")


def geometry(srid: int) -> bytes:
    return encoders.prefixed(encoders.geometry(srid, WKB), 4)


def test_native_geometry(tmp_path: Path) -> None:
    path = write(tmp_path, [GEOMETRY], [[geometry(4326)], [None], [geometry(0)]])
    found_type, values = values_of(path, "v", geometry="native")
    expected = [{"srid": 4326, "wkb": WKB}, None, {"srid": 0, "wkb": WKB}]
    assert (found_type, values) == (NATIVE_GEOMETRY, expected)
    schema = pa.schema([("v", NATIVE_GEOMETRY)])
    assert values_of(path, "v", schema=schema) == (NATIVE_GEOMETRY, expected)
    assert values_of(path, "v") == (GEOMETRY_STRUCT, expected)


@pytest.mark.parametrize(
    ("bad", "found"),
    [(geometry(1 << 31), "SRID 2147483648"), (encoders.prefixed(b"", 4), "an empty value")],
)
def test_a_geometry_that_spark_has_none_for_is_an_error(
    tmp_path: Path, bad: bytes, found: str
) -> None:
    path = write(tmp_path, [GEOMETRY], [[geometry(0)], [bad], [geometry(0)]])
    num_rows, error = read_until_error(path, table="d.t", geometry="native")
    assert num_rows == 1
    assert isinstance(error, SchemaMismatchError)
    assert error.message.endswith(f"for Spark's GEOMETRY, found {found}")
    assert str(error).endswith("option geometry=wkb")
