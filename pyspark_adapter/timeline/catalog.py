"""The tables that statements have defined so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    SetDatabase,
    UnknownChange,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.name_case import NameCase

# The catalog is weighed after so many bytes of statements, and forgotten if it weighs more than
# _MAX_WEIGHT: each table, column and member of an ENUM or SET counts one.
_MAX_BYTES: Final = 16 << 20
_MAX_WEIGHT: Final = 1 << 20


class _Index:
    """What the catalog looks tables up by, so that no statement costs a look at all of them.

    Attributes:
        spellings: the names of tables by their names in lower case.
        databases: the names of tables by database.
        defined: the names of tables whose definition is known.
    """

    def __init__(self) -> None:
        self.spellings: defaultdict[TableName, dict[TableName, None]] = defaultdict(dict)
        self.databases: defaultdict[str, dict[TableName, None]] = defaultdict(dict)
        self.defined: dict[TableName, None] = {}

    def add(self, table: TableName, definition: TableDefinition | None) -> None:
        """Add a table, or give it another definition."""
        self.spellings[table.lower()][table] = None
        self.databases[table.database_name][table] = None
        if definition is not None:
            self.defined[table] = None
        else:
            self.defined.pop(table, None)

    def remove(self, table: TableName) -> None:
        """Remove a table."""
        key = table.lower()
        del self.spellings[key][table]
        if not self.spellings[key]:
            del self.spellings[key]
        in_database = self.databases[table.database_name]
        del in_database[table]
        if not in_database:
            del self.databases[table.database_name]
        self.defined.pop(table, None)


@dataclass(slots=True)
class Catalog:
    """Tables and databases as the statements so far leave them.

    Attributes:
        tables: definitions by name, changed by statements alone; None for a table that a statement
            changed in a way that is not understood. Tables older than the first statement are
            absent.
        charsets: default character sets of databases that statements name, and whether each is
            only assumed.
        whole: databases whose tables are all known, since they were created in the log.
        dropped: tables that are known not to exist.
        unsure: tables that a RENAME of MariaDB has taken away, if it was not of a temporary table.
        reasons: why tables are not known, with the statement, of tables that are None in `tables`.
        changed: names whose table, definition or reason may have changed; emptied by the caller.
        case: says whether names of other case are of other tables; learns what statements spell.
    """

    tables: dict[TableName, TableDefinition | None] = field(default_factory=dict)
    charsets: dict[str, tuple[str, bool]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    dropped: set[TableName] = field(default_factory=set)
    unsure: set[TableName] = field(default_factory=set)
    reasons: dict[TableName, str] = field(default_factory=dict)
    changed: dict[TableName, None] = field(default_factory=dict)
    case: NameCase = field(default_factory=NameCase)
    _statement: str = ""
    _num_bytes: int = 0
    _index: _Index = field(default_factory=_Index)

    def definition_of(self, table: TableName) -> TableDefinition | None:
        """Return the definition of a table as a statement names it; None if it is unknown."""
        return self.tables.get(self._known(table))

    def tables_in(self, names: Iterable[str]) -> list[TableName]:
        """Return the known tables of a database that has one or more names."""
        return [table for name in names for table in self._index.databases.get(name, ())]

    def spelled(self, table: TableName) -> TableName | None:
        """Return the only table whose name differs at most in case; None for none or several."""
        spelled = self._index.spellings.get(table.lower(), ())
        return next(iter(spelled)) if len(spelled) == 1 else None

    def _known(self, table: TableName) -> TableName:
        """Return a name as it was defined; itself if there is none or more than one."""
        if table in self.tables or self.case.tells:
            return table
        spelled = self.spelled(table)
        if spelled is None:
            return table
        self.case.has_folded = True
        self.case.spell(table, self._statement)
        self.case.spell(spelled, self._statement)
        return spelled

    def define(self, table: TableName, definition: TableDefinition | None) -> None:
        """Set the definition of a table; None if it is not known from here on."""
        self.tables[table] = definition
        self.reasons.pop(table, None)
        self.changed[table] = None
        self._index.add(table, definition)
        self.case.spell(table, self._statement)
        if self.spelled(table) is None:
            self.case.twins.add(table.lower())

    def _lose(self, table: TableName, reason: str) -> None:
        """Note that a table is not known from here on."""
        self.define(table, None)
        if reason:
            self.reasons[table] = reason

    def _remove(self, table: TableName) -> None:
        if table in self.tables:
            self._index.remove(table)
            del self.tables[table]
            self.changed[table] = None
            self.reasons.pop(table, None)

    def _shrink(self) -> None:
        """Forget everything if it is more than a server holds."""
        self._num_bytes = 0
        weight = len(self.dropped) + len(self.unsure) + len(self.charsets)
        for definition in self.tables.values():
            columns = definition.columns if definition is not None else ()
            weight += 1 + sum(1 + len(column.members) for column in columns)
        if weight > _MAX_WEIGHT:
            self.forget()

    def forget(self) -> None:
        """Forget all tables and databases."""
        self.changed |= dict.fromkeys(self.tables)
        self.tables.clear()
        self.charsets.clear()
        self.whole.clear()
        self.dropped.clear()
        self.unsure.clear()
        self.reasons.clear()
        self._index = _Index()

    def follow(
        self, change: Definition, session: SqlSession, num_bytes: int = 0, statement: str = ""
    ) -> None:
        """Apply a statement.

        Args:
            change: what it defines.
            session: the session in which it ran.
            num_bytes: of its text, if the catalog is to be no larger than that of a server.
            statement: its site and what it says, for messages.
        """
        self._statement = statement
        self._apply(change, session, statement)
        self._num_bytes += num_bytes
        if self._num_bytes > _MAX_BYTES:
            self._shrink()

    def _apply(self, change: Definition, session: SqlSession, statement: str) -> None:
        match change:
            case CreateTable():
                self._create(change, session)
            case AlterTable():
                self._alter(change, statement)
            case RenameTables():
                self._rename(change, session, statement)
            case DropTables():
                for table in change.tables:
                    self._remove(self._known(table))
                    self.dropped.add(table)
                    self.unsure.discard(table)
            case SetDatabase():
                self._set_database(change, session)
            case DropDatabase(names):
                for database in names:
                    self.charsets.pop(database, None)
                    self.whole.discard(database)
                for table in self.tables_in(names):
                    self._remove(table)
            case UnknownChange(None):
                for table in list(self._index.defined):
                    self.define(table, None)
            case UnknownChange(table) if table is not None:
                self._lose(self._known(table), change.reason)

    def _set_database(self, change: SetDatabase, session: SqlSession) -> None:
        database = change.database
        charset = change.charset or (session.server_charset if change.is_new else None)
        # Servers log IF NOT EXISTS even if the database existed.
        is_sure = not change.if_absent or session.is_carried_out
        if charset is not None and (is_sure or database not in self.charsets):
            self.charsets[database] = charset, not is_sure
        if change.is_new and is_sure:
            self.whole.add(database)

    def _create(self, change: CreateTable, session: SqlSession) -> None:
        table = change.table  # where the name was free, others differ in case alone
        if change.if_absent or change.replaces:
            table = self._known(table)
        if change.if_absent and not session.is_carried_out:
            # MySQL logs it even if the table existed; MariaDB does not.
            is_new = (
                session.dialect.is_mariadb
                or table in self.dropped
                or table.database_name in self.whole
            )
            if table in self.tables or not is_new:
                return
        self.dropped.discard(table)
        self.unsure.discard(table)
        definition = change.definition
        if change.like is not None:
            definition = self.tables.get(self._known(change.like))
            definition = definition and definition.without_foreign_keys()
        if definition is not None:
            server = session.server_charset, True
            charset, is_assumed = self.charsets.get(table.database_name, server)
            definition = definition.resolved(charset, is_assumed=is_assumed)
        self.define(table, definition)

    def _alter(self, change: AlterTable, statement: str) -> None:
        table = self._known(change.table)
        definition = self.tables.get(table)
        if definition is not None:
            try:
                self.define(table, definition.altered(change.alteration))
            except NotUnderstoodError:
                self.define(table, None)
        if change.new_name is not None:
            self._move(table, change.new_name, statement)

    def _rename(self, change: RenameTables, session: SqlSession, statement: str) -> None:
        """Rename tables, in order.

        MariaDB logs the RENAME of a temporary table as that of a base table, and with
        binlog_format=ROW not even its CREATE. Then the base table still exists under its old
        name, and under the new one there may be another, made before the logs begin. Only a name
        that the same statement takes from a table is believed to be free: tools that alter tables
        online swap them so.
        """
        if not session.dialect.is_mariadb:
            for old, new in change.names:
                self._move(old, new, statement)
            return
        taken: set[TableName] = set()
        for old, new in change.names:
            is_whole = new.database_name in self.whole and new not in self.unsure
            is_free = new in taken or new in self.dropped or is_whole
            self._move(old, new, statement)
            if self.tables.get(new) is not None and not is_free:
                reason = f"{statement}: may rename a temporary table and leave another {new} there"
                self._lose(new, reason)
            self.dropped.discard(old)
            taken.add(old)
        self.unsure |= taken
        self.unsure -= {new for _, new in change.names}

    def _move(self, old: TableName, new: TableName, statement: str) -> None:
        for name in (old, new):
            self.case.spell(name, statement)
        old = self._known(old)
        if old == new:
            return
        if new in self.tables:
            # So it was no base table, or statements are missing. MariaDB does not flag RENAME TABLE
            # of a temporary table.
            reason = f"{statement}: renames a table to the name of an existing one"
            self._lose(old, reason)
            self._lose(new, reason)
            return
        self.dropped.add(old)
        self.dropped.discard(new)
        if old in self.tables:
            definition = self.tables[old]
            self._remove(old)
            self.define(new, definition)
