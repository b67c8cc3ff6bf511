"""Which tables a statement defines, changes, or drops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    UnknownChange,
)
from pyspark_adapter.ddl.table_definition import Alteration
from pyspark_adapter.options.table_name import TableName


@dataclass(frozen=True, slots=True)
class TouchedTables:
    """What a statement does to tables.

    Attributes:
        tables: whose definition changes, or with whose rows a partition is exchanged; as the
            statement spells them.
        model: the table of CREATE TABLE ... LIKE; None for others.
        databases: names of the database that it drops; none for others.
        may_be_any: whether it is not understood, and no table is known.
        is_of_indexes: whether it changes indexes alone, and so neither rows nor columns.
    """

    tables: tuple[TableName, ...] = ()
    model: TableName | None = None
    databases: tuple[str, ...] = ()
    may_be_any: bool = False
    is_of_indexes: bool = False

    def includes(
        self, keeps: Callable[[TableName], bool], keeps_database: Callable[[str], bool]
    ) -> bool:
        """Return whether it touches one of the tables that functions choose."""
        return (
            self.may_be_any
            or any(map(keeps, self.tables))
            or any(map(keeps_database, self.databases))
        )


def touched_tables(change: Definition) -> TouchedTables:
    """Return what a statement does to definitions."""
    match change:
        case CreateTable(table, like=like):
            return TouchedTables((table,), like)
        case AlterTable(table, alteration, None):
            is_of_indexes = bool(alteration.indexes) and alteration == Alteration(
                indexes=alteration.indexes,
                # Names of constraints, which may be those of indexes.
                dropped_foreign_keys=alteration.dropped_foreign_keys,
            )
            return TouchedTables((table, *alteration.exchanged), is_of_indexes=is_of_indexes)
        case AlterTable(table, _, new_name) if new_name is not None:
            return TouchedTables((table, new_name))
        case RenameTables(names):
            return TouchedTables(tuple(table for pair in names for table in pair))
        case DropTables(tables):
            return TouchedTables(tables)
        case UnknownChange(table):
            return TouchedTables(may_be_any=True) if table is None else TouchedTables((table,))
        case DropDatabase(names):
            return TouchedTables(databases=names)
    return TouchedTables()
