"""One form for values of a server's SELECT, of Arrow and of rows as JSON: equal means the same.

A cell is None for NULL and for dates of no calendar, an `int` of microseconds for a TIME, and text
for all else: numbers with all digits, dates as ISO 8601 has them, bytes in hexadecimal capitals.
Geometries are bytes: four of SRID, lowest first, then the shape. Vectors are bytes as well.
"""

from __future__ import annotations

import struct
from base64 import b64decode
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

Cell = object

GEOMETRIES = frozenset(
    {
        *("geometry", "point", "linestring", "polygon", "multipoint", "multilinestring"),
        *("multipolygon", "geomcollection", "geometrycollection"),
    }
)
INTEGERS = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint", "bit", "year"})


def is_binary(data_type: str, charset: str | None = None) -> bool:
    """Return whether values of a column are bytes, and SELECT shows them in hexadecimal."""
    is_bytes = "binary" in data_type or "blob" in data_type or charset == "binary"
    return is_bytes or data_type in GEOMETRIES or data_type == "vector"


def select_form(data_type: str, charset: str | None) -> str:
    """Return SQL that selects a column, `{}`, as text for `selected_cell`."""
    if is_binary(data_type, charset):
        return "HEX({})"
    if data_type in ("float", "double"):
        return "{} * 1e0"  # all digits
    return "CAST({} AS UNSIGNED)" if data_type == "bit" else "{}"


def selected_cell(data_type: str, text: str | None) -> Cell:
    """Return the cell of a value that was selected with `select_form`."""
    if text is None:
        return None
    if data_type in ("float", "double"):
        return repr(float(text))
    if data_type == "time":
        return time_micros(text)
    if data_type in ("date", "datetime", "timestamp"):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:  # in no calendar
            return None
        return arrow_cell(moment.date() if data_type == "date" else moment)
    return str(int(text)) if data_type in INTEGERS else text


def arrow_cell(value: Any) -> Cell:
    """Return the cell of a value as `to_pylist` gives it."""
    if isinstance(value, dict):
        value = value["srid"].to_bytes(4, "little") + value["wkb"]
    if isinstance(value, list):
        value = struct.pack(f"<{len(value)}f", *value)
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ", "microseconds")
    if isinstance(value, date):
        return value.isoformat()
    return value


def json_cell(data_type: str, value: Any) -> Cell:
    """Return the cell of a value of a row as JSON; geometries and vectors are not supported."""
    if value is None:
        return None
    if is_binary(data_type):
        return arrow_cell(b64decode(value))
    return selected_cell(data_type, str(value))


def time_micros(text: str) -> int:
    """Return the microseconds of a TIME.

    >>> time_micros("-838:59:59.5")
    -3020399500000
    """
    hours, minutes, seconds = text.removeprefix("-").split(":")
    micros = (int(hours) * 60 + int(minutes)) * 60_000_000 + int(Decimal(seconds) * 10**6)
    return -micros if text.startswith("-") else micros
