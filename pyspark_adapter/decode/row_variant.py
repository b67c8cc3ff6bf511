"""Columns of type VARIANT, and rows of any table as one: an object for each row image.

A column that the row image does not hold is omitted; NULL is the null of VARIANT. VARIANT has no
type for TIME, which is its text, for a GEOMETRY, which is an object of `srid` and `wkb`, and for
decimals of more than 38 digits, which are text. BIGINT UNSIGNED is a decimal, a VECTOR an array.

Source: Spark's `common/variant/README.md` (layout). Members are sorted by their keys in UTF-16, as
Spark looks for them, and all offsets of a block have one width.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from pyspark_adapter.values.kinds import KINDS
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
        """Raise what is wrong with the document of `row`, unless it is too large with others."""
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
