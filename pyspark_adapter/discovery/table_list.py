"""The tables that logs change, with the numbers of row changes and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pyspark_adapter.discovery.survey import Surveyor
from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.statements import (
    UNLOGGED_CHANGES,
    Statement,
    StatementList,
    StatementSink,
)
from pyspark_adapter.filters.row_filter import TableFilter, logs_to_read
from pyspark_adapter.ignored_errors import ignoring
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
        self._span(_time(found.first_micros), _time(found.last_micros))

    def _span(self, first: datetime | None, last: datetime | None) -> None:
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
        self._span(other.first_commit_time, other.last_commit_time)
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
    timeline = Timeline(log_files, Surveyor(log_files, options), user_ddl)
    warns = CompletionWarnings(of_missing_names=False)
    for log_file in log_files:
        log = FollowedLog(timeline, log_file, is_whole=True)
        completer = TableMapCompleter(log, user_ddl, warns=warns)
        found, error = _summarize_log(log_file, options, completer, nameless, report)
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


def _summarize_log(
    log_file: LogFile,
    options: BinlogOptions,
    completer: TableMapCompleter,
    nameless: set[TableName],
    on_position: Callable[[int], None],
) -> tuple[list[TableSummary], BinlogError | None]:
    """Return the tables of one log, in the order in which it first changes them, and what ended it.

    Args:
        log_file: the log.
        options: of the read.
        completer: completes table maps; takes the statements.
        nameless: tables whose columns the log does not name are added.
        on_position: called with the bytes read so far.
    """
    tables: dict[TableName, TableSummary] = {}
    latest: dict[TableName, int] = {}
    statements = StatementList(UNLOGGED_CHANGES)
    table_filter = TableFilter(options)
    failure: BinlogError | None = None
    try:
        for counts, position in _count(log_file, options, statements, completer):
            _count_statements(statements.found, tables, table_filter)
            statements.found.clear()
            for found in counts:
                table = found.table_map.table
                if not found.is_described:
                    nameless.add(table)
                summary = tables.setdefault(table, TableSummary(table, (), found.site))
                if not summary.paths:
                    names = tuple(c.label for c in found.table_map.columns)
                    summary.column_names = names
                    summary.primary_key = tuple(names[i] for i in found.table_map.primary_key)
                    summary.paths = (log_file.path,)
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
    return sorted(tables.values(), key=lambda summary: summary.first_site.start_pos), failure


def _count(
    log_file: LogFile,
    options: BinlogOptions,
    statements: StatementSink,
    completer: TableMapCompleter,
) -> Iterator[tuple[Iterable[EventCount], int]]:
    """Yield counts, and the bytes read so far."""
    with ignoring(options):
        if has_kernels(options):
            from pyspark_adapter.scan.kernel_counts import count_changes

            yield from count_changes(log_file, options, statements, completer)
            return
        from pyspark_adapter.decode.reference.reader import count_changes as count_in_python

        yield from count_in_python(log_file, options, statements, completer)
