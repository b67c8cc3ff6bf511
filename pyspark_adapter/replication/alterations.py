"""Which statements about a table change the columns of its copy in place, and how."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import pyarrow as pa

from pyspark_adapter.ddl.sql_definitions import AlterTable
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError, SqlDialect
from pyspark_adapter.ddl.table_definition import (
    AUTO_INCREMENT,
    INTEGERS,
    NULL,
    Alteration,
    ColumnChange,
    ColumnDefinition,
    TableDefinition,
)
from pyspark_adapter.decode.group_rows import TableStatement
from pyspark_adapter.replication.changes import TYPE, Part
from pyspark_adapter.timeline.ddl import change_of
from pyspark_adapter.timeline.defined_table import defined

# What SHOW CREATE TABLE prints if a definition says nothing.
_ARGUMENTS: Final = {"DECIMAL": (10, 0), "CHAR": (1,), "BINARY": (1,), "BIT": (1,)}


class Format(Protocol):
    """What a format of tables can do without a copy."""

    @property
    def has_renames(self) -> bool:
        """Whether columns can be dropped and renamed."""

    def widens(self, old: pa.DataType, new: pa.DataType) -> bool:
        """Return whether the type of a column can become another one."""


@dataclass(frozen=True)
class ColumnEdit:
    """What a statement does to the names of columns.

    Attributes:
        added: names of new columns, which are NULL in all rows.
        gone: old names of columns that are dropped or renamed.
        renamed: new names of columns, by old ones.
    """

    commit_version: int
    added: Sequence[str]
    gone: Sequence[str]
    renamed: dict[str, str]

    def of(self, columns: dict[str, str | None]) -> dict[str, str | None]:
        """Return columns after the statement, by name: each has what the one before had."""
        after = {
            self.renamed.get(name, name): value
            for name, value in columns.items()
            if name not in self.gone or name in self.renamed
        }
        return after | dict.fromkeys(self.added)


@dataclass(frozen=True)
class AlteredColumns:
    """The columns of a copy after statements.

    Attributes:
        schema: of the copy after them.
        origins: the name of each before them; None for one that is new.
        edits: what each statement does.
    """

    schema: pa.Schema
    origins: dict[str, str | None]
    edits: Sequence[ColumnEdit] = ()

    @classmethod
    def unchanged(cls, schema: pa.Schema) -> AlteredColumns:
        """Return the columns of a copy without statements."""
        return cls(schema, {name: name for name in schema.names})

    def keeps(self, schema: pa.Schema) -> bool:
        """Return whether they are the columns that a copy has."""
        same = all(name == origin for name, origin in self.origins.items())
        return same and self.schema == schema

    def after(self, names: Sequence[str], version: int) -> dict[str, str | None]:
        """Return the columns of rows by their names after the statements; None for a new one."""
        columns: dict[str, str | None] = {name: name for name in names}
        for edit in self.edits:
            if edit.commit_version > version:
                columns = edit.of(columns)
        return columns

    def rows_of(
        self, parts: Sequence[Part], applied: int, left_out: Container[str]
    ) -> pa.Table | None:
        """Return the rows after a transaction, with `_change_type`; None if a column is missing.

        Args:
            parts: the changes, one or more.
            applied: `_commit_version` of the transaction.
            left_out: columns of the server that are not copied.
        """
        batches = []
        for part in parts:
            shown = [name for name in part.columns if name not in left_out]
            later = self.after(shown, part.last_commit_version)
            if {*later} != {*self.schema.names}:
                return None
            rows = part.rows_after(applied)
            kept = {name: rows[origin] for name, origin in later.items() if origin is not None}
            batches.append(pa.table({**kept, TYPE: rows[TYPE]}))
        if self.edits:
            batches.append(self.schema.empty_table())
        return pa.concat_tables(batches, promote_options="permissive")


def alter_in_place(
    schema: pa.Schema,
    definitions: tuple[str, str],
    statements: Sequence[TableStatement],
    wanted: pa.Schema,
    table_format: Format,
    dialect: SqlDialect,
) -> AlteredColumns | None:
    """Return the columns of a copy after statements; None if the table has to be copied again.

    In place are statements that change no value, and no key. A column counts as new that is NULL in
    existing rows: it is nullable, has no default, and is neither computed nor in an index
    of its own. A type gets wider if it has all values of the old one, as the server shows them.

    Args:
        schema: of the copy.
        definitions: CREATE TABLE of the table before the statements, and at their end or later.
        statements: about the table, in order.
        wanted: the columns of a copy that would be made now.
    """
    table, last = (defined(text, dialect) for text in definitions)
    if table is None or last is None:
        return None
    edits = []
    for statement in statements:
        step = _step(table, statement, dialect)
        if step is None:
            return None
        table, edit = step
        if edit.gone and not table_format.has_renames:
            return None
        edits.append(edit)
    # Statements that were not read yet may have changed it since.
    if _columns(table, dialect) != _columns(last, dialect):
        return None
    origins: dict[str, str | None] = {name: name for name in schema.names}
    for edit in edits:
        origins = edit.of(origins)
    types = {field.name: field.type for field in wanted}
    origins = {name: index for name, index in origins.items() if name in types or index is not None}
    if origins.keys() != types.keys():
        return None
    for name, origin in origins.items():
        old = types[name] if origin is None else schema.field(origin).type
        if old != types[name] and not table_format.widens(old, types[name]):
            return None
    return AlteredColumns(pa.schema([(name, types[name]) for name in origins]), origins, edits)


def _columns(table: TableDefinition, dialect: SqlDialect) -> list[tuple[object, ...]]:
    """Return the columns as SHOW CREATE TABLE has them."""
    if not dialect.is_mariadb:
        return list(map(_shown, table.columns))
    return [
        _shown(replace(c, sql_type="LONGTEXT", charset="utf8mb4") if c.sql_type == "JSON" else c)
        for c in table.columns
    ]


def _step(
    table: TableDefinition, statement: TableStatement, dialect: SqlDialect
) -> tuple[TableDefinition, ColumnEdit] | None:
    """Return a table after a statement, and the edit; None if a value or the key may change."""
    parsed = change_of(statement.text, "", dialect)
    # MariaDB's ALTER IGNORE TABLE removes rows for a unique index, also one over prefixes.
    if (
        not isinstance(parsed, AlterTable)
        or parsed.new_name is not None
        or "IGNORE" in statement.text.upper()
        or table.is_versioned
    ):
        return None
    done = parsed.alteration
    known = Alteration(
        changes=done.changes, dropped=done.dropped, renamed=done.renamed, indexes=done.indexes
    )
    # Others of which nothing is known are without all four, such as DROP PARTITION.
    if done != known or not (done.changes or done.dropped or done.renamed or done.indexes):
        return None
    if any(change.is_conditional for change in done.changes) or any(done.dropped.values()):
        return None
    try:
        after = table.altered(done)
    except NotUnderstoodError:
        return None
    before = {column.name.lower(): column for column in table.columns}
    later = {column.name.lower(): column for column in after.columns}
    redefined = {
        change.old_name.lower(): change.column.name.lower()
        for change in done.changes
        if change.old_name is not None
    }
    pairs = [(before[old], later[new]) for old, new in redefined.items()]
    if not all(keeps_values(old, new) for old, new in pairs):
        return None
    # They may show the text of another column, which changes with its type.
    if any(c.is_generated for c in table.columns) and not all(map(_is_same_type, pairs)):
        return None
    added = [change for change in done.changes if change.old_name is None]
    if not all(map(_adds_nulls, added)):
        return None
    moved = {old.lower(): new for old, new in done.renamed.items()}
    moved |= {old: later[new].name for old, new in redefined.items()}
    renamed = {before[old].name: new for old, new in moved.items() if before[old].name != new}
    dropped = [before[name.lower()].name for name in done.dropped]
    edit = ColumnEdit(
        statement.commit_version,
        [change.column.name for change in added],
        [*dropped, *renamed],
        renamed,
    )
    if tuple(renamed.get(name, name) for name in table.row_key) != after.row_key:
        return None
    return after, edit


def _adds_nulls(change: ColumnChange) -> bool:
    column = change.column
    is_plain = not (column.is_generated or column.is_invisible or column.is_unique)
    return (
        column.is_nullable is True
        and column.default in (None, NULL)
        and column.reference is None
        and not column.key_part
        and is_plain
    )


def keeps_values(old: ColumnDefinition, new: ColumnDefinition) -> bool:
    """Return whether a column shows the same values after it was redefined."""
    if old.is_generated or new.is_generated or new.is_unique or new.reference != old.reference:
        return False
    if not (old.is_nullable is False or new.is_nullable is True):
        return False
    # It gives numbers to rows with 0, unless the column had it before.
    if new.default == AUTO_INCREMENT != old.default:
        return False
    if _is_same_type((old, new)):
        return True
    if new.charset != old.charset or (new.is_unsigned and not old.is_unsigned):
        return False
    kinds = old.sql_type, new.sql_type
    arguments, more = _arguments(old), _arguments(new)
    if old.sql_type in INTEGERS and new.sql_type in INTEGERS:
        wider = INTEGERS.index(new.sql_type) - INTEGERS.index(old.sql_type)
        return wider > 0 or (wider == 0 and old.is_unsigned == new.is_unsigned)
    if kinds == ("FLOAT", "DOUBLE"):
        return len(arguments) < 2 and not more
    if kinds == ("DECIMAL", "DECIMAL"):
        return arguments[0] <= more[0] and arguments[1:] == more[1:]
    if kinds in (("VARCHAR", "VARCHAR"), ("VARBINARY", "VARBINARY")):
        return arguments <= more
    return (
        kinds in (("ENUM", "ENUM"), ("SET", "SET"))
        and new.members[: len(old.members)] == old.members
    )


def _is_same_type(pair: tuple[ColumnDefinition, ColumnDefinition]) -> bool:
    old, new = map(_shown, pair)
    return old[1:] == new[1:]


def _arguments(column: ColumnDefinition) -> tuple[int, ...]:
    """Return the numbers after a type, also if it says none."""
    default = _ARGUMENTS.get(column.sql_type, ())
    return column.arguments + default[len(column.arguments) :]


def _shown(column: ColumnDefinition) -> tuple[object, ...]:
    """Return what a column is, however it was defined."""
    # The width of an integer says nothing.
    arguments = () if column.sql_type in (*INTEGERS, "YEAR") else _arguments(column)
    facts = (column.sql_type, arguments, column.members, column.is_unsigned, column.charset)
    return (column.name, *facts, column.is_generated, column.is_invisible)
