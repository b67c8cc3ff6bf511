"""The CRC32 at the end of events."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from pyspark_adapter.errors import ChecksumMismatchError
from pyspark_adapter.format.header import IN_USE, LEN_CHECKSUM, OFS_FLAGS
from pyspark_adapter.format.schema import FormatDescription

try:  # the same results, several times as fast
    from isal.isal_zlib import crc32 as _crc32
except ImportError:
    _crc32 = zlib.crc32

crc32: Callable[[bytes | bytearray | memoryview], int] = _crc32


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


def parse_format_description(event: bytes, *, verify: bool) -> FormatDescription:
    """Parse a format description event and verify its checksum.

    The checksum is that of the event with the in-use flag cleared: the server clears the flag when
    it closes the file and leaves the checksum as it is.

    Raises:
        ChecksumMismatchError, CorruptEventError, UnsupportedError: without a site.
    """
    description = FormatDescription.parse(event)
    if verify and description.has_own_checksum:
        closed = bytearray(event)
        closed[OFS_FLAGS] &= ~IN_USE
        check_crc32(closed)
    return description
