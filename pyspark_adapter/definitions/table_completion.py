"""Fills in what table maps leave out, from definitions that fit them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from pyspark_adapter.definitions.catalog import Catalog
from pyspark_adapter.definitions.column_fit import complete_columns, find_difference
from pyspark_adapter.definitions.log_definitions import LogDefinitions
from pyspark_adapter.definitions.sql_definitions import UnknownChange
from pyspark_adapter.definitions.sql_session import SqlSession
from pyspark_adapter.definitions.table_definition import ColumnDefinition, TableDefinition
from pyspark_adapter.errors import BinlogError, EventSite, warn
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.table_name import TableName

# Bytes of statements that are kept unread until a table map needs them.
_MAX_PENDING: Final = 4 << 20
# Completed table maps to keep, and tables to warn of.
_MAX_COMPLETED: Final = 8192
_MAX_TOLD: Final = 1000

_GENERATED_KEY: Final = ColumnDefinition("my_row_id", "BIGINT", is_unsigned=True, is_nullable=False)
_VERSION_COLUMNS: Final = tuple(
    ColumnDefinition(name, "TIMESTAMP", (6,), is_nullable=False)
    for name in ("row_start", "row_end")
)


class TableCompletion:
    """Follows the statements of a log and completes its table maps, in the order of the log.

    Args:
        given: definitions that the user gave; they come first, but what the log says of a table
            counts more than any definition. Their database may be empty, for any.
        catalog: what earlier logs have defined.
        table: the only table whose columns matter; None for all.
        has_own_names: whether the user names the columns, so that none are missed.
        is_silent: whether all is told elsewhere.
        former: by log and by name, up to which position rows of another table are rows of
            `table`, which is then their table.
        load: gives the catalog in place of `catalog`, once it is needed; for a log that is not read
            from its beginning.
        step: see `LogDefinitions`.

    Attributes:
        kinds: of the statements to call `take` with.
        version: another number whenever table maps may be completed in another way than before.
    """

    kinds = StatementKind.DEFINES

    def __init__(
        self,
        given: Mapping[TableName, TableDefinition | None],
        catalog: Catalog | None = None,
        table: TableName | None = None,
        *,
        has_own_names: bool = False,
        is_silent: bool = False,
        former: Mapping[str, Mapping[TableName, int]] | None = None,
        load: Callable[[], Catalog] | None = None,
        step: int = sys.maxsize,
    ) -> None:
        self._given = given
        self._catalog = catalog.copy() if catalog is not None else Catalog()
        self._load = load
        self.version = 0
        self._table = table
        self._has_own_names = has_own_names
        self._is_silent = is_silent
        self._num_pending_bytes = 0
        # Statements; the path where a log begins and the offset of its first statement, an offset
        # to be marked, None where a log ends.
        self._pending: list[Statement | tuple[str, int] | int | None] = []
        self._step = step
        self._next_cut = step
        self._former = former or {}
        self._ends: Mapping[TableName, int] = {}
        self._is_needed = bool(former)  # a rename ends a name even where none is missing
        self._along: dict[str, LogDefinitions] = {}
        self._log: LogDefinitions | None = None  # the one that begun last
        self._copy: tuple[int, Catalog] | None = None
        self._completed: dict[TableMap, TableMap] = {}
        self._told: set[tuple[TableName, str]] = set()

    def take(self, statement: Statement) -> None:
        """Follow a statement."""
        place = statement.site.start_pos
        if place >= self._next_cut:
            self._pending.append(place)
            self._next_cut = place - place % self._step + self._step
        self._pending.append(statement)
        # What has been parsed of an event is larger than short texts are.
        self._num_pending_bytes += len(statement.text) + 1000
        if self._is_needed or self._num_pending_bytes > _MAX_PENDING:
            self._settle()

    def begin_log(self, path: str, start: int = 0) -> None:
        """Take note that the statements to come are of the next log, from an offset on."""
        self._pending.append((path, start))
        self._next_cut = start - start % self._step + self._step
        self._ends = self._former.get(path, {})

    def end_log(self, num_bytes: int) -> None:
        """Take note that the log has come to its end, at an offset."""
        self._pending += [num_bytes, None]

    def definitions(self) -> dict[str, LogDefinitions]:
        """Return what was defined along each log, by path; nothing if no table map needed it."""
        if not self._is_needed:
            return {}
        self._settle()
        return self._along

    def latest_definitions(self) -> LogDefinitions:
        """Return what was defined along the log begun last, whether it was needed or not."""
        self._settle()
        assert self._log is not None
        return self._log

    def _settle(self) -> None:
        """Bring the catalog up to date."""
        if self._load is not None:
            self._catalog = self._load().copy()
            self._load = None
        for item in self._pending:
            if isinstance(item, tuple):
                path, start = item
                self._log = LogDefinitions(self._copied(), start, self._step)
                self._along[path] = self._log
            elif isinstance(item, int):
                assert self._log is not None
                self._log.marks.append((item, self._copied()))
            elif item is None:
                assert self._log is not None
                self._log.is_whole = True
            elif self._follow(item):
                self._completed.clear()
                self.version += 1
        self._pending.clear()
        self._num_pending_bytes = 0

    def _copied(self) -> Catalog:
        """Return the catalog as it is now, the same one until it changes."""
        if self._copy is None or self._copy[0] != self.version:
            self._copy = self.version, self._catalog.copy()
        return self._copy[1]

    def _follow(self, statement: Statement) -> bool:
        try:
            session = SqlSession.from_event(statement.body)
        except BinlogError:  # a statement never ends a read: it may not even be about tables
            self._catalog.follow(UnknownChange(None), SqlSession())
            return True
        return self._catalog.apply(statement.text, statement.database, session)

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map with what it lacks filled in, as far as a definition fits it.

        What definitions contradict the log, and tables without names, are told by a warning, once
        for each table.

        Args:
            table_map: as logged.
            site: where.
        """
        is_former = site.start_pos < self._ends.get(table_map.table, 0)
        if not (is_former or self._table in (None, table_map.table)):
            return table_map
        if not table_map.has_names:
            table_map = self._complete_once(table_map, site)
        if is_former and self._table is not None:
            table_map = replace(table_map, table=self._table)
        return table_map

    def may_matter(self, event: bytes) -> bool:
        """Tell by a look at its bytes whether a table map may be of the table that matters."""
        names = [self._table, *self._ends]
        return any(name is None or name.table_name.encode() in event for name in names)

    def _complete_once(self, table_map: TableMap, site: EventSite) -> TableMap:
        self._is_needed = True
        self._settle()
        completed = self._completed.get(table_map)
        if completed is None:
            if len(self._completed) >= _MAX_COMPLETED:
                self._completed.clear()
            completed = self._completed[table_map] = self._complete(table_map, site)
        return completed

    def _complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        table = table_map.table
        anywhere = TableName("", table.table_name)
        given = self._given.get(table) or self._given.get(anywhere)
        for source, definition in (
            ("the option ddl", given),
            ("statements in the log", self._catalog.find(table)),
        ):
            if definition is None:
                continue
            columns = _logged_columns(definition, table_map)
            difference = _find_difference(columns, table_map)
            if difference is None:
                return replace(table_map, columns=complete_columns(columns, table_map.columns))
            self._tell(
                table,
                source,
                f"{site}: table {table} is not as {source} define it: "
                f"{difference}; they are not used here",
            )
        if not self._has_own_names:
            self._tell(
                table,
                "",
                f"{site}: table {table}: neither the log nor a statement before this place names"
                f" its columns: they are col_1 to col_{len(table_map.columns)}; expected"
                " binlog_row_metadata=FULL, the option ddl, or a schema of your own",
            )
        return table_map

    def _tell(self, table: TableName, source: str, message: str) -> None:
        """Warn once of a table and a source."""
        is_enough = self._is_silent or len(self._told) >= _MAX_TOLD
        if not is_enough and (table, source) not in self._told:
            self._told.add((table, source))
            warn(message)


def _logged_columns(
    definition: TableDefinition, table_map: TableMap
) -> tuple[ColumnDefinition, ...]:
    """Return the columns of a definition, with those that the server adds to the rows."""
    columns = definition.columns
    count = len(table_map.columns)
    if table_map.has_generated_key and len(columns) + 1 == count:
        return (_GENERATED_KEY, *columns)
    if definition.is_versioned and len(columns) + 2 == count:
        return (*columns, *_VERSION_COLUMNS)
    return columns


def _find_difference(columns: tuple[ColumnDefinition, ...], table_map: TableMap) -> str | None:
    if len(columns) != len(table_map.columns):
        return f"{len(columns)} columns, logged with {len(table_map.columns)}"
    for definition, column in zip(columns, table_map.columns, strict=True):
        difference = find_difference(definition, column)
        if difference is not None:
            return f"column {column.index + 1} {definition.name}: {difference}"
    return None
