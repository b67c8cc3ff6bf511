"""Decoded values next to those that the server selects, in the forms of `samples/expected`."""

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.truth.cells import time_micros
from tests.truth.replayed_rows import Cell, Row, find_row

Column = Mapping[str, str]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MEMBER = re.compile(r"'((?:[^']|'')*)'")


def data_type(column: Column) -> str:
    """Return the name of a column's SQL type, without length and attributes."""
    match = re.match(r"\w+", column["type"])
    assert match is not None
    return match[0]


def number_after(column: Column, default: int) -> int:
    """Return the number in the parentheses of a type."""
    match = re.search(r"\((\d+)\)", column["type"])
    return int(match[1]) if match else default


def find_selected(
    rows: Sequence[Row], columns: Sequence[Column], cells: Sequence[Cell | None]
) -> Row | None:
    """Return the decoded row that is the selected one, in the columns that its images have."""

    def is_same(number: int, value: Any, cell: Cell | None) -> bool:
        return same_as_selected(value, columns[number - 1], cell)

    return find_row(rows, cells, is_same)


def same_as_selected(value: Any, column: Column, cell: Cell | None) -> bool:
    """Return whether a decoded value is the one that the server selects."""
    wanted = None if cell is None else selected_value(column, cell, value)
    return type(value) is type(wanted) and bits_of(value) == bits_of(wanted)


def bits_of(value: Any) -> Any:
    """Return a form in which -0 and 0, and 1.50 and 1.5, differ."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, list):
        return [bits_of(element) for element in value]
    return value.as_tuple() if isinstance(value, Decimal) else value


def selected_value(column: Column, cell: Cell, decoded: Any) -> Any:
    """Return the server's value in the form that a decoded one has."""
    kind = data_type(column)
    if kind in INTEGER_BITS:
        return selected_integer(column, int(cell["text"]), decoded)
    if kind == "float":
        return struct.unpack("<f", struct.pack("<f", float(cell["double"])))[0]
    if kind == "double":
        return float(cell["double"])
    if kind == "decimal":
        return Decimal(cell["text"]) if isinstance(decoded, Decimal) else cell["text"]
    if kind in ("enum", "set", "bit"):
        if isinstance(decoded, str):
            return cell["text"]
        return type(decoded)(cell["number"]) if decoded is not None else cell["number"]
    if kind == "year":
        return int(cell["text"])
    if kind in TEMPORALS:
        return TEMPORALS[kind](cell["text"])
    if isinstance(decoded, dict):
        octets = bytes.fromhex(cell["hex"])
        return {"srid": int.from_bytes(octets[:4], "little"), "wkb": octets[4:]}
    if isinstance(decoded, list):
        octets = bytes.fromhex(cell["hex"])
        return list(struct.unpack(f"<{len(octets) // 4}f", octets))
    return selected_text(column, cell, decoded)


def selected_integer(column: Column, number: int, decoded: Any) -> Any:
    """Return an integer; one whose sign the log does not say is taken for signed."""
    bits = INTEGER_BITS[data_type(column)]
    if isinstance(decoded, Decimal):
        return Decimal(number)
    if isinstance(decoded, int) and decoded < 0 and "unsigned" in column["type"]:
        return number - (1 << bits) if number >= 1 << (bits - 1) else number
    return number


def selected_text(column: Column, cell: Cell, decoded: Any) -> str | bytes:
    """Return text, or the bytes of it where the log does not tell the character set."""
    if isinstance(decoded, str):
        return cell["text"]
    octets = bytes.fromhex(cell["hex"]) if "hex" in cell else cell["text"].encode()
    kind = data_type(column)
    if kind in ("binary", "uuid", "inet4", "inet6") and len(decoded or b"") < len(octets):
        # Where the log has no collation, BINARY is not known from CHAR, and not padded.
        return octets.rstrip(b"\0")
    return octets


def days(text: str) -> int | None:
    """Return days since 1970-01-01; None for a date that is in no calendar."""
    try:
        return date.fromisoformat(text).toordinal() - EPOCH.toordinal()
    except ValueError:
        return None


def micros(text: str) -> int | None:
    """Return microseconds since 1970-01-01; None for a date that is in no calendar."""
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None
    return (moment - EPOCH) // timedelta(microseconds=1)


INTEGER_BITS: Mapping[str, int] = {
    "tinyint": 8,
    "smallint": 16,
    "mediumint": 24,
    "int": 32,
    "bigint": 64,
}
TEMPORALS: Mapping[str, Callable[[str], int | None]] = {
    "date": days,
    "datetime": micros,
    "timestamp": micros,
    "time": time_micros,
}


def cell_of(value: Any, column: Column) -> dict[str, str]:
    """Return a decoded value in the forms of `samples/expected`."""
    kind = data_type(column)
    if kind == "year":
        return {"text": f"{value:04}"}
    if kind in ("float", "double"):
        return {"double": repr(value)}
    if kind == "date":
        return {"text": (EPOCH + timedelta(days=value)).date().isoformat()}
    if kind in ("datetime", "timestamp", "time"):
        return {"text": temporal_text(value, kind, number_after(column, 0))}
    if kind in ("enum", "set"):
        return {"number": str(member_number(value, column))}
    if kind == "bit":
        return {"number": str(value)}
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, dict):
        return {"hex": (value["srid"].to_bytes(4, "little") + value["wkb"]).hex()}
    if isinstance(value, list):
        return {"hex": struct.pack(f"<{len(value)}f", *value).hex()}
    return {
        "text": value
        if isinstance(value, str)
        else format(value, "f")
        if kind == "decimal"
        else str(value)
    }


def temporal_text(value: int, kind: str, fsp: int) -> str:
    """Return microseconds as the server prints them."""
    if kind == "time":
        seconds, fraction = divmod(abs(value), 1_000_000)
        text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        text = ("-" if value < 0 else "") + text
    else:
        moment = EPOCH + timedelta(microseconds=value)
        text, fraction = moment.strftime("%Y-%m-%d %H:%M:%S").rjust(19, "0"), moment.microsecond
    return f"{text}.{fraction:06}"[: len(text) + 1 + fsp] if fsp else text


def member_number(value: Any, column: Column) -> int:
    """Return the number of an ENUM's member, or the bits of a SET."""
    if not isinstance(value, str):
        return int(value)
    members = [found.replace("''", "'") for found in MEMBER.findall(column["type"])]
    if data_type(column) == "enum":
        return member_place(value, members) + 1
    return sum(1 << member_place(name, members) for name in value.split(",")) if value else 0


def member_place(name: str, members: Sequence[str]) -> int:
    """Return the place of a member; the server describes those beyond the BMP as `?`."""
    if name not in members and max(name, default="") > "\uffff":
        name = "?"
    return members.index(name)
