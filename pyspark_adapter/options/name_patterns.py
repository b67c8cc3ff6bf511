"""Patterns that names of databases and tables match, in the style of a shell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from typing import Final

_PART: Final = r"(`(?:[^`]|``)+`|[^`.,]+)"
_SEPARATOR: Final = re.compile(r"\s*,\s*")


@dataclass(frozen=True, slots=True)
class NamePattern:
    """A pattern with `*`, `?` and `[...]`; in backquotes each character stands for itself.

    Upper and lower case differ.

    >>> NamePattern.of("user_*").matches("user_1"), NamePattern.of("`user_*`").matches("user_1")
    (True, False)
    """

    text: str
    regex: re.Pattern[str]

    @classmethod
    def of(cls, text: str) -> NamePattern:
        """Take a pattern."""
        if text.startswith("`"):
            return cls(text, re.compile(re.escape(text[1:-1].replace("``", "`"))))
        return cls(text, re.compile(translate(text)))

    @classmethod
    def exact(cls, name: str) -> NamePattern:
        """Return a pattern that one name matches.

        >>> str(NamePattern.exact("a`b*"))
        '`a``b*`'
        """
        return cls.of(f"`{name.replace('`', '``')}`")

    def __str__(self) -> str:
        return self.text

    def matches(self, name: str) -> bool:
        """Tell whether a whole name matches."""
        return self.regex.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class TablePattern:
    """A pattern of the database, and one of the table."""

    database: NamePattern
    table: NamePattern

    def __str__(self) -> str:
        return f"{self.database}.{self.table}"

    def matches(self, database_name: str, table_name: str) -> bool:
        """Tell whether both names match."""
        return self.database.matches(database_name) and self.table.matches(table_name)


def parse_database_patterns(text: str) -> tuple[NamePattern, ...]:
    """Read patterns, separated by commas.

    Raises:
        ValueError: if one is empty, or its backquotes do not close.
    """
    return tuple(NamePattern.of(name) for (name,) in _split(text, _PART))


def parse_table_patterns(text: str) -> tuple[TablePattern, ...]:
    """Read patterns `database.table`, separated by commas.

    Raises:
        ValueError: if one is not two parts, or backquotes do not close.
    """
    return tuple(
        TablePattern(NamePattern.of(database), NamePattern.of(table))
        for database, table in _split(text, rf"{_PART}\.{_PART}")
    )


def _split(text: str, pattern: str) -> list[tuple[str, ...]]:
    """Return the groups of each item of a list."""
    item = re.compile(pattern)
    text = text.strip()
    found: list[tuple[str, ...]] = []
    start = 0
    while True:
        match = item.match(text, start)
        if match is None:
            raise ValueError(f"no pattern: {text[start:]!r}")
        found.append(tuple(group.strip() for group in match.groups()))
        start = match.end()
        if start == len(text) and all(found[-1]):
            return found
        separator = _SEPARATOR.match(text, start)
        if separator is None or not all(found[-1]):
            raise ValueError(f"no pattern: {text[start:]!r}")
        start = separator.end()
