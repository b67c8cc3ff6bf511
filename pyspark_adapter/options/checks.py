"""Checks of options: what a value may be, and how it is parsed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

from pyspark_adapter.charsets.charset import CHARSETS
from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.filter_values import (
    ServerIds,
    in_utc,
    parse_change_types,
    parse_instant,
    parse_keys,
    parse_server_ids,
)
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import GtidStart, LogPosition, StreamOffset
from pyspark_adapter.options.name_patterns import (
    NamePattern,
    TablePattern,
    parse_database_patterns,
    parse_table_patterns,
)
from pyspark_adapter.options.table_name import TableName

# Shown instead of a secret.
HIDDEN: Final = "***"


@dataclass(frozen=True)
class Check:
    """What an option takes.

    Attributes:
        values: the values, for the documentation.
        allowed: the values, for an error.
        parse: returns the value for `BinlogOptions`; raises ValueError or TypeError for an invalid
            one. A parsed value passes again.
        is_secret: whether messages hide the value.
        takes_several: whether values may be joined by commas.
    """

    values: str
    allowed: str
    parse: Callable[[Any], Any]
    is_secret: bool = False
    takes_several: bool = False


def refuse(option: str, value: object, allowed: str) -> OptionError:
    """Return the error for an invalid value; one that was parsed is shown as text."""
    shown = str(value) if isinstance(value, TableName) else value
    return OptionError(
        f"option {option}: expected {allowed}, got {shown!r}",
        option=option,
        value=str(value),
        allowed=allowed,
    )


def unknown_option(key: str, value: object, names: Iterable[str], caller: str) -> OptionError:
    """Return the error for an unknown option; it proposes the nearest name.

    Args:
        key: the unknown name.
        names: of all options, as the caller spells them.
        caller: Python or Spark.
    """
    by_letters = {_letters(name): name for name in names}
    allowed = ", ".join(by_letters.values())
    reason = "no such option; help(pyspark_adapter.BinlogOptions) lists them"
    if _letters(key) in by_letters:
        reason = f"expected {by_letters[_letters(key)]}, as {caller} spells it"
    elif near := get_close_matches(_letters(key), by_letters, n=1):
        reason = f"no such option; did you mean {by_letters[near[0]]}?"
    is_secret = re.search("pass|pwd|secret", key.lower())  # a misspelt password
    shown = HIDDEN if is_secret else str(value)
    error = OptionError(f"option {key}: {reason}", option=key, value=shown, allowed=allowed)
    error.is_spelled = True  # as the caller does: there is no such option
    return error


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def split_port(option: str, value: str) -> tuple[str, int | None]:
    """Return the host and port of a server; an IPv6 address before a port is in brackets.

    Raises:
        OptionError: for another text.

    >>> split_port("host", "db1:3307"), split_port("host", "[::1]"), split_port("host", "::1")
    (('db1', 3307), ('::1', None), ('::1', None))
    """
    match = re.fullmatch(r"(?:\[([^\[\]]+)\]|([^\[\]:]+))(?::([0-9]{1,5}))?", value)
    if match is not None and (match[3] is None or 0 < int(match[3]) < 65536):
        return match[1] or match[2], int(match[3]) if match[3] else None
    if value.count(":") > 1 and not re.search(r"[\[\]]", value):
        return value, None
    raise refuse(option, value, "a name or address, perhaps with a port: db1:3307, [::1]:3307")


def one_of(*words: str, values: str = "") -> Check:
    """Return a check for one of several words, in any case."""

    def parse(value: Any) -> str:
        for word in words:
            if str(value).lower() == word.lower():
                return word
        raise ValueError(value)

    return Check(values or ", ".join(words), " | ".join(words), parse)


def an_integer(low: int, high: int) -> Check:
    """Return a check for an integer from `low` to `high`, with a suffix or without."""
    values = f"{low} and more" if high >= 1 << 31 else f"{low} to {high}"
    return Check(values, f"an integer from {low} to {high}", _integer_parser(low, high))


def a_size(low: int, high: int, reason: str = "") -> Check:
    """Return a check as `an_integer` does, for a number of bytes."""
    allowed = f"an integer from {low} to {high}{', ' if reason else ''}{reason}"
    return Check(f"{_short(low)} to {_short(high)}", allowed, _integer_parser(low, high))


def _short(number: int) -> str:
    shift = max(shift for shift in _SUFFIXES.values() if number % (1 << shift) == 0)
    return f"{number >> shift}{next(suffix for suffix in _SUFFIXES if _SUFFIXES[suffix] == shift)}"


def _integer_parser(low: int, high: int) -> Callable[[Any], int]:
    def parse(value: Any) -> int:
        match = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", str(value).strip().lower())
        if match is not None and not isinstance(value, bool):
            number = int(match[1]) << _SUFFIXES[match[2]]
            if low <= number <= high:
                return number
        raise ValueError(value)

    return parse


def _parsed_by(parse: Callable[[str], Any], item: type | None, values: str, allowed: str) -> Check:
    """Return a check for a text, a list of its items, or a value that was parsed before.

    Args:
        parse: returns an `item`, or a tuple of them; raises ValueError.
        item: type of the parsed items; None if they are texts, which are parsed again.
        values, allowed: see `Check`.
    """

    def parse_all(value: Any) -> Any:
        is_list = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
        items = value if is_list else [value]
        if item and items and all(type(one) is item for one in items):
            return value
        return parse(",".join(map(str, items)))

    return Check(values, allowed, parse_all, takes_several=True)


def _boolean(value: Any) -> bool:
    text = str(value).lower()
    if text not in ("true", "false"):
        raise ValueError(value)
    return text == "true"


def _path(value: Any) -> str:
    path = os.fspath(value)
    if not isinstance(path, str) or not path or "\0" in path:
        raise ValueError(value)
    return os.path.expanduser(path)  # noqa: PTH111  # as text


def _word(value: Any) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise ValueError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError  # without the value, which may be a secret
    return value


def _pattern(value: Any) -> str:
    if not isinstance(value, str) or not value or "/" in value:
        raise ValueError(value)
    return value


def _stream_start(value: Any) -> str | StreamOffset | GtidStart:
    if isinstance(value, (StreamOffset, GtidStart)):
        return value
    text = str(value).strip()
    if text.lower() in ("earliest", "latest", "ddl"):
        return text.lower()
    if not text.startswith("{"):
        position = LogPosition.parse(text)
        return StreamOffset.from_json({"log_file": position.log_name, "pos": position.start_pos})
    values = json.loads(text)
    return StreamOffset.from_json(values) if "log_file" in values else GtidStart.from_json(values)


def _table(value: Any) -> TableName:
    return value if isinstance(value, TableName) else TableName.parse(str(value))


def _names(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else list(value)
    names = tuple(str(part).strip() for part in parts)
    if names == ("",):
        return ()
    if not all(names) or len(set(names)) != len(names):
        raise ValueError(value)
    return names


def _position(value: Any) -> LogPosition:
    return value if isinstance(value, LogPosition) else LogPosition.parse(str(value))


def _instant(value: Any) -> datetime:
    return in_utc(value) if isinstance(value, datetime) else parse_instant(str(value))


# Suffixes of sizes, by their power of 2.
_SUFFIXES: Final = MappingProxyType({"": 0, "k": 10, "m": 20, "g": 30})

a_boolean: Final = Check("true, false", "true | false", _boolean)
a_charset: Final = one_of(*sorted(CHARSETS), values="binary, or any of the servers")
a_path: Final = Check("path of a file", "the path of a file", _path)
a_word: Final = Check("name", "a name", _word)
a_secret: Final = Check("text", "a text", _text, is_secret=True)
a_pattern: Final = Check(
    "pattern of names", "a pattern of file names, such as binlog.0000*", _pattern
)
a_table: Final = Check("database.table", "", _table)
some_names: Final = Check(
    "names, comma-separated", "distinct names, separated by commas", _names, takes_several=True
)
an_instant: Final = Check(
    "ISO 8601, or seconds since 1970",
    "a time such as 2026-11-21T12:34:56Z, or seconds since 1970",
    _instant,
)
a_stream_start: Final = Check(
    "earliest, latest, ddl, JSON",
    'earliest | latest | ddl | {"log_file": "binlog.000012", "pos": 4711} | {"gtids": "..."}',
    _stream_start,
)
a_position: Final = Check("log:position", "log:position, such as binlog.000012:4711", _position)
a_gtid_set: Final = _parsed_by(
    GtidSet.parse,
    GtidSet,
    "GTID set",
    "GTIDs such as uuid:1-5:7, uuid:tag:3; of MariaDB 0-1-42, 0-1-42-50",
)
some_keys: Final = Check(
    "keys, comma-separated, or JSON",
    'keys as 42,43, or JSON: [[42, 1], [42, 2]], [{"order_id": 42}]',
    parse_keys,
    takes_several=True,
)
some_databases: Final = _parsed_by(
    parse_database_patterns,
    NamePattern,
    "patterns, comma-separated",
    "patterns, separated by commas",
)
some_tables: Final = _parsed_by(
    parse_table_patterns,
    TablePattern,
    "patterns, comma-separated",
    "patterns database.table, separated by commas",
)
some_change_types: Final = _parsed_by(
    parse_change_types,
    None,
    "insert, update, update_preimage, update_postimage, delete, create, alter, rename, drop,"
    " truncate",
    "insert, update, delete, or images of updates; with option schemaChanges also create, alter,"
    " rename, drop, truncate",
)
some_server_ids: Final = _parsed_by(
    parse_server_ids, ServerIds, "numbers and ranges", "numbers and ranges as 1,5-9"
)
