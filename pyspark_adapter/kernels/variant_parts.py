"""Writes the parts of a VARIANT: scalars, and the headers of containers.

Source: Spark's `common/variant/README.md`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import MINUS, POINT, ZERO
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.json_values import (
    DATE,
    NEWDECIMAL,
    is_date,
    is_finite,
    put_opaque,
    read_varlen,
    scalar_width,
)
from pyspark_adapter.kernels.layout import KEY_LENGTH, KEY_START, Json, ZeroDates
from pyspark_adapter.kernels.load import (
    N1,
    N2,
    N4,
    N8,
    copy_bytes,
    load_u1,
    load_u2,
    load_u4,
    load_u8,
    move_bytes,
    put_u1,
)
from pyspark_adapter.kernels.numerics import multiply_add
from pyspark_adapter.kernels.temporals import NO_DATE, day_seconds, days_of, moment_of
from pyspark_adapter.kernels.utf8 import is_utf8

# Values of a container wait for its header as the number of their key << 32 and their place.
_PLACE = np.int64((1 << 32) - 1)

_BACKSLASH, _NEWLINE = np.int64(ord("\\")), np.int64(ord("\n"))

# Typed, as the numbers of `load` are.
NO, YES = np.bool_(False), np.bool_(True)


@inlined
def put_le(out, o, value, width):
    """Write the lowest bytes of a number and return the position after them."""
    for k in range(width):
        o = put_u1(out, o, (value >> (8 * k)) & 0xFF)
    return o


@inlined
def width_of(number):
    """Return the bytes that hold a number below 2^32."""
    if number < 1 << 8:
        return np.int64(1)
    if number < 1 << 16:
        return np.int64(2)
    return np.int64(3 if number < 1 << 24 else 4)


@helper
def put_integer_variant(value, out, o):
    """Write an int64 in the smallest form."""
    if -0x80 <= value < 0x80:
        return put_le(out, put_u1(out, o, np.int64(0x0C)), value, N1)
    if -0x8000 <= value < 0x8000:
        return put_le(out, put_u1(out, o, np.int64(0x10)), value, N2)
    if -0x80000000 <= value < 0x80000000:
        return put_le(out, put_u1(out, o, np.int64(0x14)), value, N4)
    return put_le(out, put_u1(out, o, np.int64(0x18)), value, N8)


@helper
def _put_moved_text(first, length, out, o):
    """Move text, which is behind o, to after its header; return the position after it."""
    if length < 64:
        move_bytes(out, first, length, o + 1)
        return put_u1(out, o, 1 | length << 2) + length
    move_bytes(out, first, length, o + 5)
    return put_le(out, put_u1(out, o, np.int64(0x40)), length, N4) + length


@helper
def _put_decimal_variant(first, stop, out, o):
    """Write a decimal that is text behind o; as text if VARIANT has no decimal of its digits."""
    high, low = np.uint64(0), np.uint64(0)
    num_digits, scale, is_negative, has_point = np.int64(0), np.int64(0), False, False
    for k in range(first, stop):
        letter = load_u1(out, k)
        if letter == MINUS:
            is_negative = True
        elif letter == POINT:
            has_point = True
        else:
            high, low = multiply_add(high, low, np.int64(10), letter - ZERO)
            num_digits += 1 if num_digits > 0 or letter != ZERO else 0
            scale += 1 if has_point else 0
    most = max(num_digits, scale)
    if most > 38:
        return _put_moved_text(first, stop - first, out, o)
    if is_negative:
        low = ~low + np.uint64(1)
        high = ~high + np.uint64(1 if low == 0 else 0)
    size = 0 if most <= 9 else 1 if most <= 18 else 2
    o = put_u1(out, put_u1(out, o, np.int64(0x20) + 4 * size), scale)
    o = put_le(out, o, np.int64(low), np.int64(4 if size == 0 else 8))
    return put_le(out, o, np.int64(high), N8) if size == 2 else o


@helper
def _put_opaque_variant(data, start, end, out, o):
    """Write a value of another type of SQL, as text if VARIANT does not have its type.

    Returns:
        The position after it; -1 if it is corrupt.
    """
    first = o + 8  # behind any header
    stop = put_opaque(data, start, end, out, first, np.int64(out.size))
    if stop < 0:
        return stop
    field_type = load_u1(data, start)
    if field_type == NEWDECIMAL:
        return _put_decimal_variant(first, stop, out, o)
    length, p = read_varlen(data, start + 1, end)
    if length == 8 and is_date(field_type):
        packed = load_u8(data, p)
        months, day = packed >> 46, packed >> 41 & 31
        days = days_of(months // 13, months % 13, day, ZeroDates.CONVERT_TO_NULL)
        seconds = day_seconds(packed >> 24 & 0x1FFFF)
        if days > NO_DATE and field_type == DATE:
            return put_le(out, put_u1(out, o, np.int64(0x2C)), days, N4)
        if days > NO_DATE and seconds >= 0:
            value = moment_of(days, seconds, packed & 0xFFFFFF)
            return put_le(out, put_u1(out, o, np.int64(0x34)), value, N8)
    to = first
    k = first + 1  # without the quotes, and the escapes of the lines of base64
    while k < stop - 1:
        letter = load_u1(out, k)
        if letter == _BACKSLASH:
            letter = _NEWLINE
            k += 1
        put_u1(out, to, letter)
        to += 1
        k += 1
    return _put_moved_text(first, to - first, out, o)


@inlined
def put_scalar_variant(data, kind, p, end, out, o):
    """Write a value that is no container and return the position after it; -1 if it is corrupt."""
    if kind == Json.OPAQUE:
        return _put_opaque_variant(data, p, end, out, o)
    if kind == Json.STRING:
        length, p = read_varlen(data, p, end)
        if p < 0 or length > end - p or not is_utf8(data, p, length):
            return np.int64(-1)
        if length < 64:
            o = put_u1(out, o, 1 | length << 2)
        else:
            o = put_le(out, put_u1(out, o, np.int64(0x40)), length, N4)
        copy_bytes(data, p, length, out, o)
        return o + length
    width = scalar_width(kind)
    if width == 0 or p + width > end:
        return np.int64(-1)
    if kind == Json.LITERAL:
        literal = load_u1(data, p)
        return put_u1(out, o, literal << 2) if literal <= 2 else np.int64(-1)
    if kind == Json.INT16:
        return put_integer_variant((load_u2(data, p) ^ 0x8000) - 0x8000, out, o)
    if kind == Json.UINT16:
        return put_integer_variant(load_u2(data, p), out, o)
    if kind == Json.INT32:
        return put_integer_variant((load_u4(data, p) ^ 0x80000000) - 0x80000000, out, o)
    if kind == Json.UINT32:
        return put_integer_variant(load_u4(data, p), out, o)
    bits = load_u8(data, p)
    if kind == Json.DOUBLE:
        if not is_finite(bits):
            return np.int64(-1)
        return put_le(out, put_u1(out, o, np.int64(0x1C)), bits, N8)
    if kind == Json.INT64 or bits >= 0:
        return put_integer_variant(bits, out, o)
    o = put_le(out, put_u1(out, o, np.int64(0x28)), np.int64(0), N1)
    return put_le(out, put_le(out, o, bits, N8), np.int64(0), N8)


@inlined
def is_less(data, keys, a, b, by_key):
    """Return whether one number, or the key that it numbers, is before another; keys in UTF-16."""
    if not by_key:
        return a < b
    p, q = keys[KEY_START, a], keys[KEY_START, b]
    m, n = keys[KEY_LENGTH, a], keys[KEY_LENGTH, b]
    for k in range(min(m, n)):
        x, y = load_u1(data, p + k), load_u1(data, q + k)
        if x != y:
            # Surrogates, of what has four bytes, come before U+E000, which begins with EE.
            x += 16 if x == 0xEE or x == 0xEF else 0
            y += 16 if y == 0xEE or y == 0xEF else 0
            return x < y
    return m < n


@helper
def sort(data, keys, numbers, first, count, by_key):
    """Sort a range of numbers in place (heapsort: no input makes it slow)."""
    heap, end = count >> 1, np.int64(count)
    while end > 1:
        if heap > 0:
            heap -= 1
            moved = numbers[first + heap]
        else:
            end -= 1
            moved = numbers[first + end]
            numbers[first + end] = numbers[first]
        hole, child = heap, 2 * heap + 1
        while child < end:
            if child + 1 < end and is_less(
                data, keys, numbers[first + child], numbers[first + child + 1], by_key
            ):
                child += 1
            if not is_less(data, keys, moved, numbers[first + child], by_key):
                break
            numbers[first + hole] = numbers[first + child]
            hole, child = child, 2 * child + 1
        numbers[first + hole] = moved


@inlined
def header_length(count, is_object, number_width, place_width):
    """Return the bytes of a container before its values."""
    numbers = count * number_width if is_object else 0
    return 1 + (4 if count > 0xFF else 1) + numbers + (count + 1) * place_width


@helper
def close_container(data, keys, pending, first, count, is_object, begin, gap, out, o):
    """Write the header of a container into the gap before its values; move them if it does not fit.

    Returns:
        The position after the container; -1 if a key occurs twice.
    """
    size = o - begin - gap
    number_width, place_width = np.int64(1), width_of(size)
    if is_object and count > 0:
        sort(data, keys, pending, first, count, NO)
        for k in range(1, count):
            if pending[first + k - 1] >> 32 == pending[first + k] >> 32:
                return np.int64(-1)
        number_width = width_of(pending[first + count - 1] >> 32)
    length = header_length(count, is_object, number_width, place_width)
    if length != gap:
        move_bytes(out, begin + gap, size, begin + length)
    is_large = np.int64(count > 0xFF)
    header = 3 | (place_width - 1) << 2 | is_large << 4
    if is_object:
        header = 2 | (place_width - 1) << 2 | (number_width - 1) << 4 | is_large << 6
    p = put_le(out, put_u1(out, begin, header), count, N4 if is_large else N1)
    if is_object:
        for k in range(count):
            p = put_le(out, p, pending[first + k] >> 32, number_width)
    for k in range(count):
        p = put_le(out, p, pending[first + k] & _PLACE, place_width)
    put_le(out, p, size, place_width)
    return begin + length + size
