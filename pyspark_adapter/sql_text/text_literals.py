"""Strings, bytes and names as SQL literals.

The literals hold for a session with `SET NAMES utf8mb4` whose sql_mode has neither
NO_BACKSLASH_ESCAPES nor ANSI_QUOTES.
"""

from __future__ import annotations

import re
from typing import Final

from pyspark_adapter.charsets.charset import decode_text

# Written as they are; those of other character sets as bytes, since not every server converts
# them to the same bytes again.
READABLE: Final = frozenset({"utf8mb4", "utf8mb3", "latin1", "ascii"})
# The same bytes in all character sets of one byte a unit, `swe7` included.
_COMMON: Final = re.compile(rb"[A-Za-z0-9 _.,:;()+*/=<>?!%&\"-]*")
WIDE: Final = frozenset({"ucs2", "utf16", "utf16le", "utf32"})
_ESCAPES: Final = str.maketrans({"'": "''", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_LINE_SIGNS: Final = str.maketrans("", "", "\n\r\t")


def quote_name(name: str) -> str:
    """Return a name as SQL quotes it.

    >>> quote_name("a`b")
    '`a``b`'
    """
    return f"`{name.replace('`', '``')}`"


def quote_text(text: str) -> str | None:
    r"""Return text in quotes, on one line; None if it has characters that a terminal may act on.

    >>> quote_text("it's\n"), quote_text("\x1b[2J")
    ("'it''s\\n'", None)
    """
    if not text.translate(_LINE_SIGNS).isprintable():
        return None
    return f"'{text.translate(_ESCAPES)}'"


def bytes_literal(data: bytes) -> str:
    """Return bytes as a hexadecimal literal, a binary string."""
    return f"x'{data.hex().upper()}'"


def binary_literal(data: bytes) -> str:
    r"""Return bytes as a binary string, readable if they are text.

    >>> binary_literal(b"abc"), binary_literal(b"\xff")
    ("_binary'abc'", "x'FF'")
    """
    try:
        text = quote_text(data.decode())
    except UnicodeDecodeError:
        text = None
    return bytes_literal(data) if text is None else f"_binary{text}"


def text_literal(data: bytes, charset: str | None) -> str:
    r"""Return text of a character set; the server gets the same bytes.

    >>> text_literal(b"caf\xe9", "latin1"), text_literal(b"\x82\xa0", "sjis")
    ("'café'", "_sjis x'82A0'")

    Args:
        data: the text as it is stored.
        charset: its character set; None if that is unknown.
    """
    if charset is None:
        return binary_literal(data)
    if charset in READABLE:
        try:
            text = quote_text(decode_text(data, charset))
        except UnicodeDecodeError:
            text = None
        if text is not None:
            return text
    elif charset not in WIDE and is_common(data):
        return f"'{data.decode()}'"
    return f"_{introducer_of(charset)} {bytes_literal(data)}"


def introducer_of(charset: str) -> str:
    """Return the name of a character set before a literal, without the underscore."""
    # Not every server knows the name utf8mb3, and its text is valid utf8mb4.
    return "utf8mb4" if charset == "utf8mb3" else charset


def is_common(data: bytes) -> bool:
    """Return whether bytes are the same text in nearly all character sets."""
    return bool(_COMMON.fullmatch(data))
