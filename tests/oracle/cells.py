"""Cells of the schema as values of Python, and whether a value of Arrow is the same."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

import pyarrow as pa
from mysql_binlog import MysqlBinlog

from pyspark_adapter.charsets.charset import charset_of, decode_text
from tests.oracle import documents

BINARY = 63
Code = MysqlBinlog.ColumnType
Field = MysqlBinlog.OptionalMetadataType
MEMBERS = (Code.enum, Code.set)
DATES = frozenset(
    {Code.date, Code.newdate, Code.datetime, Code.datetime2, Code.timestamp, Code.timestamp2}
)


class Unknown(Enum):
    """What a cell has instead of a value."""

    ABSENT = "the log does not hold it"
    UNTOLD = "the log does not say what it is"


def text_of(data: bytes, collation: int) -> str | bytes | Unknown:
    """Return text in the character set of a collation; bytes without one."""
    if collation == BINARY:
        return data
    charset = charset_of(collation)
    return Unknown.UNTOLD if charset is None else decode_text(data, charset)


def collations_of(table_map: Any) -> list[int]:
    """Return the collation of each column of a table map; 0 if it is not logged."""
    found = [column.collation for column in table_map.column_layouts]
    of_members = [k for k, c in enumerate(table_map.column_layouts) if c.type_code in MEMBERS]
    for field in getattr(table_map, "optional_fields", ()):
        if field.field_type == Field.enum_and_set_default_charset:
            by_place = {e.position.value: e.collation.value for e in field.data.exceptions}
            for place, k in enumerate(of_members):
                found[k] = by_place.get(place, field.data.collation.value)
        elif field.field_type == Field.enum_and_set_column_charset:
            for item, k in zip(field.data.items, of_members, strict=True):
                found[k] = item.value
    return found


def value_of(cell: Any, column: Any, collation: int, before: Any) -> Any:
    """Return the value of a cell; None for NULL.

    Args:
        cell: the cell.
        column: its column.
        collation: of the column.
        before: the value in the image before, which the document of an update may be changed from.
    """
    if not cell.is_present:
        return Unknown.ABSENT
    if cell.is_null:
        return None
    value = cell.value
    match value:
        case MysqlBinlog.JsonValue(is_difference=True):
            if isinstance(before, Unknown):
                return before
            return documents.changed(before, value.differences)
        case MysqlBinlog.JsonValue() if value.len_value.value:
            return documents.Document(documents.tree_of(value.document.value))
        case MysqlBinlog.JsonValue():
            return Unknown.UNTOLD
        case MysqlBinlog.EnumValue(num_members=0) | MysqlBinlog.SetValue(members=None):
            return Unknown.UNTOLD
        case MysqlBinlog.EnumValue(value=0):
            return ""
        case MysqlBinlog.EnumValue():
            return text_of(value.member, collation)
        case MysqlBinlog.SetValue():
            names = [text_of(m.name, collation) for m in value.members if m.is_in_value]
            return Unknown.UNTOLD if Unknown.UNTOLD in names else ",".join(map(str, names))
        case MysqlBinlog.GeometryValue():
            if not value.len_value.value:
                return {"srid": None, "wkb": b""}
            return {"srid": value.value.srid, "wkb": value._raw_value[4:]}
        case MysqlBinlog.CompressedValue():
            content = inflated(value._raw_value) if value.len_value.value else b""
            return text_of(content, collation)
        case MysqlBinlog.StringValue() if column.type_code == Code.string:
            found = text_of(value.value, collation)
            # Servers log BINARY without the zeros at its end.
            return found.ljust(column.max_length, b"\0") if isinstance(found, bytes) else found
        case MysqlBinlog.StringValue():
            return text_of(value.value, collation)
        case _ if isinstance(value.plain, int) and value.plain < 0 and not column.has_signedness:
            return Unknown.UNTOLD
        case _:
            return value.plain


def inflated(record: bytes) -> bytes:
    """Return the content of a compressed value of MariaDB, behind its length."""
    if not record[0] >> 4:
        return record[1:]
    is_raw, len_length = record[0] & 8, record[0] & 7
    return zlib.decompress(record[1 + len_length :], -15 if is_raw else 15)


def is_same(found: Any, kind: pa.DataType, value: Any) -> Any:
    """Return whether a value of a column of Arrow is that of a cell."""
    if value is Unknown.UNTOLD:
        return True
    if value is None or value is Unknown.ABSENT:
        return found is None
    if isinstance(value, documents.Document):
        return documents.is_same(value.tree, documents.parsed(found))
    if pa.types.is_date(kind):
        return found == moment(value, date.fromisoformat)
    if pa.types.is_timestamp(kind):
        when = moment(value, datetime.fromisoformat)
        return found == (when.replace(tzinfo=UTC) if when and kind.tz else when)
    if pa.types.is_duration(kind):
        return found == time_of(value)
    if pa.types.is_decimal(kind):
        return found.as_tuple() == Decimal(value).as_tuple()
    if pa.types.is_floating(kind):
        return struct.pack("<d", found) == struct.pack("<d", value)
    return type(found) is type(value) and found == value


def moment(text: str, parse: Any) -> Any:
    """Return a date or a time; None for one that is in no calendar."""
    try:
        return parse(text)
    except ValueError:
        return None


def time_of(text: str) -> timedelta:
    hours, minutes, seconds = text.lstrip("-").split(":")
    found = timedelta(hours=int(hours), minutes=int(minutes)) + timedelta(
        microseconds=int(Decimal(seconds) * 1_000_000)
    )
    return -found if text.startswith("-") else found


def is_same_in_json(found: Any, code: int, value: Any) -> bool:
    """Return whether a member of a row as JSON is the value of a cell of a type; None for none."""
    match value:
        case Unknown.UNTOLD:
            return True
        case Unknown.ABSENT | None:
            return found is None
        case documents.Document():
            return documents.is_same(value.tree, found)
        case bytes():
            return bool(found == base64.b64encode(value).decode())
        case float():
            return _is_same_real(found, value, "<f" if code == Code.float else "<d")
        case {"srid": srid, "wkb": wkb}:
            text = None if srid is None else str(srid)
            return bool(found == {"srid": text, "wkb": base64.b64encode(wkb).decode()})
        case list():
            pairs = zip(found, value, strict=False)
            return len(found) == len(value) and all(_is_same_real(a, b, "<f") for a, b in pairs)
        case str() if code in DATES:
            if moment(value, datetime.fromisoformat) is None:
                return found is None
            return bool(found == value + "Z" * (code in (Code.timestamp, Code.timestamp2)))
        case str():
            return not isinstance(found, documents.Number) and found == value
        case _:
            return isinstance(found, documents.Number) and found == str(value)


def _is_same_real(found: object, value: float, packed: str) -> bool:
    """Return whether a number, or the name of one that JSON does not have, is a value."""
    if not math.isfinite(value):
        return found == {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")
    same = isinstance(found, documents.Number) and struct.pack(packed, float(found))
    return same == struct.pack(packed, value)
