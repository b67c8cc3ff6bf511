"""The states of all base tables along the logs, as statements make them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set

from pyspark_adapter.ddl.sql_definitions import AlterTable, Definition, DropDatabase
from pyspark_adapter.ddl.table_definition import Alteration, TableDefinition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.catalog import Catalog
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_changes import BaseChange, may_alter
from pyspark_adapter.timeline.table_states import BEGIN, Position, TableState, TableStates
from pyspark_adapter.timeline.temporary_tables import TemporaryTables, may_be_of_temporary
from pyspark_adapter.timeline.timeline_part import TimelinePart, state_of


class BaseTables:
    """Takes statements in order, and keeps each state of a table by its name.

    There are no copies of the whole catalog.

    Args:
        case: says whether names of other case are of other tables.

    Attributes:
        changes: what the statements do, in order.
        unclear: the same of those that may be about temporary tables, by position.
    """

    def __init__(self, case: NameCase) -> None:
        self.changes: list[BaseChange] = []
        self.unclear: dict[Position, Sequence[Definition]] = {}
        self._case = case
        self._catalog = Catalog(case=case)
        self._temporary = TemporaryTables()
        self._states: dict[TableName, TableStates] = {}
        self._spellings: dict[TableName, tuple[list[Position], list[TableName | None]]] = {}
        self._dropped: dict[Position, Sequence[TableName]] = {}
        # In lower case, by position of the statement that changed them; and those of option ddl.
        self._changed: dict[Position, set[TableName]] = {}
        self._defined: set[TableName] = set()

    def apply(self, position: Position, ddl: Ddl) -> None:
        """Take the next statement."""
        changes = self._temporary.base_changes(ddl, self._catalog.definition_of)
        if may_be_of_temporary(ddl):
            self.unclear[position] = changes
        for change in changes:
            if isinstance(change, DropDatabase):
                self._dropped[position] = self._catalog.tables_in(change.names)
            self.changes.append(BaseChange(position, ddl, change))
            self._catalog.follow(change, ddl.parsed.session, ddl.num_bytes, str(ddl))
            self._note(position, change, ddl.num_bytes)

    def forget_all(self, position: Position, reason: str) -> None:
        """Forget what tables are from a position on."""
        tables = list(self._catalog.tables)
        self._catalog.forget()
        self._note(position, None, 0)
        for table in tables:
            self._states[table].insert(position, TableState(None, reason))

    def _note(self, position: Position, change: Definition | None, num_bytes: int) -> None:
        """Keep the states of tables that a statement has changed."""
        catalog = self._catalog
        alteration: Alteration | None = None
        if isinstance(change, AlterTable) and change.new_name is None:
            alteration = change.alteration
        for table in catalog.changed:
            state = TableState(
                catalog.tables.get(table),
                catalog.reasons.get(table, ""),
                is_there=table in catalog.tables,
            )
            states = self._states.setdefault(table, TableStates())
            states.add(position, state, alteration, num_bytes)
            lower = table.lower()
            self._changed.setdefault(position, set()).add(lower)
            positions, names = self._spellings.setdefault(lower, ([], []))
            spelled = catalog.spelled(table)
            if not names or names[-1] != spelled:
                positions.append(position)
                names.append(spelled)
        catalog.changed.clear()

    def define(self, table: TableName, definition: TableDefinition, position: Position) -> None:
        """Take a definition of a position, up to which all statements were taken.

        It holds from the last statement about the table on.
        """
        earlier = [change for change in self.about(table) if change.position < position]
        is_dropped = table in self._states and table not in self._catalog.tables
        states = self._states.setdefault(table, TableStates())
        state = TableState(definition, is_there=True)
        if not earlier:
            states.insert(BEGIN, state)
        else:
            states.insert(position if is_dropped else earlier[-1].position, state)
            if not states.at(BEGIN).is_there:
                reason = f"{earlier[-1].ddl}: the option ddl is of a later position"
                states.insert(BEGIN, TableState(None, reason))
        self._defined.add(table.lower())
        self._catalog.define(table, definition)
        self._catalog.changed.clear()
        positions, names = self._spellings.setdefault(table.lower(), ([], []))
        positions.insert(0, BEGIN)
        names.insert(0, self._catalog.spelled(table))

    def about(self, table: TableName) -> Iterator[BaseChange]:
        """Yield the changes so far that may make another table of a table."""
        return (change for change in self.changes if may_alter(change, table, self._case))

    def may_change(self, tables: Set[TableName], position: Position) -> bool:
        """Return whether the statement at a position may change one of some tables."""
        return not tables.isdisjoint(self._defined | self._changed.get(position, set()))

    def state_at(self, table: TableName, position: Position) -> TableState:
        """Return a table, as rows name it, at a position."""
        return state_of(table, position, self._states, self._spellings, self._case)

    def definitions_at(self, position: Position) -> Iterator[tuple[TableName, TableDefinition]]:
        """Yield the tables at a position whose definition is known."""
        for table, states in self._states.items():
            definition = states.at(position).definition
            if definition is not None:
                yield table, definition

    def tables_before(self, databases: Iterable[str], position: Position) -> Sequence[TableName]:
        """Return the tables of a database that has one or more names, before a statement."""
        if position in self._dropped:
            return self._dropped[position]
        return self._catalog.tables_in(databases)

    def part(self, tables: Iterable[TableName], first: Position, last: Position) -> TimelinePart:
        """Return the known states of tables between two positions in a log."""
        part = TimelinePart(first[0])
        for table in tables:
            spelled: Iterable[TableName | None] = ()
            if table in self._spellings:
                positions, names = self._spellings[table]
                i, j = max(bisect_right(positions, first) - 1, 0), bisect_left(positions, last)
                part.spellings[table] = positions[i:j], names[i:j]
                spelled = names[i:j]
            for name in {table, *spelled}:
                if name is not None and name in self._states:
                    part.states[name] = self._states[name].between(first, last)
        part.changes = {p: done for p, done in self.unclear.items() if first <= p < last}
        part.dropped = {p: done for p, done in self._dropped.items() if first <= p < last}
        return part

    def forget_before(self, position: Position) -> None:
        """Forget what positions before one were."""
        for states in self._states.values():
            states.forget_before(position)
        self.changes = [change for change in self.changes if change.position >= position]
        for known in (self.unclear, self._dropped, self._changed):
            for old in [start for start in known if start < position]:
                del known[old]
