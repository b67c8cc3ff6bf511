"""MariaDB's UUID, INET4 and INET6 as the server prints them; the twin of `values.fixed_binary`."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import COLON, HEX, POINT, put_integer
from pyspark_adapter.kernels.gtid_text import put_uuid
from pyspark_adapter.kernels.jit import helper, inlined, kernel
from pyspark_adapter.kernels.layout import ColumnField, FixedBinary, RowStatus
from pyspark_adapter.kernels.load import load_u1, put_u1
from pyspark_adapter.kernels.row_images import value_length
from pyspark_adapter.kernels.texts import first_position, put_offset

_UUID_LENGTH = np.int64(36)


@helper
def _number(data, p, length, first, count):
    """Return some big-endian bytes of a value, which is logged without the zeros at its end."""
    value = np.int64(0)
    for k in range(first, first + count):
        value = value << 8 | (load_u1(data, p + k) if k < length else np.int64(0))
    return value


@helper
def _put_inet4(address, out, o):
    for shift in range(24, -8, -8):
        o = put_integer((address >> shift) & 0xFF, out, o)
        if shift > 0:
            o = put_u1(out, o, POINT)
    return o


@inlined
def _group(first, second, k):
    return ((first if k < 4 else second) >> (48 - 16 * (k & 3))) & 0xFFFF


@helper
def _put_inet6(first, second, out, o):
    """Write an address, given as two big-endian halves; the first longest run of zeros is `::`."""
    gap, gap_length, run = np.int64(-1), np.int64(0), np.int64(0)
    for k in range(8):
        run = run + 1 if _group(first, second, k) == 0 else np.int64(0)
        if run > gap_length:
            gap, gap_length = np.int64(k - run + 1), run
    is_mapped = gap_length == 5 and _group(first, second, 5) == 0xFFFF
    has_points = gap == 0 and (gap_length == 6 or is_mapped)
    for k in range(8):
        is_in_gap = gap <= k < gap + gap_length
        if k == gap or (k == 7 and is_in_gap) or (k > 0 and not is_in_gap):
            o = put_u1(out, o, COLON)
        if is_in_gap:
            continue
        if has_points and k == 6:
            return _put_inet4(second & 0xFFFFFFFF, out, o)
        group = _group(first, second, k)
        for shift in range(12, -4, -4):
            if shift == 0 or group >> shift != 0:
                o = put_u1(out, o, HEX[(group >> shift) & 15])
    return o


@helper
def put_fixed_binary(data, p, length, kind, out, o):
    """Write a value of `length` bytes at p and return the position after it; -1 if it is longer."""
    if kind == FixedBinary.INET4:
        return np.int64(-1) if length > 4 else _put_inet4(_number(data, p, length, 0, 4), out, o)
    if length > 16:
        return np.int64(-1)
    first, second = _number(data, p, length, 0, 8), _number(data, p, length, 8, 8)
    if kind == FixedBinary.INET6:
        return _put_inet6(first, second, out, o)
    put_uuid(first, second, out, o)
    return o + _UUID_LENGTH


@kernel(
    "int64(uint8[::1], int32[::1], int64, int64, int64[::1], int32[::1], uint8[::1], int64[::1])"
)
def fill_fixed_binaries(data, pos, first, last, row, offsets, out, where):
    """Write values as text; arguments as for `texts.fill_texts`."""
    width, kind = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    o = first_position(row, offsets, first)
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
        if p >= 0:
            length = value_length(data, p, -width)
            o = put_fixed_binary(data, p + width, length, kind, out, o)
            if o < 0:
                return np.int64(RowStatus.BAD_FIXED)
        if put_offset(o, row, offsets, i) < 0:
            return np.int64(RowStatus.BAD_SIZE)
    return np.int64(0)
