"""Reads keys and constraints among the columns of a definition."""

from __future__ import annotations

from typing import Final, NamedTuple

from pyspark_adapter.ddl.constraints import ForeignKey, IndexChange, TableIndex, read_actions
from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError, Token, TokenKind

# Words that begin a key or a constraint, and are never names without quotes.
_RESERVED: Final = frozenset(
    {"INDEX", "KEY", "UNIQUE", "FULLTEXT", "SPATIAL", "PRIMARY", "FOREIGN", "CONSTRAINT"}
    | {"CHECK"}
)
# Servers allow 16 (MySQL) and 32 (MariaDB).
_MAX_PARTS: Final = 64


class Key(NamedTuple):
    """What a key or constraint says of rows.

    Attributes:
        primary: the columns of a primary key, which are never NULL.
        period: those of a period, or of a primary key with a period, which are never NULL either.
        is_history: whether it is PERIOD FOR SYSTEM_TIME: columns that the definition lists have
            the times of the history.
        foreign: a foreign key with CASCADE or SET.
        change: the index that any other key adds.
    """

    primary: tuple[str, ...] = ()
    period: tuple[str, ...] = ()
    is_history: bool = False
    foreign: ForeignKey | None = None
    change: IndexChange | None = None


def is_key(cursor: SqlCursor) -> bool:
    """Return whether a key or a constraint comes next, and not a column."""
    if cursor.peek.is_word(*_RESERVED):
        return True
    # VECTOR may be the name of a column.
    is_vector = cursor.peek.is_word("VECTOR") and cursor.peek_second().is_word("INDEX", "KEY")
    return is_vector or is_period(cursor)


def is_period(cursor: SqlCursor) -> bool:
    """Return whether a period of MariaDB comes next, and not a column of this name."""
    return cursor.peek.is_word("PERIOD") and cursor.peek_second().is_word("FOR", "IF")


def read_key(cursor: SqlCursor, database: str) -> Key:
    """Read a key or constraint."""
    name = ""
    if cursor.accept("CONSTRAINT") and not cursor.peek.is_word(*_RESERVED):
        name = cursor.take_name()
    if cursor.accept("FOREIGN"):
        return Key(foreign=_read_foreign(cursor, database, name))
    if cursor.accept("PRIMARY"):
        cursor.expect("KEY")
        while not (cursor.is_at_end_of_item or cursor.peek.is_sign("(")):
            cursor.take()  # its name or USING BTREE
        parts = cursor.take_brackets()
        names, _ = _read_parts(parts)
        cursor.skip_item()
        # WITHOUT OVERLAPS: values of the columns occur again in other periods.
        return Key(period=names) if any(t.is_word("OVERLAPS") for t in parts) else Key(names)
    if cursor.accept("PERIOD"):
        cursor.accept_all("IF", "NOT", "EXISTS")
        cursor.expect("FOR")
        is_history = cursor.take_name().upper() == "SYSTEM_TIME"
        return Key(period=_read_parts(cursor.take_brackets())[0], is_history=is_history)
    if cursor.peek.is_word("CHECK"):
        cursor.skip_item()
        return Key()
    is_unique = cursor.accept("UNIQUE")
    if not is_unique:
        cursor.accept("FULLTEXT", "SPATIAL", "VECTOR")
    cursor.accept("INDEX", "KEY")
    return Key(change=read_index(cursor, is_unique=is_unique, constraint=name))


def read_index(cursor: SqlCursor, *, is_unique: bool, constraint: str = "") -> IndexChange:
    """Read the name and the columns of a new index."""
    if_absent = cursor.accept_all("IF", "NOT", "EXISTS")
    name = constraint
    if not (cursor.is_at_end_of_item or cursor.peek.is_word("USING", "TYPE", "ON")) and (
        not cursor.peek.is_sign("(")
    ):
        name = cursor.take_name()
    while not (cursor.is_at_end_of_item or cursor.peek.is_sign("(")):
        cursor.take()  # USING BTREE, ON t
    names, is_plain = _read_parts(cursor.take_brackets())
    cursor.skip_item()
    name = name or (names[0] if names else "functional_index")
    return IndexChange(TableIndex(name, names, is_unique and is_plain), None, if_absent)


def _read_parts(tokens: list[Token]) -> tuple[tuple[str, ...], bool]:
    """Return the columns of an index, and whether it is over nothing but these columns.

    Parts may also be prefixes `c(10)`, expressions in brackets, and in MariaDB a period
    (WITHOUT OVERLAPS).

    Raises:
        NotUnderstoodError: if there are more than an index can have.
    """
    names: list[str] = []
    is_first, is_plain, depth = True, True, 0
    for token in tokens:
        if token.kind is TokenKind.SIGN:
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            is_plain &= token.text == ","
            is_first = token.text == "," and depth == 0
        elif is_first:
            names.append(token.text)
            is_first = False
        elif token.is_word("WITHOUT"):  # OVERLAPS: the name is that of a period
            del names[-1:]
            is_plain = False
        else:
            is_plain &= token.is_word("ASC", "DESC")
    if len(names) > _MAX_PARTS:
        raise NotUnderstoodError("too many columns in an index")
    return tuple(names), is_plain


def _read_foreign(cursor: SqlCursor, database: str, name: str) -> ForeignKey | None:
    """Return a foreign key, if its changes are carried over."""
    columns: tuple[str, ...] = ()
    while not (cursor.is_at_end_of_item or cursor.peek.is_word("REFERENCES")):
        if cursor.peek.is_sign("("):
            columns, _ = _read_parts(cursor.take_brackets())
        else:
            cursor.take()
    if not cursor.accept("REFERENCES"):
        return None
    parent = cursor.take_table_name(database)
    parent_columns: tuple[str, ...] = ()
    if cursor.peek.is_sign("("):
        parent_columns, _ = _read_parts(cursor.take_brackets())
    on_delete, on_update = read_actions(cursor)
    if not (on_delete or on_update):
        return None
    return ForeignKey(parent, columns, parent_columns, on_delete, on_update, name)
