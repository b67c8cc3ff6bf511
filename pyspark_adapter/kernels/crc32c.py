"""CRC-32C (Castagnoli) of the pages of MariaDB's engine binlogs; CRC32 of events is another."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.load import check_range, load_u4, load_u8

# x^32 left out, bits in reverse, as the lowest bit of each byte comes first.
_POLYNOMIAL = 0x82F63B78


def _build_tables() -> np.ndarray:
    """Return the (8, 256) uint32 remainders: row k is of a byte with k bytes after it."""
    tables = np.zeros((8, 256), dtype=np.uint32)
    tables[0] = np.arange(256)
    for _ in range(8):
        tables[0] = (tables[0] >> 1) ^ np.where(tables[0] & 1, np.uint32(_POLYNOMIAL), 0)
    for k in range(1, 8):
        tables[k] = (tables[k - 1] >> 8) ^ tables[0, tables[k - 1] & 0xFF]
    return tables


_TABLES = _build_tables()
_ONES = np.uint64(0xFFFFFFFF)
_FF = np.uint64(0xFF)
_8, _16, _24, _32, _40, _48, _56 = (np.uint64(n) for n in range(8, 64, 8))


@helper
def _crc32c(data, start, end):
    """Return the CRC-32C of data[start:end]."""
    check_range(data.size, start, end - start)
    t = _TABLES
    crc = _ONES
    p = start
    while p + 8 <= end:
        word = np.uint64(load_u8(data, p)) ^ crc
        crc = np.uint64(
            t[7, word & _FF]
            ^ t[6, (word >> _8) & _FF]
            ^ t[5, (word >> _16) & _FF]
            ^ t[4, (word >> _24) & _FF]
            ^ t[3, (word >> _32) & _FF]
            ^ t[2, (word >> _40) & _FF]
            ^ t[1, (word >> _48) & _FF]
            ^ t[0, word >> _56]
        )
        p += 8
    while p < end:
        crc = np.uint64(t[0, (crc ^ np.uint64(data[p])) & _FF]) ^ (crc >> _8)
        p += 1
    return np.int64(crc ^ _ONES)


def count_valid_pages(data, num_pages, len_page):
    """Return how many pages at the start of the data are valid, by the CRC-32C at their ends.

    A page of zeros alone has a CRC of zero and is valid: the server has allocated it.
    """
    check_range(data.size, np.int64(0), num_pages * len_page)
    for page in range(num_pages):
        start = page * len_page
        end = start + len_page - 4
        stored = load_u4(data, end)
        if _crc32c(data, start, end) != stored:
            is_empty = stored == 0
            p = start
            while is_empty and p < end:  # pages have a multiple of four bytes
                is_empty = load_u4(data, p) == 0
                p += 4
            if not is_empty:
                return np.int64(page)
    return np.int64(num_pages)


def crc32c(data):
    """Return the CRC-32C of bytes."""
    return _crc32c(data, np.int64(0), np.int64(data.size))
