"""Table maps by their bytes.

A log describes a table again in each statement, and most reads look at a log twice: for the columns
of its tables, and for its rows. To parse a table map takes a millisecond or more. Most of that is
for columns, which many tables may have in common: a table for each customer, or for each month.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pyspark_adapter.events.table_map import TableMap, table_of
from pyspark_adapter.format.parse_cache import ParseCache
from pyspark_adapter.format.schema import EventParser, FormatDescription, parsing

# By content, of 512 KiB in all. A column has two bytes at least; parsed, it takes some 200 bytes.
_KNOWN: Final[ParseCache[tuple[FormatDescription, bytes], TableMap]] = ParseCache(1 << 19)

# By all but the names, which the columns do not depend on: flags, types and what follows them.
_SHAPES: Final[ParseCache[tuple[FormatDescription, int, bytes, bytes], TableMap]] = ParseCache(
    1 << 19
)


def table_map_content(event: bytes, description: FormatDescription) -> bytes:
    """Return what a table map says of its table: its body after the table id."""
    start = description.len_header + description.len_table_id
    return event[start : len(event) - description.len_checksum]


def find_table_map(event: bytes, parser: EventParser, parsed: Any = None) -> TableMap:
    """Return the table map of an event, which is only parsed if its content is not known.

    Args:
        event: from header to checksum.
        parser: of the log; it keeps nothing of the event.
        parsed: the event, if it is parsed already.

    Raises:
        CorruptEventError: if its fields contradict each other.
    """
    description = parser.format_description

    def parse() -> TableMap:
        body = parser.parse_table_map(event) if parsed is None else parsed.body
        with parsing("table map"):
            table = table_of(body)
        types, details = body.column_types, body.details
        shape = _SHAPES.find(
            (description.rules, body.flags, types, details),
            len(types) + len(details),
            lambda: TableMap.from_event(body, is_mariadb=description.is_mariadb),
        )
        return replace(shape, table=table)

    content = table_map_content(event, description)
    return _KNOWN.find((description.rules, content), len(content), parse)
