"""Where no transaction of a log is open: found by following the headers of its events."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    UnsupportedError,
    as_log_file_error,
    located,
)
from pyspark_adapter.events.event_errors import check_length, check_supported
from pyspark_adapter.events.logged_gtids import LoggedGtids
from pyspark_adapter.format.event_types import GTID_EVENTS
from pyspark_adapter.format.header import LEN_HEADER, flags_at, len_event_at, type_code_at
from pyspark_adapter.format.schema import EventType, FormatDescription
from pyspark_adapter.kernels.entry_points import find_bounds, find_displaced
from pyspark_adapter.kernels.layout import Tx
from pyspark_adapter.kernels.transaction_bounds import BoundsState, BoundsStatus
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile, open_log

# Bytes that are read at once: enough to make up for the latency of remote storage, and more than
# there can be before the text of a statement.
_LEN_WINDOW: Final = 4 << 20
# The same at first, and after a large event that was skipped: others may follow.
_LEN_FIRST: Final = 1 << 14
# Bytes that are skipped in a large event, at least. Fewer take less time than one more request to a
# remote storage, and most events are longer than the first window.
_LEN_GAP: Final = 1 << 19
# Offsets that are found at once.
_MAX_FOUND: Final = 1 << 13


@dataclass(frozen=True)
class Cut:
    """An offset at which a log may be split.

    Attributes:
        pos: of an event before which no transaction is open.
        is_gtid: whether that event names a transaction.
    """

    pos: int
    is_gtid: bool


class TransactionBounds:
    """Follows the headers of a log, which may grow meanwhile, from one event to the next.

    Nothing is searched for: an offset counts only if the headers lead to it. Of large events no
    more than the beginning is read. The time grows with the number of events, and with the bytes
    of events that are smaller than a window. Checksums are left to the read.

    Args:
        start: offset of an event before which no transaction is open.
        step: bytes between two cuts; by default `maxPartitionBytes`.
        gtids: gets the names of transactions; None if nobody asks.

    Attributes:
        position: offset of the next event.
        damage: of the next event, if any; later events are not looked at.
        displaced: offset of the first event that names another end than it has, as one of a relay
            log or a damaged one does; -1 if there is none.
        cuts: at most one for each `step` from the start, none after `displaced`.
    """

    def __init__(
        self,
        description: FormatDescription,
        start: int,
        options: BinlogOptions,
        step: int | None = None,
        gtids: LoggedGtids | None = None,
    ) -> None:
        self._description = description
        self._state = np.zeros(len(BoundsState), dtype=np.int64)
        self._state[BoundsState.POS] = start
        self._state[BoundsState.TRANSACTION] = Tx.CLOSED
        self._found = np.zeros(_MAX_FOUND, dtype=np.int64)
        self._max_event_bytes = options.max_event_bytes
        self._gtids = gtids
        self._start = start
        self._step = step or options.max_partition_bytes
        self.cuts: list[Cut] = []
        self.displaced = -1
        self.damage: BinlogError | None = None

    @property
    def position(self) -> int:
        """Offset of the next event."""
        return int(self._state[BoundsState.POS])

    @property
    def is_between(self) -> bool:
        """Whether no transaction is open before the next event."""
        return int(self._state[BoundsState.TRANSACTION]) == Tx.CLOSED

    def find(self, log_file: LogFile) -> Iterator[list[int]]:
        """Yield offsets as they are found, up to the last whole event; raises LogFileError.

        Yields:
            Offsets of events before which no transaction is open, and at last, if that is so, the
            offset after the last event. All in order; those of one window at a time, after which
            the caller may stop and continue later.
        """
        if self.damage is not None:
            return
        with as_log_file_error(log_file.site):
            file = open_log(log_file)
            try:
                yield from self._find(log_file, file)
            finally:
                file.close()

    def _find(self, log_file: LogFile, file: StoredBytes) -> Iterator[list[int]]:
        window = _Window(file, self.position, log_file.num_bytes)
        while True:
            status = self._follow(window, log_file.num_bytes)
            offsets = self._found[: self._state[BoundsState.NUM_FOUND]]
            if self._gtids is not None and offsets.size:
                self._gtids.take(offsets, window.data, window.base_pos)
            ends: list[int] = offsets.tolist()
            self._add_cuts(ends, window)
            if status == BoundsStatus.WINDOW:
                if not window.move(self.position):  # the file is shorter than it was
                    yield ends
                    return
            elif status != BoundsStatus.FULL:
                header = window.header(self.position)
                self.damage = self._damage(status, header, log_file)
                if self.is_between and ends[-1:] != [self.position]:
                    ends.append(self.position)
                yield ends
                return
            if ends:
                yield ends

    def _follow(self, window: _Window, end_pos: int) -> int:
        """Follow the events in a window; return a `BoundsStatus`."""
        data = np.frombuffer(window.data, dtype=np.uint8)
        start = self.position
        status = find_bounds(
            data,
            window.num_bytes,
            window.base_pos,
            end_pos,
            self._description.len_checksum,
            self._description.post_header_lengths[EventType.query.value - 1],
            self._description.len_table_id,
            self._state,
            self._found,
        )
        if self.displaced < 0:
            self.displaced = int(
                find_displaced(data, window.base_pos, start, self.position, self._max_event_bytes)
            )
        return int(status)

    def _add_cuts(self, ends: list[int], window: _Window) -> None:
        """Add the first offset found after each step; of those in a window."""
        last = self.cuts[-1].pos if self.cuts else self._start
        while True:
            next_step = last - (last - self._start) % self._step + self._step
            index = bisect_left(ends, next_step)
            if index == len(ends) or 0 <= self.displaced < ends[index]:
                return
            last = ends[index]
            self.cuts.append(Cut(last, type_code_at(window.header(last)) in GTID_EVENTS))

    def _damage(self, status: int, header: bytes, log_file: LogFile) -> BinlogError | None:
        """Return the damage of the next event; None if the event is not complete yet.

        Zeros where it begins are left by file systems, for later events.
        """
        if len(header) < LEN_HEADER or not any(header):
            return None
        type_code, length = type_code_at(header), len_event_at(header)
        try:
            with located(log_file.event_site(self.position, type_code)):
                if status == BoundsStatus.CONTROL:
                    check_supported(type_code, flags_at(header))
                    raise UnsupportedError(
                        "expected one format description in the log, as servers write it; relay"
                        " logs and joined logs are not read from their middle",
                        advice="read it as a batch",
                    )
                if status == BoundsStatus.BAD:
                    raise CorruptEventError(
                        f"expected an event that holds its fields in {length} bytes"
                    )
                check_length(length, self._max_event_bytes)
        except BinlogError as error:
            return error
        return None


class _Window:
    """Some bytes of a file, read forward; gaps are not read.

    Attributes:
        data: the bytes.
        num_bytes: how many of them are filled.
        base_pos: offset of the first in the file.
    """

    def __init__(self, file: StoredBytes, start: int, end: int) -> None:
        self._file = file
        self._size = _LEN_FIRST  # bytes to fill
        self.data = bytearray(min(_LEN_WINDOW, max(end - start, 0)))
        self.num_bytes = 0
        self.base_pos = start
        file.seek(start)

    def move(self, position: int) -> int:
        """Let the window begin at an offset of the file; return the bytes that were read for it."""
        rest = self.base_pos + self.num_bytes - position
        if rest >= 0:
            self.data[:rest] = self.data[self.num_bytes - rest : self.num_bytes]
            self.num_bytes = rest
            self._size = min(4 * self._size, _LEN_WINDOW)
        else:
            self._file.seek(position)
            self._size = _LEN_FIRST if -rest > _LEN_GAP else min(4 * self._size, _LEN_WINDOW)
            self.num_bytes = rest = 0
        self.base_pos = position
        view = memoryview(self.data)[: self._size]
        while self.num_bytes < len(view):
            count = self._file.readinto(view[self.num_bytes :])
            if not count:
                break
            self.num_bytes += count
        return self.num_bytes - rest

    def header(self, position: int) -> bytes:
        """Return the header of the event at an offset, as far as it is in the window."""
        offset = position - self.base_pos
        return bytes(self.data[offset : min(offset + LEN_HEADER, self.num_bytes)])
