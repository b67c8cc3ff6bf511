"""Checksums of large events: zlib and isal are faster there than a kernel."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark_adapter.errors import ChecksumMismatchError
from pyspark_adapter.events.checksums import check_crc32
from pyspark_adapter.format.header import len_event_at


def first_mismatch(
    data: bytes | bytearray, starts: Iterable[int]
) -> tuple[int, ChecksumMismatchError] | None:
    """Return the offset of the first event whose checksum is wrong, and the error without a site.

    Args:
        data: the window.
        starts: offsets of the events in it, each whole and with a checksum.
    """
    view = memoryview(data)
    for start in starts:
        try:
            check_crc32(view[start : start + len_event_at(data, start)])
        except ChecksumMismatchError as error:
            return start, error
    return None
