"""Follows the statements of logs, in order, and knows the catalog after each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from pyspark_adapter.ddl.sql_definitions import Definition
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.schema_change import parsed_statement
from pyspark_adapter.schema_history.temporary_tables import may_be_of_temporary

# Bytes of statements that wait unparsed until the catalog is asked for.
_MAX_PENDING: Final = 4 << 20
# A parsed event takes more memory than a short text does.
_EVENT_COST: Final = 1000


class UnknownCatalogError(Exception):
    """The catalog was asked for, and what the earlier statements defined is not known.

    Ends a scan, so that its caller can look up the earlier catalog and scan again. Never seen by
    users.
    """


class SchemaHistory:
    """Takes the statements of logs and gives snapshots of the catalog.

    Statements are parsed only when the catalog is asked for: logs that name their columns never
    need it. A `StatementSink`.

    Args:
        catalog: the catalog before the first statement, copied; None if it is not known.
        step: bytes between two snapshots; see `CatalogSnapshots`.

    Attributes:
        kinds: of the statements to call `take` with.
        version: changes whenever the catalog does.
        is_asked: whether the catalog was asked for.
        num_taken: how many statements were taken.
    """

    kinds = StatementKind.DEFINES

    def __init__(self, catalog: Catalog | None, step: int = sys.maxsize) -> None:
        self._catalog = None if catalog is None else catalog.copy()
        self._step = step
        self.version = 0
        self.is_asked = False
        self.num_taken = 0
        # Statements, and between them: (path, offset) where a log starts, an offset to be
        # marked, None where a log ends.
        self._pending: list[Statement | tuple[str, int] | int | None] = []
        self._num_pending_bytes = 0
        self._next_cut = step
        self._snapshots: dict[str, CatalogSnapshots] = {}
        self._latest: CatalogSnapshots | None = None
        self._copy: tuple[tuple[int, int], Catalog] | None = None

    def begin_log(self, path: str, start: int = 0) -> None:
        """Start the next log, at an offset in bytes."""
        self._pending.append((path, start))
        self._next_cut = start - start % self._step + self._step

    def take(self, statement: Statement) -> None:
        """Take the next statement.

        Raises:
            UnknownCatalogError: if statements have to be parsed, and the catalog before them is
                not known.
        """
        self.num_taken += 1
        start_pos = statement.site.start_pos
        if start_pos >= self._next_cut:
            self._pending.append(start_pos)
            self._next_cut = start_pos - start_pos % self._step + self._step
        self._pending.append(statement)
        self._num_pending_bytes += len(statement.text) + _EVENT_COST
        if self.is_asked or self._num_pending_bytes > _MAX_PENDING:
            self._settle()

    def end_log(self, num_bytes: int) -> None:
        """End the log, at an offset in bytes; not called for a log that is damaged."""
        self._pending += [num_bytes, None]

    @property
    def catalog(self) -> Catalog:
        """The catalog after the last statement; not a copy.

        Raises:
            UnknownCatalogError: if the catalog before the first statement is not known.
        """
        self.is_asked = True
        return self._settle()

    def look_up(self, table: TableName) -> TableDefinition | None:
        """Return what the statements so far define of a table; None if that is not known.

        Unlike `catalog`, this does not count as asked: the rows can be read without it.

        Raises:
            UnknownCatalogError: if the catalog before the first statement is not known.
        """
        return self._settle().find(table)

    def base_changes(self, statement: Statement) -> Sequence[Definition]:
        """Return what the next statement, not taken yet, does to base tables.

        Raises:
            UnknownCatalogError: if it may be about a temporary table, and the catalog before the
                first statement is not known.
        """
        parsed = parsed_statement(statement)
        if not may_be_of_temporary(statement, parsed):
            return () if parsed[1] is None else (parsed[1],)
        catalog = self._settle()
        return catalog.temporary.copy().take(statement, parsed, catalog.definition_of)

    def snapshots(self) -> dict[str, CatalogSnapshots]:
        """Return the snapshots of each log, by path.

        Raises:
            UnknownCatalogError: if the catalog before the first statement is not known.
        """
        self._settle()
        return self._snapshots

    def _settle(self) -> Catalog:
        """Parse the pending statements and return the catalog after them."""
        catalog = self._catalog
        if catalog is None:
            raise UnknownCatalogError
        for item in self._pending:
            if isinstance(item, tuple):
                path, start = item
                self._latest = CatalogSnapshots(self._copied(catalog), start, self._step)
                self._snapshots[path] = self._latest
            elif isinstance(item, int):
                assert self._latest is not None
                self._latest.marks.append((item, self._copied(catalog)))
            elif item is None:
                assert self._latest is not None
                self._latest.is_whole = True
            elif _apply(item, catalog):
                self.version += 1
        self._pending.clear()
        self._num_pending_bytes = 0
        return catalog

    def _copied(self, catalog: Catalog) -> Catalog:
        """Return a copy of the catalog, the same one until the catalog changes."""
        version = self.version, catalog.temporary.version
        if self._copy is None or self._copy[0] != version:
            self._copy = version, catalog.copy()
        return self._copy[1]


def _apply(statement: Statement, catalog: Catalog) -> bool:
    """Apply a statement; return whether it may have changed the catalog."""
    parsed = parsed_statement(statement)
    changes = catalog.temporary.take(statement, parsed, catalog.definition_of)
    for found in changes:
        summary = f"{statement.site}: {statement.summary}"
        catalog.follow(found, parsed[2], len(statement.text), summary)
    return bool(changes)
