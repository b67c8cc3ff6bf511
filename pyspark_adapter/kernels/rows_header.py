"""What comes before the rows of a rows event."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import EXTRA_INFO, TWO_BITMAPS, UPDATE
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import load_u1, load_u2, load_u3, load_u8

# Types of extra row info.
_NDB, _PARTITION = 0, 1


@helper
def read_packed_int(data, position, end):
    """Return (value, position after it) of a packed integer; position -1 if it is not valid."""
    if position >= end:
        return np.int64(0), np.int64(-1)
    first = load_u1(data, position)
    if first < 251:
        return first, position + 1
    if first == 252 and position + 3 <= end:
        return load_u2(data, position + 1), position + 3
    if first == 253 and position + 4 <= end:
        return load_u3(data, position + 1), position + 4
    if first == 254 and position + 9 <= end:
        return load_u8(data, position + 1), position + 9
    return np.int64(0), np.int64(-1)


@helper
def extra_info_fits(data, start, end, traits):
    """Return whether the extra row info in data[start:end] is whole.

    That of MySQL Cluster has its own length; that of partitions has 2 bytes, or 4 for updates; that
    of an unknown type reaches to the end.
    """
    p = start
    while p < end:
        kind = load_u1(data, p)
        p += 1
        if kind == _NDB:
            if p >= end or load_u1(data, p) < 2:
                return False
            p += load_u1(data, p)
        elif kind == _PARTITION:
            p += 4 if traits & UPDATE != 0 else 2
        else:
            return True
    return p == end


@inlined
def read_rows_header(data, body, end, traits, len_id, events, e):
    """Find bitmap and rows of a rows event; return its flags, or -1 if it lacks fields."""
    p = body + len_id + 2
    if p > end:
        return np.int64(-1)
    flags = load_u2(data, p - 2)
    if traits & EXTRA_INFO != 0:
        if p + 2 > end:
            return np.int64(-1)
        len_extra = load_u2(data, p)
        if len_extra < 2 or p + len_extra > end:
            return np.int64(-1)
        if not extra_info_fits(data, p + 2, p + len_extra, traits):
            return np.int64(-1)
        p += len_extra
    num_columns, p = read_packed_int(data, p, end)
    if p < 0 or num_columns < 0 or num_columns > lay.MAX_COLUMNS:
        return np.int64(-1)
    len_bitmap = (num_columns + 7) >> 3
    events[lay.Event.NUM_COLUMNS, e] = num_columns
    events[lay.Event.BITMAP, e] = p
    p += len_bitmap
    if traits & TWO_BITMAPS != 0:
        p += len_bitmap
    if p > end:
        return np.int64(-1)
    events[lay.Event.ROWS, e] = p
    return flags
