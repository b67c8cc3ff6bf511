"""Finds the place in the logs that the option ddl describes, and follows statements from there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    Definition,
    RenameTables,
    UnknownChange,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import NotUnderstoodError
from pyspark_adapter.ddl.table_definition import Alteration, ColumnDefinition, TableDefinition
from pyspark_adapter.errors import listed
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.column_match import UNKNOWN
from pyspark_adapter.schema_history.given_tables import GivenFrom, GivenTables, place_of
from pyspark_adapter.schema_history.schema_change import parsed_statement
from pyspark_adapter.schema_history.temporary_tables import TemporaryTables

# Statements that change a table; of more, its definition is not known.
_MOST_STEPS: Final = 4096

_WITH_MEMBERS: Final = ("ENUM", "SET", UNKNOWN)
# As SHOW CREATE TABLE shows them.
_SHOWN: Final = MappingProxyType({"JSON": "LONGTEXT", "REAL": "DOUBLE"})


@dataclass(frozen=True, slots=True)
class _Step:
    """A statement that changes a table.

    Attributes:
        log: index of its log.
        pos: its offset.
        text: its site and what it says, for messages.
        alteration: what it changes; None if it makes the table, or is not understood.
        definition: the table after it, if the file is older; None if that is not known.
        logged: the table after it by the statements of the logs alone; None if that is not known.
        is_assumed: whether the file is only assumed to have it: nothing in the file shows that.
    """

    log: int
    pos: int
    text: str
    alteration: Alteration | None
    definition: TableDefinition | None = None
    logged: TableDefinition | None = None
    is_assumed: bool = False

    @property
    def leaves_unknown(self) -> bool:
        """Whether nothing is known of the table after it."""
        return self.alteration is None and self.definition is None and self.logged is None


class GivenHistory:
    """Takes the statements of logs and knows what the tables of the option ddl are at each place.

    A `StatementSink`. The file may be older than the logs, as new as their end, or of a place in
    between. If it does not say which, it is newer than the statements that it already has: those
    that cannot be carried out on its definition, or leave it as it is; and those that are not
    understood. They are undone for the rows before them. An ALTER does not say which members an
    ENUM or SET had, so these are not known there. Later statements are applied to the definition.
    A CREATE TABLE of other types or members replaces it.

    Args:
        given: the tables, as the file defines them.

    Attributes:
        kinds: of the statements to call `take` with.
        is_older: whether the file is known to be older than the statements to come.
    """

    kinds = StatementKind.DEFINES

    def __init__(self, given: GivenTables) -> None:
        self.is_older = False
        self._given = given
        self._log = 0
        self._last = -1, 0  # index of the log, and offset, of the last statement
        self._logs: dict[str, int] = {}
        self._steps: dict[TableName, list[_Step]] = {}
        self._num_had: dict[TableName, int] = {}  # how many of the steps the file already has
        self._num_made: dict[TableName, int] = {}  # how many up to the last that made the table
        self._lost: dict[TableName, str] = {}  # why a table is not known anywhere
        self._catalog = self._of_file()  # if the file is older than the statements
        self._logged = Catalog()
        self._temporary = TemporaryTables()

    def begin_log(self, path: str) -> None:
        """Start a log, or go on with one."""
        self._logs.setdefault(path, len(self._logs))
        self._log = self._logs[path]

    def take(self, statement: Statement) -> None:
        """Take the next statement; one that was taken already counts once."""
        place = self._log, statement.site.start_pos
        if place <= self._last:
            return
        self._last = place
        parsed = parsed_statement(statement)
        for found in self._temporary.take(statement, parsed, self._logged.definition_of):
            self._take(found, parsed[2], statement)

    def _take(self, found: Definition, session: SqlSession, statement: Statement) -> None:
        """Take what a statement does to base tables."""
        if self._given.place is not None and not self.is_older:
            self.is_older = place_of(statement.site) >= self._given.place
            if self.is_older:
                self._catalog = self._of_file()
        text = getattr(found, "reason", "") or f"{statement.site}: {statement.summary}"
        step = _Step(self._log, statement.site.start_pos, text, None)
        self._logged.follow(found, session, statement=text)
        match found:
            case AlterTable(table, alteration, new_name):
                known = self._known(table)
                if known is None:
                    self._catalog.follow(replace(found, new_name=None), session)
                else:
                    self._alter(known, replace(step, alteration=alteration))
                if new_name is not None:
                    self._make(RenameTables(((known or table, new_name),)), session, step)
            case CreateTable() | RenameTables():
                self._make(found, session, step)
            case UnknownChange():
                self._catalog.follow(found, session)
                has_it = not self.is_older
                step = replace(step, is_assumed=has_it and not self._is_newer)
                for known in self._changed_by(found):
                    self._catalog.define(known, self._given.find(known) if has_it else None)
                    self._add(known, step, has_it)
            case _:
                self._catalog.follow(found, session)

    def _of_file(self) -> Catalog:
        named = {t: found for t, found in self._given.tables.items() if t.database_name}
        return Catalog(named | {t: self._given.find(t) for t in self._steps})

    def tables(self) -> GivenTables:
        """Return the tables at each place, as far as statements were taken."""
        changed = {table: self._along(table) for table in self._steps}
        changed |= {table: [GivenFrom(-1, 0, None, doubt)] for table, doubt in self._lost.items()}
        return replace(self._given, changed=changed, logs=dict(self._logs))

    def _known(self, table: TableName) -> TableName | None:
        """Return the name in the log of a table that the file defines, or that was made of one."""
        for name in (table, table.lower()):
            if name in self._steps:
                return name
            if (base := self._given.find(name)) is not None:
                self._catalog.define(name, base)
                return name
        return None

    @property
    def _is_newer(self) -> bool:
        """Whether the file is known to be newer than the statement that was taken last."""
        return self._given.place is not None and not self.is_older

    def _changed_by(self, found: UnknownChange) -> list[TableName]:
        """Return the tables that a statement which is not understood changes."""
        if found.table is None:
            return list(self._steps)
        known = self._known(found.table)
        return [] if known is None else [known]

    def _make(self, found: CreateTable | RenameTables, session: SqlSession, step: _Step) -> None:
        """Follow a statement that makes tables, under names that may have been others' before."""
        if isinstance(found, CreateTable):
            made = [found.table]
            if found.like is not None:
                self._known(found.like)
        else:
            old_names = {self._known(old) for old, _ in found.names} - {None}
            made = [new for _, new in found.names if old_names or self._known(new) is not None]
        names = {table: self._known(table) or table for table in made}
        before = {name: self._catalog.tables.get(name) for name in names.values()}
        self._catalog.follow(found, session)
        for name, former in before.items():
            base, definition = self._given.find(name), self._catalog.tables.get(name)
            is_same = definition is former and not self._is_newer
            if is_same or (base is None and (isinstance(found, CreateTable) or not self.is_older)):
                continue
            has_it = base is not None and not self.is_older
            is_assumed = False
            if base is not None and definition is not None and not self._is_newer:
                is_alike = _types(base) == _types(definition)
                has_it = has_it and is_alike
                definition = base if is_alike else definition
            elif has_it:
                definition, is_assumed = base, not self._is_newer
            self._catalog.define(name, definition)
            self._add(name, replace(step, definition=definition, is_assumed=is_assumed), has_it)

    def _alter(self, table: TableName, step: _Step) -> None:
        base, definition = self._given.find(table), self._catalog.tables.get(table)
        alteration = step.alteration
        assert alteration is not None
        if alteration == Alteration(exchanged=alteration.exchanged):
            return  # of partitions, for example
        if self._is_newer:
            self._add(table, step, has_it=True)
        if self._is_newer or definition is None:
            return
        altered: TableDefinition | None = None
        has_it = False
        try:
            altered = definition.altered(alteration)
        except NotUnderstoodError:
            has_it = base is not None and not self.is_older and self._is_of_file(table)
        else:
            if base is not None and _changes_columns(alteration):
                has_it = _facts(altered) == _facts(base)
        if has_it:
            altered = base
        self._catalog.define(table, altered)
        self._add(table, replace(step, definition=altered), has_it)

    def _is_of_file(self, table: TableName) -> bool:
        """Return whether the definition is that of the file, altered since."""
        return self._num_made.get(table, 0) <= self._num_had.get(table, 0)

    def _add(self, table: TableName, step: _Step, has_it: bool) -> None:
        steps = self._steps.setdefault(table, [])
        if len(steps) == _MOST_STEPS:
            self._lost[table] = f"{step.text}: more than {_MOST_STEPS:,} statements change it"
        if table in self._lost:
            return
        if (logged := self._logged.find(table)) is not None:
            step = replace(step, logged=logged)
        is_had = has_it and not self.is_older
        if step.leaves_unknown and (num_unknown := _num_unknown(steps)):
            # Of such statements in a row, the first and the last say all. Thousands of them may
            # change thousands of tables.
            was_had = self._num_had.get(table) == len(steps)
            if not is_had and not was_had:
                return
            if is_had and was_had and num_unknown > 1:
                steps.pop()
        steps.append(step)
        if step.alteration is None:
            self._num_made[table] = len(steps)
        if is_had:
            self._num_had[table] = len(steps)

    def _along(self, table: TableName) -> list[GivenFrom]:
        """Return the definitions of a table, in order."""
        steps, num_had = self._steps[table], self._num_had.get(table, 0)
        base = self._given.find(table)
        found: list[GivenFrom] = []
        assumed = ""
        if num_had:
            had = steps[:num_had]
            doubts = _Doubts(table, had)
            definition = base
            for step in reversed(had):
                definition = _undone(definition, step.alteration)
            found.append(GivenFrom(-1, 0, definition, doubts.before(0, definition)))
            for i, step in enumerate(had[:-1], 1):
                definition = _redone(definition, step)
                doubt = doubts.before(i, definition)
                found.append(GivenFrom(step.log, step.pos, definition, doubt))
            # If the file shows a later statement, it has all before it.
            assumed = had[-1].text if had[-1].is_assumed else ""
            found.append(GivenFrom(had[-1].log, had[-1].pos, base, assumed=assumed))
        for step in steps[num_had:]:
            doubt = "" if step.definition else f"{step.text}: it is not understood"
            if step.alteration is None:
                assumed = ""
            found.append(GivenFrom(step.log, step.pos, step.definition, doubt, assumed))
        return found


class _Doubts:
    """Says why definitions from before the statements that a file already has are not known.

    Args:
        table: the table.
        steps: the statements.
    """

    def __init__(self, table: TableName, steps: list[_Step]) -> None:
        self._table = table
        self._steps = steps
        self._of_all: list[int] = []  # places of the statements that are about all columns
        self._by_name: dict[str, list[int]] = {}  # of those that redefine a column
        for place, step in enumerate(steps):
            if step.alteration is None:
                self._of_all.append(place)
                continue
            for change in step.alteration.changes:
                self._by_name.setdefault(str(change.old_name).lower(), []).append(place)

    def before(self, place: int, definition: TableDefinition | None) -> str:
        """Return why the definition before the statement at a place is not known.

        Empty if it is known, and so are the members of all of its columns.
        """
        columns = () if definition is None else definition.columns
        unknown = [column.name for column in columns if column.sql_type == UNKNOWN]
        if definition is not None and not unknown:
            return ""
        lists = [self._of_all, *(self._by_name.get(name.lower(), []) for name in unknown)]
        later = [places[k] for places in lists if (k := bisect_left(places, place)) < len(places)]
        text = self._steps[min(later, default=place) if unknown else place].text
        has = listed(f"column {name}" for name in unknown) if unknown else f"table {self._table}"
        return f"{text}: option ddl has {has} as this statement leaves it"


def _num_unknown(steps: Sequence[_Step]) -> int:
    """Return how many of the last two steps in a row leave nothing known."""
    if not steps or not steps[-1].leaves_unknown:
        return 0
    return 2 if len(steps) > 1 and steps[-2].leaves_unknown else 1


def _facts(table: TableDefinition) -> list[tuple[str, str, tuple[str, ...], bool]]:
    """Return what rows are read by, of each column."""
    return [
        (c.name.lower(), _SHOWN.get(c.sql_type, c.sql_type), c.members, c.is_unsigned)
        for c in table.columns
    ]


def _types(table: TableDefinition) -> list[tuple[str, tuple[str, ...]]]:
    """Return the types of the columns; the file may give them names of its own."""
    return [(sql_type, members) for _, sql_type, members, _ in _facts(table)]


def _changes_columns(alteration: Alteration) -> bool:
    """Return whether an ALTER changes columns for sure."""
    is_changed = any(not change.is_conditional for change in alteration.changes)
    return is_changed or bool(alteration.renamed) or not all(alteration.dropped.values())


def _undone(table: TableDefinition | None, alteration: Alteration | None) -> TableDefinition | None:
    """Return a table before an ALTER, or before it was made; None if that is not known."""
    if table is None or alteration is None:
        return None
    changes = [change for change in alteration.changes if not change.is_conditional]
    is_moved = any(change.old_name and change.position for change in changes)
    if is_moved or not all(alteration.dropped.values()) or alteration.renamed_if_present:
        return None
    old_names = {new.lower(): old for old, new in alteration.renamed.items()}
    added = {change.column.name.lower() for change in changes if change.old_name is None}
    redefined = {c.column.name.lower(): c.old_name for c in changes if c.old_name is not None}
    columns = []
    for column in table.columns:
        key = column.name.lower()
        if key in added:
            continue
        if key in redefined:
            column = _without_members(replace(column, name=redefined[key]))
        # What does not change is shared: a table may have many columns, and many statements.
        columns.append(replace(column, name=old_names[key]) if key in old_names else column)
    table = replace(table, columns=tuple(columns))
    if alteration.drops_key or alteration.new_key or alteration.indexes:
        columns = [replace(column, key_part=0) for column in columns]
        table = replace(table, columns=tuple(columns), indexes=())
    return table


def _redone(table: TableDefinition | None, step: _Step) -> TableDefinition | None:
    """Return a table after a statement that the file already has; None if it is not known."""
    if step.logged is not None or table is None or step.alteration is None:
        return step.logged
    try:
        return table.altered(step.alteration)
    except NotUnderstoodError:
        return None


def _without_members(column: ColumnDefinition) -> ColumnDefinition:
    if column.sql_type not in _WITH_MEMBERS:
        return column
    return replace(column, sql_type=UNKNOWN, members=(), charset=None)
