"""Binary JSON of MySQL as the text that the server's CAST(... AS CHAR) prints.

Source: `json_dom.cc` of the server; for the layout see `json_values`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.digits import append_integer
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.json_values import (
    QUOTE,
    WORDS,
    element_at,
    key_at,
    open_container,
    put_number,
    put_scalar,
    put_string,
    read_varlen,
    scalar_width,
    values_of,
)
from pyspark_adapter.kernels.layout import (
    JSON_SLACK,
    LEN_COPY,
    MAX_INT32,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    Json,
    RowStatus,
)
from pyspark_adapter.kernels.load import (
    N2,
    N4,
    fits,
    load_u1,
    put_u1,
    put_u2,
    put_word,
    raw_copy_json,
    raw_put1,
    raw_put2,
    raw_put4,
    raw_u1,
    raw_u8,
)
from pyspark_adapter.kernels.row_images import value_length

_COMMA_SPACE, _COLON_SPACE, _QUOTE_COLON_SPACE = (
    np.int64(int.from_bytes(text, "little")) for text in (b", ", b": ", b'": ')
)
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = (np.int64(ord(c)) for c in "{}[]")


@helper
def put_json(data, start, length, out, o, stack):
    """Write a document as text and return the position after it; -1 if it is corrupt.

    Args:
        data, start, length: the document; of length 0 it is a JSON null.
        stack: (MAX_JSON_DEPTH, 5) int64 for the containers around the present one: position of the
            element count, end, index of the next element, number of elements, and the width of
            offsets, plus 1 for an object.
    """
    if length == 0:
        return put_word(out, o, WORDS[0], N4)
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


@inlined
def _put_text(data, start, length, out, o, limit):
    """As `put_string`, for most strings in less time; LEN_COPY bytes have to follow both."""
    if o + length > limit:
        return np.int64(-1)
    target = raw_put1(out, o, QUOTE)
    if raw_copy_json(data, start, length, out, target):  # escapes, or letters beyond ASCII
        return put_string(data, start, length, out, o, limit)
    return raw_put1(out, target + length, QUOTE)


@inlined
def _put_key(data, base, index, end, out, o, limit):
    """Write a key of a small object, and a colon; as `_put_text`."""
    entry = raw_u8(data, base + 4 + 4 * index)
    key, length = base + (entry & 0xFFFF), (entry >> 16) & 0xFFFF
    if key + length > end:
        return np.int64(-1)
    if length <= LEN_COPY:
        target = raw_put1(out, o, QUOTE)
        if raw_copy_json(data, key, length, out, target) == 0:
            raw_put4(out, target + length, _QUOTE_COLON_SPACE)
            return target + length + 3
    o = put_string(data, key, length, out, o, limit)
    return raw_put2(out, o, _COLON_SPACE) if o >= 0 else o


@inlined
def put_small_json(data, start, length, out, o, stack):
    """As `put_json`, in two thirds of the time; -1 also if it has to be done by that function.

    For documents whose offsets have two bytes, as all below 64 kB. Accesses are not checked one by
    one: all that is read lies before the end of a container, which lies in the document, or up to
    LEN_COPY bytes after it; and between two looks at the limit of the text no more is written than
    a comma, a key, two brackets, and a bracket for each container that ends: less than JSON_SLACK.
    """
    limit = o + MAX_JSON_GROWTH * length + MAX_JSON_GROWTH_BASE
    kind, base, end = raw_u1(data, start), start + 1, start + length
    depth = np.int64(0)
    while True:
        is_object = kind == Json.OBJECT
        if (not is_object and kind != Json.ARRAY) or base + 4 > end:
            return np.int64(-1)
        head = raw_u8(data, base)
        count, size = head & 0xFFFF, (head >> 16) & 0xFFFF
        values = values_of(base, N2, count, is_object)
        if size > end - base or values + 3 * count > base + size:
            return np.int64(-1)
        end = base + size
        index = np.int64(0)
        o = raw_put1(out, o, _OPEN_OBJECT if is_object else _OPEN_ARRAY)
        while True:
            if index == count:
                o = raw_put1(out, o, _CLOSE_OBJECT if is_object else _CLOSE_ARRAY)
                if depth == 0:
                    return o if o <= limit else np.int64(-1)
                depth -= 1
                base, end, index = stack[depth, 0], stack[depth, 1], stack[depth, 2]
                count, is_object = stack[depth, 3], stack[depth, 4] == 1
                values = values_of(base, N2, count, is_object)
                continue
            if o > limit:
                return np.int64(-1)
            if index > 0:
                o = raw_put2(out, o, _COMMA_SPACE)
            if is_object:
                o = _put_key(data, base, index, end, out, o, limit)
                if o < 0:
                    return o
            entry_at = values + 3 * index
            index += 1
            entry = raw_u8(data, entry_at)
            kind, offset = entry & 0xFF, (entry >> 8) & 0xFFFF
            p = base + offset
            if kind == Json.INT16 or kind == Json.UINT16:
                sign = 0x8000 if kind == Json.INT16 else 0
                o = append_integer((offset ^ sign) - sign, out, o)
            elif kind == Json.STRING:
                text_length, text = _short_length(data, p, end)
                if text < 0 or text_length > end - text:
                    return np.int64(-1)
                o = _put_text(data, text, text_length, out, o, limit)
            elif kind <= Json.LARGE_ARRAY:
                if depth + 1 >= stack.shape[0]:
                    return np.int64(-1)
                stack[depth, 0], stack[depth, 1], stack[depth, 2] = base, end, index
                stack[depth, 3], stack[depth, 4] = count, np.int64(is_object)
                depth += 1
                base = p
                break
            elif kind <= Json.DOUBLE:
                p = entry_at + 1 if kind <= Json.UINT16 else p
                if p + scalar_width(kind) > end:
                    return np.int64(-1)
                o = put_number(kind, raw_u8(data, p), out, o)
            elif p < end:
                o = put_scalar(data, kind, p, end, out, o, limit)
            else:
                return np.int64(-1)
            if o < 0:
                return o


@inlined
def _short_length(data, p, end):
    """As `read_varlen`, for lengths below 128 in less time."""
    if p >= end:
        return np.int64(0), np.int64(-1)
    length = raw_u1(data, p)
    if length < 0x80:
        return length, p + 1
    return read_varlen(data, p, end)


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
            length = value_length(data, p, -width)
            room = MAX_JSON_GROWTH * length + MAX_JSON_GROWTH_BASE + JSON_SLACK
            end = np.int64(-1)
            if fits(data.size, p + width, length + LEN_COPY) and fits(out.size, o, room):
                end = put_small_json(data, p + width, length, out, o, stack)
            o = end if end >= 0 else put_json(data, p + width, length, out, o, stack)
            if o < 0:
                return np.int64(RowStatus.BAD_JSON)
            if o > MAX_INT32:
                return np.int64(RowStatus.BAD_SIZE)
        offsets[i + 1] = o
    return np.int64(0)
