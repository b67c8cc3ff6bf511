"""The tables that logs change, with the numbers of row changes and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

import numpy as np

from pyspark_adapter.discovery.kept_survey import table_map_of
from pyspark_adapter.discovery.survey import Surveyor, range_between
from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.frame import event_site
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.events.statements import (
    UNLOGGED_CHANGES,
    Statement,
    StatementList,
    StatementSink,
)
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.filters.row_filter import RowFilter, TableFilter, logs_to_read
from pyspark_adapter.ignored_errors import ignoring
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.engine import has_kernels
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.progress import Progress
from pyspark_adapter.scan.event_count import EventCount
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import CompletionWarnings, TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl
from pyspark_adapter.warn import warn

# Columns of COUNTS that are added up.
_SUMS: Final = ("num_inserts", "num_updates", "num_deletes", "num_bytes", "num_transactions")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_MICROS: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


@dataclass(repr=False)
class TableSummary:
    """The changes of a table in some logs.

    `pa.Table.from_pylist([asdict(found) for found in list_tables(...)])` makes a table of them.

    Attributes:
        table: its name; the table `*` is for statements of a database whose table is unclear.
        column_names: from the first table map, `col_N` if it has no names; empty without rows.
        primary_key: names of its columns, from there; empty if neither log nor definition has it.
        first_site: the first rows event or statement.
        num_inserts, num_updates, num_deletes: row changes; an update counts once.
        num_statements: statements that changed rows without logging them, or rolled back rows
            that are logged.
        num_bytes: of its rows events, decompressed and without checksums.
        num_transactions: transactions with rows of it.
        first_commit_time, last_commit_time: earliest and latest of these, UTC; None without rows.
        paths: the logs to read it from: those that hold rows of it and, if one of these does not
            describe its columns, all logs before, whose statements may do so.
    """

    table: TableName
    column_names: tuple[str, ...]
    first_site: EventSite
    primary_key: tuple[str, ...] = ()
    num_inserts: int = 0
    num_updates: int = 0
    num_deletes: int = 0
    num_statements: int = 0
    num_bytes: int = 0
    num_transactions: int = 0
    first_commit_time: datetime | None = None
    last_commit_time: datetime | None = None
    paths: tuple[str, ...] = ()

    @property
    def num_changes(self) -> int:
        """All row changes."""
        return self.num_inserts + self.num_updates + self.num_deletes

    def __repr__(self) -> str:
        key = f", primary key ({', '.join(self.primary_key)})" if self.primary_key else ""
        statements = f", {self.num_statements:,} statements" if self.num_statements else ""
        times = ""
        if self.first_commit_time is not None and self.last_commit_time is not None:
            first, last = (
                f"{time:%Y-%m-%d %H:%M:%S}"
                for time in (self.first_commit_time, self.last_commit_time)
            )
            times = f", {first} to {last} UTC"
        return (
            f"<TableSummary {self.table}: {len(self.column_names)} columns{key};"
            f" {self.num_inserts:,} inserts, {self.num_updates:,} updates,"
            f" {self.num_deletes:,} deletes{statements} in {self.num_transactions:,} transactions,"
            f" {self.num_bytes:,} bytes{times}>"
        )

    def add(self, found: EventCount) -> None:
        """Add the row changes of events, apart from transactions."""
        self.num_inserts += found.num_inserts
        self.num_updates += found.num_updates
        self.num_deletes += found.num_deletes
        self.num_bytes += found.num_bytes
        self.span(_time(found.first_micros), _time(found.last_micros))

    def describe(self, table_map: TableMap, log_file: LogFile) -> None:
        """Take the first table map in a log."""
        self.column_names = tuple(column.label for column in table_map.columns)
        self.primary_key = tuple(self.column_names[i] for i in table_map.primary_key)
        self.paths = (log_file.path,)

    def span(self, first: datetime | None, last: datetime | None) -> None:
        """Take the first and last commit of some transactions."""
        firsts = [time for time in (self.first_commit_time, first) if time is not None]
        lasts = [time for time in (self.last_commit_time, last) if time is not None]
        self.first_commit_time = min(firsts, default=None)
        self.last_commit_time = max(lasts, default=None)

    def extend(self, other: TableSummary) -> None:
        """Add the changes of the same table in a later log."""
        if not self.column_names:
            self.column_names, self.primary_key = other.column_names, other.primary_key
        self.num_inserts += other.num_inserts
        self.num_updates += other.num_updates
        self.num_deletes += other.num_deletes
        self.num_statements += other.num_statements
        self.num_bytes += other.num_bytes
        self.num_transactions += other.num_transactions
        self.span(other.first_commit_time, other.last_commit_time)
        self.paths += other.paths


def _time(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=min(max(micros, 0), _MAX_MICROS))


def _count_statements(
    found: Sequence[Statement], tables: dict[TableName, TableSummary], table_filter: TableFilter
) -> None:
    """Count statements that change rows without logging them, by table."""
    for statement in found:
        table = statement.table
        if table is not None and not table_filter.may_keep(table):
            continue
        table = table or TableName(statement.database, "*")
        summary = tables.setdefault(table, TableSummary(table, (), statement.site))
        summary.num_statements += 1


def summarize_tables(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    on_error: Callable[[BinlogError], None] | None = None,
) -> list[TableSummary]:
    """Return the tables of logs, in the order in which the logs first change them.

    Args:
        log_files: the logs.
        options: of the read.
        progress: called from time to time with the bytes read so far and the bytes in all.
        on_error: called if a log is damaged, or holds rows that cannot be counted; the tables up to
            there are returned. None to raise the error.

    Raises:
        BinlogError: without `on_error`.
    """
    all_paths = [log.path for log in log_files]
    log_files = logs_to_read(log_files, options)
    total = sum(log.num_bytes for log in log_files)
    tables: dict[TableName, TableSummary] = {}
    nameless: set[TableName] = set()
    done = 0

    def report(position: int) -> None:
        if progress is not None:
            progress(done + position, total)

    user_ddl = UserDdl.of(options)
    survey = Surveyor(log_files, options)
    timeline = Timeline(log_files, survey, user_ddl)
    warns = CompletionWarnings(of_missing_names=False)
    for log_file in log_files:
        index = _usable_index(log_file, options, survey)
        log = FollowedLog(timeline, log_file, is_whole=index is None)
        completer = TableMapCompleter(log, user_ddl, warns=warns)
        found, error = _summarize_log(log_file, options, completer, nameless, report, index)
        if error is None:
            log.finish()
        for summary in found:
            if summary.table in tables:
                tables[summary.table].extend(summary)
            else:
                tables[summary.table] = summary
        if error is not None:
            if on_error is None:
                raise error
            on_error(error)
            break
        done += log_file.num_bytes
        report(0)
    indices = {path: i for i, path in enumerate(all_paths)}
    for table in nameless:
        last = indices[tables[table].paths[-1]]
        tables[table].paths = tuple(all_paths[: last + 1])
    return list(tables.values())


def _usable_index(log_file: LogFile, options: BinlogOptions, survey: Surveyor) -> LogIndex | None:
    """Return the index of a log if it says what is asked of it; a part of the rows is not."""
    index = survey.index_of(log_file)
    row_filter = RowFilter(options, log_file)
    has_part = row_filter.server_ids is not None or options.change_types is not None
    if index is None or has_part or not row_filter.keeps_all_transactions:
        return None
    is_whole = bool(log_file.compression) or index.indexed_to >= log_file.num_bytes
    return index if index.knows_tables and (is_whole or has_kernels(options)) else None


def _indexed_tables(
    index: LogIndex,
    log_file: LogFile,
    table_filter: TableFilter,
    completer: TableMapCompleter,
    nameless: set[TableName],
) -> dict[TableName, TableSummary]:
    """Return the tables that the index of a log has.

    Raises:
        BinlogError: if it cannot be of the log.
    """
    tables: dict[TableName, TableSummary] = {}
    for row in index.unlogged.to_pylist():
        table = TableName(row["database_name"], row["table_name"])
        if table.table_name == "*" or table_filter.may_keep(table):
            site = event_site(log_file, row["start_pos"], row["type_code"], row["inner_pos"])
            tables[table] = TableSummary(table, (), site, num_statements=row["num_statements"])
    firsts = zip(index.tables, index.firsts.to_pylist(), strict=True)
    for (table, first), sums in zip(firsts, _sums_by_table(index), strict=True):
        if first["shape"] < 0 or not table_filter.keeps(table):
            continue
        site = event_site(log_file, first["start_pos"], first["type_code"], first["inner_pos"])
        summary = tables.setdefault(table, TableSummary(table, (), site))
        if site.start_pos < summary.first_site.start_pos:
            summary.first_site = site
        logged, logged_site = table_map_of(index, log_file, first["shape"])
        summary.describe(completer.complete(logged, logged_site), log_file)
        first_micros, last_micros = sums.pop("first_micros"), sums.pop("last_micros")
        vars(summary).update(sums)
        summary.span(_time(first_micros), _time(last_micros))
    for row in index.contents.drop_columns("content").to_pylist():
        table = TableName(row["database_name"], row["table_name"])
        if not row["is_described"] and table in tables and tables[table].paths:
            nameless.add(table)
    return tables


def _sums_by_table(index: LogIndex) -> Iterator[dict[str, int]]:
    """Yield, for each table of an index, the sums of COUNTS and the first and last commit."""
    of_table = index.count("table")
    order = np.argsort(of_table, kind="stable")
    starts = np.searchsorted(of_table[order], np.arange(len(index.tables) + 1)).tolist()
    columns = {name: index.count(name)[order] for name in (*_SUMS, "first_micros", "last_micros")}
    for start, stop in pairwise(starts):
        of_one = {name: column[start:stop] for name, column in columns.items()}
        sums = {name: int(of_one[name].sum()) for name in _SUMS}
        sums["first_micros"] = int(of_one["first_micros"].min(initial=_MAX_MICROS))
        sums["last_micros"] = int(of_one["last_micros"].max(initial=0))
        yield sums


def _summarize_log(
    log_file: LogFile,
    options: BinlogOptions,
    completer: TableMapCompleter,
    nameless: set[TableName],
    on_position: Callable[[int], None],
    index: LogIndex | None = None,
) -> tuple[list[TableSummary], BinlogError | None]:
    """Return the tables of one log, in the order in which it first changes them, and what ended it.

    Args:
        log_file: the log.
        options: of the read.
        completer: completes table maps; takes the statements.
        nameless: tables whose columns the log does not name are added.
        on_position: called with the bytes read so far.
        index: of the log; None to read all of it.
    """
    tables: dict[TableName, TableSummary] = {}
    latest: dict[TableName, int] = {}
    statements = StatementList(UNLOGGED_CHANGES)
    table_filter = TableFilter(options)
    failure: BinlogError | None = None
    part: ReadRange | None = None
    try:
        if index is not None:
            try:
                tables = _indexed_tables(index, log_file, table_filter, completer, nameless)
            except BinlogError as error:
                warn(f"{log_file.name}: its index does not say what its tables are: {error}")
            else:
                if log_file.compression or index.indexed_to >= log_file.num_bytes:
                    return sorted(tables.values(), key=_first_place), None
                part = range_between(log_file, index.indexed_to, None)
        for counts, position in _count(log_file, options, statements, completer, part):
            _count_statements(statements.found, tables, table_filter)
            statements.found.clear()
            for found in counts:
                table = found.table_map.table
                if not found.is_described:
                    nameless.add(table)
                summary = tables.setdefault(table, TableSummary(table, (), found.site))
                if not summary.paths:
                    summary.describe(found.table_map, log_file)
                    # The statements of a window come before its rows.
                    if found.site.start_pos < summary.first_site.start_pos:
                        summary.first_site = found.site
                summary.add(found)
                # One that goes on from the window before has been counted.
                goes_on = latest.get(table) == found.first_transaction
                summary.num_transactions += found.num_transactions - goes_on
                latest[table] = found.last_transaction
            on_position(position)
    except BinlogError as error:
        failure = error
    _count_statements(statements.found, tables, table_filter)
    return sorted(tables.values(), key=_first_place), failure


def _first_place(summary: TableSummary) -> int:
    return summary.first_site.start_pos


def _count(
    log_file: LogFile,
    options: BinlogOptions,
    statements: StatementSink,
    completer: TableMapCompleter,
    part: ReadRange | None,
) -> Iterator[tuple[Iterable[EventCount], int]]:
    """Yield counts, and the bytes read so far."""
    with ignoring(options):
        if has_kernels(options):
            from pyspark_adapter.scan.kernel_counts import count_changes

            yield from count_changes(log_file, options, statements, completer, part)
            return
        from pyspark_adapter.decode.reference.reader import count_changes as count_in_python

        yield from count_in_python(log_file, options, statements, completer)
