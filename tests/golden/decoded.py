"""Decoded row images, and their values beside those of the server and of its tools.

A value is compared with the forms that `samples/expected` keeps of it, and, written in those
forms, with what the tools print.
"""

import json
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import pyarrow as pa

from pyspark_adapter import TableName
from tests.support.outcome import ALL_METADATA
from tests.support.sample_reads import typed_rows

Column = Mapping[str, str]
Cell = Mapping[str, str]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MEMBER = re.compile(r"'((?:[^']|'')*)'")


@dataclass(frozen=True)
class DecodedImage:
    """One row image as it was decoded.

    Attributes:
        values: by column number, from 1; a column not in the image is absent. Dates are days,
            dates with times and times are microseconds.
        changed: numbers of absent columns of which the image has differences.
    """

    change_type: str
    start_pos: int
    gtid: str | None
    values: dict[int, Any]
    changed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class DecodedTable:
    """The images of a table with the fields of its columns."""

    fields: tuple[pa.Field, ...]
    images: tuple[DecodedImage, ...]


METADATA = ("_change_type", "_start_pos", "_gtid", "_absent_columns", "_json_diff")


@cache
def read_table(sample: str, name: str, engine: str) -> DecodedTable:
    """Return the row images of a table, `database.table`, in the order of the sample's log."""
    outcome = typed_rows(sample, TableName(*name.split(".", 1)), engine)
    assert outcome.error is None, outcome.error
    assert outcome.rows is not None
    fields = tuple(outcome.rows.schema)[len(ALL_METADATA) :]
    columns = [outcome.rows.column(name) for name in METADATA]
    columns += outcome.rows.columns[len(ALL_METADATA) :]
    cells_by_column = [plain_numbers(column).to_pylist() for column in columns]
    images = []
    for change_type, start_pos, gtid, absent, differences, *cells in zip(
        *cells_by_column, strict=True
    ):
        values = {
            number: cell
            for number, (field, cell) in enumerate(zip(fields, cells, strict=True), start=1)
            if field.name not in absent
        }
        assert len(values) + len(absent) == len(fields)
        changed = frozenset(
            number
            for number, field in enumerate(fields, start=1)
            if field.name in absent and field.name in json.loads(differences or "{}")
        )
        images.append(DecodedImage(change_type, start_pos, gtid, values, changed))
    return DecodedTable(fields, tuple(images))


def plain_numbers(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return dates and times as the numbers that they are in Arrow."""
    if pa.types.is_date32(column.type):
        return column.cast(pa.int32())
    if pa.types.is_timestamp(column.type) or pa.types.is_duration(column.type):
        assert column.type.unit == "us"
        return column.cast(pa.int64())
    return column


def replay(images: Iterable[DecodedImage]) -> list[dict[int, Any]]:
    """Return the rows that changes leave.

    Raises:
        LookupError: a row is changed that is not there.
    """
    rows: list[dict[int, Any]] = []
    changed: dict[int, Any] = {}
    for image in images:
        if image.change_type == "insert":
            rows.append(dict(image.values))
        elif image.change_type == "update_postimage":
            row = changed | image.values
            rows.append({number: row[number] for number in row if number not in image.changed})
        else:
            changed = take_row(rows, image)
    return rows


def take_row(rows: list[dict[int, Any]], image: DecodedImage) -> dict[int, Any]:
    """Remove and return the row of an image before; columns that either lacks do not count."""
    for place, row in enumerate(rows):
        if all(row.get(number, value) == value for number, value in image.values.items()):
            return rows.pop(place)
    raise LookupError(f"{image.change_type} at {image.start_pos}: no row like {image.values}")


def find_row(
    rows: Sequence[dict[int, Any]], columns: Sequence[Column], cells: Sequence[Cell | None]
) -> dict[int, Any] | None:
    """Return the row that is the selected one, in the columns that its images have."""
    # Rows whose images had few columns agree with many: the fullest are taken first.
    for row in sorted(rows, key=len, reverse=True):
        if all(
            same_as_selected(row[number], column, cell)
            for number, (column, cell) in enumerate(zip(columns, cells, strict=True), start=1)
            if number in row
        ):
            return row
    return None


def data_type(column: Column) -> str:
    """Return the SQL type of a column without what stands behind its name."""
    match = re.match(r"\w+", column["type"])
    assert match is not None
    return match[0]


def number_after(column: Column, default: int) -> int:
    """Return the number in the parentheses of a type."""
    match = re.search(r"\((\d+)\)", column["type"])
    return int(match[1]) if match else default


def same_as_selected(value: Any, column: Column, cell: Cell | None) -> bool:
    """Return whether a decoded value is the one that the server selects."""
    wanted = None if cell is None else selected_value(column, cell, value)
    return type(value) is type(wanted) and bits_of(value) == bits_of(wanted)


def bits_of(value: Any) -> Any:
    """Return what tells -0 from 0, and 1.50 from 1.5."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, list):
        return [bits_of(element) for element in value]
    return value.as_tuple() if isinstance(value, Decimal) else value


def selected_value(column: Column, cell: Cell, decoded: Any) -> Any:
    """Return the server's value in the form that a decoded one has.

    Args:
        column: the column as `samples/expected` describes it.
        cell: the server's value.
        decoded: ours, whose Python type tells how much the log says of the column.
    """
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


def time_micros(text: str) -> int:
    """Return the microseconds of a TIME."""
    hours, minutes, seconds = text.lstrip("-").split(":")
    whole, _, fraction = seconds.partition(".")
    number = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
    number = number * 1_000_000 + int(fraction.ljust(6, "0"))
    return -number if text.startswith("-") else number


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
