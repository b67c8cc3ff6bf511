"""The transactions of logs: what they changed, how large they are, and how long they took.

Nothing is decoded, and no Python object is made for an event or a transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.kernel_metadata import gtid_texts
from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.events.statements import StatementSink
from pyspark_adapter.filters.row_filter import RowFilter, logs_to_read
from pyspark_adapter.format.event_types import ABOUT_LOG, TRAITS
from pyspark_adapter.format.header import OFS_LEN_EVENT, len_event_at, type_code_at
from pyspark_adapter.ignored_errors import ignoring
from pyspark_adapter.kernels.layout import Change, Event, Transaction
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import CHANGES_BY_EVENT_TYPE
from pyspark_adapter.options.engine import has_kernels
from pyspark_adapter.progress import Progress
from pyspark_adapter.scan.decompressed_reader import DecompressedReader
from pyspark_adapter.scan.kernel_counts import count_error, count_events
from pyspark_adapter.scan.row_errors import within_bounds
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.sources.log_file import LogFile

# The changes of a table in a transaction. num_bytes: of its rows events, uncompressed.
TABLE_CHANGES: Final = pa.struct(
    [
        ("table", pa.string()),
        ("num_inserts", pa.int64()),
        ("num_updates", pa.int64()),
        ("num_deletes", pa.int64()),
        ("num_bytes", pa.int64()),
    ]
)

# A row for each transaction.
#   end_pos: where the next transaction begins; for the last one of a log, where its own events end;
#     null for the last one of a log that is compressed.
#   num_bytes: in the file, from its first event to the next transaction; null for the last one of
#     a log that MariaDB compressed.
#   duration: whole seconds from its first rows event to its commit, as logged; null without rows.
TRANSACTIONS: Final = pa.schema(
    [
        ("log_file", pa.string()),
        ("start_pos", pa.int64()),
        ("end_pos", pa.int64()),
        ("commit_timestamp", pa.timestamp("us", tz="UTC")),
        ("gtid", pa.string()),
        ("thread_id", pa.int64()),
        ("num_bytes", pa.int64()),
        ("num_rows", pa.int64()),
        ("duration", pa.int64()),
        ("tables", pa.list_(TABLE_CHANGES)),
    ]
)

_NEVER: Final = np.iinfo(np.int64).max
# Rows of the sums: the three kinds of changes, and the bytes of rows events.
_KINDS: Final = {Change.INSERT: 0, Change.UPDATE_POSTIMAGE: 1, Change.DELETE: 2}
_BYTES: Final = 3
_NUM_SUMS: Final = 4
_KIND_OF_TYPE: Final = np.zeros(256, dtype=np.int64)
for _type_code, _changes in CHANGES_BY_EVENT_TYPE.items():
    _KIND_OF_TYPE[_type_code] = _KINDS[Change(max(_changes))]


def list_transactions(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    statements: StatementSink | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the transactions of logs, in order, with the columns of TRANSACTIONS.

    The filters of the options apply: those of rows to the counts, and then transactions without
    such rows are left out.

    Args:
        log_files: the logs.
        options: of the read.
        progress: called from time to time with the bytes read so far and the bytes in all.
        statements: given the statements of the logs, before the transactions around them.

    Raises:
        OptionError: if the options exclude the kernels.
        BinlogError: if a log is damaged; what is before the damage has been given.
    """
    if not has_kernels(options):
        raise OptionError(
            "option engine: expected kernels, since transactions are counted by them",
            option="engine",
        )
    log_files = logs_to_read(log_files, options)
    total = sum(log.num_bytes for log in log_files)
    done = 0
    for log_file in log_files:
        collector = _Collector(log_file, options, statements)
        with ignoring(options):
            yield from collector.batches(progress, done, total)
        done += log_file.num_bytes


def largest_transactions(
    batches: Iterable[pa.RecordBatch], count: int, column: str
) -> pa.RecordBatch:
    """Return the transactions with the largest values of a column, the largest first."""
    best = pa.RecordBatch.from_pylist([], TRANSACTIONS)
    for batch in batches:
        both = pa.concat_batches([best, batch])
        values = pc.fill_null(both.column(column), -1).to_numpy()
        best = both.take(pa.array(np.argsort(-values, kind="stable")[:count]))
    return best


class _Collector:
    """Adds up the transactions of one log, window after window."""

    def __init__(
        self, log_file: LogFile, options: BinlogOptions, statements: StatementSink | None
    ) -> None:
        self._log_file = log_file
        self._statements = statements
        self._options = options
        row_filter = RowFilter(options, log_file)
        self._filter = ScannedFilter(row_filter)
        self._needs_rows = not row_filter.tables.keeps_all or (
            options.change_types is not None or options.server_ids is not None
        )
        self._names: dict[str, int] = {}  # of tables, with their numbers
        self._carried = _Carried()

    def batches(self, progress: Progress | None, done: int, total: int) -> Iterator[pa.RecordBatch]:
        """Yield the transactions of the log.

        Raises:
            BinlogError: after those that are complete.
        """
        scanner = Scanner(
            self._log_file, self._options, statements=self._statements, gives_all=True
        )
        last: pa.RecordBatch | None = None  # it may go on in the next window
        try:
            for scanned in scanner:
                last = None
                num_good, error = self._count(scanned)
                batch = self._build(scanned)
                yield from self._kept(scanned, batch, 0, num_good)
                if error is not None:
                    raise error
                last = next(self._kept(scanned, batch, num_good, num_good + 1), None)
                if progress is not None:
                    start_pos = int(scanned.transactions[Transaction.START_POS, -1])
                    progress(done + scanned.reader.file_position(start_pos), total)
        except BinlogError:
            if last is not None and scanner.is_between_transactions:
                yield last
            raise
        if last is not None:
            yield last

    def _count(self, scanned: ScannedEvents) -> tuple[int, BinlogError | None]:
        """Count the selected rows; return the transactions before the last or a damaged one."""
        keeps = self._filter.events(scanned)
        count = scanned.events.shape[1]
        self._selection = np.arange(count) if keeps is None else np.flatnonzero(keeps)
        self._counts = np.zeros(0, dtype=np.int64)
        if len(self._selection):
            with within_bounds(scanned.site(int(self._selection[0]))):
                self._counts = count_events(scanned, self._selection)
        damaged = np.flatnonzero(self._counts < 0)
        if not len(damaged):
            return scanned.transactions.shape[1] - 1, None
        first = int(damaged[0])
        event = int(self._selection[first])
        error = count_error(scanned, event, int(self._counts[first]))
        return int(scanned.events[Event.TRANSACTION, event]), error

    def _kept(
        self, scanned: ScannedEvents, batch: pa.RecordBatch, begin: int, end: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the transactions of a range that are asked for, if there are any."""
        part = batch.slice(begin, end - begin)
        transactions = scanned.transactions[:, begin:end]
        keeps = self._filter.transactions(transactions, scanned.tagged_gtids)
        if self._needs_rows:
            keeps &= part.column("num_rows").to_numpy() > 0
        if keeps.any():
            yield part if keeps.all() else part.filter(pa.array(keeps))

    def _build(self, scanned: ScannedEvents) -> pa.RecordBatch:
        """Return all transactions of the window."""
        transactions = scanned.transactions
        num = transactions.shape[1]
        starts = transactions[Transaction.START_POS]
        micros = transactions[Transaction.COMMIT_MICROS].copy()
        sums, offsets = self._add_up(scanned)
        num_rows = np.add.reduceat(
            np.append(sums[:_BYTES].sum(axis=0), 0), np.minimum(offsets[:-1], sums.shape[1])
        )
        num_rows[offsets[:-1] == offsets[1:]] = 0
        end_pos = np.append(starts[1:], _end_of_last(scanned))
        between = np.where(end_pos >= 0, end_pos - starts, -1)
        logged = transactions[Transaction.NUM_BYTES]
        num_bytes = np.where(logged >= 0, logged, between)
        duration = self._durations(scanned, micros // 1_000_000)
        tables = pa.StructArray.from_arrays(
            [
                pa.array([*self._names, ""]).take(pa.array(self._tables)),
                *(pa.array(row) for row in sums),
            ],
            fields=list(TABLE_CHANGES),
        )
        columns = [
            pa.repeat(self._log_file.name, num),
            pa.array(starts.copy()),
            _logged(end_pos),
            pa.array(micros).cast(TRANSACTIONS.field("commit_timestamp").type),
            gtid_texts(np.ascontiguousarray(transactions), scanned.tagged_gtids),
            _logged(transactions[Transaction.THREAD_ID].copy()),  # the table is that of the scan
            _logged(num_bytes),
            pa.array(num_rows),
            _logged(duration),
            pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), tables),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=TRANSACTIONS)

    def _add_up(self, scanned: ScannedEvents) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return sums by transaction and table, and where those of each transaction begin.

        The number of the table of each sum is kept in `_tables`.

        Returns:
            (_NUM_SUMS, k) int64 and (m + 1,) int64, for m transactions.
        """
        events = scanned.events[:, self._selection]
        carried = self._carried
        contributions = np.zeros((_NUM_SUMS, events.shape[1]), dtype=np.int64)
        index = np.arange(events.shape[1])
        contributions[_KIND_OF_TYPE[events[Event.TYPE]], index] = np.maximum(self._counts, 0)
        contributions[_BYTES] = _lengths(scanned.data, events[Event.OFFSET])
        contributions = np.concatenate([carried.sums, contributions], axis=1)
        tables = np.concatenate([carried.tables, self._tables_of(scanned, events)])
        of = np.concatenate([np.zeros(len(carried.tables), np.int64), events[Event.TRANSACTION]])
        num_names = len(self._names) + 1
        keys = of * num_names + tables
        if (np.diff(keys) < 0).any():
            order = np.argsort(keys, kind="stable")
            keys, contributions = keys[order], contributions[:, order]
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        sums = np.zeros((_NUM_SUMS, 0), dtype=np.int64)
        if len(begins):
            sums = np.add.reduceat(contributions, begins, axis=1)
        keys = keys[begins]
        of, self._tables = np.divmod(keys, num_names)
        last = scanned.transactions.shape[1] - 1
        self._carried = _Carried(sums[:, of == last], self._tables[of == last], carried.times)
        return sums, np.searchsorted(of, np.arange(last + 2))

    def _tables_of(
        self, scanned: ScannedEvents, events: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any]:
        """Return the number of the table of each event."""
        names, table_maps = self._names, scanned.tables.table_maps
        slots = events[Event.SLOT]
        used = np.flatnonzero(np.bincount(slots))  # of at most some thousand
        numbers = np.zeros(used[-1] + 1 if len(used) else 0, dtype=np.int64)
        for slot in used.tolist():
            numbers[slot] = names.setdefault(str(table_maps[slot].table), len(names))
        return np.asarray(numbers[slots])

    def _durations(
        self, scanned: ScannedEvents, commits: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any]:
        """Return the seconds from the first rows event of each to its commit; -1 without rows."""
        first = np.full(len(commits), _NEVER)
        last = np.zeros(len(commits), dtype=np.int64)
        first[0], last[0] = self._carried.times
        of, times = scanned.events[Event.TRANSACTION], scanned.events[Event.TIMESTAMP]
        begins = np.flatnonzero(np.diff(of, prepend=-1))
        if len(begins):
            owners = of[begins]
            first[owners] = np.minimum(first[owners], np.minimum.reduceat(times, begins))
            last[owners] = np.maximum(last[owners], np.maximum.reduceat(times, begins))
        self._carried.times = (int(first[-1]), int(last[-1]))
        spans = np.maximum(commits, last) - first
        return np.where(first == _NEVER, -1, np.maximum(spans, 0))


@dataclass
class _Carried:
    """What the last transaction of a window has so far.

    Attributes:
        sums: (_NUM_SUMS, k) by table.
        tables: (k,) their numbers.
        times: header times of the first and last of its rows events, in seconds.
    """

    sums: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros((_NUM_SUMS, 0), np.int64))
    tables: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0, np.int64))
    times: tuple[int, int] = (_NEVER, 0)


def _logged(values: np.ndarray[Any, Any]) -> pa.Array:
    """Return numbers; null where they are below 0."""
    return pa.array(values, pa.int64(), mask=values < 0)


def _lengths(data: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the lengths of events, from their headers."""
    parts = [data[offsets + OFS_LEN_EVENT + k].astype(np.int64) << 8 * k for k in range(4)]
    return np.asarray(sum(parts))


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
