"""Fills in what table maps leave out, from definitions that fit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from pyspark_adapter.ddl.table_definition import ROW_END, ColumnDefinition, TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.column_match import (
    complete_columns,
    find_difference,
    with_fixed_types,
)
from pyspark_adapter.timeline.name_case import CAPITAL
from pyspark_adapter.timeline.table_changes import SchemaChange
from pyspark_adapter.timeline.timeline_part import TimelinePart
from pyspark_adapter.timeline.user_ddl import UserDdl
from pyspark_adapter.warn import warn

# Completed table maps to keep, and warnings to give.
_MAX_COMPLETED: Final = 8192
_MAX_WARNINGS: Final = 1000

NOTHING_ADDED: Final[Mapping[str, int]] = MappingProxyType({})

_GENERATED_KEY: Final = ColumnDefinition(
    "my_row_id", "BIGINT", is_unsigned=True, is_nullable=False, key_part=1
)
_VERSION_COLUMNS: Final = tuple(
    ColumnDefinition(name, "TIMESTAMP", (6,), is_nullable=False) for name in ("row_start", ROW_END)
)


@dataclass
class CompletionWarnings:
    """Warns of definitions that do not fit and of missing names, once for each table.

    Attributes:
        of_missing_names: whether missing names matter; not if the user names the columns.
    """

    of_missing_names: bool = True
    _given: set[tuple[TableName, str]] = field(default_factory=set)

    def misfit(self, table: TableName, source: str, difference: str, site: EventSite) -> None:
        """Warn of a definition that contradicts a table map; `source` is what defines it."""
        self._warn(
            table,
            source,
            f"{site}: table {table} is not as {source} it: {difference}; the definition is not used"
            " here",
        )

    def no_names(self, table: TableName, num_columns: int, site: EventSite) -> None:
        """Warn of a table map whose columns have no names, if they matter."""
        if self.of_missing_names:
            self._warn(
                table,
                "",
                f"{site}: table {table}: neither the log nor an earlier statement names its"
                f" columns: they are col_1 to col_{num_columns}; expected"
                " binlog_row_metadata=FULL, option ddl, or a schema of your own",
            )

    def lost(self, table: TableName, reason: str, site: EventSite) -> None:
        """Warn of a table whose columns a statement makes unknown; `reason` names it."""
        self._warn(
            table,
            reason,
            f"{site}: table {table}: its columns are not known: {reason}; expected"
            " binlog_row_metadata=FULL, option ddl with a position after that statement, or a"
            " schema of your own",
        )

    def in_the_way(self, table: TableName, reason: str, site: EventSite) -> None:
        """Warn of a definition of the user that may not hold; `reason` names the statement."""
        self._warn(
            table,
            reason,
            f"{site}: table {table} may not be as the option ddl defines it: {reason}; expected the"
            " position of the file in it, as mysqldump --source-data writes it: -- CHANGE"
            " REPLICATION SOURCE TO SOURCE_LOG_FILE='binlog.000003', SOURCE_LOG_POS=157;",
        )

    def _warn(self, table: TableName, source: str, message: str) -> None:
        if len(self._given) < _MAX_WARNINGS and (table, source) not in self._given:
            self._given.add((table, source))
            warn(message)


class TableMapCompleter:
    """Completes the table maps of a log, in order.

    What the log says of a table always wins over a definition.

    Args:
        log: knows the tables of the log; it follows the statements.
        user_ddl: the tables of the option ddl.
        table: the only table whose columns matter; None for all. Table maps of its former names
            become table maps of it.
        wants: whether the columns of a table matter; None for all.
        warns: None to warn of nothing.
        added: for columns that were added to `table`, by name in lower case, the offset in this
            log before which rows lack them.
    """

    def __init__(
        self,
        log: TimelinePart,
        user_ddl: UserDdl,
        *,
        table: TableName | None = None,
        wants: Callable[[TableName], bool] | None = None,
        warns: CompletionWarnings | None = None,
        added: Mapping[str, int] = NOTHING_ADDED,
    ) -> None:
        self.log = log
        self._user_ddl = user_ddl
        self._table = table
        self._wants = wants
        self._warns = warns
        self._added = added
        self._num_taken = 0
        # Each with its definition, whose id names it as long as the entry is kept.
        self._known: dict[tuple[TableMap, int], tuple[TableDefinition, TableMap | None]] = {}

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `take` with."""
        return StatementKind.DEFINES if self._added else self.log.kinds

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        self._num_taken += 1
        self.log.follow(statement)

    @property
    def version(self) -> int:
        """Changes whenever the same table map may be completed in another way than before."""
        return self._num_taken if self.log.former_names or self._added else self.log.version

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map with what it lacks filled in, if a definition fits it.

        Raises:
            SchemaMismatchError: if it lacks something, and the plan has not read the statements.
        """
        table, case = table_map.table, self.log.case
        if not case.tells and self.log.is_surveyed:
            # Else a task would know what others do not.
            case.tells = CAPITAL.search(table.database_name + table.table_name) is not None
            case.proof = site if case.tells else None
        is_former = self.is_former(table, site)
        if not (is_former or self._table in (None, table_map.table)):
            return table_map
        if self._wants is not None and not self._wants(table_map.table):
            return table_map
        if not table_map.is_described_by_log:
            table_map = self._complete(table_map, site)
        elif self._user_ddl.tables:
            # Statements are not asked: the answer would depend on where the read begins.
            of = table_map.table if self._table is None else self._table
            table_map = _with_user_facts(table_map, self._user_ddl.find(of))
        if is_former and self._table is not None:
            table_map = replace(table_map, table=self._table)
        later = tuple(name for name, end in self._added.items() if site.start_pos < end)
        return replace(table_map, added_later=later) if later else table_map

    def is_former(self, table: TableName, site: EventSite) -> bool:
        """Return whether a name is a former one of the wanted table, at a position of the log.

        Only with the option followRenames.
        """
        return any(site.start_pos in offsets for offsets in self.log.former_names.get(table, ()))

    def is_of_former(self, change: SchemaChange, site: EventSite) -> bool:
        """Return whether a change is about a former name of the table that matters."""
        case = self.log.case
        spellings = (spelling for name in change.names for spelling in case.spellings(name))
        return any(self.is_former(name, site) for name in spellings)

    def row_key(self, table_map: TableMap, site: EventSite) -> tuple[str, ...]:
        """Return the names of the columns that identify a row; see `TableDefinition.row_key`.

        With `binlog_row_metadata=FULL` the log has it. Else it comes from a definition that fits
        the table map, and is of its position in the log.
        """
        key = table_map.primary_key
        if not key:
            table = table_map.table
            definitions = self._user_ddl.find(table), self.log.look_up(table, site).definition
            key = _key_by(definitions, table_map)
        return tuple(table_map.columns[index].label for index in key)

    def _complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        table = table_map.table
        user = self.log.user_state(table)
        completed = None
        if user is not None:
            completed = self._fit(table_map, user.definition, "the option ddl defines", site)
        if completed is not None:
            return completed
        state = self.log.state_at(table, site)
        completed = self._fit(table_map, state.definition, "logged statements define", site)
        if completed is None and not table_map.has_names and self._warns is not None:
            if state.definition is None and state.reason:
                self._warns.lost(table, state.reason, site)
            elif user is not None and user.reason:
                self._warns.in_the_way(table, user.reason, site)
            else:
                self._warns.no_names(table, len(table_map.columns), site)
        return completed or table_map

    def _fit(
        self, table_map: TableMap, definition: TableDefinition | None, source: str, site: EventSite
    ) -> TableMap | None:
        """Return a table map completed from a definition; None if there is none or it misfits."""
        if definition is None:
            return None
        entry = table_map, id(definition)
        if entry not in self._known:
            if len(self._known) >= _MAX_COMPLETED:
                self._known.clear()
            columns = _logged_columns(definition, table_map)
            difference = _find_difference(columns, table_map)
            completed = None
            if difference is None:
                columns_of_log = complete_columns(columns, table_map.columns)
                has_key = any(column.key_part for column in columns)
                named = definition.row_key
                key = table_map.primary_key or (_indices(columns, named) if has_key else ())
                row_key = key or _indices(columns, named)
                completed = replace(
                    table_map, columns=columns_of_log, primary_key=key, row_key=row_key
                )
            elif self._warns is not None:
                self._warns.misfit(table_map.table, source, difference, site)
            self._known[entry] = definition, completed
        return self._known[entry][1]


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


def _with_user_facts(table_map: TableMap, definition: TableDefinition | None) -> TableMap:
    """Return a table map that the log describes with what a definition of the user adds to it."""
    if definition is None:
        return table_map
    columns = with_fixed_types(definition.columns, table_map.columns)
    key = table_map.row_key or _key_by([definition], table_map)
    if (columns, key) == (table_map.columns, table_map.row_key):
        return table_map
    return replace(table_map, columns=columns, row_key=key)


def _key_by(definitions: Iterable[TableDefinition | None], table_map: TableMap) -> tuple[int, ...]:
    """Return the indices of the columns of a table's key, by the first definition that fits.

    If the log names the columns, it has the primary key too: then only unique keys are looked for.
    """
    for definition in definitions:
        if definition is None or (table_map.has_logged_names and definition.primary_key):
            continue
        columns = _logged_columns(definition, table_map)
        if _find_difference(columns, table_map) is None:
            return _indices(columns, definition.row_key)
    return ()


def _indices(columns: tuple[ColumnDefinition, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    all_names = [column.name.lower() for column in columns]
    return tuple(all_names.index(name.lower()) for name in names if name.lower() in all_names)


def _find_difference(columns: tuple[ColumnDefinition, ...], table_map: TableMap) -> str | None:
    if len(columns) != len(table_map.columns):
        return f"{len(columns)} columns, logged with {len(table_map.columns)}"
    for definition, column in zip(columns, table_map.columns, strict=True):
        difference = find_difference(definition, column)
        if difference is not None:
            return f"column {column.index + 1} {definition.name}: {difference}"
    return None
