"""Collation ids of MySQL and MariaDB, and their character sets.

Source: INFORMATION_SCHEMA.COLLATIONS of MySQL 9.7 and MariaDB 11.8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from pyspark_adapter.charsets.maps import MAPPED_CHARSETS, character_map
from pyspark_adapter.errors import UnsupportedError

_REPLACEMENT: Final = "\ufffd"

# character set, collation ids
_CHARSETS: Final = (
    ("big5", "1 84 1025 1108"),
    ("latin2", "2 9 21 27 77 1033 1101"),
    ("dec8", "3 69 1027 1093"),
    ("cp850", "4 80 1028 1104"),
    ("latin1", "5 8 15 31 47-49 94 1032 1071"),
    ("hp8", "6 72 1030 1096"),
    ("koi8r", "7 74 1031 1098"),
    ("swe7", "10 82 1034 1106"),
    ("ascii", "11 65 1035 1089"),
    ("ujis", "12 91 1036 1115"),
    ("sjis", "13 88 1037 1112"),
    ("cp1251", "14 23 50-52 1074-1075"),
    ("hebrew", "16 71 1040 1095"),
    ("tis620", "18 89 1042 1113"),
    ("euckr", "19 85 1043 1109"),
    ("latin7", "20 41-42 79 1065 1103"),
    ("koi8u", "22 75 1046 1099"),
    ("gb2312", "24 86 1048 1110"),
    ("greek", "25 70 1049 1094"),
    ("cp1250", "26 34 44 66 99 1050 1090"),
    ("gbk", "28 87 1052 1111"),
    ("cp1257", "29 58-59 1082-1083"),
    ("latin5", "30 78 1054 1102"),
    ("armscii8", "32 64 1056 1088"),
    ("utf8mb3", "33 76 83 192-215 223 576-579 1057 1107 1216 1238 2048-2303"),
    ("ucs2", "35 90 128-151 159 640-642 1059 1114 1152 1174 2560-2815"),
    ("cp866", "36 68 1060 1092"),
    ("keybcs2", "37 73 1061 1097"),
    ("macce", "38 43 1062 1067"),
    ("macroman", "39 53 1063 1077"),
    ("cp852", "40 81 1064 1105"),
    (
        "utf8mb4",
        "45-46 224-247 255-271 273-275 277-294 296-298 300 303-323 608-611 1069-1070 "
        "1248 1270 2304-2559",
    ),
    ("utf16", "54-55 101-124 672-674 1078-1079 1125 1147 2816-3071"),
    ("utf16le", "56 62 1080 1086"),
    ("cp1256", "57 67 1081 1091"),
    ("utf32", "60-61 160-183 736-738 1084-1085 1184 1206 3072-3327"),
    ("binary", "63"),
    ("geostd8", "92-93 1116-1117"),
    ("cp932", "95-96 1119-1120"),
    ("eucjpms", "97-98 1121-1122"),
    ("gb18030", "248-250"),
)


def _parse_ids(text: str) -> Iterator[int]:
    """Yield the numbers of a list such as `5 8 47-49`."""
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


_CHARSET_BY_COLLATION: Final = MappingProxyType(
    {collation: name for name, ids in _CHARSETS for collation in _parse_ids(ids)}
)

_COLLATION_BY_CHARSET: Final = MappingProxyType(
    {name: next(_parse_ids(ids)) for name, ids in _CHARSETS}
)

CHARSETS: Final = tuple(_COLLATION_BY_CHARSET)

# Character sets that a Python codec decodes; the others are in `charsets.maps`. MySQL's utf8mb3 is
# a subset of utf8mb4.
_CODECS: Final = MappingProxyType(
    {
        "utf8mb3": "utf-8",
        "utf8mb4": "utf-8",
        "ascii": "ascii",
        "utf16": "utf-16-be",
        "utf16le": "utf-16-le",
        "utf32": "utf-32-be",
    }
)
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def charset_of(collation: int | None) -> str | None:
    """Return the name of the character set of a collation, or None if the id is unknown."""
    return None if collation is None else _CHARSET_BY_COLLATION.get(collation)


def collation_of(charset: str | None) -> int | None:
    """Return the lowest id among the collations of a character set; None if it is unknown.

    >>> collation_of("latin1")
    5
    """
    return None if charset is None else _COLLATION_BY_CHARSET.get(charset)


def decode_text(data: bytes, charset: str, *, replaces: bool = False) -> str:
    """Decode text; raises UnicodeDecodeError, UnsupportedError.

    Args:
        data: the text.
        charset: name of the character set; not `binary`.
        replaces: replace invalid bytes by U+FFFD: one for each maximal part of a broken UTF-8
            sequence (as Unicode recommends and Python does), one for a complete sequence or unit
            that is no character, else one for each byte.
    """
    if charset in _CODECS:
        return data.decode(_CODECS[charset], "replace" if replaces else "strict")
    if charset == "ucs2":
        return _decode_ucs2(data, replaces=replaces)
    if charset not in MAPPED_CHARSETS:
        raise UnsupportedError(
            f"text of character set {charset}", advice="option invalidText=BINARY gives its bytes"
        )
    char_map = character_map(charset)
    letters = []
    for match in char_map.sequences.finditer(data):
        letter = char_map.character(match[0])
        if letter is None:
            if not replaces:
                raise UnicodeDecodeError(charset, data, *match.span(), "no character")
            letter = _REPLACEMENT
        letters.append(letter)
    return "".join(letters)


def _decode_ucs2(data: bytes, *, replaces: bool) -> str:
    """Decode UCS-2, which has no surrogate pairs."""
    units = (data[k : k + 2] for k in range(0, len(data), 2))
    letters = (chr(int.from_bytes(u, "big")) if len(u) == 2 else "\ud800" for u in units)
    text = "".join(letters)
    match = _SURROGATES.search(text)
    if match is not None and not replaces:
        start = 2 * match.start()
        raise UnicodeDecodeError("ucs2", data, start, min(start + 2, len(data)), "no character")
    return _SURROGATES.sub(_REPLACEMENT, text)
