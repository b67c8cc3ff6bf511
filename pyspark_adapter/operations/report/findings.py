"""What a report shows: sums over the transactions of logs.

Memory grows with the number of tables and days alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.counting.counted_transactions import (
    TABLE_CHANGES,
    TRANSACTIONS,
    CountedTransactions,
)
from pyspark_adapter.errors import BinlogError, one_line
from pyspark_adapter.events.row_filter import RowFilter
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.operations.log_check import check_logs
from pyspark_adapter.operations.statistics import UNITS
from pyspark_adapter.operations.transactions import count_transactions, keep_largest
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress

# From the finest on.
_UNITS: Final = ("second", *UNITS)
# Sums by time and table that are kept; beyond, the unit of time becomes larger.
_MAX_SUMS: Final = 1 << 15
_KINDS: Final = ("num_inserts", "num_updates", "num_deletes")

# How many of the largest transactions are named, by each measure.
NUM_LARGEST: Final = 10
# How many statements are listed, and how many characters of each.
NUM_LISTED: Final = 200
_MAX_TEXT: Final = 160

_TIME: Final = TRANSACTIONS.field("commit_timestamp").type
_SUMS: Final = pa.schema(
    [
        ("time", _TIME),
        ("table", pa.string()),
        ("num_changes", pa.int64()),
        ("num_bytes", pa.int64()),
    ]
)


@dataclass(frozen=True)
class FoundStatement:
    """A statement that row changes do not show.

    Attributes:
        position: its log, and the position in it.
        commit_time: of its transaction; None if that was left out by a filter.
        text: its start.
        is_definition: whether it defines a table or database; else it changed rows that are not
            logged.
    """

    position: str
    commit_time: datetime | None
    text: str
    is_definition: bool


class ReportFindings:
    """The sums of a report.

    Attributes:
        unit: of the times in `by_time`: second, minute, hour or day.
        by_time: sums by `time` and `table`, in UTC: `num_changes`, and `num_bytes` of rows events,
            uncompressed.
        num_transactions: all, those without rows included.
        num_bytes: of the transactions in the files, as far as it is known.
        sizes: number of transactions by the power of two that their bytes reach.
        by_hour: bytes by (weekday, hour): Monday is 0, times are UTC.
        first, last: commit times; None without transactions.
        largest: columns of TRANSACTIONS to the transactions with the largest values.
        statements: the first NUM_LISTED.
        num_statements: all of them.
        problems: gaps between logs and in GTIDs, and events that do not follow each other, as
            `check_logs` finds them, without `error`; none if a filter leaves transactions out.
        error: that ended the read too early; None if there was none.
    """

    def __init__(self, log_files: Sequence[LogFile], options: BinlogOptions) -> None:
        self.log_files = log_files
        self._options = options
        self.unit = _UNITS[0]
        self.by_time = pa.table(
            {"time": pa.array([], _TIME), "table": [], "num_changes": [], "num_bytes": []},
            schema=_SUMS,
        )
        self.num_transactions = self.num_bytes = 0
        self.sizes: Counter[int] = Counter()
        self.by_hour: Counter[tuple[int, int]] = Counter()
        empty = pa.RecordBatch.from_pylist([], TRANSACTIONS)
        self.largest = dict.fromkeys(("num_bytes", "num_rows", "duration"), empty)
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.statements: list[FoundStatement] = []
        self.num_statements = 0
        self.problems: list[str] = []
        self.error: BinlogError | None = None
        self._unlisted: list[Statement] = []

    def read(self, progress: Progress | None = None) -> None:
        """Read the logs. An error of a log ends it, and is kept."""
        kinds = StatementKind.DEFINES | UNLOGGED_CHANGES
        try:
            for window in count_transactions(self.log_files, self._options, progress, kinds):
                self._add(window)
        except BinlogError as error:
            self.error = error
        self._list_statements(None)
        if all(RowFilter(self._options, log).keeps_all for log in self.log_files):
            known = None if self.error is None else self.error.problem
            for checked in check_logs(self.log_files, self._options):
                self.problems += (text for text in checked.problems if text != known)

    def _add(self, counted: CountedTransactions) -> None:
        selected = [statement for statement in counted.statements if statement.is_selected]
        self.num_statements += len(selected)
        self._unlisted += selected[: NUM_LISTED - len(self.statements) - len(self._unlisted)]
        if not len(counted):
            return
        batch = counted.batch()
        self._list_statements(batch)
        self._add_changes(batch)
        self.num_transactions += batch.num_rows
        for column, best in self.largest.items():
            self.largest[column] = keep_largest(best, counted, NUM_LARGEST, column)
        times = batch.column("commit_timestamp")
        num_bytes = pc.fill_null(batch.column("num_bytes"), 0)
        self.num_bytes += pc.sum(num_bytes).as_py() or 0
        bounds = pc.min_max(times).as_py()
        self.first = bounds["min"] if self.first is None else min(self.first, bounds["min"])
        self.last = bounds["max"] if self.last is None else max(self.last, bounds["max"])
        powers = pc.floor(pc.log2(pc.max_element_wise(num_bytes, 1))).cast(pa.int64())
        for power in powers.value_counts().to_pylist():
            self.sizes[power["values"]] += power["counts"]
        hours = pa.table(
            {"day": pc.day_of_week(times), "hour": pc.hour(times), "bytes": num_bytes}
        ).group_by(["day", "hour"])
        for row in hours.aggregate([("bytes", "sum")]).to_pylist():
            self.by_hour[row["day"], row["hour"]] += row["bytes_sum"]

    def _add_changes(self, batch: pa.RecordBatch) -> None:
        """Add up the changes by time and table; take a larger unit of time if they are too many."""
        lists = batch.column("tables")
        names = [field.name for field in TABLE_CHANGES]
        columns = dict(zip(names, lists.flatten().flatten(), strict=True))
        changes = columns[_KINDS[0]]
        for kind in _KINDS[1:]:
            changes = pc.add(changes, columns[kind])
        times = batch.column("commit_timestamp").take(pc.list_parent_indices(lists))
        names = columns["table"].cast(pa.string())
        added = pa.table([times, names, changes, columns["num_bytes"]], schema=_SUMS)
        self.by_time = self._added_up(pa.concat_tables([self.by_time, added]))
        while self.by_time.num_rows > _MAX_SUMS and self.unit != _UNITS[-1]:
            self.unit = _UNITS[_UNITS.index(self.unit) + 1]
            self.by_time = self._added_up(self.by_time)

    def _added_up(self, table: pa.Table) -> pa.Table:
        times = pc.floor_temporal(table.column("time"), unit=self.unit)
        table = table.set_column(0, "time", times).group_by(["time", "table"])
        added = table.aggregate([("num_changes", "sum"), ("num_bytes", "sum")])
        return added.rename_columns(_SUMS.names).cast(_SUMS)

    def _list_statements(self, batch: pa.RecordBatch | None) -> None:
        """List the statements found so far, with the times of their transactions in a batch."""
        for statement in self._unlisted:
            time = None if batch is None else _time_of(statement, batch)
            text = one_line(statement.summary, _MAX_TEXT)
            is_definition = bool(statement.kind & StatementKind.DEFINES)
            listed = FoundStatement(str(statement.site), time, text, is_definition)
            self.statements.append(listed)
        self._unlisted.clear()


def _time_of(statement: Statement, batch: pa.RecordBatch) -> datetime | None:
    """Return the commit time of the last transaction that begins before a statement."""
    is_before = pc.and_(
        pc.equal(batch.column("log_file"), statement.site.log_file),
        pc.less_equal(batch.column("start_pos"), statement.site.start_pos),
    )
    rows = pc.indices_nonzero(is_before)
    if not len(rows):
        return None
    time: datetime = batch.column("commit_timestamp")[rows[-1].as_py()].as_py()
    return time
