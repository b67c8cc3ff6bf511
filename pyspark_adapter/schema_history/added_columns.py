"""The columns that ALTER TABLE added to a table, which rows from before do not have."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyspark_adapter.ddl.sql_definitions import AlterTable, Definition, UnknownChange
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.table_definition import EXPRESSION, Alteration, ColumnDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.schema_change import (
    SchemaChange,
    parsed_statement,
    schema_changes,
    searched_name,
)
from pyspark_adapter.schema_history.temporary_tables import TemporaryTables

_WHOLE_LOG: Final = sys.maxsize


@dataclass(frozen=True, slots=True)
class AddedColumn:
    """A column that was added.

    Attributes:
        column: as it was added, with the name that it has now. Its default is `EXPRESSION` if the
            values of older rows are not known.
        site: of the statement.
    """

    column: ColumnDefinition
    site: EventSite


class AddedColumns:
    """Takes the statements of logs and knows where the columns of a table were added.

    A `StatementSink`. A column that was renamed since, or dropped, counts as not added: rows may
    have its values under the other name.

    Args:
        table: the table.
        log_names: of the logs, in order.

    Attributes:
        kinds: of the statements to call `take` with.
        not_understood: the last statement that may have added columns and is not understood; None
            if there is none since the table was made.
    """

    kinds = StatementKind.DEFINES

    def __init__(self, table: TableName, log_names: Sequence[str]) -> None:
        self._table = table
        # Logs of several servers may have the same name: then no place is before another.
        self._order = {name: i for i, name in enumerate(log_names)}
        self._is_ordered = len(self._order) == len(log_names)
        self._name = searched_name(table)
        self._temporary = TemporaryTables()
        self._found: dict[str, AddedColumn] = {}
        self.not_understood: EventSite | None = None

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        if self._name not in statement.text.lower() and not self._found:
            return
        parsed = parsed_statement(statement)
        for found in self._temporary.take(statement, parsed):
            self.follow(found, parsed[2], statement.site)

    def follow(self, found: Definition, session: SqlSession, site: EventSite) -> None:
        """Take the next statement, parsed.

        Args:
            found: what it defines.
            session: the session in which it ran.
            site: of its event.
        """
        if not self._is_ordered or site.log_file not in self._order:
            return
        if isinstance(found, AlterTable) and found.new_name is None:
            if SchemaChange("alter", found.table).is_of(self._table):
                self._alter(found.alteration, site)
            return
        changes = schema_changes(found, session, self._table, Catalog)
        is_any = found == UnknownChange(None)
        if is_any or any(c.kind != "truncate" and c.is_of(self._table) for c in changes):
            self._found.clear()  # rows from before are of another table, or it is not understood
            is_made = not isinstance(found, UnknownChange) or found.creates
            self.not_understood = None if is_made else site

    def _alter(self, alteration: Alteration, site: EventSite) -> None:
        for name in (*alteration.dropped, *alteration.renamed, *alteration.renamed_if_present):
            self._found.pop(name.lower(), None)
        for change in alteration.changes:
            column = change.column
            key = column.name.lower()
            if change.old_name is None:
                if not (change.is_conditional and key in self._found):
                    self._found[key] = AddedColumn(column, site)
                continue
            old = self._found.pop(change.old_name.lower(), None)
            if old is not None and key == change.old_name.lower():
                # A default that changes is for later rows. Another type converts the old values.
                if column.sql_type != old.column.sql_type:
                    old = replace(old, column=replace(old.column, default=EXPRESSION))
                self._found[key] = old

    def __iter__(self) -> Iterator[AddedColumn]:
        return iter(self._found.values())

    def ends_in(self, log_name: str) -> Mapping[str, int]:
        """Return the offset in a log before which rows lack each column, by name in lower case.

        Columns that no row of the log lacks, as far as is known, are left out.
        """
        here = self._order.get(log_name)
        if here is None:
            return {}
        ends: dict[str, int] = {}
        for key, added in self._found.items():
            there = self._order[added.site.log_file]
            if here <= there:
                ends[key] = added.site.start_pos if here == there else _WHOLE_LOG
        return ends
