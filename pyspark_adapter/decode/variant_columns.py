"""Columns of type VARIANT."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa

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
from pyspark_adapter.values.binary_json.variant import MAX_BYTES
from pyspark_adapter.values.column_types import VARIANT

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
