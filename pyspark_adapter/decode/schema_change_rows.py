"""Statements that change tables, as rows of the output (option schemaChanges), and in groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pyspark_adapter.ddl.sql_definitions import Definition, UnknownChange
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.decode.statement_policy import StatementPolicy
from pyspark_adapter.errors import EventSite, located
from pyspark_adapter.events.statements import Statement, StatementKind, StatementSink
from pyspark_adapter.events.transactions import Transaction
from pyspark_adapter.filters.row_filter import TableFilter
from pyspark_adapter.options.change_types import SCHEMA_CHANGE_TYPES
from pyspark_adapter.plan.output_schema import (
    DEFINITION,
    METADATA_BY_NAME,
    commit_version_base,
)
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import NO_ROWS
from pyspark_adapter.schema_history.logged_definition import LoggedDefinition
from pyspark_adapter.schema_history.schema_change import (
    SchemaChange,
    parsed_statement,
    schema_changes,
)
from pyspark_adapter.schema_history.table_map_completer import TableMapCompleter
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.warn import warn


@dataclass(frozen=True, slots=True)
class _DefinitionSink:
    """A `StatementSink`."""

    take: Callable[[Statement], None]
    kinds: StatementKind = StatementKind.DEFINES


class SchemaChangeRows:
    """Collects the schema changes of a log that a read asks for, to be given in their place.

    A `StatementSink`, given the statements of transactions that are asked for.

    Args:
        log_file: the log.
        request: what to give.
        completer: its history takes each statement after this does.
        transaction: returns the transaction of the statement.
        policy: given the statements that it asks for; by default the one of the options.

    Attributes:
        definitions: takes the statements of all transactions, for groups; None if there are none.
    """

    def __init__(
        self,
        log_file: LogFile,
        request: ReadRequest,
        completer: TableMapCompleter,
        transaction: Callable[[], Transaction],
        policy: StatementSink | None = None,
    ) -> None:
        options = request.options
        wanted = options.change_types or SCHEMA_CHANGE_TYPES
        self._kinds = frozenset(wanted) & {*SCHEMA_CHANGE_TYPES}
        self._log_file = log_file
        self._names = request.statement_metadata
        self._table = options.table
        self._tables = TableFilter(options)
        self._completer = completer
        self._transaction = transaction
        self._policy = policy or StatementPolicy(options)
        self._rows: list[dict[str, Any]] = []
        self._own_kinds = StatementKind.OTHER
        if options.schema_changes and self._kinds:
            self._own_kinds = StatementKind.DEFINES | StatementKind.CHANGES
        # `tables_of` needs them, whether the user asks for rows of them or not.
        is_grouped = request.row_form == "arrow"
        self.definitions = _DefinitionSink(self._take_definition) if is_grouped else None
        self._request = request

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `take` with."""
        return self._own_kinds | self._policy.kinds

    @property
    def is_waiting(self) -> bool:
        """Whether there are rows to give."""
        return bool(self._rows)

    def take(self, statement: Statement) -> None:
        """Take the next statement.

        Raises:
            UnknownCatalogError: if the tables of a dropped database are not known.
            StatementEventError: if the policy refuses it.
        """
        if statement.kind & self._policy.kinds:
            self._policy.take(statement)
        if statement.kind & self._own_kinds:
            self._take(statement)

    def _take(self, statement: Statement) -> None:
        text, _, session = parsed_statement(statement)
        for found in self._completer.history.base_changes(statement):
            self._take_change(found, text, session, statement)

    def _take_change(
        self, found: Definition, text: str, session: SqlSession, statement: Statement
    ) -> None:
        if isinstance(found, UnknownChange) and found.reason:
            warn(f"{found.reason}: what it does to table {found.table} is not known")
        if found == UnknownChange(None):
            warn(
                f"{statement.site}: what this statement does to tables is not known, because it is"
                f" not understood: {statement.summary}"
            )
        history = self._completer.history
        self._rows += (
            self._row(change, text, statement)
            for change in schema_changes(found, session, self._table, lambda: history.catalog)
            if change.kind in self._kinds and self._keeps(change, statement.site)
        )

    def _take_definition(self, statement: Statement) -> None:
        definition = LoggedDefinition.of(statement)
        if definition is None:
            return
        changes = self._completer.history.base_changes(statement)
        if not changes:
            return
        if any(isinstance(found, UnknownChange) and found.reason for found in changes):
            definition = definition.with_unknown_change
        # A statement about a database names no table.
        if not any(not t.table_name or self._tables.may_keep(t) for t in definition.tables):
            return
        # Logs of several servers may have the same name: then no place is before another.
        if self._request.has_one_order:
            row = self._row(SchemaChange("", NO_ROWS.table_map.table), "", statement)
            no_change = {"_change_type": None, "_statement": None}
            self._rows.append(row | no_change | {DEFINITION: definition.to_json()})

    def _keeps(self, change: SchemaChange, site: EventSite) -> bool:
        if self._table is None:
            return any(map(self._tables.may_keep, change.names))
        return change.is_of(self._table) or self._completer.is_of_former(change, site)

    def _row(self, change: SchemaChange, text: str, statement: Statement) -> dict[str, Any]:
        transaction = self._transaction()
        version = None
        if "_commit_version" in self._names:
            with located(statement.site):
                version = commit_version_base(self._log_file.number) + transaction.start_pos
        return {
            "_change_type": change.kind,
            "_commit_version": version,
            "_row_number": 0,
            "_commit_timestamp": transaction.commit_micros,
            "_gtid": transaction.gtid,
            "_log_file": self._log_file.name,
            "_start_pos": statement.site.start_pos,
            "_database_name": change.table.database_name,
            "_table_name": change.table.table_name,
            "_server_id": statement.server_id,
            "_event_timestamp": statement.timestamp * 1_000_000,
            "_thread_id": statement.body.thread_id,
            "_transaction_bytes": transaction.num_bytes,
            "_statement": text.encode(errors="backslashreplace").decode(),
        }

    def give(self) -> RowBlock:
        """Return the rows, and begin to collect again."""
        rows, self._rows = self._rows, []
        metadata = {}
        for name in self._names:
            kind = pa.string() if name == DEFINITION else METADATA_BY_NAME[name].arrow_type
            values = [row.get(name) for row in rows]
            if pa.types.is_timestamp(kind):
                metadata[name] = pa.array(values, pa.int64()).cast(kind)
            else:
                metadata[name] = pa.array(values, kind)
        return RowBlock(NO_ROWS, len(rows), [], metadata, None, {})
