"""Binary JSON documents as SQL expressions that give the same document."""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Final

from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Json
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.text_literals import bytes_literal, text_literal
from pyspark_adapter.values.binary_json import layout
from pyspark_adapter.values.binary_json.text import (
    decode_json,
    opaque_decimal,
    scalar_text,
    valid_document,
)

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
    return text_literal(decode_json(document).encode(), "utf8mb4")


def json_literal(document: bytes) -> str:
    """Return an expression that gives a document; raises CannotWriteError, CorruptEventError.

    Its text, unless it holds values that text does not distinguish, or that a server may not read
    from it: decimals, dates, times, bytes and some doubles are then made by JSON_OBJECT,
    JSON_ARRAY and casts.
    """
    text = json_text(document)  # checks all of it, so that the parts do not overlap
    with valid_document():
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
        return f"CAST({text_literal(scalar_text(kind, data).encode(), 'utf8mb4')} AS JSON)"
    parts: list[str] = []
    for element in layout.iter_elements(kind, data, depth):
        if element.key is not None:
            parts.append(text_literal(element.key, "utf8mb4"))
        parts.append(_expression(element.kind, element.data, depth + 1))
    return f"JSON_{'OBJECT' if layout.is_object(kind) else 'ARRAY'}({', '.join(parts)})"


def _opaque(data: memoryview) -> str:
    field_type = data[0]
    content = layout.prefixed(data[1:])
    if field_type == Code.newdecimal:
        number = opaque_decimal(content)
        return f"CAST({number:f} AS DECIMAL({content[0]},{content[1]}))"
    if field_type in _CASTS:
        text = scalar_text(Json.OPAQUE, data)[1:-1]
        return f"CAST('{text}' AS {_CASTS[Code(field_type)]})"
    if field_type == _BINARY_STRING:
        return bytes_literal(content)
    raise CannotWriteError(
        f"a JSON document holds bytes of type {field_type}, which no SQL expression makes"
    )
