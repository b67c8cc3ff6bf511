"""Binary JSON of MySQL as the text that the server's CAST(... AS CHAR) prints.

Source: `json_dom.cc` of the server; for the layout see `layout`.
"""

from __future__ import annotations

import math
import re
import struct
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Final

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import (
    MAX_JSON_DECIMAL_DIGITS,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    MAX_JSON_YEAR,
    Json,
)
from pyspark_adapter.values.binary_json import layout
from pyspark_adapter.values.new_decimal import decimal_width, decode_decimal

_BASE64_LINE = 76
_MAX_MICROS = 999_999

_LITERALS: Final = {
    layout.NULL_LITERAL: "null",
    layout.TRUE_LITERAL: "true",
    layout.FALSE_LITERAL: "false",
}
_INTEGERS: Final[Mapping[int, str]] = {
    Json.INT16: "<h",
    Json.UINT16: "<H",
    Json.INT32: "<i",
    Json.UINT32: "<I",
    Json.INT64: "<q",
    Json.UINT64: "<Q",
}


def decode_json(document: bytes) -> str:
    """Return a document as text; one of no bytes is a JSON null; raises CorruptEventError.

    >>> decode_json(bytes.fromhex("0203000d00050100050200050300"))
    '[1, 2, 3]'
    """
    decoder = _Decoder(MAX_JSON_GROWTH * len(document) + MAX_JSON_GROWTH_BASE)
    with valid_document():
        return decoder.value(*layout.document_value(document), 0)


@contextmanager
def valid_document() -> Iterator[None]:
    """Turn Python's errors about invalid values into one of ours."""
    try:
        yield
    except (IndexError, struct.error, UnicodeDecodeError, KeyError) as error:
        raise CorruptEventError(f"the JSON document is not valid: {error}") from error


class _Decoder:
    """Decodes one document into at most so many letters.

    Args:
        budget: letters that are allowed.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def value(self, kind: int, data: memoryview, depth: int) -> str:
        """Return a value; `data` begins with it and ends with its container."""
        if layout.is_container(kind):
            return self._container(kind, data, depth)
        text = scalar_text(kind, data)
        self._spend(text)
        return text

    def _container(self, kind: int, data: memoryview, depth: int) -> str:
        self._spend("{}")
        parts: list[str] = []
        for element in layout.iter_elements(kind, data, depth):
            key = "" if element.key is None else quote_json(element.key) + ": "
            self._spend(f"{key}, " if parts else key)
            parts.append(key + self.value(element.kind, element.data, depth + 1))
        text = ", ".join(parts)
        return f"{{{text}}}" if layout.is_object(kind) else f"[{text}]"

    def _spend(self, text: str) -> None:
        self._budget -= len(text.encode())
        if self._budget < 0:
            raise CorruptEventError("the JSON document is not valid: its values overlap")


def scalar_text(kind: int, data: memoryview) -> str:
    """Return a value that is no container; `data` begins with it; raises CorruptEventError."""
    if kind == Json.LITERAL:
        return _LITERALS[data[0]]
    if kind in _INTEGERS:
        return str(struct.unpack_from(_INTEGERS[kind], data)[0])
    if kind == Json.DOUBLE:
        return format_double(struct.unpack_from("<d", data)[0])
    if kind == Json.STRING:
        return quote_json(layout.prefixed(data))
    if kind == Json.OPAQUE:
        return _opaque(data[0], layout.prefixed(data[1:]))
    raise CorruptEventError(f"the JSON document is not valid: unknown type {kind:#04x}")


_SPECIAL: Final = re.compile(r'["\\\x00-\x1f]')
_ESCAPES: Final = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def quote_json(data: bytes) -> str:
    """Return UTF-8 text as a JSON string, with the escapes of the server."""
    return f'"{_SPECIAL.sub(_escape, data.decode())}"'


def _escape(match: re.Match[str]) -> str:
    letter = ord(match[0])
    return _ESCAPES.get(letter) or f"\\u{letter:04x}"


def format_double(number: float) -> str:
    """Return a double with the fewest digits that identify it, in the notation of the server.

    Source: `my_gcvt` in the server's `strings/dtoa.cc`; found by asking MySQL 9.7.

    >>> [format_double(x) for x in (1.0, 1e15, 1.5e-5, 1e-16, -0.0)]
    ['1.0', '1e15', '0.000015', '1e-16', '-0.0']

    Raises:
        CorruptEventError: for an infinity or no number, which JSON does not have.
    """
    if not math.isfinite(number):
        raise CorruptEventError(f"the JSON document is not valid: it holds {number}")
    is_negative, digit_tuple, exponent = Decimal(repr(number)).as_tuple()
    sign = "-" if is_negative else ""
    digits = "".join(map(str, digit_tuple))
    point = len(digits) + int(exponent)  # the value is 0.DIGITS * 10^point
    digits = digits.rstrip("0")
    if not digits:
        return f"{sign}0.0"
    if point >= -14 and (point <= 15 or len(digits) > point):
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        return f"{sign}{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"
    return f"{sign}{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{point - 1}"


def _opaque(field_type: int, data: bytes) -> str:
    """Return a value that is no type of JSON."""
    if field_type == Code.newdecimal:
        return f"{opaque_decimal(data):f}"
    if field_type in (Code.date, Code.datetime, Code.timestamp) and len(data) == 8:
        return f'"{_moment(int.from_bytes(data, "little", signed=True), field_type)}"'
    if field_type == Code.time and len(data) == 8:
        packed = int.from_bytes(data, "little", signed=True)
        sign = "-" if packed < 0 else ""
        return f'"{sign}{_clock(abs(packed), abs(packed) >> 36 & 1023)}"'
    return f'"base64:type{field_type}:{_base64(data)}"'


def _base64(data: bytes) -> str:
    """Return bytes in the server's base64, with a line break (escaped) after each 76 letters."""
    text = b64encode(data).decode()
    lines = (text[i : i + _BASE64_LINE] for i in range(0, len(text), _BASE64_LINE))
    return "\\n".join(lines)


def opaque_decimal(data: bytes) -> Decimal:
    """Return an opaque value that is a decimal; raises CorruptEventError if it is not valid."""
    precision, scale = data[0], data[1]
    if not 1 <= precision <= MAX_JSON_DECIMAL_DIGITS or scale > precision:
        raise CorruptEventError(f"the JSON document is not valid: decimal({precision},{scale})")
    content = layout.cut(memoryview(data), 2, decimal_width(precision, scale))
    return decode_decimal(bytes(content), precision, scale)


def _moment(packed: int, field_type: int) -> str:
    if packed < 0:
        raise CorruptEventError("the JSON document is not valid: a negative date")
    day = packed >> 41
    year, month = divmod(day >> 5, 13)
    if year > MAX_JSON_YEAR:
        raise CorruptEventError(f"the JSON document is not valid: the year {year}")
    text = f"{year:04}-{month:02}-{day & 31:02}"
    return text if field_type == Code.date else f"{text} {_clock(packed, packed >> 36 & 31)}"


def _clock(packed: int, hours: int) -> str:
    micros = packed & 0xFFFFFF
    if micros > _MAX_MICROS:
        raise CorruptEventError(f"the JSON document is not valid: {micros} microseconds")
    return f"{hours:02}:{packed >> 30 & 63:02}:{packed >> 24 & 63:02}.{micros:06}"
