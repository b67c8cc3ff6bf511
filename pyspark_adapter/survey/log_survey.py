"""A pass over the logs before the read, for what the driver has to know of their tables.

It needs no rows, and leaves the checksums of their events to the read: those of all other events
are compared, so that no damage looks like a table map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from pyspark_adapter.definitions.catalog import Catalog
from pyspark_adapter.definitions.former_names import FormerNames, RenameCollector
from pyspark_adapter.definitions.log_definitions import LogDefinitions
from pyspark_adapter.definitions.table_completion import TableCompletion
from pyspark_adapter.engine import has_kernels
from pyspark_adapter.errors import BinlogError, EventSite, SchemaMismatchError, located
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.framing import frame_site, hidden_rows_error
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.events.statements import STATEMENT_EVENTS, Statement
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.table_view import TableShape, TableView
from pyspark_adapter.progress import Progress
from pyspark_adapter.schema import EventParser, EventType

if TYPE_CHECKING:
    from pyspark_adapter.rows.scanned_events import ScannedEvents

# Logs of up to this size in all are looked at in Python: that is done before kernels are loaded.
_SMALL_INPUT: Final = 1 << 18
# Contents of table maps that Python keeps parsed.
_MAX_KNOWN: Final = 1000


def survey_table(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    completion: TableCompletion,
    progress: Progress | None = None,
) -> tuple[TableView, dict[str, LogDefinitions]]:
    """Return how the table of the options is to be given, and the definitions along each log.

    Reads all logs, at the speed at which rows are passed over. Less with one shape to find
    (schemaAt first, or mergeSchema false): then no more than up to the first table map of the
    table, if the log names its columns, or is the only one. A damaged log is read up to the
    damage, if it is not of rows alone; the read itself tells of it.

    Raises:
        SchemaMismatchError: if no log has a table map of it, or its shapes cannot be merged.
        UnsupportedError: if one of its columns cannot be decoded.
        BinlogError: if the logs are damaged before its first table map.
    """
    assert options.table is not None
    shapes: list[TableShape] = []
    takes_first = options.schema_at == "first" or (
        options.schema_at is None and not options.merge_schema
    )
    failures: list[BinlogError] = []
    last: TableMap | None = None
    for table_map, site in _iter_table_maps(log_files, options, completion, failures, progress):
        if table_map is last or table_map.table != options.table:
            continue
        if takes_first and shapes:
            continue  # the logs to come have statements
        last = table_map
        with located(site):
            shape = TableShape.of(table_map, site, options)
        same = [i for i, known in enumerate(shapes) if known.fields == shape.fields]
        if same and options.schema_at == "latest":
            shapes.append(shapes.pop(same[0]))
        elif not same:
            shapes.append(shape)
        if takes_first and (table_map.has_logged_names or len(log_files) == 1):
            break
    if shapes:
        return TableView.over(options.table, shapes, options), completion.definitions()
    if failures:
        raise failures[0]
    raise SchemaMismatchError(
        f"table {options.table}: expected rows of it, found none in"
        f" {', '.join(log.name for log in log_files[:3])}{', ...' if len(log_files) > 3 else ''};"
        " a schema of your own makes this an empty result"
    )


def survey_renames(log_files: Sequence[LogFile], options: BinlogOptions) -> FormerNames:
    """Return the former names of the table of the options; reads all logs."""
    assert options.table is not None
    collector = RenameCollector()
    for _ in _iter_table_maps(log_files, options, collector, [], None):
        pass
    return collector.former_names(options.table)


def survey_definitions(
    log_files: Sequence[LogFile], options: BinlogOptions, completion: TableCompletion
) -> dict[str, LogDefinitions]:
    """Return the definitions along each log, if the first table map says that they are needed."""
    failures: list[BinlogError] = []
    for table_map, _ in _iter_table_maps(log_files, options, completion, failures, None):
        if table_map.has_logged_names:
            break
    return completion.definitions()


def survey_part(
    log_file: LogFile, part: LogPart, options: BinlogOptions, before: Catalog | None
) -> LogDefinitions:
    """Return what is defined along a part of a log, up to its end; reads the part.

    Args:
        log_file: the log.
        part: of it.
        options: of the read.
        before: what is defined where the part begins.

    Raises:
        BinlogError: if the part is damaged.
    """
    step = options.max_partition_bytes
    completion = TableCompletion({}, before, options.table, is_silent=True, step=step)
    completion.begin_log(log_file.path, part.start)
    look = _scan if has_kernels(options) else _look_in_python
    for _ in look(log_file, options, completion, part):
        pass
    completion.end_log(log_file.num_bytes if part.stop is None else part.stop)
    return completion.latest_definitions()


def names_columns(log_file: LogFile, part: LogPart, options: BinlogOptions) -> bool:
    """Tell whether the first table map of a part of a log has the names of columns.

    Returns:
        False also if there is none.

    Raises:
        BinlogError: if the part is damaged before.
    """
    frames = FrameReader(log_file, options, part, verifies_rows=False)
    for frame in frames:
        if frame.plain_type == EventType.table_map:
            description = frames.format_description
            assert description is not None
            with located(frame_site(log_file, frame)):
                body = EventParser(description).parse(frame.event).body
                return TableMap.from_event(body, is_mariadb=description.is_mariadb).has_logged_names
    return False


def _iter_table_maps(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    completion: TableCompletion,
    failures: list[BinlogError],
    progress: Progress | None,
) -> Iterator[tuple[TableMap, EventSite]]:
    """Yield the table maps of logs, each content and each change at least once.

    Args:
        log_files: the logs.
        options: of the read.
        completion: given the statements.
        failures: appended to; for each log that is damaged, why.
        progress: called for each log.
    """
    done = 0
    num_bytes = sum(log.num_bytes for log in log_files)
    is_small = num_bytes <= _SMALL_INPUT and not any(log.compression for log in log_files)
    look = _look_in_python if is_small or not has_kernels(options) else _scan
    for log_file in log_files:
        completion.begin_log(log_file.path)
        try:
            yield from look(log_file, options, completion)
            completion.end_log(log_file.num_bytes)
        except BinlogError as error:
            failures.append(error)
        done += log_file.num_bytes
        if progress is not None:
            progress(done, num_bytes)


def _look_in_python(
    log_file: LogFile,
    options: BinlogOptions,
    completion: TableCompletion,
    part: LogPart | None = None,
) -> Iterator[tuple[TableMap, EventSite]]:
    frames = FrameReader(log_file, options, part, verifies_rows=False)
    parser: EventParser | None = None
    known: dict[bytes, TableMap] = {}  # by what follows the table id, as logged
    for frame in frames:
        kind = frame.plain_type
        site = frame_site(log_file, frame)
        with located(site):
            if (error := hidden_rows_error(kind, frames.format_description)) is not None:
                raise error
            is_table_map = kind == EventType.table_map
            description = frames.format_description
            assert description is not None
            # Most are of other tables: a look at the bytes is cheaper than to parse them.
            if not (is_table_map or kind in STATEMENT_EVENTS) or (
                is_table_map and not completion.may_matter(frame.event)
            ):
                continue
            if parser is None or parser.format_description is not description:
                parser = EventParser(description)
                known.clear()
            if is_table_map:
                content = frame.event[frame.body_start + description.len_table_id : frame.body_end]
                if content not in known:
                    if len(known) >= _MAX_KNOWN:
                        known.clear()
                    body = parser.parse(frame.event).body
                    parser.release_table_maps()
                    known[content] = TableMap.from_event(body, is_mariadb=description.is_mariadb)
                yield completion.complete(known[content], site), site
                continue
            parsed = parser.parse(frame.event)
            statement = Statement.from_event(parsed, site)
            if statement.kind & completion.kinds:
                completion.take(statement)


def _scan(
    log_file: LogFile,
    options: BinlogOptions,
    completion: TableCompletion,
    part: LogPart | None = None,
) -> Iterator[tuple[TableMap, EventSite]]:
    from pyspark_adapter.rows.scanner import Scanner

    found: list[tuple[TableMap, EventSite]] = []
    scanner = Scanner(
        log_file,
        options,
        lambda *pair: found.append(pair),
        completion=completion,
        part=part,
        verifies_rows=False,
    )
    try:
        for scanned in scanner:
            yield from found
            found.clear()
            if options.schema_at == "latest":
                yield from _last_in_window(scanned, options.table)
    except BinlogError:
        yield from found  # what stands before a damage counts
        raise
    yield from found


def _last_in_window(
    scanned: ScannedEvents, table: TableName | None
) -> Iterator[tuple[TableMap, EventSite]]:
    """Yield the table map of the last rows of a table, which may be of a content known before."""
    table_maps = scanned.tables.table_maps
    of_table = np.array([table_map.table == table for table_map in table_maps])
    events = np.flatnonzero(of_table[scanned.events[lay.E_SLOT]])
    if len(events):
        last = int(events[-1])
        yield table_maps[int(scanned.events[lay.E_SLOT, last])], scanned.site(last)
