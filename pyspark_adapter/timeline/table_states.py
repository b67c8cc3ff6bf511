"""The tables that a name referred to over time, and the former names of a table."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pyspark_adapter.ddl.sql_definitions import AlterTable, Definition, RenameTables
from pyspark_adapter.ddl.table_definition import Alteration, TableDefinition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.name_case import NameCase

# A position in the logs: index of a log, offset in it, and offset in a compressed payload or -1.
Position = tuple[int, int, int]
BEGIN: Final[Position] = (-1, 0, 0)

# Bytes that a definition takes for each of its columns, which it shares with others.
_COLUMN_BYTES: Final = 8


class TableState(NamedTuple):
    """A table at some position.

    Attributes:
        definition: None if it is not known.
        reason: why it is not known, with the statement; empty if nothing says so.
        is_there: whether statements have made or changed a table of this name.
        alteration: what leads to it from the state before, in place of a definition.
    """

    definition: TableDefinition | None
    reason: str = ""
    is_there: bool = False
    alteration: Alteration | None = None


NOT_THERE: Final = TableState(None)


@dataclass
class TableStates:
    """The states of one table name, in order.

    Each ALTER makes a definition. Only so many of them are kept that they take no more memory than
    the statements do in the log; the others follow from the one before.
    """

    positions: list[Position] = field(default_factory=list)
    _states: list[TableState] = field(default_factory=list)
    _latest: TableDefinition | None = None
    _num_bytes: int = 0  # of statements since a definition was kept
    _found: tuple[int, TableDefinition | None] = (-1, None)  # the last one that was worked out

    def add(
        self, position: Position, state: TableState, alteration: Alteration | None, num_bytes: int
    ) -> None:
        """Add the next state.

        Args:
            state: after it.
            alteration: if the state is the one before with this.
        """
        self._num_bytes += num_bytes
        columns = () if state.definition is None else state.definition.columns
        is_step = alteration is not None and self._latest is not None and bool(columns)
        if is_step and self._num_bytes < _COLUMN_BYTES * len(columns):
            kept = state._replace(definition=None, alteration=alteration)
        else:
            kept, self._num_bytes = state, 0
        self._latest = state.definition
        self.positions.append(position)
        self._states.append(kept)

    def insert(self, position: Position, state: TableState) -> None:
        """Set the state from a position on, up to the next one that is known."""
        index = bisect_left(self.positions, position)
        if index < len(self.positions) and self.positions[index] == position:
            self._states[index] = state
        else:
            self.positions.insert(index, position)
            self._states.insert(index, state)
        if index == len(self.positions) - 1:
            self._latest = state.definition
        self._found = -1, None

    def at(self, position: Position) -> TableState:
        """Return the state at a position."""
        index = bisect_right(self.positions, position) - 1
        return NOT_THERE if index < 0 else self._state(index)

    def _state(self, index: int) -> TableState:
        state = self._states[index]
        if state.alteration is None:
            return state
        if self._found[0] != index:
            start = index
            while self._states[start].alteration is not None and start != self._found[0]:
                start -= 1
            position, definition = self._found
            if start != position:
                definition = self._states[start].definition
            for later in self._states[start + 1 : index + 1]:
                assert definition is not None
                assert later.alteration is not None
                definition = definition.altered(later.alteration)
            self._found = index, definition
        return state._replace(definition=self._found[1], alteration=None)

    def between(self, start: Position, stop: Position) -> TableStates:
        """Return the states that positions from one to another have."""
        first = max(bisect_right(self.positions, start) - 1, 0)
        last = bisect_left(self.positions, stop)
        if first >= last:
            return TableStates()
        return TableStates(
            self.positions[first:last], [self._state(first), *self._states[first + 1 : last]]
        )

    def forget_before(self, position: Position) -> None:
        """Forget the states of positions before one."""
        kept = self.between(position, (sys.maxsize, 0, 0))
        self.positions, self._states, self._found = kept.positions, kept._states, kept._found


_WHOLE_LOG: Final = sys.maxsize
_START: Final = (0, 0)

# From and up to where each former name was that of the table, as indices of logs and offsets; the
# last one first.
Spans = Mapping[TableName, Sequence[tuple[tuple[int, int], tuple[int, int]]]]


def former_names(
    changes: Iterable[tuple[Position, Definition]], table: TableName, case: NameCase
) -> Spans:
    """Return where a table had other names.

    Args:
        changes: of base tables, in order.
        table: the table, as it is called after all of them.
        case: says which names rows may have of a table of a statement.
    """
    renames: list[tuple[int, int, TableName, TableName]] = []
    for (log, pos, _), change in changes:
        if isinstance(change, RenameTables):
            renames += ((log, pos, old, new) for old, new in change.names)
        elif isinstance(change, AlterTable) and change.new_name is not None:
            renames.append((log, pos, change.table, change.new_name))
    spans: defaultdict[TableName, list[tuple[tuple[int, int], tuple[int, int]]]]
    spans = defaultdict(list)
    ends: dict[TableName, tuple[int, int]] = {}  # of spans whose start is not found yet
    for log, pos, old, new in reversed(renames):
        formers = {name: ends.pop(name) for name in case.spellings(new) if name in ends}
        for name, end in formers.items():
            spans[name].append(((log, pos), end))
        if formers or table in case.spellings(new):
            for name in {*case.spellings(old)} - {table}:
                ends.setdefault(name, (log, pos))
            continue
        for name in case.spellings(old):  # which was another table's before
            if name in ends:
                spans[name].append(((log, pos + 1), ends.pop(name)))
    for name, end in ends.items():
        spans[name].append((_START, end))
    return dict(spans)


def names_in(spans: Spans, log: int) -> dict[TableName, list[range]]:
    """Return the former names of a table in a log, with the offsets at which they are its names.

    Rows of the table's own name always count, whatever table had it.
    """
    return {
        name: [
            range(start if first == log else 0, end if last == log else _WHOLE_LOG)
            for (first, start), (last, end) in ranges
            if first <= log <= last and (first, start) < (last, end)
        ]
        for name, ranges in spans.items()
        if any(first[0] <= log <= last[0] and first < last for first, last in ranges)
    }
