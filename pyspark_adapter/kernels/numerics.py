"""Integers, bit fields, years, decimals and validity into Arrow's fixed-width buffers.

Common types have two kernels: a fast one, which returns the first row that it leaves to the other,
and one for all values. See `fill`.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.layout import ColumnField, Op, RowStatus
from pyspark_adapter.kernels.load import (
    N0,
    N1,
    N8,
    check_range,
    fits,
    get,
    load_be,
    load_le,
    load_u1,
    prefetch,
    put,
    raw_be8,
    raw_put1,
    raw_put2,
    raw_put4,
    raw_put8,
    raw_signs,
    raw_u8,
)

GROUP_BYTES = np.array(lay.GROUP_BYTES, dtype=np.int64)
# The first number with more digits than a group.
POWERS = np.array([10**i for i in range(10)], dtype=np.int64)

# Rows that are gathered, and then computed with: they stay in the first cache.
BLOCK_ROWS = 256

# Rows between the one that is read and the one that memory is asked for: rows lie too far apart
# for the processor to foresee them. For loops of many instructions.
AHEAD = np.int64(12)


@intrinsic
def multiply_high(_context, _left, _right):
    """Return the upper 64 bits of the product of two uint64."""

    def generate(_context, builder, _signature, arguments):
        left, right = (builder.zext(argument, ir.IntType(128)) for argument in arguments)
        high = builder.lshr(builder.mul(left, right), ir.Constant(ir.IntType(128), 64))
        return builder.trunc(high, ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@inlined
def num_loadable(data, pos, first, last):
    """Return the first of the rows at whose position no eight bytes can be loaded; `last` if none.

    After this, the positions of the rows before it need no check.
    """
    check_range(pos.size, np.int64(first), np.int64(last - first))
    limit = np.int64(data.size) - 8
    highest = np.int64(0)
    for i in range(first, last):
        highest = max(highest, np.int64(get(pos, i)))
    if highest <= limit:
        return np.int64(last)
    for i in range(first, last):
        if max(np.int64(get(pos, i)), np.int64(0)) > limit:  # NULL is read at position 0
            return np.int64(i)
    return np.int64(last)


def fill_validity(pos, num_rows, table, out):
    """Write the validity bitmaps of the columns that have nulls; return how many these are.

    All columns at once, since a call for each takes longer than the work.

    Args:
        pos: (at least the columns, at least num_rows) positions.
        num_rows: rows.
        table: of `fill`.
        out: the arena.
    """
    num_columns, num_bytes = np.int64(0), np.int64(num_rows >> 3)
    check_range(pos.shape[1], N0, num_rows)
    for c in range(table.shape[0]):
        if table[c, ColumnField.NUM_NULLS] == 0:
            continue
        num_columns += 1
        check_range(pos.shape[0], np.int64(c), N1)
        first, o = np.int64(c * pos.shape[1]), table[c, ColumnField.VALIDITY]
        check_range(out.size, o, np.int64((num_rows + 7) >> 3))
        for k in range(num_bytes):
            raw_put1(out, o + k, ~raw_signs(pos, first + 8 * k))
        bits = np.int64(0)
        for k in range(num_rows & 7):
            bits |= np.int64(get(pos, first + 8 * num_bytes + k) >= 0) << k
        if num_rows & 7:
            raw_put1(out, o + num_bytes, bits)
    return num_columns


def fill_integers(data, pos, first, last, row, out):
    """Write little-endian integers; return the first row that is left, or `last`.

    Eight bytes are loaded, whatever the width. NULL is read at position 0 and masked out.

    Args:
        data: the window.
        pos: positions of the values.
        first, last: rows.
        row: of the column in the table of `fill`; the second parameter is the sign bit, or 0.
        out: the arena.
    """
    base, size = row[ColumnField.VALUES], row[ColumnField.NUM_BYTES]
    width, sign = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    end = num_loadable(data, pos, first, last)
    check_range(out.size, base, size * end)
    kept = np.int64(-1) if width == 8 else (np.int64(1) << (8 * width)) - 1
    if size == 4:
        for i in range(first, end):
            p = np.int64(get(pos, i))
            mask = ~(p >> 63)
            raw_put4(out, base + 4 * i, (((raw_u8(data, p & mask) & kept) ^ sign) - sign) & mask)
    elif size == 8:
        for i in range(first, end):
            p = np.int64(get(pos, i))
            mask = ~(p >> 63)
            raw_put8(out, base + 8 * i, (((raw_u8(data, p & mask) & kept) ^ sign) - sign) & mask)
    elif size == 2:
        for i in range(first, end):
            p = np.int64(get(pos, i))
            mask = ~(p >> 63)
            raw_put2(out, base + 2 * i, (((raw_u8(data, p & mask) & kept) ^ sign) - sign) & mask)
    else:
        for i in range(first, end):
            p = np.int64(get(pos, i))
            mask = ~(p >> 63)
            raw_put1(out, base + i, (((raw_u8(data, p & mask) & kept) ^ sign) - sign) & mask)
    return end


@inlined
def put_sized(out, o, value, num_bytes):
    """Write an integer of 1, 2, 4 or 8 bytes to a place that is checked."""
    if num_bytes == 8:
        raw_put8(out, o, value)
    elif num_bytes == 4:
        raw_put4(out, o, value)
    elif num_bytes == 2:
        raw_put2(out, o, value)
    else:
        raw_put1(out, o, value)


def fill_numbers(data, pos, first, last, row, out, where):
    """Write INTEGER, YEAR, BITS and UNSIGNED_DECIMAL; return 0, or a RowStatus.

    BITS are big-endian (BIT) or little-endian (SET) values of at most 63 bits. UNSIGNED_DECIMAL are
    unsigned integers of up to eight bytes as 128-bit decimals. YEAR is 1901 to 2155, and 0.
    """
    op = row[ColumnField.OP]
    base, size = row[ColumnField.VALUES], row[ColumnField.NUM_BYTES]
    width, second, third = (
        row[ColumnField.PARAM1],
        row[ColumnField.PARAM2],
        row[ColumnField.PARAM3],
    )
    if op == Op.YEAR:
        width = np.int64(1)
    is_big_endian = op != Op.INTEGER and op != Op.YEAR and second != 0
    check_range(out.size, base, size * last)
    for i in range(first, last):
        p = np.int64(pos[i])
        value = np.int64(0)
        if p >= 0:
            value = load_be(data, p, width) if is_big_endian else load_le(data, p, width)
            if op == Op.INTEGER:
                value = (value ^ second) - second
            elif op == Op.YEAR:
                value = value + 1900 if value > 0 else value
            elif op == Op.BITS and value >> third != 0:
                where[0] = i
                return np.int64(RowStatus.BAD_BITS)
        if op == Op.UNSIGNED_DECIMAL:
            raw_put8(out, base + 16 * i, value)
            raw_put8(out, base + 16 * i + 8, np.int64(0))
        else:
            put_sized(out, base + size * i, value, size)
    return np.int64(0)


def fill_short_decimals(data, pos, first, last, row, groups, out):
    """Write decimals of up to eight bytes; return the first row that is left, or `last`."""
    base = row[ColumnField.VALUES] >> 3
    end = num_loadable(data, pos, first, last)
    check_range(out.size, base, 2 * end)
    num_bytes = groups[0]
    shift_1, limit_1 = groups[1], groups[2]
    shift_2, limit_2, factor_2 = groups[4], groups[5], groups[6]
    shift_3, limit_3, factor_3 = groups[7], groups[8], groups[9]
    has_3 = np.int64(-1) if limit_3 > 1 else np.int64(0)
    has_2 = np.int64(-1) if limit_2 > 1 else np.int64(0)
    mask_1 = (np.int64(1) << (8 * num_bytes - 1 - shift_1)) - 1
    mask_2 = ((np.int64(1) << (shift_1 - shift_2)) - 1) & has_2
    mask_3 = ((np.int64(1) << (shift_2 - shift_3)) - 1) & has_3
    sign = np.int64(1) << (8 * num_bytes - 1)
    rest = sign - 1
    unused = np.uint64(64 - 8 * num_bytes)
    for begin in range(first, end, BLOCK_ROWS):
        stop = min(begin + BLOCK_ROWS, end)
        # First all words, then all arithmetic, which LLVM turns into vectors.
        for i in range(begin, stop):
            p = np.int64(get(pos, i))
            mask = ~(p >> 63)
            word = np.int64(np.uint64(raw_be8(data, p & mask)) >> unused)
            put(out, base + 2 * i, (word & mask) | (sign & ~mask))  # NULL as 0
        bad = np.int64(0)
        for i in range(begin, stop):
            word = get(out, base + 2 * i)
            # The highest bit is set for numbers from 0 on; negative ones have all bits inverted.
            negative = np.int64((word & sign) != 0) - 1
            digits = (word ^ negative) & rest
            group_1 = (digits >> shift_1) & mask_1
            group_2 = (digits >> shift_2) & mask_2
            group_3 = (digits >> shift_3) & mask_3
            bad |= (limit_1 - 1 - group_1) | (limit_2 - 1 - group_2) | (limit_3 - 1 - group_3)
            value = (group_1 * factor_2 + group_2) * factor_3 + group_3
            value = (value ^ negative) - negative
            put(out, base + 2 * i, value)
            put(out, base + 2 * i + 1, value >> 63)
        if bad < 0:
            return np.int64(begin)
    return end


@inlined
def decimal_group(data, p, digits, is_first, mask):
    """Return the value of a group of digits; at or above 10^digits if it is corrupt."""
    num_bytes = GROUP_BYTES[digits]
    if fits(data.size, p, N8):
        raw = np.int64(np.uint64(raw_be8(data, p) ^ mask) >> np.uint64(64 - 8 * num_bytes))
    else:
        raw = (load_be(data, p, num_bytes) ^ mask) & ((np.int64(1) << (8 * num_bytes)) - 1)
    if is_first:
        raw ^= np.int64(0x80) << (8 * (num_bytes - 1))
    return raw


@inlined
def multiply_add(high, low, factor, addend):
    """Return (high, low) * factor + addend on 128 bits."""
    factor = np.uint64(factor)
    product = low * factor
    total = product + np.uint64(addend)
    return high * factor + multiply_high(low, factor) + np.uint64(total < product), total


def fill_decimals(data, pos, first, last, row, out, where):
    """Write decimals of up to 38 digits as 128-bit integers; return 0, or a RowStatus."""
    base = row[ColumnField.VALUES] >> 3
    precision, scale = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    whole = precision - scale
    lead = whole % 9
    tail = scale % 9
    full = whole // 9 + scale // 9
    num_groups = full + (1 if lead > 0 else 0) + (1 if tail > 0 else 0)
    for i in range(first, last):
        p = np.int64(pos[i])
        prefetch(data, np.int64(pos[min(i + AHEAD, last - 1)]))
        where[0] = i
        if p < 0:
            out[base + 2 * i] = 0
            out[base + 2 * i + 1] = 0
            continue
        mask = (load_u1(data, p) >> 7) - 1
        high, low = np.uint64(0), np.uint64(0)
        for k in range(num_groups):
            digits = np.int64(9)
            if k == 0 and lead > 0:
                digits = lead
            elif k == num_groups - 1 and tail > 0:
                digits = tail
            group = decimal_group(data, p, digits, k == 0, mask)
            if group >= POWERS[digits]:
                return np.int64(RowStatus.BAD_DECIMAL)
            high, low = multiply_add(high, low, POWERS[digits], group)
            p += GROUP_BYTES[digits]
        if mask != 0:
            low = ~low + np.uint64(1)
            high = ~high + np.uint64(1 if low == 0 else 0)
        out[base + 2 * i] = np.int64(low)
        out[base + 2 * i + 1] = np.int64(high)
    return np.int64(0)
