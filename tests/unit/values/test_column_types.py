"""The table of column types: complete, with the widths of `values.md`, "Sizing summary"."""

import pyarrow as pa
import pytest

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import GROUP_BYTES, WIDTH_UNKNOWN, Text
from pyspark_adapter.values.column_types import (
    COLUMN_TYPE_BY_CODE,
    COLUMN_TYPES,
    Decoding,
    decoding_of,
    width_of,
)

# INVALID and BOOL: the server has names for them and never writes them (`table-map.md`), so that
# the schema leaves them out too.
NEVER_WRITTEN = {243, 244}


def column(
    code: int,
    metadata: int = 0,
    *,
    is_unsigned: bool | None = None,
    collation: int | None = None,
    members: tuple[bytes, ...] | None = None,
    possible_digits: tuple[int, ...] = (),
    fixed_type: str = "",
) -> Column:
    others = possible_digits, fixed_type
    return Column(0, "c", code, metadata, True, is_unsigned, collation, members, *others)


def arrow_type_of(found: Column, default_charset: str = "binary") -> pa.DataType:
    return decoding_of(found, default_charset=default_charset).arrow_type


def test_every_code_of_the_schema_has_its_line() -> None:
    codes = [column_type.code for column_type in COLUMN_TYPES]
    assert len(codes) == len(set(codes))
    assert set(codes) == set(Code)
    assert NEVER_WRITTEN.isdisjoint(map(int, Code))
    assert set(COLUMN_TYPE_BY_CODE) == {int(code) for code in codes}


def test_every_line_names_what_sql_calls_it_and_its_source() -> None:
    for column_type in COLUMN_TYPES:
        assert column_type.sql_names == column_type.sql_names.upper()
        assert column_type.source


@pytest.mark.parametrize(
    ("code", "metadata", "width"),
    [
        (Code.tiny, 0, 1),
        (Code.short, 0, 2),
        (Code.int24, 0, 3),
        (Code.long, 0, 4),
        (Code.longlong, 0, 8),
        (Code.float, 4, 4),
        (Code.double, 8, 8),
        (Code.year, 0, 1),
        (Code.date, 0, 3),
        (Code.newdate, 0, 3),
        (Code.timestamp, 0, 4),
        (Code.time, 0, 3),
        (Code.datetime, 0, 8),
        (Code.null_type, 0, 0),
        # BIT: whole bytes, and one more for the bits beyond; (1), (8), (13), (64)
        (Code.bit, 0x0001, 1),
        (Code.bit, 0x0100, 1),
        (Code.bit, 0x0105, 2),
        (Code.bit, 0x0800, 8),
        # DECIMAL(P,S): P + 256 * S
        (Code.newdecimal, 10 | 2 << 8, 5),
        (Code.newdecimal, 20 | 10 << 8, 10),
        (Code.newdecimal, 14 | 4 << 8, 7),
        (Code.newdecimal, 5 | 5 << 8, 3),
        (Code.newdecimal, 9, 4),
        (Code.newdecimal, 1 | 1 << 8, 1),
        (Code.newdecimal, 65 | 30 << 8, 30),
        (Code.newdecimal, 65, 29),
        (Code.newdecimal, 65 | 38 << 8, 29),  # MariaDB
        (Code.newdecimal, 38 | 38 << 8, 17),
        (Code.newdecimal, 66, WIDTH_UNKNOWN),
        (Code.newdecimal, 0, WIDTH_UNKNOWN),
        (Code.newdecimal, 5 | 6 << 8, WIDTH_UNKNOWN),
        (Code.newdecimal, 65 | 39 << 8, WIDTH_UNKNOWN),
        # Temporals: two digits of the fraction to a byte
        *((Code.timestamp2, fsp, 4 + (fsp + 1) // 2) for fsp in range(7)),
        *((Code.datetime2, fsp, 5 + (fsp + 1) // 2) for fsp in range(7)),
        *((Code.time2, fsp, 3 + (fsp + 1) // 2) for fsp in range(7)),
        *((Code.enum, width, width) for width in (1, 2)),
        *((Code.set, width, width) for width in (1, 2, 3, 4, 8)),
        # Lengths before the value, as negative numbers
        *((code, 255, -1) for code in (Code.string, Code.varchar, Code.var_string)),
        *((code, 256, -2) for code in (Code.string, Code.varchar, Code.var_string)),
        (Code.varchar, 65535, -2),
        (Code.varchar_compressed, 401, -2),
        (Code.varchar_compressed, 91, -1),
        *((Code.blob, size, -size) for size in (1, 2, 3, 4)),
        (Code.blob_compressed, 2, -2),
        *((code, 4, -4) for code in (Code.json, Code.geometry, Code.vector)),
        *((Code.json, size, WIDTH_UNKNOWN) for size in (0, 1, 2, 3, 5)),
        (Code.blob, 0, WIDTH_UNKNOWN),
        (Code.blob, 5, WIDTH_UNKNOWN),
        # Not in the log
        (Code.decimal, 0, WIDTH_UNKNOWN),
        (Code.typed_array, 0, WIDTH_UNKNOWN),
        (243, 0, WIDTH_UNKNOWN),
        (99, 0, WIDTH_UNKNOWN),
    ],
)
def test_width(code: int, metadata: int, width: int) -> None:
    assert width_of(column(code, metadata)) == width


def test_unknown_width_is_none_that_a_value_can_have() -> None:
    assert WIDTH_UNKNOWN not in range(-4, 256)


# `values.md`, "Old temporals".
@pytest.mark.parametrize(
    ("code", "widths"),
    [
        (Code.timestamp, [4, 5, 5, 6, 6, 7, 7]),
        (Code.time, [3, 4, 4, 5, 5, 5, 6]),
        (Code.datetime, [8, 6, 6, 7, 7, 7, 8]),
    ],
)
def test_old_temporals_have_the_width_of_their_digits(code: int, widths: list[int]) -> None:
    assert [width_of(column(code, digits)) for digits in range(7)] == widths
    unknown = column(code, -1, possible_digits=tuple(range(7)))
    assert width_of(unknown) == WIDTH_UNKNOWN
    natural = decoding_of(column(code), default_charset="binary").arrow_type
    assert decoding_of(unknown, default_charset="binary").arrow_type == natural


def test_groups_of_digits_have_the_bytes_of_the_server() -> None:
    assert GROUP_BYTES == (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


@pytest.mark.parametrize(
    ("code", "signed", "unsigned"),
    [
        (Code.tiny, pa.int8(), pa.int16()),
        (Code.short, pa.int16(), pa.int32()),
        (Code.int24, pa.int32(), pa.int32()),
        (Code.long, pa.int32(), pa.int64()),
        (Code.longlong, pa.int64(), pa.decimal128(20, 0)),
    ],
)
def test_integers_hold_their_range(code: int, signed: pa.DataType, unsigned: pa.DataType) -> None:
    assert arrow_type_of(column(code)) == signed  # a sign that is not logged is taken as one
    assert arrow_type_of(column(code, is_unsigned=False)) == signed
    assert arrow_type_of(column(code, is_unsigned=True)) == unsigned


@pytest.mark.parametrize(
    ("found", "arrow_type"),
    [
        (column(Code.newdecimal, 38 | 10 << 8), pa.decimal128(38, 10)),
        (column(Code.newdecimal, 39 | 10 << 8), pa.string()),
        (column(Code.bit, 0x0707), pa.int64()),
        (column(Code.bit, 0x0800), pa.decimal128(20, 0)),
        (column(Code.datetime2, 6), pa.timestamp("us")),
        (column(Code.timestamp2, 0), pa.timestamp("us", tz="UTC")),
        (column(Code.time2, 3), pa.duration("us")),
        (column(Code.varchar, 20, collation=63), pa.binary()),
        (column(Code.varchar, 20, collation=255), pa.string()),
        (column(Code.varchar, 20, collation=8), pa.string()),
        (column(Code.varchar, 20), pa.binary()),
        (column(Code.enum, 1), pa.int32()),
        (column(Code.enum, 1, collation=255, members=(b"a",)), pa.string()),
        (column(Code.set, 7), pa.int64()),
        (column(Code.set, 8), pa.decimal128(20, 0)),
        (column(Code.set, 8, collation=255, members=(b"a",)), pa.string()),
        (column(Code.json, 4), pa.string()),
        (column(Code.enum, 1, collation=63, members=(b"\xff",)), pa.binary()),
        (column(Code.set, 1, collation=63, members=(b"\xff",)), pa.binary()),
        (column(Code.varchar, 20, collation=54), pa.string()),
        (column(Code.geometry, 4), pa.struct([("srid", pa.int64()), ("wkb", pa.binary())])),
        (column(Code.vector, 4, collation=63), pa.list_(pa.float32())),
        (column(Code.string, 16, collation=63), pa.binary()),
        (column(Code.string, 16, collation=63, fixed_type="UUID"), pa.string()),
        (column(Code.varchar_compressed, 101, collation=8), pa.string()),
        (column(Code.blob_compressed, 2, collation=63), pa.binary()),
    ],
)
def test_arrow_type(found: Column, arrow_type: pa.DataType) -> None:
    assert arrow_type_of(found) == arrow_type


def test_default_charset_is_that_of_text_without_its_own() -> None:
    assert arrow_type_of(column(Code.varchar, 20), "utf8mb4") == pa.string()
    assert arrow_type_of(column(Code.varchar, 20, collation=63), "utf8mb4") == pa.binary()


@pytest.mark.parametrize(
    "found",
    [
        column(Code.varchar, 20, collation=9999),
        column(Code.decimal),
        column(Code.null_type),
        column(Code.typed_array),
        column(Code.enum, 1, collation=9999, members=(b"a",)),
        column(99),
    ],
)
def test_what_is_not_read_is_unsupported(found: Column) -> None:
    with pytest.raises(UnsupportedError):
        arrow_type_of(found)


@pytest.mark.parametrize(
    "found",
    [
        column(Code.datetime2, 7),
        column(Code.bit, 0x0801),
        column(Code.bit, 0x0208),
        column(Code.bit, 0x02FD),
        column(Code.enum, 3),
        column(Code.set, 9),
        column(Code.set, 0),
        column(Code.enum, 1, collation=255, members=(b"\xff",)),
    ],
)
def test_metadata_that_cannot_be_is_corrupt(found: Column) -> None:
    with pytest.raises(CorruptEventError):
        arrow_type_of(found)


def decoding_under(found: Column, invalid_text: str) -> Decoding:
    return decoding_of(found, default_charset="binary", invalid_text=invalid_text)


@pytest.mark.parametrize("code", [Code.varchar, Code.string, Code.blob, Code.blob_compressed])
def test_text_is_its_bytes_under_binary(code: int) -> None:
    found = decoding_under(column(code, 2, collation=255), "BINARY")
    assert found.arrow_type == pa.binary()
    assert found.params[1:] == (Text.BYTES, 0)  # and nothing is padded


def test_members_stay_text_under_binary() -> None:
    good = column(Code.enum, 1, collation=255, members=(b"a",))
    assert decoding_under(good, "BINARY").arrow_type == pa.string()
    bad = column(Code.enum, 1, collation=255, members=(b"\xff",))
    with pytest.raises(CorruptEventError, match="a member is not valid utf8mb4"):
        decoding_under(bad, "BINARY")
    assert decoding_under(bad, "REPLACE").names == (b"", "\ufffd".encode())
