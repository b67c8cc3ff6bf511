"""CRC32 (IEEE 802.3, as in zlib) of a range of bytes, and CRC-32C (Castagnoli) of pages.

A message is a polynomial over GF(2); its CRC is the remainder after division by `_POLYNOMIAL`. With
carry-less multiplication a block of 16 bytes is moved forward by 128 or 512 bits with two products,
and added to the block there; the last block has the same remainder as the whole message.

Source: Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
Instruction", Intel, 2009. The constants are computed here, not copied.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.load import check_range, load_u4, load_u8
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


def remainder_tables(reflected: int) -> np.ndarray:
    """Return the (8, 256) uint32 remainders: row k is of a byte with k bytes after it.

    Args:
        reflected: the polynomial without x^32, its bits in reverse.
    """
    tables = np.zeros((8, 256), dtype=np.uint32)
    tables[0] = np.arange(256)
    for _ in range(8):
        tables[0] = (tables[0] >> 1) ^ np.where(tables[0] & 1, np.uint32(reflected), 0)
    for k in range(1, 8):
        tables[k] = (tables[k - 1] >> 8) ^ tables[0, tables[k - 1] & 0xFF]
    return tables


_TABLES = remainder_tables(_reflect(_POLYNOMIAL & 0xFFFFFFFF, 32))
_FF = np.uint64(0xFF)
_24, _40, _56 = (np.uint64(n) for n in (24, 40, 56))


@helper
def crc_by_tables(data, start, end, tables):
    """Return the CRC of data[start:end] as uint32, by `remainder_tables`."""
    check_range(data.size, start, end - start)
    crc = _ONES
    p = start
    while p + 8 <= end:
        word = np.uint64(load_u8(data, p)) ^ crc
        crc = np.uint64(
            tables[7, word & _FF]
            ^ tables[6, (word >> _8) & _FF]
            ^ tables[5, (word >> _16) & _FF]
            ^ tables[4, (word >> _24) & _FF]
            ^ tables[3, (word >> _32) & _FF]
            ^ tables[2, (word >> _40) & _FF]
            ^ tables[1, (word >> _48) & _FF]
            ^ tables[0, word >> _56]
        )
        p += 8
    while p < end:
        crc = np.uint64(tables[0, (crc ^ np.uint64(data[p])) & _FF]) ^ (crc >> _8)
        p += 1
    return np.uint32(crc ^ _ONES)


@helper
def crc32_by_tables(data, start, end):
    """Return the CRC32 of data[start:end] as uint32."""
    return crc_by_tables(data, start, end, _TABLES)


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

_CASTAGNOLI_TABLES = remainder_tables(0x82F63B78)


@helper
def _crc32c(data, start, end):
    """Return the CRC-32C of data[start:end]."""
    return np.int64(crc_by_tables(data, start, end, _CASTAGNOLI_TABLES))


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
