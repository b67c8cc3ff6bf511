"""The statements of a log: rows of the output (option schemaChanges), and unlogged changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from pyspark_adapter.ddl.sql_definitions import (
    Definition,
    SetDatabase,
    TruncateTable,
    UnknownChange,
)
from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.errors import StatementEventError, located
from pyspark_adapter.events.row_filter import TableFilter
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.events.transactions import Transaction
from pyspark_adapter.options.change_types import SCHEMA_CHANGE_TYPES
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import DEFINITION, METADATA_BY_NAME, commit_version_base
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import NO_ROWS
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.ddl import Ddl, ddl_to_json
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_changes import SchemaChange, schema_changes
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.timeline_part import TimelinePart
from pyspark_adapter.values.arrow_arrays import number_array, text_array
from pyspark_adapter.warn import warn


class StatementRows:
    """Makes rows of the schema changes of a log that a read asks for.

    Groups have the definitions of all transactions. Statements that changed rows which the log does
    not hold are refused or warned of, as the option onStatementEvents says:

    Servers log rows that are rolled back only if the transaction also changed a table without
    transactions; the log does not say which tables those are. A statement that names a table is
    ignored if that table is filtered out. By a view, a trigger or a foreign key it may change
    others all the same, which the log does not say.

    Args:
        request: what to give.
        completer: knows the tables of the log; None if statements give no rows.

    Attributes:
        kinds: of the statements to call `of` with; fewer after a warning.
    """

    def __init__(
        self, log_file: LogFile, request: ReadRequest, completer: TableMapCompleter | None
    ) -> None:
        options = request.options
        wanted = options.change_types or SCHEMA_CHANGE_TYPES
        self._kinds = frozenset(wanted) & {*SCHEMA_CHANGE_TYPES}
        self._log_file = log_file
        self._names = request.statement_metadata
        self._table = options.table
        self._tables = TableFilter(options)
        self._completer = completer
        self._own_kinds = StatementKind.OTHER
        if options.schema_changes and self._kinds:
            self._own_kinds = StatementKind.DEFINES | StatementKind.CHANGES
        # `tables_of` needs them, whether the user asks for rows of them or not.
        self._is_grouped = request.row_form == "arrow"
        self._request = request
        # None after a warning.
        is_silent = options.on_statement_events == "ignore"
        self._unlogged = StatementKind.OTHER if is_silent else UNLOGGED_CHANGES
        of_groups = StatementKind.DEFINES if self._is_grouped else StatementKind.OTHER
        self._always = self._own_kinds | of_groups
        self.kinds = self._always | self._unlogged

    @cached_property
    def _log(self) -> TimelinePart:
        if self._completer is not None:
            return self._completer.log
        timeline = self._request.timeline
        if timeline is None:
            return TimelinePart(is_surveyed=False)
        return FollowedLog(timeline, self._log_file)

    def of(self, statement: Statement) -> list[dict[str, Any]]:
        """Return the rows of the next statement, without what `block` adds of its transaction.

        Raises:
            StatementEventError: if the option onStatementEvents refuses it.
        """
        rows: list[dict[str, Any]] = []
        if statement.is_selected and statement.kind & self._unlogged:
            self._report_unlogged(statement)
        if statement.is_selected and statement.kind & self._own_kinds:
            ddl = self._log.ddl(statement)
            for change in self._log.base_changes(ddl):
                rows += self._changes(change, ddl, statement)
        if self._is_grouped and statement.kind & StatementKind.DEFINES:
            rows += self._definition(statement)
        return rows

    def _report_unlogged(self, statement: Statement) -> None:
        """Refuse or warn of a statement that changed rows which the log does not hold."""
        options, table = self._request.options, statement.table
        if options.schema_changes and statement.is_truncate:
            return
        if table is not None and not self._is_about((table,), statement):
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
        if options.on_statement_events == "error":
            raise StatementEventError(f"{message} (option onStatementEvents)", site=statement.site)
        self._unlogged, self.kinds = StatementKind.OTHER, self._always
        warning = (
            f"{statement.site}: {message}; no more warnings for this log, list_tables counts them"
            " (option onStatementEvents)"
        )
        warn(options.spelled(warning))

    def _changes(
        self, parsed: Definition, ddl: Ddl, statement: Statement
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of what a statement does."""
        if isinstance(parsed, UnknownChange) and parsed.reason:
            warn(f"{parsed.reason}: what it does to table {parsed.table} is not known")
        if parsed == UnknownChange(None):
            warn(
                f"{statement.site}: what this statement does to tables is not known, because it is"
                f" not understood: {statement.summary}"
            )
        text = ddl.parsed.session.decode(statement.text)
        for change in schema_changes(
            parsed,
            ddl.parsed.session,
            self._table,
            lambda names: self._log.tables_in(names, statement.site),
        ):
            if change.kind in self._kinds and self._keeps(change, statement):
                yield self._row(change, text, statement)

    def _definition(self, statement: Statement) -> Iterator[dict[str, Any]]:
        """Yield the row that gives groups a definition, if it is about a table that is read."""
        ddl = self._log.ddl(statement)
        if ddl.parsed.change is None or isinstance(ddl.parsed.change, (SetDatabase, TruncateTable)):
            return
        changes = self._log.base_changes(ddl)
        if not changes:
            return
        is_known = not any(isinstance(step, UnknownChange) and step.reason for step in changes)
        step = ddl.parsed.change if is_known else UnknownChange(None)
        # A statement about a database names no table.
        any_table = TableName("", "")
        tables = [
            table
            for change in schema_changes(step, ddl.parsed.session, any_table)
            for table in change.names
        ]
        if step == UnknownChange(None):
            tables.append(any_table)
        of_databases = [table for table in tables if not table.table_name]
        if not of_databases and not self._is_about(tables, statement):
            return
        if not self._tables.keeps_all and any(name != name.lower() for name in of_databases):
            self._log.learn_case()
        # Logs of several servers may have the same name: then no place is before another.
        if self._request.has_one_order:
            row = self._row(SchemaChange("", NO_ROWS.table_map.table), "", statement)
            no_change = {
                "_change_type": None,
                "_statement": statement.summary if statement.is_selected else None,
            }
            case = self._log.case
            text = ddl_to_json(statement, ddl.parsed.session, case, tables, is_known=is_known)
            yield row | no_change | {DEFINITION: text}

    def _keeps(self, change: SchemaChange, statement: Statement) -> bool:
        is_former = self._completer is not None and self._completer.is_of_former(
            change, statement.site
        )
        return is_former or self._is_about(change.names, statement)

    def _is_about(self, names: Sequence[TableName], statement: Statement) -> bool:
        """Return whether a statement is about a table that is read, by how it spells names."""
        keeps = self._tables.keeps if self._table is None else self._table.__eq__
        return self._log.is_about(names, keeps, statement)

    def _row(self, change: SchemaChange, text: str, statement: Statement) -> dict[str, Any]:
        return {
            "_change_type": change.kind,
            "_row_number": 0,
            "_log_file": self._log_file.name,
            "_start_pos": statement.site.start_pos,
            "_database_name": change.table.database_name,
            "_table_name": change.table.table_name,
            "_server_id": statement.server_id,
            "_event_timestamp": statement.timestamp * 1_000_000,
            "_thread_id": statement.thread_id,
            "_statement": text.encode(errors="backslashreplace").decode(),
        }

    def block(
        self, rows: Sequence[dict[str, Any]], statement: Statement, transaction: Transaction
    ) -> RowBlock:
        """Return rows of a statement of a transaction."""
        version = None
        if "_commit_version" in self._names:
            with located(statement.site):
                version = commit_version_base(self._log_file.number) + transaction.start_pos
        of_transaction = {
            "_commit_version": version,
            "_commit_timestamp": transaction.commit_micros,
            "_gtid": transaction.gtid,
            "_transaction_bytes": transaction.num_bytes,
        }
        rows = [row | of_transaction for row in rows]
        metadata = {}
        for name in self._names:
            kind = pa.string() if name == DEFINITION else METADATA_BY_NAME[name].arrow_type
            values = [row.get(name) for row in rows]
            if pa.types.is_string(kind):
                metadata[name] = text_array(values)
            elif pa.types.is_nested(kind):
                metadata[name] = pa.array(values, kind)
            else:
                numbers = np.array([value or 0 for value in values], dtype=np.int64)
                is_null = np.array([value is None for value in values], dtype=np.bool_)
                metadata[name] = number_array(numbers, is_null).cast(kind)
        return RowBlock(NO_ROWS, len(rows), [], metadata, None, {})
