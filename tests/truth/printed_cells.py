"""Values as the official tools print them, next to those that the server selects.

Printed values are compared with what `samples/expected` keeps of the server's SELECT, type by
type. Both come from outside the project, so a difference is a fault of the parser of the text, of
the sample or of a tool. The tools print less than they read: FLOAT and VECTOR with six digits,
integers without their sign, text without its character set.
"""

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tests.truth.replayed_rows import Cell, Row, find_row
from tests.truth.selected_values import cell_of, data_type, days
from tests.truth.tool_text import Flavor, RowImage, decode_tool_string

TEXTS = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext"})
Comparison = Callable[[bytes, Cell, Flavor], bool]


def is_replayable(images: Iterable[RowImage]) -> bool:
    """Return whether the images are whole; differences of JSON documents are not."""
    return all(
        image.is_complete
        and not any(value.startswith((b"JSON_", b"@")) for value in image.values.values())
        for image in images
    )


def same_integer(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare with either reading of an integer, `-1 (255)`."""
    readings = [int(reading) for reading in printed.decode().rstrip(")").split(" (")]
    return int(cell["text"]) in readings


def same_year(printed: bytes, cell: Cell, flavor: Flavor) -> bool:
    """Compare a year; the tools print 0000 as 1900."""
    return same_integer(printed, cell, flavor) or (printed, cell["text"]) == (b"1900", "0000")


def same_decimal(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare a decimal number, its digits after the point included."""
    return Decimal(printed.decode()).as_tuple() == Decimal(cell["text"]).as_tuple()


def same_float(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare the six digits that the tools print of a FLOAT."""
    return printed.decode() == f"{float(cell['double']):g}"


def same_double(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare the bits of a double; so -0 is not 0."""
    return struct.pack("<d", float(printed)) == struct.pack("<d", float(cell["double"]))


def same_bit(printed: bytes, cell: Cell, _: Flavor) -> bool:
    return int(printed[2:-1], 2) == int(cell["number"])


def same_set(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare a SET, which is printed with the lowest byte first."""
    digits = printed[2:-1]
    octets = bytes(int(digits[at : at + 8], 2) for at in range(0, len(digits), 8))
    return int.from_bytes(octets, "little") == int(cell["number"])


def same_enum(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare the number of an ENUM's member."""
    return int(printed) == int(cell["number"])


def same_date(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare a date, which is printed with colons."""
    return printed.decode() == f"'{cell['text'].replace('-', ':')}'"


def same_quoted(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare a value that both print alike, quotes apart."""
    return printed.decode() == f"'{cell['text']}'"


def same_timestamp(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare seconds since 1970 with the same moment in UTC; a zero date is 0."""
    moment, _dot, fraction = cell["text"].partition(".")
    seconds = 0
    if not moment.startswith("0000"):
        seconds = int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp())
    return printed.decode() == str(seconds) + (f".{fraction}" if fraction else "")


def same_bytes(printed: bytes, cell: Cell, flavor: Flavor) -> bool:
    """Compare text or bytes in the column's own character set."""
    value = decode_tool_string(printed, flavor)
    if "hex" in cell:
        return value == bytes.fromhex(cell["hex"])
    return value.decode() == cell["text"]


def same_padded(printed: bytes, cell: Cell, flavor: Flavor) -> bool:
    """Compare bytes of a fixed length, which are logged without zeros at their end."""
    value = decode_tool_string(printed, flavor)
    return value.rstrip(b"\0") == bytes.fromhex(cell["hex"]).rstrip(b"\0")


def same_json(printed: bytes, cell: Cell, flavor: Flavor) -> bool:
    """Compare a document; one that is a string is printed without its own quotes."""
    value = decode_tool_string(printed, flavor).decode()
    return value == cell["text"] or value == json.loads(cell["text"])


def same_vector(printed: bytes, cell: Cell, _: Flavor) -> bool:
    """Compare the six digits that mysqlbinlog prints of a vector's elements."""
    octets = bytes.fromhex(cell["hex"])
    elements = struct.unpack(f"<{len(octets) // 4}f", octets)
    return printed.decode() == "[" + ",".join(f"{element:.5e}" for element in elements) + "]"


SAME_BY_DATA_TYPE: Mapping[str, Comparison] = {
    **dict.fromkeys(("tinyint", "smallint", "mediumint", "int", "bigint"), same_integer),
    "decimal": same_decimal,
    "float": same_float,
    "double": same_double,
    "bit": same_bit,
    "set": same_set,
    "enum": same_enum,
    "year": same_year,
    "date": same_date,
    **dict.fromkeys(("datetime", "time"), same_quoted),
    "timestamp": same_timestamp,
    **dict.fromkeys(("char", "varchar", "varbinary"), same_bytes),
    **dict.fromkeys(("tinytext", "text", "mediumtext", "longtext"), same_bytes),
    **dict.fromkeys(("tinyblob", "blob", "mediumblob", "longblob"), same_bytes),
    **dict.fromkeys(("geometry", "point"), same_bytes),
    **dict.fromkeys(("binary", "uuid", "inet4", "inet6"), same_padded),
    "json": same_json,
    "vector": same_vector,
}


def same_value(
    printed: bytes, printed_type: str, column: Mapping[str, Any], cell: Cell | None, flavor: Flavor
) -> bool:
    """Return whether a printed value is what the server selects."""
    if cell is None or printed == b"NULL":
        return cell is None and printed == b"NULL"
    if " COMPRESSED " in printed_type:
        return True  # the tool prints what is stored, not the value
    kind = data_type(column)
    if kind == "vector" and flavor is Flavor.MARIADB:
        return same_bytes(printed, cell, flavor)
    return SAME_BY_DATA_TYPE[kind](printed, cell, flavor)


def find_printed(
    rows: Sequence[Row],
    columns: Sequence[Mapping[str, str]],
    cells: Sequence[Cell | None],
    images: Sequence[RowImage],
) -> Row | None:
    """Return the printed row that is the selected one, in the columns that its images have.

    Args:
        rows: what replay left of the table.
        columns: the table's columns as `samples/expected` describes them.
        cells: the selected row.
        images: of the table, for the types that they print.
    """
    types = {number: text for image in images for number, text in image.types.items()}

    def is_same(number: int, printed: bytes, cell: Cell | None) -> bool:
        return same_value(printed, types[number], columns[number - 1], cell, images[0].flavor)

    return find_row(rows, cells, is_same)


def bytes_selected(value: Any, rows: list[list[Any]], number: int) -> set[bytes]:
    """Return what the server selects as the bytes of a text, in the column's character set."""
    cells = [row[number - 1] for row in rows]
    return {bytes.fromhex(c["hex"]) for c in cells if c and c.get("text") == value and "hex" in c}


def same_as_printed(
    value: Any, printed: RowImage, number: int, column: Mapping[str, str], selected: set[bytes]
) -> bool:
    """Return whether a decoded value is the one that the tool prints."""
    text = printed.values[number]
    if text.startswith((b"JSON_", b"@")):  # differences, or none: the rows that are left show it
        return value is not None
    if value is None or text == b"NULL":
        return value is None and (text == b"NULL" or is_impossible_date(text))
    if "COMPRESSED" in column["type"] and not isinstance(value, int):
        data = value.encode() if isinstance(value, str) else value
        return inflated(printed.decode_string(number)) == data
    if isinstance(value, str) and data_type(column) in TEXTS:
        # The tool prints the bytes in the column's own character set.
        known = {value.encode(), latin1_bytes(value), *selected}
        if column["name"].startswith("utf16"):  # a value that another has taken the place of
            known |= {value.encode("utf-16-be"), value.encode("utf-16-le")}
        return printed.decode_string(number) in known
    if value == "" and text == b"0" and data_type(column) == "enum":
        return True  # the error value, also where a member is the empty text
    if isinstance(value, bytes) and printed.flavor is Flavor.MARIADB:
        return value.rstrip(b"\0") == printed.decode_string(number).rstrip(b"\0")
    return SAME_BY_DATA_TYPE[data_type(column)](text, cell_of(value, column), printed.flavor)


def inflated(printed: bytes) -> bytes:
    """Return the value of a compressed column, whose bytes the tool prints as they are logged."""
    if printed[:1] in (b"", b"\0"):
        return printed[1:]
    len_length, is_raw = printed[0] & 7, printed[0] & 8
    return zlib.decompress(printed[1 + len_length :], -15 if is_raw else 15)


def is_impossible_date(printed: bytes) -> bool:
    """Return whether a tool's date is one that is given as null."""
    text = printed.decode().strip("'")
    if re.fullmatch(r"0(\.0+)?", text):
        return True  # a TIMESTAMP
    day = text[:10].replace(":", "-")
    return re.fullmatch(r"\d{4}-\d\d-\d\d", day) is not None and days(day) is None


def latin1_bytes(text: str) -> bytes:
    """Return text in the server's latin1, which is cp1252 with no byte left out."""
    if text.isascii():
        return text.encode("ascii")
    return b"".join(
        letter.encode("cp1252", "ignore") or letter.encode("latin-1", "ignore") for letter in text
    )
