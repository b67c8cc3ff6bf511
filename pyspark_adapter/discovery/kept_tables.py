"""The tables that a log changes, from its index in place of a pass over the log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from pyspark_adapter.discovery.kept_survey import parser_of, table_map_of
from pyspark_adapter.discovery.table_summary import TableSummary
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.frame import event_site
from pyspark_adapter.filters.row_filter import RowFilter, TableFilter
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.engine import has_kernels
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.warn import warn

# Columns of COUNTS that are added up.
_SUMS: Final = ("num_inserts", "num_updates", "num_deletes", "num_bytes", "num_transactions")
_TIMES: Final = ("first_micros", "last_micros")


def kept_tables(
    index: LogIndex,
    log_file: LogFile,
    options: BinlogOptions,
    completer: TableMapCompleter,
    nameless: set[TableName],
) -> dict[TableName, TableSummary] | None:
    """Return the tables of a log up to where its index ends; None if the index does not say it.

    Args:
        index: of the log.
        log_file: the log.
        options: of the read.
        completer: completes table maps.
        nameless: tables whose columns the log does not name are added.
    """
    row_filter = RowFilter(options, log_file)
    has_part = row_filter.server_ids is not None or options.change_types is not None
    if has_part or not (index.knows_tables and row_filter.keeps_all_transactions):
        return None
    if not (index.is_whole(log_file) or has_kernels(options)):
        return None
    try:
        tables = _tables(index, log_file, row_filter.tables, completer)
    except BinlogError as error:
        warn(f"{log_file.name}: its index does not say what its tables are: {error}")
        return None
    for row in index.contents.drop_columns("content").to_pylist():
        table = TableName(row["database_name"], row["table_name"])
        if not row["is_described"] and table in tables and tables[table].paths:
            nameless.add(table)
    return tables


def _tables(
    index: LogIndex, log_file: LogFile, table_filter: TableFilter, completer: TableMapCompleter
) -> dict[TableName, TableSummary]:
    tables: dict[TableName, TableSummary] = {}
    for row in index.unlogged.to_pylist():
        table = TableName(row["database_name"], row["table_name"])
        if table.table_name == "*" or table_filter.may_keep(table):
            site = event_site(log_file, row["start_pos"], row["type_code"], row["inner_pos"])
            tables[table] = TableSummary(table, (), site, num_statements=row["num_statements"])
    parser = parser_of(index)
    firsts = zip(index.tables, index.firsts.to_pylist(), strict=True)
    for (table, first), sums in zip(firsts, _sums_by_table(index), strict=True):
        if first["shape"] < 0 or not table_filter.keeps(table):
            continue
        site = event_site(log_file, first["start_pos"], first["type_code"], first["inner_pos"])
        summary = tables.setdefault(table, TableSummary(table, (), site))
        if site.start_pos < summary.first_site.start_pos:
            summary.first_site = site
        logged, logged_site = table_map_of(index, log_file, first["shape"], parser)
        summary.describe(completer.complete(logged, logged_site), log_file)
        for name in _SUMS:
            setattr(summary, name, sums[name])
        summary.span(sums["first_micros"], sums["last_micros"])
    return tables


def _sums_by_table(index: LogIndex) -> Iterator[dict[str, int]]:
    """Yield, for each table of an index, the sums of COUNTS and the first and last commit."""
    of_table = index.count("table")
    order = np.argsort(of_table, kind="stable")
    starts = np.searchsorted(of_table[order], np.arange(len(index.tables) + 1)).tolist()
    columns = {name: index.count(name)[order] for name in (*_SUMS, *_TIMES)}
    for start, stop in pairwise(starts):
        of_one = {name: column[start:stop] for name, column in columns.items()}
        sums = {name: int(of_one[name].sum()) for name in _SUMS}
        sums["first_micros"] = int(of_one["first_micros"].min(initial=np.iinfo(np.int64).max))
        sums["last_micros"] = int(of_one["last_micros"].max(initial=0))
        yield sums
