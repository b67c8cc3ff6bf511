"""Binary JSON of MySQL as the text that the server's CAST(... AS CHAR) prints.

Source: `sql-common/json_binary.h` (layout) and `json_dom.cc` (text) of the server. All offsets
within a container count from its element count; values may stand in any order, with unused gaps
between them, so that offsets are followed and nothing is read in sequence.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.digits import (
    COLON,
    MINUS,
    POINT,
    ZERO,
    count_digits,
    put_decimal,
    put_digits,
    put_integer,
    put_unsigned,
)
from pyspark_adapter.kernels.doubles import put_double
from pyspark_adapter.kernels.jit import helper, inlined, kernel
from pyspark_adapter.kernels.load import (
    ABOVE_ASCII,
    N2,
    N4,
    N5,
    N6,
    NEED_ESCAPES,
    copy_json_bytes,
    load_be,
    load_u1,
    load_u2,
    load_u3,
    load_u4,
    load_u8,
    put_u1,
    put_u2,
    put_word,
)
from pyspark_adapter.kernels.numerics import GROUP_BYTES
from pyspark_adapter.kernels.rows import value_length
from pyspark_adapter.kernels.texts import is_utf8

MAX_DEPTH = 100  # of the server: JSON_DOCUMENT_MAX_DEPTH

# Room beyond that for what is written between two looks at the length.
SLACK = 160

# Of a decimal within a document: the server computes with up to nine groups of nine.
MAX_DECIMAL_DIGITS = 81

# A document is never longer as text than this many times its bytes and some: a control character
# takes six letters. More means that offsets point at one value again and again.
MAX_GROWTH, MAX_GROWTH_BASE = 6, 64

_HEX = np.frombuffer(b"0123456789abcdef", dtype=np.uint8).astype(np.int64)
_BASE64 = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8
).astype(np.int64)

_ESCAPES = np.frombuffer(b"uuuuuuuubtnufr".ljust(32, b"u"), dtype=np.uint8).astype(np.int64)
_QUOTE, _BACKSLASH, _SPACE, _EQUALS = (np.int64(ord(c)) for c in '"\\ =')
_LETTER_N, _LETTER_U = np.int64(ord("n")), np.int64(ord("u"))
# Bytes of a line of 76 letters of base64.
_BASE64_LINE_BYTES = 57
_COMMA_SPACE, _COLON_SPACE = np.int64(0x202C), np.int64(0x203A)
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = (np.int64(ord(c)) for c in "{}[]")

# Words as little-endian numbers: null, true, false; and in two parts, each with its length.
_WORDS = np.array([int.from_bytes(w, "little") for w in (b"null", b"true", b"false")])
_BASE64_PREFIX = np.array(
    [int.from_bytes(b"base64:", "little"), 7, int.from_bytes(b"type", "little"), 4]
)


@helper
def put_escaped(data, start, length, out, o, limit):
    """Write the inside of a JSON string with escapes and return the position after it."""
    for k in range(length):
        if o > limit:
            return o
        byte = load_u1(data, start + k)
        if byte == 0x22 or byte == 0x5C:
            o = put_u1(out, put_u1(out, o, _BACKSLASH), byte)
        elif byte >= 0x20:
            o = put_u1(out, o, byte)
        else:
            o = put_u1(out, o, _BACKSLASH)
            letter = _ESCAPES[byte & 31]
            o = put_u1(out, o, letter)
            if letter == _LETTER_U:
                o = put_u1(out, put_u1(out, o, ZERO), ZERO)
                o = put_u1(out, put_u1(out, o, _HEX[byte >> 4]), _HEX[byte & 15])
    return o


@inlined
def put_string(data, start, length, out, o, limit):
    """Write a JSON string with its quotes; -1 if it is not UTF-8, or too long."""
    if o + length > limit:
        return np.int64(-1)
    o = put_u1(out, o, _QUOTE)
    found = copy_json_bytes(data, start, length, out, o)
    if found:
        if found & ABOVE_ASCII and not is_utf8(data, start, length):
            return np.int64(-1)
        if found & NEED_ESCAPES:
            return put_u1(out, put_escaped(data, start, length, out, o, limit), _QUOTE)
    o += length
    return put_u1(out, o, _QUOTE)


@inlined
def read_varlen(data, start, end):
    """Return (length, position after it); position -1 if it cannot be. Seven bits a byte."""
    value = np.int64(0)
    for k in range(5):
        if start + k >= end:
            break
        byte = load_u1(data, start + k)
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            return value, start + k + 1
    return value, np.int64(-1)


@helper
def put_base64(data, start, length, out, o):
    """Write bytes in the server's base64, in lines of 76 letters; return the position after it."""
    for k in range(0, length, 3):
        if k > 0 and k % _BASE64_LINE_BYTES == 0:
            o = put_u1(out, o, _BACKSLASH)
            o = put_u1(out, o, _LETTER_N)
        n = np.int64(min(length - k, 3))
        bits = load_be(data, start + k, n) << (8 * (3 - n))
        for j in range(4):
            o = put_u1(out, o, _BASE64[(bits >> (18 - 6 * j)) & 63] if j <= n else _EQUALS)
    return o


@helper
def put_clock(packed, hours, micros, out, o):
    """Write hours:minutes:seconds.micros and return the position after it."""
    o = put_digits(hours, max(count_digits(hours), N2), out, o)
    o = put_u1(out, o, COLON)
    o = put_digits((packed >> 6) & 63, N2, out, o)
    o = put_u1(out, o, COLON)
    o = put_digits(packed & 63, N2, out, o)
    o = put_u1(out, o, POINT)
    return put_digits(micros, N6, out, o)


@helper
def put_opaque(data, start, end, out, o, limit):
    """Write a value that is no type of JSON; -1 if it is corrupt."""
    if start >= end:
        return np.int64(-1)
    field_type = load_u1(data, start)
    length, p = read_varlen(data, start + 1, end)
    if p < 0 or length > end - p or o + length // 3 * 4 + length // 28 > limit:
        return np.int64(-1)
    if field_type == 246:  # NEWDECIMAL
        if length < 3:
            return np.int64(-1)
        precision, scale = load_u1(data, p), load_u1(data, p + 1)
        if precision > MAX_DECIMAL_DIGITS or scale > precision or precision < 1:
            return np.int64(-1)
        whole = precision - scale
        num_bytes = (
            GROUP_BYTES[whole % 9] + whole // 9 * 4 + scale // 9 * 4 + GROUP_BYTES[scale % 9]
        )
        if length - 2 < num_bytes:
            return np.int64(-1)
        return np.int64(put_decimal(data, p + 2, precision, scale, out, o))
    o = put_u1(out, o, _QUOTE)
    if (field_type == 10 or field_type == 12 or field_type == 7) and length == 8:
        packed = load_u8(data, p)
        if packed < 0:
            return np.int64(-1)
        whole = packed >> 24
        date = whole >> 17
        o = put_digits((date >> 5) // 13, N4, out, o)
        o = put_u1(out, o, MINUS)
        o = put_digits((date >> 5) % 13, N2, out, o)
        o = put_u1(out, o, MINUS)
        o = put_digits(date & 31, N2, out, o)
        if field_type != 10:
            o = put_u1(out, o, _SPACE)
            o = put_clock(whole, (whole >> 12) & 31, packed & 0xFFFFFF, out, o)
    elif field_type == 11 and length == 8:
        packed = load_u8(data, p)
        if packed < 0:
            o = put_u1(out, o, MINUS)
            packed = -packed
        whole = packed >> 24
        o = put_clock(whole, (whole >> 12) & 1023, packed & 0xFFFFFF, out, o)
    else:
        o = put_word(out, o, _BASE64_PREFIX[0], _BASE64_PREFIX[1])
        o = put_word(out, o, _BASE64_PREFIX[2], _BASE64_PREFIX[3])
        o = put_digits(field_type, count_digits(field_type), out, o)
        o = put_u1(out, o, COLON)
        o = put_base64(data, p, length, out, o)
    return put_u1(out, o, _QUOTE)


@inlined
def put_scalar(data, value_type, p, end, out, o, limit):
    """Write a value that is no container and return the position after it; -1 if it is corrupt."""
    if value_type == 0x0C:
        length, p = read_varlen(data, p, end)
        if p < 0 or length > end - p:
            return np.int64(-1)
        return np.int64(put_string(data, p, length, out, o, limit))
    if value_type == 0x0F:
        return np.int64(put_opaque(data, p, end, out, o, limit))
    if value_type == 0x04:
        width = 1
    elif value_type == 0x05 or value_type == 0x06:
        width = 2
    elif value_type == 0x07 or value_type == 0x08:
        width = 4
    elif 0x09 <= value_type <= 0x0B:
        width = 8
    else:
        return np.int64(-1)
    if p + width > end:
        return np.int64(-1)
    if value_type == 0x04:
        literal = load_u1(data, p)
        if literal > 2:
            return np.int64(-1)
        return put_word(out, o, _WORDS[literal], N4 if literal < 2 else N5)
    if value_type == 0x05:
        return put_integer((load_u2(data, p) ^ 0x8000) - 0x8000, out, o)
    if value_type == 0x06:
        return put_integer(load_u2(data, p), out, o)
    if value_type == 0x07:
        return put_integer((load_u4(data, p) ^ 0x80000000) - 0x80000000, out, o)
    if value_type == 0x08:
        return put_integer(load_u4(data, p), out, o)
    if value_type == 0x09:
        return put_integer(load_u8(data, p), out, o)
    if value_type == 0x0A:
        return put_unsigned(load_u8(data, p), out, o)
    bits = load_u8(data, p)
    if (bits >> 52) & 0x7FF == 0x7FF:  # infinity or no number: JSON has neither
        return np.int64(-1)
    return put_double(bits, out, o)


@inlined
def put_json(data, start, length, out, o, stack):
    """Write a document as text and return the position after it; -1 if it is corrupt.

    Args:
        data, start, length: the document; of length 0 it is a JSON null.
        stack: (MAX_DEPTH, 5) int64 for the containers around the present one: offset of the
            element count, end, index of the next element, number of elements, and the width of
            offsets, plus 1 for an object.
    """
    if length == 0:
        return put_word(out, o, _WORDS[0], N4)
    limit = o + MAX_GROWTH * length + MAX_GROWTH_BASE
    end = start + length
    value_type = load_u1(data, start)
    p = start + 1
    depth = 0
    # The container around the value: offset of its element count, width of its offsets, number
    # of elements, index of the next one, and where the entries of its keys and values begin.
    base, width, count, index = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    keys, values = np.int64(-1), np.int64(0)
    while True:
        if value_type <= 0x03:
            if depth > 0:
                stack[depth - 1, 0] = base
                stack[depth - 1, 1] = end
                stack[depth - 1, 2] = index
                stack[depth - 1, 3] = count
                stack[depth - 1, 4] = width | (1 if keys >= 0 else 0)
            if depth >= stack.shape[0]:
                return np.int64(-1)
            width = np.int64(4 if value_type & 1 else 2)
            if p + 2 * width > end:
                return np.int64(-1)
            base = p
            count = load_u4(data, p) if width == 4 else load_u2(data, p)
            size = load_u4(data, p + 4) if width == 4 else load_u2(data, p + 2)
            values = base + 2 * width
            keys = np.int64(-1)
            if value_type < 2:
                keys = values
                values += count * (width + 2)
            if size > end - p or values + count * (width + 1) > base + size:
                return np.int64(-1)
            end = base + size
            index = np.int64(0)
            depth += 1
            o = put_u1(out, o, _OPEN_OBJECT if keys >= 0 else _OPEN_ARRAY)
        else:
            o = put_scalar(data, value_type, p, end, out, o, limit)
            if o < 0:
                return o
        while depth > 0 and index == count:
            o = put_u1(out, o, _CLOSE_OBJECT if keys >= 0 else _CLOSE_ARRAY)
            depth -= 1
            if depth > 0:
                base = stack[depth - 1, 0]
                end = stack[depth - 1, 1]
                index = stack[depth - 1, 2]
                count = stack[depth - 1, 3]
                width = stack[depth - 1, 4] & 6
                values = base + 2 * width
                keys = np.int64(-1)
                if stack[depth - 1, 4] & 1:
                    keys = values
                    values += count * (width + 2)
        if o > limit:
            return np.int64(-1)
        if depth == 0:
            return np.int64(o)
        if index > 0:
            o = put_u2(out, o, _COMMA_SPACE)
        if keys >= 0:
            if width == 2:
                entry = load_u4(data, keys + 4 * index)
                key, key_length = base + (entry & 0xFFFF), entry >> 16
            else:
                key = base + load_u4(data, keys + 6 * index)
                key_length = load_u2(data, keys + 6 * index + 4)
            if key + key_length > end:
                return np.int64(-1)
            o = put_string(data, key, key_length, out, o, limit)
            if o < 0:
                return o
            o = put_u2(out, o, _COLON_SPACE)
        p = values + index * (width + 1)
        index += 1
        if width == 2:
            entry = load_u3(data, p)
            value_type, offset = entry & 0xFF, entry >> 8
            is_inline = 0x04 <= value_type <= 0x06
        else:
            value_type, offset = load_u1(data, p), load_u4(data, p + 1)
            is_inline = 0x04 <= value_type <= 0x08
        p = p + 1 if is_inline else base + offset
        if not is_inline:
            if p >= end:
                return np.int64(-1)


@kernel(
    "int64(uint8[::1], int32[::1], int64, int64, int32[::1], uint8[::1], int64[::1], int64[:, ::1])"
)
def fill_json(data, pos, num_rows, width, offsets, out, where, stack):
    """Fill a column of documents and return 0, or a status below zero with the row in `where`.

    Args:
        data: the window.
        pos: (at least num_rows,) of `rows.locate`.
        num_rows: row images.
        width: bytes of the length before each document.
        offsets: (num_rows + 1,) Arrow offsets, filled.
        out: the text. Room for MAX_GROWTH bytes for each byte of a document and MAX_GROWTH_BASE
            plus SLACK for each row is always enough.
        where: (2,) index of the row that the status is about.
        stack: (MAX_DEPTH, 5) to work with.
    """
    o = np.int64(0)
    offsets[0] = 0
    for i in range(num_rows):
        p = np.int64(pos[i])
        if p >= 0:
            where[0] = i
            o = put_json(data, p + width, value_length(data, p, -width), out, o, stack)
            if o < 0:
                return np.int64(lay.BAD_JSON)
            if o > 0x7FFFFFFF:
                return np.int64(lay.BAD_SIZE)
        offsets[i + 1] = o
    return np.int64(0)
