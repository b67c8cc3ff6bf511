"""Reads table definitions from a file, as `mysqldump --no-data` writes it."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import END, NotUnderstoodError, SqlDialect, Token, tokenize
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName, quoted
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.timeline.catalog import Catalog
from pyspark_adapter.timeline.ddl import change_of

_PLACE: Final = re.compile(
    r"^(?:-- *)?CHANGE (?:REPLICATION SOURCE|MASTER) TO [^;\n]*?"
    r"(?:SOURCE|MASTER)_LOG_FILE='([^']+)', *(?:SOURCE|MASTER)_LOG_POS=(\d{1,18})\b",
    re.MULTILINE | re.IGNORECASE,
)
# The rows of a dump, which take long to parse.
_ROWS: Final = re.compile(r"^(?:INSERT|REPLACE)[A-Z ]* INTO .*?\);$", re.MULTILINE | re.DOTALL)
_DELIMITER: Final = re.compile(r"^DELIMITER[ \t]+(\S+)[^\n]*$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class UserDdl:
    """The tables that a user defines (option ddl).

    Attributes:
        tables: as the file has them; None if a definition is not understood. An empty database
            name means any database.
        position: number of the log, and offset in it, that the file describes; None if unknown.
        log_name: of that log.
    """

    tables: dict[TableName, TableDefinition | None] = field(default_factory=dict)
    position: tuple[int, int] | None = None
    log_name: str = ""

    @classmethod
    def of(cls, options: BinlogOptions) -> UserDdl:
        """Return the tables of the option ddl; none without it; raises OptionError."""
        return cls() if options.ddl is None else read_ddl_file(options.ddl)

    def find(self, table: TableName) -> TableDefinition | None:
        """Return a table as the file defines it; None if it does not."""
        return self.tables.get(table) or self.tables.get(TableName("", table.table_name))

    def definitions(self) -> Iterator[tuple[TableName, TableDefinition]]:
        """Yield the tables whose definition is understood."""
        return (
            (table, definition)
            for table, definition in self.tables.items()
            if definition is not None
        )

    def defines_all(self, options: BinlogOptions) -> bool:
        """Return whether it defines each table of a read, so that no statement before matters.

        A table of any database does not count: statements do not change it, they take its place.
        """
        if options.table is not None:
            return self.tables.get(options.table) is not None
        names = [(pattern.database.name, pattern.table.name) for pattern in options.tables or ()]
        return bool(names) and all(
            database is not None
            and table is not None
            and self.tables.get(TableName(database, table)) is not None
            for database, table in names
        )


def read_ddl_file(path: str) -> UserDdl:
    """Return the tables that exist after the statements of a file; raises OptionError.

    It is UTF-8, or UTF-16 with a byte order mark, as PowerShell redirects the output of mysqldump.

    Statements end in `;`, or as DELIMITER says. Tables before the first USE have an empty database,
    unless the statement names one. A definition that is not understood is None. Their position in
    the logs is that of CHANGE REPLICATION SOURCE or CHANGE MASTER, also in a comment:
    `mysqldump --source-data`.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise _refuse(path, f"cannot be read: {error.strerror or error}") from error
    is_wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = data.decode("utf-16") if is_wide else data.decode("utf-8-sig", "surrogateescape")
    except UnicodeDecodeError as error:
        raise _refuse(path, "it begins as UTF-16, and is not") from error
    text = _ROWS.sub("", text.replace("\r\n", "\n"))
    catalog = Catalog()
    database = ""
    # MariaDB's dumps hold `/*M!100301 COMPRESSED*/`, MySQL's `/*!80023 INVISIBLE */`. They begin
    # with `/*M!999999\- enable the sandbox mode */`, which is for the client alone.
    dialect = SqlDialect(999_998, is_mariadb="/*M!" in text or "MariaDB dump" in text[:200])
    session = SqlSession(dialect, is_carried_out=True)
    try:
        for statement in _statements(text, dialect):
            if statement[0].is_word("USE") and len(statement) > 1:
                database = statement[1].text
                continue
            change = change_of(iter([*statement, END]), database, dialect)
            if change is not None:
                catalog.follow(change, session)
    except NotUnderstoodError as error:
        raise _refuse(path, f"it is not SQL: {error}") from error
    if not catalog.tables:
        raise _refuse(path, "it defines no table")
    position = _PLACE.search(text)
    if position is None:
        return UserDdl(catalog.tables)
    return UserDdl(catalog.tables, (log_number(position[1]), int(position[2])), position[1])


def written_ddl(definitions: Mapping[TableName, str], log_name: str, pos: int) -> str:
    """Return a file of definitions, by table, as `read_ddl_file` takes them at a position."""
    position = f"-- CHANGE MASTER TO MASTER_LOG_FILE='{log_name}', MASTER_LOG_POS={pos}"
    texts = [f"USE {quoted(name.database_name)};\n{text}" for name, text in definitions.items()]
    return ";\n".join([position, *texts]) + ";\n"


def _statements(text: str, dialect: SqlDialect) -> Iterator[list[Token]]:
    """Yield the tokens of each statement; a routine between two DELIMITER is one."""
    parts = iter([";", *_DELIMITER.split(text)])
    for delimiter, part in zip(parts, parts, strict=True):
        *end, _ = tokenize(delimiter, dialect)
        statement: list[Token] = []
        for token in tokenize(part, dialect):
            statement.append(token)
            if token is END or statement[-len(end) :] == end:
                del statement[-1 if token is END else -len(end) :]
                if statement:
                    yield statement
                statement = []


def _refuse(path: str, reason: str) -> OptionError:
    return OptionError(
        f"option ddl: expected a file with CREATE TABLE statements, got {path!r}: {reason}",
        option="ddl",
        value=path,
    )
