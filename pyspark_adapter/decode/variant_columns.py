"""Columns of type VARIANT, made by the kernels."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.kernels.layout import (
    MAX_INT32,
    MAX_JSON_DEPTH,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    NUM_KEY_FIELDS,
    NUM_VARIANT_FIELDS,
    V_ROW,
    Numbers,
)
from pyspark_adapter.values.binary_json.variant import Variant, encode_variant
from pyspark_adapter.values.column_types import VARIANT

_MAX_ELEMENTS: Final = 1 << 20  # of a document; one with more is left to Python


class VariantColumn:
    """A column that the kernels fill, and Python where they cannot.

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
        num_elements = min(num_bytes // 2 + 1, _MAX_ELEMENTS)
        keys = np.empty((2, NUM_KEY_FIELDS, num_elements), dtype=np.int64)
        pending = np.empty(num_elements, dtype=np.int64)
        stack = np.empty((MAX_JSON_DEPTH, 9), dtype=np.int64)
        while True:
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
                keys,
                pending,
                stack,
            )
            if self.row == num_rows:
                break
            for k, part in enumerate(self._encode()):
                end = int(state[V_ROW + 1 + k]) + len(part)
                if end > len(arrays[k]):
                    return None
                arrays[k][end - len(part) : end] = np.frombuffer(part, dtype=np.uint8)
                state[V_ROW + 1 + k] = offsets[k][self.row + 1] = end
            state[V_ROW] = self.row + 1
        columns = [
            pa.Array.from_buffers(pa.binary(), num_rows, [None, pa.py_buffer(ends), part])
            for ends, part in zip(offsets, parts, strict=True)
        ]
        is_null = pa.array(self._pos < 0)
        return pa.StructArray.from_arrays(columns, fields=list(VARIANT), mask=is_null)

    def _encode(self) -> Variant:
        position = int(self._pos[self.row])
        start = position + self._width
        length = int.from_bytes(self._data[position:start].tobytes(), "little")
        return encode_variant(self._data[start : start + length].tobytes())
