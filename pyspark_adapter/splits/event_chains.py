"""Finds events from the bytes around an offset of a log, without reading it from its beginning.

Where an event begins, its header says where it ends, and there the next one begins. Bytes that look
like a header by chance lead nowhere after a step or two. Values may hold whole events, though: a
chain of these ends with the value, while the chain of the log itself goes on. So chains are sought
before the offset, where an event that holds others begins as well, and followed beyond it.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyspark_adapter.framing import HEADER, LEN_CHECKSUM, crc32
from pyspark_adapter.inputs.log_files import LogFile, open_log
from pyspark_adapter.inputs.storage import read_up_to
from pyspark_adapter.schema import LEN_HEADER, EventType, FormatDescription
from pyspark_adapter.transactions import ROWS_EVENTS

# Bytes that are looked at before an offset, and after it.
REACH: Final = 1 << 19

# How far beyond an offset an event is sought, and how many times as far as the reach chains are
# followed that go on side by side: else a hostile log would take any time and memory.
_MAX_GAP: Final = 1 << 24
_MAX_DOUBT: Final = 32

# Headers of a chain that goes far beyond the offset by its lengths.
_MIN_LINKS: Final = 8
_LEN_BLOCK: Final = 1 << 18
# The CRC32 of larger events is left to the reader.
_MAX_VERIFIED: Final = 1 << 20

_ARTIFICIAL_OR_RELAY: Final = 0x20 | 0x40

# A format description or the beginning of encryption within a log changes how the rest is read.
_NEVER: Final = frozenset(
    {EventType.start_v3, EventType.format_description, EventType.start_encryption}
)
# What MariaDB 11.4 and later write without a position, within a transaction.
_WITHOUT_POSITION: Final[frozenset[int]] = ROWS_EVENTS | {
    EventType.query,
    EventType.query_compressed,
    EventType.table_map,
    EventType.annotate_rows,
    EventType.intvar,
    EventType.rand,
    EventType.user_var,
    EventType.append_block,
    EventType.begin_load_query,
    EventType.execute_load_query,
    EventType.delete_file,
}


def _type_table(types: frozenset[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    table = np.zeros(256, dtype=np.bool_)
    table[list(types)] = True
    return table


_TYPES: Final = frozenset(kind.value for kind in EventType) - _NEVER
_IS_TYPE: Final = _type_table(_TYPES)
_MAY_LACK_POSITION: Final = _type_table(_WITHOUT_POSITION)


class LogBytes:
    """Bytes of a log at any offset, up to the size that it had when it was found."""

    def __init__(self, log_file: LogFile) -> None:
        self.num_bytes = log_file.num_bytes
        self._file = open_log(log_file)
        self._block = memoryview(b"")
        self._start = 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self, start: int, length: int) -> bytes:
        """Return the bytes from an offset on, less at the end of the log.

        Raises:
            OSError: if the file cannot be read.
        """
        block, offset = self.block(start, length)
        return bytes(block[offset : offset + length])

    def block(self, start: int, length: int) -> tuple[memoryview, int]:
        """Return bytes and where in them those from an offset on begin, as `read` has them."""
        offset = start - self._start
        if offset < 0 or offset + length > len(self._block):
            self._file.seek(start)
            self._block = memoryview(
                read_up_to(self._file, min(max(length, _LEN_BLOCK), self.num_bytes - start))
            )
            self._start, offset = start, 0
        return self._block, offset


@dataclass
class _Chains:
    """Chains that go on beyond where they were followed.

    Attributes:
        trunk: the events of one of them.
        common_from: offset from which on they are all the same.
        count: chains that are not the same at their ends.
    """

    trunk: list[int]
    common_from: int
    count: int


class EventFinder:
    """Finds events of one log.

    A position has to be that of the end of the event, in the lower 32 bits, as the servers write
    it into each of their own logs; a relay log, in which it is that of another log, has no events
    here.

    Args:
        log_bytes: of the log.
        description: of the log, the only one in it.
        first: offset of the event after the format description.
        max_event_bytes: of the options.
        reach: bytes to look at before an offset and after it.
    """

    def __init__(
        self,
        log_bytes: LogBytes,
        description: FormatDescription,
        first: int,
        max_event_bytes: int,
        reach: int = REACH,
    ) -> None:
        self._bytes = log_bytes
        self._description = description
        self._least = LEN_HEADER + description.len_checksum
        self._max_event_bytes = max_event_bytes
        self._reach = reach
        self._first = first
        self._head = [first]  # events from the first on, as far as they have been followed

    def end_of(self, start: int) -> int:
        """Return where the event at an offset ends; -1 if there is none."""
        block, offset = self._bytes.block(start, LEN_HEADER)
        if len(block) - offset < LEN_HEADER:
            return -1
        kind: int
        length: int
        _, kind, _, length, position, flags = HEADER.unpack_from(block, offset)
        end = start + length
        if (
            kind not in _TYPES
            or not self._least <= length <= self._max_event_bytes
            or end > self._bytes.num_bytes
            or flags & _ARTIFICIAL_OR_RELAY
        ):
            return -1
        if position != end & 0xFFFFFFFF:
            is_left_out = (
                not position and self._description.is_mariadb and kind in _WITHOUT_POSITION
            )
            if not is_left_out:
                return -1
        if self._description.len_checksum and length <= _MAX_VERIFIED:
            block, offset = self._bytes.block(start, length)
            last = offset + length - LEN_CHECKSUM
            expected = int.from_bytes(block[last : last + LEN_CHECKSUM], "little")
            if crc32(block[offset:last]) != expected:
                return -1
        return end

    def find(self, offset: int, limit: int) -> int | None:
        """Return an offset where an event begins, at `offset` or after it and before `limit`.

        It is the same whenever it is asked for, and mostly the next event.

        Returns:
            None if there is none, or none that is sure: in what is damaged, or near it.
        """
        if offset - self._reach <= self._first:
            return self._find_from_first(offset, limit)
        start = offset - self._reach
        end = offset
        last = min(limit, offset + _MAX_GAP)
        while start < last:
            found = self._follow_all(self._candidates(start, end), end)
            if found is not None:
                sure = max(offset, found.common_from)
                place = bisect_left(found.trunk, sure)
                event = found.trunk[place] if place < len(found.trunk) else limit
                return event if event < limit else None
            start, end = end, min(end + max(self._reach, 1), last)
            if start == end:
                break
        return None

    def _find_from_first(self, offset: int, limit: int) -> int | None:
        """Return the next event, near the beginning of the log, from which the way is sure."""
        head = self._head
        while head[-1] < offset and (end := self.end_of(head[-1])) >= 0:
            head.append(end)
        place = bisect_left(head, offset)
        is_event = place < len(head) and head[place] < min(limit, self._bytes.num_bytes)
        return head[place] if is_event else None

    def _candidates(self, start: int, end: int) -> list[int]:
        """Return the offsets of a range where the bytes may be an event's header."""
        data = np.frombuffer(self._bytes.read(start, end - start + LEN_HEADER - 1), dtype=np.uint8)
        count = len(data) - LEN_HEADER + 1
        if count <= 0:
            return []
        hits = np.flatnonzero(_IS_TYPE[data[4 : 4 + count]])
        lengths = _load_u4(data, hits + 9)
        positions = _load_u4(data, hits + 13)
        ends = start + hits + lengths
        fits = (lengths >= self._least) & (ends <= self._bytes.num_bytes)
        agrees = positions == ends & 0xFFFFFFFF
        if self._description.is_mariadb:
            agrees |= (positions == 0) & _MAY_LACK_POSITION[data[hits + 4]]
        found: list[int] = (start + hits[fits & agrees]).tolist()
        return found

    def _follow_all(self, starts: list[int], end: int) -> _Chains | None:
        """Follow chains until those that go on are one; None if none does, or they never are."""
        reach = max(self._reach, 1)
        while True:
            chains = self._chains(starts, end + reach)
            if chains.count <= 1:
                return chains if chains.count else None
            is_too_far = reach >= _MAX_DOUBT * max(self._reach, 1)
            if is_too_far or end + reach > self._bytes.num_bytes:
                return None
            reach *= 2

    def _chains(self, starts: list[int], horizon: int) -> _Chains:
        """Follow chains up to the end of the log or beyond `horizon`."""
        goes_on: dict[int, bool] = {}  # by offset of event
        result = _Chains([], 0, 0)
        for start in starts:
            if start in goes_on:
                continue
            chain: list[int] = []
            event = start
            while True:
                if event in goes_on:
                    is_alive = goes_on[event]
                    if is_alive:
                        result.common_from = max(result.common_from, event)
                    break
                is_far = event >= horizon and len(chain) >= _MIN_LINKS
                if event == self._bytes.num_bytes or is_far:
                    is_alive = True
                    result.count += 1
                    result.trunk = result.trunk or [*chain, event]
                    goes_on[event] = True
                    break
                chain.append(event)
                event = self.end_of(event)
                if event < 0:
                    is_alive = False
                    break
            goes_on.update(dict.fromkeys(chain, is_alive))
        return result


def _load_u4(
    data: np.ndarray[tuple[int], np.dtype[np.uint8]],
    offsets: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the little-endian u4 at each offset."""
    total = data[offsets].astype(np.int64)
    for k in (1, 2, 3):
        total |= data[offsets + k].astype(np.int64) << 8 * k
    return total
