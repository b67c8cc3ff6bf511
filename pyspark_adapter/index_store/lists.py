"""Columns of lists, which have rows of many logs, and the tables that rows name."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.options.table_name import TableName


class Lists:
    """A column of lists of rows, as one batch.

    Attributes:
        batch: all rows.
        offsets: (n + 1,) where the list of each log begins, and where the last one ends.
        owners: of each row, the number of its log.
        is_first: whether a row is the first of its log.
    """

    def __init__(self, column: pa.ListArray) -> None:
        self.offsets = column.offsets.to_numpy().astype(np.int64)
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        self.batch = pa.RecordBatch.from_struct_array(column.values.slice(first, last - first))
        self.offsets = self.offsets - first
        self._columns: dict[str, Numbers] = {}

    @cached_property
    def sizes(self) -> Numbers:
        """(n,): rows of each log."""
        return np.diff(self.offsets)

    @cached_property
    def owners(self) -> Numbers:
        """Of each row, the number of its log."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def is_first(self) -> Numbers:
        """Whether a row is the first of its log."""
        return np.asarray(np.diff(self.owners, prepend=-1) != 0)

    def column(self, name: str) -> Numbers:
        """Return the numbers of a column."""
        if name not in self._columns:
            column = self.batch.column(name).to_numpy(zero_copy_only=False)
            self._columns[name] = np.asarray(column)
        return self._columns[name]

    def rows_of(self, number: int) -> slice:
        """Return where the rows of a log are."""
        return slice(int(self.offsets[number]), int(self.offsets[number + 1]))

    @cached_property
    def tables(self) -> tuple[Numbers, list[TableName]]:
        """Of each row, the number of its table among those that differ, and these."""
        return distinct_tables(*self.batch.columns[:2])

    def tables_of(self, number: int) -> list[TableName]:
        """Return the tables of the rows of a log."""
        numbers, tables = self.tables
        return [tables[k] for k in numbers[self.rows_of(number)].tolist()]

    def of(self, number: int) -> pa.RecordBatch:
        """Return the rows of a log."""
        return self.batch.slice(int(self.offsets[number]), int(self.sizes[number]))

    def rises(self, *names: str, is_strict: bool = True) -> bool:
        """Return whether the rows of each log are in the order of some columns."""
        rises = np.zeros(max(len(self.owners) - 1, 0), dtype=bool)
        same = ~self.is_first[1:]
        for name in names:
            values = self.column(name)
            rises |= same & (values[1:] > values[:-1])
            same = same & (values[1:] == values[:-1])
        return bool((self.is_first[1:] | rises | (same & (not is_strict))).all())

    @property
    def lacks_values(self) -> bool:
        """Whether a value is null."""
        return any(column.null_count for column in self.batch.columns)


def distinct_tables(
    databases: pa.Array | pa.ChunkedArray, names: pa.Array | pa.ChunkedArray
) -> tuple[Numbers, list[TableName]]:
    """Return the number of each table among those that differ, and these as they come first."""
    codes, texts = zip(*map(_encoded, (databases, names)), strict=True)
    # A damaged name may hold any byte, so that none can stand between the two.
    pairs, firsts, numbers = np.unique(
        codes[0] * len(texts[1]) + codes[1], return_index=True, return_inverse=True
    )
    order = np.argsort(firsts)
    places = [divmod(pair, len(texts[1])) for pair in pairs[order].tolist()]
    return np.argsort(order)[numbers], [TableName(texts[0][k], texts[1][n]) for k, n in places]


def _encoded(column: pa.Array | pa.ChunkedArray) -> tuple[Numbers, list[str]]:
    """Return the number of each name among those that differ, and these."""
    encoded = column.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist()
