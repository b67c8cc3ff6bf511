"""What a definition in SQL says of a table: the columns that its statements leave it with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from pyspark_adapter.definitions.sql_tokens import NotUnderstoodError
from pyspark_adapter.kernels import layout as lay

# Most columns of a table, as the servers have it.

TEXT_TYPES: Final = frozenset(
    {"CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM", "SET"}
)

# What a type of text is in character set `binary`.
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
class ColumnDefinition:
    """A column as SQL defines it.

    Attributes:
        name: its name.
        sql_type: the type, in capitals and by one name: `INT` for `INTEGER`, `BINARY` for
            `CHAR BYTE`.
        arguments: numbers in brackets behind the type.
        members: of an ENUM or SET, without spaces at their ends.
        is_unsigned: whether it is UNSIGNED.
        charset: of text; `utf8` stands for utf8mb3 or utf8mb4, as the server was set. None if it
            is that of the table, or, once it has been resolved, unknown.
        is_charset_assumed: whether it is only the server's default at the time.
        is_nullable: whether it may be NULL; None if that depends on the server's settings.
        is_invisible: whether it is INVISIBLE.
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
class Place:
    """Where a column is put.

    Attributes:
        after: name of the column before it; None for the first place.
    """

    after: str | None


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column that ALTER TABLE adds, or defines anew.

    Attributes:
        old_name: of the column that is changed; None if it is a further one.
        column: as it is afterwards.
        place: where; None for where it was, or the end.
        is_conditional: whether nothing is done where the column is not there, or is already.
    """

    old_name: str | None
    column: ColumnDefinition
    place: Place | None
    is_conditional: bool


@dataclass(slots=True)
class Alteration:
    """What one ALTER TABLE does to the columns of a table, all at once.

    Attributes:
        charset: the new default.
        converted: the character set to which all text is brought.
        dropped: names of columns, and whether nothing is done where one is not there.
        changes: columns that are added or changed, in order.
        renamed: new names by old ones, of RENAME COLUMN.
        invisible: columns that become invisible (true) or visible.
        required: columns of a new primary key.
        is_versioned: whether the table becomes one with SYSTEM VERSIONING, or ceases to be one.
    """

    charset: str | None = None
    converted: str | None = None
    dropped: dict[str, bool] = field(default_factory=dict)
    changes: list[ColumnChange] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    invisible: dict[str, bool] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    is_versioned: bool | None = None


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A table as SQL defines it.

    Attributes:
        columns: in order.
        charset: of text columns that name none; None if it is unknown.
        is_charset_assumed: whether it is only the server's default at the time, and the
            database may have another.
        is_versioned: whether MariaDB keeps the history of its rows (`WITH SYSTEM VERSIONING`)
            in columns that the definition does not list.
    """

    columns: tuple[ColumnDefinition, ...]
    charset: str | None = None
    is_charset_assumed: bool = False
    is_versioned: bool = False

    def resolved(self, charset: str | None, *, is_assumed: bool) -> TableDefinition:
        """Return the table with the character sets of all columns filled in.

        Args:
            charset: of tables that name none; None if it is unknown.
            is_assumed: whether it is only the server's default.
        """
        table = self
        if self.charset is None:
            table = replace(self, charset=charset, is_charset_assumed=is_assumed)
        return replace(table, columns=tuple(map(table._resolve, self.columns)))

    def _resolve(self, column: ColumnDefinition) -> ColumnDefinition:
        """Give a text column that names no character set that of the table."""
        if not column.is_text or column.charset is not None:
            return column
        return replace(
            _in_charset(column, self.charset), is_charset_assumed=self.is_charset_assumed
        )

    def altered(self, alteration: Alteration) -> TableDefinition:
        """Return what an ALTER TABLE makes of it.

        Source: mysql_prepare_alter_table of sql_table.cc, MySQL and MariaDB. Columns stay where
        they are, in their new forms; then those that have a place of their own, and new ones, are
        put in; a place is told by the new names.

        Raises:
            NotUnderstoodError: if the table has not the columns for it.
        """
        table = self
        if (charset := alteration.converted or alteration.charset) is not None:
            table = replace(table, charset=charset, is_charset_assumed=False)
        if alteration.is_versioned is not None:
            table = replace(table, is_versioned=alteration.is_versioned)
        changes = self._effective(alteration)
        if len(self.columns) + len(changes) > 2 * lay.MAX_COLUMNS:
            raise NotUnderstoodError("too many columns")
        in_place = {c.old_name.lower(): c for c in changes if c.old_name and c.place is None}
        moved = {c.old_name.lower(): c for c in changes if c.old_name and c.place is not None}
        renamed = {old.lower(): new for old, new in alteration.renamed.items()}
        invisible = {name.lower(): flag for name, flag in alteration.invisible.items()}
        dropped = {name.lower() for name in alteration.dropped}
        self._need({*in_place, *moved, *renamed} | self._needed_drops(alteration))
        columns: list[ColumnDefinition] = []
        for column in self.columns:
            key = column.name.lower()
            if key in dropped or key in moved:
                continue
            if key in in_place:
                columns.append(table._redefined(column, in_place[key].column))
                continue
            if alteration.converted is not None and column.is_text:
                column = replace(
                    _in_charset(column, alteration.converted), is_charset_assumed=False
                )
            if key in renamed:
                column = replace(column, name=renamed[key])
            if key in invisible:
                column = replace(column, is_invisible=invisible[key])
            columns.append(column)
        by_key = {column.name.lower(): column for column in self.columns}
        names = [column.name.lower() for column in columns]
        for change in changes:
            if change.old_name is None:
                column = table._resolve(change.column)
            elif change.place is not None:
                column = table._redefined(by_key[change.old_name.lower()], change.column)
            else:
                continue
            index = _index_of(change.place, names)
            columns.insert(index, column)
            names.insert(index, column.name.lower())
        if any(column.is_generated_key for column in self.columns[:1]):  # FIRST is after it
            columns.sort(key=lambda column: not column.is_generated_key)
        return replace(table, columns=tuple(columns)).required(alteration.required)

    def _effective(self, alteration: Alteration) -> list[ColumnChange]:
        """Return the changes without those that are conditional and do nothing."""
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

    def _needed_drops(self, alteration: Alteration) -> set[str]:
        return {name.lower() for name, if_present in alteration.dropped.items() if not if_present}

    def _need(self, names: set[str]) -> None:
        missing = names - {column.name.lower() for column in self.columns}
        if missing:
            raise NotUnderstoodError(f"no column {min(missing)}")

    def _redefined(self, old: ColumnDefinition, new: ColumnDefinition) -> ColumnDefinition:
        if new.is_nullable and old.is_nullable is False:
            # It stays NOT NULL if it is of the primary key, which is not followed.
            new = replace(new, is_nullable=None)
        return self._resolve(new)

    def required(self, names: Iterable[str]) -> TableDefinition:
        """Return the table with columns that are never NULL, as those of a primary key.

        Raises:
            NotUnderstoodError: if one is not there, or two columns have one name.
        """
        keys = {name.lower() for name in names}
        self._need(keys)
        if len({column.name.lower() for column in self.columns}) != len(self.columns):
            raise NotUnderstoodError("two columns of one name")
        columns = tuple(
            replace(column, is_nullable=False) if column.name.lower() in keys else column
            for column in self.columns
        )
        return replace(self, columns=columns)


# The table behind a sequence of MariaDB. Source: sequence_structure of sql_sequence.cc.
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


def _in_charset(column: ColumnDefinition, charset: str | None) -> ColumnDefinition:
    """Return a text column in a character set; in `binary` its type is another."""
    if charset == "binary" and column.sql_type in BINARY_FORMS:
        return replace(column, sql_type=BINARY_FORMS[column.sql_type], charset=None)
    return replace(column, charset=charset)


def _index_of(place: Place | None, names: Sequence[str]) -> int:
    """Return where a column is put among others, whose names are given in small letters."""
    if place is None:
        return len(names)
    if place.after is None:
        return 0
    try:
        return names.index(place.after.lower()) + 1
    except ValueError:
        raise NotUnderstoodError(f"no column {place.after}") from None
