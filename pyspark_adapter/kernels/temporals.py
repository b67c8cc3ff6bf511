"""Dates and times into Arrow's buffers, as days or microseconds, since 1970-01-01 where absolute.

`fill_temporals` writes all values. The other `fill_` functions are faster, and leave rows with zero
dates and invalid fields to it: they load the words of a block of rows, and compute with these in
loops without branches, which LLVM turns into vectors. See `fill`.

Each `read_` function returns the value at a position of the window, or NO_DATE for a zero or
impossible date, or BAD_FIELD.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.fractions import DATETIME_WIDTHS, TIME_BIAS, TIME_WIDTHS
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import ColumnField, Op, Pos, RowStatus, ZeroDates
from pyspark_adapter.kernels.load import (
    check_range,
    get,
    load_be,
    load_be4,
    load_u1,
    load_u3,
    load_u4,
    load_u8,
    put,
    raw_be8,
    raw_u8,
)
from pyspark_adapter.kernels.numerics import BLOCK_ROWS, num_loadable


def _build_year_days() -> np.ndarray:
    """Return (10001,) int64: days from 1970-01-01 to the first day of each year from 0 on."""
    years = np.arange(10001)
    before = np.maximum(years - 1, 0)
    leap_days = before // 4 - before // 100 + before // 400 + (years > 0)  # the year 0 is one
    return np.asarray(years * 365 + leap_days - 719528)


_YEAR_DAYS = _build_year_days()

# Days of a year before each month, and of the month; for common years and for leap years.
_MONTH_LENGTHS = np.array(
    [
        [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31],
        [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31],
    ]
)
_MONTH_DAYS = np.cumsum(_MONTH_LENGTHS, axis=1) - _MONTH_LENGTHS
_FRACTION_MICROS = np.array([0, 10000, 100, 1], dtype=np.int64)  # of a unit, by bytes
UNIT_MICROS = np.array([1000000, 100000, 10000, 1000, 100, 10, 1])  # of a fraction, by digits
_DAY_MICROS = 86400000000
_NO_MICROS, _FIRST = np.int64(0), np.int64(1)
_13 = np.uint64(13)  # months that a year has when it is packed

# Returned in place of a value; no days or microseconds are as low.
NO_DATE = np.int64(-(1 << 62))
BAD_FIELD = np.int64(-(1 << 62) - 1)


@helper
def days_of(year, month, day, zero_dates):
    """Return days since 1970-01-01, or NO_DATE, or BAD_FIELD."""
    if month > 12 or year > 9999:
        return BAD_FIELD
    if year == 0 or month == 0 or day == 0:
        if zero_dates != ZeroDates.ROUND:
            return NO_DATE
        year, month, day = max(year, 1), max(month, 1), max(day, 1)
    first = _YEAR_DAYS[year]
    is_leap = 1 if _YEAR_DAYS[year + 1] - first == 366 else 0
    if day > _MONTH_LENGTHS[is_leap, month]:
        if zero_dates != ZeroDates.ROUND:
            return NO_DATE
        day = _MONTH_LENGTHS[is_leap, month]
    return first + _MONTH_DAYS[is_leap, month] + day - 1


@inlined
def moment_of(days, seconds, micros):
    """Return microseconds since 1970-01-01, unless there are no days."""
    return days if days <= NO_DATE else days * _DAY_MICROS + seconds * 1000000 + micros


@inlined
def fraction_micros(data, p, num_bytes):
    """Return the microseconds of a stored fraction; -1 if it is a second or more."""
    if num_bytes == 0:
        return np.int64(0)
    micros = load_be(data, p, num_bytes) * _FRACTION_MICROS[num_bytes & 3]
    return micros if micros < 1000000 else np.int64(-1)


@inlined
def day_seconds(packed):
    """Return the seconds of packed hour, minute and second of a day; -1 if they are none."""
    hour, minute, second = packed >> 12, (packed >> 6) & 63, packed & 63
    if hour > 23 or minute > 59 or second > 59:
        return np.int64(-1)
    return hour * 3600 + minute * 60 + second


@inlined
def read_date(data, p, _fsp, zero_dates):
    """Return the days of a DATE."""
    v = load_u3(data, p)
    return days_of(v >> 9, (v >> 5) & 15, v & 31, zero_dates)


@inlined
def datetime2_fields(data, p, fsp):
    """Return year, month, day, seconds of the day and microseconds; -1 if one is none."""
    v = ((load_u1(data, p) << 32) | load_be4(data, p + 1)) - 0x8000000000
    year_month = v >> 22
    seconds = day_seconds(v & 0x1FFFF)
    micros = fraction_micros(data, p + 5, (fsp + 1) >> 1)
    year = np.int64(np.uint64(year_month) // _13)
    return year, year_month - year * 13, (v >> 17) & 31, seconds | (v >> 63), micros


@inlined
def read_datetime2(data, p, fsp, zero_dates):
    """Return the microseconds of wall time of a DATETIME."""
    year, month, day, seconds, micros = datetime2_fields(data, p, fsp)
    if seconds < 0 or micros < 0:
        return BAD_FIELD
    return moment_of(days_of(year, month, day, zero_dates), seconds, micros)


@inlined
def read_timestamp(data, p, fsp, zero_dates):
    """Return the microseconds UTC of a TIMESTAMP.

    `fsp` is 8 less for the form before MySQL 5.6.4, and before MariaDB 10.1 if there are digits.
    """
    if fsp == -8:
        seconds, micros = load_u4(data, p), np.int64(0)
    elif fsp < 0:
        seconds = load_be4(data, p)
        micros = load_be(data, p + 4, (fsp + 9) >> 1) * UNIT_MICROS[fsp + 8]
        if micros > 999999:
            return BAD_FIELD
    else:
        seconds = load_be4(data, p)
        micros = fraction_micros(data, p + 4, (fsp + 1) >> 1)
    if micros < 0:
        return BAD_FIELD
    if seconds == 0 and micros == 0:  # 0000-00-00 00:00:00
        if zero_dates != ZeroDates.ROUND:
            return NO_DATE
        return days_of(_FIRST, _FIRST, _FIRST, zero_dates) * _DAY_MICROS
    return seconds * 1000000 + micros


@inlined
def clock_micros(hour, minute, second, micros, is_negative):
    """Return the microseconds of a TIME, from -838:59:59 to 838:59:59, or BAD_FIELD."""
    if hour > 838 or minute > 59 or second > 59 or micros > 999999:
        return BAD_FIELD
    total = (hour * 3600 + minute * 60 + second) * 1000000 + micros
    return -total if is_negative else total


@inlined
def read_time2(data, p, fsp, _zero_dates):
    """Return the microseconds of a TIME."""
    num_bytes = (fsp + 1) >> 1
    bits = 8 * num_bytes
    # Whole and fraction are one number: a negative time has to be negated as a whole.
    v = load_be(data, p, 3 + num_bytes) - (np.int64(0x800000) << bits)
    magnitude = abs(v)
    whole = magnitude >> bits
    micros = (magnitude & ((np.int64(1) << bits) - 1)) * _FRACTION_MICROS[num_bytes & 3]
    return clock_micros(whole >> 12, (whole >> 6) & 63, whole & 63, micros, v < 0)


@inlined
def read_old_time(data, p, fsp, _zero_dates):
    """Return the microseconds of a TIME from before MySQL 5.6.4, decimal digits HHHMMSS.

    With `fsp`, of one from before MariaDB 10.1: a biased number of units.
    """
    if fsp > 0:
        units = load_be(data, p, np.int64(TIME_WIDTHS[fsp]))
        v = (units - TIME_BIAS * (1000000 // UNIT_MICROS[fsp])) * UNIT_MICROS[fsp]
        return v if abs(v) < TIME_BIAS * 1000000 else BAD_FIELD
    v = load_u3(data, p)
    v = (v ^ 0x800000) - 0x800000
    digits = abs(v)
    return clock_micros(digits // 10000, digits // 100 % 100, digits % 100, _NO_MICROS, v < 0)


@inlined
def old_datetime_fields(data, p, fsp):
    """Return the fields of a DATETIME from before MySQL 5.6.4, digits YYYYMMDDhhmmss.

    With `fsp`, of one from before MariaDB 10.1: each field multiplies what comes before it.
    """
    if fsp > 0:
        v = load_be(data, p, np.int64(DATETIME_WIDTHS[fsp]))
        is_bad = np.int64(load_u1(data, p) > 127)
        per_second = 1000000 // UNIT_MICROS[fsp]
        micros = v % per_second * UNIT_MICROS[fsp]
        v //= per_second
        date = v // 86400
        return date // 416, date // 32 % 13, date % 32, v % 86400 | -is_bad, micros
    v = load_u8(data, p)
    date, time = v // 1000000, v % 1000000
    hour, minute, second = time // 10000, time // 100 % 100, time % 100
    is_bad = np.int64(v < 0 or hour > 23 or minute > 59 or second > 59 or date % 100 > 31)
    seconds = hour * 3600 + minute * 60 + second
    return date // 10000, date // 100 % 100, date % 100, seconds | -is_bad, _NO_MICROS


@inlined
def read_old_datetime(data, p, fsp, zero_dates):
    """Return the microseconds of a DATETIME in such a form."""
    year, month, day, seconds, micros = old_datetime_fields(data, p, fsp)
    if seconds < 0:
        return BAD_FIELD
    return moment_of(days_of(year, month, day, zero_dates), seconds, micros)


@helper
def read_value(data, p, op, fsp, zero_dates):
    """Return the value of any kind."""
    if op == Op.DATE:
        return read_date(data, p, fsp, zero_dates)
    if op == Op.DATETIME2:
        return read_datetime2(data, p, fsp, zero_dates)
    if op == Op.TIMESTAMP:
        return read_timestamp(data, p, fsp, zero_dates)
    if op == Op.TIME2:
        return read_time2(data, p, fsp, zero_dates)
    if op == Op.OLD_TIME:
        return read_old_time(data, p, fsp, zero_dates)
    return read_old_datetime(data, p, fsp, zero_dates)


def fill_temporals(data, pos, first, last, row, zero_dates, out32, out64, where):
    """Write values of any kind; return the nulls made of zero dates, or a RowStatus.

    Args:
        data: the window.
        pos: positions of the values; changed to Pos.NULL for a zero date that becomes a null.
        first, last: rows.
        row: of the column in the table of `fill`.
        zero_dates: one of ZeroDates.
        out32, out64: the arena, seen as integers of two widths; DATE has the first.
        where: of the bad value, if the status is one.
    """
    op = row[ColumnField.OP]
    fsp = row[ColumnField.PARAM1] - 8 * row[ColumnField.PARAM2]
    base = row[ColumnField.VALUES] >> (2 if op == Op.DATE else 3)
    nulls = np.int64(0)
    for i in range(first, last):
        p = np.int64(pos[i])
        value = np.int64(0)
        if p >= 0:
            value = read_value(data, p, op, fsp, zero_dates)
            if value <= NO_DATE:
                where[0] = i
                if value == BAD_FIELD:
                    return np.int64(RowStatus.BAD_TIME)
                if zero_dates == ZeroDates.EXCEPTION:
                    return np.int64(RowStatus.BAD_DATE)
                pos[i] = Pos.NULL
                nulls += 1
                value = np.int64(0)
        if op == Op.DATE:
            out32[base + i] = value
        else:
            out64[base + i] = value
    return nulls


@inlined
def valid_days(year, month, day):
    """Return (days since 1970-01-01, a number below zero if there is no such date).

    Years begin in March here, so that the leap day is the last one. The factors are 1 / 100 for
    years below 10,000, and the days before each month, 30.6 a month.
    """
    is_early = (month - 3) >> 63  # all ones in January and February
    y = year + is_early
    centuries = year * 5243  # the lower 19 bits are the fraction
    century = (centuries - (5243 & is_early)) >> 19  # of y
    before = ((month - 3 + (12 & is_early)) * 979 + 15) >> 5
    days = y * 365 + (y >> 2) - century + (century >> 2) + before + day - 719469
    in_february = np.int64(month == 2)
    is_leap = np.int64((year & 3) == 0) & (
        np.int64(centuries & 0x7FFFF >= 5243) | np.int64((year & 15) == 0)
    )
    length = 30 + ((month + (month >> 3)) & 1) - in_february * (2 - is_leap)
    bad = (length - day) | (day - 1) | (month - 1) | (12 - month) | (year - 1) | (9999 - year)
    return days, bad


@inlined
def gather(data, pos, first, last, num_bytes, of_null, out, base):
    """Write the big-endian words of rows to their places in the output."""
    unused = np.uint64(64 - 8 * num_bytes)
    for i in range(first, last):
        p = np.int64(get(pos, i))
        mask = ~(p >> 63)
        word = np.int64(np.uint64(raw_be8(data, p & mask)) >> unused)
        put(out, base + i, (word & mask) | (of_null & ~mask))


# The stored forms of the value written for NULL: 0, or 1970-01-01 for dates.
_EPOCH = np.int64(((1970 * 13 + 1) << 5 | 1) << 17 | 1 << 39)
_EPOCH_DATE = np.int64(1970 << 9 | 1 << 5 | 1)
_NO_TIME = np.int64(0x800000)


def fill_dates(data, pos, first, last, row, out):
    """Write DATE values; return the first row that is left, or `last`."""
    base = row[ColumnField.VALUES] >> 2
    end = num_loadable(data, pos, first, last)
    check_range(out.size, base, end)
    for begin in range(first, end, BLOCK_ROWS):
        stop = min(begin + BLOCK_ROWS, end)
        for i in range(begin, stop):
            p = np.int64(get(pos, i))
            mask = ~(p >> 63)
            put(out, base + i, (raw_u8(data, p & mask) & 0xFFFFFF & mask) | (_EPOCH_DATE & ~mask))
        bad = np.int64(0)
        for i in range(begin, stop):
            v = np.int64(get(out, base + i))
            days, bits = valid_days(v >> 9, (v >> 5) & 15, v & 31)
            bad |= bits
            put(out, base + i, days)
        if bad < 0:
            return np.int64(begin)
    return end


def fill_datetimes(data, pos, first, last, row, out):
    """Write DATETIME values of MySQL 5.6.4 and later; as `fill_dates`, `out` is the arena as int64.

    Five bytes big-endian: a sign, 17 bits of year * 13 + month, 5 of the day, 5, 6 and 6 of the
    time; then the fraction.
    """
    base = row[ColumnField.VALUES] >> 3
    num_bytes = (row[ColumnField.PARAM1] + 1) >> 1
    bits, unit = 8 * num_bytes, _FRACTION_MICROS[num_bytes & 3]
    fraction = (np.int64(1) << bits) - 1
    end = num_loadable(data, pos, first, last)
    check_range(out.size, base, end)
    for begin in range(first, end, BLOCK_ROWS):
        stop = min(begin + BLOCK_ROWS, end)
        gather(data, pos, begin, stop, 5 + num_bytes, _EPOCH << bits, out, base)
        bad = np.int64(0)
        for i in range(begin, stop):
            word = get(out, base + i)
            micros = (word & fraction) * unit
            v = ((word >> bits) & 0xFFFFFFFFFF) - 0x8000000000
            months = v >> 22
            year = (months * 80660) >> 20  # by 13
            hour, minute, second = (v >> 12) & 31, (v >> 6) & 63, v & 63
            days, invalid = valid_days(year, months - year * 13, (v >> 17) & 31)
            bad |= invalid | v | (23 - hour) | (59 - minute) | (59 - second) | (999999 - micros)
            seconds = (hour * 60 + minute) * 60 + second
            put(out, base + i, (days * 86400 + seconds) * 1000000 + micros)
        if bad < 0:
            return np.int64(begin)
    return end


def fill_timestamps(data, pos, first, last, row, out):
    """Write TIMESTAMP values of MySQL 5.6.4 and later; as `fill_datetimes`."""
    base = row[ColumnField.VALUES] >> 3
    if row[ColumnField.PARAM2] != 0:  # in the form before MySQL 5.6.4
        return np.int64(first)
    num_bytes = (row[ColumnField.PARAM1] + 1) >> 1
    bits, unit = 8 * num_bytes, _FRACTION_MICROS[num_bytes & 3]
    fraction = (np.int64(1) << bits) - 1
    end = num_loadable(data, pos, first, last)
    check_range(out.size, base, end)
    for begin in range(first, end, BLOCK_ROWS):
        stop = min(begin + BLOCK_ROWS, end)
        gather(data, pos, begin, stop, 4 + num_bytes, np.int64(0), out, base)
        bad = np.int64(0)
        for i in range(begin, stop):
            word = get(out, base + i)
            micros = (word & fraction) * unit
            value = (word >> bits) * 1000000 + micros
            # 0 is a zero date, except where it is NULL.
            bad |= (999999 - micros) | ((value - 1) & ~np.int64(get(pos, i)))
            put(out, base + i, value)
        if bad < 0:
            return np.int64(begin)
    return end


def fill_times(data, pos, first, last, row, out):
    """Write TIME values of MySQL 5.6.4 and later; as `fill_datetimes`.

    Whole and fraction are one number, to which 2^23 units of the whole are added.
    """
    base = row[ColumnField.VALUES] >> 3
    num_bytes = (row[ColumnField.PARAM1] + 1) >> 1
    bits, unit = 8 * num_bytes, _FRACTION_MICROS[num_bytes & 3]
    fraction = (np.int64(1) << bits) - 1
    end = num_loadable(data, pos, first, last)
    check_range(out.size, base, end)
    for begin in range(first, end, BLOCK_ROWS):
        stop = min(begin + BLOCK_ROWS, end)
        gather(data, pos, begin, stop, 3 + num_bytes, _NO_TIME << bits, out, base)
        bad = np.int64(0)
        for i in range(begin, stop):
            v = get(out, base + i) - (_NO_TIME << bits)
            negative = v >> 63
            magnitude = (v ^ negative) - negative
            whole, micros = magnitude >> bits, (magnitude & fraction) * unit
            hour, minute, second = whole >> 12, (whole >> 6) & 63, whole & 63
            bad |= (838 - hour) | (59 - minute) | (59 - second) | (999999 - micros)
            total = ((hour * 60 + minute) * 60 + second) * 1000000 + micros
            put(out, base + i, (total ^ negative) - negative)
        if bad < 0:
            return np.int64(begin)
    return end
