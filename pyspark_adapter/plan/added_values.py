"""What a column shows in rows that are older than it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal, DecimalException
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa

from pyspark_adapter.ddl.table_definition import (
    BINARY_FORMS,
    INTEGERS,
    NULL,
    TEXT_TYPES,
    ColumnDefault,
    ColumnDefinition,
)
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.kernels.layout import FixedBinary
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.table_view import TableView
from pyspark_adapter.timeline.table_changes import Additions
from pyspark_adapter.values.text_form import fixed_bytes, fixed_length, fixed_text
from pyspark_adapter.warn import warn

_INTEGER: Final = re.compile(r"-?[0-9]{1,20}")
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_CLOCK: Final = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?"
_DATETIME: Final = re.compile(_DATE.pattern + "[ T]" + _CLOCK)
_TIME: Final = re.compile(f"(-?){_CLOCK.replace('{2}', '{2,3}', 1)}")
_INTEGERS: Final = (*INTEGERS, "YEAR")
_NUMBERS: Final = (*_INTEGERS, "DECIMAL", "FLOAT", "DOUBLE", "BIT")
_MAX_DIGITS: Final = 65  # of a DECIMAL
_TEXTS: Final = TEXT_TYPES - {"ENUM", "SET"}
_BLOBS: Final = {*BINARY_FORMS.values()} - {"BINARY"}  # which is padded with zeros


class NotKnownError(Exception):
    """The value depends on more than the definition of the column."""


def with_defaults(view: TableView, added: Additions, last: TableMap) -> TableView:
    """Return a view with the values that old rows show for columns added later.

    Warns of a column whose values there are not known. It is null in these rows.

    Args:
        added: columns that were added to the table.
        last: the last table map of the table. Columns that are gone by then stay null.
    """
    names = {column.label.lower() for column in last.columns}
    in_all = names.intersection(*({*map(str.lower, shape.all_names)} for shape in view.shapes))
    missing = names - in_all
    lacking = {name: field.type for field in view.fields if (name := field.name.lower()) in missing}
    return replace(view, added=added, defaults=added_values(view.table, added, lacking))


def added_values(
    table: TableName, added: Additions, lacking: Mapping[str, pa.DataType]
) -> dict[str, pa.Scalar]:
    """Return the values that old rows show for columns added later, as far as they are known.

    Warns of each column whose value is not known.

    Args:
        added: columns that were added to the table.
        lacking: the columns that older rows lack, by name in lower case, with their types.
    """
    values: dict[str, pa.Scalar] = {}
    of_name = {addition.column.name.lower(): addition for addition in added}
    for name, kind in lacking.items():
        addition = of_name.get(name)
        if addition is None:
            if added.not_understood is not None:
                reason = "that statement is not understood"
                _warn_of_nulls(added.not_understood, table, name, reason)
            continue
        try:
            values[name] = value_of_older_rows(addition.column, kind)
        except NotKnownError:
            reason = "its default is not a plain literal, or its type has changed since"
            _warn_of_nulls(addition.site, table, addition.column.name, reason)
    return values


def _warn_of_nulls(site: EventSite, table: TableName, column: str, reason: str) -> None:
    warn(
        f"{site}: table {table}: the value of column {column} in rows from before is not known,"
        f" because {reason}: it is null there"
    )


def value_of_older_rows(column: ColumnDefinition, arrow_type: pa.DataType) -> pa.Scalar:
    """Return the value that a column shows in rows older than itself.

    The server fills in the default, or, if the column is NOT NULL without one, the implicit default
    of its type.

    Raises:
        NotKnownError: if the default is no literal, or one that the server converts in a way that
            depends on its settings.
    """
    default = column.default
    if column.is_generated:
        raise NotKnownError
    if default is None and column.is_nullable is False:
        default = _implicit(column)
    elif default is None and column.is_nullable:
        default = NULL
    if default is None or default.kind == "expression":
        raise NotKnownError
    if default.kind == "null":
        return pa.scalar(None, arrow_type)
    read = _READERS.get(column.sql_type)
    if read is None:
        raise NotKnownError
    try:
        return pa.scalar(read(column, default, arrow_type), arrow_type)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, DecimalException) as error:
        raise NotKnownError from error


def _implicit(column: ColumnDefinition) -> ColumnDefault | None:
    """Return the default of a NOT NULL column that has none; None if it is not known.

    Source: "Data Type Default Values" of the manual of MySQL.
    """
    if column.sql_type in _NUMBERS:
        return ColumnDefault("number", "0")
    if column.sql_type in (*_TEXTS, *_BLOBS, "SET"):
        return ColumnDefault("string")
    if column.sql_type == "ENUM":
        return ColumnDefault("string", column.members[0])
    if column.sql_type in FixedBinary.__members__:
        return ColumnDefault("bytes", value=bytes(fixed_length(FixedBinary[column.sql_type])))
    return None


def _text(default: ColumnDefault) -> str:
    """Return the characters of a string or number."""
    if default.kind == "bytes":
        raise NotKnownError
    return default.text


def _integer(column: ColumnDefinition, default: ColumnDefault, kind: pa.DataType) -> Any:
    value = int.from_bytes(default.value, "big")
    if default.kind != "bytes":
        if _INTEGER.fullmatch(default.text) is None:  # the server rounds others
            raise NotKnownError
        value = int(default.text)
    if column.sql_type == "YEAR" and value != 0 and not 1901 <= value <= 2155:
        raise NotKnownError  # two digits
    if pa.types.is_string(kind):
        return str(value)
    return value


def _decimal(column: ColumnDefinition, default: ColumnDefault, kind: pa.DataType) -> Any:
    scale = column.arguments[1] if len(column.arguments) > 1 else 0
    value = Decimal(_text(default))
    if value.adjusted() > _MAX_DIGITS:
        raise NotKnownError
    if value.as_tuple().exponent < -scale:  # type: ignore[operator]  # of a number, an int
        raise NotKnownError  # the server rounds it
    return f"{value:.{scale}f}" if pa.types.is_string(kind) else value


def _double(column: ColumnDefinition, default: ColumnDefault, _kind: pa.DataType) -> Any:
    if column.arguments:
        raise NotKnownError  # FLOAT(7, 4) rounds
    return float(_text(default))


def _characters(column: ColumnDefinition, default: ColumnDefault, _kind: pa.DataType) -> Any:
    text = _text(default)
    if default.kind == "number" and _INTEGER.fullmatch(text) is None:
        raise NotKnownError
    text.encode()  # not if its character set was not understood
    return text.rstrip(" ") if column.sql_type == "CHAR" else text


def _bytes(_column: ColumnDefinition, default: ColumnDefault, _kind: pa.DataType) -> Any:
    if default.kind == "bytes":
        return default.value
    return _text(default).encode("ascii")


def _fixed(column: ColumnDefinition, default: ColumnDefault, kind: pa.DataType) -> Any:
    """Return a UUID or an address, which the server prints in one way."""
    of = FixedBinary[column.sql_type]
    value = default.value if default.kind == "bytes" else fixed_bytes(_text(default), of)
    if len(value) != fixed_length(of):
        raise NotKnownError
    return value if pa.types.is_binary(kind) else fixed_text(value, of)


def _member(column: ColumnDefinition, default: ColumnDefault, _kind: pa.DataType) -> Any:
    """Return a member as the definition spells it; collations ignore case."""
    wanted = _text(default).rstrip(" ")
    if default.kind != "string" or not wanted.isascii():
        raise NotKnownError
    members = [member for member in column.members if member.lower() == wanted.lower()]
    if len(members) != 1:
        raise NotKnownError
    return members[0]


def _members(column: ColumnDefinition, default: ColumnDefault, _kind: pa.DataType) -> Any:
    text = _text(default)
    wanted = text.split(",") if text else []
    if default.kind != "string" or not set(wanted) <= set(column.members):
        raise NotKnownError
    return ",".join(member for member in column.members if member in wanted)


def _bit(column: ColumnDefinition, default: ColumnDefault, kind: pa.DataType) -> Any:
    value = _integer(column, default, pa.int64())
    if pa.types.is_binary(kind):
        num_bits = column.arguments[0] if column.arguments else 1
        return value.to_bytes((num_bits + 7) // 8, "big")
    return value


def _date(_column: ColumnDefinition, default: ColumnDefault, _kind: pa.DataType) -> Any:
    match = _DATE.fullmatch(_text(default))
    if match is None:
        raise NotKnownError
    year, month, day = map(int, match.groups())
    return date(year, month, day)


def _micros(column: ColumnDefinition, digits: str | None) -> int:
    """Return a fraction in microseconds."""
    fsp = column.arguments[0] if column.arguments else 0
    digits = (digits or "").rstrip("0")
    if len(digits) > fsp:
        raise NotKnownError  # the server rounds it, or not: TIME_TRUNCATE_FRACTIONAL
    return int(digits.ljust(6, "0"))


def _datetime(column: ColumnDefinition, default: ColumnDefault, kind: pa.DataType) -> Any:
    text = _text(default)
    match = _DATETIME.fullmatch(text if len(text) > 10 else f"{text} 00:00:00")
    if match is None or not pa.types.is_timestamp(kind):
        raise NotKnownError
    *parts, digits = match.groups()
    year, month, day, hour, minute, second = map(int, parts)
    return datetime(year, month, day, hour, minute, second, _micros(column, digits))


def _time(column: ColumnDefinition, default: ColumnDefault, kind: pa.DataType) -> Any:
    match = _TIME.fullmatch(_text(default))
    if match is None or not (pa.types.is_duration(kind) or pa.types.is_int64(kind)):
        raise NotKnownError
    sign, hours, minutes, seconds, digits = match.groups()
    if int(minutes) > 59 or int(seconds) > 59 or int(hours) > 838:
        raise NotKnownError
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    micros = whole * 1_000_000 + _micros(column, digits)
    micros = -micros if sign else micros
    return timedelta(microseconds=micros) if pa.types.is_duration(kind) else micros


# By type. Not TIMESTAMP, whose literals are of the session's time zone. JSON is text in MariaDB,
# and has no literals in MySQL.
_READERS: Final[
    MappingProxyType[str, Callable[[ColumnDefinition, ColumnDefault, pa.DataType], Any]]
] = MappingProxyType(
    dict.fromkeys(_INTEGERS, _integer)
    | dict.fromkeys((*_TEXTS, "JSON"), _characters)
    | dict.fromkeys(_BLOBS, _bytes)
    | dict.fromkeys(FixedBinary.__members__, _fixed)
    | {"DECIMAL": _decimal, "FLOAT": _double, "DOUBLE": _double}
    | {"ENUM": _member, "SET": _members, "BIT": _bit}
    | {"DATE": _date, "DATETIME": _datetime, "TIME": _time}
)
