"""Shell-style patterns for names of databases and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from typing import Final

from pyspark_adapter.options.table_name import unquoted

_PART: Final = r"(`(?:[^`]|``)+`|[^`.,]+)"
_WILDCARD: Final = re.compile(r"[*?\[]")
_SEPARATOR: Final = re.compile(r"\s*,\s*")


@dataclass(frozen=True, slots=True)
class NamePattern:
    """A case-sensitive pattern with `*`, `?` and `[...]`, which are literal within backquotes.

    >>> NamePattern.of("user_*").matches("user_1"), NamePattern.of("`user_*`").matches("user_1")
    (True, False)
    """

    text: str
    regex: re.Pattern[str]

    @classmethod
    def of(cls, text: str) -> NamePattern:
        """Compile a pattern."""
        is_quoted = text.startswith("`")
        return cls(text, re.compile(re.escape(unquoted(text)) if is_quoted else translate(text)))

    @classmethod
    def exact(cls, name: str) -> NamePattern:
        """Return a pattern that matches one name only.

        >>> str(NamePattern.exact("a`b*"))
        '`a``b*`'
        """
        return cls.of(f"`{name.replace('`', '``')}`")

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str | None:
        """The only name that matches; None if there may be others."""
        may_be_many = not self.text.startswith("`") and _WILDCARD.search(self.text)
        return None if may_be_many else unquoted(self.text)

    def matches(self, name: str) -> bool:
        """Return whether the whole name matches."""
        return self.regex.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class TablePattern:
    """A pattern for the database, and one for the table."""

    database: NamePattern
    table: NamePattern

    def __str__(self) -> str:
        return f"{self.database}.{self.table}"

    def matches(self, database_name: str, table_name: str) -> bool:
        """Return whether both names match."""
        return self.database.matches(database_name) and self.table.matches(table_name)


def parse_database_patterns(text: str) -> tuple[NamePattern, ...]:
    """Parse patterns, separated by commas; raises ValueError."""
    return tuple(NamePattern.of(name) for (name,) in _split(text, _PART))


def parse_table_patterns(text: str) -> tuple[TablePattern, ...]:
    """Parse patterns `database.table`, separated by commas.

    Raises:
        ValueError: for a pattern that is not two parts, or an unclosed backquote.
    """
    return tuple(
        TablePattern(NamePattern.of(database), NamePattern.of(table))
        for database, table in _split(text, rf"{_PART}\.{_PART}")
    )


def _split(text: str, pattern: str) -> list[tuple[str, ...]]:
    """Return the groups of each item in a comma-separated list."""
    item = re.compile(pattern)
    text = text.strip()
    patterns: list[tuple[str, ...]] = []
    start = 0
    while True:
        match = item.match(text, start)
        if match is None:
            raise ValueError(f"invalid pattern: {text[start:]!r}")
        patterns.append(tuple(group.strip() for group in match.groups()))
        start = match.end()
        if start == len(text) and all(patterns[-1]):
            return patterns
        separator = _SEPARATOR.match(text, start)
        if separator is None or not all(patterns[-1]):
            raise ValueError(f"invalid pattern: {text[start:]!r}")
        start = separator.end()
