"""Packed integers: of one, three, four or nine bytes.

Source: `net_field_length_ll` of the server's `mysys/pack.cc`.
"""

from __future__ import annotations

from typing import Final

# Bytes after the first one, if the first one is not the value itself.
_LONG: Final = {0xFC: 2, 0xFD: 3, 0xFE: 8}


def read_packed_int(data: bytes | memoryview, offset: int) -> tuple[int, int] | None:
    """Return (value, offset after it); None if the data is cut or its first byte invalid.

    >>> read_packed_int(bytes.fromhex("fc0001"), 0)
    (256, 3)
    """
    if offset >= len(data):
        return None
    first = data[offset]
    if first < 0xFB:
        return first, offset + 1
    end = offset + 1 + _LONG.get(first, len(data))
    if end > len(data):
        return None
    return int.from_bytes(data[offset + 1 : end], "little"), end
