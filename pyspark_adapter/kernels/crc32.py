"""CRC32 (IEEE 802.3, as in zlib) of a range of bytes.

A message is a polynomial over GF(2); its CRC is the remainder after division by `_POLYNOMIAL`. With
carry-less multiplication a block of 16 bytes is moved forward by 128 or 512 bits with two products,
and added to the block there; the last block has the same remainder as the whole message.

Source: Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
Instruction", Intel, 2009. The constants are computed here, not copied.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.load import check_range
from pyspark_adapter.kernels.vectors import (
    fold,
    has_products,
    load_block,
    make_block,
    multiply,
    shift_block,
    word_of,
    xor_blocks,
)

# x^32 and below; the CRC reads bits from the lowest of each byte, so numbers below are reflected.
_POLYNOMIAL = 0x104C11DB7


def _reflect(number: int, num_bits: int) -> int:
    return int(f"{number:0{num_bits}b}"[::-1], 2)


def _power(exponent: int) -> np.uint64:
    """Return x^exponent modulo the polynomial, as a factor for `fold`."""
    remainder = 1
    for _ in range(exponent):
        remainder <<= 1
        if remainder >> 32:
            remainder ^= _POLYNOMIAL
    return np.uint64(_reflect(remainder, 32) << 1)


def _quotient() -> np.uint64:
    """Return x^64 divided by the polynomial, for Barrett's reduction."""
    quotient, rest = 0, 1 << 64
    for bit in range(64, 31, -1):
        if rest >> bit & 1:
            rest ^= _POLYNOMIAL << (bit - 32)
            quotient |= 1 << (bit - 32)
    return np.uint64(_reflect(quotient, 33))


_BY_512 = _power(512 + 32), _power(512 - 32)
_BY_128 = _power(128 + 32), _power(128 - 32)
_BY_96, _BY_64 = _BY_128[1], _power(64)
_QUOTIENT = _quotient()
_DIVISOR = np.uint64(_reflect(_POLYNOMIAL, 33))

_ONES = np.uint64(0xFFFFFFFF)
_0, _1, _4, _8 = np.uint64(0), np.uint64(1), np.uint64(4), np.uint64(8)
_15, _16, _32, _48, _64 = (np.uint64(n) for n in (15, 16, 32, 48, 64))
_FOUR_LANES = np.uint64(112)  # bytes after the first two blocks from which on four lanes pay
_FIRST, _SECOND = np.int64(0), np.int64(1)


def _build_tables() -> np.ndarray:
    """Return the (16, 256) uint32 remainders: row k is of a byte with k bytes after it."""
    tables = np.zeros((16, 256), dtype=np.uint32)
    reflected = _reflect(_POLYNOMIAL & 0xFFFFFFFF, 32)
    for byte in range(256):
        remainder = byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (reflected if remainder & 1 else 0)
        tables[0, byte] = remainder
    for k in range(1, 16):
        tables[k] = (tables[k - 1] >> 8) ^ tables[0, tables[k - 1] & 0xFF]
    return tables


_TABLES = _build_tables()
_FF = np.uint32(0xFF)
_B8, _B16, _B24 = np.uint32(8), np.uint32(16), np.uint32(24)
_2, _3, _5, _6, _7 = (np.uint64(n) for n in (2, 3, 5, 6, 7))
_9, _10, _11, _12, _13, _14 = (np.uint64(n) for n in range(9, 15))


@helper
def crc32_by_tables(data, start, end):
    """Return the CRC32 of data[start:end] as uint32. Indexes of the tables cannot leave 0..255."""
    check_range(data.size, start, end - start)
    crc = np.uint32(0xFFFFFFFF)
    t = _TABLES
    p, last = np.uint64(start), np.uint64(end)
    while p + _16 <= last:
        word = crc ^ (
            np.uint32(data[p])
            | (np.uint32(data[p + _1]) << _B8)
            | (np.uint32(data[p + _2]) << _B16)
            | (np.uint32(data[p + _3]) << _B24)
        )
        crc = (
            t[15, word & _FF]
            ^ t[14, (word >> _B8) & _FF]
            ^ t[13, (word >> _B16) & _FF]
            ^ t[12, word >> _B24]
            ^ t[11, data[p + _4]]
            ^ t[10, data[p + _5]]
            ^ t[9, data[p + _6]]
            ^ t[8, data[p + _7]]
            ^ t[7, data[p + _8]]
            ^ t[6, data[p + _9]]
            ^ t[5, data[p + _10]]
            ^ t[4, data[p + _11]]
            ^ t[3, data[p + _12]]
            ^ t[2, data[p + _13]]
            ^ t[1, data[p + _14]]
            ^ t[0, data[p + _15]]
        )
        p += _16
    while p + _4 <= last:
        word = crc ^ (
            np.uint32(data[p])
            | (np.uint32(data[p + _1]) << _B8)
            | (np.uint32(data[p + _2]) << _B16)
            | (np.uint32(data[p + _3]) << _B24)
        )
        crc = (
            t[3, word & _FF]
            ^ t[2, (word >> _B8) & _FF]
            ^ t[1, (word >> _B16) & _FF]
            ^ t[0, word >> _B24]
        )
        p += _4
    while p < last:
        crc = t[0, (crc ^ np.uint32(data[p])) & _FF] ^ (crc >> _B8)
        p += _1
    return crc ^ np.uint32(0xFFFFFFFF)


@helper
def _crc32_by_products(data, start, end):
    """Return the CRC32 of data[start:end] as uint32."""
    if end - start < 16:
        return crc32_by_tables(data, start, end)
    check_range(data.size, start, end - start)
    by_128 = make_block(_BY_128[0], _BY_128[1])
    p, last = np.uint64(start), np.uint64(end)
    # The first block has 1 to 16 bytes, so that whole ones follow. Zeros before a message do not
    # change its remainder. The initial value is added to the first four bytes of the message.
    length = ((last - p - _1) & _15) + _1
    x = xor_blocks(load_block(data, p), make_block(_ONES, _0))
    x = shift_block(x, (_16 - length) * _8)
    p += length
    if p < last:
        late = _ONES >> (length * _8) if length < _4 else _0  # of the initial value
        x = fold(x, by_128, xor_blocks(load_block(data, p), make_block(late, _0)))
        p += _16
    if last - p >= _FOUR_LANES:
        # Products take some cycles: four blocks are on their way at a time.
        by_512 = make_block(_BY_512[0], _BY_512[1])
        y = load_block(data, p)
        z = load_block(data, p + _16)
        w = load_block(data, p + _32)
        p += _48
        while last - p >= _64:
            x = fold(x, by_512, load_block(data, p))
            y = fold(y, by_512, load_block(data, p + _16))
            z = fold(z, by_512, load_block(data, p + _32))
            w = fold(w, by_512, load_block(data, p + _48))
            p += _64
        x = fold(fold(fold(x, by_128, y), by_128, z), by_128, w)
    while p < last:
        x = fold(x, by_128, load_block(data, p))
        p += _16
    # 128 bits to 96, to 64, and to the remainder of 32.
    moved = multiply(word_of(x, _FIRST), _BY_96)
    low = word_of(moved, _FIRST) ^ word_of(x, _SECOND)
    high = word_of(moved, _SECOND)
    rest = word_of(multiply(low & _ONES, _BY_64), _FIRST) ^ ((low >> _32) | (high << _32))
    times = word_of(multiply(rest & _ONES, _QUOTIENT), _FIRST) & _ONES
    rest ^= word_of(multiply(times, _DIVISOR), _FIRST)
    return np.uint32(rest >> _32) ^ np.uint32(0xFFFFFFFF)


crc32 = _crc32_by_products if has_products() else crc32_by_tables
