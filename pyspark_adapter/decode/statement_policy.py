"""What a read does at statements that changed rows which the log does not hold."""

from __future__ import annotations

from pyspark_adapter.errors import StatementEventError
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.filters.row_filter import TableFilter
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.warn import warn


class StatementPolicy:
    """Carries out the option onStatementEvents for one log.

    Servers log rows that are rolled back only if the transaction also changed a table without
    transactions; the log does not say which tables those are.

    A statement that names a table is ignored if that table is filtered out. By a view, a trigger or
    a foreign key it may change others all the same, which the log does not say.

    Args:
        options: of the read.

    Attributes:
        kinds: of the statements to call `take` with; none after a warning. See `StatementSink`.
    """

    def __init__(self, options: BinlogOptions) -> None:
        self._action = options.on_statement_events
        self._spelled = options.spelled
        self._table = options.table
        self._shows_truncates = options.schema_changes
        self._filter = TableFilter(options)
        is_reported = self._action != "ignore"
        self.kinds = UNLOGGED_CHANGES if is_reported else StatementKind.OTHER

    def take(self, statement: Statement, *, is_selected: bool) -> None:
        """Look at a statement.

        Raises:
            StatementEventError: if it is one that the option refuses.
        """
        if not is_selected:
            return
        table = statement.table
        if self._shows_truncates and statement.is_truncate:
            return
        is_other = table is not None and not (
            self._filter.may_keep(table) if self._table is None else table.may_be(self._table)
        )
        if is_other or not statement.kind & self.kinds:
            return
        message = (
            f"a statement changed rows of {table or 'some table'}, and the log has its text only:"
            f" {statement.summary}"
        )
        if statement.kind == StatementKind.TAKES_BACK:
            message = (
                "rows of this transaction that the log holds are rolled back here, except those of"
                f" tables without transactions: {statement.summary}"
            )
        if self._action == "error":
            raise StatementEventError(f"{message} (option onStatementEvents)", site=statement.site)
        self.kinds = StatementKind.OTHER
        warning = (
            f"{statement.site}: {message}; no more warnings for this log, list_tables counts them"
            " (option onStatementEvents)"
        )
        warn(self._spelled(warning))
