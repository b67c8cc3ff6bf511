"""How far a series of logs can be read, and the ranges to read between two offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from pyspark_adapter.errors import BinlogError, DataLossError, EventSite, UnsupportedError
from pyspark_adapter.events.log_start import log_id_of, read_format_event, read_log_start
from pyspark_adapter.format.header import MAGIC, timestamp_at
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.filter_values import micros_of
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.ignored_errors import warn_of
from pyspark_adapter.options.log_position import GtidStart, StreamOffset
from pyspark_adapter.sources.log_file import LogFile, log_number
from pyspark_adapter.splits.log_splits import OffsetRange
from pyspark_adapter.stream.failover import (
    CUT,
    REPLACED,
    WITHOUT_BEGINNING,
    Failover,
    reason_against,
)
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.stream.transaction_ends import TransactionEnds, check_start
from pyspark_adapter.timeline.user_ddl import UserDdl
from pyspark_adapter.warn import warn

_T = TypeVar("_T")


@dataclass(frozen=True)
class BatchLimit:
    """How much a batch of a stream may read; it reads at least one transaction.

    Attributes:
        num_bytes: of logs; None for any.
        num_files: logs; None for any.
    """

    num_bytes: int | None = None
    num_files: int | None = None


class LogStream:
    """Follows a series of logs.

    Keeps what it has found in the log that is being written, so that no event is read twice.
    """

    def __init__(self, series: LogSeries, options: BinlogOptions) -> None:
        self._series = series
        self._options = options
        self._failover = Failover(series, options)
        self._ends: TransactionEnds | None = None
        # Server, and name, size and identity of the log, that were checked last.
        self._seen: tuple[str, str, int, str] | None = None
        self._num_turns = 0

    def initial_offset(self) -> StreamOffset:
        """Return where a new stream begins, by the options startingOffsets and startingTimestamp.

        Raises:
            OptionError: if the log is not there, or no event begins at the offset.
            BinlogError: if the logs cannot be read.
        """
        wanted = self._options.starting_offsets
        if wanted == "ddl":
            ddl = UserDdl.of(self._options)
            if ddl.position is None:
                allowed = "option ddl with a position, as mysqldump --source-data writes it"
                raise refuse("startingOffsets", wanted, allowed)
            wanted = StreamOffset(ddl.log_name, ddl.position[1])
        if isinstance(wanted, StreamOffset):
            return self._checked(wanted)
        if wanted == "latest":
            return self.end()
        if isinstance(wanted, GtidStart) and (log_file := self._log_after(wanted)) is not None:
            return self._failover.start_of(log_file)
        logs = self._readable()
        return self._failover.start_of(self._first_log(logs)) if logs else StreamOffset()

    def _log_after(self, start: GtidStart) -> LogFile | None:
        try:
            return self._series.log_after(start.text)
        except DataLossError as error:
            if self._options.fail_on_data_loss:
                raise
            warn_of(error, self._options, "changes are lost")
            return None

    def end(self) -> StreamOffset:
        """Return the end of the last complete transaction in the logs; raises BinlogError."""
        logs = self._readable()
        if not logs:
            return StreamOffset()
        return self._end_in(self._failover.start_of(logs[-1]), logs[-1], None, is_empty=False)

    def latest_offset(
        self, start: StreamOffset, limit: BatchLimit, until: StreamOffset | None = None
    ) -> StreamOffset:
        """Return how far a batch can read: to the end of the last complete transaction, or less.

        Args:
            start: where the batch begins.
            limit: how much the batch may read.
            until: an earlier end of the logs, after which it does not read.

        Raises:
            DataLossError: if the log of the start is gone, with failOnDataLoss.
            BinlogError: if the logs cannot be read.
        """
        return self._of_one_server(lambda: self._latest_offset(start, limit, until))

    def _of_one_server(self, plan: Callable[[], _T]) -> _T:
        """Return a plan for which one server alone has answered.

        A server that was lost meanwhile may be the one that answers again.
        """
        self._num_turns = self._series.num_servers - 1
        while True:
            before = self._changes()
            try:
                result = plan()
            except BinlogError:
                if self._changes() == before:
                    raise
                continue
            if self._changes() == before:
                return result

    def _changes(self) -> int:
        """Return how often another server has answered, the one that answers now included."""
        self._series.identity()
        return self._series.num_changes

    def _latest_offset(
        self, start: StreamOffset, limit: BatchLimit, until: StreamOffset | None
    ) -> StreamOffset:
        position = self._found_again(start, may_wait=True)
        if position is None or not start.log_name:
            return position or start  # the next batch begins in a log that has a name
        num_bytes, num_files = limit.num_bytes, limit.num_files
        is_empty = True
        while True:
            # In this order: once a next log exists, nothing is added to this one.
            following = self._following(position.log_name)
            log_file = self._series.find(position.log_name)
            if log_file is None:  # purged meanwhile
                return position
            if until is not None and log_number(log_file.name) >= log_number(until.log_name):
                if log_file.name != until.log_name or until.pos <= position.pos:
                    return position
                following, log_file = None, replace(log_file, num_bytes=until.pos)
            rest = log_file.num_bytes - position.pos
            if following is None:
                end = self._end_in(position, log_file, num_bytes, is_empty=is_empty)
                return until if end == until else end
            if num_bytes is not None and rest > num_bytes and not log_file.compression:
                end = self._end_in(position, log_file, num_bytes, is_empty=is_empty)
                if end != position or not is_empty:
                    return end  # else the log is damaged: its read says so
            position = self._failover.start_of(following, position)
            if rest > 0:
                is_empty = False
                num_bytes = None if num_bytes is None else max(num_bytes - rest, 0)
                num_files = None if num_files is None else num_files - 1
            if not is_empty and 0 in (num_bytes, num_files):
                return position

    def end_before(self, start: StreamOffset, log_name: str, pos: int) -> StreamOffset:
        """Return the end of the last transaction before an event in the logs after an offset.

        Of an archive that is its beginning.

        Raises:
            DataLossError: if the log is gone.
            BinlogError: if the logs cannot be read.
        """
        return self._of_one_server(lambda: self._end_before(start, log_name, pos))

    def _end_before(self, start: StreamOffset, log_name: str, pos: int) -> StreamOffset:
        for position, log_file in self._logs_from(self._found_again(start)):
            if log_file is not None and log_file.name == log_name:
                if log_file.compression:
                    return position
                return self._end_in(position, log_file, pos - position.pos, is_empty=False)
        raise DataLossError("is gone, and was not read to its end", site=EventSite(log_name, pos))

    def _logs_from(
        self, position: StreamOffset | None
    ) -> Iterator[tuple[StreamOffset, LogFile | None]]:
        """Yield where to read in each log from an offset on; None for one that is gone."""
        while position is not None:
            yield position, self._series.find(position.log_name)
            following = self._following(position.log_name)
            position = None if following is None else self._failover.start_of(following, position)

    def ranges(self, start: StreamOffset, end: StreamOffset) -> list[tuple[LogFile, OffsetRange]]:
        """Return what to read between two offsets; always the same bytes.

        Raises:
            DataLossError: if a log in between is gone, with failOnDataLoss.
            BinlogError: if the logs cannot be read.
        """
        if start == end or not start.log_name:
            return []
        return self._of_one_server(lambda: self._ranges(start, end))

    def _ranges(self, start: StreamOffset, end: StreamOffset) -> list[tuple[LogFile, OffsetRange]]:
        position = self._found_again(start)
        if self._failover.is_elsewhere(end):
            return self._rest_of_batch(start, end, position)
        if self._failover.is_elsewhere(start) and (
            position is None or log_number(position.log_name) > log_number(end.log_name)
        ):
            return []  # all up to the end was delivered by another server
        ranges: list[tuple[LogFile, OffsetRange]] = []
        allowed = None if position is None else position.transactions_to(end)
        while position is not None and position.log_name != end.log_name:
            if log_number(position.log_name) > log_number(end.log_name):
                position = None  # what follows belongs to later batches
                break
            log_file = self._series.find(position.log_name)
            if log_file is not None and log_file.num_bytes > position.pos:
                ranges.append((log_file, _range_from(position)))
            following = self._following(position.log_name)
            position = None if following is None else self._failover.start_of(following, position)
        log_file = self._series.find(end.log_name)
        if position is None or log_file is None:
            self._lose(end, "is gone, and a batch up to it was begun")
        elif end.pos > position.pos:
            cuts = None if self._ends is None else self._ends.cuts_between(position, end)
            part = replace(_range_from(position), stop=end.pos, log_id=end.log_id, cuts=cuts)
            ranges.append((log_file, part))
        return [
            (log, replace(part, allowed=allowed) if log.server else part) for log, part in ranges
        ]

    def _rest_of_batch(
        self, start: StreamOffset, end: StreamOffset, position: StreamOffset | None
    ) -> list[tuple[LogFile, OffsetRange]]:
        """Return what to read on this server of a batch that another one planned.

        `position` is where it starts here; None if nothing comes after that. Raises DataLossError
        if this server lacks transactions of the batch, with failOnDataLoss.
        """
        wanted = GtidPosition.parse(end.gtids)
        lacking = wanted.minus(self._series.gtids() or GtidPosition())
        if not wanted:
            self._lose(end, "is the end of a batch of another server, and its GTIDs are not known")
            return []
        if lacking:
            self._lose(end, f"is the end of a batch whose transactions {lacking.text} are not here")
        ranges: list[tuple[LogFile, OffsetRange]] = []
        only = wanted.as_set
        for here, log_file in self._logs_from(position):
            if log_file is not None and log_file.num_bytes > here.pos:
                part = replace(_range_from(replace(here, skipped=start.gtids)), only=only)
                ranges.append((log_file, replace(part, stop=log_file.num_bytes)))
        return ranges

    def _readable(self) -> list[LogFile]:
        """Return the logs, without the last one if its first event is not complete."""
        logs = self._series.all()
        if logs and read_format_event(logs[-1]) is None:
            del logs[-1]
        return logs

    def _checked(self, wanted: StreamOffset) -> StreamOffset:
        """Return an offset that the user names, with the identity of its log."""
        log_file = self._series.find(wanted.log_name)
        event = None if log_file is None else read_format_event(log_file)
        if log_file is None or event is None:
            raise refuse("startingOffsets", wanted.to_json(), "the name of an existing log")
        check_start(wanted, log_file, event, self._options)
        server = self._series.server_of(read_log_start(log_file))
        return replace(wanted, log_id=log_id_of(event), server=server)

    def _first_log(self, logs: list[LogFile]) -> LogFile:
        """Return the first log that may have transactions from startingTimestamp on.

        All transactions of a log were committed before the next log was created.
        """
        starts_at = self._options.starting_timestamp
        if starts_at is not None:
            for log_file in reversed(logs):
                event = read_format_event(log_file)
                if event is None or timestamp_at(event) * 1_000_000 < micros_of(starts_at):
                    return log_file
        return logs[0]

    def _end_in(
        self, start: StreamOffset, log_file: LogFile, num_bytes: int | None, *, is_empty: bool
    ) -> StreamOffset:
        """Return how far a batch can read in its last log.

        Args:
            start: where it begins to read in the log.
            num_bytes: how many bytes it may read; None for any.
            is_empty: whether the batch has nothing to read before.

        Raises:
            UnsupportedError: if it is an archive, whose end is not known.
            BinlogError: if it cannot be read.
        """
        if log_file.compression:
            raise UnsupportedError(
                "expected the newest log of a stream as the server writes it, found an archive",
                site=log_file.site,
                advice="pack only logs that another one follows, or read the archives as a batch",
            )
        limit = None if num_bytes is None else start.pos + num_bytes
        committed = self._series.committed_end(log_file, start.pos)
        if committed is None or (limit is not None and committed[0] > limit):
            ends = self._ends_from(start, log_file)
            if limit is None:
                end = ends.last(log_file)
            else:
                end = ends.last_within(log_file, start.pos, limit, or_next=is_empty)
            if ends.damage is not None and is_empty and end <= start.pos:
                raise ends.damage
            # Uncommitted transactions are not read, however small the batch.
            end = end if committed is None else min(end, max(committed[0], start.pos))
            gtids = ends.gtids_before(end)
        else:
            end, gtids = committed
        if end > log_file.num_bytes:
            end, gtids = log_file.num_bytes, None
        if end <= start.pos:
            return start
        if gtids is not None and start.skipped:
            gtids = gtids.union(GtidPosition.parse(start.skipped))
        return replace(start, pos=end, gtids="" if gtids is None else gtids.text)

    def _ends_from(self, offset: StreamOffset, log_file: LogFile) -> TransactionEnds:
        if self._ends is None or not self._ends.covers(offset):
            begins = read_log_start(log_file)
            if begins is None:  # it was there when the offset was found
                raise DataLossError("was cut before the end of its first event", site=log_file.site)
            event, gtids = begins.format_event, begins.gtids
            if offset.gtids:
                gtids = GtidPosition.parse(offset.gtids)
            elif offset.pos > len(MAGIC):
                # A checkpoint of before: the names are in the log, unless it is far away.
                before = TransactionEnds(log_file, event, len(MAGIC), self._options, gtids)
                is_near = log_file.server is None and gtids is not None
                if is_near and before.last(replace(log_file, num_bytes=offset.pos)) == offset.pos:
                    gtids = before.gtids_before(offset.pos)
                else:
                    gtids = None
            self._ends = TransactionEnds(log_file, event, offset.pos, self._options, gtids)
        return self._ends

    def _following(self, log_name: str) -> LogFile | None:
        """Return the next log, once its first event is complete; logs in between may be lost."""
        following = self._series.after(log_name)
        if following is None or read_format_event(following) is None:
            return None
        if following.number != log_number(log_name) + 1:
            self._lose(
                self._failover.start_of(following),
                f"comes next after {log_name}, the logs in between are gone",
            )
        return following

    def _found_again(self, offset: StreamOffset, *, may_wait: bool = False) -> StreamOffset | None:
        """Return an offset that was read up to, or the one after a gap; None if there is none yet.

        If another server answers than the one that wrote the log of the offset, it is an offset in
        the logs of that one. Of several servers, the first that can continue without a gap answers
        from then on.
        """
        while self._num_turns:
            try:
                return self._found_here(offset, may_wait=may_wait, may_lose=False)
            except DataLossError:
                self._num_turns -= 1
                self._series.turn()
        return self._found_here(offset, may_wait=may_wait, may_lose=True)

    def _found_here(
        self, offset: StreamOffset, *, may_wait: bool, may_lose: bool
    ) -> StreamOffset | None:
        """Return an offset as `_found_again` does, of the server that answers.

        `mysqlbinlog --raw` writes its last log again when it is restarted. Until that log reaches
        the offset, the result is None too, if `may_wait`.
        """
        if not offset.log_name:
            return self._start_after(-1)
        log_file = self._series.find(offset.log_name)
        size = -1 if log_file is None else log_file.num_bytes
        here = (self._series.identity(), offset.log_name, size, offset.log_id)
        if here == self._seen:
            return offset
        reason = reason_against(log_file, offset)
        if reason is None:
            self._seen = here
            return offset
        self._ends = self._seen = None
        is_unwritten = reason == WITHOUT_BEGINNING or str(reason).startswith(CUT)
        if may_wait and is_unwritten and self._series.after(offset.log_name) is None:
            return None
        if self._failover.is_elsewhere(offset):
            return self._failover.resumed(offset, may_lose=may_lose)
        self._lose(offset, str(reason), may_lose=may_lose)
        # Only logs with lower numbers, or another of the same name: the server was reset.
        is_reset = log_file is not None and reason == REPLACED
        after = self._start_after(-1 if is_reset else log_number(offset.log_name))
        return after or (self._start_after(-1) if log_file is None else None)

    def _start_after(self, number: int) -> StreamOffset | None:
        """Return the start of the first log with a higher number; None if there is none yet."""
        log_file = next((log for log in self._series.all() if log.number > number), None)
        if log_file is None or read_format_event(log_file) is None:
            return None
        return self._failover.start_of(log_file)

    def _lose(self, offset: StreamOffset, what: str, *, may_lose: bool = True) -> None:
        """Raise or warn that changes are lost, by the option failOnDataLoss."""
        site = EventSite(offset.log_name, offset.pos)
        if self._options.fail_on_data_loss or not may_lose:
            raise DataLossError(what, site=site)
        warn(f"{site}: {what}: changes are lost")


def _range_from(offset: StreamOffset) -> OffsetRange:
    """Return the range of a log from an offset to its end."""
    skipped = GtidPosition.parse(offset.skipped).as_set if offset.skipped else None
    return OffsetRange(offset.pos, None, offset.log_id, skipped=skipped)
