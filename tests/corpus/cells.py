"""Cells of rows as the tools print them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.corpus.json_tree import (
    difference_documents,
    difference_text,
    is_same,
    load_text,
    matches_text,
)
from tests.truth.tool_text import Flavor, decode_tool_string

INTEGER_BITS = {"tiny": 8, "short": 16, "int24": 24, "long": 32, "longlong": 64}
UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def integer_text(cell: Any) -> str:
    """Return an integer: both readings if the highest bit is set."""
    value = cell.value
    if cell.column_type_name == "longlong":
        number = value.unsigned_value if value.is_unsigned else value.signed_value.value
    else:
        number = value.value
    span = 1 << INTEGER_BITS[cell.column_type_name]
    number %= span
    return f"{number - span} ({number})" if number >= span // 2 else str(number)


def timestamp_text(text: str) -> str:
    """Return a time in UTC as seconds, with the same fraction."""
    whole, point, fraction = text.partition(".")
    if whole == "0000-00-00 00:00:00":
        return "0" + point + fraction
    moment = datetime.fromisoformat(whole).replace(tzinfo=UTC)
    return f"{int((moment - UNIX_EPOCH).total_seconds())}{point}{fraction}"


def set_text(value: Any) -> str:
    """Return the bits of a SET, the lowest byte first."""
    number = int(value.value)
    data = number.to_bytes(value.len_value, "little")
    return "b'" + "".join(f"{byte:08b}" for byte in data) + "'"


def bit_text(value: Any, max_length: int) -> str:
    num_bits = max_length // 256 * 8 + max_length % 256
    return f"b'{value.value:0{num_bits}b}'"


def compressed_bytes(value: Any) -> bytes:
    """Return a compressed column as mariadb-binlog prints it: as it is stored.

    Raises:
        ValueError: The column cannot be inflated to the length that it claims.
    """
    if value.len_value.value == 0:
        return b""
    content = value.value
    stored = bytes(value._raw_value)
    if content.algorithm.name == "none":
        return stored
    data = zlib.decompress(content.data, -15 if content.is_raw_deflate else 15)
    if len(data) != content.len_data.value:
        raise ValueError(f"inflated to {len(data)} bytes")
    return stored


def vector_text(value: Any) -> str:
    """Return a VECTOR, six digits for each element."""
    return "[" + ",".join(f"{element:.5e}" for element in value.elements) + "]"


@dataclass(frozen=True)
class Cell:
    """A cell of the schema, with the facts of its column."""

    value: Any
    max_length: int
    column_type_name: str
    column_number: int


def read_cell(cell: Any) -> Cell:
    """Return a cell of the schema that has a value."""
    column = cell._parent._parent.column_layouts[cell.column_index]
    return Cell(cell.value, column.max_length, column.column_type.name, cell.column_index + 1)


TEXTS: dict[str, Callable[[Cell], str]] = {
    **dict.fromkeys(INTEGER_BITS, integer_text),
    "float": lambda cell: f"{cell.value.value:g}",
    "double": lambda cell: f"{cell.value.value:.20g}",
    "year": lambda cell: str(cell.value.value or 1900),
    "date": lambda cell: "'" + cell.value.value.replace("-", ":") + "'",
    "newdate": lambda cell: "'" + cell.value.value.replace("-", ":") + "'",
    "time": lambda cell: f"'{cell.value.value}'",
    "time2": lambda cell: f"'{cell.value.value}'",
    "datetime": lambda cell: f"'{cell.value.value}'",
    "datetime2": lambda cell: f"'{cell.value.value}'",
    "timestamp": lambda cell: timestamp_text(cell.value.value),
    "timestamp2": lambda cell: timestamp_text(cell.value.value),
    "newdecimal": lambda cell: cell.value.value,
    "enum": lambda cell: str(cell.value.value),
    "set": lambda cell: set_text(cell.value),
    "vector": lambda cell: vector_text(cell.value),
    "bit": lambda cell: bit_text(cell.value, cell.max_length),
}
STRINGS = frozenset(
    ("varchar", "var_string", "string", "blob", "tiny_blob", "medium_blob", "long_blob")
)
COMPRESSED = frozenset(("blob_compressed", "varchar_compressed"))
# A document among printed differences: a number, a literal, a text, or any other as a cast.
DOCUMENT = re.compile(
    r", ((?:CAST\('(?:[^'\\]|\\.)*' AS JSON\))|(?:'(?!\$)(?:[^'\\]|\\.)*')|[-\w.+]+)\)"
)
LINE_BREAK = re.compile(r"\n###\s*")


def printed_document(text: str) -> Any:
    """Return one document among printed differences."""
    if text.startswith("CAST("):
        quoted = text.removeprefix("CAST(").removesuffix(" AS JSON)")
        return load_text(decode_tool_string(quoted.encode(), Flavor.MYSQL).decode())
    if text.startswith("'"):
        return decode_tool_string(text.encode(), Flavor.MYSQL).decode()
    return load_text(text)


def compare_differences(printed: str, cell: Cell) -> tuple[object, object]:
    """Return both readings of a list of differences."""
    line = LINE_BREAK.sub(" ", printed).replace("( ", "(")
    documents = [printed_document(text) for text in DOCUMENT.findall(line)]
    parsed = difference_documents(cell.value.differences)
    shape = DOCUMENT.sub(", ?)", line)
    same = len(documents) == len(parsed) and all(map(is_same, documents, parsed))
    return (shape, True), (difference_text(cell.column_number, cell.value.differences), same)


def compare_json(printed: bytes, cell: Cell) -> tuple[object, object]:
    """Return both readings of a JSON document."""
    if cell.value.is_difference:
        return compare_differences(printed.decode(), cell)
    text = decode_tool_string(printed, Flavor.MYSQL).decode()
    if cell.value.len_value.value == 0:
        return text, "null"
    return text, text if matches_text(text, cell.value.document) else cell.value.document


def readings(printed: bytes, cell: Cell, flavor: Flavor) -> tuple[object, object]:
    """Return the tool's and the schema's reading of a value, equal if they agree."""
    name = cell.column_type_name
    if name in STRINGS:
        return decode_tool_string(printed, flavor), bytes(cell.value.value)
    if name in COMPRESSED:
        return decode_tool_string(printed, flavor), compressed_bytes(cell.value)
    if name == "json":
        return compare_json(printed, cell)
    if name == "geometry":
        return decode_tool_string(printed, flavor), bytes(cell.value._raw_value)
    return printed.decode(), TEXTS[name](cell)
