"""Rows of any table as JSON text: one object for each row image, its columns in order.

Decimals are strings, since many readers of JSON, Spark's `get_json_object` among them, round
numbers to doubles. Binary values are base64, JSON columns stand in it as they are, dates and
times are text as the server prints it (TIMESTAMP in UTC, with a `Z`). A GEOMETRY is an object of
`srid` and `wkb`, a VECTOR an array of numbers. A column that the row image
does not hold is left out; NULL is `null`.
"""

from __future__ import annotations

import json
from base64 import b64encode

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.rows.row_block import RowBlock
from pyspark_adapter.values.text_form import text_form


def render_rows(block: RowBlock) -> pa.Array:
    """Return (num_rows,) string: the row images of a block as JSON objects."""
    parts: list[pa.Array | pa.Scalar] = [_text("{")]
    for c, (wanted, array) in enumerate(zip(block.plan.wanted, block.columns, strict=True)):
        name = json.dumps(wanted.column.label, ensure_ascii=False)
        values = pc.fill_null(_render(wanted, array), "null")
        part = pc.binary_join_element_wise(_text(f"{', ' if c else ''}{name}: "), values, _text(""))
        absent = block.absent.get(c)
        if absent is not None:
            part = pc.if_else(absent, _text(""), part)
        parts.append(part)
    parts.append(_text("}"))
    rows = pc.binary_join_element_wise(*parts, _text(""))
    if isinstance(rows, pa.Scalar):  # a table of which nothing is logged
        rows = pa.repeat(rows, block.num_rows)
    if block.absent:
        rows = pc.replace_substring_regex(rows, r"^\{, ", "{")
    return rows


def _text(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.string())


def _render(wanted: WantedColumn, array: pa.Array) -> pa.Array:
    """Return the values of a column as JSON text; nulls stay nulls."""
    if wanted.decoding.op == lay.OP_JSON:
        return array
    if pa.types.is_string(array.type):
        return _quote(_escape(array))
    if pa.types.is_binary(array.type):
        return _base64(array)
    if wanted.decoding.op == lay.OP_GEOMETRY:
        return _geometries(array)
    if wanted.decoding.op == lay.OP_VECTOR:
        return _vectors(array)
    text = text_form(array, max(wanted.column.metadata, 0))
    return _quote(text) if pa.types.is_temporal(array.type) else text


def _quote(array: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(_text('"'), array, _text('"'), _text(""))


def _base64(array: pa.Array) -> pa.Array:
    encoded = [None if v is None else b64encode(v).decode() for v in array.to_pylist()]
    return _quote(pa.array(encoded, pa.string()))


def _geometries(array: pa.Array) -> pa.Array:
    """Return geometries as objects of SRID and WKB."""
    srids = pc.fill_null(pc.struct_field(array, "srid").cast(pa.string()), "null")
    wkb = _base64(pc.struct_field(array, "wkb"))
    return pc.binary_join_element_wise(
        _text('{"srid": '), srids, _text(', "wkb": '), wkb, _text("}"), _text("")
    )


def _vectors(array: pa.Array) -> pa.Array:
    """Return vectors as arrays of numbers."""
    numbers = array.cast(pa.list_(pa.string()))
    return pc.binary_join_element_wise(
        _text("["), pc.binary_join(numbers, ", "), _text("]"), _text("")
    )


def _escape(array: pa.Array) -> pa.Array:
    """Return text with the escapes of JSON. Most columns need none: one look at the bytes tells."""
    data = _bytes_of(array)
    for letter, escape in (("\\", "\\\\"), ('"', '\\"')):
        if (data == ord(letter)).any():
            array = pc.replace_substring(array, letter, escape)
    for byte in np.unique(data[data < 0x20]).tolist():
        array = pc.replace_substring(array, chr(byte), json.dumps(chr(byte))[1:-1])
    return array


def _bytes_of(array: pa.Array) -> np.ndarray:
    """Return the bytes of all values of a string array."""
    offsets, data = array.buffers()[1:]
    if data is None or not len(array):
        return np.empty(0, dtype=np.uint8)
    bounds = np.frombuffer(offsets, dtype=np.int32, count=len(array) + 1 + array.offset)
    first, last = int(bounds[array.offset]), int(bounds[array.offset + len(array)])
    return np.frombuffer(data, dtype=np.uint8)[first:last]
