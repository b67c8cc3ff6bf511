"""The open temporary tables of each thread, which hide base tables from its statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pyspark_adapter.ddl import sql_definitions as sql
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.ddl import Ddl

# If the open tables weigh more, all are forgotten: a statement that may be about one makes its
# table unknown. A table weighs so much, and one for each column and member of an ENUM or SET.
_MAX_WEIGHT: Final = 1 << 20
_TABLE_WEIGHT: Final = 1 << 8


class _Temporary(NamedTuple):
    """A temporary table; `is_flagged` if its server flags the statements that use one."""

    definition: TableDefinition | None
    is_flagged: bool

    @property
    def weight(self) -> int:
        """How much of the bound it takes."""
        columns = () if self.definition is None else self.definition.columns
        return _TABLE_WEIGHT + sum(1 + len(column.members) for column in columns)


class TemporaryTables:
    """Tells for each statement whether it changes a base table or a temporary one.

    Follows temporary tables by (server id, thread id) from CREATE TEMPORARY TABLE to DROP, or to
    the start of the server. Later statements about them do not repeat the word TEMPORARY. The flag
    LOG_EVENT_THREAD_SPECIFIC_F of the event decides, with two exceptions: MariaDB does not set it
    for RENAME TABLE, and servers also set it for CONNECTION_ID() and the like. If the CREATE
    TEMPORARY TABLE itself has no flag, its writer sets none: then the table hides the base table.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[int, int], dict[TableName, _Temporary]] = {}
        self._weight = 0
        self._has_forgotten = self._forgot_unflagged = False
        self._started: tuple[str, int] | None = None  # the log and the time of the last start

    def base_changes(
        self,
        ddl: Ddl,
        definition_of: Callable[[TableName], TableDefinition | None] = lambda _: None,
    ) -> tuple[sql.Definition, ...]:
        """Follow the next statement and return what it does to base tables.

        If a table may be a temporary one, its change is an UnknownChange with
        a reason.

        Args:
            definition_of: returns the definition of a base table before the statement.
        """
        change = ddl.parsed.change
        self._end_at_start(ddl)
        if change is None and ddl.parsed.temporary_change is None:
            return ()
        thread = ddl.server_id, ddl.thread_id
        hidden = self._open.get(thread, {})
        if change is not None and not (hidden or ddl.is_thread_specific or self._has_forgotten):
            return (change,)
        applied = _Statement(
            ddl, hidden, definition_of, self._has_forgotten, self._forgot_unflagged
        )
        if change is None:
            applied.follow_temporary(ddl.parsed.temporary_change)
            changes: list[sql.Definition] = []
        else:
            changes = list(applied.base_changes(change))
        self._weight += applied.weight
        if hidden:
            self._open[thread] = hidden
        else:
            self._open.pop(thread, None)
        if self._weight > _MAX_WEIGHT:
            tables = [table for opened in self._open.values() for table in opened.values()]
            self._forgot_unflagged |= not all(table.is_flagged for table in tables)
            self._open.clear()
            self._weight, self._has_forgotten = 0, True
        return tuple(changes)

    def _end_at_start(self, ddl: Ddl) -> None:
        """Forget all tables if the server has started since the statement before."""
        started = ddl.site.log_file, ddl.server_start
        if ddl.server_start and started != self._started:
            self._open.clear()
            self._weight = 0
            self._has_forgotten = self._forgot_unflagged = False
            self._started = started


def may_be_of_temporary(ddl: Ddl) -> bool:
    """Return whether a statement that names base tables may be about temporary ones.

    For callers that know no open tables: they have to ask those who do. It is not asked for
    writers that set no flags.
    """
    is_rename = (
        isinstance(ddl.parsed.change, sql.RenameTables) and ddl.parsed.session.dialect.is_mariadb
    )
    return ddl.is_thread_specific or is_rename


def depends_on_others(ddl: Ddl) -> bool:
    """Return whether what a statement does to base tables depends on those before it."""
    return may_be_of_temporary(ddl) or isinstance(ddl.parsed.change, sql.DropDatabase)


@dataclass
class _Statement:
    """One statement, applied to the open temporary tables of its thread.

    Attributes:
        hidden: the temporary tables; changed.
        definition_of: returns the definition of a base table.
        has_forgotten: whether tables may be open that are not in `hidden`.
        forgot_unflagged: whether these may be of writers without flags.
        weight: by how much the weight of the open tables changes.
    """

    ddl: Ddl
    hidden: dict[TableName, _Temporary]
    definition_of: Callable[[TableName], TableDefinition | None]
    has_forgotten: bool
    forgot_unflagged: bool
    weight: int = 0

    def _open(self, table: TableName, temporary: _Temporary) -> None:
        self._close(table)
        self.hidden[table] = temporary
        self.weight += temporary.weight

    def _close(self, table: TableName) -> None:
        temporary = self.hidden.pop(table, None)
        if temporary is not None:
            self.weight -= temporary.weight

    @property
    def _is_flagged(self) -> bool:
        return self.ddl.is_thread_specific

    def base_changes(self, change: sql.Definition) -> Iterator[sql.Definition]:
        """Yield what the statement does to base tables."""
        match change:
            case sql.CreateTable(like=like) if like is not None:
                yield self._like(change, like)
            case sql.AlterTable(table, _, new_name):
                yield from self._of_base(change, table, new_name)
            case sql.RenameTables(names):
                for old, new in names:
                    pair = sql.RenameTables(((old, new),))
                    if self.ddl.parsed.session.dialect.is_mariadb:
                        yield from self._of_base(pair, old, new)
                    else:  # MySQL renames the base table
                        yield pair
            case sql.DropTables(tables):
                for table in tables:
                    drop = sql.DropTables((table,))
                    if self.ddl.parsed.is_generated:
                        yield drop
                    else:
                        yield from self._of_base(drop, table)
            case sql.TruncateTable(table):
                is_base = self._is_base(change, table)
                if is_base is not False:  # to report rows that are still there is the lesser harm
                    yield change
            case sql.UnknownChange(table, creates=False) if table is not None:
                yield from self._of_base(change, table)
            case _:  # CREATE TABLE and DROP DATABASE are always about base tables
                yield change

    def _of_base(
        self, change: sql.Definition, table: TableName, new_name: TableName | None = None
    ) -> Iterator[sql.Definition]:
        is_base = self._is_base(change, table, new_name)
        if is_base:
            yield change
        elif is_base is None:
            reason = self._because("may be about a temporary table that no statement made")
            for name in (table, new_name):
                if name is not None:
                    yield sql.UnknownChange(name, reason=reason)

    def _because(self, reason: str) -> str:
        return f"{self.ddl}: {reason}"

    def _is_base(
        self, step: sql.Definition, table: TableName, new_name: TableName | None = None
    ) -> bool | None:
        """Return whether the statement is about a base table; None if that is not known.

        If it is about the temporary table that hides the base table, it is applied to that.
        """
        hidden = self.hidden.get(table)
        # MariaDB sets no flag for RENAME TABLE.
        is_flagged = hidden is not None if isinstance(step, sql.RenameTables) else self._is_flagged
        if hidden is None:
            # Without flags, the table may be one whose name the server takes for the same.
            spelled = [t for name, t in self.hidden.items() if name.lower() == table.lower()]
            may_hide = is_flagged or any(not other.is_flagged for other in spelled)
            is_rename = isinstance(step, sql.RenameTables)
            may_hide |= self.forgot_unflagged or (is_rename and self.has_forgotten)
            return None if may_hide else True
        if hidden.is_flagged and not is_flagged:
            self._close(table)  # its DROP was not logged: else this would have the flag
            return True
        if isinstance(step, sql.DropTables):
            self._close(table)
        elif isinstance(step, sql.UnknownChange):
            self._open(table, hidden._replace(definition=None))
        elif isinstance(step, sql.AlterTable):
            definition = hidden.definition
            try:
                definition = definition and definition.altered(step.alteration)
            except NotUnderstoodError:
                definition = None
            self._open(table, hidden._replace(definition=definition))
        if new_name is not None:
            moved = self.hidden[table]
            self._close(table)
            self._open(new_name, moved)
        return False

    def _like(self, change: sql.CreateTable, like: TableName) -> sql.Definition:
        """Return a CREATE TABLE ... LIKE with the columns of a temporary model, if it has one."""
        if like in self.hidden:
            definition = self.hidden[like].definition
            if definition is not None:
                return replace(change, definition=definition, like=None)
            reason = self._because("copies a temporary table whose columns are not known")
        elif self._is_flagged or self.forgot_unflagged:
            reason = self._because("may copy a temporary table that no statement made")
        else:
            return change
        return sql.UnknownChange(change.table, True, change.if_absent, change.replaces, reason)

    def follow_temporary(self, change: sql.Definition | None) -> None:
        """Follow a statement that says TEMPORARY, or is about something other than tables."""
        match change:
            case sql.CreateTable(table, definition, like, if_absent):
                if if_absent and table in self.hidden:
                    return
                if like in self.hidden:
                    assert like is not None
                    definition = self.hidden[like].definition
                elif like is not None:
                    definition = self.definition_of(like)
                if definition is not None:
                    definition = definition.resolved(
                        self.ddl.parsed.session.server_charset, is_assumed=True
                    )
                self._open(table, _Temporary(definition, self._is_flagged))
            case sql.DropTables(tables):
                for table in tables:
                    self._close(table)
            case sql.UnknownChange(table) if table is not None:
                self._open(table, _Temporary(None, self._is_flagged))
