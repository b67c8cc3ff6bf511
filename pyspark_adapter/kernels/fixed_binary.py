"""MariaDB's UUID, INET4 and INET6 as the server prints them; the twin of `values.text_form`."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import COLON, HEX, POINT, put_integer
from pyspark_adapter.kernels.gtids import put_uuid
from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.layout import FixedBinary
from pyspark_adapter.kernels.load import load_u1, put_u1


@helper
def _number(data, p, length, first, count):
    """Return some big-endian bytes of a value, which is logged without the zeros at its end."""
    value = np.int64(0)
    for k in range(first, first + count):
        value = value << 8 | (load_u1(data, p + k) if k < length else np.int64(0))
    return value


@helper
def _put_inet4(address, out, o):
    for shift in range(24, 0, -8):
        o = put_u1(out, put_integer((address >> shift) & 0xFF, out, o), POINT)
    return put_integer(address & 0xFF, out, o)


@helper
def _put_inet6(data, p, length, out, o):
    """Write an address; the first longest run of groups of zeros is `::`."""
    gap, gap_length, run = np.int64(-1), np.int64(0), np.int64(0)
    for k in range(8):
        run = run + 1 if _number(data, p, length, 2 * k, 2) == 0 else np.int64(0)
        if run > gap_length:
            gap, gap_length = np.int64(k - run + 1), run
    is_mapped = gap_length == 5 and _number(data, p, length, 10, 2) == 0xFFFF
    has_points = gap == 0 and (gap_length == 6 or is_mapped)
    for k in range(8):
        is_in_gap = gap <= k < gap + gap_length
        if k == gap or (k > 0 and not is_in_gap):
            o = put_u1(out, o, COLON)
        if has_points and k == 6:
            return _put_inet4(_number(data, p, length, 12, 4), out, o)
        group = _number(data, p, length, 2 * k, 2)
        for shift in range(12, -4, -4):
            if not is_in_gap and (shift == 0 or group >> shift != 0):
                o = put_u1(out, o, HEX[(group >> shift) & 15])
    return put_u1(out, o, COLON) if gap + gap_length == 8 else o


@helper
def put_fixed_binary(data, p, length, kind, out, o):
    """Write a value of `length` bytes at p and return the position after it; -1 if it is longer."""
    if length > (4 if kind == FixedBinary.INET4 else 16):
        return np.int64(-1)
    if kind == FixedBinary.INET4:
        return _put_inet4(_number(data, p, length, 0, 4), out, o)
    if kind == FixedBinary.INET6:
        return _put_inet6(data, p, length, out, o)
    put_uuid(_number(data, p, length, 0, 8), _number(data, p, length, 8, 8), out, o)
    return o + 36
