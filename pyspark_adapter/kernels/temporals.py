"""Dates and times into Arrow's buffers, as days or microseconds, since 1970-01-01 where absolute.

Each `read_` function returns the value at a position of the window, or NO_DATE for a zero or
impossible date, or BAD_FIELD. Each `fill_` function writes a column of such values.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.fractions import DATETIME_WIDTHS, TIME_BIAS, TIME_WIDTHS
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.layout import ColumnField, Pos, RowStatus, ZeroDates
from pyspark_adapter.kernels.load import load_be, load_be4, load_u1, load_u3, load_u4, load_u8


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
_UNIT_MICROS = np.array([1000000, 100000, 10000, 1000, 100, 10, 1])  # of a fraction, by digits
_DAY_MICROS = 86400000000
_NO_MICROS, _FIRST = np.int64(0), np.int64(1)
_13 = np.uint64(13)  # months that a year has when it is packed

# Returned in place of a value; no days or microseconds are as low.
NO_DATE = np.int64(-(1 << 62))
BAD_FIELD = np.int64(-(1 << 62) - 1)


@inlined
def days_of(year, month, day, zero_dates):
    """Return days since 1970-01-01, or NO_DATE, or BAD_FIELD."""
    if month > 12 or year > 9999 or month < 0 or year < 0:
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
def read_datetime2(data, p, fsp, zero_dates):
    """Return the microseconds of wall time of a DATETIME."""
    v = ((load_u1(data, p) << 32) | load_be4(data, p + 1)) - 0x8000000000
    year_month = v >> 22
    seconds = day_seconds(v & 0x1FFFF)
    micros = fraction_micros(data, p + 5, (fsp + 1) >> 1)
    if v < 0 or seconds < 0 or micros < 0:
        return BAD_FIELD
    year = np.int64(np.uint64(year_month) // _13)
    days = days_of(year, year_month - year * 13, (v >> 17) & 31, zero_dates)
    return moment_of(days, seconds, micros)


@inlined
def read_timestamp(data, p, fsp, zero_dates):
    """Return the microseconds UTC of a TIMESTAMP.

    `fsp` is 8 less for the form before MySQL 5.6.4, and before MariaDB 10.1 if there are digits.
    """
    if fsp == -8:
        seconds, micros = load_u4(data, p), np.int64(0)
    elif fsp < 0:
        seconds = load_be4(data, p)
        micros = load_be(data, p + 4, (fsp + 9) >> 1) * _UNIT_MICROS[fsp + 8]
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
        v = (units - TIME_BIAS * (1000000 // _UNIT_MICROS[fsp])) * _UNIT_MICROS[fsp]
        return v if abs(v) < TIME_BIAS * 1000000 else BAD_FIELD
    v = load_u3(data, p)
    v = (v ^ 0x800000) - 0x800000
    digits = abs(v)
    return clock_micros(digits // 10000, digits // 100 % 100, digits % 100, _NO_MICROS, v < 0)


@inlined
def read_old_datetime(data, p, fsp, zero_dates):
    """Return the microseconds of a DATETIME from before MySQL 5.6.4, digits YYYYMMDDhhmmss.

    With `fsp`, of one from before MariaDB 10.1: each field multiplies what comes before it.
    """
    if fsp > 0:
        if load_u1(data, p) > 127:
            return BAD_FIELD
        v = load_be(data, p, np.int64(DATETIME_WIDTHS[fsp])) * np.int64(1)
        per_second = 1000000 // _UNIT_MICROS[fsp]
        micros = v % per_second * _UNIT_MICROS[fsp]
        v //= per_second
        seconds = v // 3600 % 24 * 3600 + v % 3600
        v //= 86400
        days = days_of(v // 416, v // 32 % 13, v % 32, zero_dates)
        return moment_of(days, seconds, micros)
    v = load_u8(data, p)
    date, time = v // 1000000, v % 1000000
    hour, minute, second = time // 10000, time // 100 % 100, time % 100
    if v < 0 or hour > 23 or minute > 59 or second > 59 or date % 100 > 31:
        return BAD_FIELD
    days = days_of(date // 10000, date // 100 % 100, date % 100, zero_dates)
    return moment_of(days, hour * 3600 + minute * 60 + second, _NO_MICROS)


def _filler(read):
    """Return the kernel that writes a column of what a `read_` function returns."""

    @inlined
    def fill_column(data, pos, first, last, row, zero_dates, out, where):
        """Write values [first, last); return the nulls made of zero dates, or a RowStatus.

        Args:
            row: of the column in the table of `fill`.
            zero_dates: one of ZeroDates.
            out: the arena, seen as integers of the width of the values.
            where: of the bad value, if the status is one.
        """
        base = row[ColumnField.VALUES] // out.itemsize
        fsp = row[ColumnField.PARAM1] - 8 * row[ColumnField.PARAM2]
        nulls = np.int64(0)
        for i in range(first, last):
            p = np.int64(pos[i])
            out[base + i] = 0
            if p < 0:
                continue
            value = read(data, p, fsp, zero_dates)
            if value > NO_DATE:
                out[base + i] = value
                continue
            where[0] = i
            if value == BAD_FIELD:
                return np.int64(RowStatus.BAD_TIME)
            if zero_dates == ZeroDates.EXCEPTION:
                return np.int64(RowStatus.BAD_DATE)
            pos[i] = Pos.NULL
            nulls += 1
        return nulls

    return fill_column


fill_dates = _filler(read_date)
fill_datetimes2 = _filler(read_datetime2)
fill_timestamps = _filler(read_timestamp)
fill_times2 = _filler(read_time2)
fill_old_times = _filler(read_old_time)
fill_old_datetimes = _filler(read_old_datetime)
