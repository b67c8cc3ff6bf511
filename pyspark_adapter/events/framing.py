"""Where events begin and end, whether their checksums hold, and the words for what is damaged.

`frame_reader` goes by these rules one event at a time in Python, `rows.scanner` and
`expanded_reader` by the kernels.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pyspark_adapter.errors import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    TruncatedEventError,
    UnsupportedError,
)
from pyspark_adapter.events.compressed_events import plain_type
from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.schema import LEN_HEADER, EventType, FormatDescription, event_type_name

try:  # as good and several times as fast
    from isal.isal_zlib import crc32 as _crc32
except ImportError:
    _crc32 = zlib.crc32

HEADER: Final = struct.Struct("<IBIIIH")
_IN_USE_FLAG = 0x01
_IGNORABLE_FLAG = 0x80

# Bytes of the CRC32 that ends events.
LEN_CHECKSUM = 4

crc32: Callable[[bytes | bytearray | memoryview], int] = _crc32


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it was cut from the file, or from a compressed transaction.

    What MariaDB compressed is inflated: such a frame holds the event of `plain_type`.

    Attributes:
        start_pos: offset of the event in the file, in bytes; of an event within a compressed
            transaction that of its TRANSACTION_PAYLOAD event.
        timestamp: seconds since 1970-01-01 UTC.
        type_code: of the event type.
        server_id: of the originating server.
        end_log_pos: as the header says, 32 bits.
        flags: of the header.
        event: all its bytes, from the header to the checksum, as a log without compression would
            hold it; where there was no checksum, there are zeros for it.
        body_start, body_end: what of them is post-header and body.
        len_event: as the header in the log says, in bytes.
        inner_pos: offset in the decompressed bytes of the transaction; -1 outside of one.
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
    len_event: int
    inner_pos: int = -1

    @property
    def plain_type(self) -> int:
        """The type code of the same event without compression."""
        return plain_type(self.type_code)

    @property
    def is_decompressed(self) -> bool:
        """Whether the event does not stand in the file as it is here."""
        return self.inner_pos >= 0 or self.plain_type != self.type_code

    @property
    def first_byte(self) -> int:
        """Offset of the event in the bytes in which errors point at a value.

        These are the file, those of the compressed transaction, or those of the inflated event.
        """
        if self.inner_pos >= 0:
            return self.inner_pos
        return 0 if self.is_decompressed else self.start_pos

    @property
    def body(self) -> bytes:
        """Post-header and body, without header and checksum."""
        return self.event[self.body_start : self.body_end]


def event_site(
    log_file: LogFile, start_pos: int, type_code: int | None = None, inner_pos: int = -1
) -> EventSite:
    """Return the place of an event."""
    name = "" if type_code is None else event_type_name(type_code)
    return EventSite(log_file.name, start_pos, name, inner_pos)


def frame_site(log_file: LogFile, frame: Frame) -> EventSite:
    """Return the place of a frame."""
    return event_site(log_file, frame.start_pos, frame.type_code, frame.inner_pos)


def with_checksum_room(event: bytes, len_checksum: int) -> bytes:
    """Return an event that has no checksum with zeros for one, as the generated parser takes it."""
    if not len_checksum:
        return event
    length = (len(event) + len_checksum) & 0xFFFFFFFF
    return event[:9] + length.to_bytes(4, "little") + event[13:] + bytes(len_checksum)


# Events that a server never writes into a compressed transaction: they begin or end a log or a
# transaction, or hold events themselves.
NEVER_IN_PAYLOAD: Final = frozenset(
    {
        EventType.start_v3,
        EventType.stop,
        EventType.rotate,
        EventType.format_description,
        EventType.gtid,
        EventType.anonymous_gtid,
        EventType.previous_gtids,
        EventType.transaction_payload,
        EventType.gtid_tagged,
    }
)
_FIRST_OF_MARIADB: Final = 160


def inner_error(type_code: int, len_event: int, max_event_bytes: int) -> BinlogError | None:
    """Return the error for a header within a compressed transaction that cannot be, else None."""
    if len_event < LEN_HEADER:
        return CorruptEventError(
            f"expected an event length of at least {LEN_HEADER} bytes, found {len_event}"
        )
    if len_event > max_event_bytes:
        return _too_long(len_event, max_event_bytes)
    if type_code in NEVER_IN_PAYLOAD or type_code >= _FIRST_OF_MARIADB:
        return CorruptEventError("an event that cannot stand within a compressed transaction")
    return None


def inner_end_error(needed: int, found: int) -> CorruptEventError:
    """Return the error for a compressed transaction that ends inside an event or its header."""
    return CorruptEventError(
        f"the compressed transaction ends inside an event: expected {needed} bytes, found {found}"
    )


def _too_long(len_event: int, max_event_bytes: int) -> CorruptEventError:
    return CorruptEventError(
        f"event of {len_event} bytes: expected at most {max_event_bytes} (option maxEventBytes)"
    )


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


def reject_type(type_code: int, flags: bytes = b"") -> BinlogError | None:
    """Return the error for events after which a log cannot be read on, else None.

    Args:
        type_code: of the event.
        flags: of its header. A server that sends its encrypted log decrypts it, and says by the
            flag that the event which begins encryption is to be ignored.

    Source: `send_format_descriptor_event` of the server's `sql/sql_repl.cc`, MariaDB 11.8.
    """
    if type_code == EventType.start_v3:
        return UnsupportedError(
            "a log of MySQL 4.1 or older begins here, within one of binlog version 4"
        )
    is_ignorable = bool(flags) and flags[0] & _IGNORABLE_FLAG
    if type_code == EventType.start_encryption and not is_ignorable:
        return UnsupportedError(
            "the events from here on are encrypted (encrypt_binlog=ON, MariaDB 10.1.7 and later)"
            " and cannot be read without the key"
        )
    return None


def length_error(least: int, found: int) -> CorruptEventError:
    """Return the error for an event that is too short for its header and checksum."""
    return CorruptEventError(f"expected an event length of at least {least} bytes, found {found}")


def tail_error(
    reader: WindowReader, offset: int, max_event_bytes: int, len_header: int = LEN_HEADER
) -> BinlogError | None:
    """Return the error for bytes at `offset` of a window that are no whole event, or None.

    Zero bytes up to the end of the file are no error: file systems and storage snapshots leave
    them behind.
    """
    rest = reader.num_bytes - offset
    start_pos = reader.base_pos + offset
    log_file = reader.log_file
    is_part = reader.stop is not None
    if rest < len_header:
        if is_part:
            return split_error(log_file, start_pos, reader.base_pos + reader.num_bytes)
        if reader.rest_is_zero(offset):
            return None
        return TruncatedEventError(
            f"the file ends inside an event header: expected {len_header} bytes, found {rest}",
            site=event_site(log_file, start_pos),
            needed=len_header,
            available=rest,
        )
    header = reader.data[offset : offset + len_header]
    type_code, len_event = header[4], int.from_bytes(header[9:13], "little")
    if not is_part and not any(header) and reader.rest_is_zero(offset):
        return None
    site = event_site(log_file, start_pos, type_code)
    if len_event < len_header:
        error = length_error(len_header, len_event)
        error.site = site
        return error
    if len_event > max_event_bytes:
        error = _too_long(len_event, max_event_bytes)
        error.site = site
        return error
    if is_part:
        return split_error(log_file, start_pos, reader.base_pos + reader.num_bytes, type_code)
    return TruncatedEventError(
        f"the file ends inside an event: expected {len_event} bytes, found {rest}",
        site=site,
        needed=len_event,
        available=rest,
    )


def split_error(
    log_file: LogFile, start_pos: int, stop: int, type_code: int | None = None
) -> CorruptEventError:
    """Return the error for a part of a log that does not end where another begins.

    Args:
        log_file: the log.
        start_pos: of the event that goes on, or of the transaction.
        stop: where the next part begins.
        type_code: of the event, if it is one.
    """
    return CorruptEventError(
        f"the log was split at {stop}, where nothing ends that begins here: it is damaged, or holds"
        " events as values; expected option maxPartitionBytes of at least the size of the log",
        site=event_site(log_file, start_pos, type_code),
    )


def read_more(
    reader: WindowReader, used: int, max_event_bytes: int, len_header: int = LEN_HEADER
) -> bool:
    """Move the window to the event at `used`, which it holds only in part.

    Returns:
        False at the end of the log.

    Raises:
        TruncatedEventError, CorruptEventError: if what is left is no whole event.
    """
    if reader.advance(used) or _has_event(reader, max_event_bytes, len_header):
        return True
    if reader.num_bytes == 0:
        return False
    if reader.num_bytes >= len_header:
        len_event = _len_event(reader)
        while reader.num_bytes < len_event <= max_event_bytes and reader.grow(len_event):
            pass
        if _has_event(reader, max_event_bytes, len_header):
            return True
    error = tail_error(reader, 0, max_event_bytes, len_header)
    if error is None:
        return False
    raise error


def _len_event(reader: WindowReader) -> int:
    return int.from_bytes(reader.data[9:13], "little")


def _has_event(reader: WindowReader, max_event_bytes: int, len_header: int) -> bool:
    """Tell whether the window begins with a whole event."""
    if reader.num_bytes < len_header:
        return False
    return len_header <= _len_event(reader) <= min(reader.num_bytes, max_event_bytes)


def open_transaction_error(log_file: LogFile, start_pos: int) -> TruncatedEventError:
    """Return the error for a log that ends inside a transaction, after rows of it."""
    return TruncatedEventError(
        "the file ends inside the transaction that begins here: expected its XID, COMMIT or"
        " ROLLBACK; its rows were not committed",
        site=event_site(log_file, start_pos),
        needed=LEN_HEADER,
        available=0,
    )


def hidden_rows_error(
    type_code: int, description: FormatDescription | None
) -> UnsupportedError | None:
    """Return the error for events that may hold rows which cannot be seen yet, or None.

    Args:
        type_code: of the event.
        description: that governs it; of a format description itself.
    """
    if description is not None and description.has_old_type_codes:
        return UnsupportedError(
            f"server {description.server_version}: a development tree of MySQL 5.1 or 5.2, whose"
            " rows events have other numbers"
        )
    if type_code == EventType.partial_row_data:
        return UnsupportedError(
            "rows events in parts (MariaDB 12.3 and later, binlog_row_event_fragment_threshold)"
            " are not read yet"
        )
    return None
