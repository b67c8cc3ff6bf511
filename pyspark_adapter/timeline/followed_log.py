"""The tables of one log while it is read, in the process that has the timeline."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pyspark_adapter.ddl.sql_definitions import Definition
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.base_tables import BaseTables
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_states import Position, TableState
from pyspark_adapter.timeline.temporary_tables import may_be_of_temporary
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.timeline_part import TimelinePart

_MAX_DDLS: Final = 1024  # kept parsed; a window has fewer


class FollowedLog(TimelinePart):
    """The part of a timeline for one log, which reads what it needs when it is first asked.

    Args:
        timeline: of the log and those before it.
        is_whole: whether the log is read from its start to its end: then its statements are taken
            from that read, unless they are known.
        is_known: whether all that is asked of the log itself was surveyed.
    """

    def __init__(
        self,
        timeline: Timeline,
        log_file: LogFile,
        *,
        is_whole: bool = False,
        is_known: bool = False,
    ) -> None:
        super().__init__(timeline.index_of(log_file))
        self.former_names = timeline.former_names_in(log_file)
        self.case = timeline.case
        self._timeline = timeline
        # The option ddl depends on all statements.
        self._is_live = is_known or (is_whole and timeline.gives_nothing_of(self.log))
        self._names_all = timeline.names_all(log_file)
        self._is_ready = False
        self._asked: set[TableName] = set()  # in lower case
        self._ddls: dict[Position, Ddl] = {}  # of the last statements, as of a window

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `follow` with: none if they are known, and no table needs them."""
        is_fixed = self._names_all and not (self._is_live or self.former_names)
        return StatementKind.OTHER if is_fixed else StatementKind.DEFINES

    def ddl(self, statement: Statement) -> Ddl:
        """Return a statement as one about tables, which is parsed once."""
        position = self.position(statement.site)
        if position not in self._ddls:
            self._ddls[position] = Ddl(statement)
            if len(self._ddls) > _MAX_DDLS:
                del self._ddls[next(iter(self._ddls))]
        return self._ddls[position]

    def follow(self, statement: Statement) -> None:
        """Go past a statement, of which the timeline learns if it does not know it."""
        if self._is_live:
            self._timeline.take(self.log, self.ddl(statement))
        if self._asked or (self._is_live and self._timeline.has_many_waiting):
            self.version += self._tables.may_change(self._asked, self.position(statement.site))

    @property
    def _tables(self) -> BaseTables:
        """The tables after the statements so far; unknown ones are surveyed."""
        if not self._is_ready:
            self._timeline.read_to(self.log, live=self.log if self._is_live else -1)
            self._is_ready = True
        return self._timeline.settled(self.log)

    def state_at(self, table: TableName, site: EventSite) -> TableState:
        """Return a table, as rows name it, at an event of the log."""
        self._asked.add(table.lower())
        return self.look_up(table, site)

    def look_up(self, table: TableName, site: EventSite) -> TableState:
        """Return a table as `state_at` does; the rows can be read without it."""
        tables = self._tables
        if table in self.case.spelled:
            self.learn_case()
            tables = self._tables
        return tables.state_at(table, self.position(site))

    def learn_case(self) -> NameCase:
        """Return what all logs say of names that differ in case, which are surveyed for it."""
        return self._timeline.learn_case()

    def definition_at(self, table: TableName, site: EventSite) -> TableDefinition | None:
        """Return the definition of a table at an event, by the option ddl or the logs."""
        user = self.user_state(table)
        if user is not None and user.definition is not None:
            return user.definition
        return self.state_at(table, site).definition

    def definitions(
        self, site: EventSite | None = None
    ) -> Iterator[tuple[TableName, TableDefinition]]:
        """Yield the tables at an event, or after the log and before a damage that ends it.

        Those of later statements and logs may be known already: they do not count.
        """
        position = (self.log, sys.maxsize, -1) if site is None else self.position(site)
        return self._tables.definitions_at(position)

    def user_state(self, table: TableName) -> TableState | None:
        """Return what the option ddl says of a table everywhere; None if it says nothing."""
        return self._timeline.user_state(table)

    def base_changes(self, ddl: Ddl) -> Sequence[Definition]:
        """Return what the latest statement of the log does to base tables."""
        if not may_be_of_temporary(ddl):
            return () if ddl.parsed.change is None else (ddl.parsed.change,)
        if self._is_live:
            self._timeline.take(self.log, ddl)
        return self._tables.unclear.get(self.position(ddl.site), ())

    def tables_in(self, databases: Iterable[str], site: EventSite) -> Sequence[TableName]:
        """Return the tables of a database that has one or more names, before a statement."""
        return self._tables.tables_before(databases, self.position(site))

    def finish(self) -> None:
        """End the log: all of its statements were taken."""
        if self._is_live:
            self._timeline.end_log(self.log)
