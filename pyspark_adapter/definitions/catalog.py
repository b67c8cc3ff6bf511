"""The tables that statements have defined, up to a place in the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.definitions.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    SetDatabase,
    UnknownChange,
    parse_definition,
)
from pyspark_adapter.definitions.sql_session import SqlSession
from pyspark_adapter.definitions.sql_tokens import NotUnderstoodError
from pyspark_adapter.definitions.table_definition import TableDefinition
from pyspark_adapter.options.table_name import TableName

# Bytes of statements after which the catalog is weighed, and what it may weigh: a table, a column
# and a member of an ENUM or SET count one each.
_MAX_BYTES: Final = 16 << 20
_MAX_WEIGHT: Final = 1 << 20


@dataclass(slots=True)
class Catalog:
    """Tables and databases as the statements so far leave them.

    Attributes:
        tables: definitions by name; None for a table that a statement changed in a way that is
            not understood. Tables that were made before the first statement are not there.
        charsets: default character sets of databases, as far as statements tell them, and
            whether each is only assumed.
        whole: databases of which all tables are known, since they were made in the log.
        dropped: tables that are known not to be there.
    """

    tables: dict[TableName, TableDefinition | None] = field(default_factory=dict)
    charsets: dict[str, tuple[str, bool]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    dropped: set[TableName] = field(default_factory=set)
    _num_bytes: int = 0

    def copy(self) -> Catalog:
        """Return a catalog that goes its own way from here."""
        return Catalog(dict(self.tables), dict(self.charsets), set(self.whole), set(self.dropped))

    def find(self, table: TableName) -> TableDefinition | None:
        """Return the definition of a table as the log names it; None if it is unknown.

        A server with `lower_case_table_names=1` logs names in small letters, whatever the
        statements say.
        """
        if table in self.tables:
            return self.tables[table]
        name = _key(table)
        return self.tables.get(self._known(table)) if name == table else None

    def _known(self, table: TableName) -> TableName:
        """Return a name as it was defined; itself if there is none, or it is not clear which."""
        if table in self.tables:
            return table
        key = _key(table)
        found = [name for name in self.tables if _key(name) == key]
        return found[0] if len(found) == 1 else table

    def apply(self, text: bytes, database: str, session: SqlSession) -> bool:
        """Follow a statement; return whether it may have changed a table.

        Args:
            text: of the statement, in the character set of the client.
            database: the default database.
            session: in which it ran.
        """
        if session.has_no_effect:
            return False
        try:
            decoded = session.decode(text)
        except NotUnderstoodError:
            found: Definition | None = UnknownChange(None)
        else:
            found = parse_definition(decoded, database, session.dialect)
        if found is None:
            return False
        self.follow(found, session)
        self._num_bytes += len(text)
        if self._num_bytes > _MAX_BYTES:
            self._shrink()
        return True

    def _shrink(self) -> None:
        """Forget all, if it is more than a server holds."""
        self._num_bytes = 0
        weight = len(self.dropped) + len(self.charsets)
        for definition in self.tables.values():
            columns = definition.columns if definition is not None else ()
            weight += 1 + sum(1 + len(column.members) for column in columns)
        if weight > _MAX_WEIGHT:
            self.tables.clear()
            self.charsets.clear()
            self.whole.clear()
            self.dropped.clear()

    def follow(self, found: Definition, session: SqlSession) -> None:
        """Take note of what a statement does.

        Args:
            found: the statement.
            session: in which it ran.
        """
        match found:
            case CreateTable():
                self._create(found, session)
            case AlterTable():
                self._alter(found)
            case RenameTables():
                for old, new in found.names:
                    self._move(old, new)
            case DropTables():
                for table in found.tables:
                    self.tables.pop(self._known(table), None)
                    self.dropped.add(table)
            case SetDatabase():
                self._set_database(found, session)
            case DropDatabase(database):
                self.charsets.pop(database, None)
                self.whole.discard(database)
                for table in [t for t in self.tables if t.database_name == database]:
                    del self.tables[table]
            case UnknownChange(None):
                self.tables = dict.fromkeys(self.tables)
            case UnknownChange(table) if table is not None:
                self.tables[self._known(table)] = None

    def _set_database(self, found: SetDatabase, session: SqlSession) -> None:
        database = found.database
        charset = found.charset or (session.server_charset if found.is_new else None)
        # Servers log IF NOT EXISTS even where there was such a database.
        is_sure = not found.if_absent or session.is_carried_out
        if charset is not None and (is_sure or database not in self.charsets):
            self.charsets[database] = charset, not is_sure
        if found.is_new and is_sure:
            self.whole.add(database)

    def _create(self, found: CreateTable, session: SqlSession) -> None:
        table = self._known(found.table)
        if found.if_absent and not session.is_carried_out:
            # MySQL logs it even where there was such a table; MariaDB does not.
            is_new = (
                session.dialect.is_mariadb
                or table in self.dropped
                or table.database_name in self.whole
            )
            if table in self.tables or not is_new:
                return
        self.dropped.discard(table)
        definition = found.definition
        if found.like is not None:
            definition = self.tables.get(self._known(found.like))
        if definition is not None:
            server = session.server_charset, True
            charset, is_assumed = self.charsets.get(table.database_name, server)
            definition = definition.resolved(charset, is_assumed=is_assumed)
        self.tables[table] = definition

    def _alter(self, found: AlterTable) -> None:
        table = self._known(found.table)
        definition = self.tables.get(table)
        if definition is not None:
            try:
                self.tables[table] = definition.altered(found.alteration)
            except NotUnderstoodError:
                self.tables[table] = None
        if found.new_name is not None:
            self._move(table, found.new_name)

    def _move(self, old: TableName, new: TableName) -> None:
        old = self._known(old)
        self.tables.pop(new, None)
        self.dropped.add(old)
        self.dropped.discard(new)
        if old in self.tables:
            self.tables[new] = self.tables.pop(old)


def _key(table: TableName) -> TableName:
    return TableName(table.database_name.lower(), table.table_name.lower())
