"""Times as people type them: relative ones, and those of a time zone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from pyspark_adapter.errors import OptionError

TIMEZONE: Final = "--timezone"
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGO: Final = re.compile(r"-([0-9]{1,9})([smhdw])")
_DAY: Final = re.compile(r"(today|yesterday)(?:[ T]([0-9:.]+))?")
_DAYS_AGO: Final = {"today": 0, "yesterday": 1}


def with_joined_times(words: Sequence[str]) -> list[str]:
    """Return the words of a command, where a time that begins with a minus belongs to its flag.

    >>> with_joined_times(["rows", "--since", "-2h", "log"])
    ['rows', '--since=-2h', 'log']
    """
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("--at", "--since", "--until") and _AGO.fullmatch(word):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def zone_of(name: str) -> tzinfo:
    """Return a time zone; raises OptionError if this machine knows none of the name."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError) as error:
        raise OptionError(
            f"{TIMEZONE}: expected the name of a time zone, such as Europe/Berlin, got {name!r}",
            option="timezone",
            value=name,
        ) from error


def absolute_time(name: str, text: str, zone: tzinfo, now: datetime) -> str:
    """Return a time as the options of the reader take it; raises OptionError.

    Args:
        name: of the option or flag, for messages.
        text: `-2h` (units s, m, h, d, w), `now`, `today`, `yesterday 18:00`, or another time.
        zone: of times without an offset.
        now: the present time, with an offset.

    >>> utc = zone_of("UTC")
    >>> now = datetime(2026, 11, 24, 12, 30, tzinfo=utc)
    >>> absolute_time("", "-2h", utc, now), absolute_time("", "yesterday 18:00", utc, now)
    ('2026-11-24T10:30:00+00:00', '2026-11-23T18:00:00+00:00')
    >>> absolute_time("", "2026-11-20", zone_of("Asia/Tokyo"), now)
    '2026-11-20T00:00:00+09:00'
    """
    word = text.strip().lower()
    try:
        if word == "now":
            return now.isoformat()
        if (ago := _AGO.fullmatch(word)) is not None:
            return (now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})).isoformat()
        if (day := _DAY.fullmatch(word)) is not None:
            date = now.astimezone(zone).date() - timedelta(days=_DAYS_AGO[day[1]])
            of_day = time.fromisoformat(day[2]) if day[2] else time()
            return datetime.combine(date, of_day, zone).isoformat()
        instant = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        # `mysql-binlog-spark --help` loads no options of the reader.
        from pyspark_adapter.options.filter_values import parse_instant

        try:
            parse_instant(text)
        except ValueError:
            raise OptionError(
                f"{name}: expected a time such as 2026-11-21T12:34:56Z, -2h or 'yesterday 18:00',"
                f" or seconds since 1970, got {text!r}",
                value=text,
            ) from None
        return text
    return instant.replace(tzinfo=zone).isoformat() if instant.tzinfo is None else text
