"""Binary JSON as VARIANT, the binary form of documents in Spark, Parquet and Iceberg.

Source: Spark's `common/variant/README.md` (layout) and `types/variant/VariantUtil.java` (limits).
Texts and numbers are those of the server's text of the document; dates, and dates with times, are
typed; whatever VARIANT has no type for is a string with that text.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Json
from pyspark_adapter.values.binary_json import layout
from pyspark_adapter.values.binary_json.text import opaque_decimal, scalar_text, valid_document
from pyspark_adapter.values.binary_json.tree import Node, parse_tree

# Basic types, the lowest two bits of a value.
_PRIMITIVE, _SHORT_STRING, _OBJECT, _ARRAY = range(4)
# Primitive types, the other six bits.
_NULL, _TRUE, _FALSE, _INT8, _INT16, _INT32, _INT64, _DOUBLE = range(8)
_DECIMAL4, _DECIMAL8, _DECIMAL16, _DATE, _TIMESTAMP, _TIMESTAMP_NTZ = range(8, 14)
_LONG_STRING = 16

_MAX_SHORT_STRING: Final = 63
_VERSION = 0x01

_LITERALS: Final = {
    layout.NULL_LITERAL: _NULL,
    layout.TRUE_LITERAL: _TRUE,
    layout.FALSE_LITERAL: _FALSE,
}
_INTEGERS: Final = ((_INT8, 1), (_INT16, 2), (_INT32, 4), (_INT64, 8))
# Each with its bytes and its most digits.
_DECIMALS: Final = ((_DECIMAL4, 4, 9), (_DECIMAL8, 8, 18), (_DECIMAL16, 16, 38))

# Spark refuses what has more bytes.
MAX_BYTES: Final = 128 << 20

_EPOCH: Final = datetime(1970, 1, 1)


class Variant(NamedTuple):
    """A document.

    Attributes:
        value: it, with a number for each key.
        metadata: the keys.
    """

    value: bytes
    metadata: bytes


def encode_variant(document: bytes) -> Variant:
    """Return a document of binary JSON as VARIANT; raises CorruptEventError, UnsupportedError.

    >>> encode_variant(bytes.fromhex("0203000d00050100050200050300")).value.hex(" ")
    '03 03 00 02 04 06 0c 01 0c 02 0c 03'
    """
    tree = parse_tree(document)
    keys: set[bytes] = set()
    _collect_keys(tree, keys)
    with valid_document():
        # In the order of Java's texts, by which Spark looks for a member of an object.
        ordered = sorted(keys, key=lambda key: key.decode().encode("utf-16-be"))
        ids = {key: number for number, key in enumerate(ordered)}
        variant = Variant(_encode(tree, ids), dictionary(list(ids)))
    size = max(map(len, variant))
    if size > MAX_BYTES:
        raise UnsupportedError(
            f"a JSON document of {size} bytes as VARIANT; Spark takes at most {MAX_BYTES}",
            advice="option json=text gives it as text",
        )
    return variant


def _collect_keys(node: Node, keys: set[bytes]) -> None:
    if isinstance(node, dict):
        keys.update(node)
        for element in node.values():
            _collect_keys(element, keys)
    elif isinstance(node, list):
        for element in node:
            _collect_keys(element, keys)


def dictionary(keys: Sequence[bytes]) -> bytes:
    """Return the keys as metadata; one may be there twice, under two numbers.

    They are not marked as sorted: they are in UTF-16, which is another order than that of UTF-8.
    """
    width = width_of_number(max(len(keys), sum(map(len, keys))))
    header = bytes([_VERSION | (width - 1) << 6])
    numbers = (len(keys), 0, *accumulate(map(len, keys)))
    return header + b"".join(n.to_bytes(width, "little") for n in numbers) + b"".join(keys)


def keys_of(metadata: bytes) -> list[bytes]:
    """Return the keys of a metadata that this package made.

    >>> keys_of(dictionary([b"a", b"bc"]))
    [b'a', b'bc']
    """
    width = (metadata[0] >> 6) + 1
    count = int.from_bytes(metadata[1 : 1 + width], "little")
    first = 1 + width * (count + 2)
    ends = _numbers(metadata, 1 + width, count + 1, width)
    return [metadata[first + a : first + b] for a, b in pairwise(ends)]


def renumbered(value: bytes, shift: int) -> bytes:
    """Return a value that this package made, the numbers of its keys greater by `shift`.

    >>> variant = encode_variant(bytes.fromhex("0001000c000b000100057b006b"))  # {"k": 123}
    >>> variant.value.hex(" "), renumbered(variant.value, 5).hex(" ")
    ('02 01 00 00 02 0c 7b', '02 01 05 00 02 0c 7b')
    """
    kind, header = value[0] & 3, value[0] >> 2
    if kind not in (_OBJECT, _ARRAY):
        return value
    is_object = kind == _OBJECT
    width, is_large = (header & 3) + 1, header >> (4 if is_object else 2) & 1
    p = 5 if is_large else 2
    count = int.from_bytes(value[1:p], "little")
    numbers: list[int] = []
    if is_object:
        number_width = (header >> 2 & 3) + 1
        numbers = [n + shift for n in _numbers(value, p, count, number_width)]
        p += count * number_width
    offsets = _numbers(value, p, count + 1, width)
    first = p + (count + 1) * width
    # Values are in the order of the document, which is that of their offsets.
    ordered = sorted(range(count), key=offsets.__getitem__)
    bounds = [*(offsets[k] for k in ordered), offsets[-1]]
    moved = [renumbered(value[first + a : first + b], shift) for a, b in pairwise(bounds)]
    starts = dict(zip(ordered, accumulate(map(len, moved), initial=0), strict=False))
    return _container(
        [starts[k] for k in range(count)], sum(map(len, moved)), numbers if is_object else None
    ) + b"".join(moved)


def _numbers(data: bytes, first: int, count: int, width: int) -> list[int]:
    ends = range(first + width, first + (count + 1) * width, width)
    return [int.from_bytes(data[end - width : end], "little") for end in ends]


def _container(offsets: Sequence[int], size: int, numbers: Sequence[int] | None) -> bytes:
    """Return what comes before the values of an array, or of an object.

    Args:
        offsets: where each value begins.
        size: bytes of all values.
        numbers: of the keys, in the order of the keys; None for an array.
    """
    is_large = len(offsets) > 0xFF
    width = width_of_number(size)
    if numbers is None:
        header = _ARRAY | (width - 1) << 2 | is_large << 4
        data = b""
    else:
        number_width = width_of_number(max(numbers, default=0))
        header = _OBJECT | (width - 1) << 2 | (number_width - 1) << 4 | is_large << 6
        data = b"".join(number.to_bytes(number_width, "little") for number in numbers)
    count = len(offsets).to_bytes(4 if is_large else 1, "little")
    table = b"".join(offset.to_bytes(width, "little") for offset in (*offsets, size))
    return bytes([header]) + count + data + table


def width_of_number(number: int) -> int:
    """Return the bytes that hold a number, 1 to 4."""
    return max((number.bit_length() + 7) // 8, 1)


def _encode(node: Node, ids: dict[bytes, int]) -> bytes:
    if isinstance(node, bytes):
        return _scalar(node[0], memoryview(node)[1:])
    elements = node if isinstance(node, list) else node.values()
    values = [_encode(element, ids) for element in elements]
    *offsets, size = accumulate(map(len, values), initial=0)
    if isinstance(node, list):
        return _container(offsets, size, None) + b"".join(values)
    # Values are in the order of the document, the numbers of the keys sorted.
    members = sorted((ids[key], offset) for key, offset in zip(node, offsets, strict=True))
    head = _container([offset for _, offset in members], size, [number for number, _ in members])
    return head + b"".join(values)


def _scalar(kind: int, data: memoryview) -> bytes:
    """Return a value that is no container."""
    if kind == Json.LITERAL:
        return _primitive(_LITERALS[data[0]])
    if kind == Json.DOUBLE:
        if not math.isfinite(struct.unpack("<d", data)[0]):
            raise CorruptEventError("the JSON document is not valid: it holds no finite number")
        return _primitive(_DOUBLE, bytes(data))
    if kind == Json.STRING:
        text = layout.prefixed(data)
        text.decode()  # is it UTF-8?
        return _string(text)
    if kind == Json.OPAQUE:
        return _opaque(data)
    is_signed = kind in (Json.INT16, Json.INT32, Json.INT64)
    return _integer(int.from_bytes(data, "little", signed=is_signed))


def _primitive(kind: int, data: bytes = b"") -> bytes:
    return bytes([_PRIMITIVE | kind << 2]) + data


def _string(text: bytes) -> bytes:
    if len(text) <= _MAX_SHORT_STRING:
        return bytes([_SHORT_STRING | len(text) << 2]) + text
    return _primitive(_LONG_STRING, len(text).to_bytes(4, "little") + text)


def _integer(number: int) -> bytes:
    """Return an integer in the smallest form; beyond 64 bits with a sign as a decimal."""
    for kind, width in _INTEGERS:
        if -(1 << 8 * width - 1) <= number < 1 << 8 * width - 1:
            return _primitive(kind, number.to_bytes(width, "little", signed=True))
    return _primitive(_DECIMAL16, bytes([0]) + number.to_bytes(16, "little", signed=True))


def _opaque(data: memoryview) -> bytes:
    """Return a value that is no type of JSON."""
    field_type, content = data[0], layout.prefixed(data[1:])
    if field_type == Code.newdecimal:
        number = opaque_decimal(content)
        sign, digits, exponent = number.as_tuple()
        scale = -int(exponent)
        unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
        for kind, width, most in _DECIMALS:
            if abs(unscaled) < 10**most and scale <= most:
                content = unscaled.to_bytes(width, "little", signed=True)
                return _primitive(kind, bytes([scale]) + content)
    text: str = json.loads(scalar_text(Json.OPAQUE, data), parse_float=str, parse_int=str)
    if field_type in (Code.date, Code.datetime, Code.timestamp) and len(content) == 8:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:  # in no calendar
            return _string(text.encode())
        if field_type == Code.date:
            return _primitive(_DATE, (moment - _EPOCH).days.to_bytes(4, "little", signed=True))
        micros = (moment - _EPOCH) // timedelta(microseconds=1)
        return _primitive(_TIMESTAMP_NTZ, micros.to_bytes(8, "little", signed=True))
    return _string(text.encode())
