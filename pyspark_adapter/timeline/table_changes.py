"""What statements do to one table: to its columns, and to rows that are not logged."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    SetDatabase,
    TruncateTable,
    UnknownChange,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.table_definition import (
    EXPRESSION,
    NULL,
    SEQUENCE,
    Alteration,
    ColumnDefinition,
)
from pyspark_adapter.errors import EventSite
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_states import Position

_WHOLE_LOG: Final = sys.maxsize
_PLAIN_NAME: Final = re.compile(r"[\w$-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """What a statement does to one table.

    Attributes:
        kind: one of SCHEMA_CHANGE_TYPES.
        table: the table, by its name before a RENAME.
        new_name: its name after a RENAME; else None.
    """

    kind: str
    table: TableName
    new_name: TableName | None = None

    @property
    def names(self) -> tuple[TableName, ...]:
        """The names of the table, before and after a RENAME, as the statement spells them."""
        return (self.table,) if self.new_name is None else (self.table, self.new_name)

    def is_of(self, table: TableName, case: NameCase) -> bool:
        """Return whether it is about a table as rows name it, before or after a RENAME."""
        return any(table in case.spellings(name) for name in self.names)


def searched_name(table: TableName) -> bytes:
    """Return bytes that are in the text, in lower case, of each statement that names a table.

    To parse only statements that may matter. Empty for a name that can be written in several ways:
    quotes are doubled, and only these characters are the same in all character sets of clients.
    """
    name = table.table_name
    return name.lower().encode() if _PLAIN_NAME.fullmatch(name) else b""


def schema_changes(
    change: Definition,
    session: SqlSession,
    table: TableName | None,
    tables_in: Callable[[Sequence[str]], Sequence[TableName]] = lambda _: (),
) -> Iterator[SchemaChange]:
    """Yield what a statement does to tables, as far as the log says that it did anything.

    Servers log DROP TABLE IF EXISTS of a table that does not exist. A MySQL before 8.0 logs CREATE
    TABLE IF NOT EXISTS of a table that exists; that one yields nothing.

    Args:
        session: the session in which it ran.
        table: the only table that matters; None for all.
        tables_in: returns the tables of a database that has one or more names, before the
            statement; only asked without `table`.
    """
    match change:
        case CreateTable() if change.definition != SEQUENCE:
            yield from _creation(change, change.table, session)
        case AlterTable(new_name=None):
            for altered in (change.table, *change.alteration.exchanged):
                yield SchemaChange("alter", altered)
        case AlterTable():
            yield SchemaChange("rename", change.table, change.new_name)
        case RenameTables():
            for old, new in change.names:
                yield SchemaChange("rename", old, new)
        case DropTables():
            for dropped in change.tables:
                yield SchemaChange("drop", dropped)
        case TruncateTable():
            yield SchemaChange("truncate", change.table)
        case DropDatabase() if table is None:
            for dropped in tables_in(change.names):
                yield SchemaChange("drop", dropped)
        case DropDatabase() if table is not None:
            yield SchemaChange("drop", TableName(change.names[-1], table.table_name))
        case UnknownChange() if change.table is not None:
            if change.creates:
                yield from _creation(change, change.table, session)
            else:
                yield SchemaChange("alter", change.table)


def _creation(
    change: CreateTable | UnknownChange, table: TableName, session: SqlSession
) -> Iterator[SchemaChange]:
    """Yield what a CREATE TABLE does; of one that did nothing, MariaDB logs nothing."""
    if change.if_absent and not (session.dialect.is_mariadb or session.is_carried_out):
        return
    if change.replaces:
        yield SchemaChange("drop", table)
    yield SchemaChange("create", table)


def is_spelled_otherwise(ddl: Ddl, wants: Callable[[TableName], bool]) -> bool:
    """Return whether a statement spells a table that matters in another case."""
    change, session = ddl.parsed.change, ddl.parsed.session
    changes = () if change is None else schema_changes(change, session, None)
    names = (name for one in changes for name in one.names)
    return any(not wants(name) and wants(name.lower()) for name in names)


class BaseChange(NamedTuple):
    """What a statement does to base tables."""

    position: Position
    ddl: Ddl
    effect: Definition


def may_alter(change: BaseChange, table: TableName, case: NameCase) -> bool:
    """Return whether a change may make another table of a table; TRUNCATE and ENGINE= do not."""
    parsed = change.effect
    if parsed == UnknownChange(None):
        return True
    match parsed:
        case TruncateTable() | SetDatabase():
            return False
        case AlterTable(alteration=alteration, new_name=None):
            if alteration == Alteration(
                exchanged=alteration.exchanged, dropped_foreign_keys=alteration.dropped_foreign_keys
            ):
                return False
        case CreateTable(if_absent=True) if not change.ddl.parsed.session.says_if_carried_out:
            return table in case.spellings(parsed.table)
    changes = schema_changes(parsed, change.ddl.parsed.session, table)
    return any(one.is_of(table, case) for one in changes)


@dataclass(frozen=True, slots=True)
class AddedColumn:
    """A column that was added.

    Attributes:
        column: as it was added, with the name that it has now. Its default is `EXPRESSION` if the
            values of older rows are not known.
    """

    column: ColumnDefinition
    site: EventSite


@dataclass
class Additions:
    """Where the columns of a table were added.

    A column that was renamed since, or dropped, counts as not added: rows may have its values under
    the other name.

    Attributes:
        order: indices of the logs by name.
        columns: those that were added, by name in lower case.
        not_understood: the last statement that may have added columns and is not understood; None
            if there is none since the table was made.
    """

    order: Mapping[str, int] = field(default_factory=dict)
    columns: dict[str, AddedColumn] = field(default_factory=dict)
    not_understood: EventSite | None = None

    def alter(self, alteration: Alteration, site: EventSite) -> None:
        """Take the next ALTER of the table."""
        for name in (*alteration.dropped, *alteration.renamed, *alteration.renamed_if_present):
            self.columns.pop(name.lower(), None)
        for change in alteration.changes:
            column = change.column
            key = column.name.lower()
            if change.old_name is None:
                if not (change.is_conditional and key in self.columns):
                    self.columns[key] = AddedColumn(column, site)
                continue
            old = self.columns.pop(change.old_name.lower(), None)
            if old is not None and key == change.old_name.lower():
                # A default that changes is for later rows. Another type converts the old values,
                # except nulls.
                is_null = old.column.is_nullable and old.column.default in (None, NULL)
                if column.sql_type != old.column.sql_type and not (is_null and column.is_nullable):
                    old = replace(old, column=replace(old.column, default=EXPRESSION))
                self.columns[key] = old

    def __iter__(self) -> Iterator[AddedColumn]:
        return iter(self.columns.values())

    def ends_in(self, log_name: str) -> Mapping[str, int]:
        """Return the offset in a log before which rows lack each column, by name in lower case.

        Columns that no row of the log lacks, as far as is known, are left out.
        """
        here = self.order.get(log_name)
        if here is None:
            return {}
        ends: dict[str, int] = {}
        for key, added in self.columns.items():
            there = self.order[added.site.log_file]
            if here <= there:
                ends[key] = added.site.start_pos if here == there else _WHOLE_LOG
        return ends


def added_columns(
    table: TableName,
    changes: Iterable[BaseChange],
    log_names: Sequence[str],
    is_about: Callable[[SchemaChange, TableName, Ddl], bool],
) -> Additions:
    """Return where the columns of a table were added.

    Args:
        changes: of base tables, in order.
        is_about: whether what a statement does is about a table as rows name it.
    """
    added = Additions({name: i for i, name in enumerate(log_names)})
    if len(added.order) < len(log_names):
        return added  # logs of several servers: no position is before another
    for change in changes:
        done, site = change.effect, change.ddl.site
        if site.log_file not in added.order:
            continue
        if isinstance(done, AlterTable) and done.new_name is None:
            if is_about(SchemaChange("alter", done.table), table, change.ddl):
                added.alter(done.alteration, site)
            continue
        touched = schema_changes(done, change.ddl.parsed.session, table)
        is_any = done == UnknownChange(None)
        if is_any or any(
            one.kind != "truncate" and is_about(one, table, change.ddl) for one in touched
        ):
            added.columns.clear()  # rows from before are of another table, or it is not understood
            is_made = not isinstance(done, UnknownChange) or done.creates
            added.not_understood = None if is_made else site
    return added
