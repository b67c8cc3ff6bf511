"""Checks of the values of options.

Each takes an option's name and a value, and returns the value as `BinlogOptions` keeps it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.filter_values import in_utc, parse_instant
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.stream_offset import GtidStart, StreamOffset
from pyspark_adapter.options.table_name import TableName

# Shown in place of a secret.
HIDDEN: Final = "***"


def refuse(option: str, value: object, allowed: str) -> OptionError:
    """Return the error for a value that is not allowed."""
    return OptionError(
        f"option {option}: expected {allowed}, got {value!r}",
        option=option,
        value=str(value),
        allowed=allowed,
    )


def one_of(*allowed: str) -> Callable[[str, Any], str]:
    """Return a check that takes one of some words, in any case."""

    def check(option: str, value: Any) -> str:
        for word in allowed:
            if str(value).lower() == word.lower():
                return word
        raise refuse(option, value, " | ".join(allowed))

    return check


def one_of_or_none(*allowed: str) -> Callable[[str, Any], str | None]:
    """Return a check that takes one of some words, in any case, or nothing."""
    check = one_of(*allowed)
    return lambda option, value: None if value is None else check(option, value)


def a_path(option: str, value: Any) -> str | None:
    """Take the path of a file, or nothing."""
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise refuse(option, value, "the path of a file")
    return os.fspath(value)


def a_word(option: str, value: Any) -> str | None:
    """Take a text that is not empty and has no line breaks or other controls in it, or nothing."""
    if value is None:
        return None
    if not isinstance(value, str) or not value or not value.isprintable():
        raise refuse(option, value, "a name")
    return value


def a_secret(option: str, value: Any) -> str | None:
    """Take any text, or nothing; it is never shown."""
    if value is not None and not isinstance(value, str):
        raise refuse(option, HIDDEN, "a text")
    return value


def a_boolean(option: str, value: Any) -> bool:
    """Take true or false."""
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    raise refuse(option, value, "true | false")


def an_integer(low: int, high: int) -> Callable[[str, Any], int]:
    """Return a check that takes a whole number within bounds; bytes may carry k, m or g."""

    def check(option: str, value: Any) -> int:
        match = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", str(value).strip().lower())
        if match is not None and not isinstance(value, bool):
            number = int(match[1]) * {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[match[2]]
            if low <= number <= high:
                return number
        raise refuse(option, value, f"a whole number from {low} to {high}")

    return check


def an_integer_or_none(low: int, high: int) -> Callable[[str, Any], int | None]:
    """Return a check as `an_integer` does, that also takes nothing."""
    check = an_integer(low, high)
    return lambda option, value: None if value is None else check(option, value)


def a_stream_start(option: str, value: Any) -> str | StreamOffset | GtidStart:
    """Take where a stream begins: a word, a place as JSON or `log:position`, or GTIDs as JSON."""
    if isinstance(value, (StreamOffset, GtidStart)):
        return value
    text = str(value).strip()
    if text.lower() in ("earliest", "latest"):
        return text.lower()
    try:
        if not text.startswith("{"):
            position = LogPosition.parse(text)
            text = json.dumps({"log_file": position.log_name, "pos": position.start_pos})
        found = json.loads(text)
        return GtidStart.from_json(found) if "gtids" in found else StreamOffset.from_json(found)
    except (ValueError, RecursionError) as error:
        allowed = (
            'earliest | latest | {"log_file": "binlog.000012", "pos": 4711} | {"gtids": "..."}'
        )
        raise refuse(option, value, allowed) from error


def a_pattern(option: str, value: Any) -> str | None:
    """Take a pattern of file names, or nothing."""
    if value is None:
        return None
    if not isinstance(value, str) or not value or "/" in value:
        raise refuse(option, value, "a pattern of file names, such as binlog.0000*")
    return value


def a_table(_option: str, value: Any) -> TableName | None:
    """Take a table, or nothing."""
    if value is None or isinstance(value, TableName):
        return value
    return TableName.parse(str(value))


def some_names(option: str, value: Any) -> tuple[str, ...] | None:
    """Take different names, separated by commas, or nothing."""
    if value is None:
        return None
    parts = value.split(",") if isinstance(value, str) else list(value)
    names = tuple(str(part).strip() for part in parts)
    if names == ("",):
        return ()
    if not all(names) or len(set(names)) != len(names):
        raise refuse(option, value, "different names, separated by commas")
    return names


def parsed_by(parse: Callable[[str], Any], item: type | None, allowed: str) -> Callable[..., Any]:
    """Return a check that takes nothing, a text, a list of its parts, or what was parsed before.

    Args:
        parse: gives what a text says, one `item` or a tuple of them; raises ValueError.
        item: what is parsed already; None where that is parsed again.
        allowed: for the message.
    """

    def check(option: str, value: Any) -> Any:
        items = value if isinstance(value, (list, tuple)) else [value]
        if value is None or (item and items and all(type(one) is item for one in items)):
            return value
        try:
            return parse(",".join(map(str, items)))
        except ValueError as error:
            raise refuse(option, value, allowed) from error

    return check


def an_instant(option: str, value: Any) -> datetime | None:
    """Take a time, or nothing."""
    if value is None:
        return None
    try:
        return in_utc(value) if isinstance(value, datetime) else parse_instant(str(value))
    except ValueError as error:
        allowed = "a time as 2026-11-21T12:34:56Z, or seconds since 1970"
        raise refuse(option, value, allowed) from error


a_position: Final = parsed_by(LogPosition.parse, LogPosition, "log:position, as binlog.000012:4711")
a_gtid_set: Final = parsed_by(
    GtidSet.parse, GtidSet, "GTIDs as uuid:1-5:7 or uuid:tag:3, of MariaDB as 0-1-42 or 0-1-42-50"
)
