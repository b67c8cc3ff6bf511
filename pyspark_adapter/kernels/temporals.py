"""Dates and times into Arrow's buffers, as days or microseconds, since 1970-01-01 where absolute.

Each function writes values [first, last) of a column and returns how many of them it has made null,
or a status below zero; the index of the bad value is then in `where[0]`. What a zero or impossible
date becomes is decided by `zero_dates`, one of the ZERO_DATES_ codes.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import inlined
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
_DAY_MICROS = 86400000000
_FIRST = np.int64(1)
_13 = np.uint64(13)  # months that a year has when it is packed

# What `days_of` returns instead of days.
_NO_DATE = np.int64(-(1 << 40))
_BAD_FIELD = np.int64(-(1 << 41))


@inlined
def days_of(year, month, day, zero_dates):
    """Return days since 1970-01-01, or _NO_DATE, or _BAD_FIELD."""
    if month > 12 or year > 9999 or month < 0 or year < 0:
        return _BAD_FIELD
    if year == 0 or month == 0 or day == 0:
        if zero_dates != lay.ZERO_DATES_ROUND:
            return _NO_DATE
        year, month, day = max(year, 1), max(month, 1), max(day, 1)
    first = _YEAR_DAYS[year]
    is_leap = 1 if _YEAR_DAYS[year + 1] - first == 366 else 0
    if day > _MONTH_LENGTHS[is_leap, month]:
        if zero_dates != lay.ZERO_DATES_ROUND:
            return _NO_DATE
        day = _MONTH_LENGTHS[is_leap, month]
    return first + _MONTH_DAYS[is_leap, month] + day - 1


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
def no_date(pos, i, where, days, zero_dates):
    """Make a value null and return 1, or return the status of its error."""
    where[0] = i
    if days == _BAD_FIELD:
        return np.int64(lay.BAD_TIME)
    if zero_dates == lay.ZERO_DATES_ERROR:
        return np.int64(lay.BAD_DATE)
    pos[i] = lay.POS_NULL
    return np.int64(1)


@inlined
def fill_dates(data, pos, first, last, zero_dates, out, base, where):
    """Write DATE values as int32 days."""
    nulls = np.int64(0)
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + i] = 0
        if p < 0:
            continue
        v = load_u3(data, p)
        days = days_of(v >> 9, (v >> 5) & 15, v & 31, zero_dates)
        if days <= _NO_DATE:
            status = no_date(pos, i, where, days, zero_dates)
            if status < 0:
                return status
            nulls += status
        else:
            out[base + i] = days
    return nulls


@inlined
def fill_datetimes2(data, pos, first, last, fsp, zero_dates, out, base, where):
    """Write DATETIME values as int64 microseconds of wall time."""
    num_bytes = (fsp + 1) >> 1
    nulls = np.int64(0)
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + i] = 0
        if p < 0:
            continue
        v = ((load_u1(data, p) << 32) | load_be4(data, p + 1)) - 0x8000000000
        year_month = v >> 22
        seconds = day_seconds(v & 0x1FFFF)
        micros = fraction_micros(data, p + 5, num_bytes)
        days = _BAD_FIELD
        if v >= 0 and seconds >= 0 and micros >= 0:
            year = np.int64(np.uint64(year_month) // _13)
            days = days_of(year, year_month - year * 13, (v >> 17) & 31, zero_dates)
        if days <= _NO_DATE:
            status = no_date(pos, i, where, days, zero_dates)
            if status < 0:
                return status
            nulls += status
        else:
            out[base + i] = days * _DAY_MICROS + seconds * 1000000 + micros
    return nulls


@inlined
def fill_timestamps(data, pos, first, last, fsp, zero_dates, out, base, where):
    """Write TIMESTAMP values as int64 microseconds UTC; `fsp` -1 is the form before MySQL 5.6.4."""
    num_bytes = (fsp + 1) >> 1
    nulls = np.int64(0)
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + i] = 0
        if p < 0:
            continue
        if fsp < 0:
            seconds, micros = load_u4(data, p), np.int64(0)
        else:
            seconds = load_be4(data, p)
            micros = fraction_micros(data, p + 4, num_bytes)
        if micros < 0:
            where[0] = i
            return np.int64(lay.BAD_TIME)
        if seconds == 0 and micros == 0:  # 0000-00-00 00:00:00
            if zero_dates == lay.ZERO_DATES_ROUND:
                out[base + i] = days_of(_FIRST, _FIRST, _FIRST, zero_dates) * _DAY_MICROS
            else:
                status = no_date(pos, i, where, _NO_DATE, zero_dates)
                if status < 0:
                    return status
                nulls += status
        else:
            out[base + i] = seconds * 1000000 + micros
    return nulls


@inlined
def fill_times2(data, pos, first, last, fsp, out, base, where):
    """Write TIME values as int64 microseconds, from -838:59:59 to 838:59:59."""
    num_bytes = (fsp + 1) >> 1
    bits = 8 * num_bytes
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + i] = 0
        if p < 0:
            continue
        # Whole and fraction are one number: a negative time has to be negated as a whole.
        v = load_be(data, p, 3 + num_bytes) - (np.int64(0x800000) << bits)
        magnitude = abs(v)
        whole = magnitude >> bits
        micros = (magnitude & ((np.int64(1) << bits) - 1)) * _FRACTION_MICROS[num_bytes & 3]
        hour, minute, second = whole >> 12, (whole >> 6) & 63, whole & 63
        if hour > 838 or minute > 59 or second > 59 or micros > 999999:
            where[0] = i
            return np.int64(lay.BAD_TIME)
        total = (hour * 3600 + minute * 60 + second) * 1000000 + micros
        out[base + i] = -total if v < 0 else total
    return np.int64(0)


@inlined
def fill_old_times(data, pos, first, last, out, base, where):
    """Write TIME values from before MySQL 5.6.4, decimal digits HHHMMSS, as int64 microseconds."""
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + i] = 0
        if p < 0:
            continue
        v = load_u3(data, p)
        v = (v ^ 0x800000) - 0x800000
        magnitude = abs(v)
        hour, minute, second = magnitude // 10000, magnitude // 100 % 100, magnitude % 100
        if hour > 838 or minute > 59 or second > 59:
            where[0] = i
            return np.int64(lay.BAD_TIME)
        total = (hour * 3600 + minute * 60 + second) * 1000000
        out[base + i] = -total if v < 0 else total
    return np.int64(0)


@inlined
def fill_old_datetimes(data, pos, first, last, zero_dates, out, base, where):
    """Write DATETIME values from before MySQL 5.6.4, digits YYYYMMDDhhmmss, as int64 micros."""
    nulls = np.int64(0)
    for i in range(first, last):
        p = np.int64(pos[i])
        out[base + i] = 0
        if p < 0:
            continue
        v = load_u8(data, p)
        date, time = v // 1000000, v % 1000000
        hour, minute, second = time // 10000, time // 100 % 100, time % 100
        days = _BAD_FIELD
        if v >= 0 and hour < 24 and minute < 60 and second < 60 and date % 100 < 32:
            days = days_of(date // 10000, date // 100 % 100, date % 100, zero_dates)
        if days <= _NO_DATE:
            status = no_date(pos, i, where, days, zero_dates)
            if status < 0:
                return status
            nulls += status
        else:
            seconds = hour * 3600 + minute * 60 + second
            out[base + i] = days * _DAY_MICROS + seconds * 1000000
    return nulls
