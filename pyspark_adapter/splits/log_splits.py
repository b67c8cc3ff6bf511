"""Splits of a log: cut by size alone, each read by itself from one transaction to another.

The cuts of a log are every so many bytes. Near a cut an event is sought by its bytes, and from it
on the first place where a reader may begin anew: at a GTID, or after the end of a transaction. Each
split is read from the place of its own cut up to that of the next cut that has one; so splits share
nothing, and leave out nothing. A cut without a place (within a transaction that is larger than a
split, or where no event can be found for sure) leaves its bytes to the split before it.

The first split begins with the log, and each must end exactly where the next begins, or is an
error: from there it follows that all of them are right, however the places were found.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Final

from pyspark_adapter.errors import BinlogError, BinlogWarning, EventSite, LogFileError, located
from pyspark_adapter.frame_reader import FrameReader
from pyspark_adapter.framing import frame_site
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.options import BinlogOptions
from pyspark_adapter.read_request import ReadRequest
from pyspark_adapter.schema import LEN_HEADER, EventParser, EventType, FormatDescription
from pyspark_adapter.splits.event_chains import REACH, EventFinder, LogBytes
from pyspark_adapter.splits.log_part import LogPart
from pyspark_adapter.table_map import TableMap
from pyspark_adapter.transactions import END_EVENTS, END_TEXTS, GTID_EVENTS

# How far a log is looked through for a table map, which tells whether columns are named.
_LEN_LOOK: Final = 1 << 20
# Statements that end a transaction are short.
_MAX_END: Final = 4096


@dataclass(frozen=True)
class LogSplit:
    """A share of a log, for one task.

    Attributes:
        log_file: the log.
        num_bytes: of each share but the last; None if there is one share only.
        number: of the share, from 0.
    """

    log_file: LogFile
    num_bytes: int | None = None
    number: int = 0


def plan_splits(log_file: LogFile, request: ReadRequest) -> list[LogSplit]:
    """Return the splits of a log, for which no more is read than its beginning.

    A log that cannot be split is one, and a warning says why.
    """
    options = request.options
    num_bytes = options.max_partition_bytes
    is_whole = bool(log_file.compression) or options.view == "events"
    if is_whole or log_file.num_bytes <= num_bytes:
        return [LogSplit(log_file)]
    try:
        reason = _reason_against(log_file, request)
    except BinlogError:
        return [LogSplit(log_file)]  # the read tells of it
    if reason is not None:
        warnings.warn(
            f"{log_file.name}: is read by one task: {reason} (option maxPartitionBytes)",
            BinlogWarning,
            stacklevel=2,
        )
        return [LogSplit(log_file)]
    count = -(-log_file.num_bytes // num_bytes)
    return [LogSplit(log_file, num_bytes, number) for number in range(count)]


def _reason_against(log_file: LogFile, request: ReadRequest) -> str | None:
    """Return why a log is not split, else None."""
    frames = FrameReader(log_file, request.options)
    for frame in frames:
        description = frames.format_description
        assert description is not None
        if (reason := _reason_in(description)) is not None:
            return reason
        if not request.needs_names:
            return None
        if frame.plain_type == EventType.table_map:
            with located(frame_site(log_file, frame)):
                body = EventParser(description).parse(frame.event).body
                table_map = TableMap.from_event(body, is_mariadb=description.is_mariadb)
            return None if table_map.has_logged_names else _WITHOUT_NAMES
        if frame.start_pos > _LEN_LOOK:
            break
    return _WITHOUT_NAMES


_WITHOUT_NAMES: Final = (
    "names of columns are in its statements, if anywhere; expected binlog_row_metadata=FULL, or the"
    " option ddl with the option table"
)


def _reason_in(description: FormatDescription) -> str | None:
    event = description.event_bytes[len(MAGIC) :]
    if event[4] != EventType.format_description:
        return "it is of binlog version 1 or 3"
    if description.len_header != LEN_HEADER or description.has_old_type_codes:
        return f"server {description.server_version} writes other headers"
    return None


def find_part(split: LogSplit, options: BinlogOptions, reach: int = REACH) -> LogPart | None:
    """Return which bytes of a log a split has to read.

    Args:
        split: one of `plan_splits`.
        options: of the read.
        reach: see `EventFinder`.

    Returns:
        None if no transaction begins in it.

    Raises:
        BinlogError: if the log cannot be read, or its first event.
    """
    if split.num_bytes is None:
        return LogPart(len(MAGIC))
    finder = PartFinder(split.log_file, split.num_bytes, options, reach)
    try:
        part = finder.part(split.number)
    finally:
        finder.close()
    if split.number == 0 and part is not None and part.stop is None:
        warnings.warn(
            f"{split.log_file.name}: is read by one task: no transaction was found to begin near"
            f" one of the {finder.num_splits - 1} places where it was to be split (option"
            " maxPartitionBytes)",
            BinlogWarning,
            stacklevel=2,
        )
    return part


class PartFinder:
    """Finds the parts of one log that its splits read.

    Args:
        log_file: the log.
        num_bytes: of a split.
        options: of the read.
        reach: see `EventFinder`.

    Raises:
        BinlogError: if the log cannot be read, or its first event.
    """

    def __init__(
        self, log_file: LogFile, num_bytes: int, options: BinlogOptions, reach: int = REACH
    ) -> None:
        self.num_splits = -(-log_file.num_bytes // num_bytes)
        self._log_file = log_file
        self._num_bytes = num_bytes
        frames = FrameReader(log_file, options)
        frame = next(iter(frames), None)
        description = frames.format_description
        if frame is None or description is None:
            site = EventSite(log_file.name)
            raise LogFileError("expected a format description, the file has no event", site=site)
        event = frame.event
        self._description = description
        self._format_event = event
        self._bytes = LogBytes(log_file)
        first = len(MAGIC) + len(event)
        self._finder = EventFinder(self._bytes, description, first, options.max_event_bytes, reach)
        self._events: dict[int, int | None] = {}
        self._places: dict[int, int | None] = {0: len(MAGIC)}

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()

    def part(self, number: int) -> LogPart | None:
        """Return what a split reads; None if no transaction begins in it.

        Raises:
            LogFileError: if the file cannot be read.
        """
        try:
            start = self._place(number)
            if start is None:
                return None
            later = map(self._place, range(number + 1, self.num_splits))
            stop = next((place for place in later if place is not None), None)
            is_gtid = stop is not None and self._bytes.read(stop, LEN_HEADER)[4] in GTID_EVENTS
        except OSError as error:
            raise LogFileError(
                f"cannot be read: {error.strerror or error}", site=EventSite(self._log_file.name)
            ) from error
        format_event = self._format_event if number else b""
        return LogPart(start, stop, format_event, stops_at_gtid=is_gtid)

    def _place(self, number: int) -> int | None:
        """Return where a reader may begin at a cut; None if there is no such place."""
        if number not in self._places:
            self._places[number] = self._find_place(number)
        return self._places[number]

    def _find_place(self, number: int) -> int | None:
        """Follow the events from a cut up to those that are found from the next cut."""
        event = self._event(number)
        if event is None:
            return None
        later = map(self._event, range(number + 1, self.num_splits))
        limit = next((found for found in later if found is not None), self._bytes.num_bytes)
        is_after_end = False
        while event < limit:
            end = self._finder.end_of(event)
            if end < 0:
                return None  # damaged: the split before comes to it
            kind = self._bytes.read(event, LEN_HEADER)[4]
            if is_after_end or kind in GTID_EVENTS:
                return event
            is_after_end = self._is_end(event, end, kind)
            event = end
        return None

    def _event(self, number: int) -> int | None:
        """Return where an event begins, at a cut or soon after; None if none is found for sure."""
        if number not in self._events:
            cut = number * self._num_bytes
            limit = min(cut + self._num_bytes, self._bytes.num_bytes)
            self._events[number] = self._finder.find(cut, limit)
        return self._events[number]

    def _is_end(self, start: int, end: int, kind: int) -> bool:
        """Tell whether an event ends a transaction whatever stands before it."""
        if kind in END_EVENTS:
            return True
        if kind != EventType.query or end - start > _MAX_END:
            return False
        event = self._bytes.read(start, end - start - self._description.len_checksum)
        len_post_header = self._description.post_header_lengths[EventType.query.value - 1]
        if len_post_header < 13 or len(event) < LEN_HEADER + len_post_header:
            return False
        body = event[LEN_HEADER:]
        len_status = int.from_bytes(body[11:13], "little")
        return body[len_post_header + len_status + body[8] + 1 :] in END_TEXTS
