"""The columns of a table, from the table maps of all logs and the statements in them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    SchemaMismatchError,
    did_you_mean,
    listed,
    located,
)
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.added_values import with_defaults
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.plan.table_view import TableShape, TableView
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.log_survey import LogSurvey
from pyspark_adapter.timeline.table_changes import added_columns, searched_name
from pyspark_adapter.timeline.table_map_completer import CompletionWarnings, TableMapCompleter
from pyspark_adapter.timeline.timeline import Surveys, Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl

if TYPE_CHECKING:
    from pyspark_adapter.index_store.index_folder import IndexFolder

# Tables that a message is chosen from.
_MAX_NAMES: Final = 1000
# After all statements.
_END: Final = EventSite("", sys.maxsize)


def discover(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    progress: Progress | None = None,
    *,
    finds_columns: bool,
    indexes: IndexFolder | None = None,
) -> tuple[Timeline, TableView | None]:
    """Return the timeline of the logs, and the columns to give of the table of the options.

    For columns reads all logs, except for what their indexes know, at the speed of a read that
    gives no rows. If one shape is enough (schemaAt first, or mergeSchema false), reads only up to
    the first table map of the table, provided that the log names its columns or is the only one. A
    damaged log is read up to the first damage in its part; the read itself reports it.
    Kernels look at less than Python does, so they may know columns that come after the damage.

    Args:
        progress: called after each log with the bytes read so far and the bytes in all.
        finds_columns: whether the columns are wanted; else no log is read yet.
        indexes: of the logs; None for those of the option index.

    Raises:
        SchemaMismatchError: if no log has a table map of it, or its shapes cannot be merged.
        OptionError: if the option `columns` names one that it lacks.
        UnsupportedError: if one of its columns cannot be decoded.
        BinlogError: if the logs are damaged before its first table map.
    """
    table = options.table
    if table is None or not finds_columns:
        return plan_timeline(log_files, options, indexes=indexes), None
    takes_first = options.schema_at == "first" or (
        options.schema_at is None and not options.merge_schema
    )
    survey = Surveyor(
        options,
        lambda name: options.follow_renames or name == table,
        finds_removals=True,
        indexes=indexes,
    )
    user_ddl = None if options.ddl is None else UserDdl.of(options)
    timeline = Timeline(log_files, survey, user_ddl, table if options.follow_renames else None)
    user_ddl = timeline.user_ddl
    surveys, end = _survey(timeline, survey, options, progress, ends_early=takes_first)
    shapes: dict[tuple[pa.Field, ...], TableShape] = {}  # the last one seen is the last
    row_keys: dict[tuple[str, ...], tuple[str, ...]] = {}  # by their names in lower case
    last: TableMap | None = None
    warns = CompletionWarnings()
    for log_file, surveyed in surveys:
        if not surveyed.table_maps or (takes_first and last is not None):
            continue
        completer = None
        if surveyed.lacks_keys or surveyed.nameless or user_ddl.tables or options.follow_renames:
            log = FollowedLog(timeline, log_file, is_known=end is not None)
            completer = TableMapCompleter(log, user_ddl, table=table, warns=warns)
        for logged, site in surveyed.table_maps:
            table_map = logged if completer is None else completer.complete(logged, site)
            if table_map.table != table or table_map is last or (takes_first and shapes):
                continue
            last, completer_of_last = table_map, completer
            with located(site):
                shape = TableShape.of(table_map, site, options)
                key = table_map.primary_key_names
                if completer is not None:
                    key = completer.row_key(table_map, site)
            row_keys.setdefault(tuple(map(str.lower, key)), key)
            if options.schema_at == "latest":
                shape = shapes.pop(shape.fields, shape)
            shapes.setdefault(shape.fields, shape)
    if last is None:
        raise _no_rows(survey, options, surveys)
    if completer_of_last is not None:
        key = completer_of_last.row_key(last, _END)  # statements may have changed it since
        row_keys.setdefault(tuple(map(str.lower, key)), key)
    view = TableView.over(table, list(shapes.values()), options)
    if options.columns is not None:
        view = view.picked(options.columns)
    # Rows from before a change of the key need not be unique by the new one.
    row_key = next(iter(row_keys.values())) if len(row_keys) == 1 else ()
    view = replace(view, row_key=row_key, surveyed_to=end)
    # Rows of one shape alone lack nothing. The names of former tables are not followed here.
    if len(view.shapes) > 1 and not (takes_first or options.follow_renames):
        changes = timeline.changes(searched_name(table))
        log_names = [log.name for log in log_files]
        added = added_columns(table, changes, log_names, timeline.is_about)
        view = with_defaults(view, added, last)
    return timeline, view


def plan_timeline(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    surveys: Surveys | None = None,
    indexes: IndexFolder | None = None,
) -> Timeline:
    """Return the timeline of a read; raises OptionError.

    Args:
        surveys: of some of the logs, which another process has made; None for none.
        indexes: of the logs; None for those of the option index.
    """
    former = options.table if options.follow_renames else None
    survey = Surveyor(options, indexes=indexes)
    user_ddl = UserDdl.of(options)
    timeline = Timeline(log_files, survey, user_ddl, former)
    timeline.take_surveys(surveys or {})
    start, position = options.starting_position, user_ddl.position
    if former is None and start and position and user_ddl.defines_all(options):
        for log_file in log_files:
            if log_file.name == start.log_name and (log_file.number, start.start_pos) == position:
                timeline.begin_at(log_file, start.start_pos)  # no statement before matters
    return timeline


def _survey(
    timeline: Timeline,
    survey: Surveyor,
    options: BinlogOptions,
    progress: Progress | None,
    *,
    ends_early: bool,
) -> tuple[list[tuple[LogFile, LogSurvey]], EventSite | None]:
    """Return the surveys of logs, and the table map at which they end early, if they do."""
    log_files, user_ddl = timeline.log_files, timeline.user_ddl

    def is_enough(table_map: TableMap) -> bool:
        is_alone = len(log_files) == 1 and user_ddl.find(table_map.table) is None
        return table_map.is_described_by_log or is_alone

    ends_at = is_enough if ends_early and not options.follow_renames else None
    surveys: list[tuple[LogFile, LogSurvey]] = []
    done = 0
    for index, log_file in enumerate(log_files):
        surveyed = survey(log_file, ends_at=ends_at)
        surveys.append((log_file, surveyed))
        if ends_at is not None and surveyed.table_maps and ends_at(surveyed.table_maps[-1][0]):
            timeline.add_survey(index, surveyed, 0)
            return surveys, surveyed.table_maps[-1][1]
        timeline.add_survey(index, surveyed, log_file.num_bytes)
        done += log_file.num_bytes
        if progress is not None:
            progress(done, sum(log.num_bytes for log in log_files))
    return surveys, None


def _no_rows(
    survey: Surveyor, options: BinlogOptions, surveys: Sequence[tuple[LogFile, LogSurvey]]
) -> BinlogError:
    """Return the error for logs without rows of the table."""
    for _, found_in in surveys:
        if found_in.error is not None:
            return found_in.error
    log_files = [log_file for log_file, _ in surveys]
    names = sorted(map(str, _tables_in(log_files, survey.of_all_tables())))
    proposal = did_you_mean(str(options.table), names).removeprefix("; ")
    tables = f"; they have rows of {listed(names)}" if names else ""
    return SchemaMismatchError(
        f"table {options.table}: expected rows of it, found none in"
        f" {listed((log.name for log in log_files), 3)}{tables}",
        advice=proposal or "check the name; with a schema of your own the result is empty",
    )


def _tables_in(log_files: Sequence[LogFile], survey: Surveyor) -> set[TableName]:
    """Return the tables whose rows the logs change; only some of them if there are very many."""
    tables: set[TableName] = set()

    def ends_at(table_map: TableMap) -> bool:
        tables.add(table_map.table)
        return len(tables) >= _MAX_NAMES

    for log_file in log_files:
        survey(log_file, ends_at=ends_at)
        if len(tables) >= _MAX_NAMES:
            break
    return tables
