"""The tables of table maps as statements change them, by what defines them at their place."""

from __future__ import annotations

from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.filters.row_filter import TableFilter
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sql_text.refusal import CannotWriteError
from pyspark_adapter.sql_text.target_table import TargetTable
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.user_ddl import UserDdl

Target = TargetTable | CannotWriteError


class Targets(TableMapCompleter):
    """Completes the table maps of a log, and finds the tables that statements change.

    Args:
        log: what is known of tables in the log.
        user_ddl: the tables of the option ddl.
        options: of the read.
        known: those found so far.
    """

    def __init__(
        self,
        log: FollowedLog,
        user_ddl: UserDdl,
        options: BinlogOptions,
        known: dict[tuple[TableMap, TableDefinition | None], Target],
    ) -> None:
        super().__init__(log, user_ddl)
        self.log: FollowedLog = log
        self._options = options
        self._tables = TableFilter(options)
        self._targets = known

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `take` with.

        Also where the log describes all columns: a definition says more than that.
        """
        return StatementKind.DEFINES

    def definition(self, table_map: TableMap, site: EventSite) -> TableDefinition | None:
        """Return what defines a table at a site; None if that is not known, or it is not chosen."""
        table = table_map.table
        return self.log.definition_at(table, site) if self._tables.keeps(table) else None

    def of(self, table_map: TableMap, definition: TableDefinition | None) -> Target:
        """Return a table, or why it cannot be written."""
        key = table_map, definition
        if key not in self._targets:
            try:
                target: Target = TargetTable.of(*key, self._options.default_charset)
            except CannotWriteError as error:
                target = error
            self._targets[key] = target
        return self._targets[key]
