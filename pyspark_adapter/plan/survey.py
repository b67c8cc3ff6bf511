"""Surveys a log: one pass, before it is read, to learn what its tables are.

It decodes no rows. It verifies the checksums of the table maps and statements that it uses, and of
events whose headers do not agree, so that damage is never taken for a table map. All other
checksums are left to the read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from pyspark_adapter.errors import BinlogError, ServerError, located
from pyspark_adapter.events.frame import frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.log_start import read_format_event
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.events.table_map import TableMap, find_table_map
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.format.schema import EventParser, EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.log_survey import FoundError, LogSurvey

if TYPE_CHECKING:
    from pyspark_adapter.index_store.index_batches import IndexHeader, LogTables
    from pyspark_adapter.index_store.index_folder import IndexFolder
    from pyspark_adapter.index_store.log_index import LogIndex
    from pyspark_adapter.scan.scanned_events import ScannedEvents

# Of a log whose first table map alone is looked at, so much is read at a time.
_LOOK_BYTES: Final = 1 << 16


class Surveyor:
    """Surveys logs; see `timeline.Survey`.

    Args:
        wants: whether the table maps of a table are kept; None for none.
        finds_removals: whether statements matter that remove rows, of selected transactions.
        indexes: of the logs; None for those of the option index.
    """

    def __init__(
        self,
        options: BinlogOptions,
        wants: Callable[[TableName], bool] | None = None,
        *,
        finds_removals: bool = False,
        indexes: IndexFolder | None = None,
    ) -> None:
        if indexes is None and options.index is not None:
            from pyspark_adapter.index_store.index_folder import indexes_of

            indexes = indexes_of(options)
        self._indexes = indexes
        self._options = options
        self._wants = wants
        self._finds_removals = finds_removals
        self._parsers: dict[bytes, EventParser] = {}  # of indexes

    def __call__(
        self,
        log_file: LogFile,
        start: int = 0,
        stop: int | None = None,
        ends_at: Callable[[TableMap], bool] | None = None,
    ) -> LogSurvey:
        """Return what a pass over a log learns, up to the end or the first damage.

        Args:
            start, stop: offsets where no transaction is open; None for the end of the log.
            ends_at: whether the survey ends at a table map that is kept; None for never.

        Raises:
            ServerError: if the server of the log is lost, which says nothing of the log.
        """
        survey = LogSurvey(wants=self._wants, ends_at=ends_at)
        if self._finds_removals:
            survey.kinds |= StatementKind.CHANGES
        try:
            if self._indexes is not None:
                known = self._take_index(self.tables_of(log_file), log_file, survey, start, stop)
                start = max(start, known)
            start = max(start, len(MAGIC))
            if start >= (stop or sys.maxsize):
                return survey
            part = None
            if start > len(MAGIC) or stop is not None:
                part = range_between(log_file, start, stop)
            self._scan(log_file, survey, part)
        except FoundError:
            pass
        except ServerError:
            raise
        except BinlogError as error:
            survey.error = error
        return survey

    def of_all_tables(self) -> Surveyor:
        """Return one that keeps the table maps of all tables."""
        other = copy(self)
        other._options = replace(self._options, table=None)
        other._wants, other._finds_removals = lambda _: True, False
        return other

    def tables_of(self, log_file: LogFile) -> LogTables | None:
        """Return what the index of a log knows of its tables; None if there is none that holds.

        Raises:
            BinlogError: if the log cannot be read.
        """
        return None if self._indexes is None else self._indexes.tables_of(log_file)

    def header_of(self, log_file: LogFile) -> IndexHeader | None:
        """Return what the index of a log says without its blocks; None if there is none that holds.

        Raises:
            BinlogError: if the log cannot be read.
        """
        return None if self._indexes is None else self._indexes.header_of(log_file)

    def _take_index(
        self,
        index: LogTables | None,
        log_file: LogFile,
        survey: LogSurvey,
        start: int,
        stop: int | None,
    ) -> int:
        """Give a survey what the index of a log knows; return the offset up to which it does.

        Raises:
            FoundError: if the survey ends there.
        """
        from pyspark_adapter.plan.indexed_survey import take_index

        row_filter = None
        if self._finds_removals:
            from pyspark_adapter.scan.scanned_filter import ScannedFilter

            row_filter = ScannedFilter(self._options, log_file)
        known = survey, index, log_file, start, stop, row_filter, self._parsers
        if index is None or not take_index(*known):
            return 0
        return sys.maxsize if index.header.is_whole(log_file) else index.header.indexed_to

    def _scan(self, log_file: LogFile, survey: LogSurvey, part: ReadRange | None) -> None:
        from pyspark_adapter.scan.scanned_filter import ScannedFilter
        from pyspark_adapter.scan.scanner import Scan, Scanner

        options = self._options
        # Names of columns that come from a range of a log are as sure as its checksums.
        surveys = part is None and options.schema_at != "latest"
        if self._finds_removals:  # it cannot tell which statements are in selected transactions
            surveys &= ScannedFilter(options, log_file).keeps_all_transactions
        flags = Scan.SURVEY if surveys else Scan.UNVERIFIED
        scanner = Scanner(log_file, options, survey, part=part, flags=flags)
        for scanned in scanner:
            if options.schema_at == "latest":
                _take_last(scanned, survey)
        if len(survey.table_maps) > 1 and options.schema_at != "latest":
            self._find_last(log_file, survey, part)

    def _find_last(self, log_file: LogFile, survey: LogSurvey, part: ReadRange | None) -> None:
        """Find the last table map of a table that has changed within the log.

        The scan gives each content once, and the last one decides what older rows show.
        """
        from pyspark_adapter.scan.scanner import Scan, Scanner

        table = None if self._options.follow_renames else self._options.table
        contents = {table_map for table_map, _ in survey.table_maps if table_map.table == table}
        if len(contents) > 1:
            for scanned in Scanner(log_file, self._options, part=part, flags=Scan.UNVERIFIED):
                _take_last(scanned, survey, table)


def _take_last(scanned: ScannedEvents, survey: LogSurvey, table: TableName | None = None) -> None:
    """Take the table maps of the last rows in a window, whose contents may have been seen."""
    slots = scanned.events[lay.Event.SLOT]
    _, from_end = np.unique(slots[::-1], return_index=True)
    last = [
        (scanned.tables.table_maps[int(slots[event])], scanned.site(event))
        for event in np.sort(len(slots) - 1 - from_end).tolist()
    ]
    if table is not None:
        last = [(table_map, site) for table_map, site in last if table_map.table == table][-1:]
    for table_map, site in last:
        survey.complete(table_map, site)


def range_between(log_file: LogFile, start: int, stop: int | None) -> ReadRange:
    """Return a range of a log, between two offsets where no transaction is open.

    Raises:
        BinlogError: if its format description is needed and cannot be read.
    """
    format_event = b"" if start == len(MAGIC) else read_format_event(log_file)
    return ReadRange(start, stop, format_event or b"", stops_at_gtid=True)


def lacks_names(
    log_file: LogFile,
    options: BinlogOptions,
    part: ReadRange | None = None,
    index: LogIndex | None = None,
) -> bool:
    """Return whether the first table map of a log, or of a range of it, lacks names.

    False if there is none, or it cannot be read: the read reports that. Of indexed logs, the
    index says whether any table map lacks them.

    Raises:
        ServerError: if the server of the log is lost; it may be there again when the log is read.
    """
    if index is not None and index.knows_tables:
        start = 0 if part is None else part.start
        shapes = index.shapes.column("last_pos").to_numpy() >= start
        contents = index.shapes.column("content").to_numpy()[shapes]
        if len(contents):
            is_described = index.contents.column("is_described").to_numpy(zero_copy_only=False)
            return not is_described[contents].all()
    num_bytes = min(options.window_bytes, _LOOK_BYTES)
    try:
        frames = FrameReader(log_file, options, part, verifies_rows=False, window_bytes=num_bytes)
        first = first_table_map(frames)
    except ServerError:
        raise
    except BinlogError:
        return False
    return first is not None and not first.is_described_by_log


def first_table_map(frames: FrameReader, max_pos: int = sys.maxsize) -> TableMap | None:
    """Return the first table map of what a reader reads; None if there is none; raises BinlogError.

    Args:
        max_pos: offset in the log after which events are no longer looked at.
    """
    for frame in frames:
        if frame.plain_type == EventType.table_map:
            with located(frame_site(frames.log_file, frame)):
                return find_table_map(frame.event, frames.parser)
        if frame.start_pos > max_pos:
            break
    return None
