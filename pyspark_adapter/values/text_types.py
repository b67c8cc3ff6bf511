"""Columns of text: by which character set their values, or the names of members, are made."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import pyarrow as pa

from pyspark_adapter.charsets.charset import charset_of, decode_text
from pyspark_adapter.charsets.maps import MAPPED_CHARSETS
from pyspark_adapter.charsets.tables import is_ascii_based
from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import TEXT_REPLACES, Op, Text
from pyspark_adapter.values.decoding import Decoding, TextRules

# MariaDB's columns whose values are compressed one by one.
_COMPRESSED: Final = frozenset({Code.blob_compressed, Code.varchar_compressed})

# How the character sets that are not mapped are converted to UTF-8.
_TEXT_KINDS: Final = MappingProxyType(
    {
        "utf8mb3": Text.UTF8,
        "utf8mb4": Text.UTF8,
        "ascii": Text.ASCII,
        "ucs2": Text.UCS2,
        "utf16": Text.UTF16,
        "utf16le": Text.UTF16LE,
        "utf32": Text.UTF32,
    }
)


def text_decoding(
    column: Column, width: int, charset: str, invalid_text: str = "ERROR"
) -> Decoding:
    """Return how text is made that is in a character set.

    Args:
        column: of text, or of another type whose values are given as their bytes.
        width: bytes of the length before each value.
        charset: one of `charsets.charset.CHARSETS`.
        invalid_text: ERROR, REPLACE or BINARY.
    """
    op = Op.COMPRESSED_TEXT if column.type_code in _COMPRESSED else Op.TEXT
    if charset == "binary" or invalid_text == "BINARY":
        # BINARY(n) is logged without the zero bytes at its end; nothing else is padded.
        is_padded = column.type_code == Code.string and charset_of(column.collation) == "binary"
        padded = column.metadata if is_padded else 0
        return Decoding(pa.binary(), op, (width, Text.BYTES, padded), charset="binary")
    if charset in MAPPED_CHARSETS:
        kind = int(Text.MAPPED if is_ascii_based(charset) else Text.MAPPED_WHOLLY)
    else:
        kind = int(_TEXT_KINDS[charset])
    if invalid_text == "REPLACE":
        kind |= TEXT_REPLACES
    return Decoding(pa.string(), op, (width, kind, 0), charset=charset)


def _member_names(column: Column, charset: str, rules: TextRules) -> tuple[bytes, ...]:
    """Return the members of an ENUM or SET as UTF-8, or as they are."""
    if charset == "binary":
        return tuple(column.members or ())
    replaces = rules.invalid_text == "REPLACE"
    try:
        return tuple(
            decode_text(member, charset, replaces=replaces).encode()
            for member in column.members or ()
        )
    except UnicodeDecodeError as error:
        raise CorruptEventError(f"a member is not valid {charset}: {error}") from error


def member_decoding(column: Column, op: Op, first: tuple[bytes, ...], rules: TextRules) -> Decoding:
    """Return how the names of an ENUM or SET are made.

    Args:
        column: with members.
        op: ENUM or SET.
        first: names before the members.
        rules: for text.

    Raises:
        UnsupportedError: for a collation that is not known.
        CorruptEventError: for a member that is not valid in it.
    """
    charset = charset_of(column.collation)
    if charset is None:
        raise UnsupportedError(f"members in collation {column.collation}, which is not known")
    arrow_type = pa.binary() if charset == "binary" else pa.string()
    names = (*first, *_member_names(column, charset, rules))
    return Decoding(arrow_type, op, (column.metadata,), names)
