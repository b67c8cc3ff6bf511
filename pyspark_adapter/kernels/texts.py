"""Strings and bytes: copied out of the log, checked, and brought to UTF-8."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import inner, part
from pyspark_adapter.kernels.load import copy_bytes, load_le, load_u1, put_u1, skip_ascii
from pyspark_adapter.kernels.rows import value_length


def _build_latin1() -> np.ndarray:
    """Return (256,) int64: the UTF-8 bytes of each byte, first one lowest, and their number << 24.

    The latin1 of MySQL is cp1252, in which five bytes are not defined; the server takes those
    as the control characters of their own number.
    """
    table = np.zeros(256, dtype=np.int64)
    for byte in range(256):
        try:
            text = bytes([byte]).decode("cp1252")
        except UnicodeDecodeError:
            text = chr(byte)
        encoded = text.encode()
        table[byte] = int.from_bytes(encoded, "little") | len(encoded) << 24
    return table


_LATIN1 = _build_latin1()
_PADDING, _COMMA = np.int64(0), np.int64(ord(","))


@inner
def is_utf8(data, start, length):
    """Tell whether bytes are UTF-8 as Unicode defines it: shortest form, no surrogates."""
    end = start + length
    p = skip_ascii(data, start, end)
    while p < end:
        a = load_u1(data, p)
        if a < 0x80:
            p += 1
            if p < end and load_u1(data, p) < 0x80:  # more than one letter between two others
                p = skip_ascii(data, p, end)
            continue
        if a < 0xC2 or a > 0xF4:
            return False
        extra = 1 if a < 0xE0 else (2 if a < 0xF0 else 3)
        if p + extra >= end:
            return False
        b = load_u1(data, p + 1)
        low, high = 0x80, 0xBF
        if a == 0xE0:
            low = 0xA0
        elif a == 0xED:
            high = 0x9F
        elif a == 0xF0:
            low = 0x90
        elif a == 0xF4:
            high = 0x8F
        if b < low or b > high:
            return False
        for k in range(2, extra + 1):
            if load_u1(data, p + k) & 0xC0 != 0x80:
                return False
        p += extra + 1
    return True


@part
def put_latin1(data, start, length, out, o):
    """Write bytes of latin1 as UTF-8 and return the position after them."""
    for k in range(length):
        entry = _LATIN1[load_u1(data, start + k)]
        for _ in range(entry >> 24):
            o = put_u1(out, o, entry & 0xFF)
            entry >>= 8
    return o


@inner
def put_name(index, names, name_ends, out, o):
    """Write a name and return the position after it."""
    start = name_ends[index]
    length = name_ends[index + 1] - start
    copy_bytes(names, start, length, out, o)
    return o + length


@inner
def fill_texts(
    data, pos, first, last, width, charset, padded, offsets, offset_base, out, base, where
):
    """Write values with a length of `width` bytes before them; 0, or a status below zero.

    Args:
        charset: one of the TEXT_ codes.
        padded: length to which values are filled up with zero bytes, or 0.
        offsets: int32 Arrow offsets; entry `first` of this column is there already.
        out: arena; this column's bytes begin at `base`.
    """
    o = base + np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            length = value_length(data, p, -width)
            p += width
            if charset == lay.TEXT_LATIN1:
                o = put_latin1(data, p, length, out, o)
            else:
                seen = copy_bytes(data, p, length, out, o)
                if seen >= 0x80 and charset != lay.TEXT_BYTES:
                    if charset == lay.TEXT_ASCII or not is_utf8(data, p, length):
                        where[0] = i
                        return np.int64(lay.BAD_TEXT)
                o += length
                for _ in range(length, padded):
                    o = put_u1(out, o, _PADDING)
        if o - base > 0x7FFFFFFF:
            where[0] = i
            return np.int64(lay.BAD_SIZE)
        offsets[offset_base + i + 1] = o - base
    return np.int64(0)


@inner
def fill_enums(
    data,
    pos,
    first,
    last,
    width,
    first_name,
    num_names,
    names,
    name_ends,
    offsets,
    offset_base,
    out,
    base,
    where,
):
    """Write the names of ENUM values; 0, or a status below zero.

    Args:
        first_name, num_names: which names are those of the column; the first one is that of 0.
        names: the bytes of all names, one after the other.
        name_ends: the end of each name in `names`, preceded by a 0.
    """
    o = base + np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            number = load_le(data, p, width)
            if number >= num_names:
                where[0] = i
                return np.int64(lay.BAD_MEMBER)
            o = put_name(first_name + number, names, name_ends, out, o)
        if o - base > 0x7FFFFFFF:
            where[0] = i
            return np.int64(lay.BAD_SIZE)
        offsets[offset_base + i + 1] = o - base
    return np.int64(0)


@inner
def fill_sets(
    data,
    pos,
    first,
    last,
    width,
    first_name,
    num_names,
    names,
    name_ends,
    offsets,
    offset_base,
    out,
    base,
    where,
):
    """Write the names of SET values, separated by commas; arguments as for `fill_enums`."""
    o = base + np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            bits = load_le(data, p, width)
            member = np.int64(0)
            is_first = True
            while bits != 0 and member < num_names:
                if bits & 1:
                    if not is_first:
                        o = put_u1(out, o, _COMMA)
                    o = put_name(first_name + member, names, name_ends, out, o)
                    is_first = False
                bits = (bits >> 1) & 0x7FFFFFFFFFFFFFFF
                member += 1
            if bits != 0:
                where[0] = i
                return np.int64(lay.BAD_MEMBER)
        if o - base > 0x7FFFFFFF:
            where[0] = i
            return np.int64(lay.BAD_SIZE)
        offsets[offset_base + i + 1] = o - base
    return np.int64(0)
