"""What the tasks of a stream's batches get of its timeline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pyspark_adapter.errors import BinlogError, ServerError
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.survey import Surveyor, lacks_names, range_between
from pyspark_adapter.plan.table_discovery import plan_timeline
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import OffsetRange, RangesOfLogs, Split, plan_splits
from pyspark_adapter.stream.log_series import LogSeries, base_of
from pyspark_adapter.timeline.table_changes import is_spelled_otherwise
from pyspark_adapter.timeline.temporary_tables import depends_on_others
from pyspark_adapter.timeline.timeline import Timeline


@dataclass(frozen=True)
class ColumnChange:
    """A table map with which a stream cannot continue.

    Attributes:
        pos: offset of its event in it.
        error: what the read of its rows raises.
    """

    log_name: str
    pos: int
    error: BinlogError


class StreamTimeline:
    """Follows a stream on the driver.

    Where table maps lack names, the driver surveys the logs of each batch once, and once those
    before the first batch. Where logs name columns, it reads no more than the first table map of
    each log of a batch; if statements are read, it surveys each batch, and those before only for
    one that depends on them. A task never looks back.

    Args:
        request: of the read; its logs are those there were when it was planned.
        series: the logs, for those of another server that replaces the first.

    Attributes:
        reads_here: whether this process reads the splits, too, and can ask for what statements
            mean as it meets them: then batches with names are read once.
        looks_through: whether the next batch is looked through for table maps without names, not
            only at its start: the first one of a query that is started again.
    """

    def __init__(self, request: ReadRequest, series: LogSeries | None = None) -> None:
        self._request = request
        self._series = series
        # Where the logs of the plan or of the batch before are, and the server of that batch.
        self._origin = _origin_of(request.log_files[-1]) if request.log_files else ""
        self._server = ""
        self._timeline = request.timeline
        self.looks_through = True
        self.reads_here = False
        self._starts: list[tuple[LogFile, int]] = []  # of the batches since the first one
        self._is_placed = False
        self._first: tuple[str, int] | None = None  # where the first batch begins

    def splits(self, ranges: Iterable[tuple[LogFile, OffsetRange]]) -> list[Split]:
        """Return the splits of a batch.

        Args:
            ranges: of all logs that the stream reads, in order.
        """
        unread = list(ranges)
        self._follow_server(unread)
        is_needed = bool(unread) and self._needs_timeline(unread)
        self.looks_through = False
        timeline = self._timeline
        wanted = self._wanted(unread)
        if not is_needed or timeline is None:
            return plan_splits(wanted, self._request, lambda *_: None)
        for log_file, _ in unread:
            timeline.add(log_file)
        self._place_user_ddl(timeline, unread)
        timeline.read_to(timeline.index_of(unread[-1][0]), unread[-1][1].stop)
        splits = plan_splits(wanted, self._request, self._request.part_of)
        # Spark may ask for the batch before again.
        start = unread[0][0], unread[0][1].start
        if self._starts[-1:] != [start]:
            self._starts = [*self._starts[-1:], start]
        timeline.forget_before(*self._starts[0])
        return splits

    def first_change(self, ranges: Iterable[tuple[LogFile, OffsetRange]]) -> ColumnChange | None:
        """Return the first table map of a batch whose columns are not as the plan has them."""
        splits = self.splits(ranges)
        table, options = self._request.options.table, self._request.options
        survey = Surveyor(options, lambda name: options.follow_renames or name == table)
        for split in splits:
            log_file, part = split.log_file, split.range
            completer = self._request.completer(log_file, split.timeline)
            change = survey(log_file, split.start, None if part is None else part.stop)
            for logged, site in change.table_maps:
                error = self._request.misfit(completer.complete(logged, site))
                if error is not None:
                    error.site = site
                    return ColumnChange(log_file.name, site.start_pos, error)
        return None

    def _wanted(self, ranges: Sequence[tuple[LogFile, OffsetRange]]) -> RangesOfLogs:
        """Return the ranges of a batch; of the first one only what may have rows, by the indexes.

        Later batches are of what was written since.
        """
        request = self._request
        if request.indexes is None or not ranges:
            return ranges
        begin = ranges[0][0].path, ranges[0][1].start
        if self._first is None:
            self._first = begin
        if begin != self._first:
            self._request = request.without_indexes()
            return ranges
        from pyspark_adapter.index.wanted_blocks import IndexedLogs

        return IndexedLogs.of(request).within(ranges)

    def _follow_server(self, ranges: Sequence[tuple[LogFile, OffsetRange]]) -> None:
        """Begin with all logs of another server, if the batch is of that one."""
        if not ranges:
            return
        origin = _origin_of(ranges[-1][0])
        server = "" if self._series is None else self._series.identity()
        is_same = self._origin in ("", origin) and self._server in ("", server)
        if not is_same and self._series is not None:
            request = self._request
            if request.timeline is not None:
                timeline = plan_timeline(self._series.all(), request.options)
                self._request = request.with_timeline(timeline)
                self._timeline = timeline
            self._starts, self._is_placed, self.looks_through = [], False, True
        self._origin, self._server = origin, server

    def _needs_timeline(self, ranges: Sequence[tuple[LogFile, OffsetRange]]) -> bool:
        """Return whether what tasks give depends on statements before the batch."""
        request, timeline = self._request, self._timeline
        if timeline is None or all(timeline.is_known(log, span.stop) for log, span in ranges):
            return True
        for log_file, span in ranges if request.needs_names else ():
            try:
                part = range_between(log_file, span.start, span.stop)
                if lacks_names(log_file, request.options, part, request.index_of(log_file)):
                    return True
            except ServerError:  # the tasks may find it again
                raise
            except BinlogError:  # the read reports it
                continue
        if self.reads_here and not request.user_ddl.tables:
            for log_file, _ in ranges:
                timeline.add(log_file)
            return False
        if not request.needs_statements and not (self.looks_through and request.needs_names):
            return False
        options = replace(request.options, index=None)
        survey = Surveyor(options, finds_removals=True, indexes=request.indexes)
        surveys = [survey(log_file, span.start, span.stop) for log_file, span in ranges]
        return any(
            (request.needs_names and one.nameless)
            or (
                request.needs_statements
                and any(
                    depends_on_others(ddl) or is_spelled_otherwise(ddl, request.wants)
                    for ddl in one.ddls
                )
            )
            for one in surveys
        )

    def _place_user_ddl(
        self, timeline: Timeline, ranges: Sequence[tuple[LogFile, OffsetRange]]
    ) -> None:
        """Say where in the logs the file of the option ddl belongs, before the first batch.

        Without a position it is not newer than the start of the query, so all later statements
        change its tables.
        """
        if self._is_placed:
            return
        self._is_placed = True
        log_file, start = ranges[0][0], ranges[0][1].start
        request = self._request
        if request.user_ddl.defines_all(request.options):
            timeline.begin_at(log_file, start)  # no statement before matters
        if request.user_ddl.tables and request.user_ddl.position is None:
            timeline.place_user_ddl((timeline.index_of(log_file), start, -1))


def _origin_of(log_file: LogFile) -> str:
    """Return where a log is, and what all logs of its server are named."""
    return log_file.path.rpartition(log_file.name)[0] + base_of(log_file.name)
