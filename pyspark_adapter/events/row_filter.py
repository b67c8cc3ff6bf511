"""The rows of a log that the options select: by transaction, by event, by row image.

`scan.scanned_filter` does the same for all events of a window at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark_adapter.events.event_errors import gtid_error
from pyspark_adapter.events.frame import Frame
from pyspark_adapter.events.transactions import PARSED_EVENTS, TransactionTracker
from pyspark_adapter.format.event_types import ROWS_EVENTS
from pyspark_adapter.format.schema import EventParser
from pyspark_adapter.options.binlog_options import BinlogOptions, options_with
from pyspark_adapter.options.change_types import CHANGE_TYPES, UPDATE
from pyspark_adapter.options.declarations import Trait
from pyspark_adapter.options.filter_values import micros_of
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.options.log_position import GtidStart
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile

# What to replace in options so that they choose all rows.
NO_FILTERS: Final[dict[str, Any]] = dict.fromkeys(options_with(Trait.FILTER))
_ALL_CHANGES: Final = frozenset(range(len(CHANGE_TYPES)))


@dataclass
class TableFilter:
    """Selects tables by the options `databases` and `tables`."""

    _options: BinlogOptions
    _known: dict[TableName, bool] = field(default_factory=dict)

    @property
    def keeps_all(self) -> bool:
        """Whether all tables are selected."""
        return self._options.databases is None and self._options.tables is None

    def keeps(self, table: TableName) -> bool:
        """Return whether a table is selected."""
        if self.keeps_all:
            return True
        if table not in self._known:
            self._known[table] = self._matches(table)
        return self._known[table]

    def may_keep(self, table: TableName) -> bool:
        """Return whether a table is selected under the name that a statement gives it.

        A server with `lower_case_table_names=1` logs its rows under the name in lower case.
        """
        return self.keeps(table) or self.keeps(table.lower())

    def _matches(self, table: TableName) -> bool:
        database_name, table_name = table.database_name, table.table_name
        databases, tables = self._options.databases, self._options.tables
        if databases is not None and not any(one.matches(database_name) for one in databases):
            return False
        return tables is None or any(one.matches(database_name, table_name) for one in tables)


class RowFilter:
    """Selects rows of one log by the options.

    Args:
        allowed: of a batch of a stream, the transactions that it has by its offsets: another one is
            an error. None for any.

    Attributes:
        keeps_none: whether the whole log is outside the selected positions.
        first_pos: transactions that begin before this offset are filtered out.
        end_pos: so are transactions that begin at this offset or later; None for no limit.
        first_micros: like `first_pos`, for commit times in microseconds since 1970-01-01 UTC; None
            for no limit.
        end_micros: like `end_pos`, for commit times.
        include_gtids, server_ids: as the options.
        exclude_gtids: as the option, with those that `startingOffsets` begins after.
        changes: `Change` codes of the selected row images.
        tables: selects tables.
        keeps_all: whether no row is filtered out.
        keeps_all_transactions: whether no transaction is filtered out as a whole.
        keeps_all_of_transactions: whether no row of a transaction that is selected is filtered out.
        dropped_image: `Change` code of the image of updates that is filtered out while the other
            is selected; None if there is none.

    Raises:
        OptionError: if a position is in a log of another base name, or begins after its end.
    """

    def __init__(
        self, options: BinlogOptions, log_file: LogFile, allowed: GtidSet | None = None
    ) -> None:
        self.allowed = allowed
        starts, ends = options.starting_position, options.ending_position
        self.first_pos, self.end_pos = 0, None
        self.keeps_none = False
        if starts is not None:
            side = starts.checked_side_of(log_file.name, "startingPosition")
            if side == 0 and not log_file.compression:
                starts.check_within(log_file.num_bytes)
            self.keeps_none = side < 0
            self.first_pos = starts.start_pos if side == 0 else 0
        if ends is not None:
            side = ends.checked_side_of(log_file.name, "endingPosition")
            self.keeps_none |= side > 0
            self.end_pos = ends.start_pos if side == 0 else None
        starts_at, ends_at = options.starting_timestamp, options.ending_timestamp
        self.first_micros = None if starts_at is None else micros_of(starts_at)
        self.end_micros = None if ends_at is None else micros_of(ends_at)
        self.include_gtids = options.include_gtids
        self.exclude_gtids = options.exclude_gtids
        if isinstance(options.starting_offsets, GtidStart):
            done = options.starting_offsets.gtids
            self.exclude_gtids = done.union(options.exclude_gtids or GtidSet(()))
        self.server_ids = options.server_ids
        self.changes = _ALL_CHANGES
        if options.change_types is not None:
            self.changes = frozenset(
                code for code, name in enumerate(CHANGE_TYPES) if name in options.change_types
            )
        self.tables = TableFilter(options)
        dropped = UPDATE - self.changes
        self.keeps_all_of_transactions = (
            self.server_ids is None
            and self.changes == _ALL_CHANGES
            and options.databases is None
            and options.tables is None
        )
        self.dropped_image = next(iter(dropped)) if len(dropped) == 1 else None
        bounds = {self.end_pos, self.first_micros, self.end_micros}
        has_gtids = self.include_gtids is not None or self.exclude_gtids is not None
        self.keeps_all_transactions = bounds == {None} and not (
            self.keeps_none or self.first_pos or has_gtids
        )
        self.keeps_all = self.keeps_all_transactions and self.keeps_all_of_transactions

    def keeps_transaction(self, start_pos: int, commit_micros: int, gtid: str | None) -> bool:
        """Return whether a transaction is selected; raises ServerError."""
        if self.allowed is not None and gtid is not None and gtid not in self.allowed:
            raise gtid_error(gtid)
        return (
            not self.keeps_none
            and self.first_pos <= start_pos
            and (self.end_pos is None or start_pos < self.end_pos)
            and (self.first_micros is None or self.first_micros <= commit_micros)
            and (self.end_micros is None or commit_micros < self.end_micros)
            and self._keeps_gtid(gtid)
        )

    def _keeps_gtid(self, gtid: str | None) -> bool:
        if self.include_gtids is not None and (gtid is None or gtid not in self.include_gtids):
            return False
        return self.exclude_gtids is None or gtid is None or gtid not in self.exclude_gtids

    def keeps_server(self, server_id: int) -> bool:
        """Return whether changes of a server are selected."""
        return self.server_ids is None or any(
            first <= server_id <= last for first, last in self.server_ids
        )


def logs_to_read(log_files: Sequence[LogFile], options: BinlogOptions) -> list[LogFile]:
    """Return the logs that are not outside the selected positions; raises OptionError."""
    if options.starting_position is None and options.ending_position is None:
        return list(log_files)
    return [log for log in log_files if not RowFilter(options, log).keeps_none]


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
