"""Parses the definition of a column, as in CREATE TABLE and ALTER TABLE."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_defaults import read_default
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError, TokenKind
from pyspark_adapter.ddl.table_definition import (
    BINARY_FORMS,
    EXPRESSION,
    TEXT_TYPES,
    ColumnDefault,
    ColumnDefinition,
)
from pyspark_adapter.options.table_name import TableName

# Other names of types. Source: the rule `type` of sql_yacc.yy of MySQL and MariaDB.
_SYNONYMS: Final = MappingProxyType(
    {
        "INT1": "TINYINT",
        "BOOL": "TINYINT",
        "BOOLEAN": "TINYINT",
        "INT2": "SMALLINT",
        "INT3": "MEDIUMINT",
        "MIDDLEINT": "MEDIUMINT",
        "INT4": "INT",
        "INTEGER": "INT",
        "INT8": "BIGINT",
        "DEC": "DECIMAL",
        "NUMERIC": "DECIMAL",
        "FIXED": "DECIMAL",
        "FLOAT4": "FLOAT",
        "FLOAT8": "DOUBLE",
        "CHARACTER": "CHAR",
        "NCHAR": "CHAR",
        "NVARCHAR": "VARCHAR",
        "VARCHARACTER": "VARCHAR",
        "GEOMCOLLECTION": "GEOMETRYCOLLECTION",
    }
)
# Attributes that say nothing of names, types or values: alone, or with one word or `= word`.
_PLAIN_ATTRIBUTES: Final = frozenset(
    {"SIGNED", "VIRTUAL", "STORED", "PERSISTENT", "ENFORCED", "SECONDARY"}
)
_ATTRIBUTES_WITH_VALUE: Final = frozenset(
    {"COMMENT", "COLUMN_FORMAT", "STORAGE", "SRID", "CONSTRAINT", "COMPRESSED"}
    | {"ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE"}
)
# In ALTER TABLE these follow the last item without a comma.
AFTER_ITEMS: Final = ("PARTITION", "REMOVE")


@dataclass(slots=True)
class _Draft:
    """A column as read so far."""

    sql_type: str
    arguments: tuple[int, ...] = ()
    members: tuple[str, ...] = ()
    is_unsigned: bool = False
    charset: str | None = None
    collation_charset: str | None = None
    is_nullable: bool | None = True
    is_invisible: bool = False
    is_generated: bool = False
    key_part: int = 0
    is_unique: bool = False
    reference: TableName | None = None
    default: ColumnDefault | None = None


def read_column(cursor: SqlCursor) -> ColumnDefinition:
    """Read a column, up to a comma, a closing bracket, the end, FIRST, AFTER or AFTER_ITEMS.

    Raises:
        NotUnderstoodError: if something in it is unknown.
    """
    name = cursor.take_name()
    draft = _read_type(cursor)
    while not (cursor.is_at_end_of_item or cursor.peek.is_word("FIRST", "AFTER", *AFTER_ITEMS)):
        _read_attribute(cursor, draft)
    charset = draft.collation_charset or draft.charset
    sql_type = draft.sql_type
    if charset == "binary" and sql_type in BINARY_FORMS:
        sql_type, charset = BINARY_FORMS[sql_type], None
    if sql_type not in TEXT_TYPES:
        charset = None
    return ColumnDefinition(
        name,
        sql_type,
        draft.arguments,
        draft.members,
        draft.is_unsigned,
        charset,
        is_nullable=draft.is_nullable,
        is_invisible=draft.is_invisible,
        is_generated=draft.is_generated,
        key_part=draft.key_part,
        is_unique=draft.is_unique,
        reference=draft.reference,
        default=draft.default,
    )


def read_charset(cursor: SqlCursor) -> str | None:
    """Return the name of a character set, perhaps after a sign `=`; None for DEFAULT.

    Raises:
        NotUnderstoodError: if something else is there.
    """
    cursor.accept_sign("=")
    token = cursor.take()
    if token.kind not in (TokenKind.WORD, TokenKind.NAME, TokenKind.STRING):
        raise NotUnderstoodError(f"a character set {token.text}")
    return None if token.is_word("DEFAULT") else token.text.lower()


def read_collation(cursor: SqlCursor) -> str | None:
    """Return the character set with which the name of a collation begins, as `read_charset` does.

    None for DEFAULT, and for a collation of several sets, such as `uca1400_ai_ci` of MariaDB.
    """
    charset = (read_charset(cursor) or "").partition("_")[0]
    return None if charset.startswith("uca") else charset or None


def _read_type(cursor: SqlCursor) -> _Draft:
    word = cursor.take_word()
    draft = _Draft(_SYNONYMS.get(word, word))
    if word == "NATIONAL":
        draft.sql_type = "VARCHAR" if cursor.take_word().startswith("VARCHAR") else "CHAR"
        draft.charset = "utf8"
    elif word in ("NCHAR", "NVARCHAR"):
        draft.charset = "utf8"
    elif word == "LONG":
        draft.sql_type = "MEDIUMTEXT"
        if cursor.accept("VARBINARY"):
            draft.sql_type = "MEDIUMBLOB"
        elif not cursor.accept("VARCHAR", "VARCHARACTER"):
            cursor.accept("CHAR", "CHARACTER")
    elif word == "DOUBLE":
        cursor.accept("PRECISION")
    elif word == "SERIAL":
        draft.sql_type, draft.is_unsigned, draft.is_nullable = "BIGINT", True, False
        draft.is_unique, draft.default = True, EXPRESSION
    elif word == "TIMESTAMP":
        draft.is_nullable = None  # see `explicit_defaults_for_timestamp`
    if draft.sql_type == "CHAR" and cursor.accept("VARYING", "VARCHAR", "VARCHARACTER"):
        draft.sql_type = "VARCHAR"
    elif word == "LONG":
        cursor.accept("VARYING")
    if cursor.peek.is_sign("("):
        _read_arguments(cursor, draft)
    if draft.sql_type == "FLOAT" and len(draft.arguments) == 1 and draft.arguments[0] > 24:
        draft.sql_type = "DOUBLE"
    return draft


def _read_arguments(cursor: SqlCursor, draft: _Draft) -> None:
    items = cursor.take_brackets()
    values = [token for token in items if not token.is_sign(",")]
    if draft.sql_type in ("ENUM", "SET"):
        if not values or any(token.kind is not TokenKind.STRING for token in values):
            raise NotUnderstoodError(f"members of {draft.sql_type} that are no strings")
        draft.members = tuple(_checked(token.text.rstrip(" ")) for token in values)
    elif all(token.kind is TokenKind.WORD and token.text.isdecimal() for token in values):
        draft.arguments = tuple(int(token.text[:20]) for token in values)
    else:
        raise NotUnderstoodError(f"arguments of type {draft.sql_type}")


def _checked(text: str) -> str:
    """Return text that is valid Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotUnderstoodError("text that is not valid in its character set") from error
    return text


def _read_attribute(cursor: SqlCursor, draft: _Draft) -> None:
    """Read one attribute of a column."""
    token = cursor.take()
    word = token.text.upper() if token.kind is TokenKind.WORD else ""
    if word in ("UNSIGNED", "ZEROFILL"):
        draft.is_unsigned = True
    elif word == "NOT":
        if cursor.accept("NULL"):
            draft.is_nullable = False
    elif word == "NULL":
        draft.is_nullable = True
    elif word in ("PRIMARY", "KEY", "AUTO_INCREMENT"):  # KEY alone is PRIMARY KEY
        draft.is_nullable = False
        draft.key_part = int(word != "AUTO_INCREMENT" or draft.key_part)
        draft.default = EXPRESSION if word == "AUTO_INCREMENT" else draft.default
    elif word == "UNIQUE":
        cursor.accept("KEY")
        draft.is_unique = True
    elif word in ("CHARACTER", "CHAR"):
        cursor.expect("SET")
        draft.charset = read_charset(cursor)
    elif word == "CHARSET":
        draft.charset = read_charset(cursor)
    elif word == "COLLATE":
        draft.collation_charset = read_collation(cursor)
    elif word in ("ASCII", "UNICODE", "BYTE"):
        draft.charset = {"ASCII": "latin1", "UNICODE": "ucs2", "BYTE": "binary"}[word]
    elif word == "BINARY":
        pass  # a collation of the same character set
    elif word == "SERIAL":  # SERIAL DEFAULT VALUE
        cursor.expect("DEFAULT")
        cursor.expect("VALUE")
        draft.is_nullable = False
        draft.is_unique = True
        draft.default = EXPRESSION
    elif word in ("INVISIBLE", "VISIBLE"):
        draft.is_invisible = word == "INVISIBLE"
    elif word in _PLAIN_ATTRIBUTES:
        pass
    elif word in _ATTRIBUTES_WITH_VALUE:
        _skip_value(cursor, word)
    elif cursor.accept_sign("="):  # an option of one of MariaDB's storage engines
        cursor.take()
    else:
        _skip_expression(cursor, word or token.text, draft)


def _skip_value(cursor: SqlCursor, word: str) -> None:
    has_sign = cursor.accept_sign("=")
    if word == "COMPRESSED" and not has_sign:
        return
    if word == "CONSTRAINT" and cursor.peek.is_word("CHECK"):
        return
    cursor.take()


def _skip_expression(cursor: SqlCursor, word: str, draft: _Draft) -> None:
    """Skip an attribute that holds an expression or a reference."""
    if word == "DEFAULT":
        draft.default = read_default(cursor)
    elif word == "ON":
        cursor.expect("UPDATE")
        read_default(cursor)
    elif word in ("GENERATED", "CHECK", "AS"):
        draft.is_generated |= word != "CHECK"
        if word == "GENERATED":
            cursor.accept("ALWAYS")
            cursor.expect("AS")
        if cursor.accept("ROW"):
            cursor.expect("START", "END")
            draft.is_nullable = False
        else:
            cursor.take_brackets()
    elif word in ("WITH", "WITHOUT"):
        cursor.expect("SYSTEM")
        cursor.expect("VERSIONING")
    elif word == "REFERENCES":
        draft.reference = _read_reference(cursor)
    else:
        raise NotUnderstoodError(f"the attribute {word}")


def _read_reference(cursor: SqlCursor) -> TableName | None:
    """Return the table of a reference, if its changes are carried over."""
    parent, carries_over = cursor.take_table_name(""), False
    if cursor.peek.is_sign("("):
        cursor.take_brackets()
    while True:
        if cursor.accept("MATCH"):
            cursor.take()
        elif cursor.peek.is_word("ON"):
            cursor.take()
            cursor.expect("DELETE", "UPDATE")
            if cursor.accept("SET"):
                cursor.expect("NULL", "DEFAULT")
                carries_over = True
            elif cursor.accept("NO"):
                cursor.expect("ACTION")
            else:
                carries_over |= cursor.peek.is_word("CASCADE")
                cursor.expect("RESTRICT", "CASCADE")
        else:
            return parent if carries_over else None
