"""Values that differ in length: copied from the log, checked, and text converted to UTF-8.

Each `fill_` function writes values [first, last) of a column and returns 0, or a RowStatus with the
index of the bad value in `where[0]`. Its arguments: `row` of the column in the table of `fill`;
`offsets`, the arena seen as int32, in which the Arrow offset of `first` is set already; `out`, the
arena as bytes. `fill_plain_texts` and `fill_names` are faster, and return the first row that they
leave to the others, or `last`. The text of UUID, INET4 and INET6 is as in `values.text_form`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.charsets import put_converted
from pyspark_adapter.kernels.digits import COLON, HEX, POINT, put_decimal, put_integer
from pyspark_adapter.kernels.gtids import put_uuid
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import (
    LEN_COPY,
    MAX_INT32,
    TEXT_REPLACES,
    ColumnField,
    FixedBinary,
    Op,
    RowStatus,
    Text,
)
from pyspark_adapter.kernels.load import (
    ABOVE_ASCII,
    N0,
    check_range,
    copy_ascii,
    copy_bytes,
    copy_slowly,
    get,
    load_le,
    load_u1,
    load_u4,
    prefetch,
    put,
    put_u1,
    raw_u1,
    raw_u8,
)
from pyspark_adapter.kernels.numerics import AHEAD, BLOCK_ROWS
from pyspark_adapter.kernels.row_images import value_length
from pyspark_adapter.kernels.utf8 import is_long_utf8, is_utf8


@helper
def _number(data, p, length, first, count):
    """Return some big-endian bytes of a value, which is logged without the zeros at its end."""
    value = np.int64(0)
    for k in range(first, first + count):
        value = value << 8 | (load_u1(data, p + k) if k < length else np.int64(0))
    return value


@helper
def _put_inet4(address, out, o):
    for shift in range(24, 0, -8):
        o = put_u1(out, put_integer((address >> shift) & 0xFF, out, o), POINT)
    return put_integer(address & 0xFF, out, o)


@helper
def _put_inet6(data, p, length, out, o):
    """Write an address; the first longest run of groups of zeros is `::`."""
    gap, gap_length, run = np.int64(-1), np.int64(0), np.int64(0)
    for k in range(8):
        run = run + 1 if _number(data, p, length, 2 * k, 2) == 0 else np.int64(0)
        if run > gap_length:
            gap, gap_length = np.int64(k - run + 1), run
    is_mapped = gap_length == 5 and _number(data, p, length, 10, 2) == 0xFFFF
    has_points = gap == 0 and (gap_length == 6 or is_mapped)
    for k in range(8):
        is_in_gap = gap <= k < gap + gap_length
        if k == gap or (k > 0 and not is_in_gap):
            o = put_u1(out, o, COLON)
        if has_points and k == 6:
            return _put_inet4(_number(data, p, length, 12, 4), out, o)
        group = _number(data, p, length, 2 * k, 2)
        for shift in range(12, -4, -4):
            if not is_in_gap and (shift == 0 or group >> shift != 0):
                o = put_u1(out, o, HEX[(group >> shift) & 15])
    return put_u1(out, o, COLON) if gap + gap_length == 8 else o


@helper
def put_fixed_binary(data, p, length, kind, out, o):
    """Write a value of `length` bytes at p and return the position after it; -1 if it is longer."""
    if length > (4 if kind == FixedBinary.INET4 else 16):
        return np.int64(-1)
    if kind == FixedBinary.INET4:
        return _put_inet4(_number(data, p, length, 0, 4), out, o)
    if kind == FixedBinary.INET6:
        return _put_inet6(data, p, length, out, o)
    put_uuid(_number(data, p, length, 0, 8), _number(data, p, length, 8, 8), out, o)
    return o + 36


_PADDING, _COMMA = np.int64(0), np.int64(ord(","))


@inlined
def put_offset(o, row, offsets, i):
    """Set the Arrow offset after value i; return 0, or BAD_SIZE if it cannot hold it."""
    length = o - row[ColumnField.VALUES]
    if length > MAX_INT32:
        return np.int64(RowStatus.BAD_SIZE)
    offsets[(row[ColumnField.OFFSETS] >> 2) + i + 1] = length
    return np.int64(0)


@inlined
def first_position(row, offsets, first):
    """Return where value `first` goes in the arena."""
    offset = offsets[(row[ColumnField.OFFSETS] >> 2) + first]
    return row[ColumnField.VALUES] + np.int64(offset)


@inlined
def put_name(index, names, name_ends, out, o):
    """Write a name and return the position after it."""
    start = name_ends[index]
    length = name_ends[index + 1] - start
    copy_bytes(names, start, length, out, o)
    return o + length


@inlined
def copy_short(data, p, length, out, o):
    """Copy bytes, with LEN_COPY more after them in both arrays; return 0 if all are ASCII."""
    seen = np.int64(0)
    while length > LEN_COPY:
        seen |= copy_ascii(data, p, out, o)
        p, o, length = p + LEN_COPY, o + LEN_COPY, length - LEN_COPY
    return seen | (copy_ascii(data, p, out, o) & ((np.int64(1) << length) - 1))


@helper
def first_invalid(out, start, end, base, offsets, slot, first, last):
    """Return the first of some rows whose text is not UTF-8; `last` if there is none.

    Texts that are UTF-8 one after the other are so each, if none begins within a character.
    """
    is_good = is_long_utf8(out, start, end)
    check_range(out.size, np.int64(start), np.int64(end - start))
    check_range(offsets.size, np.int64(slot + first), np.int64(last - first))
    for i in range(first, last):
        p = base + np.int64(get(offsets, slot + i))
        is_good &= (p == end) | (raw_u1(out, min(p, end - 1)) & 0xC0 != 0x80)
    if is_good:
        return np.int64(last)
    for i in range(first, last):
        p = base + np.int64(offsets[slot + i])
        if not is_utf8(out, p, base + np.int64(offsets[slot + i + 1]) - p):
            return np.int64(i)
    return np.int64(last)


def fill_plain_texts(data, pos, first, last, row, offsets, out):
    """Write text in ASCII and UTF-8, and bytes; parameters as for `fill_texts`.

    What needs a conversion is left.
    """
    width, kind = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    if kind & ~TEXT_REPLACES > Text.MAPPED or (kind == Text.BYTES and row[ColumnField.PARAM3] > 0):
        return np.int64(first)
    is_utf8_based = kind & ~TEXT_REPLACES == Text.UTF8
    is_converted = kind != Text.BYTES and not is_utf8_based
    base, slot = row[ColumnField.VALUES], row[ColumnField.OFFSETS] >> 2
    check_range(pos.size, np.int64(first), np.int64(last - first))
    check_range(offsets.size, slot + first, np.int64(last - first + 1))
    o = first_position(row, offsets, first)
    check_range(out.size, o, np.int64(0))
    length_mask = (np.int64(1) << (8 * width)) - 1
    limit, out_limit = np.int64(data.size) - LEN_COPY, np.int64(out.size) - LEN_COPY
    for begin in range(first, last, BLOCK_ROWS):
        stop = min(begin + BLOCK_ROWS, last)
        begin_o, beyond_ascii = o, np.int64(0)
        for i in range(begin, stop):
            p = np.int64(get(pos, i))
            if p >= 0:
                prefetch(data, np.int64(get(pos, min(i + AHEAD, last - 1))))
                is_inside = p <= limit
                length = np.int64(0)
                if is_inside:
                    length = raw_u8(data, p) & length_mask
                    is_inside = length <= limit - p - width and length <= out_limit - o
                if is_inside:
                    beyond_ascii |= copy_short(data, p + width, length, out, o)
                else:  # near the end of the window or of the arena
                    length = value_length(data, p, -width)
                    marks = copy_slowly(data, p + width, length, out, o)
                    beyond_ascii |= np.int64(marks & ABOVE_ASCII)
                if beyond_ascii != 0 and is_converted:
                    return np.int64(i)
                o += length
                if o - base > MAX_INT32:
                    return np.int64(begin)
            put(offsets, slot + i + 1, o - base)
        if beyond_ascii != 0 and is_utf8_based:
            bad = first_invalid(out, begin_o, o, base, offsets, slot, begin, stop)
            if bad < stop:
                return bad
    return np.int64(last)


def fill_names(data, pos, first, last, row, names, name_ends, offsets, out):
    """Write the names of ENUM values; parameters as for `fill_enums`."""
    width, first_name = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    num_names = row[ColumnField.PARAM3]
    base, slot = row[ColumnField.VALUES], row[ColumnField.OFFSETS] >> 2
    check_range(pos.size, np.int64(first), np.int64(last - first))
    check_range(offsets.size, slot + first, np.int64(last - first + 1))
    check_range(name_ends.size, first_name, num_names + 1)
    o = first_position(row, offsets, first)
    check_range(out.size, o, np.int64(0))
    # A SET of more than 32 members has eight bytes. A shift by 64 bits would be none.
    mask = (np.int64(1) << (8 * width)) - 1 if width < 8 else np.int64(-1)
    limit, out_limit = np.int64(data.size) - 8, np.int64(out.size) - LEN_COPY
    names_limit = np.int64(names.size) - LEN_COPY
    for i in range(first, last):
        p = np.int64(get(pos, i))
        if p >= 0:
            if p > limit:
                return np.int64(i)
            number = raw_u8(data, p) & mask
            if number < 0 or number >= num_names:
                return np.int64(i)
            start = get(name_ends, first_name + number)
            length = get(name_ends, first_name + number + 1) - start
            if start < 0 or length < 0 or length > names_limit - start or length > out_limit - o:
                return np.int64(i)
            copy_short(names, start, length, out, o)
            o += length
            if o - base > MAX_INT32:
                return np.int64(i)
        put(offsets, slot + i + 1, o - base)
    return np.int64(last)


def fill_texts(data, pos, first, last, row, tables, offsets, out, where):
    """Write text or bytes; parameters are the width of the length, a Text code, and a third.

    That is, of bytes, the length to pad values to with zeros, or 0; else where in `tables` the
    table of the character set begins, see `charsets.tables`.
    """
    width, kind, extra = (row[ColumnField.PARAM1], row[ColumnField.PARAM2], row[ColumnField.PARAM3])
    o = first_position(row, offsets, first)
    is_ascii_based = kind & ~TEXT_REPLACES <= Text.MAPPED
    is_utf8_based = kind & ~TEXT_REPLACES == Text.UTF8
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
        if p >= 0:
            length = value_length(data, p, -width)
            p += width
            is_plain = False
            if is_ascii_based:
                seen = copy_bytes(data, p, length, out, o)
                is_plain = (
                    seen < 0x80
                    or kind == Text.BYTES
                    or (is_utf8_based and is_utf8(data, p, length))
                )
            if is_plain:
                o += length
                if kind == Text.BYTES:
                    for _ in range(length, extra):
                        o = put_u1(out, o, _PADDING)
            else:
                o = put_converted(data, p, length, kind, tables, extra, out, o)
                if o < 0:
                    return np.int64(RowStatus.BAD_TEXT)
        if put_offset(o, row, offsets, i) < 0:
            return np.int64(RowStatus.BAD_SIZE)
    return np.int64(0)


def fill_printed(data, pos, first, last, row, offsets, out, where):
    """Write DECIMAL_TEXT and FIXED_BINARY as the server prints them."""
    p1, p2 = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    is_decimal = row[ColumnField.OP] == Op.DECIMAL_TEXT
    o = first_position(row, offsets, first)
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
        if p >= 0:
            if is_decimal:
                o = np.int64(put_decimal(data, p, p1, p2, out, o))
            else:
                o = put_fixed_binary(data, p + p1, value_length(data, p, -p1), p2, out, o)
            if o < 0:
                return np.int64(RowStatus.BAD_DECIMAL if is_decimal else RowStatus.BAD_FIXED)
        if put_offset(o, row, offsets, i) < 0:
            return np.int64(RowStatus.BAD_SIZE)
    return np.int64(0)


def fill_vectors(data, pos, first, last, row, offsets, out, where):
    """Write VECTOR values, little-endian floats as in Arrow; the offsets count floats."""
    width = row[ColumnField.PARAM1]
    base, offset_base = row[ColumnField.VALUES], row[ColumnField.OFFSETS] >> 2
    o = base + 4 * np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            length = value_length(data, p, -width)
            if length & 3:
                where[0] = i
                return np.int64(RowStatus.BAD_VECTOR)
            copy_bytes(data, p + width, length, out, o)
            o += length
        offsets[offset_base + i + 1] = (o - base) >> 2
    return np.int64(0)


def fill_geometries(data, pos, first, last, row, srids, offsets, out, where):
    """Write GEOMETRY values: SRIDs as int64, -1 for a value of no bytes, and the WKB after them.

    Source: `Geometry::construct` in the server's `sql/spatial.cc`, which asks for an SRID of four
    bytes and a head of five.
    """
    width = row[ColumnField.PARAM1]
    srid_base = row[ColumnField.SRIDS] >> 3
    o = first_position(row, offsets, first)
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
        srids[srid_base + i] = -1
        if p >= 0:
            length = value_length(data, p, -width)
            if length > 0:
                if length < 9:
                    return np.int64(RowStatus.BAD_GEOMETRY)
                srids[srid_base + i] = load_u4(data, p + width)
                copy_bytes(data, p + width + 4, length - 4, out, o)
                o += length - 4
        if put_offset(o, row, offsets, i) < 0:
            return np.int64(RowStatus.BAD_SIZE)
    return np.int64(0)


def fill_enums(data, pos, first, last, row, names, name_ends, offsets, out, where):
    """Write the names of ENUM values.

    Parameters are the width, the first of the column's names, and their number; the first name is
    that of 0.

    Args:
        names: the bytes of all names, one after the other.
        name_ends: the end of each name in `names`, preceded by a 0.
    """
    width, first_name = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    num_names = row[ColumnField.PARAM3]
    o = first_position(row, offsets, first)
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
        if p >= 0:
            number = load_le(data, p, width)
            if number < 0 or number >= num_names:
                return np.int64(RowStatus.BAD_MEMBER)
            o = put_name(first_name + number, names, name_ends, out, o)
        if put_offset(o, row, offsets, i) < 0:
            return np.int64(RowStatus.BAD_SIZE)
    return np.int64(0)


def fill_sets(data, pos, first, last, row, names, name_ends, offsets, out, where):
    """Write the names of SET values, separated by commas; parameters as for `fill_enums`."""
    width, first_name = row[ColumnField.PARAM1], row[ColumnField.PARAM2]
    num_names = row[ColumnField.PARAM3]
    o = first_position(row, offsets, first)
    for i in range(first, last):
        p = np.int64(pos[i])
        where[0] = i
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
                return np.int64(RowStatus.BAD_MEMBER)
        if put_offset(o, row, offsets, i) < 0:
            return np.int64(RowStatus.BAD_SIZE)
    return np.int64(0)


def repeat_texts(indexes, first, text_offsets, texts, offsets, out):
    """Write a text for each row and return the bytes written.

    Args:
        indexes: (n,) the text of each row.
        first: index of the first text.
        text_offsets: (number of texts + 1,) Arrow offsets.
        texts: their bytes; texts more than LEN_COPY bytes before the end are copied faster.
        offsets: (n + 1,) Arrow offsets, filled.
        out: their bytes, filled; with LEN_COPY spare ones.
    """
    check_range(offsets.size, N0, np.int64(indexes.size + 1))
    lowest, highest = np.int64(first), np.int64(first)
    for i in range(indexes.size):
        lowest, highest = min(lowest, get(indexes, i)), max(highest, get(indexes, i))
    check_range(text_offsets.size, lowest - first, highest - lowest + 2)
    end, is_ascending = np.int64(0), True
    for k in range(highest - lowest + 2):
        is_ascending &= end <= get(text_offsets, k)
        end = np.int64(get(text_offsets, k))
    limit, out_limit = np.int64(texts.size) - LEN_COPY, np.int64(out.size) - LEN_COPY
    o = np.int64(0)
    offsets[0] = 0
    for i in range(indexes.size):
        k = get(indexes, i) - first
        start, end = np.int64(get(text_offsets, k)), np.int64(get(text_offsets, k + 1))
        length = end - start
        if is_ascending and end <= limit and length <= out_limit - o:
            copy_short(texts, start, length, out, o)
        else:
            copy_slowly(texts, start, length, out, o)
        o += length
        put(offsets, i + 1, o)
    return o
