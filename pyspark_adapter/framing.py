"""Bytes of a log to frames: where events begin and end, and whether their checksums hold.

`iter_frames` does it one event at a time in Python, for the reference decoder, the events view and
the search for a table's first table map. The kernels' `scan` does the same for rows; the rules for
what is damaged, and the words for it, are those of this module for both.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyspark_adapter.errors import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    TruncatedEventError,
    UnsupportedError,
    located,
)
from pyspark_adapter.log_files import LogFile
from pyspark_adapter.options import BinlogOptions
from pyspark_adapter.schema import LEN_HEADER, EventType, FormatDescription, event_type_name
from pyspark_adapter.windows import WindowReader

try:  # as good and several times as fast
    from isal.isal_zlib import crc32 as _crc32
except ImportError:
    _crc32 = zlib.crc32

_HEADER = struct.Struct("<IBIIIH")
_IN_USE_FLAG = 0x01

# Bytes of the CRC32 that ends events.
LEN_CHECKSUM = 4

crc32: Callable[[bytes | bytearray | memoryview], int] = _crc32


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it was cut from the file.

    Attributes:
        start_pos: offset of the event in the file, in bytes.
        timestamp: seconds since 1970-01-01 UTC.
        type_code: of the event type.
        server_id: of the originating server.
        end_log_pos: as the header says, 32 bits.
        flags: of the header.
        event: all its bytes, from the header to the checksum.
        body_start, body_end: what of them is post-header and body.
    """

    start_pos: int
    timestamp: int
    type_code: int
    server_id: int
    end_log_pos: int
    flags: int
    event: bytes
    body_start: int
    body_end: int

    @property
    def body(self) -> bytes:
        """Post-header and body, without header and checksum."""
        return self.event[self.body_start : self.body_end]


def event_site(log_file: LogFile, start_pos: int, type_code: int | None = None) -> EventSite:
    """Return the place of an event."""
    name = "" if type_code is None else event_type_name(type_code)
    return EventSite(log_file.name, start_pos, name)


def parse_format_description(event: bytes, *, verify: bool) -> FormatDescription:
    """Read a format description event.

    Its checksum is that of the event with the in-use flag cleared: the server clears the flag when
    it closes the file and leaves the checksum as it is.

    Raises:
        ChecksumMismatchError, CorruptEventError, UnsupportedError: without a site.
    """
    description = FormatDescription.parse(event)
    if verify and description.has_own_checksum:
        closed = bytearray(event)
        closed[17] &= ~_IN_USE_FLAG
        check_crc32(closed)
    return description


def check_crc32(event: bytes | bytearray | memoryview) -> None:
    """Compare the CRC32 at the end of an event with its bytes.

    Raises:
        ChecksumMismatchError: without a site.
    """
    expected = int.from_bytes(event[-LEN_CHECKSUM:], "little")
    actual = crc32(memoryview(event)[:-LEN_CHECKSUM])
    if actual != expected:
        raise ChecksumMismatchError(
            f"expected CRC32 {expected:#010x} as logged, the bytes have {actual:#010x}",
            expected=expected,
            actual=actual,
        )


def reject_type(type_code: int) -> BinlogError | None:
    """Return the error for event types after which a log cannot be read on, else None."""
    if type_code == EventType.start_v3:
        return UnsupportedError(
            "binlog version 3 or older (MySQL 4.1 and older): expected version 4"
        )
    if type_code == EventType.start_encryption:
        return UnsupportedError(
            "the events from here on are encrypted (encrypt_binlog=ON, MariaDB 10.1.7 and later)"
            " and cannot be read without the key"
        )
    return None


def tail_error(reader: WindowReader, offset: int, max_event_bytes: int) -> BinlogError | None:
    """Return the error for bytes at `offset` of a window that are no whole event, or None.

    Zero bytes up to the end of the file are no error: file systems and storage snapshots leave
    them behind.
    """
    rest = reader.num_bytes - offset
    start_pos = reader.base_pos + offset
    log_file = reader.log_file
    if rest < LEN_HEADER:
        if reader.rest_is_zero(offset):
            return None
        return TruncatedEventError(
            f"the file ends inside an event header: expected {LEN_HEADER} bytes, found {rest}",
            site=event_site(log_file, start_pos),
            needed=LEN_HEADER,
            available=rest,
        )
    header = _HEADER.unpack_from(reader.data, offset)
    type_code, len_event = header[1], header[3]
    if not any(header) and reader.rest_is_zero(offset):
        return None
    site = event_site(log_file, start_pos, type_code)
    if len_event < LEN_HEADER:
        return CorruptEventError(
            f"expected an event length of at least {LEN_HEADER} bytes, found {len_event}", site=site
        )
    if len_event > max_event_bytes:
        return CorruptEventError(
            f"event of {len_event} bytes: expected at most {max_event_bytes}"
            " (option maxEventBytes)",
            site=site,
        )
    return TruncatedEventError(
        f"the file ends inside an event: expected {len_event} bytes, found {rest}",
        site=site,
        needed=len_event,
        available=rest,
    )


def read_more(reader: WindowReader, used: int, max_event_bytes: int) -> bool:
    """Move the window to the event at `used`, which it holds only in part.

    Returns:
        False at the end of the log.

    Raises:
        TruncatedEventError, CorruptEventError: if what is left is no whole event.
    """
    if reader.advance(used) or _has_event(reader, max_event_bytes):
        return True
    if reader.num_bytes == 0:
        return False
    if reader.num_bytes >= LEN_HEADER:
        len_event = _len_event(reader)
        while reader.num_bytes < len_event <= max_event_bytes and reader.grow(len_event):
            pass
        if _has_event(reader, max_event_bytes):
            return True
    error = tail_error(reader, 0, max_event_bytes)
    if error is None:
        return False
    raise error


def _len_event(reader: WindowReader) -> int:
    return int.from_bytes(reader.data[9:13], "little")


def _has_event(reader: WindowReader, max_event_bytes: int) -> bool:
    """Tell whether the window begins with a whole event."""
    if reader.num_bytes < LEN_HEADER:
        return False
    return LEN_HEADER <= _len_event(reader) <= min(reader.num_bytes, max_event_bytes)


class FrameReader:
    """Cuts a log into frames.

    Attributes:
        format_description: the one that governs the event given last.
    """

    def __init__(self, log_file: LogFile, options: BinlogOptions) -> None:
        self.log_file = log_file
        self._options = options
        self.format_description: FormatDescription | None = None

    def __iter__(self) -> Iterator[Frame]:
        """Yield each event of the file.

        Raises:
            BinlogError: with its site, at the first event that is damaged or cannot be read.
        """
        reader = WindowReader(self.log_file, self._options.window_bytes)
        try:
            offset = 0
            while True:
                frame = self._next(reader, offset)
                if frame is not None:
                    offset += len(frame.event)
                    yield frame
                elif read_more(reader, offset, self._options.max_event_bytes):
                    offset = 0
                else:
                    return
        finally:
            reader.close()

    def _next(self, reader: WindowReader, offset: int) -> Frame | None:
        """Return the event at an offset of the window; None if it is not all there, or damaged."""
        if offset + LEN_HEADER > reader.num_bytes:
            return None
        timestamp, type_code, server_id, len_event, end_log_pos, flags = _HEADER.unpack_from(
            reader.data, offset
        )
        end = offset + len_event
        if not LEN_HEADER <= len_event <= self._options.max_event_bytes or end > reader.num_bytes:
            return None
        event = bytes(reader.data[offset:end])
        start_pos = reader.base_pos + offset
        with located(event_site(self.log_file, start_pos, type_code)):
            len_header, len_checksum = self._lengths(event, type_code)
            if len_event < len_header + len_checksum:
                raise CorruptEventError(
                    f"expected an event length of at least {len_header + len_checksum} bytes,"
                    f" found {len_event}"
                )
            if type_code != EventType.format_description:  # whose own is verified already
                self._verify(event, len_checksum)
        return Frame(
            start_pos,
            timestamp,
            type_code,
            server_id,
            end_log_pos,
            flags,
            event,
            len_header,
            len_event - len_checksum,
        )

    def _lengths(self, event: bytes, type_code: int) -> tuple[int, int]:
        """Return the lengths of an event's header and its checksum; takes a format description."""
        if type_code == EventType.format_description:
            verify = self._options.verify_checksums
            self.format_description = parse_format_description(event, verify=verify)
            own = self.format_description.has_own_checksum
            return LEN_HEADER, LEN_CHECKSUM if own else 0
        if (error := reject_type(type_code)) is not None:
            raise error
        if self.format_description is None:
            raise CorruptEventError("expected a format description as the first event")
        len_checksum = self.format_description.len_checksum
        if type_code == EventType.rotate:
            return LEN_HEADER, len_checksum
        return self.format_description.len_header, len_checksum

    def _verify(self, event: bytes, len_checksum: int) -> None:
        if self._options.verify_checksums and len_checksum:
            check_crc32(event)


def open_transaction_error(log_file: LogFile, start_pos: int) -> TruncatedEventError:
    """Return the error for a log that ends inside a transaction, after rows of it."""
    return TruncatedEventError(
        "the file ends inside the transaction that begins here: expected its XID, COMMIT or"
        " ROLLBACK; its rows were not committed",
        site=event_site(log_file, start_pos),
        needed=LEN_HEADER,
        available=0,
    )


def hidden_rows_error(type_code: int) -> UnsupportedError | None:
    """Return the error for event types that may hold rows which cannot be seen yet, or None."""
    if type_code == EventType.transaction_payload:
        return UnsupportedError(
            "compressed transactions (binlog_transaction_compression=ON) are not read yet"
        )
    if type_code == EventType.partial_row_data:
        return UnsupportedError(
            "rows events in parts (MariaDB 12.3 and later, binlog_row_event_fragment_threshold)"
            " are not read yet"
        )
    return None
