"""Table maps, and the types of columns as the comments behind the values show them."""

from __future__ import annotations

from typing import Any

from tests.corpus.logs import Pair
from tests.corpus.session import Session
from tests.corpus.tally import Tally
from tests.truth.tool_text import Flavor

GENERATED_KEY = b"# has_generated_invisible_primary_key="
INTEGERS = {
    "tiny": "TINYINT",
    "short": "SHORTINT",
    "int24": "MEDIUMINT",
    "long": "INT",
    "longlong": "LONGINT",
}
PLAIN = {
    **INTEGERS,
    "float": "FLOAT",
    "double": "DOUBLE",
    "year": "YEAR",
    "date": "DATE",
    "newdate": "DATE",
    "time": "TIME",
    "datetime": "DATETIME",
    "timestamp": "TIMESTAMP",
    "json": "JSON",
    "geometry": "GEOMETRY",
}
FRACTIONAL = {"time2": "TIME", "datetime2": "DATETIME", "timestamp2": "TIMESTAMP"}
BLOBS = {1: "TINYBLOB/TINYTEXT", 2: "BLOB/TEXT", 3: "MEDIUMBLOB/MEDIUMTEXT", 4: "LONGBLOB/LONGTEXT"}


def compare_table_map(pair: Pair, tally: Tally, _session: Session, flavor: Flavor) -> None:
    body = pair.event.body
    parsed = f"`{body.database}`.`{body.table}` mapped to number {body.table_id}"
    if flavor is Flavor.MARIADB and body.head.flag_bits.has_triggers:
        parsed += " (has triggers)"
    tally.check("table_map", pair.place, pair.section.detail.strip(), parsed)
    for line in pair.section.lines:
        if line.startswith(GENERATED_KEY):
            printed = line.removeprefix(GENERATED_KEY) == b"1"
            tally.check(
                "table_map.generated key",
                pair.place,
                printed,
                body.head.flag_bits.has_generated_invisible_primary_key,
            )


def vector_text(table_map: Any, column: Any) -> str:
    """Return the type of a VECTOR with its greatest number of elements."""
    before = table_map.column_layouts[: column.column_index]
    place = sum(other.column_type.name == "vector" for other in before)
    for field in table_map.optional_fields:
        if getattr(field.field_type, "name", "") == "vector_dimensionality":
            return f"VECTOR({field.data.items[place].value})"
    return "VECTOR"


def metadata_of(column: Any, name: str) -> int:
    """Return the metadata as the tools show it, in the order of their bytes."""
    metadata: int = getattr(column, "metadata", 0) if column.has_metadata else 0
    if name == "newdecimal":
        return metadata % 256 * 256 + metadata // 256
    return metadata


def type_text(column: Any, name: str) -> str:
    """Return the type of a column as the tools name it."""
    metadata = getattr(column, "metadata", 0)
    if name in PLAIN:
        return PLAIN[name]
    if name in FRACTIONAL:
        return f"{FRACTIONAL[name]}({metadata})"
    if name == "newdecimal":
        return f"DECIMAL({metadata % 256},{metadata // 256})"
    if name == "bit":
        return f"BIT({metadata // 256 * 8 + metadata % 256})"
    if name in ("enum", "set"):
        width = column.max_length
        plural = "byte" if name == "enum" and width == 1 else "bytes"
        return f"{name.upper()}({width} {plural})"
    if name in ("varchar", "var_string"):
        return f"VARSTRING({metadata})"
    if name == "string":
        return f"STRING({column.max_length})"
    if name == "varchar_compressed":
        return f"VARSTRING({metadata}) COMPRESSED"
    if name == "blob_compressed":
        return f"{BLOBS[metadata]} COMPRESSED"
    return BLOBS[metadata]


def column_comment(table_map: Any, index: int, *, is_null: bool) -> str:
    """Return the comment behind a value."""
    column = table_map.column_layouts[index]
    name = column.column_type.name
    bit = table_map.nullable_bitmap[index // 8] >> index % 8 & 1
    text = vector_text(table_map, column) if name == "vector" else type_text(column, name)
    return f"{text} meta={metadata_of(column, name)} nullable={bit} is_null={int(is_null)}"
