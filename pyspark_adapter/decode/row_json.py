"""Rows of any table as JSON text: one object for each row image, its columns in order.

Decimals are strings, since many readers of JSON, Spark's `get_json_object` among them, round
numbers to doubles. Binary values are base64, JSON columns are nested as they are, dates and times
are text as the server prints it (TIMESTAMP in UTC, with a `Z`). A GEOMETRY is an object of `srid`
and `wkb`, a VECTOR an array of numbers. A column that the row image does not hold is omitted; NULL
is `null`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import DEBEZIUM
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.values.json_columns import JsonValues
from pyspark_adapter.values.kinds import KINDS
from pyspark_adapter.values.text_pieces import TextPiece, join_pieces


def _as_json(array: pa.Array, wanted: WantedColumn) -> JsonValues:
    return KINDS[wanted.decoding.op].as_json(array, wanted.decoding)


def render_rows(
    block: RowBlock,
    as_json: Callable[[pa.Array, WantedColumn], JsonValues] = _as_json,
    chosen: Iterable[int] | None = None,
) -> pa.Array:
    """Return (num_rows,) string: the row images of a block as JSON objects.

    Args:
        as_json: returns a column as JSON text.
        chosen: indices of the wanted columns of the objects; None for all.
    """
    pieces: list[TextPiece] = []
    before = "{"  # the next value
    for k, c in enumerate(range(len(block.columns)) if chosen is None else chosen):
        wanted, array = block.plan.wanted[c], block.columns[c]
        absent = block.absent.get(c)
        if absent is not None and absent.true_count == block.num_rows:
            continue
        name = json.dumps(wanted.column.label, ensure_ascii=False)
        start = f"{', ' if k else ''}{name}: "
        values, quote, fsp = as_json(array, wanted)
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


def render_debezium(block: RowBlock, options: BinlogOptions) -> pa.StructArray:
    """Return (num_rows,) DEBEZIUM: the row images of a block.

    Args:
        block: decoded rows; all columns of a table are wanted.
        options: the handling modes.
    """
    from pyspark_adapter.values.debezium_forms import debezium_form

    columns = [wanted.column for wanted in block.plan.wanted]
    forms = [debezium_form(w.column, w.decoding, options) for w in block.plan.wanted]

    def as_json(array: pa.Array, wanted: WantedColumn) -> JsonValues:
        return forms[wanted.column.index].as_json(array)

    key_columns = block.plan.table_map.row_key
    rows = render_rows(block, as_json)
    keys = schemas = pa.nulls(block.num_rows, pa.string())
    if key_columns:
        keys = render_rows(block, as_json, key_columns)
        for c in block.absent.keys() & set(key_columns):
            keys = pc.if_else(block.absent[c], pa.scalar(None, pa.string()), keys)
    if options.debezium_schemas:
        fields = [form.schema(c) for c, form in zip(columns, forms, strict=True)]
        schema = json.dumps({"fields": fields, "key": [columns[c].label for c in key_columns]})
        schemas = pa.repeat(schema, block.num_rows)
    connector = "mariadb" if block.plan.table_map.is_mariadb else "mysql"
    connectors = pa.repeat(connector, block.num_rows)
    return pa.StructArray.from_arrays([keys, rows, schemas, connectors], fields=list(DEBEZIUM))
