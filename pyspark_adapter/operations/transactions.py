"""The transactions of logs: what they changed, how large they are, and how long they took.

Nothing is decoded, and no Python object is made for an event or a transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.counting.counted_transactions import CountedTransactions
from pyspark_adapter.counting.transaction_counter import TransactionCounter
from pyspark_adapter.events.statements import StatementSink
from pyspark_adapter.filters.row_filter import logs_to_read
from pyspark_adapter.ignored_errors import ignoring
from pyspark_adapter.index.wanted_blocks import IndexedLogs
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.engine import need_kernels
from pyspark_adapter.progress import Progress
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import RangesOfLogs, Split, read_range_of


def count_transactions(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    statements: StatementSink | None = None,
) -> Iterator[CountedTransactions]:
    """Yield the transactions of logs, in order, a window at a time.

    The filters of the options apply: those of rows to the counts, and then transactions without
    such rows are left out.

    Args:
        log_files: the logs.
        options: of the read.
        progress: called from time to time with the bytes read so far and the bytes in all.
        statements: given the statements of the logs, before the transactions around them.

    Raises:
        OptionError, UnsupportedError: as `need_kernels`.
        BinlogError: if a log is damaged; what is before the damage has been given.
    """
    need_kernels(options)
    ranges = IndexedLogs(options).ranges(logs_to_read(log_files, options))
    return count_in_ranges(ranges, options, progress, statements)


def count_in_ranges(
    ranges: RangesOfLogs,
    options: BinlogOptions,
    progress: Progress | None = None,
    statements: StatementSink | None = None,
) -> Iterator[CountedTransactions]:
    """Yield the transactions of ranges of logs; see `count_transactions`."""
    splits = [Split(*pair) for pair in ranges]
    total = sum(split.num_bytes for split in splits)
    done = 0
    for split in splits:
        with ignoring(options):
            part = read_range_of(split, options)
            counter = TransactionCounter(split.log_file, options, statements, part)
            # A position counts from the start of the log.
            first = split.start if split.range is not None else 0
            yield from counter.windows(progress, done - first, total)
        done += split.num_bytes


def list_transactions(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    statements: StatementSink | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield what `count_transactions` finds, with the columns of TRANSACTIONS."""
    for found in count_transactions(log_files, options, progress, statements):
        yield found.batch()


def keep_largest(
    best: pa.RecordBatch, found: CountedTransactions, count: int, column: str
) -> pa.RecordBatch:
    """Return the transactions with the largest values of a column, the largest first.

    Args:
        best: the largest ones so far.
        found: more of them.
        count: how many to keep; of equal ones the earlier.
        column: num_bytes, num_rows or duration.
    """
    if count <= 0:
        return best
    if best.num_rows == count:
        is_larger = getattr(found, column)() > pc.fill_null(best.column(column), -1)[-1].as_py()
        if not is_larger.any():
            return best
        found = found.where(is_larger)
    both = pa.concat_batches([best, found.batch()])
    values = pc.fill_null(both.column(column), -1).to_numpy()
    return both.take(pa.array(np.argsort(-values, kind="stable")[:count]))
