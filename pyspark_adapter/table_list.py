"""The tables whose rows logs change, and how many row changes they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pyspark_adapter.engine import has_kernels
from pyspark_adapter.errors import EventSite
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.log_files import LogFile
from pyspark_adapter.options import BinlogOptions, TableName
from pyspark_adapter.row_block import EventCount

# Called with the bytes read so far and the bytes in all.
Progress = Callable[[int, int], None]


@dataclass
class TableSummary:
    """What logs hold of a table.

    Attributes:
        table: its name.
        column_names: as the first table map gives them; `col_N` where it does not.
        first_site: the first rows event of it.
        num_inserts, num_updates, num_deletes: row changes; an update counts once.
        paths: the logs that hold rows of it.
    """

    table: TableName
    column_names: tuple[str, ...]
    first_site: EventSite
    num_inserts: int = 0
    num_updates: int = 0
    num_deletes: int = 0
    paths: tuple[str, ...] = ()

    @property
    def num_changes(self) -> int:
        """All row changes."""
        return self.num_inserts + self.num_updates + self.num_deletes

    def add(self, change: int, count: int) -> None:
        """Count row changes of a kind, one of the CHANGE_ codes of `kernels.layout`."""
        if change == lay.CHANGE_INSERT:
            self.num_inserts += count
        elif change == lay.CHANGE_DELETE:
            self.num_deletes += count
        else:
            self.num_updates += count


def summarize_tables(
    log_files: Iterable[LogFile], options: BinlogOptions, progress: Progress | None = None
) -> list[TableSummary]:
    """Return the tables of logs, in the order of their first rows.

    Raises:
        BinlogError: if a log is damaged, or holds rows that cannot be counted.
    """
    log_files = list(log_files)
    total = sum(log.num_bytes for log in log_files)
    tables: dict[TableName, TableSummary] = {}
    done = 0
    for log_file in log_files:
        for counts, position in _count(log_file, options):
            for found in counts:
                table = found.table_map.table
                if table not in tables:
                    names = tuple(column.label for column in found.table_map.columns)
                    tables[table] = TableSummary(table, names, found.site)
                summary = tables[table]
                summary.add(found.change, found.count)
                if log_file.path not in summary.paths[-1:]:
                    summary.paths += (log_file.path,)
            if progress is not None:
                progress(done + position, total)
        done += log_file.num_bytes
        if progress is not None:
            progress(done, total)
    return list(tables.values())


def _count(log_file: LogFile, options: BinlogOptions) -> Iterator[tuple[Iterable[EventCount], int]]:
    """Yield counts, and how far the log has been read for them, in bytes."""
    if has_kernels(options):
        from pyspark_adapter.kernel_counts import count_changes

        return count_changes(log_file, options)
    from pyspark_adapter.reference import count_changes as count_in_python

    return count_in_python(log_file, options)
