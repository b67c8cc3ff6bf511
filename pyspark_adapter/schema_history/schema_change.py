"""What statements do to tables, one table at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    TruncateTable,
    UnknownChange,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.table_definition import SEQUENCE
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog, lower_case


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

    def is_of(self, table: TableName) -> bool:
        """Return whether it is about a table as rows name it, before or after a RENAME.

        A server with `lower_case_table_names=1` logs names in lower case, however statements
        spell them.
        """
        names = [self.table] if self.new_name is None else [self.table, self.new_name]
        return any(table in (name, lower_case(name)) for name in names)


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
            for altered in (found.table, *found.alteration.others):
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
            for dropped in catalog().tables_in(found.database):
                yield SchemaChange("drop", dropped)
        case DropDatabase() if table is not None:
            yield SchemaChange("drop", TableName(found.database, table.table_name))
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
