"""Reads logs as Arrow, without Spark: the Python interface of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import pyarrow as pa

from pyspark_adapter.decode.batch_reader import BatchReader
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.splits.read_split import plan_read, read_log

if TYPE_CHECKING:
    from pyspark_adapter.counting.table_summary import TableSummary


@with_options
def read_batches(
    paths: Paths | None = None,
    *,
    schema: pa.Schema | None = None,
    **options: Unpack[BinlogOptionsDict],
) -> BatchReader:
    """Read binary logs as Arrow record batches.

    Args:
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        schema: the columns to give, metadata columns included; only these are decoded. None for
            the metadata columns of the options and then all columns of the table.
        options: the keyword arguments below, such as `table="shop.orders"`.

    Returns:
        An iterator of record batches of one schema, in the order of the logs, which is also an
        Arrow stream: `polars.DataFrame(read_batches(...))`.

    Raises:
        OptionError: for an unknown option or a value that is not allowed.
        LogFileError: if a path cannot be read.
        SchemaMismatchError: if the table is missing, changes in a way that cannot be merged, or
            lacks columns of the schema.
        BinlogError: if a log is damaged; rows before the damage come first.

    >>> import pyarrow as pa
    >>> batches = read_batches("samples/mysql-9.7-shop.000001", table="shop.orders")
    >>> next(batches).schema.names[-3:]
    ['placed_at', 'shipped_at', 'note']
    """
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    log_files = find_log_files(paths, checked)
    request = plan_read(log_files, checked, schema)
    wanted = logs_to_read(log_files, checked)
    if checked.index is not None:
        from pyspark_adapter.index.wanted_blocks import read_indexed

        return BatchReader(request.schema, read_indexed(wanted, request))
    batches = (batch for log_file in wanted for batch in read_log(log_file, request))
    return BatchReader(request.schema, batches)


def read_schema(
    paths: Paths | None = None,
    *,
    schema: pa.Schema | None = None,
    **options: Unpack[BinlogOptionsDict],
) -> pa.Schema:
    """Return the schema of the batches of `read_batches` with the same arguments.

    Raises:
        BinlogError: as `read_batches`.
    """
    checked = BinlogOptions.from_python(options)
    return plan_read(find_log_files(paths, checked), checked, schema).schema


def list_tables(
    paths: Paths | None = None,
    *,
    progress: Progress | None = None,
    **options: Unpack[BinlogOptionsDict],
) -> list[TableSummary]:
    """Return the tables whose rows the logs change, with the number of their row changes.

    Args:
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        progress: called from time to time with the bytes read so far and the bytes in all.
        options: those of `read_batches`.

    Raises:
        BinlogError: as `read_batches`.

    >>> [str(summary.table) for summary in list_tables("samples/mysql-9.7-shop.000001")]
    ['shop.customers', 'shop.products', 'shop.orders', 'shop.order_items', 'shop.price_history']
    """
    from pyspark_adapter.counting.table_list import summarize_tables

    checked = BinlogOptions.from_python(options)
    return summarize_tables(find_log_files(paths, checked), checked, progress)
