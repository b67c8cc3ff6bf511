"""Follows events from one to the next, each checked as `splits.event_chains` has it, compiled."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.crc32 import crc32
from pyspark_adapter.kernels.jit import kernel
from pyspark_adapter.kernels.layout import MAY_LACK_POSITION, NO_EVENT
from pyspark_adapter.kernels.load import load_u1, load_u2, load_u4

_LEN_HEADER = 19
_ARTIFICIAL_OR_RELAY = 0x60


@kernel(f"int64(uint8[::1], {'int64, ' * 8}uint8[::1], uint8[::1], int64[::1])")
def follow(
    data,
    num_bytes,
    base_pos,
    end_pos,
    start,
    horizon,
    len_checksum,
    max_event_bytes,
    max_verified,
    kinds,
    marks,
    found,
):
    """Follow events as far as they are in the window, and return how many were looked at.

    Args:
        data: the window.
        num_bytes: how many of it are filled.
        base_pos: offset of the first in the file.
        end_pos: offset behind the last byte of the file.
        start: offset of the first event.
        horizon: offset at which to stop.
        len_checksum: bytes of the CRC32 at the end of each event: 4 or 0.
        max_event_bytes: of the options.
        max_verified: length of the largest event whose CRC32 is compared.
        kinds: (256,) for each type code NO_EVENT, HAS_POSITION or MAY_LACK_POSITION.
        marks: (num_bytes,) not 0 where an event was looked at before: it stops there. Changed.
        found: (n,) filled with the offsets of the events, and behind them where it stopped; -1
            there if the last is no event.
    """
    count = 0
    pos = start
    while count < found.size - 1 and pos < horizon:
        p = pos - base_pos
        if p < 0 or p + _LEN_HEADER > num_bytes or marks[p] != 0:
            break
        kind = kinds[load_u1(data, p + 4)]
        length = load_u4(data, p + 9)
        position = load_u4(data, p + 13)
        end = pos + length
        is_event = (
            kind != NO_EVENT
            and _LEN_HEADER + len_checksum <= length <= max_event_bytes
            and end <= end_pos
            and load_u2(data, p + 17) & _ARTIFICIAL_OR_RELAY == 0
            and (position == end & 0xFFFFFFFF or (position == 0 and kind == MAY_LACK_POSITION))
        )
        if is_event and len_checksum > 0 and length <= max_verified:
            last = p + length - len_checksum
            if p + length > num_bytes:
                break
            is_event = np.int64(crc32(data, p, last)) == load_u4(data, last)
        marks[p] = 1
        found[count] = pos
        count += 1
        if not is_event:
            pos = -1
            break
        pos = end
    found[count] = pos
    return count
