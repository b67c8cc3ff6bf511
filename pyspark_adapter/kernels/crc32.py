"""CRC32 (IEEE 802.3, as in zlib), for events too small to be worth a call to zlib."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.load import check_range

_POLYNOMIAL = 0xEDB88320


def _build_tables() -> np.ndarray:
    """Return the (16, 256) uint32 remainders: row k is of a byte with k bytes after it."""
    tables = np.zeros((16, 256), dtype=np.uint32)
    for byte in range(256):
        remainder = byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (_POLYNOMIAL if remainder & 1 else 0)
        tables[0, byte] = remainder
    for k in range(1, 16):
        tables[k] = (tables[k - 1] >> 8) ^ tables[0, tables[k - 1] & 0xFF]
    return tables


_TABLES = _build_tables()
_FF, _8, _16, _24 = np.uint32(0xFF), np.uint32(8), np.uint32(16), np.uint32(24)
_B1, _B2, _B3 = np.uint64(1), np.uint64(2), np.uint64(3)
_B4, _B5, _B6, _B7 = np.uint64(4), np.uint64(5), np.uint64(6), np.uint64(7)
_B8, _B9, _B10, _B11 = np.uint64(8), np.uint64(9), np.uint64(10), np.uint64(11)
_B12, _B13, _B14, _B15 = np.uint64(12), np.uint64(13), np.uint64(14), np.uint64(15)
_B16 = np.uint64(16)


@helper
def crc32(data, start, end):
    """Return the CRC32 of data[start:end] as uint32. The table indexes cannot leave 0..255."""
    crc = np.uint32(0xFFFFFFFF)
    check_range(data.size, start, end - start)
    t = _TABLES
    p, last = np.uint64(start), np.uint64(end)
    while p + _B16 <= last:
        word = crc ^ (
            np.uint32(data[p])
            | (np.uint32(data[p + _B1]) << _8)
            | (np.uint32(data[p + _B2]) << _16)
            | (np.uint32(data[p + _B3]) << _24)
        )
        crc = (
            t[15, word & _FF]
            ^ t[14, (word >> _8) & _FF]
            ^ t[13, (word >> _16) & _FF]
            ^ t[12, word >> _24]
            ^ t[11, data[p + _B4]]
            ^ t[10, data[p + _B5]]
            ^ t[9, data[p + _B6]]
            ^ t[8, data[p + _B7]]
            ^ t[7, data[p + _B8]]
            ^ t[6, data[p + _B9]]
            ^ t[5, data[p + _B10]]
            ^ t[4, data[p + _B11]]
            ^ t[3, data[p + _B12]]
            ^ t[2, data[p + _B13]]
            ^ t[1, data[p + _B14]]
            ^ t[0, data[p + _B15]]
        )
        p += _B16
    while p + _B4 <= last:
        word = crc ^ (
            np.uint32(data[p])
            | (np.uint32(data[p + _B1]) << _8)
            | (np.uint32(data[p + _B2]) << _16)
            | (np.uint32(data[p + _B3]) << _24)
        )
        crc = (
            t[3, word & _FF]
            ^ t[2, (word >> _8) & _FF]
            ^ t[1, (word >> _16) & _FF]
            ^ t[0, word >> _24]
        )
        p += _B4
    while p < last:
        crc = t[0, (crc ^ np.uint32(data[p])) & _FF] ^ (crc >> _8)
        p += _B1
    return crc ^ np.uint32(0xFFFFFFFF)
