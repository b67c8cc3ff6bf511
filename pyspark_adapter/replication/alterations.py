"""Statements after which a table is not copied again: no row that is there changes."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark_adapter.ddl.sql_definitions import AlterTable, CreateTable, parse_definition
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.ddl.table_definition import Alteration, ColumnChange, ColumnDefault
from pyspark_adapter.ddl.table_index import IndexChange


def added_columns(statements: Iterable[str], dialect: SqlDialect) -> list[str] | None:
    """Return the columns that statements about a table add; None if they may change rows or keys.

    A column counts that is NULL in the rows that are there: it is nullable, has no default, and is
    neither computed nor in an index of its own. So do new indexes that are not unique.
    """
    names = []
    for text in statements:
        found = parse_definition(text, "", dialect)
        if not isinstance(found, AlterTable) or found.new_name is not None:
            return None
        changes, indexes = found.alteration.changes, found.alteration.indexes
        if found.alteration != Alteration(changes=changes, indexes=indexes):
            return None
        # MariaDB's ALTER IGNORE TABLE removes rows for a unique index, also one over prefixes.
        if not (changes or indexes) or "IGNORE" in text.upper():
            return None
        if not (all(map(_adds_nulls, changes)) and all(map(_is_for_reads, indexes))):
            return None
        names += [change.column.name for change in changes]
    return names


def defined_columns(create: str, dialect: SqlDialect) -> set[str]:
    """Return the columns that a CREATE TABLE names; none if it is not understood."""
    found = parse_definition(create, "", dialect)
    if not isinstance(found, CreateTable) or found.definition is None:
        return set()
    return {column.name for column in found.definition.columns}


def _adds_nulls(change: ColumnChange) -> bool:
    column = change.column
    is_plain = not (column.is_generated or column.is_invisible or column.is_unique)
    return (
        change.old_name is None
        and not change.is_conditional
        and column.is_nullable is True
        and column.default in (None, ColumnDefault("null"))
        and column.reference is None
        and not column.key_part
        and is_plain
    )


def _is_for_reads(change: IndexChange) -> bool:
    return change.added is not None and change.dropped is None and not change.added.is_unique
