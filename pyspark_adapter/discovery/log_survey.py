"""Schema discovery: a pass over logs, before the read, to learn what their tables are.

It decodes no rows. It verifies the checksums of the table maps and statements that it uses, and of
events whose headers do not agree, so that damage is never taken for a table map. All other
checksums are left to the read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    SchemaMismatchError,
    did_you_mean,
    listed,
    located,
)
from pyspark_adapter.events.event_errors import check_rows_visible
from pyspark_adapter.events.first_table_map import first_table_map
from pyspark_adapter.events.frame import Frame, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.known_table_maps import find_table_map
from pyspark_adapter.events.log_identity import read_format_event
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.events.statements import (
    Statement,
    StatementSink,
    StatementSinks,
)
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.filters.event_filter import EventFilter
from pyspark_adapter.filters.row_filter import RowFilter
from pyspark_adapter.format.event_types import STATEMENT_EVENTS
from pyspark_adapter.format.schema import EventParser, EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.engine import has_kernels
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.added_values import with_defaults
from pyspark_adapter.plan.table_view import TableShape, TableView
from pyspark_adapter.progress import Progress
from pyspark_adapter.schema_history.added_columns import AddedColumns
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.ddl_file import read_ddl_file
from pyspark_adapter.schema_history.given_history import GivenHistory
from pyspark_adapter.schema_history.given_tables import GivenTables
from pyspark_adapter.schema_history.removal_watch import RemovalWatch
from pyspark_adapter.schema_history.rename_history import RenameHistory
from pyspark_adapter.schema_history.schema_history import SchemaHistory
from pyspark_adapter.schema_history.table_map_completer import TableMapCompleter
from pyspark_adapter.sources.log_file import MAGIC, LogFile

if TYPE_CHECKING:
    from pyspark_adapter.scan.scanned_events import ScannedEvents

# Logs of up to this many bytes in all are read in Python: that takes less time than to load the
# kernels.
_SMALL_INPUT: Final = 1 << 18
# Tables that a message is chosen from.
_MAX_NAMES: Final = 1000
# The end of the name of a database, and the statement.
_BEGIN: Final = b"\0BEGIN"
_LEN_QUERY_HEADER: Final = 13  # since MySQL 5.0; logs before version 4 do not say
# After all statements.
_END: Final = EventSite("", sys.maxsize)


def discover_table(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    completer: TableMapCompleter,
    progress: Progress | None = None,
) -> TableView:
    """Return the columns to give of the table of the options.

    Reads all logs, at the speed of a read that gives no rows. If one shape is enough (schemaAt
    first, or mergeSchema false), reads only up to the first table map of the table, provided that
    the log names its columns or is the only one. A damaged log is read up to the first damage in
    what is looked at; the read itself reports it. Kernels look at less than Python does, so they
    may know columns that come after the damage.

    Raises:
        SchemaMismatchError: if no log has a table map of it, or its shapes cannot be merged.
        OptionError: if the option `columns` names one that it lacks.
        UnsupportedError: if one of its columns cannot be decoded.
        BinlogError: if the logs are damaged before its first table map.
    """
    assert options.table is not None
    shapes: dict[tuple[pa.Field, ...], TableShape] = {}  # the last one seen is the last
    takes_first = options.schema_at == "first" or (
        options.schema_at is None and not options.merge_schema
    )
    failures: list[BinlogError] = []
    last: TableMap | None = None
    row_keys: dict[tuple[str, ...], tuple[str, ...]] = {}  # by their names in lower case
    watch = RemovalWatch(options, completer)
    added = AddedColumns(options.table, [log.name for log in log_files])
    # Logs of several servers have the same numbers.
    ends = [(log.number, log.num_bytes, log.name) for log in log_files]
    _, num_bytes, name = max(ends, default=(0, 0, ""))
    end = EventSite(name, num_bytes)
    table_maps = _table_maps(log_files, options, completer, failures, progress, watch, added)
    for table_map, site in table_maps:
        if table_map is last or table_map.table != options.table:
            continue
        if takes_first and shapes:
            continue  # the statements of the other logs are needed
        last = table_map
        with located(site):
            shape = TableShape.of(table_map, site, options)
            key = completer.row_key(table_map, site)
        row_keys.setdefault(tuple(map(str.lower, key)), key)
        if options.schema_at == "latest":
            shape = shapes.pop(shape.fields, shape)
        shapes.setdefault(shape.fields, shape)
        if takes_first and (table_map.is_described_by_log or len(log_files) == 1):
            end = site
            break
    if shapes:
        assert last is not None
        key = completer.row_key(last, _END)  # statements may have changed it since
        row_keys.setdefault(tuple(map(str.lower, key)), key)
        view = TableView.over(options.table, list(shapes.values()), options).picked(options)
        # Rows from before a change of the key need not be unique by the new one.
        row_key = next(iter(row_keys.values())) if len(row_keys) == 1 else ()
        view = replace(view, row_key=row_key, removals=watch.removals(end))
        # The names of former tables are not followed here.
        return view if takes_first or options.follow_renames else with_defaults(view, added, last)
    if failures:
        raise failures[0]
    names = sorted(map(str, _tables_in(log_files, options)))
    proposal = did_you_mean(str(options.table), names).removeprefix("; ")
    found = f"; they have rows of {listed(names)}" if names else ""
    raise SchemaMismatchError(
        f"table {options.table}: expected rows of it, found none in"
        f" {listed((log.name for log in log_files), 3)}{found}",
        advice=proposal or "check the name; with a schema of your own the result is empty",
    )


def _tables_in(log_files: Sequence[LogFile], options: BinlogOptions) -> set[TableName]:
    """Return the tables whose rows the logs change; only some of them if there are very many."""
    found: set[TableName] = set()
    completer = TableMapCompleter(SchemaHistory(Catalog()), GivenTables())
    for table_map, _ in _table_maps(log_files, replace(options, table=None), completer, [], None):
        found.add(table_map.table)
        if len(found) >= _MAX_NAMES:
            break
    return found


def discover_renames(log_files: Sequence[LogFile], options: BinlogOptions) -> RenameHistory:
    """Return the former names of the table of the options; reads all logs, damaged ones in part."""
    assert options.table is not None
    renames = RenameHistory(options.table)
    look = _choose_look(log_files, options)
    for log_file in log_files:
        renames.begin_log(log_file.path)
        with suppress(BinlogError):
            for _ in look(log_file, options, None, renames, None, None):
                pass
    return renames


def discover_given(log_files: Sequence[LogFile], options: BinlogOptions) -> GivenTables:
    """Return the tables of the option ddl, as the statements of logs change them.

    Reads all logs, damaged ones in part, if the option is given, matters for the table of the
    options, and the first and the last log seem not to name columns themselves.

    Raises:
        OptionError: if the file cannot be read, or defines no table.
    """
    given = given_tables(options)
    if not given.tables or (options.table is not None and given.find(options.table) is None):
        return given
    history = GivenHistory(given)
    if not any(lacks_names(log, options) for log in (*log_files[:1], *log_files[1:][-1:])):
        return given
    for log_file in log_files:
        with suppress(BinlogError):  # the read reports it
            follow_given(history, log_file, options)
    return history.tables()


def given_tables(options: BinlogOptions) -> GivenTables:
    """Return the tables of the option ddl as they are in its file.

    Raises:
        OptionError: if the file cannot be read, or defines no table.
    """
    return GivenTables() if options.ddl is None else read_ddl_file(options.ddl)


def lacks_names(log_file: LogFile, options: BinlogOptions, part: ReadRange | None = None) -> bool:
    """Return whether the first table map of a log, or of a range of it, lacks names.

    False if there is none, or it cannot be read: the read reports that.
    """
    with suppress(BinlogError):
        first = first_table_map(FrameReader(log_file, options, part, verifies_rows=False))
        return first is not None and not first.is_described_by_log
    return False


def follow_given(
    history: GivenHistory,
    log_file: LogFile,
    options: BinlogOptions,
    part: ReadRange | None = None,
) -> None:
    """Give a history the statements of a log, or of a range of it.

    Raises:
        BinlogError: if the log is damaged, or its last event is not complete yet.
    """
    history.begin_log(log_file.path)
    for _ in _choose_look([log_file], options)(log_file, options, None, history, None, part):
        pass


def discover_snapshots(
    log_files: Sequence[LogFile], options: BinlogOptions, history: SchemaHistory
) -> dict[str, CatalogSnapshots]:
    """Return the snapshots along each log, by path; none if the logs seem to name all columns.

    They seem to if the first table maps of the first and the last log do: only so much is read.
    Where names are missing in between, the read has to go back to the statements before.

    Args:
        log_files: the logs, in order.
        options: of the read.
        history: takes the statements.
    """
    completer = TableMapCompleter(history, GivenTables(), table=options.table)
    for table_map, _ in _table_maps(log_files, options, completer, [], None):
        if not table_map.is_described_by_log or history.is_asked:
            continue
        if len(log_files) > 1 and lacks_names(log_files[-1], options):
            history.is_asked = True
            continue
        return {}
    return history.snapshots() if history.is_asked else {}


def range_between(log_file: LogFile, start: int, stop: int | None) -> ReadRange:
    """Return a range of a log, between two offsets where no transaction is open.

    Raises:
        BinlogError: if its format description is needed and cannot be read.
    """
    format_event = b"" if start == len(MAGIC) else read_format_event(log_file)
    return ReadRange(start, stop, format_event or b"", stops_at_gtid=True)


def follow_statements(
    log_file: LogFile, part: ReadRange, options: BinlogOptions, before: Catalog
) -> CatalogSnapshots:
    """Return the snapshots along a range of a log; reads the range.

    Args:
        log_file: the log.
        part: the range.
        options: of the read.
        before: the catalog at the start of the range.

    Raises:
        BinlogError: if the range is damaged.
    """
    history = SchemaHistory(before, options.max_partition_bytes)
    history.begin_log(log_file.path, part.start)
    look = _scan if has_kernels(options) else _look_in_python
    for _ in look(log_file, options, None, history, None, part):
        pass
    history.end_log(log_file.num_bytes if part.stop is None else part.stop)
    return history.snapshots()[log_file.path]


# Yields the table maps of a log or of a range of it, completed, each content and each change at
# least once; without a completer, nothing. The first sink takes the statements of transactions that
# the options select, the second those of all.
_Look = Callable[
    [
        LogFile,
        BinlogOptions,
        StatementSink | None,
        StatementSink | None,
        TableMapCompleter | None,
        ReadRange | None,
    ],
    Iterator[tuple[TableMap, EventSite]],
]


def _choose_look(log_files: Sequence[LogFile], options: BinlogOptions) -> _Look:
    num_bytes = sum(log.num_bytes for log in log_files)
    is_small = num_bytes <= _SMALL_INPUT and not any(log.compression for log in log_files)
    return _look_in_python if is_small or not has_kernels(options) else _scan


def _table_maps(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    completer: TableMapCompleter,
    failures: list[BinlogError],
    progress: Progress | None,
    statements: StatementSink | None = None,
    definitions: StatementSink | None = None,
) -> Iterator[tuple[TableMap, EventSite]]:
    """Yield the completed table maps of logs, each content and each change at least once.

    Args:
        log_files: the logs.
        options: of the read.
        completer: completes them; its history takes the statements.
        failures: the error of each damaged log is appended.
        progress: called after each log.
        statements: takes the statements of transactions that the options select.
        definitions: takes those of all transactions.
    """
    done = 0
    num_bytes = sum(log.num_bytes for log in log_files)
    look = _choose_look(log_files, options)
    for log_file in log_files:
        completer.begin_log(log_file.path)
        try:
            yield from look(log_file, options, statements, definitions, completer, None)
            completer.history.end_log(log_file.num_bytes)
        except BinlogError as error:
            failures.append(error)
        done += log_file.num_bytes
        if progress is not None:
            progress(done, num_bytes)


def _look_in_python(
    log_file: LogFile,
    options: BinlogOptions,
    statements: StatementSink | None,
    definitions: StatementSink | None,
    completer: TableMapCompleter | None,
    part: ReadRange | None,
) -> Iterator[tuple[TableMap, EventSite]]:
    history = None if completer is None else completer.history
    sinks = StatementSinks([statements], [definitions, history])
    event_filter = None if statements is None else EventFilter(log_file, options)
    frames = FrameReader(log_file, options, part, verifies_rows=False)
    for frame in frames:
        kind = frame.plain_type
        try:
            check_rows_visible(kind, frames.format_description)
            is_selected = event_filter is None or event_filter.keeps(frame, frames.parser)
            # Most are of other tables: a look at the bytes is cheaper than to parse them.
            if kind == EventType.table_map:
                if completer is None or not completer.may_matter(frame.event):
                    continue
            elif kind not in STATEMENT_EVENTS or _is_begin(frame, frames.parser):
                continue
            site = frame_site(log_file, frame)
            if completer is not None and kind == EventType.table_map:
                table_map = find_table_map(frame.event, frames.parser)
                yield completer.complete(table_map, site), site
                continue
            statement = Statement.from_event(frames.parser.parse(frame.event), site)
            sinks.take(statement, is_selected=is_selected)
        except BinlogError:  # a site for each event would take long to make
            with located(frame_site(log_file, frame)):
                raise


def _is_begin(frame: Frame, parser: EventParser) -> bool:
    """Return whether an event is a BEGIN, as most statements are; to parse one takes 0.1 ms."""
    event, start, end = frame.event, frame.body_start, frame.body_end - len(_BEGIN)
    if frame.type_code != EventType.query or not event.startswith(_BEGIN, end, frame.body_end):
        return False
    lengths = parser.format_description.post_header_lengths
    if lengths[EventType.query - 1 : EventType.query] != _LEN_QUERY_HEADER.to_bytes():
        return False
    if end < start + _LEN_QUERY_HEADER:
        return False
    len_status = int.from_bytes(event[start + 11 : start + 13], "little")
    return end == start + _LEN_QUERY_HEADER + len_status + event[start + 8]


def _scan(
    log_file: LogFile,
    options: BinlogOptions,
    statements: StatementSink | None,
    definitions: StatementSink | None,
    completer: TableMapCompleter | None,
    part: ReadRange | None,
) -> Iterator[tuple[TableMap, EventSite]]:
    from pyspark_adapter.scan.scanner import Scanner

    found: list[tuple[TableMap, EventSite]] = []
    # Names of columns that come from a range of a log are as sure as its checksums.
    surveys = part is None and options.schema_at != "latest"
    if statements is not None:  # a survey cannot tell which are in selected transactions
        surveys &= RowFilter(options, log_file).keeps_all_transactions
    scanner = Scanner(
        log_file,
        options,
        (lambda *pair: found.append(pair)) if completer is not None else None,
        statements,
        completer,
        part,
        definitions=definitions,
        verifies_rows=False,
        surveys=surveys,
    )
    try:
        for scanned in scanner:
            yield from found
            found.clear()
            if completer is not None and options.schema_at == "latest":
                yield from _last_in_window(scanned, options.table)
    except BinlogError:
        yield from found  # table maps before the damage count
        raise
    yield from found


def _last_in_window(
    scanned: ScannedEvents, table: TableName | None
) -> Iterator[tuple[TableMap, EventSite]]:
    """Yield the table map of the last rows of a table, even if its content was seen before."""
    table_maps = scanned.tables.table_maps
    of_table = np.array([table_map.table == table for table_map in table_maps])
    events = np.flatnonzero(of_table[scanned.events[lay.Event.SLOT]])
    if len(events):
        last = int(events[-1])
        yield table_maps[int(scanned.events[lay.Event.SLOT, last])], scanned.site(last)
