"""Where the parts of a binary JSON document are in its bytes.

Source: `sql-common/json_binary.h` of the server. All offsets within a container count from its
element count; values may be in any order, with unused gaps between them, so offsets are followed
and nothing is read in sequence. The twin of `kernels.json_values`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels.layout import MAX_JSON_DEPTH, Json

MAX_KEY: Final = (1 << 16) - 1  # bytes

# Of values without a length before them, in bytes.
WIDTHS: Final[Mapping[int, int]] = {
    Json.LITERAL: 1,
    Json.INT16: 2,
    Json.UINT16: 2,
    Json.INT32: 4,
    Json.UINT32: 4,
    Json.INT64: 8,
    Json.UINT64: 8,
    Json.DOUBLE: 8,
}


class Element(NamedTuple):
    """An element of a container.

    Attributes:
        key: of a member of an object, as UTF-8; None in an array.
        kind: type code of the value.
        data: begins with the value, and ends with its container.
    """

    key: bytes | None
    kind: int
    data: memoryview


def document_value(document: bytes) -> tuple[int, memoryview]:
    """Return (type code, bytes that begin with the value); a document of no bytes is a null."""
    if not document:
        return Json.LITERAL, memoryview(b"\0")
    return document[0], memoryview(document)[1:]


def is_container(kind: int) -> bool:
    """Return whether a type code is that of an object or array."""
    return kind < Json.LITERAL


def is_object(kind: int) -> bool:
    """Return whether the type code of a container is that of an object."""
    return kind < Json.ARRAY


def offset_width(kind: int) -> int:
    """Return the bytes of an offset in a container of this type."""
    return 4 if kind & 1 else 2


def is_inline(kind: int, width: int) -> bool:
    """Return whether a value is stored in place of its offset, which has `width` bytes."""
    return Json.LITERAL <= kind <= (Json.UINT32 if width == 4 else Json.UINT16)


def iter_elements(kind: int, data: memoryview, depth: int) -> Iterator[Element]:
    """Yield the elements of a container, in its order; raises CorruptEventError."""
    if depth >= MAX_JSON_DEPTH:
        raise CorruptEventError(f"the JSON document is deeper than {MAX_JSON_DEPTH} levels")
    width = offset_width(kind)
    count, size = (number(data, i * width, width) for i in range(2))
    keys = 2 * width
    values = keys + (count * (width + 2) if is_object(kind) else 0)
    if size > len(data) or values + count * (width + 1) > size:
        raise CorruptEventError("the JSON document is not valid: a container is too short")
    data = data[:size]
    for i in range(count):
        key = None
        if is_object(kind):
            entry = keys + i * (width + 2)
            start = number(data, entry, width)
            key = bytes(cut(data, start, number(data, entry + width, 2)))
        entry = values + i * (width + 1)
        element_kind, start = data[entry], entry + 1
        if not is_inline(element_kind, width):
            start = number(data, start, width)
            if start >= size:
                raise CorruptEventError(
                    "the JSON document is not valid: an offset leaves its container"
                )
        yield Element(key, element_kind, data[start:])


def number(data: memoryview, start: int, width: int) -> int:
    """Return an unsigned little-endian integer."""
    return int.from_bytes(cut(data, start, width), "little")


def cut(data: memoryview, start: int, length: int) -> memoryview:
    """Return a range of bytes; raises CorruptEventError if it ends outside of the data."""
    if start + length > len(data):
        raise CorruptEventError("the JSON document is not valid: it ends inside a value")
    return data[start : start + length]


def split_length(data: memoryview) -> tuple[int, int]:
    """Return (length, bytes that it takes) of a length of seven bits a byte.

    Raises:
        CorruptEventError: if it has more than five bytes.
    """
    length = 0
    for i in range(5):
        byte = cut(data, i, 1)[0]
        length |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            return length, i + 1
    raise CorruptEventError("the JSON document is not valid: a length of more than five bytes")


def prefixed(data: memoryview) -> bytes:
    """Return the bytes after their length."""
    length, start = split_length(data)
    return bytes(cut(data, start, length))


def scalar_bytes(kind: int, data: memoryview) -> bytes:
    """Return the bytes of a value that is no container, with the length before them if any.

    Raises:
        CorruptEventError: for a type code that is not known.
    """
    if kind in WIDTHS:
        return bytes(cut(data, 0, WIDTHS[kind]))
    if kind not in (Json.STRING, Json.OPAQUE):
        raise CorruptEventError(f"the JSON document is not valid: unknown type {kind:#04x}")
    start = 1 if kind == Json.OPAQUE else 0
    length, len_length = split_length(cut(data, start, len(data) - start))
    return bytes(cut(data, 0, start + len_length + length))
