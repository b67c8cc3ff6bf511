"""Parts of documents in VARIANT, the binary form in Spark, Parquet and Iceberg.

Source: Spark's `common/variant/README.md` (layout) and `types/variant/VariantUtil.java` (limits).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final

_OBJECT, _ARRAY = 2, 3  # basic types, the lowest two bits of a value
_VERSION = 0x01

# Spark refuses what has more bytes.
MAX_BYTES: Final = 128 << 20


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

    >>> renumbered(bytes.fromhex("02 01 00 00 02 0c 7b"), 5).hex(" ")  # {"k": 123}
    '02 01 05 00 02 0c 7b'
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
