"""Definitions of tables and columns in SQL, and changes to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from pyspark_adapter.ddl.constraints import (
    ForeignKey,
    IndexChange,
    TableIndex,
    first_unique_key,
    with_indexes,
    with_renamed_columns,
    without_columns,
)
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.table_name import TableName

# So that a statement costs the same however many came before it; far more than real tables have.
_MAX_FOREIGN_KEYS: Final = 1024

TEXT_TYPES: Final = frozenset(
    {"CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM", "SET"}
)

INTEGERS: Final = ("TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT")

ROW_END: Final = "row_end"  # the hidden column that MariaDB adds
# The types of text in character set `binary`.
BINARY_FORMS: Final = MappingProxyType(
    {
        "CHAR": "BINARY",
        "VARCHAR": "VARBINARY",
        "TINYTEXT": "TINYBLOB",
        "TEXT": "BLOB",
        "MEDIUMTEXT": "MEDIUMBLOB",
        "LONGTEXT": "LONGBLOB",
    }
)


@dataclass(frozen=True, slots=True)
class ColumnDefault:
    """What rows get that are older than their column.

    Attributes:
        kind: `string`; `number`; `bytes`, for X'00' and b'0'; or `null`. Else `expression`: the
            server computes it, from the time, other columns or AUTO_INCREMENT.
        text: of a string its characters, of a number as it is written.
        value: of bytes.
    """

    kind: str
    text: str = ""
    value: bytes = b""


EXPRESSION: Final = ColumnDefault("expression")
AUTO_INCREMENT: Final = ColumnDefault("expression", "AUTO_INCREMENT")
NULL: Final = ColumnDefault("null")


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """A column as SQL defines it.

    Attributes:
        sql_type: the type in capitals, without synonyms: `INT` for `INTEGER`, `BINARY` for
            `CHAR BYTE`.
        arguments: numbers in brackets after the type.
        members: of an ENUM or SET, without trailing spaces.
        charset: of text; `utf8` is utf8mb3 or utf8mb4, depending on the server. None for the
            default of the table, or, once resolved, if it is unknown.
        is_charset_assumed: whether it is only the server's default at the time.
        is_nullable: whether it may be NULL; None if that depends on the server's settings.
        is_generated: whether the server computes its values.
        key_part: its number in the primary key, from 1; 0 if it is not in it.
        is_unique: whether it is defined with an index of its own (UNIQUE).
        reference: what its definition REFERENCES, if that carries changes over to this table, with
            CASCADE or SET. Servers take it for a foreign key from MySQL 9.0 and MariaDB 10.5 on.
        default: its DEFAULT, `EXPRESSION` or `AUTO_INCREMENT`; None if it has none. It
            changes no column, so it is not compared.
    """

    name: str
    sql_type: str
    arguments: tuple[int, ...] = ()
    members: tuple[str, ...] = ()
    is_unsigned: bool = False
    charset: str | None = None
    is_charset_assumed: bool = False
    is_nullable: bool | None = True
    is_invisible: bool = False
    is_generated: bool = False
    key_part: int = 0
    is_unique: bool = False
    reference: ForeignKey | None = None
    default: ColumnDefault | None = field(default=None, compare=False)

    @property
    def is_generated_key(self) -> bool:
        """Whether it is the primary key that MySQL adds to a table without one.

        Source: table_has_generated_invisible_primary_key of sql_gipk.cc, MySQL.
        """
        return self.is_invisible and self.name.lower() == "my_row_id"

    @property
    def is_text(self) -> bool:
        """Whether it has a character set."""
        return self.sql_type in TEXT_TYPES


@dataclass(frozen=True, slots=True)
class Position:
    """A position clause: FIRST or AFTER.

    Attributes:
        after: name of the column before it; None for FIRST.
    """

    after: str | None


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column that ALTER TABLE adds or redefines.

    Attributes:
        old_name: of the column that is redefined; None if it is added.
        column: its new definition.
        position: where it goes; None for where it was, or for the end.
        is_conditional: IF EXISTS or IF NOT EXISTS.
    """

    old_name: str | None
    column: ColumnDefinition
    position: Position | None
    is_conditional: bool


@dataclass(slots=True)
class Alteration:
    """All changes of one ALTER TABLE to the columns of a table.

    Attributes:
        charset: the new default.
        converted: the character set of CONVERT TO.
        dropped: names of columns, and whether it says IF EXISTS.
        changes: columns that are added or redefined, in order.
        renamed: new names by old ones, of RENAME COLUMN.
        renamed_if_present: the same, of RENAME COLUMN IF EXISTS.
        invisible: columns that become invisible (true) or visible.
        new_key: columns of a new primary key.
        never_null: columns of new periods.
        row_end: the column that ends the PERIOD FOR SYSTEM_TIME that is added; None for none.
        drops_key: whether the primary key is dropped.
        indexes: changes of other indexes, in order.
        foreign_keys: new ones.
        dropped_foreign_keys: their names; some may be those of other constraints.
        is_versioned: whether SYSTEM VERSIONING is added (true) or dropped; None for neither.
        exchanged: tables that rows are exchanged with: EXCHANGE PARTITION, and MariaDB's CONVERT.
    """

    charset: str | None = None
    converted: str | None = None
    dropped: dict[str, bool] = field(default_factory=dict)
    changes: list[ColumnChange] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    renamed_if_present: dict[str, str] = field(default_factory=dict)
    invisible: dict[str, bool] = field(default_factory=dict)
    new_key: list[str] = field(default_factory=list)
    never_null: list[str] = field(default_factory=list)
    row_end: str | None = None
    drops_key: bool = False
    indexes: list[IndexChange] = field(default_factory=list)
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    dropped_foreign_keys: list[str] = field(default_factory=list)
    is_versioned: bool | None = None
    exchanged: list[TableName] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A table as SQL defines it.

    Attributes:
        columns: in order.
        charset: default of text columns; None if it is unknown.
        is_charset_assumed: whether it is only the server's default at the time; the database may
            have another.
        row_end: of `WITH SYSTEM VERSIONING`, the column, listed or not, that is part of each key.
        foreign_keys: those with CASCADE or SET; also those that were dropped since.
        indexes: in order, without the primary key.
    """

    columns: tuple[ColumnDefinition, ...]
    charset: str | None = None
    is_charset_assumed: bool = False
    row_end: str | None = None
    foreign_keys: tuple[ForeignKey, ...] = ()
    indexes: tuple[TableIndex, ...] = ()

    @property
    def primary_key(self) -> tuple[str, ...]:
        """Names of the columns of the primary key, in its order; empty for none."""
        columns = sorted(self.columns, key=lambda column: column.key_part)
        return tuple(column.name for column in columns if column.key_part)

    @property
    def is_versioned(self) -> bool:
        """Whether MariaDB keeps the history of its rows in columns that are not listed."""
        return (self.row_end or "").lower() not in {"", *(c.name.lower() for c in self.columns)}

    @property
    def row_key(self) -> tuple[str, ...]:
        """Names of the columns that identify a row, in the order of their key; empty for none.

        They are the primary key, else the first unique key whose columns are all NOT NULL: the one
        that the server takes for it. Keys over prefixes, expressions or generated columns do not
        count. `TableMapCompleter.row_key` is the same for a table map; code that needs a key of a
        table takes it from one of the two.

        Source: sort_keys of sql_table.cc, MySQL and MariaDB.
        """
        fixed = {
            column.name.lower(): column.name
            for column in self.columns
            if column.is_nullable is False and not column.is_generated
        }
        key = self.primary_key or first_unique_key(self.indexes, fixed)
        return (*key, self.row_end) if key and self.row_end else key

    def resolved(self, charset: str | None, *, is_assumed: bool) -> TableDefinition:
        """Return the table with the character sets of all columns filled in.

        Args:
            charset: default of the database; None if it is unknown.
            is_assumed: whether it is only the server's default.
        """
        table = self
        if self.charset is None:
            table = replace(self, charset=charset, is_charset_assumed=is_assumed)
        return replace(table, columns=tuple(map(table._resolve, self.columns)))

    def _resolve(self, column: ColumnDefinition) -> ColumnDefinition:
        """Return a column with the table's character set if it is text and names none."""
        if not column.is_text or column.charset is not None:
            return column
        return replace(in_charset(column, self.charset), is_charset_assumed=self.is_charset_assumed)

    def altered(self, alteration: Alteration) -> TableDefinition:
        """Return the table after an ALTER TABLE.

        Source: mysql_prepare_alter_table of sql_table.cc, MySQL and MariaDB. Columns are
        redefined in place first; then columns with a position clause and new ones are inserted.
        Position clauses use the new names.

        Raises:
            NotUnderstoodError: if it names columns that the table does not have.
        """
        table = self
        if (charset := alteration.converted or alteration.charset) is not None:
            table = replace(table, charset=charset, is_charset_assumed=False)
        if alteration.is_versioned is not None:
            end = alteration.row_end or ROW_END
            table = replace(table, row_end=end if alteration.is_versioned else None)
        changes = self._effective(alteration)
        if len(self.columns) + len(changes) > 2 * lay.MAX_COLUMNS:
            raise NotUnderstoodError("too many columns")
        in_place = {c.old_name.lower(): c for c in changes if c.old_name and c.position is None}
        moved = {c.old_name.lower(): c for c in changes if c.old_name and c.position is not None}
        renamed = {old.lower(): new for old, new in alteration.renamed.items()}
        invisible = {name.lower(): flag for name, flag in alteration.invisible.items()}
        dropped = {name.lower() for name in alteration.dropped}
        needed = (name for name, if_present in alteration.dropped.items() if not if_present)
        self._need({*in_place, *moved, *renamed, *map(str.lower, needed)})
        renamed |= {old.lower(): new for old, new in alteration.renamed_if_present.items()}
        columns: list[ColumnDefinition] = []
        keyed = self.columns
        if alteration.drops_key:
            keyed = tuple(replace(column, key_part=0) for column in keyed)
        for column in keyed:
            key = column.name.lower()
            if key in dropped or key in moved:
                continue
            if key in in_place:
                columns.append(table._redefined(column, in_place[key].column))
                continue
            if alteration.converted is not None and column.is_text:
                column = replace(in_charset(column, alteration.converted), is_charset_assumed=False)
            if key in renamed:
                column = replace(column, name=renamed[key])
            if key in invisible:
                column = replace(column, is_invisible=invisible[key])
            columns.append(column)
        by_key = {column.name.lower(): column for column in keyed}
        names = [column.name.lower() for column in columns]
        for change in changes:
            if change.old_name is None:
                column = table._resolve(change.column)
            elif change.position is not None:
                column = table._redefined(by_key[change.old_name.lower()], change.column)
            else:
                continue
            index = _index_of(change.position, names)
            columns.insert(index, column)
            names.insert(index, column.name.lower())
        if any(column.is_generated_key for column in self.columns[:1]):  # FIRST is after it
            columns.sort(key=lambda column: not column.is_generated_key)
        renamed |= {
            change.old_name.lower(): change.column.name for change in changes if change.old_name
        }
        if alteration.dropped_foreign_keys:  # names that the server has made up
            columns = [
                replace(c, reference=replace(c.reference, is_doubtful=True)) if c.reference else c
                for c in columns
            ]
        drops = [change for change in alteration.indexes if change.added is None]
        added = [change for change in alteration.indexes if change.added is not None]
        indexes = without_columns(with_indexes(self.indexes, drops), dropped)
        table = replace(
            table,
            columns=tuple(columns),
            foreign_keys=_distinct(
                (*self._doubted(alteration, {*dropped, *renamed}), *alteration.foreign_keys)
            ),
            indexes=with_indexes(with_renamed_columns(indexes, renamed), added),
        )
        return table.with_key(alteration.new_key, alteration.never_null)

    def without_foreign_keys(self) -> TableDefinition:
        """Return the table as CREATE TABLE ... LIKE copies it."""
        columns = tuple(replace(c, reference=None) if c.reference else c for c in self.columns)
        return replace(self, columns=columns, foreign_keys=())

    def _doubted(self, alteration: Alteration, changed: set[str]) -> Iterator[ForeignKey]:
        """Yield the foreign keys after an ALTER TABLE; a name may be that of one without a name."""
        names = {name.lower() for name in alteration.dropped_foreign_keys}
        for key in self.foreign_keys:
            is_dropped = bool(names) and (not key.name or key.name.lower() in names)
            is_changed = not changed.isdisjoint(map(str.lower, key.columns))
            yield replace(key, is_doubtful=key.is_doubtful or is_dropped or is_changed)

    def _effective(self, alteration: Alteration) -> list[ColumnChange]:
        """Return the changes without conditional ones that do nothing."""
        names = {column.name.lower() for column in self.columns}
        effective = []
        for change in alteration.changes:
            is_new = change.old_name is None
            name = (change.column.name if change.old_name is None else change.old_name).lower()
            if change.is_conditional and is_new == (name in names):
                continue
            effective.append(change)
            if is_new:
                names.add(name)
        return effective

    def _need(self, names: set[str]) -> None:
        missing = names - {column.name.lower() for column in self.columns}
        if missing:
            raise NotUnderstoodError(f"no column {min(missing)}")

    def _redefined(self, old: ColumnDefinition, new: ColumnDefinition) -> ColumnDefinition:
        if new.is_nullable and old.is_nullable is False:
            # It stays NOT NULL if it is in the primary key.
            new = replace(new, is_nullable=None)
        key_part, reference = new.key_part or old.key_part, new.reference or old.reference
        return self._resolve(replace(new, key_part=key_part, reference=reference))

    def with_key(self, key: Iterable[str], never_null: Iterable[str]) -> TableDefinition:
        """Return the table with a primary key, and NOT NULL columns.

        Args:
            key: the columns of the key, in order; empty to keep the one it has.
            never_null: columns that become NOT NULL, as those of the key do.

        Raises:
            NotUnderstoodError: if one is missing, or two columns have the same name.
        """
        parts = {name.lower(): part for part, name in enumerate(key, 1)}
        names = {*parts, *map(str.lower, never_null)}
        self._need(names)
        if len({column.name.lower() for column in self.columns}) != len(self.columns):
            raise NotUnderstoodError("two columns of one name")
        if not names:
            return self
        columns = []
        for column in self.columns:
            name = column.name.lower()
            part = parts.get(name, 0) if parts else column.key_part
            is_nullable = False if name in names else column.is_nullable
            columns.append(replace(column, is_nullable=is_nullable, key_part=part))
        return replace(self, columns=tuple(columns))


# The table that holds a sequence of MariaDB. Source: sequence_structure of sql_sequence.cc.
SEQUENCE: Final = TableDefinition(
    (
        ColumnDefinition("next_not_cached_value", "BIGINT", is_nullable=False),
        ColumnDefinition("minimum_value", "BIGINT", is_nullable=False),
        ColumnDefinition("maximum_value", "BIGINT", is_nullable=False),
        ColumnDefinition("start_value", "BIGINT", is_nullable=False),
        ColumnDefinition("increment", "BIGINT", is_nullable=False),
        ColumnDefinition("cache_size", "BIGINT", is_unsigned=True, is_nullable=False),
        ColumnDefinition("cycle_option", "TINYINT", is_unsigned=True, is_nullable=False),
        ColumnDefinition("cycle_count", "BIGINT", is_nullable=False),
    )
)


def _distinct(keys: Iterable[ForeignKey]) -> tuple[ForeignKey, ...]:
    """Return each foreign key once; raises NotUnderstoodError."""
    distinct = tuple(dict.fromkeys(keys))
    if len(distinct) > _MAX_FOREIGN_KEYS:
        raise NotUnderstoodError("too many foreign keys")
    return distinct


def in_charset(column: ColumnDefinition, charset: str | None) -> ColumnDefinition:
    """Return a column in a character set, None for none; `binary` changes the type of text."""
    if charset == "binary" and column.sql_type in BINARY_FORMS:
        return replace(column, sql_type=BINARY_FORMS[column.sql_type], charset=None)
    return replace(column, charset=charset)


def _index_of(position: Position | None, names: Sequence[str]) -> int:
    """Return the index at which a column is inserted among others, named in lower case."""
    if position is None:
        return len(names)
    if position.after is None:
        return 0
    try:
        return names.index(position.after.lower()) + 1
    except ValueError:
        raise NotUnderstoodError(f"no column {position.after}") from None
