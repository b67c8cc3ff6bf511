"""Builds the index of a log in one pass over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.counting.counted_transactions import CountedTransactions
from pyspark_adapter.counting.transaction_counter import TransactionCounter
from pyspark_adapter.errors import BinlogError, UnsupportedError, as_log_file_error
from pyspark_adapter.events.log_start import log_id_of, read_format_event, tail_before
from pyspark_adapter.events.row_filter import NO_FILTERS
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.format.event_types import GTID_EVENTS
from pyspark_adapter.format.header import LEN_HEADER, MAGIC, type_code_at
from pyspark_adapter.format.schema import parse_format_description
from pyspark_adapter.index.key_collector import KeyCollector, KeyedTableMaps
from pyspark_adapter.index.table_collector import TableCollector
from pyspark_adapter.index_store.index_schema import BLOCKS, COUNTS, GTIDS, HOURS
from pyspark_adapter.index_store.keys import NO_CHUNKS, IndexBytes, KeySpec, write_chunks
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.kernels.entry_points import add_blocks
from pyspark_adapter.kernels.layout import Numbers, Transaction
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.name_patterns import parse_table_patterns
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.scan.kernel_counts import count_events
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.splits.log_splits import reason_against_ranges
from pyspark_adapter.splits.transaction_bounds import TransactionBounds
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.timeline import Timeline

# Patterns of all tables.
ALL_KEYS: Final = "*.*"
# Bytes of a block. Smaller ones cost more room in the index, and as much to read: a block of this
# size is read in a millisecond.
STEP: Final = 1 << 20

_ADD, _LOW, _HIGH = np.add, np.minimum, np.maximum
# How the numbers of two parts of a block become one, by the columns after the key.
_OF_BLOCKS: Final = (_LOW, _LOW, _HIGH, _ADD, _ADD, _HIGH, _HIGH, _HIGH)
_OF_COUNTS: Final = (*(_ADD,) * 5, _LOW, _HIGH)
_OF_GTIDS: Final = (_LOW, _HIGH)


def build_index(
    log_file: LogFile,
    options: BinlogOptions,
    progress: Progress | None = None,
    *,
    step: int = STEP,
    stop: int | None = None,
    keys_of: str = ALL_KEYS,
    timeline: Timeline | None = None,
) -> LogIndex | None:
    """Return the index of a log.

    It ends before a transaction that is not complete, and before damage, which the reads of the
    log report.

    Args:
        log_file: the log.
        options: of the read; filters do not matter.
        progress: called from time to time with the bytes read so far and the bytes in all.
        step: bytes of a block.
        stop: offset before which the index ends, where no transaction is open; None for the end.
        keys_of: patterns of the tables whose keys are taken, as the option `tables`; empty for
            none.
        timeline: of the log and those before it, for keys that the log does not name; None for one
            of this log alone.

    Returns:
        None if nothing of the log can be indexed yet, or ever: an archive that is damaged.

    Raises:
        UnsupportedError: if the log cannot be read from its middle.
        BinlogError: if it cannot be read at all.
    """
    event = read_format_event(log_file)
    if event is None:
        return None
    description = parse_format_description(event, verify=options.verify_checksums)
    if reason := reason_against_ranges(description):
        raise UnsupportedError(reason, site=log_file.site)
    options = replace(options, **NO_FILTERS, ignore_corrupt_files=False)
    part = None if stop is None else ReadRange(len(MAGIC), stop, stops_at_gtid=True)
    timeline = timeline or Timeline([log_file], Surveyor(options))
    known = FollowedLog(timeline, log_file, is_whole=part is None)
    completer = KeyedTableMaps(known, timeline.user_ddl)
    patterns = parse_table_patterns(keys_of) if keys_of else ()
    keys = KeyCollector(
        lambda table: any(
            pattern.matches(table.database_name, table.table_name) for pattern in patterns
        )
    )
    tables = TableCollector(completer if keys_of else None)
    builder = _Builder(log_file, options, step, part, tables, keys if keys_of else None)
    is_whole = builder.count(progress)
    if log_file.compression:
        end = builder.finish(is_whole=is_whole)
    else:
        bounds = TransactionBounds(description, builder.last_start, options)
        size = log_file.num_bytes if stop is None else stop
        for _ in bounds.find(replace(log_file, num_bytes=size)) if is_whole else ():
            pass
        is_whole &= bounds.is_between and bounds.damage is None and bounds.displaced < 0
        builder.finish(is_whole=is_whole)
        end = bounds.position if is_whole else builder.last_start
    if log_file.compression and not is_whole:
        return None
    if stop is None and tables.lacks_last_rows(end):  # they are in the incomplete part
        return build_index(
            log_file, options, step=step, stop=end, keys_of=keys_of, timeline=timeline
        )
    return builder.index(event, end, keys_of)


class _Builder:
    """Adds up the transactions of a log.

    Attributes:
        last_start: offset after the transactions that are complete for certain.
    """

    def __init__(
        self,
        log_file: LogFile,
        options: BinlogOptions,
        step: int,
        part: ReadRange | None,
        tables: TableCollector,
        keys: KeyCollector | None,
    ) -> None:
        self._log_file = log_file
        self._step = step
        self._tables = tables
        self._keys = keys
        self._count_events = count_events if keys is None else keys.count
        self._counter = TransactionCounter(
            log_file, options, part=part, tables=tables, count=self._count
        )
        self._names: Sequence[str] = ()
        self._last: CountedTransactions | None = None  # it may not be complete
        self._blocks: list[Numbers] = []
        self._counts: list[Numbers] = []  # with the hour before the block
        self._gtids: list[Numbers] = []
        self._sums = self._blocks, self._counts, self._gtids
        self.last_start = len(MAGIC)

    def _count(self, scanned: ScannedEvents, selection: Numbers) -> Numbers:
        counts = self._count_events(scanned, selection)
        self._tables.take_rows(scanned, counts)  # all events are selected
        return counts

    def count(self, progress: Progress | None) -> bool:
        """Count up to the end of the log, or to its first damage; return whether there is none.

        Raises:
            UnsupportedError: if the log has several format descriptions.
        """
        is_whole = True
        try:
            for window in self._counter.windows(progress, 0, self._log_file.num_bytes):
                self._add_last()
                if len(window) > 1:  # others follow
                    self._add(window)
                    self._last, self.last_start = None, int(window.end_pos[-1])
                else:
                    self._last = window.last()
                    self.last_start = int(window.fields[Transaction.START_POS, 0])
        except BinlogError:
            is_whole = False
        if self._counter.num_formats > 1:
            raise UnsupportedError(
                "expected one format description in the log, as servers write it; relay logs and"
                " joined logs have no index",
                site=self._log_file.site,
            )
        return is_whole

    def _add_last(self) -> None:
        if self._last is not None:
            self._add(self._last)

    def finish(self, *, is_whole: bool) -> int:
        """Add the last transaction if it is complete; return the offset after it, if known."""
        end = self.last_start
        if is_whole and self._last is not None:
            self._add_last()
            end = max(int(self._last.end_pos[-1]), end)
        return end

    def _add(self, counted: CountedTransactions) -> None:
        """Add transactions of a window, in order."""
        if not len(counted):
            return
        self._names = counted.table_names
        self._tables.take_transactions(counted.fields)
        changes, times = counted.changes, counted.times
        latest = np.full((2, len(counted.table_names) + 1), -1)
        latest[:, -1] = times.earlier
        shapes = (9, len(counted)), (10, len(changes.tables)), (6, len(counted))
        sums = [np.empty(shape, dtype=np.int64) for shape in shapes]
        sizes = np.zeros(3, dtype=np.int64)
        add_blocks(
            counted.fields,
            counted.end_pos,
            *changes.columns(),
            times.transactions,
            times.seconds,
            self._step,
            latest,
            *sums,
            sizes,
        )
        for parts, columns, size in zip(self._sums, sums, sizes.tolist(), strict=True):
            parts.append(columns[:, :size].copy())

    def index(self, event: bytes, end: int, keys_of: str) -> LogIndex:
        """Return the index of what was added."""
        # Not those of an open transaction alone.
        used = np.unique(np.concatenate([part[2] for part in self._counts] or [np.zeros(0, int)]))
        for part in self._counts:
            part[2] = np.searchsorted(used, part[2])
        tables = [TableName.parse(self._names[k]) for k in used.tolist()]
        blocks = _merged(self._blocks, 1, _OF_BLOCKS)
        if self._tables.positions and not blocks.shape[1]:
            end = len(MAGIC)  # no block has the statements: nothing is indexed
        numbers, starts = blocks[0], blocks[1]
        if len(starts):
            starts[0] = len(MAGIC)
        *is_gtid, ends_at_gtid = _are_gtids(self._log_file, [*starts.tolist(), end])
        statements = [
            _numbers_in(starts, positions, end)
            for positions in (self._tables.unlogged_positions, self._tables.positions)
        ]
        columns = [numbers, starts, np.array(is_gtid, dtype=bool), *blocks[2:], *statements]
        counts, hours = (
            _merged([np.delete(part, k, axis=0) for part in self._counts], 2, _OF_COUNTS)
            for k in range(2)
        )
        specs, chunks, data, without = self._merged_keys(end, numbers)
        without_keys = [
            (number, tables[table]) in without
            for number, table in zip(counts[0].tolist(), counts[1].tolist(), strict=True)
        ]
        has_keys = ~np.array(without_keys, dtype=bool) & bool(keys_of)
        gtids = _merged(self._gtids, 4, _OF_GTIDS)
        for part in (counts, gtids):
            part[0] = np.searchsorted(numbers, part[0])
        log = self._log_file
        return LogIndex(
            log.name,
            log_id_of(event),
            log.compression,
            log.num_bytes,
            log.modified,
            end,
            ends_at_gtid,
            b"" if log.compression else tail_before(log, end),
            self._step,
            keys_of,
            self._tables.is_complete,
            event,
            tuple(tables),
            specs=specs,
            blocks=_batch_of(columns, BLOCKS),
            counts=_batch_of([*counts, has_keys], COUNTS),
            hours=_batch_of(hours, HOURS),
            gtids=_batch_of(gtids, GTIDS),
            chunks=chunks,
            key_data=IndexBytes(data),
            **self._tables.parts(tables, end),
        )

    def _merged_keys(
        self, end: int, numbers: Numbers
    ) -> tuple[tuple[KeySpec, ...], pa.RecordBatch, bytes, set[tuple[int, TableName]]]:
        """Return the keys of what was added.

        Returns:
            The specifications, the chunks with their data, and the blocks (by number) and tables
            with rows whose keys are not all known.
        """
        if self._keys is None:
            return (), NO_CHUNKS, b"", set()
        batches = self._keys.keys_before(end, self._step)
        parts = {s: part for s, part in zip(self._keys.specs, batches, strict=True) if len(part[0])}
        specs = sorted(parts, key=lambda spec: (str(spec.table), spec.encode()))
        lists = [(parts[s][0], np.searchsorted(numbers, parts[s][1])) for s in specs]
        chunks, data = write_chunks(lists)
        return tuple(specs), chunks, data, self._keys.without_keys(end, self._step)


def _numbers_in(starts: Numbers, positions: Sequence[int], end: int) -> Numbers:
    """Return how many offsets before an end each block has, by where the blocks begin."""
    numbers = np.array(positions, dtype=np.int64)
    blocks = np.searchsorted(starts, numbers[numbers < end], side="right") - 1
    return np.bincount(blocks, minlength=len(starts))


def _are_gtids(log_file: LogFile, positions: Sequence[int]) -> list[bool]:
    """Return whether the event at each offset names a transaction; false if there is none.

    An anonymous GTID event of MySQL does, too.

    Raises:
        LogFileError: if the log cannot be read.
    """
    if log_file.compression:  # it is not read in ranges
        return [False] * len(positions)
    are_gtids = []
    with as_log_file_error(log_file.site):
        file = open_log(log_file)
        try:
            for position in positions:
                file.seek(position)
                header = read_up_to(file, LEN_HEADER)
                are_gtids.append(len(header) == LEN_HEADER and type_code_at(header) in GTID_EVENTS)
        finally:
            file.close()
    return are_gtids


def _begins_of(*columns: Numbers) -> Numbers:
    """Return where rows of some columns differ from those before, the first included."""
    is_new = np.zeros(len(columns[0]), dtype=bool)
    is_new[:1] = True
    for values in columns:
        is_new[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(is_new)


def _merged(parts: Sequence[Numbers], num_keys: int, how: Sequence[np.ufunc]) -> Numbers:
    """Return columns by their first `num_keys` rows, sorted; others as the functions add them."""
    if not parts:
        return np.zeros((num_keys + len(how), 0), dtype=np.int64)
    both = np.concatenate(parts, axis=1)
    both = both[:, np.lexsort(both[:num_keys][::-1])]
    first = _begins_of(*both[:num_keys])
    if not len(first):
        return both
    sums = [f.reduceat(row, first) for f, row in zip(how, both[num_keys:], strict=True)]
    return np.stack([*both[:num_keys, first], *sums])


def _batch_of(columns: Iterable[Numbers], schema: pa.Schema) -> pa.RecordBatch:
    """Return columns as a record batch of a schema."""
    arrays = [
        pa.array(np.ascontiguousarray(column), field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
