"""Integers, bit fields, years and decimals into Arrow's fixed-width buffers.

Each `fill_` function writes values [first, last) of a column, whose row in the table of `fill` is
`row`, and returns 0, or a RowStatus with the index of the bad value in `where[0]`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.layout import ColumnField, RowStatus
from pyspark_adapter.kernels.load import (
    load_be,
    load_be4,
    load_le,
    load_u1,
    load_u2,
    load_u3,
    load_u4,
    load_u8,
)

# Bytes that hold a group of 0 to 9 decimal digits, and the first number with more digits.
GROUP_BYTES = np.array([0, 1, 1, 2, 2, 3, 3, 4, 4, 4], dtype=np.int64)
POWERS = np.array([10**i for i in range(10)], dtype=np.int64)

_LOW32 = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


@inlined
def fill_integers(data, pos, first, last, row, out):
    """Write little-endian integers; the second parameter is the sign bit, 0 for unsigned."""
    base = row[ColumnField.VALUES] // out.itemsize
    width, sign = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    if width == 4:
        for i in range(first, last):
            p = np.int64(pos[i])
            out[base + i] = (load_u4(data, p) ^ sign) - sign if p >= 0 else 0
    elif width == 8:
        for i in range(first, last):
            p = np.int64(pos[i])
            out[base + i] = load_u8(data, p) if p >= 0 else 0
    elif width == 2:
        for i in range(first, last):
            p = np.int64(pos[i])
            out[base + i] = (load_u2(data, p) ^ sign) - sign if p >= 0 else 0
    elif width == 1:
        for i in range(first, last):
            p = np.int64(pos[i])
            out[base + i] = (load_u1(data, p) ^ sign) - sign if p >= 0 else 0
    else:
        for i in range(first, last):
            p = np.int64(pos[i])
            out[base + i] = (load_u3(data, p) ^ sign) - sign if p >= 0 else 0


@inlined
def load_either(data, p, width, is_big_endian):
    """Return the bits of an integer of up to eight bytes, of either byte order."""
    return load_be(data, p, width) if is_big_endian else load_le(data, p, width)


@inlined
def fill_unsigned_limbs(data, pos, first, last, row, out):
    """Write unsigned integers of up to eight bytes as 128-bit decimals."""
    base = row[ColumnField.VALUES] >> 3
    width, is_big_endian = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + 2 * i] = load_either(data, p, width, is_big_endian) if p >= 0 else 0
        out[base + 2 * i + 1] = 0


@inlined
def fill_bits(data, pos, first, last, row, out, where):
    """Write BIT (big-endian) or SET (little-endian) values below 2^num_bits, at most 2^63."""
    base = row[ColumnField.VALUES] >> 3
    width, is_big_endian = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    num_bits = row[ColumnField.PARAM3]
    for i in range(first, last):
        p = np.int64(pos[i])
        value = load_either(data, p, width, is_big_endian) if p >= 0 else np.int64(0)
        if value >> num_bits != 0:
            where[0] = i
            return np.int64(RowStatus.BAD_BITS)
        out[base + i] = value
    return np.int64(0)


@inlined
def fill_years(data, pos, first, last, row, out):
    """Write YEAR values: 1901 to 2155, and 0."""
    base = row[ColumnField.VALUES] >> 2
    for i in range(first, last):
        p = np.int64(pos[i])
        raw = load_u1(data, p) if p >= 0 else np.int64(0)
        out[base + i] = raw + 1900 if raw > 0 else 0


@inlined
def decimal_group(data, p, digits, is_first, mask):
    """Return the value of a group of digits; at or above 10^digits if it is corrupt."""
    num_bytes = GROUP_BYTES[digits]
    raw = load_be(data, p, num_bytes)
    raw ^= mask & ((np.int64(1) << (8 * num_bytes)) - 1)
    if is_first:
        raw ^= np.int64(0x80) << (8 * (num_bytes - 1))
    return raw


@inlined
def multiply_add(high, low, factor, addend):
    """Return (high, low) * factor + addend on 128 bits; factor and addend below 2^32."""
    f = np.uint64(factor)
    a = (low & _LOW32) * f + np.uint64(addend)
    b = (low >> _32) * f + (a >> _32)
    return high * f + (b >> _32), (b << _32) | (a & _LOW32)


@inlined
def fill_decimals(data, pos, first, last, row, out, where):
    """Write decimals of up to 38 digits as 128-bit integers."""
    base = row[ColumnField.VALUES] >> 3
    precision, scale = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    whole = precision - scale
    lead = whole % 9
    tail = scale % 9
    full = whole // 9 + scale // 9
    lead_bytes = GROUP_BYTES[lead]
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
        if p < 0:
            out[base + 2 * i] = 0
            out[base + 2 * i + 1] = 0
            continue
        mask = np.int64(0) if load_u1(data, p) & 0x80 else np.int64(-1)
        is_first = np.int64(1)
        high, low = np.uint64(0), np.uint64(0)
        if lead > 0:
            group = decimal_group(data, p, lead, is_first, mask)
            if group >= POWERS[lead]:
                return np.int64(RowStatus.BAD_DECIMAL)
            low = np.uint64(group)
            p += lead_bytes
            is_first = np.int64(0)
        for k in range(full):
            group = load_be4(data, p) ^ (mask & np.int64(0xFFFFFFFF))
            if is_first:
                group ^= np.int64(0x80000000)
            if group >= 1000000000:
                return np.int64(RowStatus.BAD_DECIMAL)
            if k < 1:  # up to 18 digits so far: one limb holds them
                low = low * np.uint64(1000000000) + np.uint64(group)
            else:
                high, low = multiply_add(high, low, POWERS[9], group)
            p += 4
            is_first = np.int64(0)
        if tail > 0:
            group = decimal_group(data, p, tail, is_first, mask)
            if group >= POWERS[tail]:
                return np.int64(RowStatus.BAD_DECIMAL)
            if precision <= 18:
                low = low * np.uint64(POWERS[tail]) + np.uint64(group)
            else:
                high, low = multiply_add(high, low, POWERS[tail], group)
        if mask != 0:
            low = ~low + np.uint64(1)
            high = ~high + np.uint64(1 if low == 0 else 0)
        out[base + 2 * i] = np.int64(low)
        out[base + 2 * i + 1] = np.int64(high)
    return np.int64(0)
