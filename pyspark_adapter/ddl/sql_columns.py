"""Parses the definition of a column, and its DEFAULT, as in CREATE TABLE and ALTER TABLE."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from pyspark_adapter.ddl.constraints import CASCADE, ForeignKey
from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError, Token, TokenKind
from pyspark_adapter.ddl.table_definition import (
    AUTO_INCREMENT,
    EXPRESSION,
    NULL,
    ColumnDefault,
    ColumnDefinition,
    in_charset,
)

_WORDS: Final = {
    "NULL": NULL,
    "TRUE": ColumnDefault("number", "1"),
    "FALSE": ColumnDefault("number", "0"),
}
# The base of the digits after them: X'ff', 0xff, b'101', 0b101.
_BASES: Final = {"X": 16, "0X": 16, "B": 2, "0B": 2}
_NUMBER: Final = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def read_default(cursor: SqlCursor) -> ColumnDefault:
    """Read a literal, a call or an expression in brackets; raises NotUnderstoodError."""
    if cursor.peek.is_sign("("):
        cursor.take_brackets()
        return EXPRESSION
    sign = "-" if cursor.accept_sign("-") else ""
    if not sign:
        cursor.accept_sign("+")
    last = cursor.take()
    if last.is_word("NEXT") and cursor.accept("VALUE"):
        cursor.expect("FOR")
        cursor.take_table_name("")
        return EXPRESSION
    if last.kind is TokenKind.WORD and cursor.peek.kind is TokenKind.STRING:
        return _introduced(last.text.upper(), cursor.take().text)
    text = last.text
    if last.is_sign("."):  # .5
        last = cursor.take()
        text += last.text
    elif cursor.accept_sign("."):  # 1.5, a database before a function
        last = cursor.take()
        text += "." + last.text
    if cursor.peek.is_sign("("):
        cursor.take_brackets()
        return EXPRESSION
    if _is_open_exponent(last) and (cursor.peek.is_sign("-") or cursor.peek.is_sign("+")):
        text += cursor.take().text + cursor.take().text
    if last.kind is TokenKind.STRING and not sign:
        return ColumnDefault("string", text)
    return _plain(sign, text)


def _is_open_exponent(token: Token) -> bool:
    """Return whether a token is the `1e` of `1e-5`."""
    return token.kind is TokenKind.WORD and token.text[:1].isdecimal() and token.text[-1] in "eE"


def _introduced(word: str, text: str) -> ColumnDefault:
    """Return a string after a word: X'00', DATE '2026-01-01', _utf8mb4'text'."""
    if word in _BASES:
        return _bytes(text, _BASES[word])
    # The text of other character sets is not that of the statement.
    is_text = word in ("DATE", "TIME", "TIMESTAMP", "N") or (word[0] == "_" and text.isascii())
    if not is_text or word in ("_BINARY", "_UCS2", "_UTF16", "_UTF16LE", "_UTF32"):
        return EXPRESSION
    return ColumnDefault("string", text)


def _plain(sign: str, text: str) -> ColumnDefault:
    """Return a word or a number; signs only stand before numbers."""
    if not sign and text.upper() in _WORDS:
        return _WORDS[text.upper()]
    if text[:2] in ("0x", "0b") and not sign:  # in small letters only
        return _bytes(text[2:], _BASES[text[:2].upper()])
    is_number = _NUMBER.fullmatch(text) is not None
    return ColumnDefault("number", sign + text) if is_number else EXPRESSION


def _bytes(digits: str, base: int) -> ColumnDefault:
    digits_of_byte = 2 if base == 16 else 8
    num_bytes = -(-len(digits) // digits_of_byte)
    try:
        value = int(digits, base) if digits else 0
    except ValueError:
        return EXPRESSION
    return ColumnDefault("bytes", value=value.to_bytes(num_bytes, "big"))


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
        "XMLTYPE": "LONGTEXT",  # MariaDB 12.3: a LONGBLOB with a character set
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
    """A column as read so far.

    Attributes:
        column: its known attributes.
        collation_charset: the character set of its collation, which it has before any other.
    """

    column: ColumnDefinition
    collation_charset: str | None = None

    def set(self, **facts: Any) -> None:
        """Change attributes of the column."""
        self.column = replace(self.column, **facts)


def read_column(cursor: SqlCursor) -> ColumnDefinition:
    """Read a column, up to a comma, a closing bracket, the end, FIRST, AFTER or AFTER_ITEMS.

    Raises:
        NotUnderstoodError: if something in it is unknown.
    """
    draft = _read_type(cursor, cursor.take_name())
    while not (cursor.is_at_end_of_item or cursor.peek.is_word("FIRST", "AFTER", *AFTER_ITEMS)):
        _read_attribute(cursor, draft)
    charset = draft.collation_charset or draft.column.charset
    return in_charset(draft.column, charset if draft.column.is_text else None)


def read_charset(cursor: SqlCursor) -> str | None:
    """Return the name of a character set, perhaps after a sign `=`; None for DEFAULT.

    Raises:
        NotUnderstoodError: if something else follows.
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


def _read_type(cursor: SqlCursor, name: str) -> _Draft:
    word = cursor.take_word()
    draft = _Draft(ColumnDefinition(name, _SYNONYMS.get(word, word)))
    if word == "NATIONAL":
        is_varchar = cursor.take_word().startswith("VARCHAR")
        draft.set(sql_type="VARCHAR" if is_varchar else "CHAR", charset="utf8")
    elif word in ("NCHAR", "NVARCHAR"):
        draft.set(charset="utf8")
    elif word == "LONG":
        is_binary = cursor.accept("VARBINARY")
        draft.set(sql_type="MEDIUMBLOB" if is_binary else "MEDIUMTEXT")
        if not is_binary and not cursor.accept("VARCHAR", "VARCHARACTER"):
            cursor.accept("CHAR", "CHARACTER")
        cursor.accept("VARYING")
    elif word == "DOUBLE":
        cursor.accept("PRECISION")
    elif word == "SERIAL":
        draft.set(sql_type="BIGINT", is_unsigned=True, is_nullable=False)
        draft.set(is_unique=True, default=EXPRESSION)
    elif word == "TIMESTAMP":
        draft.set(is_nullable=None)  # see `explicit_defaults_for_timestamp`
    if draft.column.sql_type == "CHAR" and cursor.accept("VARYING", "VARCHAR", "VARCHARACTER"):
        draft.set(sql_type="VARCHAR")
    if cursor.peek.is_sign("("):
        _read_arguments(cursor, draft)
    arguments = draft.column.arguments
    if draft.column.sql_type == "FLOAT" and len(arguments) == 1 and arguments[0] > 24:
        draft.set(sql_type="DOUBLE")
    return draft


def _read_arguments(cursor: SqlCursor, draft: _Draft) -> None:
    sql_type = draft.column.sql_type
    values = [token for token in cursor.take_brackets() if not token.is_sign(",")]
    if sql_type in ("ENUM", "SET"):
        if not values or any(token.kind is not TokenKind.STRING for token in values):
            raise NotUnderstoodError(f"members of {sql_type} that are no strings")
        draft.set(members=tuple(_checked(token.text.rstrip(" ")) for token in values))
        return
    # Servers take `19.5` as 19: the number ends for them at the first other character.
    values = [
        token
        for before, token in zip([None, *values], values, strict=False)
        if not (token.is_sign(".") or (before is not None and before.is_sign(".")))
    ]
    if not all(token.kind is TokenKind.WORD and token.text.isdecimal() for token in values):
        raise NotUnderstoodError(f"arguments of type {sql_type}")
    draft.set(arguments=tuple(int(token.text[:20]) for token in values))


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
        draft.set(is_unsigned=True)
    elif word == "NOT":
        if cursor.accept("NULL"):
            draft.set(is_nullable=False)
    elif word == "NULL":
        draft.set(is_nullable=True)
    elif word in ("PRIMARY", "KEY"):  # KEY alone is PRIMARY KEY
        draft.set(is_nullable=False, key_part=1)
    elif word == "AUTO_INCREMENT":
        draft.set(is_nullable=False, default=AUTO_INCREMENT)
    elif word == "UNIQUE":
        cursor.accept("KEY")
        draft.set(is_unique=True)
    elif word in ("CHARACTER", "CHAR"):
        cursor.expect("SET")
        draft.set(charset=read_charset(cursor))
    elif word == "CHARSET":
        draft.set(charset=read_charset(cursor))
    elif word == "COLLATE":
        draft.collation_charset = read_collation(cursor)
    elif word in ("ASCII", "UNICODE", "BYTE"):
        draft.set(charset={"ASCII": "latin1", "UNICODE": "ucs2", "BYTE": "binary"}[word])
    elif word == "BINARY":
        pass  # a collation of the same character set
    elif word == "SERIAL":  # SERIAL DEFAULT VALUE
        cursor.expect("DEFAULT")
        cursor.expect("VALUE")
        draft.set(is_nullable=False, is_unique=True, default=EXPRESSION)
    elif word in ("INVISIBLE", "VISIBLE"):
        draft.set(is_invisible=word == "INVISIBLE")
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
        draft.set(default=read_default(cursor))
    elif word == "ON":
        cursor.expect("UPDATE")
        read_default(cursor)
    elif word in ("GENERATED", "CHECK", "AS"):
        if word != "CHECK":
            draft.set(is_generated=True)
        if word == "GENERATED":
            cursor.accept("ALWAYS")
            cursor.expect("AS")
        if cursor.accept("ROW"):
            cursor.expect("START", "END")
            draft.set(is_nullable=False)
        else:
            cursor.take_brackets()
    elif word in ("WITH", "WITHOUT"):
        cursor.expect("SYSTEM")
        cursor.expect("VERSIONING")
    elif word == "REFERENCES":
        draft.set(reference=_read_reference(cursor, draft.column.name))
    else:
        raise NotUnderstoodError(f"the attribute {word}")


def _read_reference(cursor: SqlCursor, column: str) -> ForeignKey | None:
    """Return the reference of a column, if its changes are carried over."""
    parent = cursor.take_table_name("")
    parent_columns: tuple[str, ...] = ()
    if cursor.peek.is_sign("("):
        parent_columns = tuple(token.text for token in cursor.take_brackets())
    actions = {"DELETE": "", "UPDATE": ""}
    while True:
        if cursor.accept("MATCH"):
            cursor.take()
        elif cursor.peek.is_word("ON"):
            cursor.take()
            event = cursor.expect("DELETE", "UPDATE")
            if cursor.accept("SET"):
                actions[event] = f"SET {cursor.expect('NULL', 'DEFAULT')}"
            elif cursor.accept("NO"):
                cursor.expect("ACTION")
            elif cursor.expect("RESTRICT", "CASCADE") == CASCADE:
                actions[event] = CASCADE
        elif any(actions.values()):
            return ForeignKey(
                parent, (column,), parent_columns, actions["DELETE"], actions["UPDATE"]
            )
        else:
            return None
