"""The names of the transactions in a log, as its headers are followed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.format.event_types import NAMES, TRAITS
from pyspark_adapter.format.gtid import read_tagged_gtid
from pyspark_adapter.format.header import LEN_HEADER, OFS_SERVER_ID, OFS_TYPE_CODE, len_event_at
from pyspark_adapter.format.schema import EventParser, EventType, FormatDescription
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.kernels.transaction_bounds import MAX_TAGGED_GTID
from pyspark_adapter.options.gtid_position import GtidPosition, MySqlSource

_GTID: Final = EventType.gtid.value
_TAGGED: Final = EventType.gtid_tagged.value
_MARIADB: Final = EventType.mariadb_gtid.value
_LEN_UUID: Final = 16
_IS_NAME: Final = (TRAITS & NAMES) != 0


class Chunk(NamedTuple):
    """GTID events of one kind, in the order of the log.

    Attributes:
        positions: (n,) int64: their offsets in the log.
        sources: (n, 16) uint8: their UUIDs; of MariaDB (n, 2) int64: domain and server.
        numbers: (n,) int64.
    """

    positions: Numbers
    sources: Numbers
    numbers: Numbers


class LoggedGtids:
    """The transactions of a log up to an offset, with those before the log.

    Args:
        base: the transactions before the first offset; None if they are unknown, and so are all.
    """

    def __init__(self, description: FormatDescription, base: GtidPosition | None) -> None:
        self._description = description
        self._base = base
        self._chunks: list[Chunk | tuple[int, MySqlSource, int]] = []
        self._anonymous = -1  # offset of the first transaction without a name

    def take(self, offsets: Numbers, data: Any, base_pos: int) -> None:
        """Take the events at some offsets; those that name transactions count.

        Args:
            offsets: (n,) int64, ascending: of events in the log.
            data: bytes of the log.
            base_pos: offset of the first.
        """
        if self._base is None or self._anonymous >= 0:
            return
        view = np.frombuffer(data, dtype=np.uint8)
        codes = view[offsets - base_pos + OFS_TYPE_CODE]
        offsets, codes = offsets[_IS_NAME[codes]], codes[_IS_NAME[codes]]
        if not offsets.size:
            return
        unnamed = offsets[codes == EventType.anonymous_gtid.value]
        if unnamed.size:
            self._anonymous = int(unnamed[0])
        for code, length in ((_GTID, 25), (_MARIADB, 12)):
            positions = offsets[codes == code]
            if positions.size:
                starts = (positions - base_pos)[:, None]
                rows = view[starts + np.arange(LEN_HEADER + length)[None]]
                self._chunks.append(_chunk(code, positions.copy(), rows))
        for position in offsets[codes == _TAGGED].tolist():
            start = position - base_pos
            length = len_event_at(data, start)
            if length > MAX_TAGGED_GTID:
                raise CorruptEventError(f"GTID_TAGGED_EVENT: a length of {length} bytes")
            event = bytes(view[start : start + length])
            name, _, _ = read_tagged_gtid(EventParser(self._description).parse(event).body)
            uuid, *tag, number = name.split(":")
            self._chunks.append((position, (uuid, tag[0] if tag else ""), int(number)))

    def move(self, offset: int) -> None:
        """Let the transactions before an offset be those of the base; they are not kept apart."""
        self._base = self.before(offset)
        self._anonymous = -1 if self._anonymous < offset else self._anonymous
        self._chunks = [rest for chunk in self._chunks if (rest := _from(chunk, offset))]

    def before(self, offset: int) -> GtidPosition | None:
        """Return the transactions before an offset; None if they are unknown."""
        gtids = self._base
        if gtids is None or 0 <= self._anonymous < offset:
            return None
        for chunk in self._chunks:
            if not isinstance(chunk, Chunk):
                position, source, number = chunk
                if position < offset:
                    gtids = gtids.with_numbers([(source, (number, number))])
                continue
            count = int(np.searchsorted(chunk.positions, offset))
            if not count:
                continue
            sources, numbers = chunk.sources[:count], chunk.numbers[:count]
            if sources.shape[1] == _LEN_UUID:
                gtids = gtids.with_numbers(_ranges(sources, numbers))
            else:
                gtids = gtids.with_last(_last(sources, numbers))
        return gtids

    def names(self, domain: int, server: int, number: int) -> bool:
        """Return whether a transaction of MariaDB is among those that are kept apart."""
        wanted = np.array([domain, server])
        return any(
            bool(((chunk.sources == wanted).all(axis=1) & (chunk.numbers == number)).any())
            for chunk in self._chunks
            if isinstance(chunk, Chunk) and chunk.sources.shape[1] != _LEN_UUID
        )


def _chunk(code: int, positions: Numbers, rows: Numbers) -> Chunk:
    """Return GTID events, from their first bytes."""
    body = rows[:, LEN_HEADER:]
    if code == _GTID:
        # One that no server gives is left to the read.
        numbers = np.maximum(np.ascontiguousarray(body[:, 17:25]).view("<i8")[:, 0], 1)
        return Chunk(positions, np.ascontiguousarray(body[:, 1:17]), numbers)
    domains = np.ascontiguousarray(body[:, 8:12]).view("<u4")[:, 0]
    servers = np.ascontiguousarray(rows[:, OFS_SERVER_ID : OFS_SERVER_ID + 4]).view("<u4")[:, 0]
    numbers = np.maximum(np.ascontiguousarray(body[:, :8]).view("<i8")[:, 0], 0)
    return Chunk(positions, np.stack([domains, servers], axis=1).astype(np.int64), numbers)


def _from(
    chunk: Chunk | tuple[int, MySqlSource, int], offset: int
) -> Chunk | tuple[int, MySqlSource, int] | None:
    """Return the part of a chunk from an offset on; None if there is none."""
    if not isinstance(chunk, Chunk):
        return chunk if chunk[0] >= offset else None
    count = int(np.searchsorted(chunk.positions, offset))
    if count == len(chunk.positions):
        return None
    return Chunk(*(column[count:] for column in chunk)) if count else chunk


def _ranges(sources: Numbers, numbers: Numbers) -> list[tuple[MySqlSource, tuple[int, int]]]:
    """Return ranges of numbers by source."""
    ranges: list[tuple[MySqlSource, tuple[int, int]]] = []
    left = np.ones(len(numbers), dtype=bool)
    while left.any():
        source = sources[int(np.argmax(left))]
        is_same = left & (sources == source).all(axis=1)
        left &= ~is_same
        of_source = np.sort(numbers[is_same])
        ends = np.flatnonzero(np.diff(of_source) > 1)
        firsts = of_source[np.concatenate([[0], ends + 1])].tolist()
        lasts = of_source[np.concatenate([ends, [len(of_source) - 1]])].tolist()
        uuid = str(UUID(bytes=source.tobytes()))
        ranges += [((uuid, ""), span) for span in zip(firsts, lasts, strict=True)]
    return ranges


def _last(sources: Numbers, numbers: Numbers) -> dict[int, tuple[int, int]]:
    """Return the last transaction of each domain."""
    domains = sources[::-1, 0]
    latest: dict[int, tuple[int, int]] = {}
    for domain, index in zip(*np.unique(domains, return_index=True), strict=True):
        last = len(numbers) - 1 - int(index)
        latest[int(domain)] = int(sources[last, 1]), int(numbers[last])
    return latest
