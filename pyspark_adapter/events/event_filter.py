"""Which events of a log the events view gives."""

from __future__ import annotations

from pyspark_adapter.events.frame import Frame
from pyspark_adapter.events.row_filter import RowFilter
from pyspark_adapter.events.transactions import PARSED_EVENTS, TransactionTracker
from pyspark_adapter.format.event_types import ROWS_EVENTS
from pyspark_adapter.format.schema import EventParser
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile


class EventFilter:
    """Selects the events of one log that the options ask for.

    An event outside of transactions counts as a transaction of its own, without a GTID.
    """

    def __init__(self, log_file: LogFile, options: BinlogOptions) -> None:
        self._filter = RowFilter(options, log_file)
        self._tracker = TransactionTracker()

    def keeps(self, frame: Frame, parser: EventParser) -> bool:
        """Return whether the next event of the log is asked for; raises BinlogError.

        Args:
            frame: the event; call it with each, in order.
            parser: of the log's format.
        """
        if self._filter.keeps_all:
            return True
        is_within = self._follow(frame, parser)
        if not self._filter.keeps_server(frame.server_id):
            return False
        if not is_within:
            micros = frame.timestamp * 1_000_000
            return self._filter.keeps_transaction(frame.start_pos, micros, None)
        current = self._tracker.current
        return self._filter.keeps_transaction(
            current.start_pos, current.commit_micros, current.gtid
        )

    def _follow(self, frame: Frame, parser: EventParser) -> bool:
        """Follow an event; return whether it is within a transaction."""
        tracker = self._tracker
        before, was_open = tracker.latest, tracker.is_open
        parsed = parser.parse(frame.event) if frame.plain_type in PARSED_EVENTS else None
        tracker.follow(frame, parsed)
        is_within = was_open or tracker.is_open or tracker.latest is not before
        if frame.plain_type in ROWS_EVENTS:
            flags = frame.body_start + parser.format_description.len_table_id
            if flags < frame.body_end and frame.event[flags] & 1:
                tracker.end_statement()
        return is_within
