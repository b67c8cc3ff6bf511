"""Buffers that the kernels fill, and the Arrow arrays made of them without a copy.

All buffers of a batch lie in one allocation, the arena; each array keeps it alive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.column_types import Decoding
from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.fill import fill
from pyspark_adapter.kernels.json_text import (
    MAX_DEPTH,
    MAX_GROWTH,
    MAX_GROWTH_BASE,
    SLACK,
    fill_json,
)
from pyspark_adapter.row_plan import WantedColumn

_ALIGNMENT: Final = 64
_MAX_TEXT: Final = (1 << 31) - 1
_DECIMAL_TEXT_BYTES: Final = 68  # 65 digits, sign, point and a zero before it
_LATIN1_GROWTH: Final = 3

_FIXED_BYTES: Final = {
    lay.OP_BITS: 8,
    lay.OP_UNSIGNED_DECIMAL: 16,
    lay.OP_YEAR: 4,
    lay.OP_DECIMAL: 16,
    lay.OP_DATE: 4,
    lay.OP_DATETIME2: 8,
    lay.OP_TIMESTAMP: 8,
    lay.OP_TIME2: 8,
    lay.OP_OLD_TIME: 8,
    lay.OP_OLD_DATETIME: 8,
}


class FillError(Exception):
    """A value that the kernels refuse; the reader turns it into one of our errors.

    Attributes:
        status: of the kernel.
        row: index of the row image.
        wanted: index of the wanted column; -1 if it is about the row as a whole.
        error: what is wrong, if the status does not tell all.
    """

    def __init__(
        self, status: int, row: int, wanted: int, error: CorruptEventError | None = None
    ) -> None:
        super().__init__(status, row, wanted, error)
        self.status = status
        self.row = row
        self.wanted = wanted
        self.error = error


class ColumnBuffers:
    """What the buffers of some columns have in common, whatever the rows.

    Args:
        wanted: the columns.
    """

    def __init__(self, wanted: Sequence[WantedColumn]) -> None:
        self.wanted = wanted
        self.table = np.zeros((len(wanted), lay.NUM_COLUMN_FIELDS), dtype=np.int64)
        names: list[bytes] = []
        for row, column in zip(self.table, wanted, strict=True):
            decoding = column.decoding
            params = decoding.params
            if decoding.op in (lay.OP_ENUM, lay.OP_SET):
                params = (*params, len(names), len(decoding.names))
                names += [name.encode() for name in decoding.names]
            row[lay.K_OP] = decoding.op
            row[lay.K_PARAM1 : lay.K_PARAM1 + len(params)] = params
        # A byte more than there are: numba takes no array of none.
        self.names = np.frombuffer(b"".join(names) + b"\0", dtype=np.uint8).copy()
        self.name_ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
        self._text_rates = [_text_rate(column.decoding) for column in wanted]

    def allocate(self, num_rows: int, sums: Sequence[int], nulls: Sequence[int]) -> Arena:
        """Return buffers with room for some rows.

        Args:
            num_rows: row images.
            sums: for each column the bytes of its values in the log, without their lengths.
            nulls: for each column how many of its values are NULL or absent.
        """
        table = self.table.copy()
        size = 0
        for c, row in enumerate(table):
            op = int(row[lay.K_OP])
            row[lay.K_NUM_NULLS] = nulls[c]
            row[lay.K_VALIDITY] = size
            size += _aligned((num_rows + 7) // 8)
            if op in lay.TEXT_OPS:
                row[lay.K_OFFSETS] = size
                size += _aligned(4 * (num_rows + 1))
                by_byte, by_row = self._text_rates[c]
                values = min(by_byte * sums[c] + by_row * num_rows, _MAX_TEXT)
            else:
                values = num_rows * (_FIXED_BYTES.get(op) or int(row[lay.K_PARAM3]))
            row[lay.K_VALUES] = size
            size += _aligned(values)
        return Arena(self, table, num_rows, size)


def _text_rate(decoding: Decoding) -> tuple[int, int]:
    """Return how long the text of a column can get, in bytes: by byte of the log, and by row."""
    if decoding.op == lay.OP_JSON:
        return MAX_GROWTH, MAX_GROWTH_BASE + SLACK
    if decoding.op == lay.OP_DECIMAL_TEXT:
        return 0, _DECIMAL_TEXT_BYTES
    if decoding.op == lay.OP_ENUM:
        return 0, max(len(name.encode()) for name in decoding.names)
    if decoding.op == lay.OP_SET:
        return 0, sum(len(name.encode()) + 1 for name in decoding.names)
    if decoding.op == lay.OP_TEXT:
        _, charset, padded = decoding.params
        return _LATIN1_GROWTH if charset == lay.TEXT_LATIN1 else 1, padded
    return 0, 0


def _aligned(num_bytes: int) -> int:
    return -(-num_bytes // _ALIGNMENT) * _ALIGNMENT


class Arena:
    """The buffers of a batch; made by `ColumnBuffers.allocate`."""

    def __init__(
        self, buffers: ColumnBuffers, table: np.ndarray[Any, Any], num_rows: int, size: int
    ) -> None:
        self._buffers = buffers
        self._table = table
        self._num_rows = num_rows
        # Pages that are never written take no memory: the room for text is an upper bound. Arrow's
        # pool gives back the pages of earlier batches, which are mapped already.
        self._whole = pa.allocate_buffer(size)
        self._bytes = np.frombuffer(self._whole, dtype=np.uint8)

    def fill(
        self,
        data: np.ndarray[Any, Any],
        pos: np.ndarray[Any, Any],
        zero_dates: int,
        documents: Mapping[int, np.ndarray[Any, Any]],
    ) -> None:
        """Decode all columns.

        Args:
            data: the window.
            pos: (columns, at least num_rows) positions of `kernels.rows.locate`.
            zero_dates: one of the ZERO_DATES_ codes.
            documents: for JSON columns whose positions are not in the window, what they are in.

        Raises:
            FillError: at the first value that cannot be.
        """
        where = np.zeros(2, dtype=np.int64)
        views = [self._bytes.view(kind) for kind in (np.int16, np.int32, np.int64)]
        status = fill(
            data,
            pos,
            self._num_rows,
            self._table,
            zero_dates,
            self._bytes,
            *views,
            self._buffers.names,
            self._buffers.name_ends,
            where,
        )
        if status != 0:
            raise FillError(int(status), int(where[0]), int(where[1]))
        for c in np.flatnonzero(self._table[:, lay.K_OP] == lay.OP_JSON).tolist():
            self._fill_json(documents.get(c, data), pos[c], c, views[1])

    def _fill_json(
        self,
        data: np.ndarray[Any, Any],
        pos: np.ndarray[Any, Any],
        c: int,
        arena32: np.ndarray[Any, Any],
    ) -> None:
        row = self._table[c]
        first = int(row[lay.K_OFFSETS]) // 4
        is_last = c + 1 == len(self._table)
        end = len(self._bytes) if is_last else int(self._table[c + 1, lay.K_VALIDITY])
        where = np.zeros(2, dtype=np.int64)
        status = fill_json(
            data,
            pos,
            self._num_rows,
            int(row[lay.K_PARAM1]),
            arena32[first : first + self._num_rows + 1],
            self._bytes[int(row[lay.K_VALUES]) : end],
            where,
            np.empty((MAX_DEPTH, 5), dtype=np.int64),
        )
        if status != 0:
            raise FillError(int(status), int(where[0]), c)

    def arrays(self) -> list[pa.Array]:
        """Return the columns, in the types of their fields."""
        return [
            self._array(self._whole, column, row)
            for column, row in zip(self._buffers.wanted, self._table.tolist(), strict=True)
        ]

    def _array(self, whole: pa.Buffer, column: WantedColumn, row: list[int]) -> pa.Array:
        n = self._num_rows
        num_nulls = row[lay.K_NUM_NULLS]
        buffers = [whole.slice(row[lay.K_VALIDITY], (n + 7) // 8) if num_nulls else None]
        if row[lay.K_OP] in lay.TEXT_OPS:
            buffers.append(whole.slice(row[lay.K_OFFSETS], 4 * (n + 1)))
        buffers.append(whole.slice(row[lay.K_VALUES]))
        array = pa.Array.from_buffers(column.decoding.arrow_type, n, buffers, num_nulls)
        return array if array.type == column.field.type else pc.cast(array, column.field.type)
