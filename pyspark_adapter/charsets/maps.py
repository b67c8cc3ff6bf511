"""The servers' character sets, as maps from byte sequences to characters.

Each map is a Python codec with corrections where the server differs. Source: the conversion of all
sequences of one to three bytes to utf8mb4 by MySQL 9.7 and MariaDB 11.8, and of all four-byte
sequences of gb18030; `tests/live/test_charsets.py` compares them. A byte for which the server has
no character, or U+FFFD, is undefined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

# The pattern of gb18030's four-byte sequences, and how many of them are below U+10000.
FOUR_BYTES: Final = rb"[\x81-\xfe][\x30-\x39][\x81-\xfe][\x30-\x39]"
NUM_FOUR_BYTES_BMP: Final = 39420


@dataclass(frozen=True, slots=True)
class CharacterMap:
    """A character set whose byte sequences are looked up.

    Attributes:
        sequences: matches the next sequence at any offset, whether or not it is a character:
            bytes in the form of a multibyte character, else a single byte.
        characters: all of one to three bytes, and the exceptions among those of four.
        undefined: well-formed sequences of two and three bytes that are no character.
        codec: Python codec for the other four-byte characters; empty if there are none.
    """

    sequences: re.Pattern[bytes]
    characters: Mapping[bytes, str]
    undefined: tuple[bytes, ...] = ()
    codec: str = ""

    def character(self, sequence: bytes) -> str | None:
        """Return the character of a sequence, or None."""
        text = self.characters.get(sequence)
        if text is None and len(sequence) == 4:
            return _decode(sequence, self.codec)
        return text


@dataclass(frozen=True, slots=True)
class _Source:
    """How a map is built.

    Attributes:
        codec: Python codec.
        form: matches well-formed sequences of two or more bytes; empty if there are none.
        singles: single-byte characters, as far as the codec has them.
        corrections: characters of the server, by their first sequence in hexadecimal: of this
            sequence and those after it; "" if it is undefined.
    """

    codec: str
    form: bytes = b""
    singles: bytes = bytes(range(256))
    corrections: Mapping[str, str] = field(default_factory=dict)


_ASCII: Final = bytes(range(128))
_EUC: Final = rb"\x8e[\xa1-\xdf]|\x8f[\xa1-\xfe]{2}|[\xa1-\xfe]{2}"
_SHIFTED: Final = rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]"
_KATAKANA: Final = _ASCII + bytes(range(0xA1, 0xE0))
_GBK: Final = rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"


def _undefined(sequences: str) -> dict[str, str]:
    """Return corrections for sequences that are undefined on the server."""
    return dict.fromkeys(sequences.split(), "")


def _user_defined() -> dict[str, str]:
    """Return the private use area of both Japanese EUC sets: ten rows of 94; ten more after 8f."""
    rows = {}
    for prefix, first in (("", 0xE000), ("8f", 0xE3AC)):
        for row in range(10):
            start = first + 94 * row
            rows[f"{prefix}{0xF5 + row:02x}a1"] = "".join(map(chr, range(start, start + 94)))
    return rows


# NEC's row 13, as in cp932, and the IBM characters that JIS X 0212 lacks.
_NEC_ROW_13: Final = {
    f"ad{0xA1 + first:x}": "".join(
        bytes([0x87, 0x40 + k + (k >= 63)]).decode("cp932") for k in range(first, end)
    )
    for first, end in ((0, 30), (31, 54), (62, 92))
}
_IBM: Final = {
    "8ff3f3": "ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅠⅡ",
    "8ff4a1": "ⅢⅣⅤⅥⅦⅧⅨⅩ\uff07\uff02㈱№℡炻仼僴凬匇匤\ufa0e咊坙\ufa0f\ufa10增寬峵嵓\ufa11德悅愠敎昻晥"
    "\ufa12\uf929栁\ufa13\ufa14橫櫢淸淲瀨\ufa15\ufa16甁皂皞\ufa17礰\ufa18\ufa19\ufa1a\ufa1b竧"
    "\ufa1c\ufa1d綠緖\ufa1e荢\ufa1f薰\ufa20\ufa21蠇\ufa22譿賴赶\ufa23\ufa24\ufa25郞\ufa26鄕"
    "\ufa27\ufa28閒\uf9dc\ufa29霻靍靑\ufa2a\ufa2b\ufa2c馞髙魲\ufa2d黑",
}

_ARMENIAN: Final = "".join(f"{chr(0x531 + k)}{chr(0x561 + k)}" for k in range(38))
_KEYBCS2: Final = (
    "\u010c\xfc\xe9\u010f\xe4\u010e\u0164\u010d\u011b\u011a\u0139\xcd\u013e\u013a\xc4\xc1\xc9\u017e"
    "\u017d\xf4\xf6\xd3\u016f\xda\xfd\xd6\xdc\u0160\u013d\xdd\u0158\u0165\xe1\xed\xf3\xfa\u0148"
    "\u0147\u016e\xd4\u0161\u0159\u0155\u0154\xbc\xa1"  # the rest is that of cp437
)
_GEOSTD8: Final = {
    # Up to 9f it has some of the punctuation of cp1252.
    **_undefined("81 83 88 8a 8c 8d 8e 8f 90 98 99 9a 9c 9d 9e 9f"),
    "c0": "\u10d0\u10d1\u10d2\u10d3\u10d4\u10d5\u10d6\u10f1\u10d7\u10d8\u10d9\u10da\u10db\u10dc"
    "\u10f2\u10dd\u10de\u10df\u10e0\u10e1\u10e2\u10f3\u10e3\u10e4\u10e5\u10e6\u10e7\u10e8\u10e9"
    "\u10ea\u10eb\u10ec\u10ed\u10ee\u10f4\u10ef\u10f0\u10f5",
    **_undefined(bytes(range(0xE6, 0x100)).hex(" ")),
    "fd": "\u2116",
}

_SOURCES: Final[Mapping[str, _Source]] = MappingProxyType(
    {
        "armscii8": _Source(
            "latin-1",
            corrections={
                "a1": "\u2741\xa7\u0589)(\xbb\xab\u2014.\u055d,-\u055f\u2026\u055c\u055b\u055e",
                "b2": _ARMENIAN,
                "fe": "\u2019'",
            },
        ),
        "big5": _Source(
            "big5",
            rb"[\xa1-\xf9][\x40-\x7e\xa1-\xfe]",
            _ASCII,
            {**_undefined("a15a a1c3 a1c5 a1fe a240 a2cc a2ce"), "f9d6": "碁銹裏墻恒粧嫺"},
        ),
        "cp1250": _Source("cp1250"),
        "cp1251": _Source("cp1251"),
        "cp1256": _Source("cp1256", corrections=_undefined("8a 8f 98 9a 9f aa c0 ff")),
        "cp1257": _Source("cp1257"),
        "cp850": _Source("cp850"),
        "cp852": _Source("cp852"),
        "cp866": _Source("cp866", corrections={"fc": "\u207f\xb2"}),
        "cp932": _Source("cp932", _SHIFTED, _KATAKANA),
        "dec8": _Source(
            "latin-1",
            corrections={
                **_undefined("a4 a6 ac ad ae af b4 b8 be d0 de f0 fe ff"),
                "a8": "\xa4",
                "d7": "\u0152",
                "dd": "\u0178",
                "f7": "\u0153",
                "fd": "\xff",
            },
        ),
        "eucjpms": _Source(
            "euc_jp",
            _EUC,
            _ASCII,
            {
                "a1c1": "\uff5e\u2225",
                "a1dd": "\uff0d",
                "a1f1": "\uffe0\uffe1",
                "a2cc": "\uffe2",
                "8fa2b7": "\uff5e",
                "8fa2c3": "\uffe4",
                **_NEC_ROW_13,
                **_IBM,
                **_user_defined(),
            },
        ),
        "euckr": _Source("cp949", rb"[\x81-\xfe][\x41-\x5a\x61-\x7a\x81-\xfe]", _ASCII),
        "gb18030": _Source(
            "gb18030", FOUR_BYTES + b"|" + _GBK, _ASCII, {"a8bc": "\u1e3f", "8135f437": "\ue7c7"}
        ),
        "gb2312": _Source("gb2312", rb"[\xa1-\xf7][\xa1-\xfe]", _ASCII),
        "gbk": _Source("gbk", _GBK, _ASCII),
        "geostd8": _Source("cp1252", corrections=_GEOSTD8),
        "greek": _Source("iso8859-7", corrections={"a1": "\u02bd\u02bc", **_undefined("a4 a5 aa")}),
        "hebrew": _Source("iso8859-8", corrections={"af": "\u203e"}),
        "hp8": _Source("hp_roman8"),
        "keybcs2": _Source("cp437", corrections={"80": _KEYBCS2}),
        "koi8r": _Source("koi8_r"),
        "koi8u": _Source("koi8_u", corrections={"95": "\u2022"}),
        # The server's latin1 is cp1252, with control characters for its five undefined bytes.
        "latin1": _Source(
            "cp1252", corrections={"81": "\x81", "8d": "\x8d", "8f": "\x8f\x90", "9d": "\x9d"}
        ),
        "latin2": _Source("iso8859-2"),
        "latin5": _Source("iso8859-9"),
        "latin7": _Source("iso8859-13"),
        "macce": _Source("mac_latin2"),
        "macroman": _Source("mac_roman"),
        "sjis": _Source("shift_jis", _SHIFTED, _KATAKANA, {"815f": "\\"}),
        "swe7": _Source(
            "ascii", corrections={"40": "É", "5b": "ÄÖÅÜ", "60": "é", "7b": "äöåü", "7f": ""}
        ),
        "tis620": _Source("tis_620"),
        "ujis": _Source("euc_jp", _EUC, _ASCII, {"a1c0": "\\", **_user_defined()}),
    }
)

MAPPED_CHARSETS: Final = frozenset(_SOURCES)


@cache
def character_map(charset: str) -> CharacterMap:
    """Return the map of a character set, one of MAPPED_CHARSETS."""
    source = _SOURCES[charset]
    form = re.compile(source.form or rb"(?!)", re.DOTALL)
    characters = {}
    sequences = list(_well_formed(form))
    for sequence in [*(bytes([byte]) for byte in source.singles), *sequences]:
        text = _decode(sequence, source.codec)
        if text is not None:
            characters[sequence] = text
    for first, text in source.corrections.items():
        number, width = int(first, 16), len(first) // 2
        if not text:
            characters.pop(number.to_bytes(width, "big"), None)
        for k, letter in enumerate(text):
            characters[(number + k).to_bytes(width, "big")] = letter
    return CharacterMap(
        re.compile(b"|".join(filter(None, (source.form, b"."))), re.DOTALL),
        MappingProxyType(characters),
        tuple(sequence for sequence in sequences if sequence not in characters),
        source.codec if charset == "gb18030" else "",
    )


@cache
def has_twins(charset: str | None) -> bool:
    """Return whether a character set has two byte sequences for one character, as cp932 does."""
    if charset not in MAPPED_CHARSETS:
        return False
    characters = [*character_map(charset).characters.values()]
    return len({*characters}) < len(characters)


def _well_formed(form: re.Pattern[bytes]) -> Iterator[bytes]:
    """Yield the well-formed sequences of two and three bytes."""
    for first in range(0x80, 0x100):
        for second in range(0x30, 0x100):
            pair = bytes([first, second])
            if form.fullmatch(pair):
                yield pair
            elif first == 0x8F and form.fullmatch(pair + b"\xa1"):
                yield from (pair + bytes([third]) for third in range(0xA1, 0xFF))


def _decode(sequence: bytes, codec: str) -> str | None:
    """Return the character that a codec decodes from bytes, or None."""
    try:
        text = sequence.decode(codec)
    except UnicodeDecodeError:
        return None
    return text if len(text) == 1 else None
