"""What fills logs: rows, transactions and bytes, by table and time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.operations.transactions import TABLE_CHANGES

UNITS: Final = ("minute", "hour", "day")

_SUMS: Final = ("num_transactions", *TABLE_CHANGES.names[1:])
# Rows of partial sums that are added up when there are more.
_MAX_PENDING: Final = 1 << 16


class Statistics:
    """The changes of transactions, added up.

    Args:
        unit: one of UNITS, to add up by commit time too; None for all times.

    Attributes:
        num_transactions: all, those without rows included.
        num_bytes: of the transactions in the files, as far as it is known.
    """

    def __init__(self, unit: str | None = None) -> None:
        self._unit = unit
        self._keys = ["table"] if unit is None else ["time", "table"]
        self._pending: list[pa.Table] = []
        self.num_transactions = 0
        self.num_bytes = 0

    def add(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Add transactions, as `list_transactions` gives them."""
        for batch in batches:
            self.num_transactions += batch.num_rows
            self.num_bytes += pc.sum(batch.column("num_bytes")).as_py() or 0
            lists = batch.column("tables")
            columns = dict(zip(TABLE_CHANGES.names, lists.flatten().flatten(), strict=True))
            columns["num_transactions"] = pa.repeat(1, len(columns["table"]))
            if self._unit is not None:
                times = pc.floor_temporal(batch.column("commit_timestamp"), unit=self._unit)
                columns["time"] = times.take(pc.list_parent_indices(lists))
            self._pending.append(self._of_batch(columns))
            if sum(table.num_rows for table in self._pending) > _MAX_PENDING:
                self._pending = [self.by_table()]

    def _of_batch(self, columns: dict[str, pa.Array]) -> pa.Table:
        """Return the sums of a batch, by table alone in a third of the time of Arrow's groups."""
        if self._unit is not None:
            return self._added_up(pa.table(columns))
        encoded = columns["table"].dictionary_encode()
        places, count = encoded.indices.to_numpy(), len(encoded.dictionary)
        sums = {
            # Doubles are exact up to 2^53.
            name: np.bincount(places, columns[name].to_numpy(), count).astype(np.int64)
            for name in _SUMS
        }
        return pa.table({"table": encoded.dictionary, **sums})

    def _added_up(self, table: pa.Table) -> pa.Table:
        added = table.group_by(self._keys).aggregate([(name, "sum") for name in _SUMS])
        return added.select([*self._keys, *(f"{name}_sum" for name in _SUMS)]).rename_columns(
            [*self._keys, *_SUMS]
        )

    def by_table(self) -> pa.Table:
        """Return a row for each time and table: the earliest first, then the one with most bytes.

        Its columns are `time`, if there is a unit, `table`, and the sums of TABLE_CHANGES with
        `num_transactions`, which are those that change the table.
        """
        if not self._pending:
            return pa.table({name: pa.array([], pa.string()) for name in (*self._keys, *_SUMS)})
        table = self._added_up(pa.concat_tables(self._pending))
        order = [("num_bytes", "descending"), ("table", "ascending")]
        return table.sort_by(order if self._unit is None else [("time", "ascending"), *order])
