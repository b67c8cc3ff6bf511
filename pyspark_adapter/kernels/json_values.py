"""Where the parts of a binary JSON document are in its bytes, and scalars as text.

Source: `sql-common/json_binary.h` of the server. All offsets within a container count from its
element count; values may be in any order, with unused gaps between them, so offsets are followed
and nothing is read in sequence. The twin of `values.binary_json.layout`. Text: `json_dom.cc`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.digits import (
    COLON,
    HEX,
    MINUS,
    POINT,
    ZERO,
    append_integer,
    count_digits,
    put_decimal,
    put_digits,
    put_unsigned,
)
from pyspark_adapter.kernels.doubles import put_double
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import Json
from pyspark_adapter.kernels.load import (
    ABOVE_ASCII,
    N2,
    N4,
    N5,
    N6,
    NEED_ESCAPES,
    copy_json_bytes,
    load_be,
    load_le,
    load_u1,
    load_u2,
    load_u3,
    load_u4,
    load_u8,
    put_u1,
    put_word,
)
from pyspark_adapter.kernels.numerics import GROUP_BYTES
from pyspark_adapter.kernels.utf8 import is_utf8


@inlined
def open_container(data, kind, p, end):
    """Return (bytes of an offset, number of elements, end) of the container at p.

    The number is -1 if the container does not fit before `end`.
    """
    width = np.int64(4 if kind & 1 else 2)
    if p + 2 * width > end:
        return width, np.int64(-1), end
    count = load_u4(data, p) if width == 4 else load_u2(data, p)
    size = load_u4(data, p + 4) if width == 4 else load_u2(data, p + 2)
    values = values_of(p, width, count, kind < Json.ARRAY)
    if size > end - p or values + count * (width + 1) > p + size:
        return width, np.int64(-1), end
    return width, count, p + size


@inlined
def values_of(base, width, count, is_object):
    """Return where the entries of the values begin: after the counts, and the entries of keys."""
    values = base + 2 * width
    return values + count * (width + 2) if is_object else values


@inlined
def key_at(data, base, width, index):
    """Return (position, length) of a key of the object at `base`; they may exceed its end."""
    entry = base + 2 * width + index * (width + 2)
    if width == 2:
        both = load_u4(data, entry)
        return base + (both & 0xFFFF), both >> 16
    return base + load_u4(data, entry), load_u2(data, entry + 4)


@inlined
def element_at(data, base, width, values, index, end):
    """Return (type code, position) of a value of the container at `base`; -1 if beyond `end`."""
    entry = values + index * (width + 1)
    if width == 2:
        both = load_u3(data, entry)
        kind, offset = both & 0xFF, both >> 8
        is_inline = Json.LITERAL <= kind <= Json.UINT16
    else:
        kind, offset = load_u1(data, entry), load_u4(data, entry + 1)
        is_inline = Json.LITERAL <= kind <= Json.UINT32
    if is_inline:
        return kind, entry + 1
    return kind, base + offset if base + offset < end else np.int64(-1)


@inlined
def scalar_width(kind):
    """Return the bytes of a number or literal; 0 for other values."""
    if kind == Json.LITERAL:
        return np.int64(1)
    if kind == Json.INT16 or kind == Json.UINT16:
        return np.int64(2)
    if kind == Json.INT32 or kind == Json.UINT32:
        return np.int64(4)
    return np.int64(8 if Json.INT64 <= kind <= Json.DOUBLE else 0)


@inlined
def is_finite(bits):
    """Return whether the bits of a double are a number: JSON has no infinity, and no NaN."""
    return (bits >> 52) & 0x7FF != 0x7FF


@inlined
def read_varlen(data, start, end):
    """Return (length, position after it); position -1 if it is invalid. Seven bits a byte."""
    value = np.int64(0)
    for k in range(5):
        if start + k >= end:
            break
        byte = load_u1(data, start + k)
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            return value, start + k + 1
    return value, np.int64(-1)


@inlined
def scalar_bytes(data, kind, p, end):
    """Return the bytes of a value that is no container, with its length if it has one; 0 if bad."""
    if kind != Json.STRING and kind != Json.OPAQUE:
        return scalar_width(kind)
    length, content = read_varlen(data, p + (1 if kind == Json.OPAQUE else 0), end)
    return content - p + length if content >= 0 else np.int64(0)


# Types of opaque values that have a form of their own.
NEWDECIMAL, DATE, _DATETIME, _TIMESTAMP, _TIME = (
    np.int64(c) for c in (Code.newdecimal, Code.date, Code.datetime, Code.timestamp, Code.time)
)
_MAX_DECIMAL_DIGITS = 81  # the server computes with up to nine groups of nine
_MAX_YEAR = 9999  # the last one of DATE and DATETIME; the bits would do for 10082
QUOTE = np.int64(ord('"'))
# Words as little-endian numbers: null, true, false.
WORDS = np.array([int.from_bytes(w, "little") for w in (b"null", b"true", b"false")])

_BASE64 = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8
).astype(np.int64)
# In two parts, each a little-endian number with its length.
_BASE64_PREFIX = np.array(
    [int.from_bytes(b"base64:", "little"), 7, int.from_bytes(b"type", "little"), 4]
)
# Bytes of a line of 76 letters of base64.
_BASE64_LINE_BYTES = 57

_ESCAPES = np.frombuffer(b"uuuuuuuubtnufr".ljust(32, b"u"), dtype=np.uint8).astype(np.int64)
_BACKSLASH, _SPACE, _EQUALS = (np.int64(ord(c)) for c in "\\ =")
_LETTER_N, _LETTER_U = np.int64(ord("n")), np.int64(ord("u"))


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
                o = put_u1(out, put_u1(out, o, HEX[byte >> 4]), HEX[byte & 15])
    return o


@helper
def put_string(data, start, length, out, o, limit):
    """Write a JSON string with its quotes; -1 if it is not UTF-8, or too long."""
    if o + length > limit:
        return np.int64(-1)
    o = put_u1(out, o, QUOTE)
    marks = copy_json_bytes(data, start, length, out, o)
    if marks:
        if marks & ABOVE_ASCII and not is_utf8(data, start, length):
            return np.int64(-1)
        if marks & NEED_ESCAPES:
            return put_u1(out, put_escaped(data, start, length, out, o, limit), QUOTE)
    o += length
    return put_u1(out, o, QUOTE)


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
def put_clock(packed, hours, out, o):
    """Write hours:minutes:seconds.micros; -1 if the micros are a second or more."""
    whole, micros = packed >> 24, packed & 0xFFFFFF
    if micros > 999999:
        return np.int64(-1)
    o = put_digits(hours, max(count_digits(hours), N2), out, o)
    o = put_u1(out, o, COLON)
    o = put_digits((whole >> 6) & 63, N2, out, o)
    o = put_u1(out, o, COLON)
    o = put_digits(whole & 63, N2, out, o)
    o = put_u1(out, o, POINT)
    return put_digits(micros, N6, out, o)


@inlined
def is_date(field_type):
    """Return whether an opaque value is a date, with or without a time."""
    return field_type == DATE or field_type == _DATETIME or field_type == _TIMESTAMP


@helper
def put_opaque(data, start, end, out, o, limit):
    """Write a value of another type of SQL; -1 if it is corrupt."""
    if start >= end:
        return np.int64(-1)
    field_type = load_u1(data, start)
    length, p = read_varlen(data, start + 1, end)
    if p < 0 or length > end - p or o + length // 3 * 4 + length // 28 > limit:
        return np.int64(-1)
    if field_type == NEWDECIMAL:
        if length < 3:
            return np.int64(-1)
        precision, scale = load_u1(data, p), load_u1(data, p + 1)
        if precision > _MAX_DECIMAL_DIGITS or scale > precision or precision < 1:
            return np.int64(-1)
        whole = precision - scale
        num_bytes = (
            GROUP_BYTES[whole % 9] + whole // 9 * 4 + scale // 9 * 4 + GROUP_BYTES[scale % 9]
        )
        if length - 2 < num_bytes:
            return np.int64(-1)
        return np.int64(put_decimal(data, p + 2, precision, scale, out, o))
    o = put_u1(out, o, QUOTE)
    if is_date(field_type) and length == 8:
        packed = load_u8(data, p)
        if packed < 0:
            return np.int64(-1)
        whole = packed >> 24
        date = whole >> 17
        year = (date >> 5) // 13
        if year > _MAX_YEAR:
            return np.int64(-1)
        o = put_digits(year, N4, out, o)
        o = put_u1(out, o, MINUS)
        o = put_digits((date >> 5) % 13, N2, out, o)
        o = put_u1(out, o, MINUS)
        o = put_digits(date & 31, N2, out, o)
        if field_type != DATE:
            o = put_u1(out, o, _SPACE)
            o = put_clock(packed, (whole >> 12) & 31, out, o)
    elif field_type == _TIME and length == 8:
        packed = load_u8(data, p)
        if packed < 0:
            o = put_u1(out, o, MINUS)
            packed = -packed
        o = put_clock(packed, (packed >> 36) & 1023, out, o)
    else:
        o = put_word(out, o, _BASE64_PREFIX[0], _BASE64_PREFIX[1])
        o = put_word(out, o, _BASE64_PREFIX[2], _BASE64_PREFIX[3])
        o = put_digits(field_type, count_digits(field_type), out, o)
        o = put_u1(out, o, COLON)
        o = put_base64(data, p, length, out, o)
    return put_u1(out, o, QUOTE) if o >= 0 else o


@helper
def put_number(kind, bits, out, o):
    """Write a number or literal and return the position after it; -1 if it is corrupt."""
    if kind == Json.LITERAL:
        literal = bits & 0xFF
        if literal > 2:
            return np.int64(-1)
        return put_word(out, o, WORDS[literal], N4 if literal < 2 else N5)
    if kind == Json.DOUBLE:
        return put_double(bits, out, o) if is_finite(bits) else np.int64(-1)
    if kind == Json.UINT64:
        return put_unsigned(bits, out, o)
    if kind == Json.INT16:
        bits = (bits & 0xFFFF ^ 0x8000) - 0x8000
    elif kind == Json.UINT16:
        bits &= 0xFFFF
    elif kind == Json.INT32:
        bits = (bits & 0xFFFFFFFF ^ 0x80000000) - 0x80000000
    elif kind == Json.UINT32:
        bits &= 0xFFFFFFFF
    return append_integer(bits, out, o)


@helper
def put_scalar(data, kind, p, end, out, o, limit):
    """Write a value that is no container and return the position after it; -1 if it is corrupt."""
    if kind == Json.STRING:
        length, p = read_varlen(data, p, end)
        if p < 0 or length > end - p:
            return np.int64(-1)
        return put_string(data, p, length, out, o, limit)
    if kind == Json.OPAQUE:
        return put_opaque(data, p, end, out, o, limit)
    width = scalar_width(kind)
    if width == 0 or p + width > end:
        return np.int64(-1)
    return put_number(kind, load_le(data, p, width), out, o)
