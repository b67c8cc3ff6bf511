"""Buffers that the kernels fill, and the Arrow arrays made of them without a copy.

All buffers of a batch lie in one allocation, the arena; each array keeps it alive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.charsets.maps import MAPPED_CHARSETS
from pyspark_adapter.errors import BinlogError, CorruptEventError, UnsupportedError
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.fill import fill
from pyspark_adapter.kernels.json_text import (
    MAX_DEPTH,
    fill_json,
)
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.rows.buffer_sizes import MAX_TEXT, TextTables, aligned, fixed_bytes, text_rate
from pyspark_adapter.rows.variant_columns import VariantColumn
from pyspark_adapter.values.compressed_columns import LEN_INFLATED, InflateError, inflate_column

# The fields of a column's buffers, in the order in which they lie in the arena.
_BUFFERS: Final = [lay.K_VALIDITY, lay.K_OFFSETS, lay.K_SRIDS, lay.K_VALUES]


class FillError(Exception):
    """A value that the kernels refuse; the reader turns it into one of our errors.

    Attributes:
        status: of the kernel.
        row: index of the row image.
        wanted: index of the wanted column; -1 if it is about the row as a whole.
        error: what is wrong, if the status does not tell all.
    """

    def __init__(
        self, status: int, row: int, wanted: int, error: BinlogError | None = None
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
        tables = TextTables()
        for row, column in zip(self.table, wanted, strict=True):
            decoding = column.decoding
            params = decoding.params
            if decoding.op in (lay.OP_ENUM, lay.OP_SET):
                params = (*params, len(names), len(decoding.names))
                names += decoding.names
            elif decoding.op == lay.OP_TEXT and decoding.charset in MAPPED_CHARSETS:
                params = (*params[:2], tables.place(decoding.charset))
            row[lay.K_OP] = decoding.op
            row[lay.K_PARAM1 : lay.K_PARAM1 + len(params)] = params
        # A byte more than there are: numba takes no array of none.
        self.names = np.frombuffer(b"".join(names) + b"\0", dtype=np.uint8).copy()
        self.name_ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
        self.tables = tables.joined()
        rates = [text_rate(column.decoding) for column in wanted]
        self._by_byte, self._by_row = np.array(rates, dtype=np.int64).reshape(-1, 2).T
        ops = self.table[:, lay.K_OP]
        self._has_offsets = np.isin(ops, list(lay.TEXT_OPS))
        self._has_srids = ops == lay.OP_GEOMETRY
        self._fixed_bytes = np.array([fixed_bytes(c.decoding) for c in wanted], dtype=np.int64)

    def allocate(self, num_rows: int, sums: Sequence[int], nulls: Sequence[int]) -> Arena:
        """Return buffers with room for some rows.

        Args:
            num_rows: row images.
            sums: for each column the bytes of its values in the log, without their lengths.
            nulls: for each column how many of its values are NULL or absent.
        """
        table = self.table.copy()
        table[:, lay.K_NUM_NULLS] = nulls
        of_text = np.minimum(
            self._by_byte * np.asarray(sums, dtype=np.int64) + self._by_row * num_rows, MAX_TEXT
        )
        # Bytes of the buffers of each column, in the order in which they lie.
        sizes = np.stack(
            [
                np.full(len(table), (num_rows + 7) // 8),
                np.where(self._has_offsets, 4 * (num_rows + 1), 0),
                np.where(self._has_srids, 8 * num_rows, 0),
                np.where(self._has_offsets, of_text, self._fixed_bytes * num_rows),
            ],
            axis=1,
        )
        ends = np.cumsum(aligned(sizes))
        table[:, _BUFFERS] = (ends - aligned(sizes).ravel()).reshape(sizes.shape)
        size = int(ends[-1]) if len(ends) else 0
        return Arena(self, table, num_rows, size, sums)


class Arena:
    """The buffers of a batch; made by `ColumnBuffers.allocate`."""

    def __init__(
        self,
        buffers: ColumnBuffers,
        table: np.ndarray[Any, Any],
        num_rows: int,
        size: int,
        sums: Sequence[int],
    ) -> None:
        self._buffers = buffers
        self._sums = sums
        self._table = table
        self._num_rows = num_rows
        # Pages that are never written take no memory: the room for text is an upper bound. Arrow's
        # pool gives back the pages of earlier batches, which are mapped already.
        self._whole = pa.allocate_buffer(size)
        self._bytes = np.frombuffer(self._whole, dtype=np.uint8)
        self._made_apart: dict[int, pa.Array] = {}

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
            self._buffers.tables,
            where,
        )
        if status != 0:
            raise FillError(int(status), int(where[0]), int(where[1]))
        ops = self._table[:, lay.K_OP]
        for c in np.flatnonzero(ops == lay.OP_JSON).tolist():
            self._fill_json(documents.get(c, data), pos[c], c, views[1])
        for c in np.flatnonzero(ops == lay.OP_COMPRESSED_TEXT).tolist():
            self._fill_compressed(data, pos[c], c)
        for c in np.flatnonzero(ops == lay.OP_VARIANT).tolist():
            self._encode_variants(documents.get(c, data), pos[c], c, self._sums[c])

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

    def _fill_compressed(
        self, data: np.ndarray[Any, Any], pos: np.ndarray[Any, Any], c: int
    ) -> None:
        column = self._buffers.wanted[c]
        width, *params = column.decoding.params
        try:
            inflated, places = inflate_column(data, pos[: self._num_rows], width)
        except InflateError as error:
            raise FillError(error.status, error.row, c) from None
        decoding = replace(column.decoding, op=lay.OP_TEXT, params=(LEN_INFLATED, *params))
        buffers = ColumnBuffers([WantedColumn(column.column, decoding, column.field)])
        num_nulls = int(self._table[c, lay.K_NUM_NULLS])
        arena = buffers.allocate(self._num_rows, [len(inflated)], [num_nulls])
        try:
            arena.fill(inflated, places[np.newaxis], lay.ZERO_DATES_NULL, {})
        except FillError as error:
            raise FillError(error.status, error.row, c) from None
        self._made_apart[c] = arena.arrays()[0]

    def _encode_variants(
        self, data: np.ndarray[Any, Any], pos: np.ndarray[Any, Any], c: int, num_bytes: int
    ) -> None:
        column = VariantColumn(data, pos[: self._num_rows], int(self._table[c, lay.K_PARAM1]))
        try:
            built = column.build(num_bytes)
        except (CorruptEventError, UnsupportedError) as error:
            raise FillError(lay.BAD_JSON, column.row, c, error) from error
        if built is None:
            raise FillError(lay.BAD_SIZE, column.row, c)
        self._made_apart[c] = built

    def arrays(self) -> list[pa.Array]:
        """Return the columns, in the types of their fields."""
        return [
            self._made_apart[c] if c in self._made_apart else self._array(column, row)
            for c, (column, row) in enumerate(
                zip(self._buffers.wanted, self._table.tolist(), strict=True)
            )
        ]

    def _array(self, column: WantedColumn, row: list[int]) -> pa.Array:
        n, whole = self._num_rows, self._whole
        num_nulls = row[lay.K_NUM_NULLS]
        arrow_type = column.decoding.arrow_type
        validity = whole.slice(row[lay.K_VALIDITY], (n + 7) // 8) if num_nulls else None
        values = whole.slice(row[lay.K_VALUES])
        if row[lay.K_OP] not in lay.TEXT_OPS:
            array = pa.Array.from_buffers(arrow_type, n, [validity, values], num_nulls)
        else:
            offsets = whole.slice(row[lay.K_OFFSETS], 4 * (n + 1))
            if row[lay.K_OP] == lay.OP_GEOMETRY:
                srids = np.frombuffer(whole, np.int64, n, row[lay.K_SRIDS])
                children = [
                    pa.array(srids, mask=srids < 0),
                    pa.Array.from_buffers(pa.binary(), n, [None, offsets, values]),
                ]
                array = pa.Array.from_buffers(
                    arrow_type, n, [validity], num_nulls, children=children
                )
            elif row[lay.K_OP] == lay.OP_VECTOR:
                num_floats = int(np.frombuffer(offsets, np.int32)[n])
                floats = pa.Array.from_buffers(pa.float32(), num_floats, [None, values])
                array = pa.Array.from_buffers(
                    arrow_type, n, [validity, offsets], num_nulls, children=[floats]
                )
            else:
                array = pa.Array.from_buffers(arrow_type, n, [validity, offsets, values], num_nulls)
        return array if array.type == column.decoded_type else pc.cast(array, column.decoded_type)
