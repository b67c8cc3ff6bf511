"""The tables that logs change, with the numbers of row changes and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pyspark_adapter.counting.table_summary import TableSummary
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.row_filter import TableFilter, logs_to_read
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.ignored_errors import ignoring
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor, range_between
from pyspark_adapter.scan.kernel_counts import EventCount
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import CompletionWarnings, TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl


def _count_statements(
    listed: Sequence[Statement], tables: dict[TableName, TableSummary], table_filter: TableFilter
) -> None:
    """Count statements that change rows without logging them, by table."""
    for statement in listed:
        if not statement.is_selected:
            continue
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
    survey = Surveyor(options)
    timeline = Timeline(log_files, survey, user_ddl)
    warns = CompletionWarnings(of_missing_names=False)
    num_known, known = _of_headers(log_files, options, survey)
    tables |= {summary.table: summary for summary in known}
    done = sum(log.num_bytes for log in log_files[:num_known])
    for log_file in log_files[num_known:]:
        log = FollowedLog(timeline, log_file, is_whole=survey.header_of(log_file) is None)
        completer = TableMapCompleter(log, user_ddl, warns=warns)
        of_log, error = _summarize_log(log_file, options, completer, nameless, report, survey)
        if error is None:
            log.finish()
        for summary in of_log:
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


def _of_headers(
    log_files: Sequence[LogFile], options: BinlogOptions, survey: Surveyor
) -> tuple[int, list[TableSummary]]:
    """Return the tables of the first logs, as far as indexes say all, and how many logs these are.

    Raises:
        BinlogError: if a log cannot be read.
    """
    if options.index is None:
        return 0, []
    from pyspark_adapter.counting.indexed_tables import summarize_headers, whole_headers

    headers = whole_headers(log_files, options, survey.header_of)
    if not headers:
        return 0, []
    try:
        known = log_files[: len(headers)]
        return len(headers), summarize_headers(
            headers, known, TableFilter(options), survey.tables_of
        )
    except BinlogError:  # each log reports the problem of its index
        return 0, []


def _summarize_log(
    log_file: LogFile,
    options: BinlogOptions,
    completer: TableMapCompleter,
    nameless: set[TableName],
    on_position: Callable[[int], None],
    survey: Surveyor,
) -> tuple[list[TableSummary], BinlogError | None]:
    """Return the tables of a log, in the order of their first changes, and what ended it."""
    tables: dict[TableName, TableSummary] = {}
    latest: dict[TableName, int] = {}
    table_filter = TableFilter(options)
    failure: BinlogError | None = None
    part: ReadRange | None = None
    try:
        header = survey.header_of(log_file)
        if header is not None:
            from pyspark_adapter.counting.indexed_tables import indexed_tables, nameless_tables

            kept = indexed_tables(header, log_file, options, survey.tables_of, completer)
            if kept is not None:
                nameless |= {t for t in nameless_tables(header) if t in kept and kept[t].paths}
                if header.is_whole(log_file):
                    return list(kept.values()), None
                tables, part = kept, range_between(log_file, header.indexed_to, None)
        for counts, statements, position in _count(log_file, options, completer, part):
            _count_statements(statements, tables, table_filter)
            for count in counts:
                table = count.table_map.table
                if not count.is_described:
                    nameless.add(table)
                summary = tables.setdefault(table, TableSummary(table, (), count.site))
                if not summary.paths:
                    summary.describe(count.table_map, log_file)
                    # The statements of a window come before its rows.
                    if count.site.start_pos < summary.first_site.start_pos:
                        summary.first_site = count.site
                summary.add(count)
                # One that continues from the window before has been counted.
                goes_on = latest.get(table) == count.first_transaction
                summary.num_transactions += count.num_transactions - goes_on
                latest[table] = count.last_transaction
            on_position(position)
    except BinlogError as error:
        failure = error
    return sorted(tables.values(), key=_first_place), failure


def _first_place(summary: TableSummary) -> int:
    return summary.first_site.start_pos


def _count(
    log_file: LogFile, options: BinlogOptions, completer: TableMapCompleter, part: ReadRange | None
) -> Iterator[tuple[Sequence[EventCount], Sequence[Statement], int]]:
    """Yield counts or statements, and the bytes read so far."""
    with ignoring(options):
        from pyspark_adapter.scan.kernel_counts import count_changes

        yield from count_changes(log_file, options, UNLOGGED_CHANGES, completer, part)
