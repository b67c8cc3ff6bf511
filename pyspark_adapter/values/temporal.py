"""Dates and times in the packed forms of the server, as days or microseconds.

Source: `sql-common/my_time.cc` and `sql/field.cc` of the server.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels.fractions import TIME_BIAS

_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
_DAY_MICROS = 86_400_000_000
_SECOND_MICROS = 1_000_000

# The policies of option zeroDateTimeBehavior.
TO_NULL, TO_ROUND = "CONVERT_TO_NULL", "ROUND"
ZERO_DATE_ADVICE: Final = "option zeroDateTimeBehavior=CONVERT_TO_NULL reads such dates as null"


def decode_date(data: bytes, policy: str) -> int | None:
    """Return days since 1970-01-01; None for a zero or impossible date, if that is the policy.

    >>> decode_date(bytes.fromhex("74d50f"), TO_NULL)  # 2026-11-20
    20777

    Raises:
        CorruptEventError: for such a date, if the policy is an error; for a month beyond 12 or a
            year beyond 9999.
    """
    packed = int.from_bytes(data, "little")
    return _days(packed >> 9, packed >> 5 & 15, packed & 31, policy)


def decode_datetime2(data: bytes, fsp: int, policy: str) -> int | None:
    """Return microseconds of wall time since 1970-01-01 00:00:00, without a zone.

    Raises:
        CorruptEventError: as `decode_date`; for a field out of its range.
    """
    packed = int.from_bytes(data[:5], "big") - (1 << 39)
    if packed < 0:
        raise CorruptEventError(f"DATETIME with a clear sign bit: {data.hex(' ')}")
    year_month = packed >> 22
    micros = _clock(packed >> 12 & 31, packed >> 6 & 63, packed & 63, 23)
    days = _days(year_month // 13, year_month % 13, packed >> 17 & 31, policy)
    fraction = _fraction(int.from_bytes(data[5:], "big"), fsp)
    return None if days is None else days * _DAY_MICROS + micros + fraction


def decode_old_datetime(data: bytes, policy: str, fsp: int = 0) -> int | None:
    """Return the same of a DATETIME from before MySQL 5.6.4, decimal digits YYYYMMDDhhmmss.

    With a fraction it is from before MariaDB 10.1: `pack_time` and `Field_datetime_hires`.

    Raises:
        CorruptEventError: as `decode_datetime2`.
    """
    if fsp:
        rest, fraction = divmod(int.from_bytes(data, "big"), 10**fsp)
        rest, seconds = divmod(rest, 86_400)
        days = _days(rest // 416, rest // 32 % 13, rest % 32, policy)
        micros = seconds * _SECOND_MICROS + fraction * 10 ** (6 - fsp)
        return None if days is None else days * _DAY_MICROS + micros
    packed = int.from_bytes(data, "little")
    day, time = divmod(packed, 1_000_000)
    micros = _clock(time // 10_000, time // 100 % 100, time % 100, 23)
    days = _days(day // 10_000, day // 100 % 100, day % 100, policy)
    return None if days is None else days * _DAY_MICROS + micros


def decode_timestamp(seconds: int, fraction: int, fsp: int, policy: str) -> int | None:
    """Return microseconds since 1970-01-01 UTC; 0 is 0000-00-00 00:00:00; raises CorruptEventError.

    MariaDB takes 1970-01-01 00:00:00.5 for a moment, and MySQL does not write it.
    """
    micros = _fraction(fraction, fsp)
    if seconds != 0 or micros != 0:
        return seconds * _SECOND_MICROS + micros
    days = _days(0, 0, 0, policy)
    return None if days is None else days * _DAY_MICROS


def decode_time2(data: bytes, fsp: int) -> int:
    """Return microseconds, from -838:59:59 to 838:59:59; raises CorruptEventError.

    Whole and fraction are one number with a bias, so that a negative time is negated as a whole.

    >>> decode_time2(bytes.fromhex("7fffffce"), 1)  # -00:00:00.5
    -500000
    """
    bits = 8 * (len(data) - 3)
    packed = int.from_bytes(data, "big") - (0x800000 << bits)
    whole, fraction = abs(packed) >> bits, abs(packed) & ((1 << bits) - 1)
    micros = _clock(whole >> 12, whole >> 6 & 63, whole & 63, 838) + _fraction(fraction, fsp)
    return -micros if packed < 0 else micros


def decode_old_time(data: bytes, fsp: int = 0) -> int:
    """Return the same of a TIME from before MySQL 5.6.4, decimal digits HHHMMSS.

    With a fraction it is from before MariaDB 10.1: `Field_time_hires`.

    Raises:
        CorruptEventError: as `decode_time2`.
    """
    if fsp:
        units = int.from_bytes(data, "big") - TIME_BIAS * 10**fsp
        if abs(units) >= TIME_BIAS * 10**fsp:
            raise CorruptEventError(f"time of {units} units of 10^-{fsp} s is out of range")
        return int(units * 10 ** (6 - fsp))
    packed = int.from_bytes(data, "little", signed=True)
    digits = abs(packed)
    micros = _clock(digits // 10_000, digits // 100 % 100, digits % 100, 838)
    return -micros if packed < 0 else micros


def _days(year: int, month: int, day: int, policy: str) -> int | None:
    if month > 12 or year > 9999 or day > 31:
        raise CorruptEventError(f"date {year}-{month}-{day}: month, year or day out of range")
    try:
        return date(year, month, day).toordinal() - _EPOCH_ORDINAL
    except ValueError:
        pass
    if policy == TO_NULL:
        return None
    year, month, day = max(year, 1), max(month, 1), max(day, 1)
    while True:  # back to the last day that the month has
        try:
            return date(year, month, day).toordinal() - _EPOCH_ORDINAL
        except ValueError:
            day -= 1


def _clock(hours: int, minutes: int, seconds: int, most_hours: int) -> int:
    if hours > most_hours or minutes > 59 or seconds > 59:
        raise CorruptEventError(f"time {hours}:{minutes}:{seconds} is out of range")
    return (hours * 3600 + minutes * 60 + seconds) * _SECOND_MICROS


def _fraction(raw: int, fsp: int) -> int:
    """Return the microseconds of a fraction, which is stored in pairs of digits."""
    micros = int(raw * 10 ** (6 - (fsp + 1) // 2 * 2))
    if micros >= _SECOND_MICROS:
        raise CorruptEventError(f"fraction {raw} of a second is out of range")
    return micros
