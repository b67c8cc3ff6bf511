"""Parses DEFAULT clauses of columns."""

from __future__ import annotations

import re
from typing import Final

from pyspark_adapter.ddl.sql_cursor import SqlCursor
from pyspark_adapter.ddl.sql_tokens import Token, TokenKind
from pyspark_adapter.ddl.table_definition import EXPRESSION, NULL, ColumnDefault

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
