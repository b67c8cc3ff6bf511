"""Statistics and the largest transactions: from indexes as far as they say, and from blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.counting.counted_transactions import TRANSACTIONS
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.row_filter import RowFilter, logs_to_read
from pyspark_adapter.index.wanted_blocks import IndexedLogs, ranges_of, wanted_blocks
from pyspark_adapter.index_store.index_batches import IndexHeader
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.operations.statistics import Statistics
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.splits.log_splits import OffsetRange, RangesOfLogs
from pyspark_adapter.values.arrow_arrays import joined

# The column of BLOCKS that bounds a column of TRANSACTIONS.
_MOST: Final = {"num_bytes": "most_bytes", "num_rows": "most_rows", "duration": "most_seconds"}


def add_logs(
    statistics: Statistics,
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
) -> None:
    """Add the transactions of logs to statistics; reads only what their indexes do not say.

    Raises:
        BinlogError: as `count_transactions`.
    """
    indexed = IndexedLogs(options)
    ranges: list[tuple[LogFile, OffsetRange | None]] = []
    headers: list[IndexHeader] = []
    for log_file in logs_to_read(log_files, options):
        header = indexed.header_of(log_file)
        is_all = header is not None and header.is_whole(log_file) and options.table is None
        if is_all and statistics.adds_headers() and RowFilter(options, log_file).keeps_all:
            assert header is not None
            headers.append(header)
            continue
        index = None if header is None else indexed.find(log_file)
        if index is None:
            ranges.append((log_file, None))
            continue
        wanted = wanted_blocks(index, RowFilter(options, log_file), options)
        added = wanted.must & statistics.has_one_time(index)
        if log_file.compression and not added.all():  # it is read as a whole
            added[:] = False
        statistics.add_indexed(index, added)
        if not log_file.compression or not added.all():
            ranges += ranges_of(log_file, index, wanted.may & ~added, min_gap=0)
    statistics.add_headers(headers)
    if ranges:  # else no kernels are loaded
        from pyspark_adapter.operations.transactions import count_in_ranges

        statistics.add(count_in_ranges(ranges, options, progress))


def largest_transactions(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    count: int,
    column: str,
    progress: Progress | None = None,
) -> tuple[pa.RecordBatch, BinlogError | None]:
    """Return the transactions with the largest values of a column, the largest first.

    Blocks are read in the order of their largest transaction, until none can be larger than those
    that were found.

    Args:
        count: how many to return; of equal ones the earlier.
        column: num_bytes, num_rows or duration.
        progress: called from time to time with the bytes read so far and the bytes in all.

    Returns:
        The transactions, with the columns of TRANSACTIONS, and the error that ended the read if
        there is one: then they are those before it.
    """
    indexed = IndexedLogs(options)
    largest = _Largest(options, count, column)
    blocks: list[tuple[int, int, int, LogFile, LogIndex]] = []
    failure: BinlogError | None = None
    for number, log_file in enumerate(logs_to_read(log_files, options)):
        try:
            index = indexed.find(log_file)
            if index is not None and not log_file.compression:
                may = wanted_blocks(index, RowFilter(options, log_file), options).may
                most = index.block(_MOST[column])
                kept = np.flatnonzero(may).tolist()
                blocks += [(-int(most[k]), number, k, log_file, index) for k in kept]
            unread: RangesOfLogs = [(log_file, None)]
            if index is not None and index.num_blocks and not log_file.compression:
                unread = ranges_of(log_file, index, np.zeros(index.num_blocks, dtype=bool))
            largest.read(number, unread, progress)
        except BinlogError as error:
            failure = error
            break
    for least, number, k, log_file, index in sorted(blocks, key=lambda block: block[:3]):
        worst = largest.worst
        if worst is not None and least > worst[0]:
            break
        if worst is None or (least, number, int(index.bounds[k])) < worst:
            chosen = np.arange(index.num_blocks) == k
            largest.read(number, ranges_of(log_file, index, chosen, with_rest=False))
    return largest.batch, failure


class _Largest:
    """Keeps the transactions with the largest values of a column, in any order of the logs.

    Attributes:
        batch: those so far, the largest first.
    """

    def __init__(self, options: BinlogOptions, count: int, column: str) -> None:
        self._options = options
        self._count = count
        self._column = column
        self.batch = pa.RecordBatch.from_pylist([], TRANSACTIONS)
        self._logs = np.zeros(0, dtype=np.int64)

    @property
    def worst(self) -> tuple[int, int, int] | None:
        """The last one: the negated value, the number of the log, the offset; None if not full."""
        if self._count <= 0:
            return -(1 << 63), 0, 0
        if len(self._logs) < self._count:
            return None
        value = self.batch.column(self._column)[-1].as_py()
        start_pos = self.batch.column("start_pos")[-1].as_py()
        return 1 if value is None else -value, int(self._logs[-1]), start_pos

    def read(self, number: int, ranges: RangesOfLogs, progress: Progress | None = None) -> None:
        """Read ranges of the log with a number."""
        from pyspark_adapter.operations.transactions import count_in_ranges, keep_largest

        for window in count_in_ranges(ranges, self._options, progress):
            best = pa.RecordBatch.from_pylist([], TRANSACTIONS)
            best = keep_largest(best, window, self._count, self._column)
            both = joined([self.batch, best])
            logs = np.append(self._logs, np.full(best.num_rows, number))
            values = pc.fill_null(both.column(self._column), -1).to_numpy()
            starts = both.column("start_pos").to_numpy()
            order = np.lexsort([starts, logs, -values])[: max(self._count, 0)]
            self.batch, self._logs = both.take(pa.array(order)), logs[order]
