"""Columns as values of VARIANT that are no objects: numbers, texts, bytes, dates, arrays.

Source: Spark's `common/variant/README.md` (layout).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.values.binary_json.variant import width_of_number
from pyspark_adapter.values.column_types import Decoding
from pyspark_adapter.values.text_form import text_form

NULL_CELL: Final = b"\0"
_MAX_SHORT_STRING: Final = 63
_LONG_STRING: Final = 16 << 2
_BINARY: Final = 15 << 2
_FLOAT: Final = 14 << 2


class _Fixed(NamedTuple):
    """A primitive type."""

    header: int
    width: int


_FIXED: Final = MappingProxyType(
    {
        pa.int8(): _Fixed(3 << 2, 1),
        pa.int16(): _Fixed(4 << 2, 2),
        pa.int32(): _Fixed(5 << 2, 4),
        pa.int64(): _Fixed(6 << 2, 8),
        pa.float64(): _Fixed(7 << 2, 8),
        pa.float32(): _Fixed(_FLOAT, 4),
        pa.date32(): _Fixed(11 << 2, 4),
        pa.timestamp("us", tz="UTC"): _Fixed(12 << 2, 8),
        pa.timestamp("us"): _Fixed(13 << 2, 8),
    }
)
# Of decimals, by the most digits that they hold.
_DECIMALS: Final = ((9, _Fixed(8 << 2, 4)), (18, _Fixed(9 << 2, 8)), (38, _Fixed(10 << 2, 16)))


def scalars_as_variant(array: pa.Array, decoding: Decoding | None = None) -> pa.BinaryArray:
    """Return (n,) binary: the values of a column in VARIANT; null is its null.

    Args:
        array: (n,) numbers, texts, bytes, dates or times.
        decoding: of the column; None if it is no TIME.
    """
    kind = array.type
    if pa.types.is_duration(kind):
        assert decoding is not None
        array = text_form(array, max(decoding.params[0], 0))
        kind = array.type
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return _texts(array)
    if pa.types.is_decimal128(kind):
        fixed = next(size for digits, size in _DECIMALS if kind.precision <= digits)
        return _fixed(array, fixed.header, fixed.width, 16, bytes([kind.scale]))
    header, width = _FIXED[kind]
    return _fixed(array, header, width, width)


def little_endian(numbers: Numbers, width: int) -> Numbers:
    """Return (n, width) uint8: the lowest bytes of (n,) numbers."""
    whole = np.ascontiguousarray(numbers, dtype="<u8")
    return whole.view(np.uint8).reshape(-1, 8)[:, :width]


def _fixed(
    array: pa.Array, header: int, width: int, stride: int, before: bytes = b""
) -> pa.BinaryArray:
    """Return values of one width.

    Args:
        header: their first byte.
        width: the bytes of a value that are taken, from the lowest.
        stride: the bytes of a value in the array.
        before: bytes between header and value.
    """
    num_rows = len(array)
    buffer = array.buffers()[1]
    length = 1 + len(before) + width
    cells = np.zeros((num_rows, length), dtype=np.uint8)
    if num_rows and buffer is not None:
        raw = np.frombuffer(buffer, np.uint8, num_rows * stride, array.offset * stride)
        cells[:, -width:] = raw.reshape(num_rows, stride)[:, :width]
    cells[:, 0] = header
    cells[:, 1 : 1 + len(before)] = np.frombuffer(before, np.uint8)
    if not array.null_count:
        return binary_of(cells, np.full(num_rows, length))
    is_null = array.is_null().to_numpy(zero_copy_only=False)
    cells[is_null, 0] = NULL_CELL[0]
    kept = np.ones(cells.shape, dtype=bool)
    kept[is_null, 1:] = False
    return binary_of(cells[kept], np.where(is_null, 1, length))


def _texts(array: pa.Array) -> pa.BinaryArray:
    """Return texts, the short ones in their own form, or bytes."""
    lengths = pc.fill_null(pc.binary_length(array), 0).to_numpy(zero_copy_only=False)
    is_null = array.is_null().to_numpy(zero_copy_only=False)
    is_text = pa.types.is_string(array.type)
    is_short = is_null | (lengths <= _MAX_SHORT_STRING if is_text else False)
    prefixes = np.zeros((len(array), 5), dtype=np.uint8)
    prefixes[:, 0] = _LONG_STRING if is_text else _BINARY
    prefixes[:, 1:] = little_endian(lengths, 4)
    prefixes[is_short, 0] = 1 | lengths[is_short] << 2
    prefixes[is_null, 0] = NULL_CELL[0]
    kept = np.ones(prefixes.shape, dtype=bool)
    kept[is_short, 1:] = False
    heads = binary_of(prefixes[kept], np.where(is_short, 1, 5))
    data = pc.fill_null(array.cast(pa.binary()), b"")
    return pc.binary_join_element_wise(heads, data, pa.scalar(b"", pa.binary()))


def vectors_as_variant(array: pa.Array, _decoding: Decoding) -> pa.BinaryArray:
    """Return vectors as arrays of floats."""
    return pa.array([_floats(value) for value in array], pa.binary())


def _floats(value: pa.ListScalar) -> bytes:
    """Return a VECTOR as an array of floats."""
    if not value.is_valid:
        return NULL_CELL
    numbers = np.asarray(value.values.to_numpy(zero_copy_only=False), dtype="<f4")
    is_large = len(numbers) > 0xFF
    cells = np.empty((len(numbers), 5), dtype=np.uint8)
    cells[:, 0] = _FLOAT
    cells[:, 1:] = numbers.view(np.uint8).reshape(-1, 4)
    width = width_of_number(cells.size)
    header = 3 | (width - 1) << 2 | is_large << 4
    count = len(numbers).to_bytes(4 if is_large else 1, "little")
    offsets = little_endian(np.arange(0, cells.size + 1, 5), width)
    return bytes([header]) + count + offsets.tobytes() + cells.tobytes()


def binary_of(data: Numbers, lengths: Numbers) -> pa.BinaryArray:
    """Return a binary array of some bytes, one value after another."""
    ends = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=ends[1:])
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.Array.from_buffers(pa.binary(), len(lengths), buffers)
