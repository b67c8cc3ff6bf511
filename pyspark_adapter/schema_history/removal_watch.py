"""Finds the last statement that removed rows of a table without logging them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pyspark_adapter.ddl.sql_definitions import UnknownChange
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.schema_change import (
    SchemaChange,
    parsed_statement,
    schema_changes,
    searched_name,
)
from pyspark_adapter.schema_history.table_map_completer import TableMapCompleter
from pyspark_adapter.schema_history.temporary_tables import TemporaryTables

_DATABASE: Final = re.compile(rb"\b(?:DATABASE|SCHEMA)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Removals:
    """What a pass over logs has seen of removed rows.

    Attributes:
        last: the last statement that removed rows, or moved them; empty for none.
        last_site: its event; None for none.
        end: up to where it has looked: the offset of an event, or of the end of a log.
    """

    last: str
    last_site: EventSite | None
    end: EventSite


class RemovalWatch:
    """Takes the statements of logs and knows the last one that removed rows of a table.

    A `StatementSink`, given the statements of transactions that are asked for.

    Args:
        options: of a read of one table.
        completer: knows the former names of the table, in the log that it has begun.

    Attributes:
        kinds: of the statements to call `take` with.
    """

    kinds = StatementKind.DEFINES | StatementKind.CHANGES

    def __init__(self, options: BinlogOptions, completer: TableMapCompleter) -> None:
        assert options.table is not None
        self._table = options.table
        self._follows_renames = options.follow_renames
        self._completer = completer
        self._temporary = TemporaryTables()
        self._name = b"" if options.follow_renames else searched_name(options.table)
        self._last: tuple[str, EventSite] | None = None

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        text = statement.text
        if self._name not in text.lower() and _DATABASE.search(text) is None:
            return
        parsed = parsed_statement(statement)
        found_changes = self._temporary.take(statement, parsed)
        if parsed[1] is not None and any(
            isinstance(found, UnknownChange) and found.reason for found in found_changes
        ):
            # To report rows that are still there is the lesser harm.
            found_changes = (parsed[1],)
        for found in found_changes:
            # The catalog is asked for tables of a dropped database only if no table is named.
            changes = schema_changes(found, parsed[2], self._table, Catalog)
            if any(self._removes(change, statement) for change in changes):
                self._last = statement.summary, statement.site

    def _removes(self, change: SchemaChange, statement: Statement) -> bool:
        is_former = self._completer.is_of_former(change, statement.site)
        is_ours = is_former or change.is_of(self._table)
        if not is_ours or change.kind == "create":
            return False
        if change.kind == "alter":
            return bool(statement.kind & StatementKind.CHANGES)
        return change.kind != "rename" or not self._follows_renames

    def removals(self, end: EventSite) -> Removals:
        """Return what was seen up to a place in the logs."""
        summary, site = self._last or ("", None)
        return Removals(summary, site, end)
