"""Rows of any table as one value: an object for each row image, as JSON text or as VARIANT.

JSON text has the columns in their order. Decimals are strings, since many readers of JSON, Spark's
`get_json_object` among them, round numbers to doubles. Binary values are base64, JSON columns are
nested as they are, dates and times are text as the server prints it (TIMESTAMP in UTC, with a `Z`).
VARIANT has no type for TIME, which is its text, and for decimals of more than 38 digits, which are
text. BIGINT UNSIGNED is a decimal. In both, a GEOMETRY is an object of `srid` and `wkb`, a VECTOR
an array of numbers; a column that the row image does not hold is omitted, and NULL is null.

Source: Spark's `common/variant/README.md` (layout). Members are sorted by their keys in UTF-16, as
Spark looks for them, and all offsets of a block have one width.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.kernels.layout import (
    MAX_INT32,
    MAX_JSON_DEPTH,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    NUM_KEY_FIELDS,
    NUM_VARIANT_FIELDS,
    V_MANY_ELEMENTS,
    V_NO_ROOM,
    V_STATUS,
    Numbers,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import DEBEZIUM
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.values.binary_json.text import decode_json
from pyspark_adapter.values.binary_json.tree import parse_tree
from pyspark_adapter.values.binary_json.variant import (
    MAX_BYTES,
    dictionary,
    keys_of,
    renumbered,
    width_of_number,
)
from pyspark_adapter.values.column_types import GEOMETRY, VARIANT
from pyspark_adapter.values.json_columns import JsonValues
from pyspark_adapter.values.kinds import KINDS
from pyspark_adapter.values.text_pieces import TextPiece, join_pieces
from pyspark_adapter.values.variant_cells import (
    NULL_CELL,
    binary_of,
    little_endian,
    scalars_as_variant,
)

_FIRST_ELEMENTS: Final = 1 << 20  # few documents have more


class VariantColumn:
    """A column that is made of documents.

    Args:
        data: bytes that hold the documents, each after its length.
        pos: (num_rows,) int32 position of each in them; below zero where there is none.
        width: bytes of a length.

    Attributes:
        row: that is being made.
    """

    def __init__(self, data: Numbers, pos: Numbers, width: int) -> None:
        self._data, self._pos, self._width = data, pos, width
        self.row = 0

    def build(self, num_bytes: int) -> pa.StructArray | None:
        """Return the column; None if it has more bytes than an array can.

        Raises:
            CorruptEventError: if the document of `row` is not valid.
            UnsupportedError: if it is too large.
        """
        # Here, since few reads need it.
        from pyspark_adapter.kernels.entry_points import fill_variants

        num_rows = len(self._pos)
        room = MAX_JSON_GROWTH * num_bytes + 2 * MAX_JSON_GROWTH_BASE * num_rows
        # Pages that are never written take no memory.
        parts = [pa.allocate_buffer(min(room, MAX_INT32)) for _ in range(2)]
        arrays = [np.frombuffer(part, dtype=np.uint8) for part in parts]
        offsets = [np.zeros(num_rows + 1, dtype=np.int32) for _ in range(2)]
        state = np.zeros(NUM_VARIANT_FIELDS, dtype=np.int64)
        stack = np.empty((MAX_JSON_DEPTH, 9), dtype=np.int64)
        most_elements = num_bytes // 2 + 1
        for num_elements in (min(most_elements, _FIRST_ELEMENTS), most_elements):
            self.row = fill_variants(
                self._data,
                self._pos,
                num_rows,
                self._width,
                offsets[0],
                arrays[0],
                offsets[1],
                arrays[1],
                state,
                np.empty((2, NUM_KEY_FIELDS, num_elements), dtype=np.int64),
                np.empty(num_elements, dtype=np.int64),
                stack,
            )
            if self.row == num_rows or state[V_STATUS] != V_MANY_ELEMENTS:
                break
        if self.row < num_rows:
            self._refuse(int(state[V_STATUS]))
            return None
        sizes = np.maximum(np.diff(offsets[0]), np.diff(offsets[1]))
        if num_rows and sizes.max() > MAX_BYTES:
            self.row = int(sizes.argmax())
            raise _too_large(int(sizes.max()))
        columns = [
            pa.Array.from_buffers(pa.binary(), num_rows, [None, pa.py_buffer(ends), part])
            for ends, part in zip(offsets, parts, strict=True)
        ]
        is_null = pa.array(self._pos < 0)
        return pa.StructArray.from_arrays(columns, fields=list(VARIANT), mask=is_null)

    def _refuse(self, status: int) -> None:
        """Raise the error of the document of `row`, unless only the batch is too large."""
        position = int(self._pos[self.row])
        start = position + self._width
        length = int.from_bytes(self._data[position:start].tobytes(), "little")
        if status == V_NO_ROOM:
            if MAX_JSON_GROWTH * length > MAX_INT32:
                raise _too_large(length)
            return
        document = self._data[start : start + length].tobytes()
        parse_tree(document)
        decode_json(document)
        raise CorruptEventError("the JSON document is not valid")


def _too_large(size: int) -> UnsupportedError:
    return UnsupportedError(
        f"a JSON document of {size} bytes as VARIANT; Spark takes at most {MAX_BYTES}",
        advice="option json=text gives it as text",
    )


_OBJECT: Final = 2
_GEOMETRY_KEYS: Final = tuple(field.name for field in GEOMETRY)


def render_variants(block: RowBlock) -> pa.StructArray:
    """Return (num_rows,) VARIANT: the row images of a block as objects.

    Raises:
        UnsupportedError: if a row is larger than a VARIANT of Spark.
    """
    labels = [wanted.column.label for wanted in block.plan.wanted]
    names = list(dict.fromkeys(labels))
    if any(column.type == GEOMETRY for column in block.columns):
        names = list(dict.fromkeys([*names, *_GEOMETRY_KEYS]))
    documents = [column for column in block.columns if column.type == VARIANT]
    metadata, num_keys = _metadata(names, documents, block.num_rows)
    # The keys of the first document have the lowest numbers, so that it stays as it is.
    first_number = num_keys[0] if num_keys else np.zeros(block.num_rows, dtype=np.int64)
    shifts = iter([None, *accumulate(num_keys[1:], initial=first_number + len(names))])
    number_of = {name: first_number + k for k, name in enumerate(names)}
    cells: list[pa.BinaryArray] = []
    for wanted, column in zip(block.plan.wanted, block.columns, strict=True):
        if column.type == VARIANT:
            cells.append(_documents(column, next(shifts)))
        elif column.type == GEOMETRY:
            members = [
                (key, number_of[key], scalars_as_variant(pc.struct_field(column, key)))
                for key in _GEOMETRY_KEYS
            ]
            variants = objects(members, block.num_rows, {})
            cells.append(pc.if_else(column.is_null(), NULL_CELL, variants))
        else:
            cells.append(KINDS[wanted.decoding.op].as_variant(column, wanted.decoding))
    members = [(label, number_of[label], cell) for label, cell in zip(labels, cells, strict=True)]
    values = objects(members, block.num_rows, block.absent)
    for part in (values, metadata):
        lengths = pc.binary_length(part)
        longest = pc.max(lengths).as_py() or 0
        if longest > MAX_BYTES:
            row = pc.index(lengths, longest).as_py()
            raise UnsupportedError(
                f"table {block.table_of(row)}: a row of {longest} bytes as VARIANT; Spark"
                f" takes at most {MAX_BYTES}; option row=json gives it as text"
            )
    return pa.StructArray.from_arrays([values, metadata], fields=list(VARIANT))


def objects(
    members: Sequence[tuple[str, Numbers, pa.BinaryArray]],
    num_rows: int,
    absent: dict[int, pa.Array],
) -> pa.BinaryArray:
    """Return (num_rows,) binary: objects of VARIANT.

    Args:
        members: of each the key, (num_rows,) the number of the key in the metadata of each row, and
            its values.
        num_rows: how many objects.
        absent: (num_rows,) bool, true where a member is omitted, by its index.
    """
    present = np.ones((num_rows, len(members)), dtype=bool)
    cells: list[pa.BinaryArray] = []
    for c, (_, _, cell) in enumerate(members):
        if c in absent:
            present[:, c] = ~absent[c].to_numpy(zero_copy_only=False)
            cell = pc.if_else(absent[c], b"", cell)
        cells.append(cell)
    counts = present.sum(axis=1)
    lengths = np.zeros((num_rows, len(members)), dtype=np.int64)
    for c, cell in enumerate(cells):
        lengths[:, c] = pc.binary_length(cell).to_numpy(zero_copy_only=False)
    ends = np.cumsum(lengths, axis=1)
    totals = ends[:, -1] if members else np.zeros(num_rows, dtype=np.int64)
    by_key = sorted(range(len(members)), key=lambda c: members[c][0].encode("utf-16-be"))
    numbers = np.zeros((num_rows, len(members)), dtype=np.int64)
    for k, c in enumerate(by_key):
        numbers[:, k] = members[c][1]
    is_present = present[:, by_key]
    offsets = np.concatenate([(ends - lengths)[:, by_key], totals[:, None]], axis=1)
    ends_too = np.concatenate([is_present, np.ones((num_rows, 1), dtype=bool)], axis=1)
    number_width = width_of_number(int(numbers.max(initial=0)))
    offset_width = width_of_number(int(totals.max(initial=0)))
    is_large = len(members) > 0xFF
    header = _OBJECT | (offset_width - 1) << 2 | (number_width - 1) << 4 | is_large << 6
    heads = np.empty((num_rows, 5 if is_large else 2), dtype=np.uint8)
    heads[:, 0] = header
    heads[:, 1:] = little_endian(counts, heads.shape[1] - 1)
    parts = [
        binary_of(heads, np.full(num_rows, heads.shape[1])),
        binary_of(little_endian(numbers[is_present], number_width), counts * number_width),
        binary_of(little_endian(offsets[ends_too], offset_width), (counts + 1) * offset_width),
        *cells,
    ]
    return pc.binary_join_element_wise(*parts, pa.scalar(b"", pa.binary()))


def _documents(column: pa.StructArray, shift: Numbers | None) -> pa.BinaryArray:
    """Return the values of documents, the numbers of their keys moved up by `shift`."""
    values = pc.struct_field(column, "value")
    if shift is not None:
        moved = zip(values.to_pylist(), shift.tolist(), strict=True)
        values = pa.array([value and renumbered(value, n) for value, n in moved], pa.binary())
    return pc.if_else(column.is_null(), NULL_CELL, values)


def _metadata(
    names: Sequence[str], documents: Sequence[pa.StructArray], num_rows: int
) -> tuple[pa.BinaryArray, list[Numbers]]:
    """Return the metadata of rows, and for each document how many keys it has in each row.

    The keys of the first document come first, then `names`, then the keys of other documents.
    """
    own = [name.encode() for name in names]
    if not documents:
        return pa.repeat(pa.scalar(dictionary(own), pa.binary()), num_rows), []
    keys = [_distinct_keys(document) for document in documents]
    counts = [
        np.array([len(texts) for texts in distinct], dtype=np.int64)[numbers]
        for distinct, numbers in keys
    ]
    # Documents of a table mostly have the same keys.
    of_row = np.stack([numbers for _, numbers in keys], axis=1)
    kinds, kind_of_row = np.unique(of_row, axis=0, return_inverse=True)
    made = []
    for kind in kinds.tolist():
        first, *others = (distinct[k] for (distinct, _), k in zip(keys, kind, strict=True))
        made.append(dictionary([*first, *own, *(key for keys in others for key in keys)]))
    taken = pa.array(made, pa.binary()).take(pa.array(kind_of_row.reshape(-1)))
    return taken, counts


def _distinct_keys(documents: pa.StructArray) -> tuple[list[list[bytes]], Numbers]:
    """Return the different lists of keys of documents, and (n,) the index of that of each."""
    metadata = pc.if_else(documents.is_null(), b"", pc.struct_field(documents, "metadata"))
    encoded = metadata.dictionary_encode()
    lists = [keys_of(keys) if keys else [] for keys in encoded.dictionary.to_pylist()]
    return lists, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


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
