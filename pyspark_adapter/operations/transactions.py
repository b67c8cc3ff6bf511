"""The transactions of logs: what they changed, how large they are, and how long they took.

Nothing is decoded, and no Python object is made for an event or a transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.counting.counted_transactions import CountedTransactions
from pyspark_adapter.counting.transaction_counter import TransactionCounter
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.ignored_errors import ignoring
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.values.arrow_arrays import joined

if TYPE_CHECKING:
    from pyspark_adapter.events.windows import ReadRange
    from pyspark_adapter.splits.log_splits import OffsetRange, RangesOfLogs


def count_transactions(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    kinds: StatementKind = StatementKind.OTHER,
) -> Iterator[CountedTransactions]:
    """Yield the transactions of logs, in order, a window at a time; raises BinlogError.

    The filters of the options apply: those of rows to the counts, and then transactions without
    such rows are left out.

    Args:
        progress: called from time to time with the bytes read so far and the bytes in all.
        kinds: of the statements that come with the transactions.
    """
    log_files = logs_to_read(log_files, options)
    ranges: RangesOfLogs = [(log_file, None) for log_file in log_files]
    if options.index is not None:
        from pyspark_adapter.index.wanted_blocks import IndexedLogs

        ranges = IndexedLogs(options).ranges(log_files)
    return count_in_ranges(ranges, options, progress, kinds)


def count_in_ranges(
    ranges: RangesOfLogs,
    options: BinlogOptions,
    progress: Progress | None = None,
    kinds: StatementKind = StatementKind.OTHER,
) -> Iterator[CountedTransactions]:
    """Yield the transactions of ranges of logs; see `count_transactions`."""
    sizes = [
        log_file.num_bytes if wanted is None else wanted.num_bytes(log_file)
        for log_file, wanted in ranges
    ]
    done = 0
    for (log_file, wanted), num_bytes in zip(ranges, sizes, strict=True):
        with ignoring(options):
            part = None if wanted is None else _read_range(log_file, wanted)
            counter = TransactionCounter(log_file, options, kinds, part)
            # A position counts from the start of the log.
            first = 0 if wanted is None else wanted.start
            yield from counter.windows(progress, done - first, sum(sizes))
        done += num_bytes


def _read_range(log_file: LogFile, wanted: OffsetRange) -> ReadRange | None:
    from pyspark_adapter.splits.log_splits import Split, read_range_of  # loads SQL

    return read_range_of(Split(log_file, wanted))


def list_transactions(
    log_files: Sequence[LogFile], options: BinlogOptions, progress: Progress | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield what `count_transactions` finds, with the columns of TRANSACTIONS."""
    for window in count_transactions(log_files, options, progress):
        yield window.batch()


def keep_largest(
    best: pa.RecordBatch, counted: CountedTransactions, count: int, column: str
) -> pa.RecordBatch:
    """Return the transactions with the largest values of a column, the largest first.

    Args:
        best: the largest ones so far.
        counted: more of them.
        count: how many to keep; of equal ones the earlier.
        column: num_bytes, num_rows or duration.
    """
    if count <= 0:
        return best
    if best.num_rows == count:
        is_larger = getattr(counted, column)() > pc.fill_null(best.column(column), -1)[-1].as_py()
        if not is_larger.any():
            return best
        counted = counted.where(is_larger)
    both = joined([best, counted.batch()])
    values = pc.fill_null(both.column(column), -1).to_numpy()
    return both.take(pa.array(np.argsort(-values, kind="stable")[:count]))
