"""What the logs change in a table, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.kernel_counts import EventCount
from pyspark_adapter.sources.log_file import LogFile

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_MICROS: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


@dataclass(repr=False)
class TableSummary:
    """The changes of a table in some logs.

    `pa.Table.from_pylist([asdict(table) for table in list_tables(...)])` makes a table of them.

    Attributes:
        table: its name; the table `*` is for statements of a database whose table is unclear.
        column_names: from the first table map, `col_N` if it has no names; empty without rows.
        primary_key: names of its columns, from there; empty if neither log nor definition has it.
        first_site: the first rows event or statement.
        num_inserts, num_updates, num_deletes: row changes; an update counts once.
        num_statements: statements that changed rows without logging them, or rolled back rows
            that are logged.
        num_bytes: of its rows events, decompressed and without checksums.
        num_transactions: transactions with rows of it.
        first_commit_time, last_commit_time: earliest and latest of these, UTC; None without rows.
        paths: the logs to read it from: those that hold rows of it and, if one of these does not
            describe its columns, all logs before, whose statements may do so.
    """

    table: TableName
    column_names: tuple[str, ...]
    first_site: EventSite
    primary_key: tuple[str, ...] = ()
    num_inserts: int = 0
    num_updates: int = 0
    num_deletes: int = 0
    num_statements: int = 0
    num_bytes: int = 0
    num_transactions: int = 0
    first_commit_time: datetime | None = None
    last_commit_time: datetime | None = None
    paths: tuple[str, ...] = ()

    @property
    def num_changes(self) -> int:
        """All row changes."""
        return self.num_inserts + self.num_updates + self.num_deletes

    def __repr__(self) -> str:
        key = f", primary key ({', '.join(self.primary_key)})" if self.primary_key else ""
        statements = f", {self.num_statements:,} statements" if self.num_statements else ""
        times = ""
        if self.first_commit_time is not None and self.last_commit_time is not None:
            first, last = (
                f"{time:%Y-%m-%d %H:%M:%S}"
                for time in (self.first_commit_time, self.last_commit_time)
            )
            times = f", {first} to {last} UTC"
        return (
            f"<TableSummary {self.table}: {len(self.column_names)} columns{key};"
            f" {self.num_inserts:,} inserts, {self.num_updates:,} updates,"
            f" {self.num_deletes:,} deletes{statements} in {self.num_transactions:,} transactions,"
            f" {self.num_bytes:,} bytes{times}>"
        )

    def add(self, count: EventCount) -> None:
        """Add the row changes of events, apart from transactions."""
        self.num_inserts += count.num_inserts
        self.num_updates += count.num_updates
        self.num_deletes += count.num_deletes
        self.num_bytes += count.num_bytes
        self.span(count.first_micros, count.last_micros)

    def describe(self, table_map: TableMap, log_file: LogFile) -> None:
        """Take the first table map in a log."""
        self.column_names = tuple(column.label for column in table_map.columns)
        self.primary_key = tuple(self.column_names[i] for i in table_map.primary_key)
        self.paths = (log_file.path,)

    def span(self, first_micros: int, last_micros: int) -> None:
        """Take the first and last commit of some transactions, in microseconds since 1970."""
        self._span(_time(first_micros), _time(last_micros))

    def _span(self, first: datetime | None, last: datetime | None) -> None:
        firsts = [time for time in (self.first_commit_time, first) if time is not None]
        lasts = [time for time in (self.last_commit_time, last) if time is not None]
        self.first_commit_time = min(firsts, default=None)
        self.last_commit_time = max(lasts, default=None)

    def extend(self, other: TableSummary) -> None:
        """Add the changes of the same table in a later log."""
        if not self.column_names:
            self.column_names, self.primary_key = other.column_names, other.primary_key
        self.num_inserts += other.num_inserts
        self.num_updates += other.num_updates
        self.num_deletes += other.num_deletes
        self.num_statements += other.num_statements
        self.num_bytes += other.num_bytes
        self.num_transactions += other.num_transactions
        self._span(other.first_commit_time, other.last_commit_time)
        self.paths += other.paths


def _time(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=min(max(micros, 0), _MAX_MICROS))
