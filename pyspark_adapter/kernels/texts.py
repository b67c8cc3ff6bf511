"""Strings and bytes: copied out of the log, checked, and brought to UTF-8."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.charsets import put_converted, utf8_part
from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.load import copy_bytes, load_le, load_u1, load_u4, put_u1, skip_ascii
from pyspark_adapter.kernels.rows import value_length

_PADDING, _COMMA = np.int64(0), np.int64(ord(","))


@inlined
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
        size = utf8_part(data, p, end)
        if size < 0:
            return False
        p += size
    return True


@inlined
def put_name(index, names, name_ends, out, o):
    """Write a name and return the position after it."""
    start = name_ends[index]
    length = name_ends[index + 1] - start
    copy_bytes(names, start, length, out, o)
    return o + length


@inlined
def fill_texts(
    data, pos, first, last, width, kind, extra, tables, offsets, offset_base, out, base, where
):
    """Write values with a length of `width` bytes before them; 0, or a status below zero.

    Args:
        kind: one of the TEXT_ codes.
        extra: of bytes the length to which values are filled up with zeros, or 0; else where in
            `tables` the table of the character set begins.
        tables: of `charsets.tables`.
        offsets: int32 Arrow offsets; entry `first` of this column is there already.
        out: arena; this column's bytes begin at `base`.
    """
    o = base + np.int64(offsets[offset_base + first])
    is_ascii_based = kind & ~lay.TEXT_REPLACES <= lay.TEXT_MAPPED
    is_utf8_based = kind & ~lay.TEXT_REPLACES == lay.TEXT_UTF8
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            length = value_length(data, p, -width)
            p += width
            is_plain = False
            if is_ascii_based:
                seen = copy_bytes(data, p, length, out, o)
                is_plain = (
                    seen < 0x80
                    or kind == lay.TEXT_BYTES
                    or (is_utf8_based and is_utf8(data, p, length))
                )
            if is_plain:
                o += length
                if kind == lay.TEXT_BYTES:
                    for _ in range(length, extra):
                        o = put_u1(out, o, _PADDING)
            else:
                o = put_converted(data, p, length, kind, tables, extra, out, o)
                if o < 0:
                    where[0] = i
                    return np.int64(lay.BAD_TEXT)
        if o - base > 0x7FFFFFFF:
            where[0] = i
            return np.int64(lay.BAD_SIZE)
        offsets[offset_base + i + 1] = o - base
    return np.int64(0)


@inlined
def fill_vectors(data, pos, first, last, width, offsets, offset_base, out, base, where):
    """Write VECTOR values, little-endian floats as in Arrow; the offsets count floats."""
    o = base + 4 * np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            length = value_length(data, p, -width)
            if length & 3:
                where[0] = i
                return np.int64(lay.BAD_VECTOR)
            copy_bytes(data, p + width, length, out, o)
            o += length
        offsets[offset_base + i + 1] = (o - base) >> 2
    return np.int64(0)


@inlined
def fill_geometries(
    data, pos, first, last, width, srids, srid_base, offsets, offset_base, out, base, where
):
    """Write GEOMETRY values: SRIDs as int64, -1 for a value of no bytes, and the WKB behind them.

    Source: `Geometry::construct` in the server's `sql/spatial.cc`, which asks for an SRID of four
    bytes and a head of five.
    """
    o = base + np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        srids[srid_base + i] = -1
        if p >= 0:
            length = value_length(data, p, -width)
            if length > 0:
                if length < 9:
                    where[0] = i
                    return np.int64(lay.BAD_GEOMETRY)
                srids[srid_base + i] = load_u4(data, p + width)
                copy_bytes(data, p + width + 4, length - 4, out, o)
                o += length - 4
        offsets[offset_base + i + 1] = o - base
    return np.int64(0)


@inlined
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


@inlined
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
