"""The tables of table maps as statements change them, by what defines them at their place."""

from __future__ import annotations

from dataclasses import dataclass, fields

from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.row_filter import TableFilter
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.target_table import TargetTable
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.user_ddl import UserDdl

Target = TargetTable | CannotWriteError


@dataclass(frozen=True, slots=True)
class DefinedTableMap(TableMap):
    """A table map with what defines its table at its place; None if that is not known."""

    definition: TableDefinition | None = None


class Targets(TableMapCompleter):
    """Completes the table maps of a log, and finds the tables that statements change.

    Args:
        log: knows the tables of the log.
        user_ddl: the tables of the option ddl.
        options: of the read.
        known: those found so far.
        defines_all: whether tables that are not chosen get what defines them, too.
    """

    def __init__(
        self,
        log: FollowedLog,
        user_ddl: UserDdl,
        options: BinlogOptions,
        known: dict[TableMap, Target],
        *,
        defines_all: bool = False,
    ) -> None:
        super().__init__(log, user_ddl)
        self.log: FollowedLog = log
        self._options = options
        self._tables = TableFilter(options)
        self._defines_all = defines_all
        self._targets = known

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `take` with.

        Also where the log describes all columns: a definition says more than that.
        """
        return StatementKind.DEFINES

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map completed; of a chosen table with what defines it at the site."""
        completed = super().complete(table_map, site)
        if not (self._defines_all or self._tables.keeps(completed.table)):
            return completed
        values = {field.name: getattr(completed, field.name) for field in fields(TableMap)}
        definition = self.log.definition_at(completed.table, site)
        return DefinedTableMap(**values, definition=definition)

    def of(self, table_map: TableMap) -> Target:
        """Return the table of a table map, or why it cannot be written."""
        if table_map not in self._targets:
            defined = table_map.definition if isinstance(table_map, DefinedTableMap) else None
            try:
                target: Target = TargetTable.of(table_map, defined, self._options.default_charset)
            except CannotWriteError as error:
                target = error
            self._targets[table_map] = target
        return self._targets[table_map]
