"""Counts the rows in the events of a window without decoding them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.statements import Statement, StatementKind, TableMapSink
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import count_with_keys
from pyspark_adapter.kernels.layout import MAX_COLUMNS, Cursor, Numbers, Present, RowStatus
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import CHANGES_BY_EVENT_TYPE, DELETE, INSERT, UPDATE
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.event_digits import close_digits
from pyspark_adapter.scan.row_errors import row_error
from pyspark_adapter.scan.scanned_events import ScannedEvents, within_bounds
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.sources.log_file import LogFile

# 0 for events that insert, 1 for those that update, 2 for those that delete.
_KINDS: Final = np.zeros(256, dtype=np.int64)
for _code, _changes in CHANGES_BY_EVENT_TYPE.items():
    _KINDS[_code] = (INSERT, UPDATE, DELETE).index(_changes)


class FailedEventError(Exception):
    """Carries an error within this package, and which event of the window it is about.

    Attributes:
        event: column of `scanned.events`; the events before it are good.
    """

    def __init__(self, event: int, error: BinlogError) -> None:
        super().__init__(event, error)
        self.event = event
        self.error = error


@dataclass(frozen=True, slots=True)
class EventCount:
    """Row changes of one table, in a rows event or those of a window.

    Attributes:
        table_map: of the first event.
        is_described: whether the log names the columns for all events.
        site: of the first event.
        num_inserts, num_updates, num_deletes: row changes; an update counts once.
        num_bytes: of the events, decompressed and without checksums.
        num_transactions: how many they are in.
        first_transaction, last_transaction: numbers that tell the transactions of a log apart.
        first_micros, last_micros: earliest and latest commit time, in microseconds since
            1970-01-01 UTC.
    """

    table_map: TableMap
    is_described: bool
    site: EventSite
    num_inserts: int
    num_updates: int
    num_deletes: int
    num_bytes: int
    num_transactions: int
    first_transaction: int
    last_transaction: int
    first_micros: int
    last_micros: int


def split_error(error: int) -> tuple[RowStatus, int, int]:
    """Return (status, column, offset in the window) of what `error_at` has made."""
    return RowStatus(-(-error & 0xFF)), -error >> 8 & 0xFFFF, -error >> 24


def count_error(scanned: ScannedEvents, event: int, error: int) -> BinlogError:
    """Return the error for rows whose values `kernels.rows` cannot find.

    Args:
        event: column of `scanned.events`.
        error: as `kernels.row_images.error_at` makes it.
    """
    status, column_index, offset = split_error(int(error))
    table_map = scanned.tables.table_maps[int(scanned.events[lay.Event.SLOT, event])]
    column = None
    if status in (RowStatus.BAD_VALUE_LENGTH, RowStatus.BAD_WIDTH):
        column = table_map.columns[column_index]
    site = scanned.site(event)
    return row_error(
        status,
        table_map,
        column,
        site,
        offset=scanned.byte_of(event, offset),
        is_decompressed=scanned.is_decompressed(event),
    )


def count_events(scanned: ScannedEvents, selection: Numbers) -> Numbers:
    """Return the row changes of events; below zero an error of `error_at`."""
    tables = scanned.tables
    if tables.open_slots:
        close_digits(scanned, selection)
    counts, ends = np.zeros((2, len(selection)), dtype=np.int64)
    count_with_keys(
        *scanned.events_to_walk(selection),
        np.zeros_like(tables.widths),
        np.zeros(len(tables.plans), dtype=np.int32),
        counts,
        np.zeros((2, len(Present), MAX_COLUMNS), dtype=np.int32),
        np.zeros(0, dtype=np.uint64),
        ends,
        np.zeros(len(selection), dtype=bool),
    )
    return counts


class RowNumbers:
    """Gives row changes their numbers within their transaction, window after window.

    Attributes:
        carried: row changes so far in the transaction that continues in the next window.
    """

    def __init__(self) -> None:
        self.carried = 0
        # Number of that transaction in the log.
        self._transaction = 0
        # Why they are not known, if they are not.
        self._uncounted: BinlogError | None = None
        self._are_counted_by_locate = False

    def of_events(
        self,
        scanned: ScannedEvents,
        selections: Sequence[Numbers],
        num_events: int,
        *,
        may_go_on: bool = True,
    ) -> Numbers:
        """Return the number of the first row change of each event in its transaction.

        Events of transactions that give no rows here are not counted, and have no meaningful
        number; the last transaction is, since it may give some in the next window. Where all
        events are read, `kernels.rows.locate` counts along the way, and nothing is returned.

        Args:
            selections: columns of `scanned.events` that are read.
            num_events: how many of `scanned.events` to go through, from the first.
            may_go_on: whether the last transaction may give rows in the next window; if not, it is
                not counted for that.

        Raises:
            FailedEventError: if the rows before one that is read cannot be counted.
        """
        self._begin(scanned)
        self._are_counted_by_locate = (
            self._uncounted is None and len(selections) == 1 and len(selections[0]) == num_events
        )
        if self._are_counted_by_locate:
            return np.empty(0, dtype=np.int64)
        transaction = scanned.events[lay.Event.TRANSACTION, :num_events]
        is_read = np.zeros(num_events, dtype=bool)
        for selection in selections:
            is_read[selection] = True
        is_needed = np.zeros(scanned.transactions.shape[1], dtype=bool)
        is_needed[transaction[is_read]] = True
        is_needed[-1] |= may_go_on
        counted = np.flatnonzero(is_needed[transaction])
        counts = np.zeros(num_events, dtype=np.int64)
        counts[counted] = count_events(scanned, counted)
        numbers = _within(np.maximum(counts, 0), transaction, self.carried)
        self._check(scanned, counts, is_read)
        of_last = np.flatnonzero(transaction == scanned.transactions.shape[1] - 1)
        if len(of_last):
            end = int(of_last[-1])
            self.carried = int(numbers[end] + max(counts[end], 0))
        elif scanned.transactions.shape[1] > 1:
            self.carried = 0
        return numbers

    def _begin(self, scanned: ScannedEvents) -> None:
        """Forget the transaction of the last window if the first one here is another.

        Windows without rows events do not come here, and may end transactions. A window may begin
        again, up to an event that cannot be read.
        """
        if scanned.transactions[lay.Transaction.NUMBER, 0] != self._transaction:
            self.carried = 0
            self._uncounted = None

    def _check(self, scanned: ScannedEvents, counts: Numbers, is_read: Numbers) -> None:
        """Raise if an event that is read comes after one of its transaction that is not counted."""
        transaction = scanned.events[lay.Event.TRANSACTION, : len(counts)]
        is_unknown = (counts < 0).astype(np.int64)
        unknown_before = _within(is_unknown, transaction, int(self._uncounted is not None))
        late = np.flatnonzero(is_read & (unknown_before > 0))
        if len(late):
            if transaction[late[0]] == 0 and self._uncounted is not None:  # the first one counts
                raise FailedEventError(int(late[0]), self._uncounted)
            event = int(np.argmax((transaction == transaction[late[0]]) & (counts < 0)))
            error = count_error(scanned, event, int(counts[event]))
            raise FailedEventError(int(late[0]), error)
        last = scanned.transactions.shape[1] - 1
        of_last = np.flatnonzero((transaction == last) & (counts < 0))
        if len(of_last) and (last > 0 or self._uncounted is None):
            self._uncounted = count_error(scanned, int(of_last[0]), int(counts[of_last[0]]))
        elif last > 0:
            self._uncounted = None

    def carry(self, scanned: ScannedEvents, cursor: Numbers) -> None:
        """End the window; take over how far `locate` has counted the last transaction's rows."""
        self._transaction = int(scanned.transactions[lay.Transaction.NUMBER, -1])
        if self._are_counted_by_locate:
            is_last = cursor[Cursor.TRANSACTION] == scanned.transactions.shape[1] - 1
            self.carried = int(cursor[Cursor.ROW_NUMBER]) if is_last else 0


def _within(counts: Numbers, transaction: Numbers, carried: int) -> Numbers:
    """Return for each event the sum of the counts before it in its transaction.

    Args:
        counts: of each event.
        transaction: of each event; those of one are adjacent.
        carried: what the first transaction begins with.
    """
    before = np.cumsum(counts) - counts
    starts = np.flatnonzero(np.diff(transaction, prepend=-1))
    lengths = np.diff(np.append(starts, len(transaction)))
    sums = before - np.repeat(before[starts], lengths)
    sums[transaction == 0] += carried
    return np.asarray(sums)


def count_changes(
    log_file: LogFile,
    options: BinlogOptions,
    kinds: StatementKind,
    completer: TableMapSink,
    part: ReadRange | None = None,
) -> Iterator[tuple[Sequence[EventCount], Sequence[Statement], int]]:
    """Yield the row changes of each window of a log, by table, or its statements; and its position.

    Args:
        kinds: of the statements.
        completer: completes table maps; takes those that it asks for.
        part: the part of the log to read; None for all.

    Raises:
        BinlogError: with its site.
    """
    scanned_filter = ScannedFilter(options, log_file)
    for scanned in Scanner(log_file, options, completer, kinds, part):
        if scanned.statements:
            yield (), [statement.statement for statement in scanned.statements], scanned.position
        if not scanned.events.shape[1]:
            continue
        selection = scanned_filter.selected(scanned)
        with within_bounds(scanned.site(0)):
            counts = count_events(scanned, selection)
        for k in np.flatnonzero(counts < 0)[:1].tolist():
            raise count_error(scanned, int(selection[k]), int(counts[k]))
        yield list(_by_table(scanned, selection, counts)), (), scanned.position


def _by_table(scanned: ScannedEvents, selection: Numbers, counts: Numbers) -> Iterator[EventCount]:
    """Yield the counts of each table, in the order of their first events."""
    if not counts.all():
        selection, counts = selection[counts > 0], counts[counts > 0]
    if not len(selection):
        return
    events = scanned.events
    if len(selection) < events.shape[1]:
        events = events[:, selection]
    slot, transaction = events[lay.Event.SLOT], events[lay.Event.TRANSACTION]
    num_bytes = events[lay.Event.END] - events[lay.Event.OFFSET]
    key = _KINDS[events[lay.Event.TYPE]]
    # Tables by number, in any order. A window has fewer than 1 << 16; so short, they sort by radix.
    table_of_slot = np.zeros(int(slot.max()) + 1, dtype=np.uint16)
    numbers: dict[TableName, int] = {}
    is_described: list[bool] = []
    for known in np.flatnonzero(np.bincount(slot)).tolist():
        table_map = scanned.tables.table_maps[known]
        table_of_slot[known] = number = numbers.setdefault(table_map.table, len(numbers))
        if number == len(is_described):
            is_described.append(True)
        is_described[number] &= table_map.is_described_by_log
    starts = np.zeros(1, dtype=np.int64)
    if len(numbers) > 1:
        table = table_of_slot[slot]
        order = np.argsort(table, kind="stable")
        table = table[order]
        selection, counts, transaction = selection[order], counts[order], transaction[order]
        num_bytes, key = num_bytes[order], key[order] + 3 * table.astype(np.int64)
        starts = np.searchsorted(table, np.arange(len(numbers)))
    lasts = np.append(starts[1:], len(slot)) - 1

    sums = np.bincount(key, weights=counts, minlength=3 * len(numbers)).astype(np.int64)
    is_next = np.diff(transaction, prepend=-1) != 0
    is_next[starts] = True
    micros = scanned.transactions[lay.Transaction.COMMIT_MICROS, transaction]
    number_of = scanned.transactions[lay.Transaction.NUMBER]
    columns = zip(
        selection[starts].tolist(),
        is_described,
        sums.reshape(-1, 3).tolist(),
        np.add.reduceat(num_bytes, starts).tolist(),
        np.add.reduceat(is_next.astype(np.int64), starts).tolist(),
        number_of[transaction[starts]].tolist(),
        number_of[transaction[lasts]].tolist(),
        np.minimum.reduceat(micros, starts).tolist(),
        np.maximum.reduceat(micros, starts).tolist(),
        strict=True,
    )
    for first, described, changes, *rest in sorted(columns):
        table_map = scanned.tables.table_maps[int(scanned.events[lay.Event.SLOT, first])]
        yield EventCount(table_map, described, scanned.site(first), *changes, *rest)
