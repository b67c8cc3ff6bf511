"""The survey of a log from its index, in place of a pass over the log."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pyspark_adapter.errors import BinlogError, CorruptEventError, EventSite
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.events.table_map import TableMap, find_table_map, table_map_event
from pyspark_adapter.format.header import (
    LEN_CHECKSUM,
    LEN_HEADER,
    OFS_FLAGS,
    server_id_at,
    type_code_at,
)
from pyspark_adapter.format.schema import EventParser, EventType, parse_format_description
from pyspark_adapter.index_store.index_batches import LogTables
from pyspark_adapter.index_store.index_schema import SHAPES
from pyspark_adapter.kernels.layout import NUM_TRANSACTION_FIELDS, GtidKind, Transaction
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.log_survey import LogSurvey
from pyspark_adapter.timeline.name_case import CAPITAL
from pyspark_adapter.warn import warn

if TYPE_CHECKING:
    from pyspark_adapter.scan.scanned_filter import ScannedFilter  # loads kernels

# Of the time when its server has started, in the body of a format description.
OFS_CREATED: Final = 52
# A position, and the call that gives a survey the statement or table map there.
_Step = tuple[tuple[int, int], Callable[[], object]]


def take_index(
    survey: LogSurvey,
    index: LogTables | None,
    log_file: LogFile,
    start: int,
    stop: int | None,
    row_filter: ScannedFilter | None,
    parsers: dict[bytes, EventParser],
) -> bool:
    """Give a survey what the index of a log knows of a part of it; return whether it knows all.

    Args:
        index: of the log; None for none.
        start, stop: offsets where no transaction is open; None for the end of the index.
        row_filter: selects the transactions of statements; None for all.
        parsers: those of logs before.

    Raises:
        FoundError: if the survey ends there.
    """
    if index is None or not index.header.knows_tables or start >= index.header.indexed_to:
        return False
    selected = None
    if row_filter is not None and not row_filter.keeps_all:
        selected = _selected(index, row_filter)
        if selected is None:
            return False
    stop = sys.maxsize if stop is None else stop
    try:
        steps = [
            step
            for step in _steps(survey, index, log_file, start, selected, parsers)
            if start <= step[0][0] < stop
        ]
    except BinlogError as error:
        warn(f"{log_file.name}: its index does not say what its tables are: {error}")
        return False
    for _, step in sorted(steps, key=itemgetter(0)):
        step()
    return True


def parser_of(index: LogTables, parsers: dict[bytes, EventParser]) -> EventParser:
    """Return the parser of the events that an index has; raises BinlogError.

    Args:
        index: of a log.
        parsers: those of logs before, by what they depend on; one that is new is added.
    """
    event = index.format_event
    # Without the times of the header and of the start of the server, flags and checksum.
    created = LEN_HEADER + OFS_CREATED
    key = event[4:OFS_FLAGS] + event[LEN_HEADER:created] + event[created + 4 : -LEN_CHECKSUM]
    if key not in parsers:
        parsers[key] = EventParser(parse_format_description(event, verify=False))
    return parsers[key]


def table_map_of(
    index: LogTables, log_file: LogFile, shape: int, parser: EventParser
) -> tuple[TableMap, EventSite]:
    """Return the first table map of a shape of a log, and its site; raises BinlogError."""
    content, start_pos, inner_pos, *_ = (column[shape].as_py() for column in index.shapes.columns)
    site = log_file.event_site(start_pos, EventType.table_map, inner_pos)
    return _table_map(index, content, parser), site


def _table_map(index: LogTables, content: int, parser: EventParser) -> TableMap:
    """Return the table map of a content; raises BinlogError."""
    database, name, _, data = (column[content].as_py() for column in index.contents.columns)
    table_map = find_table_map(table_map_event(data, parser.format_description), parser)
    if table_map.table != TableName(database, name):
        raise CorruptEventError(f"table map: expected table {TableName(database, name)}")
    return table_map


def _steps(
    survey: LogSurvey,
    index: LogTables,
    log_file: LogFile,
    start: int,
    selected: Any,
    parsers: dict[bytes, EventParser],
) -> list[_Step]:
    """Return what an index has for a survey, in any order; raises BinlogError."""
    parser = parser_of(index, parsers)
    steps: list[_Step] = []
    columns = (index.numbers("statements", name).tolist() for name in ("start_pos", "inner_pos"))
    positions = zip(*columns, strict=True)
    events = index.statements.column("event").to_pylist()
    for k, (position, event) in enumerate(zip(positions, events, strict=True)):
        if position[0] < start:
            continue
        type_code = type_code_at(event) if len(event) > LEN_HEADER else None
        site = log_file.event_site(position[0], type_code, position[1])
        is_selected = selected is None or bool(selected[k])
        statement = Statement.from_event(parser.parse(event), site, is_selected=is_selected)
        if statement.kind & survey.kinds:
            steps.append((position, partial(survey.take, statement)))
    table_maps: dict[int, TableMap] = {}
    tables = index.tables
    names = "".join(f"{table.database_name}{table.table_name}" for table in tables)
    survey.has_capitals |= CAPITAL.search(names) is not None
    wanted = np.array([survey.wants is not None and survey.wants(t) for t in tables], dtype=bool)
    matters = wanted | ~index.numbers("contents", "is_described")
    matters = matters[index.numbers("shapes", "content")]
    chosen = np.flatnonzero(matters & (index.numbers("shapes", "last_pos") >= start))
    columns = (index.numbers("shapes", name)[chosen].tolist() for name in SHAPES.names)
    for content, pos, inner_pos, *after in zip(*columns, strict=True):
        first, last = max((pos, inner_pos), (start, -1)), (after[0], after[1])
        if not wanted[content]:
            steps.append((first, partial(survey.nameless.setdefault, tables[content], first[0])))
            continue
        if content not in table_maps:
            table_maps[content] = _table_map(index, content, parser)
        for position in (first, last) if first < last else (first,):
            site = log_file.event_site(position[0], EventType.table_map, position[1])
            steps.append((position, partial(survey.complete, table_maps[content], site)))
    return steps


def _selected(index: LogTables, row_filter: ScannedFilter) -> Any:
    """Return, by statement, whether a filter selects it; None if the index does not say it."""
    names = ("transaction_pos", "commit_micros", "kind", "a", "b", "c")
    columns = [index.statements.column(name).to_numpy() for name in names]
    has_gtids = row_filter.include_gtids is not None or row_filter.exclude_gtids is not None
    if has_gtids and (columns[2] == GtidKind.TAGGED).any():
        return None  # the texts of these are not kept
    transactions = np.zeros((NUM_TRANSACTION_FIELDS, len(columns[0])), dtype=np.int64)
    fields = Transaction.START_POS, Transaction.COMMIT_MICROS, Transaction.GTID_KIND
    for field, column in zip(
        (*fields, Transaction.GTID_A, Transaction.GTID_B, Transaction.GTID_C), columns, strict=True
    ):
        transactions[field] = column
    keeps = row_filter.transactions(transactions, [])
    for k, event in enumerate(index.statements.column("event").to_pylist()):
        keeps[k] &= len(event) > LEN_HEADER and row_filter.keeps_server(server_id_at(event))
    return keeps
