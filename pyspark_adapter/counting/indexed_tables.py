"""The tables that a log changes, from its index in place of a pass over the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow.compute as pc

from pyspark_adapter.counting.table_summary import TableSummary
from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.row_filter import RowFilter, TableFilter
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.format.schema import EventParser
from pyspark_adapter.index_store.index_batches import (
    SUMS,
    HeaderSums,
    IndexHeader,
    LogTables,
    sums_of,
)
from pyspark_adapter.index_store.index_schema import FIRSTS
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.indexed_survey import parser_of, table_map_of
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.warn import warn


def _says_tables(header: IndexHeader, options: BinlogOptions, row_filter: RowFilter) -> bool:
    """Return whether an index says what the options ask of the tables of its log."""
    has_part = options.server_ids is not None or options.change_types is not None
    return not has_part and header.knows_tables and row_filter.keeps_all_transactions


def whole_headers(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    header_of: Callable[[LogFile], IndexHeader | None],
) -> list[IndexHeader]:
    """Return what the indexes of logs say up to the first log of which that is not all.

    A log that lacks names is one of these.

    Raises:
        BinlogError: if a log cannot be read.
    """
    headers: list[IndexHeader] = []
    for log_file in log_files:
        header = header_of(log_file)
        if header is None or not header.is_whole(log_file):
            break
        if not _says_tables(header, options, RowFilter(options, log_file)):
            break
        is_described = header.part("tables").column("is_described")
        if is_described.true_count < len(is_described):
            break
        headers.append(header)
    return headers


def summarize_headers(
    headers: Sequence[IndexHeader],
    log_files: Sequence[LogFile],
    table_filter: TableFilter,
    tables_of: Callable[[LogFile], LogTables | None],
    complete: Callable[[TableMap, EventSite], TableMap] | None = None,
) -> list[TableSummary]:
    """Return the tables of logs up to where their indexes end, in the order of the first changes.

    Args:
        headers: of the indexes of the logs.
        table_filter: the tables that are asked for.
        tables_of: gives what the index of a log knows of its tables.
        complete: completes a table map; None if the logs describe all columns.

    Raises:
        BinlogError: if an index does not say what its tables are.
    """
    total = HeaderSums(headers)
    sums = sums_of(total.hours, total.of_hour, len(total.tables))
    tables: dict[TableName, TableSummary] = {}
    places: dict[TableName, tuple[int, int]] = {}
    parsers: dict[bytes, EventParser] = {}
    for number, (header, log_file) in enumerate(zip(headers, log_files, strict=True)):
        for row in header.part("unlogged").to_pylist():
            table = TableName(row["database_name"], row["table_name"])
            if table.table_name == "*" or table_filter.may_keep(table):
                site = log_file.event_site(row["start_pos"], row["type_code"], row["inner_pos"])
                summary = tables.setdefault(table, TableSummary(table, (), site))
                summary.num_statements += row["num_statements"]
                places.setdefault(table, (number, site.start_pos))
    has_rows = np.flatnonzero(total.row("shape") >= 0)
    _, firsts = np.unique(total.of_row[has_rows], return_index=True)
    order = np.argsort(total.of_row[has_rows], kind="stable")
    ends = np.searchsorted(total.of_row[has_rows][order], np.arange(len(total.tables) + 1))
    logs = total.logs[has_rows][order].tolist()
    paths = [log.path for log in log_files]
    columns = [total.row(name)[has_rows[firsts]].tolist() for name in FIRSTS[:4]]
    of_first = zip(total.of_row[has_rows][firsts].tolist(), firsts.tolist(), *columns, strict=True)
    for k, first, shape, start_pos, inner_pos, type_code in of_first:
        table = total.tables[k]
        if not table_filter.keeps(table):
            continue
        number = int(total.logs[has_rows[first]])
        site = log_files[number].event_site(start_pos, type_code, inner_pos)
        summary = tables.setdefault(table, TableSummary(table, (), site))
        if (number, start_pos) < places.setdefault(table, (number, start_pos)):
            summary.first_site, places[table] = site, (number, start_pos)
        index = tables_of(log_files[number])
        if index is None:
            site = log_files[number].site
            raise BinlogError("its index is damaged", site=site, advice="run `index` again")
        parser = parser_of(index, parsers)
        table_map, logged_at = table_map_of(index, log_files[number], shape, parser)
        if complete is not None:
            table_map = complete(table_map, logged_at)
        summary.describe(table_map, log_files[number])
        summary.paths = tuple([paths[n] for n in logs[ends[k] : ends[k + 1]]])
        for name in SUMS:
            setattr(summary, name, int(sums[name][k]))
        summary.span(int(sums["first_micros"][k]), int(sums["last_micros"][k]))
    return sorted(tables.values(), key=lambda summary: places[summary.table])


def indexed_tables(
    header: IndexHeader,
    log_file: LogFile,
    options: BinlogOptions,
    tables_of: Callable[[LogFile], LogTables | None],
    completer: TableMapCompleter,
) -> dict[TableName, TableSummary] | None:
    """Return the tables of a log up to where its index ends; None if the index does not say it.

    Args:
        tables_of: gives what the index of a log knows of its tables.
    """
    row_filter = RowFilter(options, log_file)
    if not _says_tables(header, options, row_filter) or tables_of(log_file) is None:
        return None
    try:
        tables = summarize_headers(
            [header], [log_file], row_filter.tables, tables_of, completer.complete
        )
    except BinlogError as error:
        warn(f"{log_file.name}: its index does not say what its tables are: {error}")
        return None
    return {summary.table: summary for summary in tables}


def nameless_tables(header: IndexHeader) -> set[TableName]:
    """Return the tables whose columns a log does not name."""
    part = header.part("tables")
    rows = part.filter(pc.invert(part.column("is_described"))).to_pylist()
    return {TableName(row["database_name"], row["table_name"]) for row in rows}
