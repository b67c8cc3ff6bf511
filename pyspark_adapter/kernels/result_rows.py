"""The rows of a SELECT as a server sends them: where their values are, and a column of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from pyspark_adapter.kernels.layout import LEN_PACKET_HEADER, MAX_PAYLOAD
from pyspark_adapter.kernels.load import copy_bytes, load_u1, load_u2, load_u3, load_u8

_NULL, _TWO, _THREE, _EIGHT, _ERROR = 0xFB, 0xFC, 0xFD, 0xFE, 0xFF
_LEN_END: Final = 9
_POSITION, _ROWS, _SEQUENCE, _STOP = 0, 1, 2, 3
_FULL, _MORE, _LARGE, _END, _FAILED, _INVALID = 0, 1, 2, 3, 4, 5


def locate_values(data, end, positions, lengths, state):
    """Find the values of the rows from a packet on, up to one that is not whole or is no row.

    Args:
        data: packets.
        end: of those that have come.
        positions: (columns, capacity) of each value, filled from row state[ROWS] on.
        lengths: (columns, capacity) likewise; -1 for NULL.
        state: of `Located`, changed.
    """
    p, row, sequence = state[_POSITION], state[_ROWS], state[_SEQUENCE]
    num_columns, capacity = positions.shape
    stop = np.int64(_FULL)
    while row < capacity:
        stop = np.int64(_MORE)
        if end - p < LEN_PACKET_HEADER + 1:
            break
        length = load_u3(data, p)
        if length == MAX_PAYLOAD:
            stop = np.int64(_LARGE)
            break
        if length == 0 or load_u1(data, p + 3) != sequence:
            stop = np.int64(_INVALID)
            break
        q = p + LEN_PACKET_HEADER
        last = q + length
        if last > end:
            break
        first = load_u1(data, q)
        if first == _ERROR or (first == _EIGHT and length < _LEN_END):
            stop = np.int64(_FAILED) if first == _ERROR else np.int64(_END)
            break
        for k in range(num_columns):
            if q >= last:
                q = last + 1
                break
            size = load_u1(data, q)
            q += 1
            if size == _NULL:
                size = np.int64(-1)
            elif size > _NULL:
                width = 2 if size == _TWO else 3 if size == _THREE else 8
                if size == _ERROR or q + width > last:
                    q = last + 1
                    break
                if width == 2:
                    size = load_u2(data, q)
                else:
                    size = load_u3(data, q) if width == 3 else load_u8(data, q)
                q += width
                if size < 0 or size > last - q:
                    q = last + 1
                    break
            positions[k, row] = q
            lengths[k, row] = size
            q += max(size, np.int64(0))
        if q != last:
            stop = np.int64(_INVALID)
            break
        p = last
        row += 1
        sequence = (sequence + 1) & 0xFF
        stop = np.int64(_FULL)
    state[_POSITION], state[_ROWS], state[_SEQUENCE], state[_STOP] = p, row, sequence, stop


def gather_values(data, positions, lengths, offsets, is_valid, out):
    """Copy the values of a column one after the other.

    Args:
        data: the packets.
        positions, lengths: (n,) as `locate_values` found them.
        offsets: (n + 1,) Arrow offsets, filled.
        is_valid: (n,) 0 for NULL, filled.
        out: their bytes, filled; with LEN_COPY spare ones.
    """
    o = np.int64(0)
    offsets[0] = 0
    for i in range(positions.size):
        length = np.int64(lengths[i])
        is_valid[i] = length >= 0
        if length > 0:
            copy_bytes(data, np.int64(positions[i]), length, out, o)
            o += length
        offsets[i + 1] = o
