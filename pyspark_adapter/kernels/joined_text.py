"""Texts of rows, put together from pieces: a value of each column, with constant text around it."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import (
    COLON,
    MINUS,
    PAIRS,
    POINT,
    count_digits,
    put_digits,
    put_integer,
    put_unsigned,
)
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.layout import LEN_COPY
from pyspark_adapter.kernels.load import (
    N0,
    check_range,
    copy_ascii,
    fits,
    load_u1,
    load_u4,
    raw_put1,
    raw_put2,
    raw_put4,
    raw_put8,
    raw_u1,
    raw_u8,
)
from pyspark_adapter.kernels.numerics import POWERS
from pyspark_adapter.kernels.sql_layout import NULL, Piece, PieceField

_NULL = np.int64(NULL)
_LETTER_Z = np.int64(ord("Z"))
_60, _100, _10000 = np.uint64(60), np.uint64(100), np.uint64(10_000)
_DAY, _SECOND = np.uint64(86_400_000_000), np.uint64(1_000_000)
_MICROS_TO_1970 = np.int64(719_468 * 86_400_000_000)  # from 0000-03-01
_LEN_DATE, _LEN_TIME = np.int64(10), np.int64(9)
_LEN_MINIMUM = np.int64(20)  # of the text of -2^63


@inlined
def copy_exactly(data, p, length, out, o):
    """Copy bytes and return the position after them; the bytes after these stay as they are."""
    check_range(data.size, p, length)
    check_range(out.size, o, length)
    end = o + length
    while length > LEN_COPY:
        copy_ascii(data, p, out, o)
        p, o, length = p + LEN_COPY, o + LEN_COPY, length - LEN_COPY
    if length >= 8:
        last = length - 8
        for k in range(0, last, 8):
            raw_put8(out, o + k, raw_u8(data, p + k))
        raw_put8(out, o + last, raw_u8(data, p + last))
    elif length >= 4:
        last = length - 4
        raw_put4(out, o, load_u4(data, p))
        raw_put4(out, o + last, load_u4(data, p + last))
    else:
        for k in range(length):
            raw_put1(out, o + k, raw_u1(data, p + k))
    return end


@inlined
def copy_text(data, p, length, out, o, is_followed):
    """Copy bytes and return the position after them.

    Args:
        is_followed: whether the LEN_COPY bytes after them may be overwritten.
    """
    if is_followed and length <= LEN_COPY:
        if fits(data.size, p, LEN_COPY) and fits(out.size, o, LEN_COPY) and length >= 0:
            copy_ascii(data, p, out, o)
            return o + length
    return copy_exactly(data, p, length, out, o)


@inlined
def length_of_number(bits, is_signed):
    """Return the length of the text of an int64, or of a uint64 passed as one."""
    if bits >= 0:
        return count_digits(bits)
    if not is_signed:
        return count_digits(np.int64(np.uint64(bits) // np.uint64(10))) + 1
    return _LEN_MINIMUM if -bits < 0 else count_digits(-bits) + 1


@inlined
def put_pair(number, out, o):
    """Write two digits, at a position that is checked."""
    return raw_put2(out, o, PAIRS[number])


@inlined
def put_moment(micros, digits, separator, zone, length, out, o):
    """Write a moment and return the position after it.

    Without signs, since Python's division of negative numbers costs more than the rest. Days to
    dates as in Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
    """
    check_range(out.size, o, length)
    since = np.uint64(micros + _MICROS_TO_1970)
    days = since // _DAY
    era = days // np.uint64(146097)
    of_era = days - era * np.uint64(146097)
    year = of_era - of_era // np.uint64(1460) + of_era // np.uint64(36524)
    year = (year - of_era // np.uint64(146096)) // np.uint64(365)
    of_year = of_era + year // np.uint64(100) - year // np.uint64(4) - np.uint64(365) * year
    march = (np.uint64(5) * of_year + np.uint64(2)) // np.uint64(153)  # 0 is March
    day = of_year - (np.uint64(153) * march + np.uint64(2)) // np.uint64(5) + np.uint64(1)
    year += era * np.uint64(400)
    month = march + np.uint64(3)
    if march >= np.uint64(10):
        month, year = march - np.uint64(9), year + np.uint64(1)
    century = year // _100
    o = put_pair(year - century * _100, out, put_pair(century, out, o))
    o = put_pair(month, out, raw_put1(out, o, MINUS))
    o = put_pair(day, out, raw_put1(out, o, MINUS))
    if digits < 0:
        return o
    rest = since - days * _DAY
    seconds = rest // _SECOND
    minutes = seconds // _60
    hours = minutes // _60
    o = put_pair(hours, out, raw_put1(out, o, separator))
    o = put_pair(minutes - hours * _60, out, raw_put1(out, o, COLON))
    o = put_pair(seconds - minutes * _60, out, raw_put1(out, o, COLON))
    if digits > 0:
        fraction = rest - seconds * _SECOND
        if digits == 6:
            upper, o = fraction // _10000, raw_put1(out, o, POINT)
            o = put_pair(upper, out, o)
            fraction -= upper * _10000
            upper = fraction // _100
            o = put_pair(fraction - upper * _100, out, put_pair(upper, out, o))
        else:
            fraction //= np.uint64(POWERS[6 - digits])
            o = put_digits(fraction, digits, out, raw_put1(out, o, POINT))
    return raw_put1(out, o, _LETTER_Z) if zone != 0 else o


# Arrow's buffers are read only.
def put_piece(
    first, last, index, valid, offsets, texts, numbers, facts, parts, is_measured, places, out
):
    """Write a piece of the rows [first, last), or add its length to `places`.

    Args:
        first, last: rows.
        index: (n,) of the value of each row, NULL or ABSENT; empty if row i has value i.
        valid: bits of Arrow, not set where a value is null; empty if none is.
        offsets: Arrow offsets of texts.
        texts: their bytes.
        numbers: the other values.
        facts: (len(PieceField),).
        parts: the constant texts of the piece, each after the other.
        is_measured: whether nothing is written, and `places` are lengths.
        places: (n,) where the piece goes; moved on.
        out: written; bytes of other pieces are kept.
    """
    kind, step = facts[PieceField.KIND], facts[PieceField.STEP]
    head, tail, none = facts[PieceField.HEAD], facts[PieceField.TAIL], facts[PieceField.NONE]
    digits = facts[PieceField.DIGITS]
    separator, zone = facts[PieceField.SEPARATOR], facts[PieceField.ZONE]
    of_moment = _LEN_DATE
    if digits >= 0:
        of_moment += _LEN_TIME + zone + (digits + 1 if digits > 0 else 0)
    first_bit = facts[PieceField.FIRST_BIT]
    is_followed = facts[PieceField.ROOM] >= LEN_COPY
    for i in range(first, last):
        k = np.int64(i)
        if index.size:
            k = index[i]
        o = places[i]
        if k >= 0 and valid.size:
            bit = k + first_bit
            if not load_u1(valid, bit >> 3) >> (bit & 7) & 1:
                k = _NULL
        if k < 0:
            if k == _NULL:
                if is_measured:
                    o += none
                else:
                    o = copy_text(parts, head + tail, none, out, o, is_followed)
        elif is_measured:
            o += head + tail
            if kind == Piece.TEXT:
                o += np.int64(offsets[k + 1]) - np.int64(offsets[k])
            elif kind == Piece.MOMENT:
                o += of_moment
            elif kind != Piece.NOTHING:
                o += length_of_number(numbers[k * step], kind == Piece.SIGNED)
        else:
            o = copy_text(parts, N0, head, out, o, is_followed)
            if kind == Piece.TEXT:
                start = np.int64(offsets[k])
                length = np.int64(offsets[k + 1]) - start
                o = copy_text(texts, start, length, out, o, is_followed)
            elif kind == Piece.SIGNED:
                o = put_integer(numbers[k * step], out, o)
            elif kind == Piece.UNSIGNED:
                o = put_unsigned(numbers[k * step], out, o)
            elif kind == Piece.MOMENT:
                o = put_moment(numbers[k], digits, separator, zone, of_moment, out, o)
            o = copy_text(parts, head, tail, out, o, is_followed)
        places[i] = o
