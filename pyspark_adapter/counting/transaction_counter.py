"""Counts what each transaction of a log changes.

No Python object is made for an event or a transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from pyspark_adapter.counting.counted_transactions import CountedTransactions, RowChanges, RowTimes
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.statements import StatementKind, TableMapSink
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.format.event_types import ABOUT_LOG, TRAITS
from pyspark_adapter.format.header import len_event_at, type_code_at
from pyspark_adapter.kernels.layout import Change, Event, Numbers, Transaction
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import CHANGES_BY_EVENT_TYPE
from pyspark_adapter.scan.decompressed_reader import DecompressedReader
from pyspark_adapter.scan.kernel_counts import count_error, count_events
from pyspark_adapter.scan.scanned_events import ScannedEvents, within_bounds
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.scanner import Scan, Scanner
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress

# By type of event, as `RowChanges.kinds`.
_KINDS: Final = {Change.INSERT: 0, Change.UPDATE_POSTIMAGE: 1, Change.DELETE: 2}
_KIND_OF_TYPE: Final = np.zeros(256, dtype=np.int64)
for _type_code, _changes in CHANGES_BY_EVENT_TYPE.items():
    _KIND_OF_TYPE[_type_code] = _KINDS[Change(max(_changes))]

CountEvents = Callable[[ScannedEvents, Numbers], Numbers]


class TransactionCounter:
    """Adds up the transactions of one log, window after window.

    Args:
        options: of the read; the filters of rows apply to the counts.
        kinds: of the statements that come with the transactions.
        part: the part of the log to read; None for all.
        tables: completes table maps; None to leave them as they are logged.
        count: counts the row changes of events, as `count_events`.

    Attributes:
        num_formats: format descriptions that have been read.
    """

    def __init__(
        self,
        log_file: LogFile,
        options: BinlogOptions,
        kinds: StatementKind = StatementKind.OTHER,
        part: ReadRange | None = None,
        *,
        tables: TableMapSink | None = None,
        count: CountEvents = count_events,
    ) -> None:
        self._log_file = log_file
        self._tables = tables
        self._count_events = count
        self._kinds = kinds
        self._options = options
        self._part = part
        self._filter = ScannedFilter(options, log_file)
        self._needs_rows = not self._filter.tables.keeps_all or (
            options.change_types is not None or options.server_ids is not None
        )
        self._names: dict[str, int] = {}  # of tables, with their numbers
        # Of the last transaction of the window before.
        self._changes = RowChanges.none()
        self._earlier = RowTimes.none().earlier
        self.num_formats = 0

    def windows(
        self, progress: Progress | None, done: int, total: int
    ) -> Iterator[CountedTransactions]:
        """Yield the transactions of the log. There may be none: then there are statements.

        Raises:
            BinlogError: after those that are complete.
        """
        scanner = Scanner(
            self._log_file,
            self._options,
            self._tables,
            self._kinds,
            part=self._part,
            flags=Scan.ALL_WINDOWS,
        )
        last: CountedTransactions | None = None  # it may continue in the next window
        try:
            for scanned in scanner:
                if not scanned.transactions.shape[1]:
                    statements = [placed.statement for placed in scanned.statements]
                    yield CountedTransactions.none(self._log_file.name, statements)
                    continue
                last = None
                selection, counts = self._count(scanned)
                counted = self._found(scanned, selection, counts)
                error: BinlogError | None = None
                num_good = len(counted) - 1
                damaged = np.flatnonzero(counts < 0)
                if len(damaged):
                    event = int(selection[damaged[0]])
                    error = count_error(scanned, event, int(counts[damaged[0]]))
                    num_good = int(scanned.events[Event.TRANSACTION, event])
                latest = counted.last()
                self._changes, self._earlier = latest.changes, latest.times.earlier
                yield from self._kept(counted.first(num_good))
                if error is not None:
                    raise error
                last = next(self._kept(latest), None)
                if progress is not None:
                    start_pos = int(scanned.transactions[Transaction.START_POS, -1])
                    progress(done + scanned.reader.file_position(start_pos), total)
        except BinlogError:
            if last is not None and scanner.is_between_transactions:
                yield last
            raise
        finally:
            self.num_formats = scanner.num_formats
        if last is not None:
            stop = None if self._part is None else self._part.stop
            if stop is not None and stop < self._log_file.num_bytes:  # another one begins there
                last = replace(last, end_pos=np.array([stop]))
            yield last

    def _count(self, scanned: ScannedEvents) -> tuple[Numbers, Numbers]:
        """Return the events that are asked for, and their row changes; below 0 if damaged."""
        selection = self._filter.selected(scanned)
        if not len(selection):
            return selection, np.zeros(0, dtype=np.int64)
        with within_bounds(scanned.site(int(selection[0]))):
            return selection, self._count_events(scanned, selection)

    def _kept(self, counted: CountedTransactions) -> Iterator[CountedTransactions]:
        """Yield the transactions that are asked for, if there are any."""
        keeps = self._filter.transactions(counted.fields, counted.tagged_gtids)
        if self._needs_rows:
            keeps &= counted.num_rows() > 0
        if keeps.any() or counted.statements:
            yield counted.where(keeps)

    def _found(
        self, scanned: ScannedEvents, selection: Numbers, counts: Numbers
    ) -> CountedTransactions:
        """Return all transactions of the window."""
        events = scanned.events
        whole = len(selection) == events.shape[1]
        transactions, types, offsets, ends, slots = (
            events[field] if whole else events[field, selection]
            for field in (Event.TRANSACTION, Event.TYPE, Event.OFFSET, Event.END, Event.SLOT)
        )
        changes = RowChanges(
            transactions,
            self._tables_of(scanned, slots),
            _KIND_OF_TYPE[types],
            np.maximum(counts, 0),
            ends - offsets,
        )
        stops = np.append(scanned.transactions[Transaction.START_POS, 1:], _end_of_last(scanned))
        if self._log_file.is_of_engine:
            stops[:] = -1  # parts of a group may be anywhere before
        return CountedTransactions(
            self._log_file.name,
            scanned.transactions,
            scanned.tagged_gtids,
            stops,
            list(self._names),
            self._changes.then(changes),
            RowTimes(events[Event.TRANSACTION], events[Event.TIMESTAMP], self._earlier),
            [placed.statement for placed in scanned.statements],
        )

    def _tables_of(self, scanned: ScannedEvents, slots: Numbers) -> Numbers:
        """Return the number of the table of each event."""
        names, table_maps = self._names, scanned.tables.table_maps
        if len(slots) and slots.min() == slots.max():
            table = str(table_maps[int(slots[0])].table)
            return np.full(len(slots), names.setdefault(table, len(names)))
        used = np.flatnonzero(np.bincount(slots))  # of at most some thousand
        numbers = np.zeros(used[-1] + 1 if len(used) else 0, dtype=np.int64)
        for slot in used.tolist():
            numbers[slot] = names.setdefault(str(table_maps[slot].table), len(names))
        return np.asarray(numbers[slots])


def _end_of_last(scanned: ScannedEvents) -> int:
    """Return the offset in the file of the end of the last transaction, as far as it is scanned.

    Events that belong to no transaction, such as the ROTATE at the end, do not count. -1 if it is
    decompressed, so that lengths in the file are not known.
    """
    reader = scanned.reader
    if isinstance(reader, DecompressedReader):
        return -1
    last = scanned.transactions.shape[1] - 1
    offset = max(int(scanned.transactions[Transaction.START_POS, last]) - reader.base_pos, 0)
    count = scanned.events.shape[1]
    if count and scanned.events[Event.TRANSACTION, -1] == last:
        offset = int(scanned.events[Event.OFFSET, -1])
    end = offset
    while offset < scanned.end:
        type_code = type_code_at(reader.data, offset)
        offset += len_event_at(reader.data, offset)
        if not TRAITS[type_code] & ABOUT_LOG:
            end = offset
    return reader.base_pos + end
