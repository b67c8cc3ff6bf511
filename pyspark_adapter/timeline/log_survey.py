"""What one pass over a log, or over a range of it, learns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.name_case import CAPITAL


class FoundError(Exception):
    """Raised to end a survey early, at the table map that it looks for."""


@dataclass
class LogSurvey:
    """What one pass over a log, or over a range of it, learns; a `TableMapSink`.

    It holds for ever: a log only grows. So this is what an index of an archive can keep, with the
    blocks of the log next to it.

    Attributes:
        statements: those about tables, in order.
        table_maps: of tables that matter, each content at least once, and again after a statement.
        nameless: tables with a table map whose columns the log does not describe, and the offset of
            the first of these.
        lacks_keys: whether the log describes a table that matters without a primary key.
        error: the damage at which it ends; None for none.
        has_capitals: whether a table map has a name with capital letters; see `NameCase`.
        wants: whether the table maps of a table matter; None for none.
        ends_at: whether the survey ends at a table map that matters; None for never.
        kinds: of the statements to take.
    """

    statements: list[Statement] = field(default_factory=list)
    table_maps: list[tuple[TableMap, EventSite]] = field(default_factory=list)
    nameless: dict[TableName, int] = field(default_factory=dict)
    lacks_keys: bool = False
    error: BinlogError | None = None
    has_capitals: bool = False
    wants: Callable[[TableName], bool] | None = None
    ends_at: Callable[[TableMap], bool] | None = None
    kinds: StatementKind = StatementKind.DEFINES
    _latest: dict[TableName, tuple[TableMap, int]] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        # What another process makes a timeline of.
        kept = ("ddls", "nameless", "error", "has_capitals")
        return {name: getattr(self, name) for name in kept}

    @property
    def version(self) -> int:
        """Changes with each statement, after which the same table map may have other names."""
        return len(self.statements) if self.nameless else 0

    @cached_property
    def ddls(self) -> list[Ddl]:
        """The statements about tables, in order; taken when all have been found."""
        taken, self.statements = self.statements, []
        return list(map(Ddl, taken))

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        if statement.kind & StatementKind.DEFINES or statement.is_truncate:
            self.statements.append(statement)

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Take the next table map, which stays as it is.

        Raises:
            FoundError: if the survey ends there.
        """
        table = table_map.table
        if not self.has_capitals:
            names = table.database_name + table.table_name
            self.has_capitals = CAPITAL.search(names) is not None
        if not table_map.is_described_by_log:
            self.nameless.setdefault(table, site.start_pos)
        if self.wants is None or not self.wants(table):
            return table_map
        latest = table_map, self.version
        if self._latest.get(table) != latest:
            self._latest[table] = latest
            self.lacks_keys |= not table_map.primary_key
            self.table_maps.append((table_map, site))
            if self.ends_at is not None and self.ends_at(table_map):
                raise FoundError
        return table_map
