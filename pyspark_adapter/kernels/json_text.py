"""Binary JSON of MySQL as the text that the server's CAST(... AS CHAR) prints.

Source: `json_dom.cc` of the server; for the layout see `json_layout`. The twin of
`values.binary_json.text`.
"""

from __future__ import annotations

import numpy as np

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
from pyspark_adapter.kernels.jit import helper, inlined, kernel
from pyspark_adapter.kernels.json_layout import (
    element_at,
    is_finite,
    key_at,
    open_container,
    read_varlen,
    scalar_width,
    values_of,
)
from pyspark_adapter.kernels.layout import (
    MAX_INT32,
    MAX_JSON_DECIMAL_DIGITS,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    MAX_JSON_YEAR,
    Json,
    RowStatus,
)
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
    load_u4,
    load_u8,
    put_u1,
    put_u2,
    put_word,
)
from pyspark_adapter.kernels.numerics import GROUP_BYTES
from pyspark_adapter.kernels.row_images import value_length
from pyspark_adapter.kernels.utf8 import is_utf8

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
                o = put_u1(out, put_u1(out, o, HEX[byte >> 4]), HEX[byte & 15])
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


@helper
def put_opaque(data, start, end, out, o, limit):
    """Write a value of another type of SQL; -1 if it is corrupt."""
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
        if precision > MAX_JSON_DECIMAL_DIGITS or scale > precision or precision < 1:
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
        year = (date >> 5) // 13
        if year > MAX_JSON_YEAR:
            return np.int64(-1)
        o = put_digits(year, N4, out, o)
        o = put_u1(out, o, MINUS)
        o = put_digits((date >> 5) % 13, N2, out, o)
        o = put_u1(out, o, MINUS)
        o = put_digits(date & 31, N2, out, o)
        if field_type != 10:
            o = put_u1(out, o, _SPACE)
            o = put_clock(packed, (whole >> 12) & 31, out, o)
    elif field_type == 11 and length == 8:
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
    return put_u1(out, o, _QUOTE) if o >= 0 else o


@inlined
def put_scalar(data, value_type, p, end, out, o, limit):
    """Write a value that is no container and return the position after it; -1 if it is corrupt."""
    if value_type == Json.STRING:
        length, p = read_varlen(data, p, end)
        if p < 0 or length > end - p:
            return np.int64(-1)
        return np.int64(put_string(data, p, length, out, o, limit))
    if value_type == Json.OPAQUE:
        return np.int64(put_opaque(data, p, end, out, o, limit))
    width = scalar_width(value_type)
    if width == 0 or p + width > end:
        return np.int64(-1)
    if value_type == Json.LITERAL:
        literal = load_u1(data, p)
        if literal > 2:
            return np.int64(-1)
        return put_word(out, o, _WORDS[literal], N4 if literal < 2 else N5)
    if value_type == Json.INT16:
        return append_integer((load_u2(data, p) ^ 0x8000) - 0x8000, out, o)
    if value_type == Json.UINT16:
        return append_integer(load_u2(data, p), out, o)
    if value_type == Json.INT32:
        return append_integer((load_u4(data, p) ^ 0x80000000) - 0x80000000, out, o)
    if value_type == Json.UINT32:
        return append_integer(load_u4(data, p), out, o)
    bits = load_u8(data, p)
    if value_type == Json.INT64:
        return append_integer(bits, out, o)
    if value_type == Json.UINT64:
        return put_unsigned(bits, out, o)
    if not is_finite(bits):
        return np.int64(-1)
    return put_double(bits, out, o)


@inlined
def put_json(data, start, length, out, o, stack):
    """Write a document as text and return the position after it; -1 if it is corrupt.

    Args:
        data, start, length: the document; of length 0 it is a JSON null.
        stack: (MAX_JSON_DEPTH, 5) int64 for the containers around the present one: position of the
            element count, end, index of the next element, number of elements, and the width of
            offsets, plus 1 for an object.
    """
    if length == 0:
        return put_word(out, o, _WORDS[0], N4)
    limit = o + MAX_JSON_GROWTH * length + MAX_JSON_GROWTH_BASE
    end = start + length
    value_type = load_u1(data, start)
    p = start + 1
    depth = 0
    # The container around the value: position of its element count, bytes of its offsets, number
    # of elements, index of the next one, where the entries of its values begin.
    base, width, count, index = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    values, is_object = np.int64(0), False
    while True:
        if value_type <= Json.LARGE_ARRAY:
            if depth > 0:
                stack[depth - 1, 0] = base
                stack[depth - 1, 1] = end
                stack[depth - 1, 2] = index
                stack[depth - 1, 3] = count
                stack[depth - 1, 4] = width | (1 if is_object else 0)
            if depth >= stack.shape[0]:
                return np.int64(-1)
            base = p
            width, count, end = open_container(data, value_type, p, end)
            if count < 0:
                return np.int64(-1)
            is_object = value_type < Json.ARRAY
            values = values_of(base, width, count, is_object)
            index = np.int64(0)
            depth += 1
            o = put_u1(out, o, _OPEN_OBJECT if is_object else _OPEN_ARRAY)
        else:
            o = put_scalar(data, value_type, p, end, out, o, limit)
            if o < 0:
                return o
        while depth > 0 and index == count:
            o = put_u1(out, o, _CLOSE_OBJECT if is_object else _CLOSE_ARRAY)
            depth -= 1
            if depth > 0:
                base = stack[depth - 1, 0]
                end = stack[depth - 1, 1]
                index = stack[depth - 1, 2]
                count = stack[depth - 1, 3]
                width = stack[depth - 1, 4] & 6
                is_object = stack[depth - 1, 4] & 1 == 1
                values = values_of(base, width, count, is_object)
        if o > limit:
            return np.int64(-1)
        if depth == 0:
            return np.int64(o)
        if index > 0:
            o = put_u2(out, o, _COMMA_SPACE)
        if is_object:
            key, key_length = key_at(data, base, width, index)
            if key + key_length > end:
                return np.int64(-1)
            o = put_string(data, key, key_length, out, o, limit)
            if o < 0:
                return o
            o = put_u2(out, o, _COLON_SPACE)
        value_type, p = element_at(data, base, width, values, index, end)
        if p < 0:
            return np.int64(-1)
        index += 1


@kernel(
    "int64(uint8[::1], int32[::1], int64, int64, int32[::1], uint8[::1], int64[::1], int64[:, ::1])"
)
def fill_json(data, pos, num_rows, width, offsets, out, where, stack):
    """Fill a column of documents and return 0, or a status below zero with the row in `where`.

    Args:
        data: the window.
        pos: (at least num_rows,) of `locate`.
        num_rows: row images.
        width: bytes of the length before each document.
        offsets: (num_rows + 1,) Arrow offsets, filled.
        out: the text. Room for MAX_JSON_GROWTH bytes for each byte of a document and
            MAX_JSON_GROWTH_BASE plus JSON_SLACK for each row is always enough.
        where: (1,) index of the row that the status is about.
        stack: (MAX_JSON_DEPTH, 5) to work with.
    """
    o = np.int64(0)
    offsets[0] = 0
    for i in range(num_rows):
        p = np.int64(pos[i])
        if p >= 0:
            where[0] = i
            o = put_json(data, p + width, value_length(data, p, -width), out, o, stack)
            if o < 0:
                return np.int64(RowStatus.BAD_JSON)
            if o > MAX_INT32:
                return np.int64(RowStatus.BAD_SIZE)
        offsets[i + 1] = o
    return np.int64(0)
