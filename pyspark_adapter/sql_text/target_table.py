"""A table as SQL statements change it: what finds its rows, and what can be written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import BinlogError, EventSite, one_line
from pyspark_adapter.events.row_filter import TableFilter
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sql_text.column_forms import ColumnForm, column_form
from pyspark_adapter.sql_text.literals import quote_name
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.user_ddl import UserDdl

# Columns that an UPDATE sets to the current time if it does not name them.
_MAY_BE_TOUCHED: Final = frozenset({Code.timestamp, Code.timestamp2, Code.datetime, Code.datetime2})
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_VERSION_COLUMNS: Final = ("row_start", "row_end")


@dataclass(frozen=True, slots=True)
class TargetTable:
    """A table that statements change.

    Attributes:
        name: quoted, with the database.
        insert_head: an INSERT into all columns that are written, up to the first row.
        forms: of the columns, in the order of the row images; None for a generated column, which
            is neither written nor compared.
        key: indices of the columns of its key, see `TableDefinition.row_key`; empty if none is
            known.
        touched: indices of columns that an UPDATE has to name, so that it does not set them to the
            current time.
    """

    table: TableName
    name: str
    insert_head: str
    forms: tuple[ColumnForm | None, ...]
    key: tuple[int, ...]
    touched: frozenset[int]

    @classmethod
    def of(
        cls, table_map: TableMap, definition: TableDefinition | None, default_charset: str
    ) -> TargetTable:
        """Return the table of a table map; raises CannotWriteError if its rows cannot be written.

        Args:
            table_map: with the names of the columns.
            definition: of the table at that place in the log, if it is known.
            default_charset: as the option of this name.
        """
        columns = table_map.columns
        if not table_map.has_names:
            raise CannotWriteError(
                "the log does not name its columns: pass option ddl, or log with"
                " binlog_row_metadata=FULL"
            )
        _check_names(table_map)
        defined = _matching(definition, columns)
        names = [column.label.lower() for column in columns]
        is_versioned = table_map.is_mariadb and tuple(names[-2:]) == _VERSION_COLUMNS
        if is_versioned or (definition is not None and definition.is_versioned):
            raise CannotWriteError("the server keeps the history of its rows (system versioning)")
        generated = {c.name.lower() for c in defined.columns if c.is_generated} if defined else ()
        key = table_map.primary_key
        # A log that names its columns has the primary key too, if there is one.
        if (
            not key
            and defined is not None
            and not (table_map.has_logged_names and defined.primary_key)
        ):
            key = tuple(names.index(name.lower()) for name in defined.row_key)
        forms = tuple(
            None if name in generated else _form(column, default_charset)
            for name, column in zip(names, columns, strict=True)
        )
        if any(forms[index] is None for index in key):
            key = ()  # found by the other columns
        parts = (table_map.table.database_name, table_map.table.table_name)
        name = ".".join(map(quote_name, parts))
        written = ", ".join(form.name for form in forms if form is not None)
        return cls(
            table_map.table,
            name,
            f"INSERT INTO {name} ({written}) VALUES ",
            forms,
            key,
            frozenset(c.index for c in columns if c.type_code in _MAY_BE_TOUCHED),
        )


def _form(column: Column, default_charset: str) -> ColumnForm:
    try:
        return column_form(column, default_charset)
    except BinlogError as error:
        raise CannotWriteError(f"column {column.label}: {error.message}") from None


def _check_names(table_map: TableMap) -> None:
    """Refuse names that would command a terminal, or break the lines of a script."""
    table = table_map.table
    labels = (column.label for column in table_map.columns)
    for name in (table.database_name, table.table_name, *labels):
        if _CONTROLS.search(name):
            raise CannotWriteError(f"the name {one_line(name)!r} has control characters")


def _matching(
    definition: TableDefinition | None, columns: Sequence[Column]
) -> TableDefinition | None:
    """Return a definition if it has the columns of the log; a generated key may come first."""
    if definition is None:
        return None
    logged = [column.label.lower() for column in columns]
    defined = [column.name.lower() for column in definition.columns]
    return definition if defined in (logged, logged[1:]) else None


Target = TargetTable | CannotWriteError


@dataclass(frozen=True, slots=True)
class DefinedTableMap(TableMap):
    """A table map with what defines its table at its place; None if that is not known."""

    definition: TableDefinition | None = None


class Targets(TableMapCompleter):
    """Completes the table maps of a log, and finds the tables that statements change.

    Args:
        log: knows the tables of the log.
        user_ddl: the tables of the option ddl.
        known: those found so far.
        defines_all: whether tables that are not chosen get what defines them, too.
    """

    def __init__(
        self,
        log: FollowedLog,
        user_ddl: UserDdl,
        options: BinlogOptions,
        known: dict[TableMap, Target],
        *,
        defines_all: bool = False,
    ) -> None:
        super().__init__(log, user_ddl)
        self.log: FollowedLog = log
        self._options = options
        self._tables = TableFilter(options)
        self._defines_all = defines_all
        self._targets = known

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `take` with.

        Also where the log describes all columns: a definition says more than that.
        """
        return StatementKind.DEFINES

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map completed; of a chosen table with what defines it at the site."""
        completed = super().complete(table_map, site)
        if not (self._defines_all or self._tables.keeps(completed.table)):
            return completed
        values = {field.name: getattr(completed, field.name) for field in fields(TableMap)}
        definition = self.log.definition_at(completed.table, site)
        return DefinedTableMap(**values, definition=definition)

    def of(self, table_map: TableMap) -> Target:
        """Return the table of a table map, or why it cannot be written."""
        if table_map not in self._targets:
            defined = table_map.definition if isinstance(table_map, DefinedTableMap) else None
            try:
                target: Target = TargetTable.of(table_map, defined, self._options.default_charset)
            except CannotWriteError as error:
                target = error
            self._targets[table_map] = target
        return self._targets[table_map]
