"""Character sets as table definitions need them: the width of a character and a collation id.

Source: INFORMATION_SCHEMA.CHARACTER_SETS of MySQL 9.7 and MariaDB 11.8.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from pyspark_adapter.charsets import charset as charsets

# Most bytes of a character, if that is not one.
_WIDTHS: Final = MappingProxyType(
    dict.fromkeys(("big5", "cp932", "euckr", "gb2312", "gbk", "sjis", "ucs2"), 2)
    | dict.fromkeys(("eucjpms", "ujis", "utf8mb3"), 3)
    | dict.fromkeys(("gb18030", "utf16", "utf16le", "utf32", "utf8mb4"), 4)
)


def character_widths(charset: str | None) -> frozenset[int]:
    """Return the most bytes that a character may take; several if the name is ambiguous.

    >>> sorted(character_widths("utf8"))
    [3, 4]
    """
    if charset == "utf8":
        return frozenset({3, 4})
    if charset not in charsets.CHARSETS:
        return frozenset({1, 2, 3, 4})
    return frozenset({_WIDTHS.get(charset, 1)})


def collation_of(charset: str | None) -> int | None:
    """Return the id of a collation of a character set; None if the set is not known.

    >>> collation_of("utf8") == collation_of("utf8mb4")
    True
    """
    return charsets.collation_of("utf8mb4" if charset == "utf8" else charset)
