"""GTID sets of MySQL and MariaDB, and the ranges of numbers in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from uuid import UUID

Range = tuple[int, int]


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return sorted ranges; ranges that overlap or touch are joined.

    >>> merged([(5, 9), (1, 2), (3, 3)])
    [(1, 3), (5, 9)]
    """
    union: list[Range] = []
    for first, last in sorted(ranges):
        if union and first <= union[-1][1] + 1:
            union[-1] = (union[-1][0], max(last, union[-1][1]))
        else:
            union.append((first, last))
    return union


def intersection(ranges: Iterable[Range], others: Sequence[Range]) -> list[Range]:
    """Return the numbers that are in both sets, as merged ranges.

    >>> intersection([(1, 5), (8, 9)], [(4, 8)])
    [(4, 5), (8, 8)]
    """
    both = ((max(a, c), min(b, d)) for a, b in ranges for c, d in others)
    return merged((first, last) for first, last in both if first <= last)


def complement(ranges: Iterable[Range], whole: Range) -> list[Range]:
    """Return the numbers of a range that are not in a set.

    >>> complement([(2, 3), (9, 12)], (1, 10))
    [(1, 1), (4, 8)]
    """
    gaps: list[Range] = []
    first, end = whole
    for low, high in merged(ranges):
        if first < low:
            gaps.append((first, min(low - 1, end)))
        first = max(first, high + 1)
    if first <= end:
        gaps.append((first, end))
    return [(low, high) for low, high in gaps if low <= high]


# The scope of sequence numbers. MySQL: (UUID, tag), the tag empty if there is none. MariaDB:
# (domain, server).
Source = tuple[str, str] | tuple[int, int]
# First and last numbers, both inclusive; ascending, with gaps between ranges.
Ranges = tuple[tuple[int, int], ...]

# As the server of a MariaDB source: all servers of the domain.
ANY_SERVER: Final = -1

_MAX_GNO: Final = (1 << 63) - 2  # the server never assigns GNO_END
_MAX_SEQ_NO: Final = (1 << 64) - 1
_MAX_U4: Final = (1 << 32) - 1

_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}")
_TAG: Final = re.compile(r"[a-z_][a-z0-9_]{0,31}")
_INTERVAL: Final = re.compile(r"([0-9]{1,20})(?:\s*-\s*([0-9]{1,20}))?")
_MARIADB: Final = re.compile(r"([0-9]{1,10})-([0-9]{1,10})-([0-9]{1,20})(?:-([0-9]{1,20}))?")


@dataclass(frozen=True)
class GtidSet:
    """A set of GTIDs.

    Attributes:
        entries: each source with its numbers in the set.

    >>> gtids = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7:backup:3, 0-1-10-20")
    >>> "3e11fa47-71ca-11e1-9e33-c80aa9429562:7" in gtids, "0-1-21" in gtids
    (True, False)
    """

    entries: tuple[tuple[Source, Ranges], ...]

    @classmethod
    def parse(cls, text: str) -> GtidSet:
        """Parse items separated by commas.

        Items of MySQL: `uuid:1-5:7`, or with tags, `uuid:1-5:tag:3`. Items of MariaDB:
        `domain-server-sequence` or `domain-server-first-last`.

        Raises:
            ValueError: for another item, or a number out of range.

        Source: `Gtid_set::add_gtid_text` of the server's `sql/rpl_gtid_set.cc`, MySQL 9.7. The
        server also takes empty items, and intervals that end before they begin; this does not.
        """
        by_source: dict[Source, list[tuple[int, int]]] = {}
        for part in text.lower().split(","):
            for source, interval in _parse_part(part.strip()):
                by_source.setdefault(source, []).append(interval)
        return cls(tuple((source, tuple(merged(ranges))) for source, ranges in by_source.items()))

    @classmethod
    def parse_position(cls, text: str) -> GtidSet:
        """Parse the position of a replica, as servers print it.

        In MySQL it is a set (`gtid_executed`). In MariaDB it is the last transaction of each domain
        (`gtid_binlog_pos`), and includes all earlier ones of the domain, from any server.

        Raises:
            ValueError: as `parse`; also for a MariaDB range, or two GTIDs of one domain.

        >>> "0-7-41" in GtidSet.parse_position("0-1-42")
        True
        """
        gtids = cls.parse(text)
        entries: list[tuple[Source, Ranges]] = []
        for source, ranges in gtids.entries:
            if isinstance(source[0], int):
                if len(ranges) > 1 or ranges[0][0] != ranges[0][1]:
                    raise ValueError("the last GTID of each domain")
                entries.append(((source[0], ANY_SERVER), ((0, ranges[0][1]),)))
            else:
                entries.append((source, ranges))
        if len({source for source, _ in entries}) < len(entries):
            raise ValueError("one GTID of each domain")
        return cls(tuple(entries))

    def union(self, other: GtidSet) -> GtidSet:
        """Return the GTIDs that are in either set."""
        both = {source: list(ranges) for source, ranges in self.entries}
        for source, ranges in other.entries:
            both.setdefault(source, []).extend(ranges)
        return GtidSet(tuple((source, tuple(merged(ranges))) for source, ranges in both.items()))

    def intersection(self, other: GtidSet) -> GtidSet:
        """Return the GTIDs that are in both sets."""
        both = {
            source: tuple(intersection(ranges, other._numbers_of(source)))
            for source, ranges in self.entries
        }
        return GtidSet(tuple((source, ranges) for source, ranges in both.items() if ranges))

    @cached_property
    def ranges(self) -> Mapping[Source, Ranges]:
        """The ranges of each source."""
        return dict(self.entries)

    def __contains__(self, gtid: str) -> bool:
        """Return whether a GTID, as the server prints it, is in the set."""
        source, number = split_gtid(gtid)
        return any(first <= number <= last for first, last in self._numbers_of(source))

    def _numbers_of(self, source: Source) -> Ranges:
        ranges = self.ranges.get(source, ())
        if isinstance(source[0], int) and source[1] != ANY_SERVER:
            ranges += self.ranges.get((source[0], ANY_SERVER), ())
        return ranges


def split_gtid(gtid: str) -> tuple[Source, int]:
    """Return the source and number of a GTID, as the server prints it.

    >>> split_gtid("0-1-42")
    ((0, 1), 42)
    """
    if ":" in gtid:
        uuid, *tags, number = gtid.split(":")
        return (uuid, tags[0] if tags else ""), int(number)
    domain_id, server_id, seq_no = map(int, gtid.split("-"))
    return (domain_id, server_id), seq_no


def _parse_part(part: str) -> Iterable[tuple[Source, tuple[int, int]]]:
    """Return the sources and intervals of an item in lower case."""
    if (match := _MARIADB.fullmatch(part)) is not None:
        domain_id, server_id, first = (int(match[k]) for k in (1, 2, 3))
        if domain_id > _MAX_U4 or server_id > _MAX_U4:
            raise ValueError(f"domain and server up to {_MAX_U4}")
        last = int(match[4]) if match[4] else first
        return [((domain_id, server_id), _check(first, last, 0, _MAX_SEQ_NO))]
    uuid, *pieces = (piece.strip() for piece in part.split(":"))
    if _UUID.fullmatch(uuid) is None or not pieces:
        raise ValueError("uuid:1-5:7, uuid:tag:3, or for MariaDB 0-1-42, 0-1-42-50")
    uuid = str(UUID(uuid))
    parts: list[tuple[Source, tuple[int, int]]] = []
    tag = ""
    for k, piece in enumerate(pieces):
        if _TAG.fullmatch(piece) and k + 1 < len(pieces) and _INTERVAL.fullmatch(pieces[k + 1]):
            tag = piece
        elif (match := _INTERVAL.fullmatch(piece)) is not None:
            first = int(match[1])
            last = int(match[2]) if match[2] else first
            parts.append(((uuid, tag), _check(first, last, 1, _MAX_GNO)))
        else:
            raise ValueError(f"numbers, ranges and tags before them after the UUID, not {piece!r}")
    return parts


def _check(first: int, last: int, low: int, high: int) -> tuple[int, int]:
    if not low <= first <= last <= high:
        raise ValueError(f"numbers from {low} to {high}, the first of a range not above its last")
    return first, last
