"""Errors for rows that cannot be read, by the status that a kernel returns."""

from __future__ import annotations

from typing import Final

from pyspark_adapter.errors import BinlogError, CorruptEventError, EventSite, UnsupportedError
from pyspark_adapter.events.table_map import Column, TableMap, subject_of
from pyspark_adapter.kernels.layout import RowStatus as Status

_CORRUPT: Final = {
    Status.BAD_NULL_BITMAP: "expected another row, but the event ends inside its null bitmap",
    Status.BAD_VALUE_LENGTH: "the value reaches beyond the end of the event",
    Status.BAD_TEXT: "the text is not valid in the column's character set",
    Status.BAD_DECIMAL: "a group of digits is greater than its number of digits allows",
    Status.BAD_JSON: "the JSON document is not valid",
    Status.BAD_DATE: "a zero or impossible date",
    Status.BAD_TIME: "month, hour, minute, second or fraction is out of range",
    Status.BAD_MEMBER: "the value has no member",
    Status.BAD_BITS: "the value has more bits than the column",
    Status.BAD_VALUE_OPTIONS: "expected value options 0 or 1 of a partial update, and their bits",
    Status.BAD_GEOMETRY: "expected an SRID and a WKB of 9 bytes and more, or nothing",
    Status.BAD_VECTOR: "expected floats of four bytes each",
    Status.BAD_FIXED: "the value has more bytes than its type",
    Status.BAD_COMPRESSED: "the compressed value does not inflate to its stated length",
}
# What lets values pass that are as the server logged them.
_PASSED_BY: Final = {
    Status.BAD_TEXT: "option invalidText=REPLACE puts U+FFFD in its place,"
    " option invalidText=BINARY gives bytes",
    Status.BAD_DATE: "option zeroDateTimeBehavior=CONVERT_TO_NULL reads such dates as null",
}
_VERSION_0: Final = (
    "rows of version 0 (MySQL 5.1.0 to 5.1.17) are not read: their table maps lack what the lengths"
    " of values depend on"
)
TOO_LARGE: Final = "more than 2 GiB of text in one batch"
SMALLER_BATCHES: Final = "use a lower option batchBytes"
_UNSUPPORTED: Final = {
    Status.BAD_WIDTH: "the width of its values is not logged, so that no later column can be found",
    Status.BAD_METHOD: "the value is compressed in another way than by zlib",
    Status.BAD_EVENT_TYPE: "rows of this event type are not read yet",
    Status.BAD_SIZE: TOO_LARGE,
}


def row_error(
    status: Status,
    table_map: TableMap,
    column: Column | None,
    site: EventSite,
    *,
    offset: int,
    is_decompressed: bool = False,
) -> BinlogError:
    """Return the error for a row that cannot be decoded.

    Args:
        status: of the row.
        column: that the status is about; None if it is about the row as a whole.
        site: of the rows event.
        offset: of the bytes in the file, or in the decompressed transaction or event.
        is_decompressed: whether it is one in decompressed bytes.
    """
    subject = f"table {table_map.table}" if column is None else subject_of(table_map, column)
    if status == Status.BAD_COLUMN_COUNT:
        return CorruptEventError(
            f"{subject}: the rows event has another number of columns than its table map", site=site
        )
    if status == Status.BAD_EVENT_TYPE and site.event_type.endswith("_V0_EVENT"):
        return UnsupportedError(f"{subject}: {_VERSION_0}", site=site)
    if status in _UNSUPPORTED:
        advice = SMALLER_BATCHES if status == Status.BAD_SIZE else None
        return UnsupportedError(f"{subject}: {_UNSUPPORTED[status]}", site=site, advice=advice)
    where = f"at byte {offset}{' of the decompressed bytes' if is_decompressed else ''}"
    message = f"{subject}: {_CORRUPT[status]}, {where}"
    return CorruptEventError(message, site=site, advice=_PASSED_BY.get(status))


def document_error(
    table_map: TableMap, column: Column | None, site: EventSite, error: BinlogError
) -> BinlogError:
    """Return an error about a document with the site and the column."""
    subject = f"table {table_map.table}" if column is None else subject_of(table_map, column)
    return type(error)(f"{subject}: {error.message}", site=site, advice=error.advice)
