"""The part of a timeline that a task gets: the tables in a range of one log."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pyspark_adapter.ddl.sql_definitions import Definition
from pyspark_adapter.errors import EventSite, SchemaMismatchError
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_states import NOT_THERE, Position, TableState, TableStates
from pyspark_adapter.timeline.temporary_tables import may_be_of_temporary

# Of a name in lower case, the only table that is spelled so from each position on; None for none.
Spellings = Mapping[TableName, tuple[Sequence[Position], Sequence[TableName | None]]]


@dataclass
class TimelinePart:
    """The states of some tables in a range of one log; picklable, and small.

    It is shown the statements of the range only to know where it stands: they are not parsed again.

    Attributes:
        log: index of the log.
        states: by name, as statements spell it.
        spellings: of names in lower case.
        user: what the option ddl says of tables, wherever they are; see `Timeline.user_state`.
        former_names: of the table that matters, with the offsets at which they are its names.
        changes: what statements do to base tables, of those whose text does not say it.
        dropped: the tables of databases that statements drop.
        kinds: of the statements to call `follow` with.
        case: says whether names of other case are of other tables.
        is_surveyed: whether the statements before were read; else the plan has seen no need.
        version: changes wherever a state changes.
    """

    log: int = 0
    states: dict[TableName, TableStates] = field(default_factory=dict)
    spellings: dict[TableName, tuple[list[Position], list[TableName | None]]] = field(
        default_factory=dict
    )
    user: Mapping[TableName, TableState | None] = field(default_factory=dict)
    former_names: Mapping[TableName, Sequence[range]] = field(default_factory=dict)
    changes: Mapping[Position, Sequence[Definition]] = field(default_factory=dict)
    dropped: Mapping[Position, Sequence[TableName]] = field(default_factory=dict)
    case: NameCase = field(default_factory=NameCase)
    is_surveyed: bool = True
    version: int = 0
    _places: list[Position] | None = field(default=None, repr=False, compare=False)

    @property
    def kinds(self) -> StatementKind:
        """The statements to call `follow` with: none if nothing changes within the range."""
        is_fixed = not (self.states or self.former_names)
        return StatementKind.OTHER if is_fixed else StatementKind.DEFINES

    def ddl(self, statement: Statement) -> Ddl:
        """Return a statement as one about tables."""
        return Ddl(statement)

    def follow(self, statement: Statement) -> None:
        """Go past a statement."""
        if self._places is None:
            known = [states.positions for states in self.states.values()]
            known += [positions for positions, _ in self.spellings.values()]
            self._places = sorted(position for positions in known for position in positions)
        self.version = bisect_right(self._places, self.position(statement.site))

    def position(self, site: EventSite) -> Position:
        """Return the position of an event of the log."""
        return self.log, site.start_pos, site.inner_pos

    def state_at(self, table: TableName, site: EventSite) -> TableState:
        """Return a table, as rows name it, at an event of the log; raises SchemaMismatchError."""
        self._check_surveyed(f"the columns of table {table} have no names here")
        return state_of(table, self.position(site), self.states, self.spellings, self.case)

    def look_up(self, table: TableName, site: EventSite) -> TableState:
        """Return a table as `state_at` does; the rows can be read without it."""
        return self.state_at(table, site)

    def user_state(self, table: TableName) -> TableState | None:
        """Return what the option ddl says of a table everywhere; None if it says nothing."""
        return self.user.get(table)

    def base_changes(self, ddl: Ddl) -> Sequence[Definition]:
        """Return what a statement of the log does to base tables; raises SchemaMismatchError."""
        if may_be_of_temporary(ddl):
            self._check_surveyed("the statement may be about a temporary table")
        known = self.changes.get(self.position(ddl.site))
        if known is not None:
            return known
        return () if ddl.parsed.change is None else (ddl.parsed.change,)

    def tables_in(self, databases: Iterable[str], site: EventSite) -> Sequence[TableName]:  # noqa: ARG002
        """Return the tables of a database that has one or more names, before a statement."""
        return self.dropped.get(self.position(site), ())

    def learn_case(self) -> NameCase:
        """Return what all logs say of names that differ in case."""
        return self.case

    def is_about(
        self, names: Sequence[TableName], keeps: Callable[[TableName], bool], statement: Statement
    ) -> bool:
        """Return whether a statement that spells names so is about a table that a function chooses.

        Args:
            names: of a table, as the statement spells them.
            keeps: chooses tables as rows name them.
            statement: the statement, of which a warning tells where that is not known.
        """
        if any(map(keeps, names)):
            return True
        folded = [name.lower() for name in names if keeps(name.lower())]
        if not folded or self.learn_case().tells:
            return False
        self.case.doubt(folded[0], f"{statement.site}: {statement.summary}")
        return not self.case.twins.issuperset(folded)

    def finish(self) -> None:
        """End the log: all of its statements were taken."""

    def _check_surveyed(self, reason: str) -> None:
        if not self.is_surveyed:
            raise SchemaMismatchError(
                f"{reason}, and the read was planned without the statements before, since the first"
                " table map of each log has names",
                advice="start a stream again: its first batch is then looked through; read a batch"
                " with option schemaChanges or table, or without Spark",
            )


def state_of(
    table: TableName,
    position: Position,
    states: Mapping[TableName, TableStates],
    spellings: Spellings,
    case: NameCase,
) -> TableState:
    """Return a table, as rows name it, at a position; see `NameCase`."""
    state = states[table].at(position) if table in states else NOT_THERE
    if case.tells or table.lower() != table or table not in spellings:
        return state
    if not state.is_there:
        positions, names = spellings[table]
        spelled = spelling_at(positions, names, position)
        state = state if spelled is None else states[spelled].at(position)
    if state.definition is not None and table in case.spelled and table not in case.twins:
        case.doubt(table, case.spelled[table])
    return state


def spelling_at(
    positions: Sequence[Position], names: Sequence[TableName | None], position: Position
) -> TableName | None:
    """Return the only spelling of a name at a position."""
    index = bisect_right(positions, position) - 1
    return names[index] if index >= 0 else None
