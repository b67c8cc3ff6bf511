"""What fills logs: rows, transactions and bytes, by table and time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.counting.counted_transactions import (
    NUM_KINDS,
    TABLE_CHANGES,
    TRANSACTIONS,
    CountedTransactions,
    summed,
)
from pyspark_adapter.index_store.index_batches import MICROS_OF_HOUR, HeaderSums, IndexHeader
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.kernels.layout import Numbers, Transaction

SECONDS: Final = {"minute": 60, "hour": 3600, "day": 86400}
UNITS: Final = tuple(SECONDS)

_SUMS: Final = ("num_transactions", *(field.name for field in list(TABLE_CHANGES)[1:]))
_TIME: Final = TRANSACTIONS.field("commit_timestamp").type
# Groups of a window that have room in an array, used or not.
_FEW_GROUPS: Final = 1 << 12
# Rows of partial sums that are added up when there are more, or twice as many as sums.
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
        self._num_pending = 0  # rows in them
        self._max_pending = _MAX_PENDING
        self.num_transactions = 0
        self.num_bytes = 0

    def add(self, windows: Iterable[CountedTransactions]) -> None:
        """Add transactions, as `count_transactions` gives them."""
        for window in windows:
            self.num_transactions += len(window)
            num_bytes = window.num_bytes()
            self.num_bytes += int(num_bytes.sum() + np.count_nonzero(num_bytes < 0))
            self._add(self._of_window(window))

    def _add(self, sums: pa.Table) -> None:
        self._pending.append(sums)
        self._num_pending += sums.num_rows
        if self._num_pending > self._max_pending:
            sums = self.by_table()
            self._pending, self._num_pending = [sums], sums.num_rows
            self._max_pending = max(_MAX_PENDING, 2 * sums.num_rows)

    def _times(self, index: LogIndex, column: str) -> Numbers:
        """Return (num_blocks,): the unit of time of a column of BLOCKS, 0 without a unit."""
        if self._unit is None:
            return np.zeros(index.num_blocks, dtype=np.int64)
        length = SECONDS[self._unit] * 1_000_000
        return index.block(column) // length * length

    def has_one_time(self, index: LogIndex) -> Numbers:
        """Return (num_blocks,) bool: whether all commits of a block are in one unit of time."""
        return np.asarray(self._times(index, "first_micros") == self._times(index, "last_micros"))

    def add_indexed(self, index: LogIndex, blocks: Numbers) -> None:
        """Add blocks of a log as its index has them.

        Args:
            blocks: (num_blocks,) bool: blocks that have one time.
        """
        times = self._times(index, "first_micros")
        self.num_transactions += int(index.block("num_transactions")[blocks].sum())
        self.num_bytes += int(index.block("num_bytes")[blocks].sum())
        of_counts = index.count("block")
        keeps = blocks[of_counts]
        names = pa.array(map(str, index.tables), pa.string())
        columns = {"table": names.take(pa.array(index.count("table")[keeps]))}
        if self._unit is not None:
            columns["time"] = pa.array(times[of_counts[keeps]]).cast(_TIME)
        columns |= {name: pa.array(index.count(name)[keeps]) for name in _SUMS}
        self._add(pa.table(columns).select([*self._keys, *_SUMS]))

    def adds_headers(self) -> bool:
        """Return whether the sums of hours are enough."""
        return self._unit != "minute"

    def add_headers(self, headers: Sequence[IndexHeader]) -> None:
        """Add all transactions of logs as their indexes have them, by hour."""
        if not headers:
            return
        sums = HeaderSums(headers)
        self.num_transactions += sum(header.num_transactions for header in headers)
        self.num_bytes += sum(header.num_logged_bytes for header in headers)
        names = pa.array(map(str, sums.tables), pa.string())
        columns = {"table": names.take(pa.array(sums.of_hour))}
        if self._unit is not None:
            num_hours = SECONDS[self._unit] // SECONDS["hour"]
            hours = sums.hours.column("hour").to_numpy() // num_hours * num_hours
            columns["time"] = pa.array(hours * MICROS_OF_HOUR).cast(_TIME)
        columns |= {name: sums.hours.column(name) for name in _SUMS}
        self._add(pa.table(columns).select([*self._keys, *_SUMS]))

    def _of_window(self, counted: CountedTransactions) -> pa.Table:
        """Return the sums of a window."""
        changes, num_names = counted.changes, len(counted.table_names)
        groups, times = changes.tables, np.zeros(1, dtype=np.int64)
        if self._unit is not None:
            length = SECONDS[self._unit] * 1_000_000
            units = counted.fields[Transaction.COMMIT_MICROS] // length
            is_new = np.diff(units, prepend=units[0] - 1) != 0
            distinct, of_run = np.unique(units[is_new], return_inverse=True)
            times = distinct * length
            if len(times) > 1:
                of_transaction = of_run[np.cumsum(is_new) - 1]
                groups = of_transaction[changes.transactions] * num_names + groups
        count = len(times) * num_names
        used: Numbers | None = None
        if count > _FEW_GROUPS:
            used, groups = np.unique(groups, return_inverse=True)
            count = len(used)
        num_transactions = np.bincount(groups[changes.begins()], minlength=count)
        by_kind = summed(groups * NUM_KINDS + changes.kinds, changes.num_rows, count * NUM_KINDS)
        num_bytes = summed(groups, changes.num_bytes, count)
        filled = np.flatnonzero(num_transactions)
        of_time, of_name = np.divmod(filled if used is None else used, max(num_names, 1))
        columns = {"table": pa.array(counted.table_names, pa.string()).take(pa.array(of_name))}
        if self._unit is not None:
            columns["time"] = pa.array(times[of_time]).cast(_TIME)
        sums = (num_transactions, *by_kind.reshape(-1, NUM_KINDS).T, num_bytes)
        columns |= {name: pa.array(row[filled]) for name, row in zip(_SUMS, sums, strict=True)}
        return pa.table(columns).select([*self._keys, *_SUMS])

    def by_table(self) -> pa.Table:
        """Return a row for each time and table: the earliest first, then the one with most bytes.

        Its columns are `time`, if there is a unit, `table`, and the sums of TABLE_CHANGES with
        `num_transactions`, which are those that change the table.
        """
        if not self._pending:
            return pa.table({name: pa.array([], pa.string()) for name in (*self._keys, *_SUMS)})
        # Arrow's threads, if they have just begun, may abort a process that ends.
        groups = pa.concat_tables(self._pending).group_by(self._keys, use_threads=False)
        table = groups.aggregate([(name, "sum") for name in _SUMS])
        table = table.select([*self._keys, *(f"{name}_sum" for name in _SUMS)])
        table = table.rename_columns([*self._keys, *_SUMS])
        order = [("num_bytes", "descending"), ("table", "ascending")]
        order = order if self._unit is None else [("time", "ascending"), *order]
        return table.take(pc.sort_indices(table, order))
