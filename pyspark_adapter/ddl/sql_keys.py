"""Reads keys and constraints among the columns of a definition."""

from __future__ import annotations

from typing import Final, NamedTuple

from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_tokens import TokenKind
from pyspark_adapter.options.table_name import TableName

_RESERVED: Final = ("INDEX", "KEY", "UNIQUE", "FULLTEXT", "SPATIAL", "PRIMARY", "FOREIGN")
_RESERVED_TOO: Final = ("CONSTRAINT", "CHECK")


class Key(NamedTuple):
    """What a key or constraint says of rows.

    Attributes:
        primary: the columns of a primary key, which are never NULL.
        parent: the table of a foreign key whose changes the server carries over to the rows of
            this one, with CASCADE or SET.
    """

    primary: tuple[str, ...] = ()
    parent: TableName | None = None


def is_key(cursor: SqlCursor) -> bool:
    """Return whether a key or a constraint comes next, and not a column."""
    if cursor.peek.is_word(*_RESERVED, *_RESERVED_TOO):
        return True
    # These may be names of columns.
    if cursor.peek.is_word("PERIOD"):
        return cursor.peek_second().is_word("FOR")
    return cursor.peek.is_word("VECTOR") and cursor.peek_second().is_word("INDEX", "KEY")


def read_key(cursor: SqlCursor, database: str) -> Key:
    """Read a key or constraint.

    Args:
        cursor: at its first word.
        database: of tables that are named without one.
    """
    if cursor.accept("CONSTRAINT") and not cursor.peek.is_word(*_RESERVED, *_RESERVED_TOO):
        cursor.take_name()
    if cursor.accept("FOREIGN"):
        return Key(parent=_read_parent(cursor, database))
    names: list[str] = []
    if cursor.accept("PRIMARY"):
        cursor.expect("KEY")
        while not (cursor.is_at_end_of_item or cursor.peek.is_sign("(")):
            cursor.take()  # its name or USING BTREE
        is_first = True
        depth = 0
        for token in cursor.take_brackets():
            if token.kind is TokenKind.SIGN:
                depth += {"(": 1, ")": -1}.get(token.text, 0)
                is_first = is_first or (token.text == "," and depth == 0)
            elif is_first:
                names.append(token.text)
                is_first = False
    cursor.skip_item()
    return Key(tuple(names))


def _read_parent(cursor: SqlCursor, database: str) -> TableName | None:
    """Return the table of a foreign key, if its changes are carried over."""
    while not (cursor.is_at_end_of_item or cursor.peek.is_word("REFERENCES")):
        if cursor.peek.is_sign("("):
            cursor.take_brackets()
        else:
            cursor.take()
    parent, carries_over = None, False
    if cursor.accept("REFERENCES"):
        parent = cursor.take_table_name(database)
    while not cursor.is_at_end_of_item:
        if cursor.peek.is_sign("("):
            cursor.take_brackets()
        else:
            carries_over |= cursor.take().is_word("CASCADE", "SET")
    return parent if carries_over else None
