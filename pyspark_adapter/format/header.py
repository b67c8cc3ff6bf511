"""The header of an event, field by field, and its checksum, for Python and for kernels.

Integers are little-endian. `len_event` counts header, body and checksum. `end_log_pos` is the
offset after the event, modulo 2^32. Logs of MySQL 3.23 have headers of 13 bytes, up to `len_event`.

Source: `Log_event_header` of the server's `libs/mysql/binlog/event/binlog_event.h`, MySQL 9.7.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final

from pyspark_adapter.errors import ChecksumMismatchError

try:  # the same results, several times as fast
    from isal.isal_zlib import crc32 as _crc32
except ImportError:
    _crc32 = zlib.crc32

# What every log begins with.
MAGIC: Final = b"\xfebin"

LEN_HEADER: Final = 19
LEN_OLD_HEADER: Final = 13
# Bytes of the CRC32 at the end of an event.
LEN_CHECKSUM: Final = 4

OFS_TIMESTAMP: Final = 0
OFS_TYPE_CODE: Final = 4
OFS_SERVER_ID: Final = 5
OFS_LEN_EVENT: Final = 9
OFS_END_LOG_POS: Final = 13
OFS_FLAGS: Final = 17

# All fields, in this order.
HEADER: Final = struct.Struct("<IBIIIH")

# Flags.
IN_USE: Final = 0x01  # of a format description: the server writes to the log
ARTIFICIAL: Final = 0x20
RELAY_LOG: Final = 0x40
IGNORABLE: Final = 0x80

Bytes = bytes | bytearray | memoryview
crc32: Callable[[Bytes], int] = _crc32
_U2: Final = struct.Struct("<H")
_U4: Final = struct.Struct("<I")


def timestamp_at(data: Bytes, offset: int = 0) -> int:
    """Return the seconds since 1970-01-01 UTC of the event at an offset.

    This and the next functions raise `struct.error` if the header is not all there.
    """
    return int(_U4.unpack_from(data, offset + OFS_TIMESTAMP)[0])


def server_id_at(data: Bytes, offset: int = 0) -> int:
    """Return the id of the server that wrote the event at an offset."""
    return int(_U4.unpack_from(data, offset + OFS_SERVER_ID)[0])


def len_event_at(data: Bytes, offset: int = 0) -> int:
    """Return the length in bytes of the event at an offset."""
    return int(_U4.unpack_from(data, offset + OFS_LEN_EVENT)[0])


def flags_at(data: Bytes, offset: int = 0) -> int:
    """Return the flags of the event at an offset."""
    return int(_U2.unpack_from(data, offset + OFS_FLAGS)[0])


def type_code_at(data: Bytes, offset: int = 0) -> int:
    """Return the type code of the event at an offset; IndexError if it is not there."""
    return data[offset + OFS_TYPE_CODE]


def with_type_code(event: bytes, type_code: int) -> bytes:
    """Return an event with another type code."""
    return event[:OFS_TYPE_CODE] + bytes([type_code]) + event[OFS_TYPE_CODE + 1 :]


def with_len_event(event: bytes, len_event: int) -> bytes:
    """Return an event with another length in its header, modulo 2^32."""
    length = _U4.pack(len_event & 0xFFFFFFFF)
    return event[:OFS_LEN_EVENT] + length + event[OFS_LEN_EVENT + 4 :]


def check_crc32(event: Bytes) -> None:
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
