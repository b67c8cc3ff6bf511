"""Character sets as table definitions need them: the width of a character and a collation id.

Source: INFORMATION_SCHEMA.CHARACTER_SETS and COLLATIONS of MySQL 9.7 and MariaDB 11.8.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

# character set, most bytes of a character, id of its first default collation
_CHARACTER_SETS: Final = (
    ("big5", 2, 1),
    ("dec8", 1, 3),
    ("cp850", 1, 4),
    ("hp8", 1, 6),
    ("koi8r", 1, 7),
    ("latin1", 1, 8),
    ("latin2", 1, 9),
    ("swe7", 1, 10),
    ("ascii", 1, 11),
    ("ujis", 3, 12),
    ("sjis", 2, 13),
    ("hebrew", 1, 16),
    ("tis620", 1, 18),
    ("euckr", 2, 19),
    ("koi8u", 1, 22),
    ("gb2312", 2, 24),
    ("greek", 1, 25),
    ("cp1250", 1, 26),
    ("gbk", 2, 28),
    ("latin5", 1, 30),
    ("armscii8", 1, 32),
    ("utf8mb3", 3, 33),
    ("ucs2", 2, 35),
    ("cp866", 1, 36),
    ("keybcs2", 1, 37),
    ("macce", 1, 38),
    ("macroman", 1, 39),
    ("cp852", 1, 40),
    ("latin7", 1, 41),
    ("utf8mb4", 4, 45),
    ("cp1251", 1, 51),
    ("utf16", 4, 54),
    ("utf16le", 4, 56),
    ("cp1256", 1, 57),
    ("cp1257", 1, 59),
    ("utf32", 4, 60),
    ("binary", 1, 63),
    ("geostd8", 1, 92),
    ("cp932", 2, 95),
    ("eucjpms", 3, 97),
    ("gb18030", 4, 248),
)
_WIDTHS: Final = MappingProxyType({name: width for name, width, _ in _CHARACTER_SETS})
_COLLATIONS: Final = MappingProxyType({name: number for name, _, number in _CHARACTER_SETS})


def character_widths(charset: str | None) -> frozenset[int]:
    """Return the most bytes that a character may take; several if the name is ambiguous.

    >>> sorted(character_widths("utf8"))
    [3, 4]
    """
    if charset == "utf8":
        return frozenset({3, 4})
    width = _WIDTHS.get(charset or "")
    return frozenset({1, 2, 3, 4} if width is None else {width})


def collation_of(charset: str | None) -> int | None:
    """Return the id of a collation of a character set; None if the set is not known.

    >>> collation_of("latin1")
    8
    """
    return _COLLATIONS.get("utf8mb4" if charset == "utf8" else charset or "")
