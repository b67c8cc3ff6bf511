"""Checks of options.

A check takes the name of an option and its value, and returns the value for `BinlogOptions`. It
raises OptionError for an invalid value.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Final

from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.filter_values import in_utc, parse_instant
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.stream_offset import GtidStart, StreamOffset
from pyspark_adapter.options.table_name import TableName

# Shown instead of a secret.
HIDDEN: Final = "***"


def refuse(option: str, value: object, allowed: str) -> OptionError:
    """Return the error for an invalid value."""
    return OptionError(
        f"option {option}: expected {allowed}, got {value!r}",
        option=option,
        value=str(value),
        allowed=allowed,
    )


def unknown_option(key: str, value: object, names: Iterable[str], caller: str) -> OptionError:
    """Return the error for an unknown option; it proposes the nearest name.

    Args:
        key: the name given.
        value: its value.
        names: of all options, as the caller spells them.
        caller: Python or Spark.
    """
    by_letters = {_letters(name): name for name in names}
    allowed = ", ".join(by_letters.values())
    reason = f"expected one of the options {allowed}"
    if _letters(key) in by_letters:
        reason = f"expected {by_letters[_letters(key)]}, as {caller} spells it"
    elif near := get_close_matches(_letters(key), by_letters, n=1):
        reason = f"no such option; did you mean {by_letters[near[0]]}?"
    is_secret = re.search("pass|pwd|secret", key.lower())  # a misspelt password
    shown = HIDDEN if is_secret else str(value)
    return OptionError(f"option {key}: {reason}", option=key, value=shown, allowed=allowed)


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def one_of(*allowed: str) -> Callable[[str, Any], str]:
    """Return a check for one of several words, in any case."""

    def check(option: str, value: Any) -> str:
        for word in allowed:
            if str(value).lower() == word.lower():
                return word
        raise refuse(option, value, " | ".join(allowed))

    return check


def one_of_or_none(*allowed: str) -> Callable[[str, Any], str | None]:
    """Return a check for one of several words, in any case, or None."""
    check = one_of(*allowed)
    return lambda option, value: None if value is None else check(option, value)


def a_path(option: str, value: Any) -> str | None:
    """Check the path of a file, or None."""
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise refuse(option, value, "the path of a file")
    return os.path.expanduser(os.fspath(value))  # noqa: PTH111  # as text


def a_word(option: str, value: Any) -> str | None:
    """Check a text that is not empty and has no control characters, or None."""
    if value is None:
        return None
    if not isinstance(value, str) or not value or not value.isprintable():
        raise refuse(option, value, "a name")
    return value


def split_port(option: str, value: str) -> tuple[str, int | None]:
    """Return the host and port of a server; an IPv6 address before a port is in brackets.

    >>> split_port("host", "db1:3307"), split_port("host", "[::1]"), split_port("host", "::1")
    (('db1', 3307), ('::1', None), ('::1', None))
    """
    match = re.fullmatch(r"(?:\[([^\[\]]+)\]|([^\[\]:]+))(?::([0-9]{1,5}))?", value)
    if match is not None and (match[3] is None or 0 < int(match[3]) < 65536):
        return match[1] or match[2], int(match[3]) if match[3] else None
    if value.count(":") > 1 and not re.search(r"[\[\]]", value):
        return value, None
    raise refuse(option, value, "a name or address, perhaps with a port: db1:3307, [::1]:3307")


def a_secret(option: str, value: Any) -> str | None:
    """Check a text, or None. Errors do not show it."""
    if value is not None and not isinstance(value, str):
        raise refuse(option, HIDDEN, "a text")
    return value


def a_boolean(option: str, value: Any) -> bool:
    """Check true or false."""
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    raise refuse(option, value, "true | false")


def an_integer(low: int, high: int, reason: str = "") -> Callable[[str, Any], int]:
    """Return a check for an integer within bounds. Suffixes k, m and g are 2^10, 2^20 and 2^30.

    Args:
        low, high: least and greatest value allowed.
        reason: appended to the message, after a comma.
    """

    def check(option: str, value: Any) -> int:
        match = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", str(value).strip().lower())
        if match is not None and not isinstance(value, bool):
            number = int(match[1]) * {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[match[2]]
            if low <= number <= high:
                return number
        allowed = f"an integer from {low} to {high}"
        raise refuse(option, value, f"{allowed}, {reason}" if reason else allowed)

    return check


def an_integer_or_none(low: int, high: int) -> Callable[[str, Any], int | None]:
    """Return a check as `an_integer` does; None is valid too."""
    check = an_integer(low, high)
    return lambda option, value: None if value is None else check(option, value)


def a_stream_start(option: str, value: Any) -> str | StreamOffset | GtidStart:
    """Check the start of a stream: a word, a position (JSON or `log:position`), or GTIDs (JSON)."""
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
    """Check a pattern of file names, or None."""
    if value is None:
        return None
    if not isinstance(value, str) or not value or "/" in value:
        raise refuse(option, value, "a pattern of file names, such as binlog.0000*")
    return value


def a_table(_option: str, value: Any) -> TableName | None:
    """Check a table, or None."""
    if value is None or isinstance(value, TableName):
        return value
    return TableName.parse(str(value))


def some_names(option: str, value: Any) -> tuple[str, ...] | None:
    """Check distinct names, separated by commas, or None."""
    if value is None:
        return None
    parts = value.split(",") if isinstance(value, str) else list(value)
    names = tuple(str(part).strip() for part in parts)
    if names == ("",):
        return ()
    if not all(names) or len(set(names)) != len(names):
        raise refuse(option, value, "distinct names, separated by commas")
    return names


def parsed_by(parse: Callable[[str], Any], item: type | None, allowed: str) -> Callable[..., Any]:
    """Return a check for a text, a list of its items, a value that was parsed before, or None.

    Args:
        parse: returns an `item`, or a tuple of them; raises ValueError.
        item: type of the parsed items; None if they are texts, which are parsed again.
        allowed: for the error message.
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
    """Check a time, or None."""
    if value is None:
        return None
    try:
        return in_utc(value) if isinstance(value, datetime) else parse_instant(str(value))
    except ValueError as error:
        allowed = "a time such as 2026-11-21T12:34:56Z, or seconds since 1970"
        raise refuse(option, value, allowed) from error


a_position: Final = parsed_by(
    LogPosition.parse, LogPosition, "log:position, such as binlog.000012:4711"
)
a_gtid_set: Final = parsed_by(
    GtidSet.parse,
    GtidSet,
    "GTIDs such as uuid:1-5:7, uuid:tag:3; of MariaDB 0-1-42, 0-1-42-50",
)
