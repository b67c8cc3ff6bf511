"""The ends of transactions in one log of a stream, found as the log grows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from pyspark_adapter.errors import BinlogError, located
from pyspark_adapter.events.log_start import check_log_id, log_id_of
from pyspark_adapter.events.logged_gtids import LoggedGtids
from pyspark_adapter.format.header import LEN_HEADER, MAGIC, len_event_at
from pyspark_adapter.format.schema import EventType, FormatDescription, parse_format_description
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.sources.log_file import LogFile, read_header
from pyspark_adapter.splits.transaction_bounds import Cut, TransactionBounds


def check_start(
    wanted: StreamOffset, log_file: LogFile, format_event: bytes, options: BinlogOptions
) -> None:
    """Check that an event of a log begins at an offset that the user names.

    Raises:
        OptionError: if none does; a server refuses such an offset by itself.
        DataLossError: if it is another log.
    """
    check_log_id(log_file, wanted.log_id, format_event)
    if wanted.pos > log_file.num_bytes:
        allowed = f"a position up to {log_file.num_bytes}, where the log ends"
        raise refuse("startingOffsets", wanted.to_json(), allowed)
    if log_file.compression or log_file.server is not None:
        return
    if others := _events_next_to(wanted.pos, log_file, format_event, options):
        allowed = f"a position where an event begins, next to it at {others}"
        raise refuse("startingOffsets", wanted.to_json(), allowed)


def _events_next_to(
    pos: int, log_file: LogFile, format_event: bytes, options: BinlogOptions
) -> str:
    """Return where events begin next to an offset; empty if one begins or ends there.

    Follows the headers of the log up to the offset. After damage any offset is accepted.
    """
    bounds = TransactionBounds(_description(log_file, format_event, options), len(MAGIC), options)
    for _ in bounds.find(replace(log_file, num_bytes=pos)):
        pass
    before = bounds.position
    if before == pos or bounds.damage is not None or bounds.displaced >= 0:
        return ""
    header = read_header(log_file, before)
    after = before + len_event_at(header) if len(header) == LEN_HEADER else 0
    return f"{before} or {after}" if before < after <= log_file.num_bytes else f"{before}"


def _description(
    log_file: LogFile, format_event: bytes, options: BinlogOptions
) -> FormatDescription:
    with located(log_file.event_site(len(MAGIC), EventType.format_description)):
        return parse_format_description(format_event, verify=options.verify_checksums)


class TransactionEnds:
    """Finds ends of transactions in a growing log; each byte is read once.

    Args:
        format_event: its first event.
        start: offset before which no transaction is open.
        gtids: the transactions before it; None if they are unknown.
    """

    def __init__(
        self,
        log_file: LogFile,
        format_event: bytes,
        start: int,
        options: BinlogOptions,
        gtids: GtidPosition | None = None,
    ) -> None:
        self._log = (log_file.name, log_id_of(format_event))
        description = _description(log_file, format_event, options)
        self._gtids = LoggedGtids(description, gtids)
        self._bounds = TransactionBounds(description, start, options, gtids=self._gtids)
        self._start = start
        self._ends = [start]  # found and not yet passed, in order
        self._num_bytes = -1  # size of the log when its end was reached last

    @property
    def damage(self) -> BinlogError | None:
        """The error of the event after the last end, if it is damaged."""
        return self._bounds.damage

    def covers(self, offset: StreamOffset) -> bool:
        """Return whether the ends after an offset can be found from here."""
        is_same = self._log == (offset.log_name, offset.log_id)
        return is_same and self._ends[0] <= offset.pos <= self._bounds.position

    def last(self, log_file: LogFile) -> int:
        """Return the end of the last whole transaction; raises BinlogError."""
        self._find(log_file, None)
        self._pass(len(self._ends) - 1)
        return self._ends[-1]

    def gtids_before(self, end: int) -> GtidPosition | None:
        """Return the transactions before an end, those before the log included; None if unknown."""
        return self._gtids.before(end)

    def last_within(self, log_file: LogFile, start: int, limit: int, *, or_next: bool) -> int:
        """Return the last end at an offset or before it; raises BinlogError.

        Args:
            log_file: the log, with the size that it has now.
            start: the end to begin from; returned if no other follows.
            limit: the offset.
            or_next: whether to return the first end after the limit, if there is none within it.
        """
        self._find(log_file, max(limit, start + 1))
        self._pass(bisect_right(self._ends, start) - 1)
        index = bisect_right(self._ends, limit) - 1
        if index <= 0 and or_next and len(self._ends) > 1:
            index = 1
        return self._ends[max(index, 0)]

    def cuts_between(self, start: StreamOffset, stop: StreamOffset) -> Sequence[Cut] | None:
        """Return where a range of a log may be split; None if not all of it was looked at."""
        ids = {(offset.log_name, offset.log_id) for offset in (start, stop)}
        if ids != {self._log} or not self._start <= start.pos <= stop.pos <= self._bounds.position:
            return None
        return [cut for cut in self._bounds.cuts if start.pos < cut.pos < stop.pos]

    def _find(self, log_file: LogFile, limit: int | None) -> None:
        """Go on to the end of the log, or until an end after a limit is found."""
        if log_file.num_bytes == self._num_bytes or self._is_after(limit):
            return
        for ends in self._bounds.find(log_file):
            self._ends += ends[ends[:1] == self._ends[-1:] :]
            if limit is None:
                self._pass(len(self._ends) - 1)
            elif self._is_after(limit):
                return
        self._num_bytes = log_file.num_bytes

    def _pass(self, count: int) -> None:
        """Forget some ends, which are not asked for again."""
        if count > 0:
            del self._ends[:count]
            self._gtids.move(self._ends[0])

    def _is_after(self, limit: int | None) -> bool:
        return limit is not None and self._ends[-1] > limit
