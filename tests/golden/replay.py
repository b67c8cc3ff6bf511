"""The rows that a log's printed changes leave in its tables, to compare with the server's own.

Printed values are compared with what `samples/expected` keeps of the server's SELECT, type by
type. Both come from outside the project, so a difference is a fault of the text's parser, of the
sample or of a tool.
"""

import json
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tests.golden.tool_text import ChangeType, Flavor, RowImage, decode_tool_string

Row = dict[int, bytes]
Cell = Mapping[str, str]
Comparison = Callable[[bytes, Cell, Flavor], bool]


def replay_images(images: Iterable[RowImage]) -> dict[str, list[Row]]:
    """Return the rows that are left of each `database.table`.

    Raises:
        LookupError: A row is changed that is not there.
    """
    tables: dict[str, list[Row]] = {}
    changed: Row = {}
    for image in images:
        rows = tables.setdefault(f"{image.database_name}.{image.table_name}", [])
        if image.change_type is ChangeType.INSERT:
            rows.append(dict(image.values))
        elif image.change_type is ChangeType.UPDATE_POSTIMAGE:
            rows.append(changed | image.values)
        else:
            changed = take_row(rows, image)
    return tables


def take_row(rows: list[Row], image: RowImage) -> Row:
    """Remove and return the row of an image before; columns that either lacks do not count."""
    for place, row in enumerate(rows):
        if all(row.get(number, value) == value for number, value in image.values.items()):
            return rows.pop(place)
    raise LookupError(f"{image.change_type} at {image.start_pos}: no row like {image.values}")


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
    """Compare a BIT."""
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
    """Compare a value that both print alike but for the quotes."""
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
    """Return whether a printed value is what the server selects.

    Args:
        printed: The value as the tool prints it.
        printed_type: The comment behind it.
        column: The column as `samples/expected` describes it.
        cell: The server's value, None for NULL.
        flavor: The tool.
    """
    if cell is None or printed == b"NULL":
        return cell is None and printed == b"NULL"
    if " COMPRESSED " in printed_type:
        return True  # the tool prints what is stored, not the value
    data_type = re.match(r"\w+", column["type"])
    if data_type is None:
        raise ValueError(f"column {column['name']} has no type")
    if data_type[0] == "vector" and flavor is Flavor.MARIADB:
        return same_bytes(printed, cell, flavor)
    return SAME_BY_DATA_TYPE[data_type[0]](printed, cell, flavor)


def find_row(
    rows: Sequence[Row],
    columns: Sequence[Mapping[str, Any]],
    cells: Sequence[Cell | None],
    images: Sequence[RowImage],
) -> Row | None:
    """Return the row that is the selected one, in the columns that its images have.

    Args:
        rows: What replaying left of the table.
        columns: The table's columns as `samples/expected` describes them.
        cells: The selected row.
        images: The images of the table, for the types they print.
    """
    types = {number: text for image in images for number, text in image.types.items()}
    # Rows whose images had few columns agree with many: the fullest are taken first.
    for row in sorted(rows, key=len, reverse=True):
        if all(
            same_value(row[number], types[number], column, cell, images[0].flavor)
            for number, (column, cell) in enumerate(zip(columns, cells, strict=True), start=1)
            if number in row
        ):
            return row
    return None
