"""Encodes binary JSON as VARIANT.

Source: Spark's `common/variant/README.md` (layout) and `types/variant/VariantUtil.java` (limits).
Texts and numbers are those of the server's text of the document; dates, and dates with times, are
typed; what VARIANT has no type for is a string with that text. A document is read twice: once for
its keys, which become numbers, and once for its values.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.json_values import (
    element_at,
    key_at,
    open_container,
    scalar_bytes,
    values_of,
)
from pyspark_adapter.kernels.layout import (
    KEY_LENGTH,
    KEY_NUMBER,
    KEY_OF_NUMBER,
    KEY_START,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    V_INVALID,
    V_MANY_ELEMENTS,
    V_METADATA,
    V_NO_ROOM,
    V_ROW,
    V_STATUS,
    V_VALUES,
    Json,
)
from pyspark_adapter.kernels.load import copy_bytes, equal_bytes, load_u1, put_u1
from pyspark_adapter.kernels.row_images import value_length
from pyspark_adapter.kernels.utf8 import is_utf8
from pyspark_adapter.kernels.variant_parts import (
    NO,
    YES,
    close_container,
    header_length,
    put_le,
    put_scalar_variant,
    sort,
    width_of,
)


@helper
def encode_document(data, start, length, writes, keys, num_numbers, pending, out, o, stack):
    """Collect the keys of a document, or write its value.

    Args:
        data, start, length: the document; one of no bytes is a JSON null.
        writes: whether to write; the keys have their numbers then.
        keys: (NUM_KEY_FIELDS, n) of the keys, in the order of the document.
        num_numbers: how many different keys there are.
        pending: (n,) to work with, for the values of containers that are open.
        out, o: where to write.
        stack: (MAX_JSON_DEPTH, 9) to work with.

    Returns:
        The position after the value, or the number of keys; V_INVALID, or V_MANY_ELEMENTS if
        `keys` or `pending` is too short.
    """
    if length == 0:
        return put_u1(out, o, np.int64(0)) if writes else np.int64(0)
    end = start + length
    kind, p = load_u1(data, start), start + 1
    base, width, count, index = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    values, is_object = np.int64(0), False
    first, begin, gap = np.int64(0), np.int64(0), np.int64(0)
    depth, num_keys, num_pending = 0, np.int64(0), np.int64(0)
    number_width = width_of(num_numbers)
    num_bytes = np.int64(0)  # of all keys and values
    while True:
        if kind <= Json.LARGE_ARRAY:
            if depth >= stack.shape[0]:
                return np.int64(V_INVALID)
            saved = (base, end, index, count, width, np.int64(is_object), first, begin, gap)
            for k in range(9):
                stack[depth, k] = saved[k]
            base = p
            width, count, end = open_container(data, kind, p, end)
            if count < 0:
                return np.int64(V_INVALID)
            is_object = kind < Json.ARRAY
            values = values_of(base, width, count, is_object)
            index = np.int64(0)
            depth += 1
            first, begin = num_pending, o
            if writes:
                # As the header will most often be; else the values are moved.
                gap = header_length(count, is_object, number_width, width_of(end - base))
                o += gap
        elif writes:
            o = put_scalar_variant(data, kind, p, end, out, o)
            if o < 0:
                return o
        while depth > 0 and index == count:
            if writes:
                o = close_container(
                    data, keys, pending, first, count, is_object, begin, gap, out, o
                )
                if o < 0:
                    return o
            num_pending = first
            depth -= 1
            base, end = stack[depth, 0], stack[depth, 1]
            index, count = stack[depth, 2], stack[depth, 3]
            width, is_object = stack[depth, 4], stack[depth, 5] == 1
            first, begin, gap = stack[depth, 6], stack[depth, 7], stack[depth, 8]
            values = values_of(base, width, count, is_object)
        if depth == 0:
            return np.int64(o) if writes else num_keys
        if num_pending >= pending.size:
            return np.int64(V_MANY_ELEMENTS)
        number = np.int64(0)
        if is_object:
            if num_keys >= keys.shape[1]:
                return np.int64(V_MANY_ELEMENTS)
            if writes:
                number = keys[KEY_NUMBER, num_keys]
            else:
                key, key_length = key_at(data, base, width, index)
                if key + key_length > end:
                    return np.int64(V_INVALID)
                num_bytes += key_length
                keys[KEY_START, num_keys] = key
                keys[KEY_LENGTH, num_keys] = key_length
            num_keys += 1
        if writes:
            pending[num_pending] = number << 32 | (o - begin - gap)
        num_pending += 1
        kind, p = element_at(data, base, width, values, index, end)
        if p < 0:
            return np.int64(V_INVALID)
        if not writes:
            size = np.int64(2) if kind <= Json.LARGE_ARRAY else scalar_bytes(data, kind, p, end)
            num_bytes += 1 + size
            # More than the document has: several offsets point at one key or value.
            if size == 0 or num_bytes > length:
                return np.int64(V_INVALID)
        index += 1


@helper
def number_keys(data, keys, num_keys):
    """Number the different keys in the order of UTF-16; return how many, or V_INVALID."""
    for k in range(num_keys):
        keys[KEY_OF_NUMBER, k] = k
    sort(data, keys, keys[KEY_OF_NUMBER], np.int64(0), num_keys, YES)
    number = np.int64(-1)
    last = np.int64(-1)
    for i in range(num_keys):
        k = keys[KEY_OF_NUMBER, i]
        p, n = keys[KEY_START, k], keys[KEY_LENGTH, k]
        if (
            last < 0
            or n != keys[KEY_LENGTH, last]
            or not equal_bytes(data, p, data, keys[KEY_START, last], n)
        ):
            if not is_utf8(data, p, n):
                return np.int64(V_INVALID)
            number += 1
            last = k
            keys[KEY_OF_NUMBER, number] = k  # never beyond i
        keys[KEY_NUMBER, k] = number
    return number + 1


@helper
def put_metadata(data, keys, num_numbers, out, o):
    """Write the different keys of a document and return the position after them."""
    size = np.int64(0)
    for number in range(num_numbers):
        size += keys[KEY_LENGTH, keys[KEY_OF_NUMBER, number]]
    width = width_of(max(size, num_numbers))
    o = put_le(out, put_u1(out, o, 1 | (width - 1) << 6), num_numbers, width)
    offset = np.int64(0)
    o = put_le(out, o, offset, width)
    for number in range(num_numbers):
        offset += keys[KEY_LENGTH, keys[KEY_OF_NUMBER, number]]
        o = put_le(out, o, offset, width)
    for number in range(num_numbers):
        k = keys[KEY_OF_NUMBER, number]
        copy_bytes(data, keys[KEY_START, k], keys[KEY_LENGTH, k], out, o)
        o += keys[KEY_LENGTH, k]
    return o


@inlined
def are_same_keys(data, keys, others, num_keys):
    """Return whether two documents have the same keys in the same order."""
    for k in range(num_keys):
        n = keys[KEY_LENGTH, k]
        if n != others[KEY_LENGTH, k]:
            return False
        if not equal_bytes(data, keys[KEY_START, k], data, others[KEY_START, k], n):
            return False
    return True


def fill_variants(
    data,
    pos,
    num_rows,
    width,
    value_offsets,
    values,
    metadata_offsets,
    metadata,
    state,
    keys,
    pending,
    stack,
):
    """Fill columns of values and metadata from state[V_ROW] on; return how many rows are done.

    If there are more rows, state[V_STATUS] is why the next one is not: V_INVALID; V_MANY_ELEMENTS
    if `keys` or `pending` is too short; V_NO_ROOM if the bytes are.

    Args:
        data: the window.
        pos: (at least num_rows,) of `locate`.
        num_rows: row images.
        width: bytes of the length before each document.
        value_offsets, metadata_offsets: (num_rows + 1,) Arrow offsets, filled.
        values, metadata: the bytes. Room for MAX_JSON_GROWTH bytes for each byte of a document and
            2 * MAX_JSON_GROWTH_BASE for each row is always enough.
        state: (NUM_VARIANT_FIELDS,)
        keys: (2, NUM_KEY_FIELDS, n), pending: (n,), stack: (MAX_JSON_DEPTH, 9) to work with.
    """
    first_row = state[V_ROW]
    o, m = state[V_VALUES], state[V_METADATA]
    which = 0
    num_last_keys, num_numbers, last_begin, last_end = np.int64(-1), np.int64(0), m, m
    for i in range(first_row, num_rows):
        state[V_ROW], state[V_VALUES], state[V_METADATA] = i, o, m
        p = np.int64(pos[i])
        if p >= 0:
            start, length = p + width, value_length(data, p, -width)
            state[V_STATUS] = V_NO_ROOM
            room = MAX_JSON_GROWTH * length + 2 * MAX_JSON_GROWTH_BASE
            if o + room > values.size or m + room > metadata.size:
                return np.int64(i)
            state[V_STATUS] = V_INVALID
            new_keys = keys[1 - which]
            num_keys = encode_document(
                data, start, length, NO, new_keys, num_numbers, pending, values, o, stack
            )
            if num_keys < 0:
                state[V_STATUS] = num_keys
                return np.int64(i)
            # Documents of a table mostly have the same keys, which then are numbered already.
            if num_keys != num_last_keys or not are_same_keys(
                data, new_keys, keys[which], num_keys
            ):
                which = 1 - which
                num_numbers = number_keys(data, new_keys, num_keys)
                num_last_keys = num_keys if num_numbers >= 0 else np.int64(-1)
                if num_numbers < 0:
                    return np.int64(i)
                last_begin, last_end = m, put_metadata(data, new_keys, num_numbers, metadata, m)
                m = last_end
            else:
                copy_bytes(metadata, last_begin, last_end - last_begin, metadata, m)
                m += last_end - last_begin
            o = encode_document(
                data, start, length, YES, keys[which], num_numbers, pending, values, o, stack
            )
            if o < 0:
                state[V_STATUS] = o
                return np.int64(i)
        value_offsets[i + 1] = o
        metadata_offsets[i + 1] = m
    state[V_ROW], state[V_VALUES], state[V_METADATA] = num_rows, o, m
    return np.int64(num_rows)
