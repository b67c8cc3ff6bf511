"""Parses what ALTER TABLE does to the columns of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.ddl.constraints import IndexChange, TableIndex
from pyspark_adapter.ddl.sql_columns import AFTER_ITEMS, read_charset, read_collation, read_column
from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_keys import is_key, is_period, read_key
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
from pyspark_adapter.ddl.table_definition import (
    Alteration,
    ColumnChange,
    ColumnDefinition,
    Position,
)
from pyspark_adapter.options.table_name import TableName

# After these, the rest of the statement is about partitions or the order of rows.
_LAST: Final = frozenset(
    {"PARTITION", "ORDER", "REORGANIZE", "COALESCE", "EXCHANGE", "REBUILD", "UPGRADE", "ANALYZE"}
    | {"CHECK", "OPTIMIZE", "REPAIR", "TRUNCATE", "DISCARD", "IMPORT"}
)
# Items and options that change no column.
_OPTIONS: Final = frozenset(
    {"ENGINE", "TYPE", "ROW_FORMAT", "COMMENT", "AUTO_INCREMENT", "AVG_ROW_LENGTH", "CHECKSUM"}
    | {"COMPRESSION", "CONNECTION", "DATA", "INDEX", "DELAY_KEY_WRITE", "ENCRYPTION"}
    | {"INSERT_METHOD", "KEY_BLOCK_SIZE", "MAX_ROWS", "MIN_ROWS", "PACK_KEYS", "PASSWORD"}
    | {"STATS_AUTO_RECALC", "STATS_PERSISTENT", "STATS_SAMPLE_PAGES", "TABLESPACE", "STORAGE"}
    | {"UNION", "SECONDARY_ENGINE", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE"}
    | {"PAGE_CHECKSUM", "PAGE_COMPRESSED", "PAGE_COMPRESSION_LEVEL", "TRANSACTIONAL", "SEQUENCE"}
    | {"ENCRYPTED", "ENCRYPTION_KEY_ID", "IETF_QUOTES", "TABLE_CHECKSUM", "AUTOEXTEND_SIZE"}
    | {"START", "ALGORITHM", "LOCK", "FORCE", "DISABLE", "ENABLE", "SECONDARY_LOAD"}
    | {"SECONDARY_UNLOAD", "WITHOUT", "REMOVE", "NODEGROUP"}
)


def read_alteration(cursor: SqlCursor, database: str) -> tuple[Alteration, TableName | None]:
    """Read to the end of the statement; return its changes, and the new name of the table if any.

    Raises:
        NotUnderstoodError: if something in it is unknown.
    """
    reader = _AlterReader(cursor, database)
    if cursor.accept("WAIT"):
        cursor.take()
    else:
        cursor.accept("NOWAIT")
    while not (cursor.is_at_end or cursor.peek.is_sign(";")):
        reader.read_item()
        cursor.accept_sign(",")  # there may be no commas between options
    return reader.alteration, reader.new_name


def add_key(cursor: SqlCursor, database: str, alteration: Alteration) -> None:
    """Read a key or constraint, and add what it says."""
    key = read_key(cursor, database)
    alteration.new_key += key.primary
    alteration.never_null += key.period
    if key.is_history:
        alteration.row_end = key.period[-1]
    if key.foreign is not None:
        alteration.foreign_keys.append(key.foreign)
    if key.change is not None:
        alteration.indexes.append(key.change)


def take_column(
    cursor: SqlCursor, alteration: Alteration, *, is_conditional: bool = False
) -> ColumnDefinition:
    """Return a column, and add its index if it has one for sure."""
    column = read_column(cursor)
    if column.is_unique and not is_conditional:
        index = TableIndex(column.name, (column.name,), is_unique=True)
        alteration.indexes.append(IndexChange(index))
    return column


@dataclass(slots=True)
class _AlterReader:
    cursor: SqlCursor
    database: str
    new_name: TableName | None = None
    alteration: Alteration = field(default_factory=Alteration)

    def read_item(self) -> None:
        """Read one item or one option; raises NotUnderstoodError if it is unknown."""
        cursor = self.cursor
        word = cursor.take_word()
        if word == "ADD":
            self._read_add()
        elif word == "DROP":
            self._read_drop()
        elif word in ("CHANGE", "MODIFY"):
            self._read_change(has_old_name=word == "CHANGE")
        elif word == "RENAME":
            self._read_rename()
        elif word == "ALTER":
            self._read_alter()
        elif word == "CONVERT":
            self._read_convert()
        elif word == "DEFAULT":
            pass  # CHARACTER SET or COLLATE follow
        elif word in ("CHARACTER", "CHAR", "CHARSET"):
            if word != "CHARSET":
                cursor.expect("SET")
            self.alteration.charset = _known(read_charset(cursor))
        elif word == "COLLATE":
            self.alteration.charset = read_collation(cursor) or self.alteration.charset
        elif word == "WITH" and cursor.accept("VALIDATION"):
            pass
        elif word == "WITH":
            self._set_versioned(is_versioned=True)
        elif word in _LAST:
            self._skip_all()
        elif word in _OPTIONS or cursor.peek.is_sign("="):  # of one of MariaDB's storage engines
            self._skip_option()
        else:
            raise NotUnderstoodError(f"{word} in ALTER TABLE")

    def _skip_all(self) -> None:
        while not self.cursor.is_at_end:
            if self.cursor.take().is_word("TABLE") and not self.cursor.is_at_end_of_item:
                self.alteration.exchanged.append(self.cursor.take_table_name(self.database))

    def _skip_option(self) -> None:
        """Skip the value of an option."""
        cursor = self.cursor
        cursor.accept("DIRECTORY", "KEYS", "PARTITIONING", "VALIDATION", "TRANSACTION")
        if cursor.accept_sign("="):
            if cursor.peek.is_sign("("):
                cursor.take_brackets()
            else:
                cursor.take()
                while cursor.accept_sign("."):  # of a number
                    cursor.take()
        elif not (
            cursor.is_at_end_of_item or cursor.peek.is_word("DEFAULT", "CHARSET", *AFTER_ITEMS)
        ):
            cursor.take()

    def _is_versioning(self) -> bool:
        cursor = self.cursor
        return cursor.peek.is_word("SYSTEM") and cursor.peek_second().is_word("VERSIONING")

    def _set_versioned(self, *, is_versioned: bool) -> None:
        self.cursor.accept_all("SYSTEM", "VERSIONING")
        self.alteration.is_versioned = is_versioned

    def _read_position(self) -> Position | None:
        """Read FIRST or AFTER."""
        if self.cursor.accept("FIRST"):
            return Position(None)
        return Position(self.cursor.take_name()) if self.cursor.accept("AFTER") else None

    def _read_add(self) -> None:
        cursor = self.cursor
        if cursor.accept("PARTITION"):
            self._skip_all()
            return
        if self._is_versioning():
            self._set_versioned(is_versioned=True)
            return
        has_word = cursor.accept("COLUMN")
        if not has_word and is_key(cursor):
            add_key(cursor, self.database, self.alteration)
            return
        if_absent = cursor.accept_all("IF", "NOT", "EXISTS")
        if not cursor.accept_sign("("):
            self._add_column(if_absent=if_absent)
            return
        while True:
            if is_key(cursor):
                add_key(cursor, self.database, self.alteration)
            else:
                self._add_column(if_absent=if_absent)
            if not cursor.accept_sign(","):
                break
        if not cursor.accept_sign(")"):
            raise NotUnderstoodError(f"{cursor.peek.text} where ) is expected")

    def _add_column(self, *, if_absent: bool) -> None:
        column = take_column(self.cursor, self.alteration, is_conditional=if_absent)
        position = self._read_position()
        self.alteration.changes.append(ColumnChange(None, column, position, if_absent))

    def _read_drop(self) -> None:
        cursor = self.cursor
        if cursor.accept("PARTITION"):
            self._skip_all()
            return
        if self._is_versioning():
            self._set_versioned(is_versioned=False)
            return
        others = ("PRIMARY", "INDEX", "KEY", "FOREIGN", "CHECK", "CONSTRAINT")
        if cursor.peek.is_word(*others) or is_period(cursor):
            self.alteration.drops_key |= cursor.peek.is_word("PRIMARY")
            # A constraint may be a unique key, a foreign key or a check: if no index has its name,
            # it is none of them.
            is_constraint = cursor.accept("CONSTRAINT")
            if not is_constraint and cursor.accept("FOREIGN"):
                cursor.accept("KEY")
                cursor.accept_all("IF", "EXISTS")
                self.alteration.dropped_foreign_keys.append(cursor.take_name())
            elif is_constraint or cursor.accept("INDEX", "KEY"):
                if_present = cursor.accept_all("IF", "EXISTS")
                name = cursor.take_name()
                if is_constraint:
                    self.alteration.dropped_foreign_keys.append(name)
                if name.upper() == "PRIMARY":
                    self.alteration.drops_key = True
                else:
                    change = IndexChange(None, name, if_present or is_constraint)
                    self.alteration.indexes.append(change)
            cursor.skip_item()
            return
        cursor.accept("COLUMN")
        if_present = cursor.accept_all("IF", "EXISTS")
        name = cursor.take_name()
        cursor.accept("RESTRICT", "CASCADE")
        self.alteration.dropped[name] = if_present

    def _read_change(self, *, has_old_name: bool) -> None:
        cursor = self.cursor
        cursor.accept("COLUMN")
        if_present = cursor.accept_all("IF", "EXISTS")
        old = cursor.take_name() if has_old_name else None
        column = take_column(cursor, self.alteration, is_conditional=if_present)
        position = self._read_position()
        name = old if old is not None else column.name
        self.alteration.changes.append(ColumnChange(name, column, position, if_present))

    def _read_rename(self) -> None:
        cursor = self.cursor
        if cursor.accept("INDEX", "KEY"):
            if_present = cursor.accept_all("IF", "EXISTS")
            old = cursor.take_name()
            cursor.expect("TO")
            new = TableIndex(cursor.take_name())
            self.alteration.indexes.append(IndexChange(new, old, if_present))
        elif cursor.accept("COLUMN"):
            alteration = self.alteration
            if_present = cursor.accept_all("IF", "EXISTS")
            old = cursor.take_name()
            cursor.expect("TO")
            renamed = alteration.renamed_if_present if if_present else alteration.renamed
            renamed[old] = cursor.take_name()
        else:
            if not cursor.accept("TO", "AS"):
                cursor.accept_sign("=")
            self.new_name = cursor.take_table_name(self.database)

    def _read_alter(self) -> None:
        """Read the visibility of a column; skip defaults, indexes and checks."""
        cursor = self.cursor
        if not cursor.peek.is_word("INDEX", "CHECK", "CONSTRAINT"):
            cursor.accept("COLUMN")
            name = cursor.take_name()
            if cursor.accept("SET") and cursor.peek.is_word("VISIBLE", "INVISIBLE"):
                self.alteration.invisible[name] = cursor.peek.is_word("INVISIBLE")
        cursor.skip_item()

    def _read_convert(self) -> None:
        cursor = self.cursor
        if cursor.peek.is_word("TABLE", "PARTITION"):  # MariaDB: partitions from and to tables
            self._skip_all()
            return
        cursor.expect("TO")
        if not cursor.accept("CHARSET"):
            cursor.expect("CHARACTER", "CHAR")
            cursor.expect("SET")
        charset = read_charset(cursor)
        if cursor.accept("COLLATE"):
            charset = read_collation(cursor) or charset
        self.alteration.converted = _known(charset)


def _known(charset: str | None) -> str:
    """Return a character set that a statement names; raises NotUnderstoodError."""
    if charset is None:
        raise NotUnderstoodError("a character set that is not named")
    return charset
