"""Values as SQL literals, written from where they are in the log.

A value that is not valid gives LEFT, and so does one that needs more than a literal.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import (
    MINUS,
    POINT,
    ZERO,
    append_integer,
    count_digits,
    put_digits,
    put_unsigned,
)
from pyspark_adapter.kernels.doubles import (
    put_fixed,
    put_scientific,
    shortest_between,
    shortest_decimal,
    without_zeros,
)
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.json_values import element_at, open_container, values_of
from pyspark_adapter.kernels.layout import Json, ZeroDates
from pyspark_adapter.kernels.load import (
    N0,
    N2,
    N4,
    N5,
    N8,
    copy_bytes,
    load_le,
    load_u1,
    load_u3,
    put_u1,
    put_u2,
    put_word,
)
from pyspark_adapter.kernels.sql_layout import COMPARED, NUM_LETTERS, OLD_FORM
from pyspark_adapter.kernels.temporals import (
    BAD_FIELD,
    NO_DATE,
    UNIT_MICROS,
    datetime2_fields,
    old_datetime_fields,
    read_old_time,
    read_time2,
    read_timestamp,
)

LEFT = np.int64(-1)  # instead of a position

QUOTE, _BACKSLASH, _SPACE, _COLON = (np.int64(ord(c)) for c in "'\\ :")
_LETTER_E, _N, _R, _T = (np.int64(ord(c)) for c in "enrt")
_CAST, _AS_DATE, _TIME, _CLOSE = (
    np.int64(int.from_bytes(text, "little")) for text in (b"CAST(", b" AS DATE", b"TIME)", b")")
)
_TAB, _NEWLINE, _RETURN, _DELETE = 9, 10, 13, 0x7F
_PAIRS = np.array([ord(f"{n:02X}"[0]) | ord(f"{n:02X}"[1]) << 8 for n in range(256)])
_EXACT_TENS = np.array([10.0**n for n in range(23)])
_MOST_EXACT = np.float64((1 << 53) - 10)
# Digits of a double that Python writes without an exponent, and of a float in the notation `%g`.
_MOST_PLACES, _DIGITS_OF_FLOAT = np.int64(16), np.int64(6)
_MAX_YEAR, _DAYS_TO_EPOCH = 9999, np.int64(719_468)  # from 0000-03-01
_MAX_FLOAT_BITS = 0x7F7FFFFF


@helper
def put_text(texts, begin, end, out, o):
    """Write a constant text and return the position after it."""
    copy_bytes(texts, begin, end - begin, out, o)
    return o + end - begin


@helper
def put_hex(data, p, length, padded, out, o):
    """Write bytes in hexadecimal, padded with zeros, and the quote after them."""
    for k in range(length):
        o = put_u2(out, o, _PAIRS[load_u1(data, p + k)])
    for _ in range(padded - length):
        o = put_u2(out, o, _PAIRS[0])
    return put_u1(out, o, QUOTE)


@helper
def _escape(letter, out, o):
    """Write an ASCII letter with its escape; LEFT if it is not printable."""
    if letter == QUOTE:
        return put_u1(out, put_u1(out, o, QUOTE), QUOTE)
    if letter == _BACKSLASH:
        return put_u1(out, put_u1(out, o, _BACKSLASH), _BACKSLASH)
    if letter == _NEWLINE:
        return put_u1(out, put_u1(out, o, _BACKSLASH), _N)
    if letter == _RETURN:
        return put_u1(out, put_u1(out, o, _BACKSLASH), _R)
    if letter == _TAB:
        return put_u1(out, put_u1(out, o, _BACKSLASH), _T)
    return LEFT


@helper
def put_utf8(data, p, length, letters, out, o):
    """Write UTF-8 with escapes and the quote after it.

    Returns:
        The position after it; LEFT if it is not valid, or has characters that are not printable
        or not in `letters`.
    """
    end = p + length
    while p < end:
        c = load_u1(data, p)
        if c < 0x80:
            p += 1
            if c < 0x20 or c == QUOTE or c == _BACKSLASH or c == _DELETE:
                o = _escape(c, out, o)
                if o < 0:
                    return LEFT
            else:
                o = put_u1(out, o, c)
            continue
        size = np.int64(2 if c < 0xE0 else 3 if c < 0xF0 else 4)
        if c < 0xC2 or c > 0xF4 or p + size > end:
            return LEFT
        point = c & (0x7F >> size)
        for k in range(1, size):
            part = load_u1(data, p + k)
            if part & 0xC0 != 0x80:
                return LEFT
            point = point << 6 | (part & 0x3F)
        # The shortest form only. Surrogates are not printable.
        if (
            point >= NUM_LETTERS
            or letters[point] == 0
            or point < (0, 0, 0x80, 0x800, 0x10000)[size]
        ):
            return LEFT
        for k in range(size):
            o = put_u1(out, o, load_u1(data, p + k))
        p += size
    return put_u1(out, o, QUOTE)


@helper
def put_single_bytes(data, p, length, codes, out, o):
    """Write text of one byte a character, and the quote after it; LEFT if one has no code.

    Args:
        codes: (256,) the text of each byte: up to three bytes, the first one lowest, and their
            number above them; 0 if there is none.
    """
    for k in range(length):
        code = codes[load_u1(data, p + k)]
        size = code >> 24
        if size == 0:
            return LEFT
        for _ in range(size):
            o = put_u1(out, o, code)
            code >>= 8
    return put_u1(out, o, QUOTE)


@helper
def put_double(bits, out, o):
    """Write a double as Python's `repr`, with an exponent, which makes it a double in SQL."""
    biased = (bits >> 52) & 0x7FF
    if biased == 0x7FF:
        return LEFT
    if bits < 0:
        o = put_u1(out, o, MINUS)
    digits, exponent = np.uint64(0), np.int64(0)
    if bits & 0x7FFFFFFFFFFFFFFF != 0:
        shortest, power = shortest_decimal(bits)
        digits, exponent = without_zeros(shortest, power)
    n = count_digits(np.int64(digits))
    point = n + exponent
    if -4 < point <= _MOST_PLACES:
        o = put_fixed(digits, n, exponent, True, out, o)
        return put_u1(out, put_u1(out, o, _LETTER_E), ZERO)
    return put_scientific(digits, n, point - 1, True, N2, out, o)


@helper
def put_float(bits, out, o):
    """Write a float with the fewest digits that give it back, in the layout of `%g`."""
    biased, fraction = (bits >> 23) & 0xFF, bits & 0x7FFFFF
    if biased == 0xFF:
        return LEFT
    if bits == 0:
        return put_u1(out, o, ZERO)
    double = np.float64(np.int32(bits).view(np.float32)).view(np.int64)
    if bits & 0x7FFFFFFF == 0:
        return put_double(double, out, o)
    if bits & 0x7FFFFFFF == _MAX_FLOAT_BITS:  # a larger decimal is out of range in strict mode
        shortest, power_of_last = shortest_decimal(double)
    elif biased == 0:
        shortest, power_of_last = shortest_between(fraction, np.int64(-149), False)
    else:
        is_closer = fraction == 0 and biased > 1
        shortest, power_of_last = shortest_between(fraction | 0x800000, biased - 150, is_closer)
    digits, exponent = without_zeros(shortest, power_of_last)
    if bits >> 31 & 1:
        o = put_u1(out, o, MINUS)
    n = count_digits(np.int64(digits))
    power = n + exponent - 1
    if -4 <= power < max(n, _DIGITS_OF_FLOAT):
        return put_fixed(digits, n, exponent, False, out, o)
    return put_scientific(digits, n, power, True, N2, out, o)


@inlined
def _put_day(year, month, day, out, o):
    o = put_u1(out, put_digits(year, N4, out, o), MINUS)
    o = put_u1(out, put_digits(month, N2, out, o), MINUS)
    return put_digits(day, N2, out, o)


@helper
def _put_clock(seconds, micros, fsp, out, o):
    """Write a time and its fraction, and the quote after it."""
    hours = seconds // 3600
    o = put_u1(out, put_digits(hours, max(count_digits(hours), N2), out, o), _COLON)
    o = put_u1(out, put_digits(seconds // 60 % 60, N2, out, o), _COLON)
    o = put_digits(seconds % 60, N2, out, o)
    if fsp > 0:
        o = put_u1(out, o, POINT)
        o = put_digits(micros // UNIT_MICROS[fsp], np.int64(fsp), out, o)
    return put_u1(out, o, QUOTE)


@helper
def put_date(data, p, form, out, o):
    """Write a DATE, also one of no calendar; `form` as for `put_datetime`."""
    packed = load_u3(data, p)
    year, month, day = packed >> 9, packed >> 5 & 15, packed & 31
    if year > _MAX_YEAR or month > 12:
        return LEFT
    is_cast = form & COMPARED and 0 < packed < 32
    o = put_word(out, o, _CAST, N5) if is_cast else o
    o = put_u1(out, _put_day(year, month, day, out, put_u1(out, o, QUOTE)), QUOTE)
    return put_u1(out, put_word(out, o, _AS_DATE, N8), _CLOSE) if is_cast else o


@helper
def put_datetime(data, p, fsp, form, out, o):
    """Write a DATETIME, also one of no calendar; `form` has the bits OLD_FORM and COMPARED.

    A condition casts a date without year and month: MySQL 5.5 takes it for different from its text.
    """
    if form & OLD_FORM:
        year, month, day, seconds, micros = old_datetime_fields(data, p, fsp)
    else:
        year, month, day, seconds, micros = datetime2_fields(data, p, fsp)
    if seconds < 0 or micros < 0 or year > _MAX_YEAR or month > 12:
        return LEFT
    is_cast = form & COMPARED and fsp == 0 and year + month == 0 < day + seconds
    o = put_word(out, o, _CAST, N5) if is_cast else o
    o = _put_day(year, month, day, out, put_u1(out, o, QUOTE))
    o = _put_clock(seconds, micros, fsp, out, put_u1(out, o, _SPACE))
    return put_word(out, put_word(out, o, _AS_DATE, N8), _TIME, N5) if is_cast else o


@helper
def put_timestamp(data, p, fsp, is_old, out, o):
    """Write a TIMESTAMP in UTC."""
    value = read_timestamp(data, p, fsp - 8 * is_old, ZeroDates.CONVERT_TO_NULL)
    if value == BAD_FIELD:
        return LEFT
    o = put_u1(out, o, QUOTE)
    if value == NO_DATE:
        o = _put_day(N0, N0, N0, out, o)
        return _put_clock(N0, N0, fsp, out, put_u1(out, o, _SPACE))
    seconds = value // 1000000
    # Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": civil_from_days.
    shifted = seconds // 86400 + _DAYS_TO_EPOCH
    era = shifted // 146097
    of_era = shifted - era * 146097
    year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    mp = (5 * of_year + 2) // 153
    day = of_year - (153 * mp + 2) // 5 + 1
    month = mp + 3 if mp < 10 else mp - 9
    year = year_of_era + era * 400 + (1 if month <= 2 else 0)
    o = put_u1(out, _put_day(year, month, day, out, o), _SPACE)
    return _put_clock(seconds % 86400, value % 1000000, fsp, out, o)


@helper
def put_time(data, p, fsp, is_old, out, o):
    """Write a TIME."""
    micros = read_old_time(data, p, fsp, N0) if is_old else read_time2(data, p, fsp, N0)
    if micros == BAD_FIELD:
        return LEFT
    o = put_u1(out, o, QUOTE)
    if micros < 0:
        o = put_u1(out, o, MINUS)
        micros = -micros
    return _put_clock(micros // 1000000, micros % 1000000, fsp, out, o)


@helper
def put_members(bits, first, count, members, texts, out, o):
    """Write the names of a SET in quotes, or its number where it has none or one is no word."""
    begin = o
    is_named = bits != 0
    for k in range(64):
        if (bits >> k) & 1 == 0:
            continue
        if k >= count or members[first + k + 1] == members[first + k]:
            is_named = False
            break
        o = put_u1(out, o, QUOTE if o == begin else np.int64(ord(",")))
        o = put_text(texts, members[first + k], members[first + k + 1], out, o)
    return put_u1(out, o, QUOTE) if is_named else put_unsigned(bits, out, begin)


@helper
def _is_simple(bits):
    """Return whether a double is sure to be digits times a power of ten, both exact as doubles.

    False also for some that are: large ones, and those with digits next to the bound.
    """
    value = abs(np.int64(bits).view(np.float64))
    for power in range(_EXACT_TENS.size):
        scaled = np.floor(value * _EXACT_TENS[power] + 0.5)
        if scaled >= _MOST_EXACT:
            return False
        if scaled / _EXACT_TENS[power] == value:
            return True
    return False


@helper
def is_more_than_text(data, start, length, stack):
    """Return whether a valid document may hold values that servers do not read from its text.

    Decimals, times and bytes, and doubles that `json_literal` may write as numbers of SQL.
    """
    if length == 0:
        return False
    kind, p, end, depth = load_u1(data, start), start + 1, start + length, 0
    while True:
        if kind == Json.OPAQUE or (kind == Json.DOUBLE and not _is_simple(load_le(data, p, N8))):
            return True
        if kind <= Json.LARGE_ARRAY:
            width, count, stop = open_container(data, kind, p, end)
            if count < 0 or depth >= stack.shape[0]:
                return True
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = p, stop, 0
            stack[depth, 3], stack[depth, 4] = count, width | (1 if kind < Json.ARRAY else 0)
            depth += 1
        while depth > 0 and stack[depth - 1, 2] == stack[depth - 1, 3]:
            depth -= 1
        if depth == 0:
            return False
        k = depth - 1
        base, end, index = stack[k, 0], stack[k, 1], stack[k, 2]
        width = stack[k, 4] & 6
        values = values_of(base, width, stack[k, 3], stack[k, 4] & 1 == 1)
        kind, p = element_at(data, base, width, values, index, end)
        if p < 0:
            return True
        stack[k, 2] = index + 1


@inlined
def put_signed(data, p, length, out, o):
    """Write a signed integer of some bytes."""
    shift = np.int64(64 - 8 * length)
    return append_integer(load_le(data, p, length) << shift >> shift, out, o)
