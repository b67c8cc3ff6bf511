"""The column types of the format: one row for each type code, all facts of a type on its line.

From this table follow the width of a value in a row image (and so how it is skipped), its Arrow
type, how kernels make it, and what definitions call it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import pyarrow as pa

from pyspark_adapter.charsets.charset import charset_of, decode_text
from pyspark_adapter.charsets.maps import MAPPED_CHARSETS
from pyspark_adapter.charsets.tables import is_ascii_based
from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.fractions import DATETIME_WIDTHS, TIME_WIDTHS, TIMESTAMP_WIDTHS
from pyspark_adapter.kernels.layout import (
    GROUP_BYTES,
    TEXT_REPLACES,
    WIDTH_UNKNOWN,
    FixedBinary,
    Op,
    Text,
)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How the values of a column are decoded.

    Attributes:
        op: the kind; see `values.kinds`.
        params: of the op; of ENUM and SET the width alone, and of a text in a mapped
            character set 0 for its table.
        names: of ENUM and SET, by number, as the bytes that Arrow has of them; those of an
            ENUM begin with that of 0.
        charset: of TEXT and COMPRESSED_TEXT.
    """

    arrow_type: pa.DataType
    op: Op
    params: tuple[int, ...] = ()
    names: tuple[bytes, ...] = ()
    charset: str = ""


@dataclass(frozen=True, slots=True)
class TextRules:
    """How text is made, as the options say.

    Attributes:
        default_charset: character set of text whose own is not logged.
        invalid_text: ERROR, REPLACE or BINARY.
        uuid: text or binary, of the types that the log has as BINARY and SQL as text.
    """

    default_charset: str = "binary"
    invalid_text: str = "ERROR"
    uuid: str = "text"


MAX_ARROW_DECIMAL: Final = 38
# Digits after the point that MariaDB takes from 10.2.1 on; MySQL takes 30.
_MAX_SCALE: Final = 38
UNSIGNED_BIGINT: Final = pa.decimal128(20, 0)

# SRIDs are unsigned and of 32 bits.
GEOMETRY: Final = pa.struct([("srid", pa.int64()), ("wkb", pa.binary())])
# How Spark distinguishes its GEOMETRY(ANY) from a struct: `to_arrow_type` of `pyspark/sql/pandas/types.py`.
NATIVE_GEOMETRY: Final = pa.struct(
    [
        pa.field("srid", pa.int32(), nullable=False),
        pa.field("wkb", pa.binary(), nullable=False, metadata={"geometry": "true", "srid": "-1"}),
    ]
)
VECTOR: Final = pa.list_(pa.float32())
# Marks a VARIANT for Spark: `to_arrow_type` of `pyspark/sql/pandas/types.py`.
VARIANT: Final = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={"variant": "true"}),
    ]
)
# MariaDB's columns whose values are compressed one by one.
_COMPRESSED: Final = frozenset({Code.blob_compressed, Code.varchar_compressed})

# How the character sets that are not mapped are converted to UTF-8.
_TEXT_KINDS: Final = MappingProxyType(
    {
        "utf8mb3": Text.UTF8,
        "utf8mb4": Text.UTF8,
        "ascii": Text.ASCII,
        "ucs2": Text.UCS2,
        "utf16": Text.UTF16,
        "utf16le": Text.UTF16LE,
        "utf32": Text.UTF32,
    }
)


@dataclass(frozen=True, slots=True)
class ColumnType:
    """Facts of a column type.

    Attributes:
        sql_names: what SQL calls the columns that it is logged for, separated by blanks.
        width: from the metadata, bytes of a value; or, negative, bytes of the length before it.
        decode: how its values are made, given the column and the rules for text.
        source: the server's code that writes it.
    """

    code: Code
    sql_names: str
    width: Callable[[int], int]
    decode: Callable[[Column, TextRules], Decoding]
    source: str


def _fixed(num_bytes: int) -> Callable[[int], int]:
    return lambda _metadata: num_bytes


def _with_fraction(num_bytes: int) -> Callable[[int], int]:
    """Return the width of a temporal whose metadata is the number of digits of its fraction."""
    return lambda fsp: num_bytes + (fsp + 1) // 2


def _by_length_bytes(metadata: int) -> int:
    """Return the width of a type whose metadata is the number of bytes of its length."""
    return -metadata if 1 <= metadata <= 4 else WIDTH_UNKNOWN


def _json_width(metadata: int) -> int:
    """Return the width of JSON. Its length has four bytes; that of its differences is the same."""
    return -4 if metadata == 4 else WIDTH_UNKNOWN


def _by_max_length(metadata: int) -> int:
    """Return the width of a type whose metadata is its greatest length."""
    return -2 if metadata > 255 else -1


def _bit_width(metadata: int) -> int:
    return (metadata >> 8) + (1 if metadata & 0xFF else 0)


def _num_bits(metadata: int) -> int:
    return (metadata >> 8) * 8 + (metadata & 0xFF)


def _decimal_width(metadata: int) -> int:
    precision, scale = metadata & 0xFF, metadata >> 8
    is_valid = 1 <= precision <= 65 and scale <= min(_MAX_SCALE, precision)
    if not is_valid:
        return WIDTH_UNKNOWN
    whole = precision - scale
    return (whole // 9 + scale // 9) * 4 + GROUP_BYTES[whole % 9] + GROUP_BYTES[scale % 9]


def _unknown_width(_metadata: int) -> int:
    return WIDTH_UNKNOWN


def _integer(width: int, signed: pa.DataType, unsigned: pa.DataType) -> Callable[..., Decoding]:
    """Return how an integer is made; without a logged sign it is taken as signed."""

    def decode(column: Column, _rules: TextRules) -> Decoding:
        if column.is_unsigned and unsigned == UNSIGNED_BIGINT:
            return Decoding(unsigned, Op.UNSIGNED_DECIMAL, (width, 0))
        arrow_type = unsigned if column.is_unsigned else signed
        # Eight bytes fill an int64 and need no sign bit to be spread.
        sign = 0 if column.is_unsigned or width == 8 else 1 << (8 * width - 1)
        return Decoding(arrow_type, Op.INTEGER, (width, sign))

    return decode


def _plain(arrow_type: pa.DataType, op: Op, *params: int) -> Callable[..., Decoding]:
    """Return a decoding that no metadata changes. FLOAT and DOUBLE are copied as integers are."""
    return lambda _column, _rules: Decoding(arrow_type, op, params)


def _temporal(arrow_type: pa.DataType, op: Op) -> Callable[..., Decoding]:
    """Return how a temporal is made whose metadata is the number of digits of its fraction."""

    def decode(column: Column, _rules: TextRules) -> Decoding:
        if column.metadata > 6:
            raise CorruptEventError(f"expected 0 to 6 digits of fraction, found {column.metadata}")
        return Decoding(arrow_type, op, (column.metadata,))

    return decode


def _old_temporal(arrow_type: pa.DataType, op: Op, *params: int) -> Callable[..., Decoding]:
    """Return how a temporal is made in the form before MySQL 5.6.4 and MariaDB 10.1."""
    return lambda column, _rules: Decoding(arrow_type, op, (max(column.metadata, 0), *params))


def _decimal(column: Column, _rules: TextRules) -> Decoding:
    precision, scale = column.metadata & 0xFF, column.metadata >> 8
    if precision > MAX_ARROW_DECIMAL:
        return Decoding(pa.string(), Op.DECIMAL_TEXT, (precision, scale))
    return Decoding(pa.decimal128(precision, scale), Op.DECIMAL, (precision, scale))


def _bit(column: Column, _rules: TextRules) -> Decoding:
    width, more_bits = _bit_width(column.metadata), column.metadata & 0xFF
    if more_bits > 7:
        raise CorruptEventError(f"expected BIT of 0 to 7 bits beyond its bytes, found {more_bits}")
    if width > 8:
        raise CorruptEventError(f"expected BIT of at most 8 bytes, found {width}")
    if column.metadata == 8 << 8:  # BIT(64): above the range of a signed integer
        return Decoding(UNSIGNED_BIGINT, Op.UNSIGNED_DECIMAL, (width, 1))
    return Decoding(pa.int64(), Op.BITS, (width, 1, _num_bits(column.metadata)))


def text_decoding(
    column: Column, width: int, charset: str, invalid_text: str = "ERROR"
) -> Decoding:
    """Return how text in a character set is decoded.

    Args:
        column: of text, or of another type whose values are returned as their bytes.
        width: bytes of the length before each value.
        charset: one of `charsets.charset.CHARSETS`.
        invalid_text: ERROR, REPLACE or BINARY.
    """
    op = Op.COMPRESSED_TEXT if column.type_code in _COMPRESSED else Op.TEXT
    if charset == "binary" or invalid_text == "BINARY":
        # BINARY(n) is logged without the zero bytes at its end; nothing else is padded.
        is_padded = column.type_code == Code.string and charset_of(column.collation) == "binary"
        padded = column.metadata if is_padded else 0
        return Decoding(pa.binary(), op, (width, Text.BYTES, padded), charset="binary")
    if charset in MAPPED_CHARSETS:
        kind = int(Text.MAPPED if is_ascii_based(charset) else Text.MAPPED_WHOLLY)
    else:
        kind = int(_TEXT_KINDS[charset])
    if invalid_text == "REPLACE":
        kind |= TEXT_REPLACES
    return Decoding(pa.string(), op, (width, kind, 0), charset=charset)


def _text(column: Column, rules: TextRules) -> Decoding:
    width = -COLUMN_TYPE_BY_CODE[column.type_code].width(column.metadata)
    if column.fixed_type and rules.uuid == "text":
        return Decoding(pa.string(), Op.FIXED_BINARY, (width, FixedBinary[column.fixed_type]))
    charset: str | None = rules.default_charset
    if column.collation is not None:
        charset = charset_of(column.collation)
        if charset is None:
            raise UnsupportedError(f"text of collation {column.collation}, which is not known")
    assert charset is not None
    return text_decoding(column, width, charset, rules.invalid_text)


def _member_names(column: Column, charset: str, rules: TextRules) -> tuple[bytes, ...]:
    """Return the members of an ENUM or SET as UTF-8, or as they are."""
    if charset == "binary":
        return tuple(column.members or ())
    replaces = rules.invalid_text == "REPLACE"
    try:
        return tuple(
            decode_text(member, charset, replaces=replaces).encode()
            for member in column.members or ()
        )
    except UnicodeDecodeError as error:
        raise CorruptEventError(f"a member is not valid {charset}: {error}") from error


def _member_decoding(
    column: Column, op: Op, first: tuple[bytes, ...], rules: TextRules
) -> Decoding:
    """Return how an ENUM or SET is decoded to the names of its members.

    Raises:
        UnsupportedError: for a collation that is not known.
        CorruptEventError: for a member that is not valid in it.
    """
    charset = charset_of(column.collation)
    if charset is None:
        raise UnsupportedError(f"members in collation {column.collation}, which is not known")
    arrow_type = pa.binary() if charset == "binary" else pa.string()
    names = (*first, *_member_names(column, charset, rules))
    return Decoding(arrow_type, op, (column.metadata,), names)


def _enum(column: Column, rules: TextRules) -> Decoding:
    width = column.metadata
    if width not in (1, 2):
        raise CorruptEventError(f"expected ENUM of 1 or 2 bytes, found {width}")
    if column.members is None:
        return Decoding(pa.int32(), Op.INTEGER, (width, 0))
    # 0 is the empty string that marks an error.
    return _member_decoding(column, Op.ENUM, (b"",), rules)


def _set(column: Column, rules: TextRules) -> Decoding:
    width = column.metadata
    if not 1 <= width <= 8:
        raise CorruptEventError(f"expected SET of 1 to 8 bytes, found {width}")
    if column.members is not None:
        return _member_decoding(column, Op.SET, (), rules)
    if width == 8:
        return Decoding(UNSIGNED_BIGINT, Op.UNSIGNED_DECIMAL, (width, 0))
    return Decoding(pa.int64(), Op.BITS, (width, 0, 8 * width))


def _by_length(arrow_type: pa.DataType, op: Op) -> Callable[..., Decoding]:
    """Return how values are made that have a length of as many bytes as the metadata says."""
    return lambda column, _rules: Decoding(arrow_type, op, (column.metadata,))


def as_variant(decoding: Decoding) -> Decoding:
    """Return the decoding of a JSON column to VARIANT; any other as it is."""
    if decoding.op != Op.JSON:
        return decoding
    return Decoding(VARIANT, Op.VARIANT, decoding.params)


def _unsupported(column: Column, _rules: TextRules) -> Decoding:
    raise UnsupportedError(f"values of type {column.type_name}")


_BLOBS: Final = "TINYTEXT TEXT MEDIUMTEXT LONGTEXT TINYBLOB BLOB MEDIUMBLOB LONGBLOB"
_SHAPES: Final = (
    "GEOMETRY POINT LINESTRING POLYGON MULTIPOINT MULTILINESTRING MULTIPOLYGON GEOMETRYCOLLECTION"
)
_TIMESTAMP = pa.timestamp("us", tz="UTC")
_DATETIME = pa.timestamp("us")
_TIME = pa.duration("us")

# fmt: off
COLUMN_TYPES: Final = (
    #          code                     SQL                             width                         decoding                                    source
    ColumnType(Code.tiny,               "TINYINT",                      _fixed(1),                    _integer(1, pa.int8(), pa.int16()),         "Field_tiny"),
    ColumnType(Code.short,              "SMALLINT",                     _fixed(2),                    _integer(2, pa.int16(), pa.int32()),        "Field_short"),
    ColumnType(Code.int24,              "MEDIUMINT",                    _fixed(3),                    _integer(3, pa.int32(), pa.int32()),        "Field_medium"),
    ColumnType(Code.long,               "INT",                          _fixed(4),                    _integer(4, pa.int32(), pa.int64()),        "Field_long"),
    ColumnType(Code.longlong,           "BIGINT",                       _fixed(8),                    _integer(8, pa.int64(), UNSIGNED_BIGINT),   "Field_longlong"),
    ColumnType(Code.float,              "FLOAT REAL",                   _fixed(4),                    _plain(pa.float32(), Op.INTEGER, 4, 0),     "Field_float"),
    ColumnType(Code.double,             "DOUBLE REAL",                  _fixed(8),                    _plain(pa.float64(), Op.INTEGER, 8, 0),     "Field_double"),
    ColumnType(Code.newdecimal,         "DECIMAL",                      _decimal_width,               _decimal,                                   "Field_new_decimal, decimal2bin"),
    ColumnType(Code.bit,                "BIT",                          _bit_width,                   _bit,                                       "Field_bit_as_char"),
    ColumnType(Code.year,               "YEAR",                         _fixed(1),                    _plain(pa.int32(), Op.YEAR),                "Field_year"),
    ColumnType(Code.date,               "DATE",                         _fixed(3),                    _plain(pa.date32(), Op.DATE),               "Field_newdate"),
    ColumnType(Code.newdate,            "DATE",                         _fixed(3),                    _plain(pa.date32(), Op.DATE),               "Field_newdate"),
    ColumnType(Code.datetime2,          "DATETIME",                     _with_fraction(5),            _temporal(_DATETIME, Op.DATETIME2),         "my_datetime_packed_from_binary"),
    ColumnType(Code.timestamp2,         "TIMESTAMP",                    _with_fraction(4),            _temporal(_TIMESTAMP, Op.TIMESTAMP),        "my_timestamp_from_binary"),
    ColumnType(Code.time2,              "TIME",                         _with_fraction(3),            _temporal(_TIME, Op.TIME2),                 "my_time_packed_from_binary"),
    ColumnType(Code.datetime,           "DATETIME",                     DATETIME_WIDTHS.__getitem__,  _old_temporal(_DATETIME, Op.OLD_DATETIME),  "Field_datetime"),
    ColumnType(Code.timestamp,          "TIMESTAMP",                    TIMESTAMP_WIDTHS.__getitem__, _old_temporal(_TIMESTAMP, Op.TIMESTAMP, 1), "Field_timestamp"),
    ColumnType(Code.time,               "TIME",                         TIME_WIDTHS.__getitem__,      _old_temporal(_TIME, Op.OLD_TIME),          "Field_time"),
    ColumnType(Code.string,             "CHAR BINARY UUID INET4 INET6", _by_max_length,               _text,                                      "Field_string"),
    ColumnType(Code.varchar,            "VARCHAR VARBINARY VECTOR",     _by_max_length,               _text,                                      "Field_varstring"),
    ColumnType(Code.var_string,         "",                             _by_max_length,               _text,                                      "Field_varstring"),
    ColumnType(Code.blob,               _BLOBS + " JSON",               _by_length_bytes,             _text,                                      "Field_blob"),
    ColumnType(Code.tiny_blob,          "",                             _by_length_bytes,             _text,                                      "Field_blob"),
    ColumnType(Code.medium_blob,        "",                             _by_length_bytes,             _text,                                      "Field_blob"),
    ColumnType(Code.long_blob,          "",                             _by_length_bytes,             _text,                                      "Field_blob"),
    ColumnType(Code.enum,               "ENUM",                         int,                          _enum,                                      "Field_enum"),
    ColumnType(Code.set,                "SET",                          int,                          _set,                                       "Field_set"),
    ColumnType(Code.json,               "JSON",                         _json_width,                  _by_length(pa.string(), Op.JSON),           "Field_json"),
    ColumnType(Code.geometry,           _SHAPES,                        _by_length_bytes,             _by_length(GEOMETRY, Op.GEOMETRY),          "Field_geom"),
    ColumnType(Code.vector,             "VECTOR",                       _by_length_bytes,             _by_length(VECTOR, Op.VECTOR),              "Field_vector"),
    ColumnType(Code.blob_compressed,    _BLOBS,                         _by_length_bytes,             _text,                                      "Field_blob_compressed"),
    ColumnType(Code.varchar_compressed, "VARCHAR VARBINARY",            _by_max_length,               _text,                                      "Field_varstring_compressed"),
    ColumnType(Code.null_type,          "",                             _fixed(0),                    _unsupported,                               "Field_null"),
    ColumnType(Code.decimal,            "DECIMAL",                      _unknown_width,               _unsupported,                               "Field_decimal"),
    ColumnType(Code.typed_array,        "",                             _unknown_width,               _unsupported,                               "Field_typed_array"),
)
# fmt: on

COLUMN_TYPE_BY_CODE: Final = MappingProxyType({int(t.code): t for t in COLUMN_TYPES})


def codes_by_name() -> dict[str, set[int]]:
    """Return the type codes that a column of an SQL type can have in the log, by its name."""
    codes: dict[str, set[int]] = {}
    for column_type in COLUMN_TYPES:
        for name in column_type.sql_names.split():
            codes.setdefault(name, set()).add(int(column_type.code))
    return codes


def width_of(column: Column) -> int:
    """Return the bytes of a value, or, negative, those of the length before it, or WIDTH_UNKNOWN."""
    column_type = COLUMN_TYPE_BY_CODE.get(column.type_code)
    if column_type is None or column.metadata < 0:
        return WIDTH_UNKNOWN
    return column_type.width(column.metadata)


def decoding_of(
    column: Column, *, default_charset: str, invalid_text: str = "ERROR", uuid: str = "text"
) -> Decoding:
    """Return how the values of a column are decoded.

    Raises:
        UnsupportedError: for a type or character set that is not decoded; without table and
            column.
        CorruptEventError: if the metadata contradicts the type.
    """
    column_type = COLUMN_TYPE_BY_CODE.get(column.type_code)
    if column_type is None:
        raise UnsupportedError(f"values of {column.type_name}")
    if width_of(column) == WIDTH_UNKNOWN and not column.possible_digits:
        raise UnsupportedError(f"values of type {column.type_name}, whose width is not logged")
    return column_type.decode(column, TextRules(default_charset, invalid_text, uuid))
