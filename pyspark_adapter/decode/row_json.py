"""Rows of any table as JSON text: one object for each row image, its columns in order.

Decimals are strings, since many readers of JSON, Spark's `get_json_object` among them, round
numbers to doubles. Binary values are base64, JSON columns are nested as they are, dates and times
are text as the server prints it (TIMESTAMP in UTC, with a `Z`). A GEOMETRY is an object of `srid`
and `wkb`, a VECTOR an array of numbers. A column that the row image does not hold is omitted; NULL
is `null`.
"""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.values.kinds import KINDS


def render_rows(block: RowBlock) -> pa.Array:
    """Return (num_rows,) string: the row images of a block as JSON objects."""
    parts: list[pa.Array | pa.Scalar] = []
    text = "{"  # before the next value; texts are put together, since each part is copied once
    for c, (wanted, array) in enumerate(zip(block.plan.wanted, block.columns, strict=True)):
        absent = block.absent.get(c)
        if absent is not None and absent.true_count == block.num_rows:
            continue
        name = json.dumps(wanted.column.label, ensure_ascii=False)
        start = f"{', ' if c else ''}{name}: "
        values, quote = KINDS[wanted.decoding.op].as_json(array, wanted.decoding)
        if absent is None and not values.null_count:
            parts += [_text(f"{text}{start}{quote}"), values]
            text = quote
            continue
        if quote:
            values = pc.binary_join_element_wise(_text(quote), values, _text(quote), _text(""))
        values = pc.fill_null(values, "null")
        if absent is not None:
            values = pc.binary_join_element_wise(_text(start), values, _text(""))
            values = pc.if_else(absent, _text(""), values)
            start = ""
        parts += [_text(f"{text}{start}"), values]
        text = ""
    parts.append(_text(f"{text}}}"))
    rows = pc.binary_join_element_wise(*parts, _text(""))
    if isinstance(rows, pa.Scalar):  # a table without logged columns
        rows = pa.repeat(rows, block.num_rows)
    if block.absent:
        rows = pc.replace_substring_regex(rows, r"^\{, ", "{")
    return rows


def _text(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.string())
