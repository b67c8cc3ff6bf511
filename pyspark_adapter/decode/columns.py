"""Buffers that the kernels fill, and the Arrow arrays made of them without a copy.

All buffers of a batch lie in one allocation, the arena; each array keeps it alive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.charsets.maps import MAPPED_CHARSETS
from pyspark_adapter.charsets.tables import conversion_table
from pyspark_adapter.decode.row_objects import VariantColumn
from pyspark_adapter.errors import BinlogError, CorruptEventError, UnsupportedError
from pyspark_adapter.kernels.entry_points import fill_validity
from pyspark_adapter.kernels.fill import FILLS, Batch, ColumnTask, decimal_groups, fill_column
from pyspark_adapter.kernels.layout import (
    MAX_INT32,
    MAX_JSON_DEPTH,
    ColumnField,
    Numbers,
    Op,
    RowStatus,
    ZeroDates,
)
from pyspark_adapter.plan.row_plan import WantedColumn
from pyspark_adapter.values.compressed_columns import LEN_INFLATED, InflateError, inflate_column
from pyspark_adapter.values.kinds import KINDS, ColumnBuffers

_ALIGNMENT: Final = 64  # of buffers, in bytes
# Bytes after texts that kernels copy: they read and write some more than a text has.
LEN_SPARE: Final = 64
# SET columns of more members, or longer ones, have no table of all their values.
_MAX_MEMBERS: Final = 8
_MAX_NAME_BYTES: Final = 1 << 16

# The fields of a column's buffers, in the order in which they lie in the arena.
_BUFFERS: Final = [ColumnField.VALIDITY, ColumnField.OFFSETS, ColumnField.SRIDS, ColumnField.VALUES]
# As plain numbers, which index a list in less time.
_VALIDITY, _OFFSETS, _SRIDS, _VALUES = map(int, _BUFFERS)
_NUM_NULLS: Final = int(ColumnField.NUM_NULLS)


class FillError(Exception):
    """A value that is not valid; the reader turns it into one of our errors.

    Attributes:
        status: of the kernel.
        row: index of the row image.
        wanted: index of the wanted column; -1 if it is about the row as a whole.
        error: the cause, if the status does not say it.
    """

    def __init__(
        self, status: RowStatus, row: int, wanted: int, error: BinlogError | None = None
    ) -> None:
        super().__init__(status, row, wanted, error)
        self.status = status
        self.row = row
        self.wanted = wanted
        self.error = error


class ColumnSet:
    """The columns of a plan as `kernels.fill` takes them, whatever the rows."""

    def __init__(self, wanted: list[WantedColumn]) -> None:
        self.wanted = wanted
        self.table = np.zeros((len(wanted), len(ColumnField)), dtype=np.int64)
        self.groups: list[Numbers | None] = []
        names: list[bytes] = []
        tables: dict[str, Numbers] = {}  # to convert text, by character set
        offsets: dict[str, int] = {}
        for row, column in zip(self.table, wanted, strict=True):
            decoding = column.decoding
            op, params = decoding.op, decoding.params
            self.groups.append(decimal_groups(*params) if op == Op.DECIMAL else None)
            if op in (Op.ENUM, Op.SET):
                members = list(decoding.names)
                if op == Op.SET and (combined := combined_names(members)) is not None:
                    op, members = Op.ENUM, combined
                params = (*params, len(names), len(members))
                names += members
            elif decoding.op == Op.TEXT and decoding.charset in MAPPED_CHARSETS:
                if decoding.charset not in tables:
                    offsets[decoding.charset] = sum(map(len, tables.values()))
                    tables[decoding.charset] = conversion_table(decoding.charset)
                params = (*params[:2], offsets[decoding.charset])
            row[ColumnField.OP] = op
            row[ColumnField.PARAM1 : ColumnField.PARAM1 + len(params)] = params
            kind = KINDS[decoding.op]
            if kind.growth is None and not kind.is_apart:
                row[ColumnField.NUM_BYTES] = decoding.arrow_type.bit_width // 8
        # With spare bytes, so that names are copied some bytes at a time.
        self.names = np.frombuffer(b"".join(names) + bytes(LEN_SPARE), dtype=np.uint8).copy()
        self.name_ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
        # One after the other; numba takes no array of none.
        self.tables = np.concatenate([*tables.values(), np.zeros(1, dtype=np.int32)])
        self.kinds = [KINDS[column.decoding.op] for column in wanted]
        self.casts: list[pa.DataType | None] = []
        self.has_conversions = self.has_inflated = False
        for column in wanted:
            is_decoded_so = column.conversion or column.decoding.arrow_type == column.field.type
            self.casts.append(None if is_decoded_so else column.field.type)
            self.has_conversions |= column.conversion is not None
            self.has_inflated |= column.decoding.op == Op.COMPRESSED_TEXT
        rates = [
            (0, 0) if kind.growth is None else kind.growth(column.decoding)
            for kind, column in zip(self.kinds, wanted, strict=True)
        ]
        self._by_byte, by_row = np.array(rates, dtype=np.int64).reshape(-1, 2).T
        self.has_offsets = np.array([kind.growth is not None for kind in self.kinds], dtype=bool)
        has_srids = np.array([kind.has_srids for kind in self.kinds], dtype=bool)
        # Bytes of the buffers of each column by row, in the order in which they lie, and others.
        self._row_sizes = np.stack(
            [
                np.zeros(len(wanted), dtype=np.int64),  # the validity: an eighth
                4 * self.has_offsets,
                8 * has_srids,
                self.table[:, ColumnField.NUM_BYTES] + by_row,
            ],
            axis=1,
        )
        self._nulls: dict[pa.DataType, pa.Array] = {}
        self._other_sizes = np.zeros_like(self._row_sizes)
        self._other_sizes[:, _BUFFERS.index(ColumnField.OFFSETS)] = 4 * self.has_offsets

    def nulls(self, num_rows: int, arrow_type: pa.DataType) -> pa.Array:
        """Return nulls; batches and columns share their memory."""
        nulls = self._nulls.get(arrow_type)
        if nulls is None or len(nulls) < num_rows:
            nulls = self._nulls[arrow_type] = pa.nulls(num_rows, arrow_type)
        return nulls.slice(0, num_rows)

    def allocate(self, num_rows: int, sums: Sequence[int], nulls: Sequence[int]) -> Arena:
        """Return buffers with room for some rows.

        Args:
            num_rows: row images.
            sums: for each column the bytes of its values in the log, without their lengths.
            nulls: for each column how many of its values are NULL or absent.
        """
        table = self.table.copy()
        table[:, ColumnField.NUM_NULLS] = nulls
        sizes = self._row_sizes * num_rows + self._other_sizes
        sizes[:, 0] = (num_rows + 7) // 8
        sizes[:, -1] += self._by_byte * np.array(sums, dtype=np.int64)
        sizes = -(-np.minimum(sizes, MAX_INT32).ravel() // _ALIGNMENT) * _ALIGNMENT
        ends = np.cumsum(sizes)
        table[:, _BUFFERS] = (ends - sizes).reshape(-1, len(_BUFFERS))
        size = int(ends[-1]) if len(ends) else 0
        return Arena(self, table, num_rows, size, sums)


class Arena:
    """The buffers of a batch; made by `ColumnSet.allocate`."""

    def __init__(
        self, columns: ColumnSet, table: Numbers, num_rows: int, size: int, sums: Sequence[int]
    ) -> None:
        self._columns = columns
        self._sums = sums
        self._table = table
        self._num_rows = num_rows
        # Pages that are never written take no memory: the size of text is an upper bound. Arrow's
        # pool reuses the pages of earlier batches, which are mapped already.
        self._whole = pa.allocate_buffer(size)
        self._bytes = np.frombuffer(self._whole, dtype=np.uint8)
        # The first offset of each column whose values differ in length.
        self._bytes.view(np.int32)[table[columns.has_offsets, ColumnField.OFFSETS] // 4] = 0
        self._made_apart: dict[int, pa.Array] = {}  # by index of the column; not in the arena
        # Images that lack columns have many without a value. No kernel looks at these.
        for c, num_nulls in enumerate(table[:, ColumnField.NUM_NULLS].tolist()):
            if 0 < num_rows == num_nulls:
                decoded_type = columns.wanted[c].decoded_type
                if not pa.types.is_nested(decoded_type):
                    self._made_apart[c] = columns.nulls(num_rows, decoded_type)

    def fill(
        self, data: Numbers, pos: Numbers, zero_dates: ZeroDates, documents: Mapping[int, Numbers]
    ) -> None:
        """Decode all columns; raises FillError at the first value that is not valid.

        Args:
            data: the window.
            pos: (columns, at least num_rows) positions of `kernels.rows.locate`.
            documents: for JSON columns whose positions are not in the window, the bytes that they
                are in.
        """
        arena32 = self._bytes.view(np.int32)
        batch = Batch(
            data,
            self._num_rows,
            int(zero_dates),
            out8=self._bytes,
            out32=arena32,
            out64=self._bytes.view(np.int64),
            names=self._columns.names,
            name_ends=self._columns.name_ends,
            tables=self._columns.tables,
            where=np.zeros(1, dtype=np.int64),
        )
        for c, op in enumerate(self._table[:, ColumnField.OP].tolist()):
            if c in self._made_apart:
                continue
            source = documents.get(c, data)
            if op in FILLS:
                task = ColumnTask(pos[c], self._table[c], self._columns.groups[c])
                status = fill_column(batch, task)
                if status < 0:
                    raise FillError(RowStatus(status), int(batch.where[0]), c)
                self._table[c, ColumnField.NUM_NULLS] += status
            elif op == Op.JSON:
                self._fill_json(source, pos[c], c, arena32)
            elif op == Op.COMPRESSED_TEXT:
                self._fill_compressed(data, pos[c], c)
            elif op == Op.VARIANT:
                self._encode_variants(source, pos[c], c, self._sums[c])
        fill_validity(pos, self._num_rows, self._table, self._bytes)

    def _fill_json(self, data: Numbers, pos: Numbers, c: int, arena32: Numbers) -> None:
        row = self._table[c]
        first = int(row[ColumnField.OFFSETS]) // 4
        is_last = c + 1 == len(self._table)
        end = len(self._bytes) if is_last else int(self._table[c + 1, ColumnField.VALIDITY])
        where = np.zeros(1, dtype=np.int64)
        # Here, since few tables have such columns.
        from pyspark_adapter.kernels.entry_points import fill_json

        status = fill_json(
            data,
            pos,
            self._num_rows,
            int(row[ColumnField.PARAM1]),
            arena32[first : first + self._num_rows + 1],
            self._bytes[int(row[ColumnField.VALUES]) : end],
            where,
            np.empty((MAX_JSON_DEPTH, 5), dtype=np.int64),
        )
        if status != 0:
            raise FillError(RowStatus(status), int(where[0]), c)

    def _fill_compressed(self, data: Numbers, pos: Numbers, c: int) -> None:
        column = self._columns.wanted[c]
        width, *params = column.decoding.params
        try:
            inflated, positions = inflate_column(data, pos[: self._num_rows], width)
        except InflateError as error:
            raise FillError(error.status, error.row, c) from None
        decoding = replace(column.decoding, op=Op.TEXT, params=(LEN_INFLATED, *params))
        inner = ColumnSet([WantedColumn(column.column, decoding, column.field)])
        num_nulls = int(self._table[c, ColumnField.NUM_NULLS])
        arena = inner.allocate(self._num_rows, [len(inflated)], [num_nulls])
        try:
            arena.fill(inflated, positions[np.newaxis], ZeroDates.CONVERT_TO_NULL, {})
        except FillError as error:
            raise FillError(error.status, error.row, c) from None
        self._made_apart[c] = arena.arrays()[0]

    def _encode_variants(self, data: Numbers, pos: Numbers, c: int, num_bytes: int) -> None:
        column = VariantColumn(data, pos[: self._num_rows], int(self._table[c, ColumnField.PARAM1]))
        try:
            built = column.build(num_bytes)
        except (CorruptEventError, UnsupportedError) as error:
            raise FillError(RowStatus.BAD_JSON, column.row, c, error) from error
        if built is None:
            raise FillError(RowStatus.BAD_SIZE, column.row, c)
        self._made_apart[c] = built

    def arrays(self) -> list[pa.Array]:
        """Return the columns, in the types of their fields."""
        return [
            self._made_apart[c] if c in self._made_apart else self._array(c, row)
            for c, row in enumerate(self._table.tolist())
        ]

    def _array(self, c: int, row: list[int]) -> pa.Array:
        n, whole, kind = self._num_rows, self._whole, self._columns.kinds[c]
        num_nulls = row[_NUM_NULLS]
        buffers = ColumnBuffers(
            n,
            num_nulls,
            whole.slice(row[_VALIDITY], (n + 7) // 8) if num_nulls else None,
            whole.slice(row[_VALUES]),
            None if kind.growth is None else whole.slice(row[_OFFSETS], 4 * (n + 1)),
            whole.slice(row[_SRIDS], 8 * n) if kind.has_srids else None,
        )
        array = kind.as_array(self._columns.wanted[c].decoding.arrow_type, buffers)
        wanted_type = self._columns.casts[c]
        return array if wanted_type is None else pc.cast(array, wanted_type)


def combined_names(members: Sequence[bytes]) -> list[bytes] | None:
    """Return the text of each value of a SET, from 0 on; None if the values are too many."""
    num_bytes = sum(len(name) + 1 for name in members) << len(members) >> 1
    if len(members) > _MAX_MEMBERS or num_bytes > _MAX_NAME_BYTES:
        return None
    return [
        b",".join(name for k, name in enumerate(members) if value >> k & 1)
        for value in range(1 << len(members))
    ]
