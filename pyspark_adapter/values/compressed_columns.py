"""Values of MariaDB's compressed columns, inflated one at a time.

Source: `Field_longstr::compress` and `sql/field_comp.cc` of MariaDB.
"""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.kernels.layout import MAX_INT32, Numbers, RowStatus

# The server takes and sends no value that is larger: the most that `max_allowed_packet` can be.
MAX_INFLATED: Final = 1 << 30

# Bytes of the length before each value of `inflate_column`.
LEN_INFLATED: Final = 4

_LEN_HEAD: Final = 8  # at most: the method, and a length of up to seven bytes
_ZLIB: Final = 8
_RAW_DEFLATE: Final = 0x08  # bit of the header: no header of zlib, and no checksum


def inflate(data: bytes) -> bytes:
    """Return a value of a compressed column as it was before.

    It is a header and the value: 0 and the value as it is; or in one byte the method (four bits), a
    bit for how it was used, and the number of bytes of the length that follows, big-endian.

    >>> inflate(bytes.fromhex("89c82b2f1f1e0000")) == b"w" * 200
    True

    Raises:
        UnsupportedError: for a method that is not zlib.
        CorruptEventError: if the value does not inflate to its stated length.
    """
    if not data:
        return b""
    head = data[0]
    if head == 0:
        return data[1:]
    if head >> 4 != _ZLIB:
        raise UnsupportedError(f"the value is compressed by method {head >> 4}; expected 8, zlib")
    begin = 1 + (head & 7)
    length = int.from_bytes(data[1:begin], "big")
    if len(data) < begin:
        raise CorruptEventError(
            f"the compressed value has {len(data)} bytes; expected a header of {begin}"
        )
    if length > MAX_INFLATED:
        raise CorruptEventError(
            f"the compressed value states a length of {length} bytes; the most is {MAX_INFLATED}"
        )
    inflater = zlib.decompressobj(-zlib.MAX_WBITS if head & _RAW_DEFLATE else zlib.MAX_WBITS)
    try:
        value = inflater.decompress(data[begin:], length + 1)
    except zlib.error as error:
        raise CorruptEventError(f"the compressed value cannot be inflated: {error}") from error
    if len(value) != length or not inflater.eof or inflater.unused_data:
        raise CorruptEventError(
            f"the compressed value states a length of {length} bytes and has another"
        )
    return value


def inflated_lengths(data: Numbers, pos: Numbers, width: int) -> Numbers:
    """Return the length that each value states for itself, which `inflate` never exceeds."""
    lengths = np.zeros(len(pos), dtype=np.int64)
    for row in np.flatnonzero(pos >= 0).tolist():
        value = int(pos[row]) + width
        length = int.from_bytes(data[value - width : value].tobytes(), "little")
        head = data[value : value + min(length, _LEN_HEAD)].tobytes()
        if head and head[0]:
            length = int.from_bytes(head[1 : 1 + (head[0] & 7)], "big")
        lengths[row] = min(length, MAX_INFLATED)
    return lengths


class InflateError(Exception):
    """A value of a column that cannot be inflated.

    Attributes:
        status: as the kernels give it.
        row: index of the value.
    """

    def __init__(self, status: RowStatus, row: int) -> None:
        super().__init__(status, row)
        self.status = status
        self.row = row


def inflate_column(data: Numbers, pos: Numbers, width: int) -> tuple[Numbers, Numbers]:
    """Return the values of a column, each with its length before it, and their positions.

    Args:
        data: the window, (n,) uint8.
        pos: (num_rows,) position in it of each value's length, negative if it has none.
        width: bytes of that length.

    Returns:
        (m,) uint8, in which each value has LEN_INFLATED bytes of length before it; (num_rows,)
        int32, positions in it, negative as in `pos`.

    Raises:
        InflateError: at the first value that cannot be inflated, or exceeds an array.
    """
    inflated = bytearray()
    positions = pos.copy()
    for row in np.flatnonzero(pos >= 0).tolist():
        start = int(pos[row]) + width
        length = int.from_bytes(data[start - width : start].tobytes(), "little")
        try:
            value = inflate(data[start : start + length].tobytes())
        except UnsupportedError:
            raise InflateError(RowStatus.BAD_METHOD, row) from None
        except CorruptEventError:
            raise InflateError(RowStatus.BAD_COMPRESSED, row) from None
        positions[row] = len(inflated)
        if len(inflated) + LEN_INFLATED + len(value) > MAX_INT32:
            raise InflateError(RowStatus.BAD_SIZE, row)
        inflated += len(value).to_bytes(LEN_INFLATED, "little") + value
    inflated.append(0)  # numba takes no array of none
    return np.frombuffer(inflated, dtype=np.uint8), positions
