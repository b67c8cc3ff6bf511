"""Values of options that filter rows: times, change types, servers, keys."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

# In the order of `kernels.layout.Change`. Not in `change_types`, which imports numpy.
CHANGE_TYPES: Final = ("insert", "update_preimage", "update_postimage", "delete")
# What statements do to tables; rows of these types come with the option schemaChanges.
SCHEMA_CHANGE_TYPES: Final = ("create", "alter", "rename", "drop", "truncate")
SNAPSHOT: Final = "snapshot"  # a row that was there; see the function `snapshot`

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UPDATE: Final = ("update_preimage", "update_postimage")
_MAX_SERVER_ID: Final = (1 << 32) - 1


class ServerIds(NamedTuple):
    """A range of server ids, both ends inclusive."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


def parse_instant(text: str) -> datetime:
    """Parse a time: ISO 8601, in UTC if it has no offset, or seconds since 1970-01-01 UTC.

    Digits after microseconds are dropped; floats have some.

    Raises:
        ValueError: if it is neither, or after the year 9999.

    >>> parse_instant("1763683200.5") == parse_instant("2025-11-21T01:00:00.5+01:00")
    True
    """
    text = text.strip()
    if (match := re.fullmatch(r"([0-9]{1,12})(?:\.([0-9]{1,6})[0-9]*)?", text)) is not None:
        micros = int(match[1]) * 1_000_000 + int((match[2] or "").ljust(6, "0"))
        try:
            return _EPOCH + timedelta(microseconds=micros)
        except OverflowError as error:
            raise ValueError(text) from error
    return in_utc(datetime.fromisoformat(text))


def in_utc(instant: datetime) -> datetime:
    """Convert a time to UTC; a time without an offset is in UTC.

    Raises:
        ValueError: if the result is outside the years 1 to 9999.
    """
    if instant.tzinfo is None:
        return instant.replace(tzinfo=UTC)
    try:
        return instant.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(str(instant)) from error


def micros_of(instant: datetime) -> int:
    """Return a time as microseconds since 1970-01-01 UTC."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def parse_change_types(text: str) -> tuple[str, ...]:
    """Parse change types, separated by commas; `update` means both images.

    Raises:
        ValueError: for an unknown type.

    >>> parse_change_types("delete, update")
    ('update_preimage', 'update_postimage', 'delete')
    """
    types: set[str] = set()
    for name in (part.strip().lower() for part in text.split(",")):
        if name not in (*CHANGE_TYPES, "update", *SCHEMA_CHANGE_TYPES):
            raise ValueError(name)
        types.update(_UPDATE if name == "update" else (name,))
    return tuple(name for name in (*CHANGE_TYPES, *SCHEMA_CHANGE_TYPES) if name in types)


def parse_server_ids(text: str) -> tuple[ServerIds, ...]:
    """Parse server ids and ranges of them, separated by commas.

    Raises:
        ValueError: if an id does not fit in 4 bytes, or a range ends before it begins.

    >>> parse_server_ids("1, 5-9")
    (ServerIds(first=1, last=1), ServerIds(first=5, last=9))
    """
    ids: list[ServerIds] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,10})\s*(?:-\s*([0-9]{1,10})\s*)?", part)
        if match is None:
            raise ValueError(part)
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if not first <= last <= _MAX_SERVER_ID:
            raise ValueError(part)
        ids.append(ServerIds(first, last))
    return tuple(ids)


# The values of a key: by the names of their columns, or in the order of the key's columns under
# the empty name.
RowKey = tuple[tuple[str, Any], ...]

MAX_KEYS: Final = 10_000


def parse_keys(value: Any) -> tuple[RowKey, ...]:
    """Return the keys in a value; raises ValueError for another form, and for too many keys.

    Args:
        value: a key, several in a list, their texts with commas between them, or JSON of a list.

    >>> parse_keys("42, 43")
    ((('', '42'),), (('', '43'),))
    >>> parse_keys('[{"order_id": 42}, [42, 1]]')
    ((('order_id', 42),), (('', 42), ('', 1)))
    """
    if isinstance(value, str):
        is_json = value.lstrip().startswith("[")
        value = json.loads(value) if is_json else _words(value)
    keys = value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else [value]
    if not 0 < len(keys) <= MAX_KEYS:
        raise ValueError(f"expected 1 to {MAX_KEYS:,} keys, found {len(keys):,}")
    return tuple(_key(key) for key in keys)


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise ValueError("expected a key on both sides of a comma; an empty one in JSON")
    return words


def _key(value: Any) -> RowKey:
    if isinstance(value, Mapping):
        key = tuple((str(name), item) for name, item in value.items())
        if not all(name for name, _ in key):
            raise ValueError("expected names of columns")
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        # Keys that have been parsed are taken as they are.
        is_parsed = all(isinstance(item, tuple) and len(item) == 2 for item in value)
        key = tuple(value) if is_parsed else tuple(("", item) for item in value)
    else:
        key = (("", value),)
    if not key or any(item is None for _, item in key):
        raise ValueError("expected a value for each column of a key")
    return key
