"""Where the parts of a binary JSON document are in its bytes, for the kernels that read it.

Source: `sql-common/json_binary.h` of the server. All offsets within a container count from its
element count; values may be in any order, with unused gaps between them, so offsets are followed
and nothing is read in sequence. The twin of `values.binary_json.layout`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import inlined
from pyspark_adapter.kernels.layout import Json
from pyspark_adapter.kernels.load import load_u1, load_u2, load_u3, load_u4


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
