"""Values of options that filter rows: times, change types, servers."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

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
