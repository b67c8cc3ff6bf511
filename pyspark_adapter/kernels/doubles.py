"""Floats and doubles as decimal text: the shortest, in the notation of the server or of Arrow.

Source: the method is Raffaello Giulietti's "The Schubfach way to render doubles" (2020); the
notation is that of `my_gcvt` in the server's `strings/dtoa.cc`, found by asking MySQL 9.7.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import (
    MINUS,
    POINT,
    ZERO,
    ZEROS,
    append_integer,
    count_digits,
    eight_digits,
    put_digits,
)
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.load import (
    N1,
    N7,
    N8,
    load_u1,
    lowest_bit,
    put_u1,
    put_word,
    swap_bytes,
)
from pyspark_adapter.kernels.numerics import multiply_high

_MIN_POWER, _MAX_POWER = -292, 324


def _build_powers() -> np.ndarray:
    """Return (617, 2) uint64: high and low half of 10^k, scaled to 128 bits and rounded up."""
    powers = np.zeros((_MAX_POWER - _MIN_POWER + 1, 2), dtype=np.uint64)
    for k in range(_MIN_POWER, _MAX_POWER + 1):
        exponent = (k * 1741647) >> 19  # floor(log2(10^k))
        shift = 127 - exponent
        if k >= 0:
            scaled = 10**k << shift if shift >= 0 else -(-(10**k) >> -shift)
        else:
            scaled = -(-(1 << shift) // 10**-k)
        powers[k - _MIN_POWER, 0] = scaled >> 64
        powers[k - _MIN_POWER, 1] = scaled & 0xFFFFFFFFFFFFFFFF
    return powers


_POWERS = _build_powers()
_E, _PLUS = np.int64(ord("e")), np.int64(ord("+"))

# Most doubles that people store have at most six digits after the point, and fifteen in all. No two
# decimals of so few digits are the same double (DBL_DIG), so such a decimal is the shortest.
_SHORT_LIMIT, _SHORT_FACTOR, _SHORT_TENS = np.float64(1e9), np.float64(1e6), np.uint64(10**6)
_TENS = np.array([10**n for n in range(19)], dtype=np.uint64)
_0 = np.uint64(0)


@inlined
def round_to_odd(high, low, factor):
    """Return the upper 64 bits of (high, low) * factor, the last one set if anything is below."""
    x1 = multiply_high(low, factor)
    y0 = high * factor
    y1 = multiply_high(high, factor)
    sum0 = y0 + x1
    if sum0 < y0:
        y1 += np.uint64(1)
    return y1 | (np.uint64(1) if sum0 > np.uint64(1) else np.uint64(0))


@inlined
def shortest_decimal(bits):
    """Return (digits, exponent) with digits * 10^exponent the shortest decimal of a finite double.

    Args:
        bits: of the double, as int64; the sign is ignored. Not zero.
    """
    fraction = bits & 0xFFFFFFFFFFFFF
    biased = (bits >> 52) & 0x7FF
    if biased != 0:
        c = fraction | 0x10000000000000
        q = biased - 1075
        if -53 < q <= 0 and c & ((np.int64(1) << -q) - 1) == 0:  # a whole number
            return c >> -q, np.int64(0)
    else:
        c = fraction
        q = np.int64(-1074)
    return shortest_between(c, q, fraction == 0 and biased > 1)


@inlined
def shortest_between(c, q, is_closer):
    """Return (digits, exponent) of the shortest decimal nearer to c * 2^q than to its neighbours.

    Args:
        c, q: significand of up to 53 bits, above 0, and exponent of a float or a double.
        is_closer: whether the neighbour below is half as far as the one above.
    """
    is_even = c & 1 == 0
    k = (q * 1262611 - (524031 if is_closer else 0)) >> 22
    h = q + ((-k * 1741647) >> 19) + 1
    high = _POWERS[-k - _MIN_POWER, 0]
    low = _POWERS[-k - _MIN_POWER, 1]
    center = np.uint64(4 * c)
    shift = np.uint64(h)
    below = center - np.uint64(1 if is_closer else 2)
    lower = round_to_odd(high, low, below << shift)
    middle = round_to_odd(high, low, center << shift)
    upper = round_to_odd(high, low, (center + np.uint64(2)) << shift)
    if not is_even:
        lower += np.uint64(1)
        upper -= np.uint64(1)
    s = middle >> np.uint64(2)
    if s >= np.uint64(10):
        tens = s // np.uint64(10)
        forty = tens * np.uint64(40)
        lower_fits = lower <= forty
        upper_fits = forty + np.uint64(40) <= upper
        if lower_fits != upper_fits:
            return np.int64(tens) + (1 if upper_fits else 0), k + 1
    four = s * np.uint64(4)
    lower_fits = lower <= four
    upper_fits = four + np.uint64(4) <= upper
    if lower_fits != upper_fits:
        return np.int64(s) + (1 if upper_fits else 0), k
    half = four + np.uint64(2)
    rounds_up = middle > half or (middle == half and s & np.uint64(1) != np.uint64(0))
    return np.int64(s) + (1 if rounds_up else 0), k


@inlined
def without_zeros(digits, exponent):
    """Return (digits, exponent) of the same number without zeros at the end of the digits."""
    rest = np.uint64(digits)
    if rest % _TENS[1] == _0:
        for zeros in (8, 4, 2, 1):  # no shortest decimal has more than 15
            if rest % _TENS[zeros] == _0:
                rest //= _TENS[zeros]
                exponent += zeros
    return rest, exponent


@inlined
def put_fixed(digits, n, exponent, has_point, out, o):
    """Write digits * 10^exponent without an exponent and return the position after it.

    Args:
        digits, n: a uint64, and how many digits it has.
        exponent: of ten.
        has_point: whether a whole number gets `.0`.
        out, o: where to write.
    """
    point = n + exponent  # the value is 0.DIGITS * 10^point
    if point <= 0:
        o = put_u1(out, put_u1(out, o, ZERO), POINT)
        for _ in range(-point):
            o = put_u1(out, o, ZERO)
        return put_digits(digits, n, out, o)
    if point < n:
        whole = digits // _TENS[n - point]
        o = put_u1(out, put_digits(whole, point, out, o), POINT)
        return put_digits(digits - whole * _TENS[n - point], n - point, out, o)
    o = put_digits(digits, n, out, o)
    for _ in range(point - n):
        o = put_u1(out, o, ZERO)
    return put_u1(out, put_u1(out, o, POINT), ZERO) if has_point else o


@inlined
def put_scientific(digits, n, power, has_plus, len_power, out, o):
    """Write a number with one digit before the point and return the position after it.

    Args:
        digits, n: as for `put_fixed`.
        power: of ten, of the first digit.
        has_plus: whether a power without a minus has a plus.
        len_power: digits that the power has at least.
        out, o: where to write.
    """
    first = digits // _TENS[n - 1]
    o = put_u1(out, o, ZERO + np.int64(first))
    if n > 1:
        o = put_digits(digits - first * _TENS[n - 1], n - 1, out, put_u1(out, o, POINT))
    o = put_u1(out, o, _E)
    if power < 0 or has_plus:
        o = put_u1(out, o, MINUS if power < 0 else _PLUS)
    power = abs(power)
    return put_digits(power, max(count_digits(power), len_power), out, o)


@inlined
def put_double(bits, out, o):
    """Write a finite double as JSON of the server and return the position after it.

    Fixed notation while the point is at most 14 places before the first digit, and at most 15
    places after it or within the digits; otherwise an exponent. A whole number gets `.0`.
    """
    if bits < 0:
        o = put_u1(out, o, MINUS)
        bits &= 0x7FFFFFFFFFFFFFFF
    if bits == 0:
        return put_u1(out, put_u1(out, put_u1(out, o, ZERO), POINT), ZERO)
    value = np.int64(bits).view(np.float64)
    if value < _SHORT_LIMIT:
        scaled = np.int64(value * _SHORT_FACTOR + 0.5)
        # Rounded once, as both are exact: this is the double that the decimal is read as.
        if np.float64(scaled) / _SHORT_FACTOR == value:
            whole = np.int64(np.uint64(scaled) // _SHORT_TENS)
            o = put_u1(out, append_integer(whole, out, o), POINT)
            places = eight_digits((scaled - whole * np.int64(_SHORT_TENS)) * 100)
            num_zeros = min(lowest_bit(swap_bytes(places)) >> 3, N7)  # after the last digit
            return put_word(out, o, places | ZEROS, N8 - num_zeros)
    shortest, power = shortest_decimal(bits)
    digits, exponent = without_zeros(shortest, power)
    n = count_digits(np.int64(digits))
    point = n + exponent
    if point >= -14 and (point <= 15 or n > point):
        return put_fixed(digits, n, exponent, True, out, o)
    return put_scientific(digits, n, point - 1, False, N1, out, o)


# Most numbers are decimals of few digits. No two decimals of at most six digits are the same float,
# and no two of at most 15 the same double (FLT_DIG, DBL_DIG): the one that is read as the number is
# the shortest.
_FLOAT_LIMIT, _DOUBLE_LIMIT, _NUM_PLACES = np.float64(1e6), np.float64(1e9), np.int64(6)
# A float with more digits is searched with one more digit each time, unless its neighbours are at
# different distances. With up to eight places, a quotient in doubles is never so near to the middle
# between two floats that it rounds to the wrong one.
_MAX_PLACES = np.int64(8)
_FACTORS = np.array([10.0**n for n in range(9)])
_TO_WHOLE = np.float64(1 << 52)  # no double from here on has a fraction

# Numbers from 10^-6 to below 10^10 have no exponent.
_FIRST_FIXED, _END_FIXED = np.int64(-6), np.int64(10)
_N, _A, _I, _F = (np.int64(ord(letter)) for letter in "naif")


@inlined
def put_short(scaled, places, out, o):
    """Write scaled / 10^places without zeros at its end and return the position after it."""
    whole = scaled // _TENS[places]
    o = put_digits(whole, count_digits(np.int64(whole)), out, o)
    rest = scaled - whole * _TENS[places]
    if rest == _0:
        return o
    last = put_digits(rest, places, out, put_u1(out, o, POINT)) - 1
    while load_u1(out, last) == ZERO:
        last -= 1
    return last + 1


def fill_reals(all_bits, is_single, offsets, out):
    """Write numbers as text and return the bytes written.

    Args:
        all_bits: (n,) of floats, with the sign extended, or of doubles.
        is_single: whether they are floats.
        offsets: (n + 1,) Arrow offsets, filled.
        out: at least LEN_REAL bytes for each.
    """
    len_fraction = np.int64(23 if is_single else 52)
    len_exponent = np.int64(8 if is_single else 11)
    most = (np.int64(1) << len_exponent) - 1  # the exponent of infinity
    bias = (most >> 1) + len_fraction
    o = np.int64(0)
    offsets[0] = 0
    for k in range(all_bits.size):
        bits = all_bits[k]
        value = np.int64(bits).view(np.float64)
        if is_single:
            value = np.float64(np.int32(bits).view(np.float32))
        value = abs(value)
        fraction = bits & ((np.int64(1) << len_fraction) - 1)
        biased = (bits >> len_fraction) & most
        if bits < 0 and (biased < most or fraction == 0):
            o = put_u1(out, o, MINUS)
        places, most_places = _NUM_PLACES, _NUM_PLACES
        limit = _FLOAT_LIMIT if is_single else _DOUBLE_LIMIT
        is_short = False
        scaled = np.float64(0)
        if value < limit:
            if is_single:
                while places > 0 and value * _FACTORS[places] >= limit:
                    places -= 1
                is_wide = fraction != 0 and value >= 1
                most_places = min(places + 3, _MAX_PLACES) if is_wide else places
            while places <= most_places and not is_short:
                scaled = value * _FACTORS[places] + _TO_WHOLE - _TO_WHOLE
                near = scaled / _FACTORS[places]
                is_short = np.float32(near) == np.float32(value) if is_single else near == value
                places += 1
        if is_short:
            o = put_short(np.uint64(scaled), places - 1, out, o)
        elif biased == most:
            if fraction != 0:
                o = put_u1(out, put_u1(out, put_u1(out, o, _N), _A), _N)
            else:
                o = put_u1(out, put_u1(out, put_u1(out, o, _I), _N), _F)
        else:
            q = max(biased, np.int64(1)) - bias
            c = fraction | (np.int64(1) << len_fraction if biased > 0 else np.int64(0))
            shortest, power = shortest_between(c, q, fraction == 0 and biased > 1)
            digits, exponent = without_zeros(shortest, power)
            n = count_digits(np.int64(digits))
            if _FIRST_FIXED < n + exponent <= _END_FIXED:
                o = put_fixed(digits, n, exponent, False, out, o)
            else:
                o = put_scientific(digits, n, n + exponent - 1, True, N1, out, o)
        offsets[k + 1] = o
    return o
