"""Decoded blocks of several tables, or of several shapes of one, as one batch of the output.

The log bounds the input of a batch. The output can be far larger: names of ENUM and SET members,
names of columns in JSON rows, compressed values. So batches are cut before they are built.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.decode.row_objects import render_debezium, render_rows, render_variants
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.statements import MAX_QUERY
from pyspark_adapter.kernels.layout import Change, Numbers, Op
from pyspark_adapter.plan.output_schema import ROW_NAME
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import NO_ROWS, WantedColumn
from pyspark_adapter.scan.row_errors import SMALLER_BATCHES, TOO_LARGE
from pyspark_adapter.values.arrow_arrays import number_array
from pyspark_adapter.values.compressed_columns import inflated_lengths
from pyspark_adapter.values.kinds import KINDS

# Bytes of output for a byte of the option batchBytes. Typical rows stay far below.
MAX_GROWTH: Final = 16
# Copies of a value while a JSON row is made of it: escaped, joined with its name, and in the row.
_JSON_COPIES: Final = 4
# Most bytes of a column in the schema of a Debezium message, apart from its name and members.
_LEN_SCHEMA: Final = 400
# Bytes of a member of a VARIANT apart from its name: the offset of the name, its number, the offset
# of the value, and the header of that. A member of a JSON object with the value null has fewer.
_LEN_MEMBER: Final = 3 * 4 + 5
_LEN_OFFSET: Final = 4


class OutputBatches:
    """Makes batches in the columns of the output."""

    def __init__(self, request: ReadRequest) -> None:
        self._schema = request.schema
        self._options = request.options
        self._row_form = request.row_form
        self._defaults_of = request.defaults_of
        self._names: list[str] = request.schema.names
        self._wanted = frozenset(self._names)
        self._nulls: dict[int, pa.Array] = {}  # by index, as many as the last batch had rows
        self._num_nulls = -1

    def build(self, blocks: Sequence[RowBlock]) -> pa.RecordBatch:
        """Return blocks as one batch, in the order of the log; raises UnsupportedError.

        A column that a block does not have is null there, or has the default with which it was
        added later. The time grows with the columns that the blocks have, and hardly with the cells
        of the batch, which may be many more.
        """
        try:
            return self._build(blocks)
        except (pa.ArrowCapacityError, pa.ArrowIndexError, pa.ArrowInvalid) as error:
            tables = sorted({str(b.table_of(row)) for b in blocks for row in range(b.num_rows)})
            subject = f"table {tables[0]}" + (" and others" if len(tables) > 1 else "")
            raise UnsupportedError(f"{subject}: {TOO_LARGE}", advice=SMALLER_BATCHES) from error

    def _build(self, blocks: Sequence[RowBlock]) -> pa.RecordBatch:
        if len(blocks) == 1:
            (block,) = blocks
            columns = self._columns_of(block)
            arrays = [
                columns[name] if name in columns else self._null_column(i, block.num_rows)
                for i, name in enumerate(self._names)
            ]
            return pa.RecordBatch.from_arrays(arrays, schema=self._schema)
        num_rows = sum(block.num_rows for block in blocks)
        sources: dict[str, list[tuple[int, pa.Array]]] = {}
        first = 0
        for block in blocks:
            for name, column in self._columns_of(block).items():
                if name in self._wanted:
                    sources.setdefault(name, []).append((first, column))
            first += block.num_rows
        order = np.argsort(np.concatenate([block.order for block in blocks]), kind="stable")
        arrays = [
            _merge(sources[name], order) if name in sources else self._null_column(i, num_rows)
            for i, name in enumerate(self._names)
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)

    def _null_column(self, index: int, num_rows: int) -> pa.Array:
        """Return a column of the output that no block has."""
        if num_rows != self._num_nulls:
            self._nulls, self._num_nulls = {}, num_rows
        if index not in self._nulls:
            self._nulls[index] = pa.nulls(num_rows, self._schema.field(index).type)
        return self._nulls[index]

    def _columns_of(self, block: RowBlock) -> dict[str, pa.Array]:
        """Return the columns that a block has, by name."""
        if block.plan is NO_ROWS:
            return block.metadata
        if self._row_form is not None:
            return {ROW_NAME: self._rows_of(block)} | block.metadata
        wanted = zip(block.plan.wanted, block.columns, strict=True)
        columns = {column.field.name: array for column, array in wanted}
        if block.plan.table_map.added_later:
            for name, value in self._defaults_of(block.plan).items():
                columns[name] = pa.repeat(value, block.num_rows)
        return columns | block.metadata

    def _rows_of(self, block: RowBlock) -> pa.Array:
        if self._row_form == "json":
            return render_rows(block)
        if self._row_form == "variant":
            return render_variants(block)
        return render_debezium(block, self._options)


def _merge(sources: Sequence[tuple[int, pa.Array]], order: Numbers) -> pa.Array:
    """Return one column of several blocks.

    Args:
        sources: the index of the first row of each block that has the column, and its values.
        order: (num_rows,) the index of each row of the output among the rows of all blocks.
    """
    values = pa.concat_arrays([array for _, array in sources])
    if len(values) == len(order):
        return values.take(number_array(order))
    indices = np.full(len(order), -1)
    count = 0
    for first, array in sources:
        indices[first : first + len(array)] = np.arange(count, count + len(array))
        count += len(array)
    indices = indices[order]
    return values.take(number_array(indices, indices < 0))


class OutputSize(NamedTuple):
    """Most bytes that rows take.

    Attributes:
        by_byte: for each byte in the log.
        by_row: for each row image.
    """

    by_byte: int
    by_row: int


def output_budget(request: ReadRequest) -> int:
    """Return the bytes that the rows of a batch may take, if they are more than one row."""
    budget = MAX_GROWTH * request.options.batch_bytes
    return budget // _JSON_COPIES if request.omits_absent else budget


def output_size(
    wanted: Sequence[WantedColumn], lacking: Sequence[str], request: ReadRequest
) -> OutputSize:
    """Return how much the rows of a plan can take; compressed values count as they are logged.

    Args:
        wanted: the columns that some row images hold.
        lacking: names of the columns that no row image holds.
        request: what the rows are for.
    """
    by_byte, by_row = 1, request.bytes_of_nulls
    for column in wanted:
        growth = KINDS[column.decoding.op].growth
        if growth is not None:
            of_byte, of_row = growth(column.decoding)
            by_byte, by_row = max(by_byte, of_byte), by_row + of_row
        if request.omits_absent:
            by_row += member_size(column)
        if request.options.debezium_schemas:
            by_row += _LEN_SCHEMA + len(column.column.label) + sum(map(len, column.decoding.names))
    if "_query" in request.metadata:
        by_row += MAX_QUERY
    if "_absent_columns" in request.metadata:
        by_row += absent_size(lacking)
    return OutputSize(by_byte, by_row)


def member_size(column: WantedColumn) -> int:
    """Return the bytes of a member of a JSON or VARIANT row, apart from its value."""
    return len(column.column.label) + _LEN_MEMBER


def absent_size(names: Sequence[str]) -> int:
    """Return the bytes of the names of the columns that a row image does not hold."""
    return sum(len(name) + _LEN_OFFSET for name in names)


def cut_inflated(
    data: Numbers, pos: Numbers, change: Numbers, wanted: Sequence[WantedColumn], budget: int
) -> list[int]:
    """Return where to cut row images so that the inflated values of each piece fit a budget.

    A piece has one row at least, and both images of an update.

    Args:
        data: the window.
        pos: (at least len(wanted), n) positions of `kernels.rows.locate`.
        change: (n,) the Change of each row image.
        budget: in bytes.

    Returns:
        The end of each piece, the last one n.
    """
    total = np.zeros(len(change), dtype=np.int64)
    for c, column in enumerate(wanted):
        if column.decoding.op == Op.COMPRESSED_TEXT:
            total += inflated_lengths(data, pos[c, : len(change)], column.decoding.params[0])
    ends: list[int] = []
    sums = np.cumsum(total)
    begin = 0
    while begin < len(change):
        before = int(sums[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(sums, before + budget, side="right")), begin + 1)
        if end < len(change) and change[end] == Change.UPDATE_POSTIMAGE:
            end += -1 if end - begin > 1 else 1
        ends.append(end)
        begin = end
    return ends
