"""The words of SQL text, as MySQL and MariaDB cut them.

A tokenizer of our own, since it has to see what others take for a comment: `/*!50100 ... */` and
`/*M! ... */` hold text that servers execute, and the definitions that servers write themselves are
full of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple


class NotUnderstoodError(Exception):
    """SQL text that is not understood; what it says is then taken as unknown."""


class TokenKind(Enum):
    """What a token is."""

    WORD = 0  # without quotes: a key word, a name or a number
    NAME = 1  # in quotes for names; its text is without them
    STRING = 2  # its text is the value
    SIGN = 3  # one character
    END = 4  # after the last


class Token(NamedTuple):
    """A piece of SQL."""

    kind: TokenKind
    text: str

    def is_word(self, *words: str) -> bool:
        """Tell whether it is one of some key words, given in capitals."""
        return self.kind is TokenKind.WORD and self.text.upper() in words

    def is_sign(self, sign: str) -> bool:
        """Tell whether it is this sign."""
        return self.kind is TokenKind.SIGN and self.text == sign


END: Final = Token(TokenKind.END, "")


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """What changes how text is cut.

    Attributes:
        version: of the server, as 80036 or 101106; what a comment for later ones holds is left out.
        is_mariadb: whether it is MariaDB.
        has_ansi_quotes: whether double quotes enclose names, as `sql_mode` says.
        has_backslash_escapes: whether a backslash in a string escapes what follows.
    """

    version: int = 999_999
    is_mariadb: bool = False
    has_ansi_quotes: bool = False
    has_backslash_escapes: bool = True

    def executes(self, mark: str, version: int) -> bool:
        """Tell whether what stands in a comment is executed.

        Source: MYSQLlex of sql_lex.cc; MariaDB passes over the versions 50700 to 99999 that it
        does not share with MySQL.

        Args:
            mark: `M!` or `!`.
            version: the number behind it, or 0.
        """
        if mark == "M!" and not self.is_mariadb:
            return False
        if mark == "!" and self.is_mariadb and 50700 <= version < 100_000:
            return False
        return version <= self.version


_PIECE: Final = re.compile(
    r"""
      (?P<space>[\x00-\x20]++)
    | (?P<comment>\#[^\n]*+|--(?=[\x00-\x20]|\Z)[^\n]*+|/\*(?!M?!))
    | /\*(?P<mark>M?!)(?P<version>\d{5,6}(?!\d)|)
    | (?P<end>\*/)
    | `(?P<name>(?:[^`]|``)*+)`
    | '(?P<single>(?:[^'\\]|\\.|'')*+)'
    | "(?P<double>(?:[^"\\]|\\.|"")*+)"
    | (?P<word>[0-9A-Za-z_$\x80-\U0010ffff]++)
    | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_STRINGS: Final = {
    quote: re.compile(f"{quote}((?:[^{quote}]|{quote}{quote})*+){quote}", re.DOTALL)
    for quote in "'\""
}
_ESCAPES: Final = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}


def tokenize(text: str, dialect: SqlDialect) -> Iterator[Token]:
    """Yield the tokens of a statement, then END once.

    Raises:
        NotUnderstoodError: if a string, a name or a comment has no end.
    """
    place = 0
    while place < len(text):
        match = _PIECE.match(text, place)
        assert match is not None  # a sign is any character
        place = match.end()
        kind = match.lastgroup
        if kind == "word":
            yield Token(TokenKind.WORD, match["word"])
        elif kind == "name":
            yield Token(TokenKind.NAME, match["name"].replace("``", "`"))
        elif kind in ("single", "double"):
            token, place = _string(text, match.start(), place, dialect)
            yield token
        elif kind == "version":
            version = int(match["version"] or 0)
            if not dialect.executes(match["mark"], version):
                place = _behind_comment(text, place)
        elif kind == "comment" and match[0] == "/*":
            place = _behind_comment(text, place)
        elif kind == "sign":
            if match["sign"] in "`'\"":  # it may end yet, where backslashes escape nothing
                token, place = _string(text, match.start(), -1, dialect)
                yield token
            else:
                yield Token(TokenKind.SIGN, match["sign"])
    yield END


def _behind_comment(text: str, place: int) -> int:
    end = text.find("*/", place)
    if end < 0:
        raise NotUnderstoodError("no end of a comment")
    return end + 2


def _string(text: str, start: int, end: int, dialect: SqlDialect) -> tuple[Token, int]:
    """Return the string or name that begins at a quote, and the place behind it.

    Args:
        end: the place behind it if backslashes escape; -1 if it has no end then.
    """
    quote = text[start]
    is_name = quote == '"' and dialect.has_ansi_quotes
    if quote != "`" and (is_name or not dialect.has_backslash_escapes):
        match = _PLAIN_STRINGS[quote].match(text, start)
        if match is None:
            raise NotUnderstoodError(f"no end of {quote}")
        value = match[1].replace(quote * 2, quote)
        return Token(TokenKind.NAME if is_name else TokenKind.STRING, value), match.end()
    if end < 0:
        raise NotUnderstoodError(f"no end of {quote}")
    value = re.sub(
        rf"\\(.)|{quote}{quote}",
        lambda found: quote if found[1] is None else _unescape(found[1]),
        text[start + 1 : end - 1],
        flags=re.DOTALL,
    )
    return Token(TokenKind.STRING, value), end


def _unescape(letter: str) -> str:
    return f"\\{letter}" if letter in "%_" else _ESCAPES.get(letter, letter)
