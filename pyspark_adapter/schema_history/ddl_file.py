"""Reads table definitions from a file, as `mysqldump --no-data` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pyspark_adapter.ddl.sql_definitions import parse_tokens
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import (
    END,
    NotUnderstoodError,
    SqlDialect,
    Token,
    tokenize,
)
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog


def read_ddl_file(path: str) -> dict[TableName, TableDefinition | None]:
    """Return the tables that exist after the statements of a file, which is UTF-8.

    Statements end in `;`. Tables before the first USE have an empty database, unless the statement
    names one. A definition that is not understood is None.

    Raises:
        OptionError: if the file cannot be read, or defines no table.
    """
    try:
        text = Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise _refuse(path, f"cannot be read: {error.strerror or error}") from error
    catalog = Catalog()
    database = ""
    # MariaDB's dumps hold `/*M!100301 COMPRESSED*/`, MySQL's `/*!80023 INVISIBLE */`.
    dialect = SqlDialect(is_mariadb="/*M!" in text or "MariaDB dump" in text[:200])
    session = SqlSession(dialect, is_carried_out=True)
    try:
        for statement in _statements(text, dialect):
            if statement[0].is_word("USE") and len(statement) > 1:
                database = statement[1].text
                continue
            found = parse_tokens(iter([*statement, END]), database)
            if found is not None:
                catalog.follow(found, session)
    except NotUnderstoodError as error:
        raise _refuse(path, f"it is not SQL: {error}") from error
    if not catalog.tables:
        raise _refuse(path, "it defines no table")
    return catalog.tables


def _statements(text: str, dialect: SqlDialect) -> Iterator[list[Token]]:
    """Yield the tokens of each statement."""
    statement: list[Token] = []
    for token in tokenize(text, dialect):
        if token is END or token.is_sign(";"):
            if statement:
                yield statement
            statement = []
        else:
            statement.append(token)


def _refuse(path: str, reason: str) -> OptionError:
    return OptionError(
        f"option ddl: expected a file with CREATE TABLE statements, got {path!r}: {reason}",
        option="ddl",
        value=path,
    )
