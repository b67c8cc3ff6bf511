"""MariaDB's compressed events to the events that they were before (`log_bin_compress`).

Only the rows, or the text of a statement, are compressed; all before them is as in the event
without compression, whose layout `plain_type` names.

Source: `binlog_buf_uncompress`, `query_event_uncompress` and `row_log_event_uncompress` of the
server's `sql/log_event.cc`, MariaDB 10.2.3 and later.
"""

from __future__ import annotations

import zlib
from typing import Any

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.events.event_errors import LARGER_EVENTS
from pyspark_adapter.format.event_types import EXTRA_INFO, TRAITS, TWO_BITMAPS
from pyspark_adapter.format.header import type_code_at, with_len_event
from pyspark_adapter.format.schema import EventType, FormatDescription
from pyspark_adapter.kernels import layout as lay

_zlib: Any
try:  # as good and faster
    from isal import isal_zlib as _zlib
except ImportError:
    _zlib = zlib


def inflate_event(event: bytes, description: FormatDescription, max_event_bytes: int) -> bytes:
    """Return a compressed event with its rows or text inflated, and without a checksum.

    Its header keeps the type of the compressed event, and has the new length.

    Args:
        event: of one of COMPRESSED_EVENTS, header and checksum included.
        max_event_bytes: most bytes that the event may have then.

    Raises:
        CorruptEventError: if fields reach beyond the event, the data is damaged or of another
            length than it says. Without a site.
        UnsupportedError: if the compression is not known. Without a site.
    """
    end = len(event) - description.len_checksum
    start = _record_start(event, end, description)
    if start < 0 or start >= end:
        raise CorruptEventError(f"the fields of the event reach beyond its {end} bytes")
    algorithm, len_length = event[start] >> 4 & 7, event[start] & 7
    if not event[start] & 0x80 or not 1 <= len_length <= 4 or start + 1 + len_length > end:
        raise CorruptEventError(
            f"expected the header of compressed data, found {event[start : start + 1].hex()}"
        )
    if algorithm != 0:
        raise UnsupportedError(f"compression {algorithm} of an event: expected 0 (zlib)")
    data_start = start + 1 + len_length
    length = int.from_bytes(event[start + 1 : data_start], "big")
    total = start + length
    if total > max_event_bytes:
        raise CorruptEventError(
            f"event of {total} bytes when inflated: expected at most {max_event_bytes} (option"
            " maxEventBytes)",
            advice=LARGER_EVENTS,
        )
    data = _inflate(event[data_start:end], length)
    return with_len_event(event[:start], total) + data


def _inflate(data: bytes, length: int) -> bytes:
    """Return the inflated data, of the length that is declared."""
    inflater = _zlib.decompressobj()
    try:
        inflated: bytes = inflater.decompress(data, length + 1)
    except _zlib.error as error:
        raise CorruptEventError(f"the compressed data is damaged: {error}") from error
    if len(inflated) != length:
        size = "more" if len(inflated) > length else len(inflated)
        raise CorruptEventError(f"expected {length} bytes when inflated, found {size}")
    if not inflater.eof:
        raise CorruptEventError("the compressed data is damaged: its end is missing")
    return inflated


def _record_start(event: bytes, end: int, description: FormatDescription) -> int:
    """Return where the compressed part begins; -1 if the fields before it do not fit."""
    body = description.len_header
    type_code = type_code_at(event)
    if type_code == EventType.query_compressed:
        if body + 13 > end:
            return -1
        len_status = int.from_bytes(event[body + 11 : body + 13], "little")
        return body + 13 + len_status + event[body + 8] + 1
    p = body + description.len_table_id + 2
    if TRAITS[type_code] & EXTRA_INFO:
        len_extra = int.from_bytes(event[p : p + 2], "little")
        if len_extra < 2:
            return -1
        p += len_extra
    if p + 3 > end:
        return -1
    num_columns = event[p]
    p += 1
    if num_columns == 0xFC:
        num_columns = int.from_bytes(event[p : p + 2], "little")
        p += 2
    elif num_columns > 0xFA:
        return -1
    if num_columns > lay.MAX_COLUMNS:
        return -1
    num_bitmaps = 2 if TRAITS[type_code] & TWO_BITMAPS else 1
    return p + num_bitmaps * ((num_columns + 7) // 8)
