"""Fills in what table maps leave out, from definitions that fit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from pyspark_adapter.ddl.table_definition import ColumnDefinition, TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.column_match import complete_columns, find_difference
from pyspark_adapter.schema_history.given_tables import GivenTables
from pyspark_adapter.schema_history.rename_history import RenameHistory
from pyspark_adapter.schema_history.schema_change import SchemaChange
from pyspark_adapter.schema_history.schema_history import SchemaHistory
from pyspark_adapter.warn import warn

# Completed table maps to keep, and warnings to give.
_MAX_COMPLETED: Final = 8192
_MAX_WARNINGS: Final = 1000

NOTHING_ADDED: Final[Mapping[str, int]] = MappingProxyType({})

_GENERATED_KEY: Final = ColumnDefinition(
    "my_row_id", "BIGINT", is_unsigned=True, is_nullable=False, key_part=1
)
_VERSION_COLUMNS: Final = tuple(
    ColumnDefinition(name, "TIMESTAMP", (6,), is_nullable=False)
    for name in ("row_start", "row_end")
)


class CompletionWarnings:
    """Warns of definitions that do not fit and of missing names, once for each table.

    Args:
        of_missing_names: whether missing names matter; not if the user names the columns.
    """

    def __init__(self, *, of_missing_names: bool = True) -> None:
        self._of_missing_names = of_missing_names
        self._given: set[tuple[TableName, str]] = set()

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
        if self._of_missing_names:
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

    def unknown(self, table: TableName, reason: str, site: EventSite) -> None:
        """Warn of a definition that is not known for some rows."""
        self._warn(
            table,
            reason,
            f"{site}: table {table} is not as the option ddl defines it: {reason}; expected the"
            " definition from before that statement",
        )

    def assumed(self, table: TableName, statement: str, site: EventSite) -> None:
        """Warn of a definition that is only assumed to be newer than a statement."""
        self._warn(
            table,
            statement,
            f"{site}: table {table}: {statement}: what it defines is not known, and the option ddl"
            " is assumed to be newer; expected a file that is, or that states its position",
        )

    def _warn(self, table: TableName, source: str, message: str) -> None:
        if len(self._given) < _MAX_WARNINGS and (table, source) not in self._given:
            self._given.add((table, source))
            warn(message)


class TableMapCompleter:
    """Completes the table maps of logs, in order.

    What the log says of a table always wins over a definition.

    Args:
        history: takes the statements of the same logs.
        given: tables as the user defines them, which win over the history.
        renames: the former names of `table`: their table maps become table maps of `table`.
        table: the only table whose columns matter; None for all.
        wants: whether the columns of a table matter; None for all.
        warns: None to warn of nothing.
        added: for columns that were added to `table`, by name in lower case, the offset in this
            log before which rows lack them.

    Attributes:
        history: as given.
    """

    def __init__(
        self,
        history: SchemaHistory,
        given: GivenTables,
        renames: RenameHistory | None = None,
        *,
        table: TableName | None = None,
        wants: Callable[[TableName], bool] | None = None,
        warns: CompletionWarnings | None = None,
        added: Mapping[str, int] = NOTHING_ADDED,
    ) -> None:
        self.history = history
        self._given = given
        self._renames = renames
        self._table = table
        self._wants = wants
        self._warns = warns
        self._added = added
        self._former_names: Mapping[TableName, Sequence[range]] = {}
        self._path = ""
        self._by_given: dict[tuple[TableMap, int], TableMap | None] = {}
        self._by_history: dict[tuple[TableMap, int], TableMap | None] = {}
        self._version = history.version

    @property
    def version(self) -> int:
        """Changes whenever the same table map may be completed in another way than before."""
        # A statement renames, adds or changes a given table, whether the catalog is asked for or
        # not.
        counts_all = self._former_names or self._added or self._given.changed
        return self.history.num_taken if counts_all else self.history.version

    def begin_log(self, path: str, start: int = 0) -> None:
        """Start the next log, at an offset in bytes, in the history as well."""
        self.history.begin_log(path, start)
        self._path = path
        if self._renames is not None:
            self._former_names = self._renames.former_names(path)

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map with what it lacks filled in, if a definition fits it.

        Args:
            table_map: as logged.
            site: of its event.

        Raises:
            UnknownCatalogError: if it lacks something, no given definition fits, and the history
                does not know what earlier statements defined.
        """
        is_former = self.is_former(table_map.table, site)
        if not (is_former or self._table in (None, table_map.table)):
            return table_map
        if self._wants is not None and not self._wants(table_map.table):
            return table_map
        if not table_map.is_described_by_log:
            table_map = self._complete(table_map, site)
        elif not table_map.row_key:
            # The history is not asked: its answer would depend on where the read of a log begins.
            key = _key_by([self.given_at(table_map.table, site)], table_map)
            table_map = replace(table_map, row_key=key) if key else table_map
        if is_former and self._table is not None:
            table_map = replace(table_map, table=self._table)
        later = tuple(name for name, end in self._added.items() if site.start_pos < end)
        return replace(table_map, added_later=later) if later else table_map

    def is_former(self, table: TableName, site: EventSite) -> bool:
        """Return whether a name is a former one of the table that matters, at a place of the log.

        Only with the option followRenames.
        """
        return any(site.start_pos in offsets for offsets in self._former_names.get(table, ()))

    def is_of_former(self, change: SchemaChange, site: EventSite) -> bool:
        """Return whether a change is about a former name of the table that matters."""
        spellings = (spelling for name in change.names for spelling in (name, name.lower()))
        return any(self.is_former(name, site) for name in spellings)

    def given_at(self, table: TableName, site: EventSite) -> TableDefinition | None:
        """Return how the user defines a table at a place of the log; None if that is not known."""
        found = self._given.at(table, self._path, site.start_pos)
        return self._given.find(table) if found is None else found.definition

    def row_key(self, table_map: TableMap, site: EventSite) -> tuple[str, ...]:
        """Return the names of the columns that identify a row; see `TableDefinition.row_key`.

        With `binlog_row_metadata=FULL` the log has it. Else it comes from a definition that fits
        the table map, and is of its place in the log.

        Args:
            table_map: completed.
            site: of the place in the log that was begun last.
        """
        key = table_map.primary_key
        if not key:
            table = table_map.table
            definitions = self.given_at(table, site), self.history.look_up(table)
            key = _key_by(definitions, table_map)
        return tuple(table_map.columns[index].label for index in key)

    def may_matter(self, event: bytes) -> bool:
        """Return False if the bytes of a table map show that it is of no table that matters."""
        names = [self._table, *self._former_names]
        return any(name is None or name.table_name.encode() in event for name in names)

    def _complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        table = table_map.table
        place = self._given.at(table, self._path, site.start_pos)
        given = self._given.find(table) if place is None else place.definition
        if place is not None and place.doubt and given is None and self._warns is not None:
            self._warns.unknown(table, place.doubt, site)
        found = self._fit(self._by_given, table_map, given, "the option ddl defines", site)
        if found is not None:
            if place is not None and place.assumed and self._warns is not None:
                self._warns.assumed(table, place.assumed, site)
            return found if place is None or not place.doubt else _doubted(found, place.doubt)
        catalog = self.history.catalog
        defined = catalog.find(table)
        if self._version != self.history.version:
            self._version = self.history.version
            self._by_history.clear()
        found = self._fit(self._by_history, table_map, defined, "logged statements define", site)
        if found is None and not table_map.has_names and self._warns is not None:
            if defined is None and (reason := catalog.reason(table)):
                self._warns.lost(table, reason, site)
            else:
                self._warns.no_names(table, len(table_map.columns), site)
        return found or table_map

    def _fit(
        self,
        known: dict[tuple[TableMap, int], TableMap | None],
        table_map: TableMap,
        definition: TableDefinition | None,
        source: str,
        site: EventSite,
    ) -> TableMap | None:
        """Return a table map completed from a definition; None if there is none or it misfits."""
        if definition is None:
            return None
        entry = table_map, id(definition)  # of one that is kept as long as the entry
        if entry not in known:
            if len(known) >= _MAX_COMPLETED:
                known.clear()
            columns = _logged_columns(definition, table_map)
            difference = _find_difference(columns, table_map)
            if difference is None:
                columns_of_log = complete_columns(columns, table_map.columns)
                parts = sorted((c.key_part, i) for i, c in enumerate(columns) if c.key_part)
                key = table_map.primary_key or tuple(i for _, i in parts)
                row_key = key or _indices(columns, definition.row_key)
                known[entry] = replace(
                    table_map, columns=columns_of_log, primary_key=key, row_key=row_key
                )
            else:
                known[entry] = None
                if self._warns is not None:
                    self._warns.misfit(table_map.table, source, difference, site)
        return known[entry]


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


def _doubted(table_map: TableMap, doubt: str) -> TableMap:
    """Return a table map whose columns without known members say why."""
    columns = tuple(
        replace(column, doubt=doubt) if column.members == () else column
        for column in table_map.columns
    )
    return replace(table_map, columns=columns)


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
    all_names = [column.name for column in columns]
    return tuple(map(all_names.index, names))


def _find_difference(columns: tuple[ColumnDefinition, ...], table_map: TableMap) -> str | None:
    if len(columns) != len(table_map.columns):
        return f"{len(columns)} columns, logged with {len(table_map.columns)}"
    for definition, column in zip(columns, table_map.columns, strict=True):
        difference = find_difference(definition, column)
        if difference is not None:
            return f"column {column.index + 1} {definition.name}: {difference}"
    return None
