"""What one table name stands for along the logs."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pyspark_adapter.ddl.table_definition import Alteration, TableDefinition

# A place in the logs: the index of a log, an offset in it, and one in a compressed payload or -1.
Place = tuple[int, int, int]
BEGIN: Final[Place] = (-1, 0, 0)

# Bytes that a definition takes for each of its columns, which it shares with others.
_COLUMN_BYTES: Final = 8


class TableState(NamedTuple):
    """A table at some place.

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

    places: list[Place] = field(default_factory=list)
    _states: list[TableState] = field(default_factory=list)
    _latest: TableDefinition | None = None
    _num_bytes: int = 0  # of statements since a definition was kept
    _found: tuple[int, TableDefinition | None] = (-1, None)  # the last one that was worked out

    def add(
        self, place: Place, state: TableState, alteration: Alteration | None, num_bytes: int
    ) -> None:
        """Add the next state.

        Args:
            place: of the statement.
            state: after it.
            alteration: if the state is the one before with this.
            num_bytes: of the statement.
        """
        self._num_bytes += num_bytes
        columns = () if state.definition is None else state.definition.columns
        is_step = alteration is not None and self._latest is not None and bool(columns)
        if is_step and self._num_bytes < _COLUMN_BYTES * len(columns):
            kept = state._replace(definition=None, alteration=alteration)
        else:
            kept, self._num_bytes = state, 0
        self._latest = state.definition
        self.places.append(place)
        self._states.append(kept)

    def insert(self, place: Place, state: TableState) -> None:
        """Set the state from a place on, up to the next one that is known."""
        index = bisect_left(self.places, place)
        if index < len(self.places) and self.places[index] == place:
            self._states[index] = state
        else:
            self.places.insert(index, place)
            self._states.insert(index, state)
        if index == len(self.places) - 1:
            self._latest = state.definition
        self._found = -1, None

    def at(self, place: Place) -> TableState:
        """Return the state at a place."""
        index = bisect_right(self.places, place) - 1
        return NOT_THERE if index < 0 else self._state(index)

    def _state(self, index: int) -> TableState:
        state = self._states[index]
        if state.alteration is None:
            return state
        if self._found[0] != index:
            start = index
            while self._states[start].alteration is not None and start != self._found[0]:
                start -= 1
            place, definition = self._found
            if start != place:
                definition = self._states[start].definition
            for later in self._states[start + 1 : index + 1]:
                assert definition is not None
                assert later.alteration is not None
                definition = definition.altered(later.alteration)
            self._found = index, definition
        return state._replace(definition=self._found[1], alteration=None)

    def between(self, start: Place, stop: Place) -> TableStates:
        """Return the states that places from one to another have."""
        first = max(bisect_right(self.places, start) - 1, 0)
        last = bisect_left(self.places, stop)
        if first >= last:
            return TableStates()
        return TableStates(
            self.places[first:last], [self._state(first), *self._states[first + 1 : last]]
        )

    def forget_before(self, place: Place) -> None:
        """Forget the states of places before one."""
        kept = self.between(place, (sys.maxsize, 0, 0))
        self.places, self._states, self._found = kept.places, kept._states, kept._found
