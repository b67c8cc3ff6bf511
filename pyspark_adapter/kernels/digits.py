"""Numbers as decimal digits."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import N7, N8, load_u1, lowest_bit, put_u1, put_u2, put_word
from pyspark_adapter.kernels.numerics import GROUP_BYTES, POWERS, decimal_group

MINUS, POINT, ZERO, NINE, COLON = (np.int64(ord(letter)) for letter in "-.09:")

_10, _100, _10000 = np.uint64(10), np.uint64(100), np.uint64(10000)

_10_TO_8 = np.int64(10**8)
ZEROS = np.int64(0x3030303030303030)

HEX = np.frombuffer(b"0123456789abcdef", dtype=np.uint8).astype(np.int64)

# The two digits of each number below 100, the first one lowest.
PAIRS = np.array([0x3030 + n // 10 + n % 10 * 256 for n in range(100)], dtype=np.int64)

# -2^63 is a minus, a nine, and these digits.
_REST_OF_MINIMUM, _NUM_REST_DIGITS = np.int64(223372036854775808), np.int64(18)


@inlined
def put_digits(value, num_digits, out, o):
    """Write the last num_digits decimal digits of a number and return the position after them.

    Without a sign, since Python's division of negative numbers costs more than the rest.
    """
    rest = np.uint64(value)
    k = o + num_digits
    while k >= o + 2:
        k -= 2
        put_u2(out, k, PAIRS[rest % _100])
        rest //= _100
    if k > o:
        put_u1(out, o, ZERO + np.int64(rest % _10))
    return o + num_digits


@inlined
def count_digits(value):
    """Return the number of decimal digits of a number from 0 to 2^63 - 1."""
    rest = np.uint64(value)
    n = np.int64(1)
    while rest >= _10000:
        rest //= _10000
        n += 4
    if rest >= _100:
        rest //= _100
        n += 2
    return n + 1 if rest >= _10 else n


@inlined
def put_integer(value, out, o):
    """Write an int64 and return the position after it."""
    if value < 0:
        o = put_u1(out, o, MINUS)
        if value == np.int64(-0x8000000000000000):  # has no positive counterpart
            return put_digits(_REST_OF_MINIMUM, _NUM_REST_DIGITS, out, put_u1(out, o, NINE))
        value = -value
    return put_digits(value, count_digits(value), out, o)


@inlined
def eight_digits(value):
    """Return the decimal digits of a number below 10^8, a byte each, the first one lowest.

    In halves, then in pairs, then one by one: each step divides all parts of a word at once. The
    factors are 1 / 100 for numbers below 10,000, and 1 / 10 for those below 100.
    """
    first = np.int64(np.uint64(value) // _10000)
    halves = first | (value - first * 10000) << 32
    hundreds = (halves * 5243 >> 19) & 0x7F0000007F
    pairs = hundreds | (halves - hundreds * 100) << 16
    tens = (pairs * 103 >> 10) & 0xF000F000F000F
    return tens | (pairs - tens * 10) << 8


@inlined
def append_integer(value, out, o):
    """As `put_integer`, but up to seven bytes after the text are overwritten, if there is room.

    Most numbers are written without a loop, whose end is hard to foresee.
    """
    if value <= -_10_TO_8 or value >= _10_TO_8:
        return put_integer(value, out, o)
    put_u1(out, o, MINUS)  # a digit takes its place if there is no sign: no branch on it
    sign = value >> 63
    o -= sign
    digits = eight_digits((value ^ sign) - sign)
    num_zeros = min(lowest_bit(digits) >> 3, N7)  # before the first digit
    return put_word(out, o, (digits | ZEROS) >> (num_zeros << 3), N8 - num_zeros)


@inlined
def put_unsigned(bits, out, o):
    """Write a uint64, passed as int64, and return the position after it."""
    if bits >= 0:
        return put_digits(bits, count_digits(bits), out, o)
    value = np.uint64(bits)
    tens = np.int64(value // np.uint64(10))
    o = put_digits(tens, count_digits(tens), out, o)
    return put_u1(out, o, ZERO + np.int64(value % np.uint64(10)))


@helper
def put_decimal(data, start, precision, scale, out, o):
    """Write a DECIMAL as text and return the position after it; -1 if it is corrupt."""
    whole = precision - scale
    p = start
    mask = np.int64(0) if load_u1(data, p) & 0x80 else np.int64(-1)
    if mask != 0:
        o = put_u1(out, o, MINUS)
    is_first = np.int64(1)
    has_digits = False
    left = np.int64(whole)
    while left > 0:
        digits = left % 9 if left % 9 else np.int64(9)
        group = decimal_group(data, p, digits, is_first, mask)
        if group >= POWERS[digits]:
            return -1
        if has_digits:
            o = put_digits(group, digits, out, o)
        elif group > 0:
            o = put_digits(group, count_digits(group), out, o)
            has_digits = True
        p += GROUP_BYTES[digits]
        left -= digits
        is_first = np.int64(0)
    if not has_digits:
        o = put_u1(out, o, ZERO)
    if scale > 0:
        o = put_u1(out, o, POINT)
    left = np.int64(scale)
    while left > 0:
        digits = min(left, np.int64(9))
        group = decimal_group(data, p, digits, is_first, mask)
        if group >= POWERS[digits]:
            return -1
        o = put_digits(group, digits, out, o)
        p += GROUP_BYTES[digits]
        left -= digits
        is_first = np.int64(0)
    return o
