"""What many logs change in each table, added up from their headers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.index_store.index_batches import IndexHeader
from pyspark_adapter.index_store.lists import distinct_tables
from pyspark_adapter.kernels.layout import Numbers

SUMS: Final = ("num_transactions", "num_inserts", "num_updates", "num_deletes", "num_bytes")


class HeaderSums:
    """The sums of some logs.

    Attributes:
        tables: names, in the order of the logs.
        logs: of each row of TABLES of the logs, the number of its log.
        hours: HOURS of the logs.
        of_row: of each of these rows, the index of its table in `tables`.
        of_hour: of each row of HOURS of the logs, the same.
    """

    def __init__(self, headers: Sequence[IndexHeader]) -> None:
        self._rows, self.hours = (
            pa.Table.from_batches([header.part(name) for header in headers]).combine_chunks()
            for name in ("tables", "hours")
        )
        sizes = [header.part("tables").num_rows for header in headers]
        self.logs = np.repeat(np.arange(len(headers)), sizes)
        self.of_row, self.tables = distinct_tables(*self._rows.columns[:2])
        starts = np.repeat(np.cumsum(sizes) - sizes, [h.part("hours").num_rows for h in headers])
        self.of_hour = self.of_row[starts + self.hours.column("table").to_numpy()]

    def row(self, name: str) -> Numbers:
        """Return a column of TABLES."""
        return np.asarray(self._rows.column(name).to_numpy())


def sums_of(hours: pa.Table | pa.RecordBatch, groups: Numbers, count: int) -> dict[str, Numbers]:
    """Return the sums of SUMS, and the first and last commit, of groups of rows of HOURS."""
    sums: dict[str, Any] = {}
    for name in SUMS:
        sums[name] = np.zeros(count, dtype=np.int64)
        np.add.at(sums[name], groups, hours.column(name).to_numpy())
    for name, start, extreme in (
        ("first_micros", np.iinfo(np.int64).max, np.minimum),
        ("last_micros", 0, np.maximum),
    ):
        sums[name] = np.full(count, start)
        extreme.at(sums[name], groups, hours.column(name).to_numpy())
    return sums
