"""Strings, bytes, names and binary JSON documents as SQL.

The literals hold for a session with `SET NAMES utf8mb4` whose sql_mode has neither
NO_BACKSLASH_ESCAPES nor ANSI_QUOTES.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Final

from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Json
from pyspark_adapter.kernels.sql_layout import NUM_LETTERS
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.values.binary_json import layout
from pyspark_adapter.values.binary_json.text import decode_json

_ESCAPES: Final = str.maketrans({"'": "''", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_NO_LETTER: Final = chr(NUM_LETTERS)
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
    if not text.translate(_LINE_SIGNS).isprintable() or max(text, default="") >= _NO_LETTER:
        return None
    return f"'{text.translate(_ESCAPES)}'"


def bytes_literal(data: bytes) -> str:
    """Return bytes as a hexadecimal literal, a binary string."""
    return f"x'{data.hex().upper()}'"


def binary_literal(text: str) -> str:
    r"""Return text as a binary string.

    >>> binary_literal("abc"), binary_literal("\x1b")
    ("_binary'abc'", "x'1B'")
    """
    quoted = quote_text(text)
    return bytes_literal(text.encode()) if quoted is None else f"_binary{quoted}"


def text_literal(text: str) -> str:
    """Return text as a string; in hexadecimal if `quote_text` refuses it."""
    return quote_text(text) or f"_utf8mb4 {bytes_literal(text.encode())}"


# What a cast of a time keeps; JSON has all six digits.
_CASTS: Final = {
    Code.date: "DATE",
    Code.datetime: "DATETIME(6)",
    Code.timestamp: "DATETIME(6)",
    Code.time: "TIME(6)",
}
_MAX_EXACT_POWER: Final = 22  # 10^22 is the last power of ten that a double holds exactly
_BINARY_STRING: Final = Code.varchar  # the type of a hexadecimal literal in a document


def json_text(document: bytes) -> str:
    """Return the text of a document as the server casts it to CHAR, as a literal.

    Raises:
        CorruptEventError: if it is not valid.
    """
    return text_literal(decode_json(document))


def json_literal(document: bytes) -> str:
    """Return an expression that gives a document; raises CannotWriteError, CorruptEventError.

    Its text, unless it holds values that text does not distinguish, or that a server may not read
    from it: decimals, dates, times, bytes and some doubles are then made by JSON_OBJECT,
    JSON_ARRAY and casts.
    """
    text = json_text(document)  # checks all of it, so that the parts do not overlap
    kind, data = layout.document_value(document)
    if _is_read_from_text(kind, data, 0):
        return text
    expression = _expression(kind, data, 0)
    return f"CAST({expression} AS JSON)" if kind == Json.DOUBLE else expression


def _is_read_from_text(kind: int, data: memoryview, depth: int) -> bool:
    if layout.is_container(kind):
        return all(
            _is_read_from_text(element.kind, element.data, depth + 1)
            for element in layout.iter_elements(kind, data, depth)
        )
    if kind == Json.DOUBLE:
        return _is_simple(struct.unpack_from("<d", data)[0])
    return kind != Json.OPAQUE


def _is_simple(number: float) -> bool:
    """Return whether any server reads a double of a document's text as it is.

    MySQL 5.7 to 8.0.31 take others for a neighbour: they multiply digits by a power of ten, which
    is right where both are exact as doubles. MySQL 9.7 reads all. Numbers of SQL are always right.
    """
    _, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    return int("".join(map(str, digits))) < 1 << 53 and abs(int(exponent)) <= _MAX_EXACT_POWER


def _expression(kind: int, data: memoryview, depth: int) -> str:
    if kind == Json.OPAQUE:
        return f"CAST({_opaque(data)} AS JSON)"
    if kind == Json.DOUBLE and not _is_simple(number := struct.unpack_from("<d", data)[0]):
        text = repr(number)
        return text if "e" in text else f"{text}e0"
    if not layout.is_container(kind):
        return f"CAST({json_text(_alone(kind, data))} AS JSON)"
    parts: list[str] = []
    for element in layout.iter_elements(kind, data, depth):
        if element.key is not None:
            parts.append(text_literal(element.key.decode()))
        parts.append(_expression(element.kind, element.data, depth + 1))
    return f"JSON_{'OBJECT' if layout.is_object(kind) else 'ARRAY'}({', '.join(parts)})"


def _alone(kind: int, data: memoryview) -> bytes:
    """Return a value that is no container as a document."""
    return bytes([kind]) + layout.scalar_bytes(kind, data)


def _opaque(data: memoryview) -> str:
    field_type = data[0]
    content, text = layout.prefixed(data[1:]), decode_json(_alone(Json.OPAQUE, data))
    if field_type == Code.newdecimal:
        return f"CAST({text} AS DECIMAL({content[0]},{content[1]}))"
    if field_type in _CASTS:
        return f"CAST('{text[1:-1]}' AS {_CASTS[Code(field_type)]})"
    if field_type == _BINARY_STRING:
        return bytes_literal(content)
    raise CannotWriteError(
        f"a JSON document holds bytes of type {field_type}, which no SQL expression makes"
    )
