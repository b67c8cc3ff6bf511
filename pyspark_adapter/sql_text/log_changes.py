"""The windows of a log whose row changes become SQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyspark_adapter.kernels.layout import Transaction
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.scanner import Scan, Scanner
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sql_text.cascades import Cascades
from pyspark_adapter.sql_text.findings import NOTED_KINDS, Findings, StatementNotes
from pyspark_adapter.sql_text.fragments import NumberedTables
from pyspark_adapter.sql_text.target_table import Targets
from pyspark_adapter.timeline.user_ddl import UserDdl


@dataclass(frozen=True, slots=True)
class SqlRequest:
    """The SQL that is written of logs.

    Attributes:
        options: of the read; `tables` chooses tables.
        user_ddl: the tables of the option ddl.
        findings: filled in.
        tables: of all fragments, by number.
        is_undo: whether the fragments take the changes back.
        cascades: receives every change, including those before the range; None if foreign keys are
            not followed.
    """

    options: BinlogOptions
    user_ddl: UserDdl
    findings: Findings
    tables: NumberedTables
    is_undo: bool
    cascades: Cascades | None

    @classmethod
    def of(
        cls, options: BinlogOptions, *, is_undo: bool, cascades: Cascades | None = None
    ) -> SqlRequest:
        """Return a request; `table` chooses as `tables` does.

        Raises:
            OptionError: if the options choose one image of updates and not the other.
        """
        changes = options.change_types
        if changes is not None and ("update_preimage" in changes) != (
            "update_postimage" in changes
        ):
            allowed = "both images of updates (update), or none"
            raise refuse("changeTypes", ",".join(changes), allowed)
        user_ddl = UserDdl.of(options)
        return cls(_with_tables(options), user_ddl, Findings(), NumberedTables(), is_undo, cascades)


def _with_tables(options: BinlogOptions) -> BinlogOptions:
    """Return options whose `table` chooses as `tables` does."""
    if options.table is None:
        return options
    pattern = TablePattern(
        NamePattern.exact(options.table.database_name), NamePattern.exact(options.table.table_name)
    )
    return replace(options, table=None, tables=(pattern,))


class LogChanges:
    """Reads the row changes of one log.

    Args:
        targets: finds the tables.
    """

    def __init__(self, request: SqlRequest, log_file: LogFile, targets: Targets) -> None:
        options = request.options
        self.request = request
        self.log_file = log_file
        self.targets = targets
        self.filter = ScannedFilter(options, log_file)
        self.notes = StatementNotes(request.findings, options, targets.log, self.filter)

    def windows(self) -> Iterator[ScannedEvents]:
        """Yield the windows of the log up to the end of the range."""
        scanner = Scanner(
            self.log_file, self.request.options, self.targets, NOTED_KINDS, flags=Scan.ALL_WINDOWS
        )
        for scanned in scanner:
            yield scanned
            latest = scanner.transactions.latest[Transaction.START_POS]
            if len(latest) and self.is_after_range(int(latest[0])):
                return

    def is_after_range(self, start_pos: int) -> bool:
        """Return whether a transaction, and all that follows it, are after the range.

        The rest is read if it may say how a distributed transaction ends.
        """
        end_pos = self.filter.end_pos
        is_after = end_pos is not None and start_pos >= end_pos
        return is_after and self.request.findings.are_outcomes_known
