"""Skips keys and constraints among the columns of a definition."""

from __future__ import annotations

from typing import Final

from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_tokens import TokenKind

_RESERVED: Final = ("INDEX", "KEY", "UNIQUE", "FULLTEXT", "SPATIAL", "PRIMARY", "FOREIGN")
_RESERVED_TOO: Final = ("CONSTRAINT", "CHECK")


def is_key(cursor: SqlCursor) -> bool:
    """Return whether a key or a constraint comes next, and not a column."""
    if cursor.peek.is_word(*_RESERVED, *_RESERVED_TOO):
        return True
    # These may be names of columns.
    if cursor.peek.is_word("PERIOD"):
        return cursor.peek_second().is_word("FOR")
    return cursor.peek.is_word("VECTOR") and cursor.peek_second().is_word("INDEX", "KEY")


def read_key(cursor: SqlCursor) -> list[str]:
    """Skip it; return the columns of a primary key, which are never NULL."""
    if cursor.accept("CONSTRAINT") and not cursor.peek.is_word(*_RESERVED, *_RESERVED_TOO):
        cursor.take_name()
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
    return names
