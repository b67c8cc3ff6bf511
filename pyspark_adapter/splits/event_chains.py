"""Finds events from the bytes around an offset of a log, without reading it from its beginning.

Where an event begins, its header says where it ends, and there the next one begins. Bytes that look
like a header by chance lead nowhere after a step or two. Values may hold whole events, though: a
chain of these ends with the value, while the chain of the log itself goes on. So chains are sought
before the offset, where an event that holds others begins as well, and followed beyond it.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pyspark_adapter.events.framing import HEADER, LEN_CHECKSUM, crc32
from pyspark_adapter.kernels.layout import MAY_LACK_POSITION, NO_EVENT
from pyspark_adapter.schema import LEN_HEADER, FormatDescription
from pyspark_adapter.splits.event_candidates import find_candidates, kinds_of_types
from pyspark_adapter.splits.log_bytes import LogBytes

# Bytes that are looked at before an offset, and after it.
REACH: Final = 1 << 19

# How far beyond an offset an event is sought, and how many times as far as the reach chains are
# followed that go on side by side: else a hostile log would take any time and memory.
_MAX_GAP: Final = 1 << 24
_MAX_DOUBT: Final = 32

# Headers of a chain that goes far beyond the offset by its lengths.
_MIN_LINKS: Final = 8
# Bytes beyond the reach, for the event that goes over its end.
_LEN_MORE: Final = 1 << 16
# Events that are followed at once.
_MAX_FOUND: Final = 1 << 14
# The CRC32 of larger events is left to the reader.
_MAX_VERIFIED: Final = 1 << 20

_ARTIFICIAL_OR_RELAY: Final = 0x20 | 0x40


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
        is_compiled: whether the kernels may be used.
    """

    def __init__(
        self,
        log_bytes: LogBytes,
        description: FormatDescription,
        first: int,
        max_event_bytes: int,
        reach: int = REACH,
        *,
        is_compiled: bool = False,
    ) -> None:
        self._bytes = log_bytes
        self._description = description
        self._least = LEN_HEADER + description.len_checksum
        self._max_event_bytes = max_event_bytes
        self._reach = reach
        self._first = first
        self._head = [first]  # events from the first on, as far as they have been followed
        self._kinds = kinds_of_types(is_mariadb=description.is_mariadb)
        self._is_compiled = is_compiled
        self._found = np.zeros(_MAX_FOUND, dtype=np.int64)
        self._marks = np.zeros(0, dtype=np.uint8)  # of the bytes that are held

    def _end_of(self, start: int) -> int:
        """Return where the event at an offset ends; -1 if there is none."""
        block, offset = self._bytes.block(start, LEN_HEADER)
        if len(block) - offset < LEN_HEADER:
            return -1
        kind: int
        length: int
        _, kind, _, length, position, flags = HEADER.unpack_from(block, offset)
        end = start + length
        if (
            self._kinds[kind] == NO_EVENT
            or not self._least <= length <= self._max_event_bytes
            or end > self._bytes.num_bytes
            or flags & _ARTIFICIAL_OR_RELAY
        ):
            return -1
        if position != end & 0xFFFFFFFF and (position or self._kinds[kind] != MAY_LACK_POSITION):
            return -1
        if self._description.len_checksum and length <= _MAX_VERIFIED:
            block, offset = self._bytes.block(start, length)
            last = offset + length - LEN_CHECKSUM
            expected = int.from_bytes(block[last : last + LEN_CHECKSUM], "little")
            if crc32(block[offset:last]) != expected:
                return -1
        return end

    def leads_to(self, event: int, place: int) -> bool:
        """Tell whether events follow one upon the other, from one offset to another."""
        self._marks[:] = 0
        while 0 <= event < place:
            event = self._go_on(event, place, [])
        return event == place

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
            # What comes next is read at once, and once.
            self._hold(start, end + self._reach + _LEN_MORE)
            found = self._follow_all(
                find_candidates(self._bytes, start, end, self._kinds, self._least), end
            )
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
        self._hold(self._first, offset + _LEN_MORE)
        while head[-1] < offset:
            event = self._go_on(head.pop(), offset, head)
            if event < 0:
                return None
            head.append(event)
        place = bisect_left(head, offset)
        is_event = head[place] < min(limit, self._bytes.num_bytes)
        return head[place] if is_event else None

    def _hold(self, start: int, stop: int) -> None:
        self._bytes.hold(start, stop)
        self._marks = np.zeros(len(self._bytes.held), dtype=np.uint8)

    def _go_on(self, event: int, horizon: int, chain: list[int]) -> int:
        """Follow one event or more, which are appended to a chain, up to one at the horizon.

        Returns:
            Where the next event is to begin; -1 if the last is no event.
        """
        if self._is_compiled:
            from pyspark_adapter.kernels.chains import follow

            data: Any = np.frombuffer(self._bytes.held, dtype=np.uint8)
            count = follow(
                data,
                len(data),
                self._bytes.held_start,
                self._bytes.num_bytes,
                event,
                horizon,
                self._description.len_checksum,
                self._max_event_bytes,
                _MAX_VERIFIED,
                self._kinds,
                self._marks,
                self._found,
            )
            if count:
                chain += self._found[:count].tolist()
                return int(self._found[count])
        chain.append(event)
        return self._end_of(event)

    def _follow_all(self, starts: list[int], end: int) -> _Chains | None:
        """Follow chains until those that go on are one; None if none does, or they never are."""
        reach = max(self._reach, 1)
        while True:
            self._hold(self._bytes.held_start, end + reach + _LEN_MORE)
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
        self._marks[:] = 0
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
                event = self._go_on(event, horizon, chain)
                if event < 0:
                    is_alive = False
                    break
            goes_on.update(dict.fromkeys(chain, is_alive))
        return result
