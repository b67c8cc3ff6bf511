"""The tokens of SQL text, as MySQL and MariaDB see them.

Other tokenizers drop comments such as `/*!50100 ... */` and `/*M! ... */`, but servers execute the
text in them, and the definitions that servers write are full of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple


class NotUnderstoodError(Exception):
    """SQL text that is not understood, so that its effect is unknown."""


class TokenKind(Enum):
    """What a token is."""

    WORD = 0  # without quotes: a keyword, a name or a number
    NAME = 1  # a quoted name; its text has no quotes
    STRING = 2  # its text is the value
    SIGN = 3  # one character
    END = 4  # after the last


class Token(NamedTuple):
    """A piece of SQL."""

    kind: TokenKind
    text: str

    def is_word(self, *words: str) -> bool:
        """Return whether it is one of some keywords, passed in capitals."""
        return self.kind is TokenKind.WORD and self.text.upper() in words

    def is_sign(self, sign: str) -> bool:
        """Return whether it is this sign."""
        return self.kind is TokenKind.SIGN and self.text == sign


END: Final = Token(TokenKind.END, "")


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """What changes how text is tokenized.

    Attributes:
        version: of the server, as 80036 or 101106; comments for later versions are skipped.
        has_ansi_quotes: whether double quotes enclose names, as `sql_mode` says.
        has_backslash_escapes: whether a backslash in a string escapes what follows.
    """

    version: int = 999_999
    is_mariadb: bool = False
    has_ansi_quotes: bool = False
    has_backslash_escapes: bool = True

    def executes(self, mark: str, version: int) -> bool:
        """Return whether the text in a comment is executed.

        Source: MYSQLlex of sql_lex.cc; MariaDB skips the versions 50700 to 99999, which
        are of MySQL alone.
        """
        if mark == "M!" and not self.is_mariadb:
            return False
        if mark == "!" and self.is_mariadb and 50700 <= version < 100_000:
            return False
        return version <= self.version


# A string in which backslashes escape, and one in which only a doubled quote does.
_ESCAPED: Final = r"{0}(?:[^{0}\\]|\\.|{0}{0})*+{0}"
_PLAIN: Final = r"{0}(?:[^{0}]|{0}{0})*+{0}"
_PIECE: Final = r"""
      (?P<space>[\x00-\x20]++)
    | (?P<comment>\#[^\n]*+|--(?=[\x00-\x20]|\Z)[^\n]*+|/\*(?!M?!))
    | /\*(?P<mark>M?!)(?P<version>\d{5,6}(?!\d)|)
    | (?P<end>\*/)
    | (?P<word>[0-9A-Za-z_$\x80-\U0010ffff]++)
    | (?P<quoted>%s|%s|%s)
    | (?P<sign>.)
    """


def _pieces(dialect: SqlDialect) -> re.Pattern[str]:
    """Return the pattern of one piece of text; a quote that no other one ends is a sign."""
    string = _ESCAPED if dialect.has_backslash_escapes else _PLAIN
    double = _PLAIN if dialect.has_ansi_quotes else string
    quoted = _PLAIN.format("`"), string.format("'"), double.format('"')
    return re.compile(_PIECE % quoted, re.VERBOSE | re.DOTALL)


_ESCAPES: Final = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}


def tokenize(text: str, dialect: SqlDialect) -> Iterator[Token]:
    """Yield the tokens of a statement, then END once; raises NotUnderstoodError."""
    pieces = _pieces(dialect)
    offset = 0
    while offset < len(text):
        match = pieces.match(text, offset)
        assert match is not None  # a sign is any character
        offset = match.end()
        kind = match.lastgroup
        if kind == "word":
            yield Token(TokenKind.WORD, match["word"])
        elif kind == "quoted":
            yield _unquote(match["quoted"], dialect)
        elif kind == "version":
            version = int(match["version"] or 0)
            if not dialect.executes(match["mark"], version):
                offset = _after_comment(text, offset)
        elif kind == "comment" and match[0] == "/*":
            offset = _after_comment(text, offset)
        elif kind == "sign":
            if match["sign"] in "`'\"":
                raise NotUnderstoodError(f"no end of {match['sign']}")
            yield Token(TokenKind.SIGN, match["sign"])
    yield END


def without_temporary(text: str, dialect: SqlDialect) -> Iterator[Token]:
    """Yield the tokens of a statement as if it was about a base table, then END once.

    Raises:
        NotUnderstoodError: as `tokenize`.
    """
    before = None
    for token in tokenize(text, dialect):
        if not (
            token.is_word("TEMPORARY") and before and before.is_word("CREATE", "REPLACE", "DROP")
        ):
            yield token
        before = token


def _after_comment(text: str, offset: int) -> int:
    end = text.find("*/", offset)
    if end < 0:
        raise NotUnderstoodError("no end of a comment")
    return end + 2


def _unquote(quoted: str, dialect: SqlDialect) -> Token:
    """Return the string or name between two quotes."""
    quote, inner = quoted[0], quoted[1:-1]
    is_name = quote == "`" or (quote == '"' and dialect.has_ansi_quotes)
    if is_name or not dialect.has_backslash_escapes:
        kind = TokenKind.NAME if is_name else TokenKind.STRING
        return Token(kind, inner.replace(quote * 2, quote))
    value = re.sub(
        rf"\\(.)|{quote}{quote}",
        lambda match: quote if match[1] is None else _unescape(match[1]),
        inner,
        flags=re.DOTALL,
    )
    return Token(TokenKind.STRING, value)


def _unescape(letter: str) -> str:
    return f"\\{letter}" if letter in "%_" else _ESCAPES.get(letter, letter)
