"""Floats and doubles as text in the notation of Arrow."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import MINUS, POINT, ZERO, count_digits, put_digits
from pyspark_adapter.kernels.doubles import (
    put_fixed,
    put_scientific,
    shortest_between,
    without_zeros,
)
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.load import N1, load_u1, put_u1

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
_TENS = np.array([10**n for n in range(19)], dtype=np.uint64)
_0 = np.uint64(0)

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
