"""What statements do to tables, one table at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    TruncateTable,
    UnknownChange,
    parse_definition,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.table_definition import SEQUENCE
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.format.schema import format_description_of
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog

# ER_BAD_TABLE_ERROR: DROP TABLE names several tables, and one does not exist. The others are gone.
_BAD_TABLE: Final = 1051
_PLAIN_NAME: Final = re.compile(r"[\w$-]+", re.ASCII)
# The binary log version of MySQL 5.0; events of older ones are in no transaction.
_FIRST_WITH_ROWS: Final = 4


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

    def is_of(self, table: TableName) -> bool:
        """Return whether it is about a table as rows name it, before or after a RENAME.

        A server with `lower_case_table_names=1` logs names in lower case, however statements
        spell them.
        """
        return any(name.may_be(table) for name in self.names)


def searched_name(table: TableName) -> bytes:
    """Return bytes that are in the text, in lower case, of each statement that names a table.

    To parse only statements that may matter. Empty for a name that can be written in several ways:
    quotes are doubled, and only these characters are the same in all character sets of clients.
    """
    name = table.table_name
    return name.lower().encode() if _PLAIN_NAME.fullmatch(name) else b""


def parsed_statement(statement: Statement) -> tuple[str, Definition | None, SqlSession]:
    """Return the text of a statement, what it defines, and the session in which it ran.

    A statement that failed, or that starts an ALTER TABLE in two phases, defines nothing; of MySQL
    before 5.0 none does.
    """
    body = statement.body
    if format_description_of(body).binlog_version < _FIRST_WITH_ROWS:
        return "", None, SqlSession()
    try:
        session = SqlSession.from_event(body)
    except BinlogError:  # a statement never ends a read: it may not even be about tables
        return "", UnknownChange(None), SqlSession()
    text = session.decode(statement.text)
    found = parse_definition(text, statement.database, session.dialect)
    failure = getattr(body, "error_code", 0)
    is_done = not failure or (failure == _BAD_TABLE and isinstance(found, DropTables))
    return text, None if session.has_no_effect or not is_done else found, session


def schema_changes(
    found: Definition,
    session: SqlSession,
    table: TableName | None,
    catalog: Callable[[], Catalog],
) -> Iterator[SchemaChange]:
    """Yield what a statement does to tables, as far as the log says that it did anything.

    Servers log DROP TABLE IF EXISTS of a table that does not exist. A MySQL before 8.0 logs CREATE
    TABLE IF NOT EXISTS of a table that exists; that one yields nothing.

    Args:
        found: the statement.
        session: the session in which it ran.
        table: the only table that matters; None for all.
        catalog: returns the catalog before the statement, which is asked for tables of a dropped
            database.
    """
    match found:
        case CreateTable() if found.definition is not SEQUENCE:
            yield from _creation(found, found.table, session)
        case AlterTable(new_name=None):
            for altered in (found.table, *found.alteration.exchanged):
                yield SchemaChange("alter", altered)
        case AlterTable():
            yield SchemaChange("rename", found.table, found.new_name)
        case RenameTables():
            for old, new in found.names:
                yield SchemaChange("rename", old, new)
        case DropTables():
            for dropped in found.tables:
                yield SchemaChange("drop", dropped)
        case TruncateTable():
            yield SchemaChange("truncate", found.table)
        case DropDatabase() if table is None:
            for dropped in catalog().tables_in(found.names):
                yield SchemaChange("drop", dropped)
        case DropDatabase() if table is not None:
            yield SchemaChange("drop", TableName(found.names[-1], table.table_name))
        case UnknownChange() if found.table is not None:
            if found.creates:
                yield from _creation(found, found.table, session)
            else:
                yield SchemaChange("alter", found.table)


def _creation(
    found: CreateTable | UnknownChange, table: TableName, session: SqlSession
) -> Iterator[SchemaChange]:
    """Yield what a CREATE TABLE does; of one that did nothing, MariaDB logs nothing."""
    if found.if_absent and not (session.dialect.is_mariadb or session.is_carried_out):
        return
    if found.replaces:
        yield SchemaChange("drop", table)
    yield SchemaChange("create", table)
