"""Parses the statements that create, alter, rename and drop tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from pyspark_adapter.ddl.constraints import IndexChange, with_indexes
from pyspark_adapter.ddl.sql_alter import add_key, read_alteration, take_column
from pyspark_adapter.ddl.sql_columns import read_charset, read_collation
from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_keys import is_key, read_index
from pyspark_adapter.ddl.sql_tokens import (
    NotUnderstoodError,
    SqlDialect,
    Token,
    TokenKind,
    tokenize,
)
from pyspark_adapter.ddl.table_definition import (
    ROW_END,
    SEQUENCE,
    Alteration,
    ColumnDefinition,
    TableDefinition,
)
from pyspark_adapter.format.schema import ParseCache
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.table_name import TableName

# Storage engines that read foreign keys and forget them.
_WITHOUT_FOREIGN_KEYS: Final = ("MYISAM", "ARIA", "MEMORY", "HEAP", "CSV", "ARCHIVE", "BLACKHOLE")
# Of longer statements only the table is read; its definition is unknown then.
MAX_TEXT: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class CreateTable:
    """CREATE TABLE.

    Attributes:
        definition: its columns; None if they are unknown, as after CREATE TABLE ... SELECT.
        like: the table of CREATE TABLE ... LIKE.
        if_absent: whether it does nothing if the table exists.
        replaces: OR REPLACE, which drops the table first.
    """

    table: TableName
    definition: TableDefinition | None = None
    like: TableName | None = None
    if_absent: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class AlterTable:
    """ALTER TABLE, CREATE INDEX or DROP INDEX.

    Attributes:
        alteration: of its columns.
        new_name: if the table is renamed.
    """

    table: TableName
    alteration: Alteration
    new_name: TableName | None = None


@dataclass(frozen=True, slots=True)
class RenameTables:
    """RENAME TABLE: pairs of an old and a new name, in order."""

    names: tuple[tuple[TableName, TableName], ...]


@dataclass(frozen=True, slots=True)
class DropTables:
    """DROP TABLE."""

    tables: tuple[TableName, ...]


@dataclass(frozen=True, slots=True)
class TruncateTable:
    """TRUNCATE, which removes all rows of a table."""

    table: TableName


@dataclass(frozen=True, slots=True)
class SetDatabase:
    """CREATE or ALTER DATABASE.

    Attributes:
        charset: default of its tables; None if the statement names none.
        if_absent: whether it does nothing if the database exists.
    """

    database: str
    charset: str | None
    is_new: bool
    if_absent: bool = False


@dataclass(frozen=True, slots=True)
class DropDatabase:
    """DROP DATABASE.

    Attributes:
        names: as the statement spells it, and in lower case if a server with
            `lower_case_table_names=1` logs it so.
    """

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownChange:
    """A statement about tables that is not understood.

    Attributes:
        table: the table; None if even that is not known.
        creates: whether it creates the table, if there is none yet.
        if_absent: whether it does nothing if the table exists.
        replaces: whether it drops the table first.
        reason: the statement, and why its effect is unknown although it is understood; else empty.
    """

    table: TableName | None
    creates: bool = False
    if_absent: bool = False
    replaces: bool = False
    reason: str = ""


Definition = (
    CreateTable
    | AlterTable
    | RenameTables
    | DropTables
    | TruncateTable
    | SetDatabase
    | DropDatabase
    | UnknownChange
)


# Most reads parse the statements of a log twice: for the columns of its tables, and for its rows.
# A column has three letters at least; parsed, it takes some 500 bytes.
_KNOWN: Final[ParseCache[tuple[str, str, SqlDialect], Definition | None]] = ParseCache(1 << 19)


def parse_definition(text: str, database: str, dialect: SqlDialect) -> Definition | None:
    """Return what a statement does to tables; None if it does nothing to them.

    Temporary tables are ignored, since their rows are not logged.
    """
    if len(text) <= MAX_TEXT:
        key = text, database, dialect
        return _KNOWN.find(key, len(text), lambda: parse_tokens(tokenize(text, dialect), database))
    change = parse_tokens(tokenize(text[:MAX_TEXT], dialect), database)
    if change is None:
        return None
    if isinstance(change, CreateTable):
        return UnknownChange(change.table, True, change.if_absent, change.replaces)
    if isinstance(change, AlterTable):
        return UnknownChange(change.table)
    return change if isinstance(change, UnknownChange) else UnknownChange(None)


def parse_tokens(tokens: Iterator[Token], database: str) -> Definition | None:
    """Return what a statement does to tables, as `parse_definition` does."""
    parser = _Parser(database)
    try:
        return parser.parse(SqlCursor(tokens))
    except NotUnderstoodError:
        return UnknownChange(parser.table, parser.creates, parser.if_absent, parser.replaces)


@dataclass
class _Parser:
    """Reads one statement.

    Attributes:
        database: the default database.
        table: the table of the statement, once it is known.
        creates: whether it creates that table.
        if_absent: whether it does nothing if the table exists.
        replaces: whether it drops the table first.
    """

    database: str
    table: TableName | None = None
    creates: bool = False
    if_absent: bool = False
    replaces: bool = False
    _cursor: SqlCursor = field(init=False)

    def parse(self, cursor: SqlCursor) -> Definition | None:
        """Return what the statement does; raises NotUnderstoodError."""
        self._cursor = cursor
        while cursor.accept_sign("("):
            pass
        first = cursor.take_word() if cursor.peek.kind is TokenKind.WORD else ""
        while first == "SET" and cursor.accept("STATEMENT"):  # MariaDB: for one statement
            while not cursor.accept("FOR"):
                cursor.take()
            first = cursor.take_word() if cursor.peek.kind is TokenKind.WORD else ""
        readers: dict[str, Callable[[], Definition | None]] = {
            "CREATE": self._parse_create,
            "ALTER": self._parse_alter,
            "DROP": self._parse_drop,
            "RENAME": self._parse_rename,
            "TRUNCATE": self._parse_truncate,
        }
        return readers[first]() if first in readers else None

    def _take_table(self) -> TableName:
        self.table = self._cursor.take_table_name(self.database)
        return self.table

    def _parse_create(self) -> Definition | None:
        cursor = self._cursor
        self.replaces = cursor.accept_all("OR", "REPLACE")
        cursor.accept("ONLINE", "OFFLINE")  # an index
        if cursor.accept("DATABASE", "SCHEMA"):
            if_absent = cursor.accept_all("IF", "NOT", "EXISTS")
            return self._parse_database(is_new=True, if_absent=if_absent)
        kind = cursor.take_word()
        if kind in ("UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "INDEX"):
            return self._parse_create_index(kind)
        if kind not in ("TABLE", "SEQUENCE"):
            return None
        self.if_absent = cursor.accept_all("IF", "NOT", "EXISTS")
        table = self._take_table()
        self.creates = True
        definition = like = None
        if kind == "SEQUENCE":
            definition = SEQUENCE
        else:
            in_brackets = cursor.accept_sign("(")
            if cursor.accept("LIKE"):
                like = cursor.take_table_name(self.database)
            elif in_brackets and not cursor.peek.is_word("SELECT", "WITH", "VALUES", "TABLE"):
                definition = self._parse_table()
        return CreateTable(table, definition, like, self.if_absent, self.replaces)

    def _parse_create_index(self, kind: str) -> AlterTable:
        cursor = self._cursor
        if kind != "INDEX":
            cursor.expect("INDEX")
        if_absent = cursor.accept_all("IF", "NOT", "EXISTS")
        name = cursor.take_name()
        while not cursor.accept("ON"):
            cursor.take()  # USING BTREE
        table = self._take_table()
        change = read_index(cursor, is_unique=kind == "UNIQUE", constraint=name)
        changes = [IndexChange(None, name, is_conditional=True)] if self.replaces else []
        changes.append(replace(change, is_conditional=if_absent))
        return AlterTable(table, Alteration(indexes=changes))

    def _parse_drop_index(self) -> AlterTable:
        cursor = self._cursor
        if_present = cursor.accept_all("IF", "EXISTS")
        name = cursor.take_name()
        cursor.expect("ON")
        table = self._take_table()
        if name.upper() == "PRIMARY":
            return AlterTable(table, Alteration(drops_key=True))
        return AlterTable(table, Alteration(indexes=[IndexChange(None, name, if_present)]))

    def _parse_table(self) -> TableDefinition | None:
        """Read columns and options; None if a query adds columns."""
        cursor = self._cursor
        columns: list[ColumnDefinition] = []
        alteration = Alteration()
        while True:
            if is_key(cursor):
                add_key(cursor, self.database, alteration)
            else:
                columns.append(take_column(cursor, alteration))
            if not cursor.accept_sign(",") or len(columns) > lay.MAX_COLUMNS:
                break
        if not cursor.accept_sign(")"):
            raise NotUnderstoodError(f"{cursor.peek.text} where ) is expected")
        options = _TableOptions.read(cursor)
        if options.has_query:
            return None
        definition = TableDefinition(
            tuple(columns),
            options.charset,
            row_end=(alteration.row_end or ROW_END) if options.is_versioned else None,
            foreign_keys=tuple(alteration.foreign_keys),
            indexes=with_indexes((), alteration.indexes),
        )
        if not options.has_foreign_keys:
            definition = definition.without_foreign_keys()
        return definition.with_key(alteration.new_key, alteration.never_null)

    def _parse_database(self, *, is_new: bool, if_absent: bool = False) -> SetDatabase:
        cursor = self._cursor
        # ALTER DATABASE without a name is about the default one.
        named = cursor.peek.kind is TokenKind.NAME or not (
            cursor.is_at_end_of_item
            or cursor.peek.is_word("DEFAULT", "CHARACTER", "CHARSET", "COLLATE")
        )
        name = cursor.take_name() if named else self.database
        options = _TableOptions.read(cursor)
        return SetDatabase(name, options.charset, is_new, if_absent)

    def _parse_alter(self) -> Definition | None:
        cursor = self._cursor
        if cursor.accept("DATABASE", "SCHEMA"):
            return self._parse_database(is_new=False)
        while cursor.accept("ONLINE", "OFFLINE", "IGNORE"):
            pass
        if not cursor.accept("TABLE"):
            return None
        cursor.accept_all("IF", "EXISTS")
        table = self._take_table()
        return AlterTable(table, *read_alteration(cursor, self.database))

    def _parse_drop(self) -> Definition | None:
        cursor = self._cursor
        if cursor.accept("DATABASE", "SCHEMA"):
            cursor.accept_all("IF", "EXISTS")
            name = cursor.take_name()
            # The default database of the event is the one that is dropped. Source: mysql_rm_db of
            # sql_db.cc, MySQL and MariaDB.
            is_lower = name != self.database == name.lower()
            return DropDatabase((name, self.database) if is_lower else (name,))
        cursor.accept("ONLINE", "OFFLINE")  # an index
        if cursor.accept("INDEX"):
            return self._parse_drop_index()
        if not cursor.accept("TABLE", "TABLES"):
            return None
        cursor.accept_all("IF", "EXISTS")
        tables = [cursor.take_table_name(self.database)]
        while cursor.accept_sign(","):
            tables.append(cursor.take_table_name(self.database))
        return DropTables(tuple(tables))

    def _parse_truncate(self) -> TruncateTable:
        self._cursor.accept("TABLE")
        return TruncateTable(self._take_table())

    def _parse_rename(self) -> Definition | None:
        cursor = self._cursor
        if not cursor.accept("TABLE", "TABLES"):
            return None  # RENAME USER
        cursor.accept_all("IF", "EXISTS")
        names = []
        while True:
            old = cursor.take_table_name(self.database)
            if cursor.accept("WAIT"):
                cursor.take()
            else:
                cursor.accept("NOWAIT")
            cursor.expect("TO")
            names.append((old, cursor.take_table_name(self.database)))
            if not cursor.accept_sign(","):
                break
        if not cursor.is_at_end_of_item:
            raise NotUnderstoodError(f"{cursor.peek.text} after RENAME TABLE")
        return RenameTables(tuple(names))


@dataclass(slots=True)
class _TableOptions:
    """The options after the columns of a table or the name of a database."""

    charset: str | None = None
    is_versioned: bool = False
    has_query: bool = False
    has_foreign_keys: bool = True  # else the storage engine has none

    @classmethod
    def read(cls, cursor: SqlCursor) -> _TableOptions:
        """Read to the end of the statement."""
        options = cls()
        while not cursor.is_at_end:
            token = cursor.peek
            if token.is_sign("("):
                cursor.take_brackets()
                continue
            cursor.take()
            if token.is_word("SELECT", "VALUES", "TABLE", "AS") and not cursor.is_at_end:
                options.has_query |= not cursor.peek.is_word("LESS", "IN")  # of PARTITION
            elif token.is_word("CHARSET") or (
                token.is_word("CHARACTER", "CHAR") and cursor.accept("SET")
            ):
                options.charset = read_charset(cursor) or options.charset
            elif token.is_word("COLLATE"):
                options.charset = read_collation(cursor) or options.charset
            elif token.is_word("ENGINE"):
                cursor.accept_sign("=")
                options.has_foreign_keys = not cursor.take().is_word(*_WITHOUT_FOREIGN_KEYS)
            elif token.is_word("WITH") and cursor.accept_all("SYSTEM", "VERSIONING"):
                options.is_versioned = True
        return options
