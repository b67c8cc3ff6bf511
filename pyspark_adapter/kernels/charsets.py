"""Converts text of all character sets to UTF-8.

Each function writes the text of `length` bytes at `start` to `out` at `o` and returns the position
after it. Invalid bytes become U+FFFD if `replaces` is set; else the result is -1. Which bytes are
replaced, and by how many characters, see `charsets.charset.decode_text`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import TEXT_REPLACES, Entry, Text
from pyspark_adapter.kernels.load import N1, N2, N3, N4, load_be, load_u1, load_u2, put_word

_REPLACEMENT = np.int64(0xBDBFEF)

# Of the sequences of four bytes of gb18030: how many there are before U+10000, the number of that
# character, and of the one after U+10FFFF.
_NUM_BMP, _FIRST_BEYOND, _END_BEYOND = 39420, 189000, 189000 + 0x100000


@inlined
def put_utf8(point, out, o):
    """Write a code point, which is no surrogate, as UTF-8."""
    if point < 0x80:
        return put_word(out, o, point, N1)
    if point < 0x800:
        return put_word(out, o, (0xC0 | point >> 6) | (0x80 | point & 63) << 8, N2)
    if point < 0x10000:
        word = (0xE0 | point >> 12) | (0x80 | point >> 6 & 63) << 8 | (0x80 | point & 63) << 16
        return put_word(out, o, word, N3)
    word = (
        (0xF0 | point >> 18)
        | (0x80 | point >> 12 & 63) << 8
        | (0x80 | point >> 6 & 63) << 16
        | (0x80 | point & 63) << 24
    )
    return put_word(out, o, word, N4)


@helper
def utf8_part(data, p, end):
    """Return the bytes of the UTF-8 character at p; negative, of its part, if it is broken."""
    a = load_u1(data, p)
    if a < 0x80:
        return np.int64(1)
    if a < 0xC2 or a > 0xF4:
        return np.int64(-1)
    size = np.int64(2 if a < 0xE0 else (3 if a < 0xF0 else 4))
    low, high = 0x80, 0xBF
    if a == 0xE0:
        low = 0xA0
    elif a == 0xED:
        high = 0x9F
    elif a == 0xF0:
        low = 0x90
    elif a == 0xF4:
        high = 0x8F
    for k in range(1, size):
        if p + k >= end:
            return -np.int64(k)
        b = load_u1(data, p + k)
        if b < low or b > high:
            return -np.int64(k)
        low, high = 0x80, 0xBF
    return size


@helper
def put_repaired(data, start, length, out, o):
    """Write text that is not valid UTF-8; invalid sequences are replaced."""
    p, end = np.int64(start), np.int64(start + length)
    while p < end:
        size = utf8_part(data, p, end)
        if size < 0:
            o = put_word(out, o, _REPLACEMENT, N3)
            p -= size
        else:
            word = np.int64(0)
            for k in range(size):
                word |= load_u1(data, p + k) << (8 * k)
            o = put_word(out, o, word, size)
            p += size
    return o


@helper
def put_ascii(data, start, length, replaces, out, o):
    """Write text of ASCII, in which other bytes are not valid."""
    for k in range(length):
        byte = load_u1(data, start + k)
        if byte < 0x80:
            o = put_word(out, o, byte, N1)
        elif replaces:
            o = put_word(out, o, _REPLACEMENT, N3)
        else:
            return np.int64(-1)
    return o


@helper
def four_bytes_number(data, p, end):
    """Return the number of the sequence of four bytes at p, as gb18030 counts them; -1 if none."""
    if p + 4 > end:
        return np.int64(-1)
    a, b = load_u1(data, p) - 0x81, load_u1(data, p + 1) - 0x30
    c, d = load_u1(data, p + 2) - 0x81, load_u1(data, p + 3) - 0x30
    if c < 0 or c > 125 or d < 0 or d > 9:
        return np.int64(-1)
    return ((a * 10 + b) * 126 + c) * 10 + d


@helper
def put_mapped(data, start, length, tables, table, replaces, out, o):
    """Write text by a table of `charsets.tables`, which begins at tables[table]."""
    p, end = np.int64(start), np.int64(start + length)
    while p < end:
        entry = np.int64(tables[table + load_u1(data, p)])
        size = entry >> 24
        if 0 < size < Entry.BLOCK:
            o = put_word(out, o, entry, size)
            p += 1
            continue
        after = p + 1
        while size == Entry.BLOCK and after < end:
            entry = np.int64(tables[table + ((entry & 0xFFFFFF) << 8) + load_u1(data, after)])
            size = entry >> 24
            after += 1
        if size == Entry.FOUR_BYTES:
            number = four_bytes_number(data, p, end)
            after = p + 4
            if number < 0:
                size = np.int64(0)
            elif number < _NUM_BMP:
                entry = np.int64(tables[table + ((entry & 0xFFFFFF) << 8) + number])
                size = entry >> 24
            elif _FIRST_BEYOND <= number < _END_BEYOND:
                o = put_utf8(number - _FIRST_BEYOND + 0x10000, out, o)
                p = after
                continue
            else:
                size = np.int64(Entry.UNDEFINED)
        if 0 < size < Entry.BLOCK:
            o = put_word(out, o, entry, size)
            p = after
        elif not replaces:
            return np.int64(-1)
        else:
            o = put_word(out, o, _REPLACEMENT, N3)
            p = after if size == Entry.UNDEFINED else p + 1
    return o


@helper
def put_utf16(data, start, length, kind, replaces, out, o):
    """Write text of UCS-2 or UTF-16."""
    p, end = np.int64(start), np.int64(start + length)
    while p < end:
        taken, point = np.int64(2), np.int64(-1)
        if p + 2 > end:
            taken = np.int64(1)
        else:
            point = load_u2(data, p)
            if kind != Text.UTF16LE:
                point = point >> 8 | (point & 0xFF) << 8
            if point & 0xF800 == 0xD800:
                is_first, first = point < 0xDC00 and kind != Text.UCS2, point
                point = np.int64(-1)
                if is_first and p + 4 > end:
                    taken = end - p
                elif is_first:
                    second = load_u2(data, p + 2)
                    if kind != Text.UTF16LE:
                        second = second >> 8 | (second & 0xFF) << 8
                    if second & 0xFC00 == 0xDC00:
                        point = 0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)
                        taken = np.int64(4)
        p += taken
        if point >= 0:
            o = put_utf8(point, out, o)
        elif replaces:
            o = put_word(out, o, _REPLACEMENT, N3)
        else:
            return np.int64(-1)
    return o


@helper
def put_utf32(data, start, length, replaces, out, o):
    """Write text of UTF-32."""
    for k in range(0, length, 4):
        point = np.int64(-1)
        if k + 4 <= length:
            point = load_be(data, start + k, N4)
        if point < 0 or point > 0x10FFFF or point & ~0x7FF == 0xD800:
            if not replaces:
                return np.int64(-1)
            o = put_word(out, o, _REPLACEMENT, N3)
        else:
            o = put_utf8(point, out, o)
    return o


@helper
def put_converted(data, start, length, kind, tables, table, out, o):
    """Write text of any Text code except BYTES."""
    replaces = kind & TEXT_REPLACES != 0
    kind &= ~TEXT_REPLACES
    if kind == Text.MAPPED or kind == Text.MAPPED_WHOLLY:
        return put_mapped(data, start, length, tables, table, replaces, out, o)
    if kind == Text.UTF32:
        return put_utf32(data, start, length, replaces, out, o)
    if kind == Text.ASCII:
        return put_ascii(data, start, length, replaces, out, o)
    if kind == Text.UTF8:
        return put_repaired(data, start, length, out, o) if replaces else np.int64(-1)
    return put_utf16(data, start, length, kind, replaces, out, o)
