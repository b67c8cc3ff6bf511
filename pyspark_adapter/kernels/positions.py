"""Checks that events end where their headers say that they do.

The same function runs as it is, in Python, and compiled (`compiled_plain`).
"""

from __future__ import annotations

from typing import Any

from pyspark_adapter.format.header import OFS_END_LOG_POS, OFS_LEN_EVENT


def find_displaced(data: Any, base_pos: int, start: int, stop: int, max_event_bytes: int) -> int:
    """Return the offset of the first event that is too long or names another end; -1 if none does.

    Such an event is damaged, or was written for another log. An end of 0 is not checked: MariaDB
    11.4 and later write it within transactions. Ends are compared in their lower 32 bits.

    Args:
        data: bytes of the file that hold all headers from `start` to `stop`.
        base_pos: offset of the first of them in the file.
        start: offset of the first event.
        stop: offset of the event to stop at; the headers lead there.
        max_event_bytes: length of the longest event.
    """
    pos = start
    while pos < stop:
        p = pos - base_pos
        # By products, as in `kernels.transaction_bounds`.
        q = p + OFS_LEN_EVENT
        length = data[q] + data[q + 1] * (1 << 8) + data[q + 2] * (1 << 16)
        length += data[q + 3] * (1 << 24)
        q = p + OFS_END_LOG_POS
        named = data[q] + data[q + 1] * (1 << 8) + data[q + 2] * (1 << 16)
        named += data[q + 3] * (1 << 24)
        end = pos + length
        if length > max_event_bytes or (named != 0 and named != end & 0xFFFFFFFF):
            return pos
        pos = end
    return -1
