"""CRC32 in kernels, by products and by tables, compared with zlib."""

import hashlib
import zlib
from typing import Any

import numba
import numpy as np
import pytest

from pyspark_adapter.kernels.crc32 import crc32, crc32_by_tables

Data = np.ndarray[Any, np.dtype[np.uint8]]
DATA: Data = np.frombuffer(bytearray(hashlib.shake_128(b"crc32").digest(70_000)), dtype=np.uint8)
# All numbers of whole and partial blocks, below and above the length at which four lanes begin.
LENGTHS = (*range(400), 1000, 4095, 8192, 65_000)


def compiled(function: Any) -> Any:
    """Return a function that calls an inner function of the kernels."""
    call: Any = numba.njit("uint32(uint8[::1], int64, int64)", boundscheck=True, _nrt=False)
    return call(lambda data, start, end: function(data, start, end))


FUNCTIONS = pytest.mark.parametrize(
    "crc", [compiled(crc32), compiled(crc32_by_tables)], ids=["chosen", "tables"]
)


@FUNCTIONS
@pytest.mark.parametrize("start", [0, 3])
def test_it_is_that_of_zlib(crc: Any, start: int) -> None:
    for length in LENGTHS:
        end = start + length
        assert crc(DATA, start, end) == zlib.crc32(DATA[start:end].tobytes()), length


@FUNCTIONS
@pytest.mark.parametrize(("start", "end"), [(-1, 40), (0, len(DATA) + 1), (len(DATA), 20), (9, 8)])
def test_a_range_outside_of_the_data_is_an_error(crc: Any, start: int, end: int) -> None:
    with pytest.raises(IndexError):
        crc(DATA, start, end)


@FUNCTIONS
def test_the_end_of_the_data_is_no_boundary(crc: Any) -> None:
    """Blocks are read whole, and none of them beyond the range."""
    for length in range(16, 200):
        data = DATA[:length].copy()
        assert crc(data, 0, length) == zlib.crc32(data.tobytes())
