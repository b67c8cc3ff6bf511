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
from pyspark_adapter.values.text_pieces import TextPiece, join_pieces


def render_rows(block: RowBlock) -> pa.Array:
    """Return (num_rows,) string: the row images of a block as JSON objects.

    Args:
        block: decoded rows.
    """
    pieces: list[TextPiece] = []
    before = "{"  # the next value
    for c, (wanted, array) in enumerate(zip(block.plan.wanted, block.columns, strict=True)):
        absent = block.absent.get(c)
        if absent is not None and absent.true_count == block.num_rows:
            continue
        name = json.dumps(wanted.column.label, ensure_ascii=False)
        start = f"{', ' if c else ''}{name}: "
        values, quote, fsp = KINDS[wanted.decoding.op].as_json(array, wanted.decoding)
        if absent is not None:
            head, none = f"{start}{quote}", f"{start}null"
            pieces += [TextPiece(before), TextPiece(head, values, quote, none, fsp, absent=absent)]
            before = ""
        elif values.null_count:
            head, none = f"{before}{start}{quote}", f"{before}{start}null"
            pieces.append(TextPiece(head, values, quote, none, fsp))
            before = ""
        else:  # the quote goes with the text before the next value
            pieces.append(TextPiece(f"{before}{start}{quote}", values, fsp=fsp))
            before = quote
    pieces.append(TextPiece(f"{before}}}"))
    rows = join_pieces(pieces, block.num_rows)
    if block.absent:
        rows = pc.replace_substring_regex(rows, r"^\{, ", "{")
    return rows
