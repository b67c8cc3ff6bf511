"""Bytes in and out of the kernels; each function checks its whole range before the first access.

Positions are int64 indexes into one-dimensional uint8 arrays. Numba's own check is off here and
nowhere else; see `jit`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import unchecked

# Sizes as typed numbers: a function is compiled again for each plain one that it is called with.
N1, N2, N3, N4, N5, N6, N8 = (np.int64(n) for n in (1, 2, 3, 4, 5, 6, 8))

# Index arithmetic is in uint64: a signed index costs a test for a negative value at each access.
_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)
_4, _5, _6, _7 = np.uint64(4), np.uint64(5), np.uint64(6), np.uint64(7)
_8, _16, _24, _32 = np.uint64(8), np.uint64(16), np.uint64(24), np.uint64(32)
_40, _48, _56 = np.uint64(40), np.uint64(48), np.uint64(56)

# Eight times the same byte, to look at eight letters at once.
_ONES, _HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_SPACES, _LETTERS = np.uint64(0x2020202020202020), np.uint64(0x4141414141414141)
_EVERY_2ND, _EVERY_4TH = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
# What `copy_json_bytes` finds.
NEED_ESCAPES, ABOVE_ASCII = _ONES, _HIGH_BITS
# Keeps the first n bytes of a word.
_LAST_WORD_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_QUOTES, _BACKSLASHES = np.uint64(0x2222222222222222), np.uint64(0x5C5C5C5C5C5C5C5C)


@unchecked
def fits(size, position, num_bytes):
    """Return whether a range of zero bytes or more lies within an array of a size."""
    # One comparison: a negative position is a huge one without its sign.
    return np.uint64(position) < np.uint64(max(size - num_bytes + 1, 0))


@unchecked
def check_range(size, position, num_bytes):
    """Raise IndexError unless a range lies within an array of a size."""
    if num_bytes < 0 or not fits(size, position, num_bytes):
        raise IndexError("a kernel asked for bytes outside of its input or output")


@unchecked
def load_u1(data, position):
    """Return a byte as int64."""
    check_range(data.size, position, N1)
    return np.int64(data[np.uint64(position)])


@unchecked
def load_u2(data, position):
    """Return a little-endian u2 as int64."""
    check_range(data.size, position, N2)
    p = np.uint64(position)
    return np.int64(data[p]) | (np.int64(data[p + _1]) << 8)


@unchecked
def load_u3(data, position):
    """Return a little-endian u3 as int64."""
    check_range(data.size, position, N3)
    p = np.uint64(position)
    return np.int64(data[p]) | (np.int64(data[p + _1]) << 8) | (np.int64(data[p + _2]) << 16)


@unchecked
def load_u4(data, position):
    """Return a little-endian u4 as int64."""
    check_range(data.size, position, N4)
    p = np.uint64(position)
    return (
        np.int64(data[p])
        | (np.int64(data[p + _1]) << 8)
        | (np.int64(data[p + _2]) << 16)
        | (np.int64(data[p + _3]) << 24)
    )


@unchecked
def load_u8(data, position):
    """Return the bits of a little-endian u8 as int64."""
    check_range(data.size, position, N8)
    return np.int64(_load_word(data, np.uint64(position)))


@unchecked
def load_be4(data, position):
    """Return a big-endian u4 as int64."""
    check_range(data.size, position, N4)
    p = np.uint64(position)
    return (
        (np.int64(data[p]) << 24)
        | (np.int64(data[p + _1]) << 16)
        | (np.int64(data[p + _2]) << 8)
        | np.int64(data[p + _3])
    )


@unchecked
def _load_word(data, p):
    """Return eight bytes at a position that the caller has checked, as uint64."""
    return (
        np.uint64(data[p])
        | (np.uint64(data[p + _1]) << _8)
        | (np.uint64(data[p + _2]) << _16)
        | (np.uint64(data[p + _3]) << _24)
        | (np.uint64(data[p + _4]) << _32)
        | (np.uint64(data[p + _5]) << _40)
        | (np.uint64(data[p + _6]) << _48)
        | (np.uint64(data[p + _7]) << _56)
    )


@unchecked
def load_be(data, position, num_bytes):
    """Return the bits of a big-endian integer of up to eight bytes as int64."""
    check_range(data.size, position, num_bytes)
    if num_bytes == 0 or num_bytes > 8:
        return np.int64(0)
    p = np.uint64(position)
    if not fits(data.size, position, N8):
        value = np.int64(0)
        for i in range(np.uint64(num_bytes)):
            value = (value << 8) | np.int64(data[p + i])
        return value
    # Eight bytes at once, whatever the number that is wanted: no loop, and no branch on it.
    word = _load_word(data, p)
    word = ((word >> _8) & _EVERY_2ND) | ((word & _EVERY_2ND) << _8)
    word = ((word >> _16) & _EVERY_4TH) | ((word & _EVERY_4TH) << _16)
    word = (word >> _32) | (word << _32)
    return np.int64(word >> np.uint64(64 - 8 * num_bytes))


@unchecked
def load_le(data, position, num_bytes):
    """Return the bits of a little-endian integer of up to eight bytes as int64."""
    check_range(data.size, position, num_bytes)
    if num_bytes == 0 or num_bytes > 8:
        return np.int64(0)
    p = np.uint64(position)
    if not fits(data.size, position, N8):
        value = np.int64(0)
        for i in range(np.uint64(num_bytes)):
            value |= np.int64(data[p + i]) << np.int64(_8 * i)
        return value
    shift = np.uint64(64 - 8 * num_bytes)
    return np.int64(_load_word(data, p) << shift >> shift)


@unchecked
def skip_ascii(data, position, end):
    """Return the position of the first byte beyond ASCII, or `end`."""
    while position + 8 <= end and fits(data.size, position, N8):
        high_bits = _load_word(data, np.uint64(position)) & _HIGH_BITS
        if high_bits:
            # The bytes before the lowest bit, counted by adding up a bit of each.
            below = ((high_bits & (~high_bits + _1)) - _1) & _ONES
            return position + np.int64((below * _ONES) >> _56) - 1
        position += 8
    while position < end and load_u1(data, position) < 0x80:
        position += 1
    return position


@unchecked
def _store_word(out, o, word):
    """Write eight bytes to a position that the caller has checked."""
    out[o] = np.uint8(word)
    out[o + _1] = np.uint8(word >> _8)
    out[o + _2] = np.uint8(word >> _16)
    out[o + _3] = np.uint8(word >> _24)
    out[o + _4] = np.uint8(word >> _32)
    out[o + _5] = np.uint8(word >> _40)
    out[o + _6] = np.uint8(word >> _48)
    out[o + _7] = np.uint8(word >> _56)


@unchecked
def copy_bytes(data, position, num_bytes, out, out_position):
    """Copy bytes and return 0x80 if some of them are beyond ASCII, else 0.

    Up to eight bytes after the copy may be overwritten, if `out` has them.
    """
    p, o, n = np.uint64(position), np.uint64(out_position), np.uint64(num_bytes)
    # Long enough for a vectorised loop, or at the end of an array.
    if n >= np.uint64(256) or not (
        fits(data.size, position, num_bytes + 8) and fits(out.size, out_position, num_bytes + 8)
    ):
        check_range(data.size, position, num_bytes)
        check_range(out.size, out_position, num_bytes)
        byte_seen = np.uint8(0)
        for i in range(n):
            byte_seen |= data[p + i]
            out[o + i] = data[p + i]
        return np.int64(byte_seen & np.uint8(0x80))
    seen = np.uint64(0)
    while n > _8:
        word = _load_word(data, p)
        _store_word(out, o, word)
        seen |= word
        p, o, n = p + _8, o + _8, n - _8
    word = _load_word(data, p)
    _store_word(out, o, word)
    seen |= word & _LAST_WORD_MASKS[n]
    return np.int64(0x80) if seen & _HIGH_BITS else np.int64(0)


@unchecked
def move_bytes(data, position, num_bytes, new_position):
    """Move bytes within an array; the ranges may overlap."""
    check_range(data.size, position, num_bytes)
    check_range(data.size, new_position, num_bytes)
    p, q, n = np.uint64(position), np.uint64(new_position), np.uint64(num_bytes)
    if q < p:
        for i in range(n):
            data[q + i] = data[p + i]
        return
    while n >= _8:
        n -= _8
        _store_word(data, q + n, _load_word(data, p + n))
    while n > np.uint64(0):
        n -= _1
        data[q + n] = data[p + n]


@unchecked
def equal_bytes(left, left_position, right, right_position, num_bytes):
    """Return whether two ranges hold the same bytes."""
    check_range(left.size, left_position, num_bytes)
    check_range(right.size, right_position, num_bytes)
    p, q = np.uint64(left_position), np.uint64(right_position)
    difference = np.uint8(0)
    for i in range(np.uint64(num_bytes)):  # no early exit: so it is vectorised
        difference |= left[p + i] ^ right[q + i]
    return difference == 0


@unchecked
def put_u1(out, out_position, byte):
    """Write a byte, if there is room for it, and return the position after it."""
    check_range(out.size, out_position, N1)
    out[np.uint64(out_position)] = np.uint8(byte)
    return out_position + 1


@unchecked
def put_u2(out, out_position, pair):
    """Write two bytes, the first one lowest, if there is room; return the position after them."""
    check_range(out.size, out_position, N2)
    o = np.uint64(out_position)
    out[o] = np.uint8(pair)
    out[o + _1] = np.uint8(pair >> 8)
    return out_position + 2


@unchecked
def put_word(out, out_position, word, num_bytes):
    """Write up to eight bytes, the first one lowest, and return the position after them.

    The rest of the eight bytes is written as well, if there is room.
    """
    if not fits(out.size, out_position, N8):
        for i in range(num_bytes):
            put_u1(out, out_position + i, word >> (8 * i))
        return out_position + num_bytes
    _store_word(out, np.uint64(out_position), np.uint64(word))
    return out_position + num_bytes


@unchecked
def _json_flags(word):
    """Return bits among 0x80 of each byte: set if some byte needs an escape."""
    quotes = word ^ _QUOTES
    backslashes = word ^ _BACKSLASHES
    return (
        ((word - _SPACES) & ~word)
        | ((quotes - _ONES) & ~quotes)
        | ((backslashes - _ONES) & ~backslashes)
    ) & _HIGH_BITS


@unchecked
def copy_json_bytes(data, position, num_bytes, out, out_position):
    """Copy bytes; 0 if none needs an escape in a JSON string, else a set of bits.

    Bits of NEED_ESCAPES: there are quotes, backslashes or control characters. Bits of ABOVE_ASCII:
    there are bytes beyond ASCII. Up to eight bytes after the copy may be overwritten, if `out`
    has them.
    """
    p, o, n = np.uint64(position), np.uint64(out_position), np.uint64(num_bytes)
    seen, special = np.uint64(0), np.uint64(0)
    if num_bytes >= 0 and (
        fits(data.size, position, num_bytes + 8) and fits(out.size, out_position, num_bytes + 8)
    ):
        while n > _8:
            word = _load_word(data, p)
            _store_word(out, o, word)
            seen |= word
            special |= _json_flags(word)
            p, o, n = p + _8, o + _8, n - _8
        word = _load_word(data, p)
        _store_word(out, o, word)
        mask = _LAST_WORD_MASKS[n]
        seen |= word & mask
        special |= _json_flags(word) & mask
    else:
        check_range(data.size, position, num_bytes)
        check_range(out.size, out_position, num_bytes)
        for i in range(n):
            byte = np.uint64(data[p + i])
            out[o + i] = data[p + i]
            seen |= byte
            special |= _json_flags(_LETTERS ^ np.uint64(0x41) | byte)
    return (special >> _7) | (seen & _HIGH_BITS)
