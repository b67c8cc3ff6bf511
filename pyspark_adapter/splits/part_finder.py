"""Finds what of a log each of its splits reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from pyspark_adapter.engine import has_kernels
from pyspark_adapter.errors import EventSite, LogFileError, as_log_file_error, located
from pyspark_adapter.events.framing import event_site, parse_format_description
from pyspark_adapter.events.log_identity import check_log_id, read_first_event
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.events.transactions import GTID_EVENTS
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.kernels import walk as rules
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.schema import LEN_HEADER
from pyspark_adapter.splits.event_chains import REACH, EventFinder
from pyspark_adapter.splits.log_bytes import LogBytes
from pyspark_adapter.splits.log_span import LogSpan
from pyspark_adapter.splits.transaction_walk import walk_on

# Bytes that are read at once where a transaction is larger than what is held.
_LEN_WALK: Final = 1 << 20


class PartFinder:
    """Finds the parts of one log that its splits read.

    Args:
        log_file: the log.
        num_bytes: of a split; None for one split.
        options: of the read.
        reach: see `EventFinder`.
        span: what of the log is shared out; None for all.

    Attributes:
        num_splits: how many splits there are.
        bounds: offset of the first event, and the one behind the last, as `LogSpan` has it.

    Raises:
        BinlogError: if the log cannot be read, or its first event.
    """

    def __init__(
        self,
        log_file: LogFile,
        num_bytes: int | None,
        options: BinlogOptions,
        reach: int = REACH,
        span: LogSpan | None = None,
    ) -> None:
        self._origin, self._end = bounds_of(log_file, span)
        self.bounds = (
            max(self._origin, len(MAGIC)),
            None if span is None else span.stop,
        )
        self._log_file = replace(log_file, num_bytes=self._end)
        self._num_bytes = num_bytes or max(self._end - self._origin, 1)
        self.num_splits = -(-(self._end - self._origin) // self._num_bytes)
        event = read_first_event(log_file)
        if event is None:
            site = EventSite(log_file.name)
            raise LogFileError("expected a format description, the file has no event", site=site)
        check_log_id(log_file, "" if span is None else span.log_id, event)
        with located(event_site(log_file, len(MAGIC), event[4])):
            description = parse_format_description(event, verify=options.verify_checksums)
        self._description = description
        self._format_event = event
        self._bytes = LogBytes(self._log_file)
        first = len(MAGIC) + len(event)
        is_compiled = has_kernels(options)
        self._finder = EventFinder(
            self._bytes,
            description,
            first,
            options.max_event_bytes,
            reach,
            is_compiled=is_compiled,
        )
        self._is_compiled = is_compiled
        self._places: dict[int, int | None] = {0: self.bounds[0]}

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()

    def part(self, number: int) -> LogPart | None:
        """Return what a split reads; None if no transaction begins in it.

        Raises:
            LogFileError: if the file cannot be read.
        """
        with as_log_file_error(self._log_file.site):
            start = self._place(number)
            if start is None:
                return None
            later = map(self._place, range(number + 1, self.num_splits))
            stop = next((place for place in later if place is not None), None)
            if stop is None:
                stop = self.bounds[1]
                is_gtid = stop is not None  # no transaction is open there
            else:
                block, offset = self._bytes.block(stop, LEN_HEADER)
                is_gtid = block[offset + 4] in GTID_EVENTS
        format_event = self._format_event if start > len(MAGIC) else b""
        return LogPart(start, stop, format_event, stops_at_gtid=is_gtid)

    def _place(self, number: int) -> int | None:
        """Return where a reader may begin at a cut; None if there is no such place."""
        if number not in self._places:
            self._places[number] = self._find_place(number)
        return self._places[number]

    def _find_place(self, number: int) -> int | None:
        """Find an event at a cut or soon after, and follow the transactions up to the next cut."""
        cut = self._origin + number * self._num_bytes
        limit = min(cut + self._num_bytes, self._end)
        event = self._finder.find(cut, limit)
        if event is None:
            return None
        place = self._first_place(event, limit)
        # What is damaged is left to the split before, which comes to it and tells of it.
        is_sure = place is not None and self._finder.leads_to(event, place)
        return place if is_sure else None

    def _first_place(self, event: int, limit: int) -> int | None:
        """Return where the first transaction begins, from an event on and before a limit.

        Of the events up to there no more is looked at than their headers.
        """
        state = np.zeros(rules.NUM_WALK_FIELDS, dtype=np.int64)
        state[rules.W_POS] = event
        state[rules.W_TRANSACTION] = rules.TX_UNKNOWN
        found = np.zeros(1, dtype=np.int64)
        length = LEN_HEADER
        while True:
            position = int(state[rules.W_POS])
            block, offset = self._bytes.block(position, length)
            data = block[offset:]
            status = walk_on(
                data,
                len(data),
                position,
                self._end,
                self._description,
                state,
                found,
                is_compiled=self._is_compiled,
            )
            if state[rules.W_NUM_FOUND]:
                return int(found[0]) if found[0] < limit else None
            is_stuck = state[rules.W_POS] == position and length == _LEN_WALK
            if status != rules.WALK_WINDOW or state[rules.W_POS] >= limit or is_stuck:
                return None
            is_next = state[rules.W_POS] <= position + len(data)
            length = _LEN_WALK if is_next else LEN_HEADER


def bounds_of(log_file: LogFile, span: LogSpan | None) -> tuple[int, int]:
    """Return the offset from which cuts are counted, and the one behind the last event."""
    if span is None:
        return 0, log_file.num_bytes
    return span.start, log_file.num_bytes if span.stop is None else span.stop
