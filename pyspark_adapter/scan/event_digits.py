"""Gives each rows event of a window a table map in which MariaDB's old fractions have digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from pyspark_adapter.events.table_map import OLD_TEMPORALS, Column, TableMap
from pyspark_adapter.format.event_types import DECODED, TRAITS, TWO_BITMAPS
from pyspark_adapter.kernels.fractions import ALL_DIGITS, DIFFERS, Choice, Fact, Fit, Saved
from pyspark_adapter.kernels.layout import Event, Numbers
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.values.column_types import width_of

# Values to look at, for each byte of rows and in all, before a search is given up.
_STEPS_PER_BYTE: Final = 256
_MIN_STEPS: Final = 4096
# Table maps to keep.
_MAX_KNOWN: Final = 256


class DigitSearch:
    """Finds the digits from the rows of one event, independent of all other events.

    So it does not matter where in a log a read begins.

    Args:
        find: `kernels.fractions.find_digits`, compiled or not.
    """

    def __init__(self, find: Callable[..., int]) -> None:
        self._find = find
        self._facts: dict[TableMap, Numbers] = {}

    def close(
        self, table_map: TableMap, bitmaps: Sequence[Any], data: Any, start: int, end: int
    ) -> TableMap:
        """Return a table map for the rows of an event, with the digits that they show.

        Args:
            table_map: with open digits.
            bitmaps: the columns-present bitmap of each image.
            data: bytes with the rows.
            start, end: of the rows in the data.

        Returns:
            The table map; where the rows do not show the digits of a column, it has those that are
            possible, and as metadata -1 or some with which the rows can be counted.
        """
        num_columns = len(table_map.columns)
        present = np.zeros((2, num_columns), dtype=np.int64)
        counts = np.array([-1, -1])
        for image, bitmap in enumerate(bitmaps):
            bits = np.unpackbits(
                np.frombuffer(bitmap, dtype=np.uint8), count=num_columns, bitorder="little"
            )
            indices = np.flatnonzero(bits)
            present[image, : len(indices)] = indices
            counts[image] = len(indices)
        facts = self._facts_of(table_map)
        digits = np.zeros((len(Choice), num_columns), dtype=np.int64)
        fit = Fit.ONE
        if counts.max() > 0:
            stack = np.empty((len(Saved), num_columns), dtype=np.int64)
            trail = np.empty((2, 10 * num_columns), dtype=np.int64)
            steps = _STEPS_PER_BYTE * (end - start) + _MIN_STEPS
            fit = Fit(
                self._find(data, start, end, present, counts, facts, digits, stack, trail, steps)
            )
        columns = zip(
            table_map.columns,
            digits[Choice.DIGITS].tolist(),
            digits[Choice.FIRST].tolist(),
            strict=True,
        )
        return replace(table_map, columns=tuple(_close(fit, *column) for column in columns))

    def _facts_of(self, table_map: TableMap) -> Numbers:
        facts = self._facts.get(table_map)  # once: each hash goes over all columns
        if facts is None:
            if len(self._facts) >= _MAX_KNOWN:
                self._facts.clear()
            facts = np.zeros((len(Fact), len(table_map.columns)), dtype=np.int64)
            for column in table_map.columns:
                if column.possible_digits:
                    facts[Fact.KIND, column.index] = OLD_TEMPORALS[column.type_code]
                facts[Fact.WIDTH, column.index] = width_of(column)
                facts[Fact.IS_NULLABLE, column.index] = column.is_nullable
            self._facts[table_map] = facts
        return facts


def _close(fit: Fit, column: Column, digits: int, first: int) -> Column:
    """Return a column with its possible digits, as bits."""
    if not column.possible_digits or fit in (Fit.NONE, Fit.UNCLEAR):
        return column
    possible = [n for n in ALL_DIGITS if digits >> n & 1] or [0]
    widths = {width_of(replace(column, metadata=n)) for n in possible}
    is_clear = len(widths) == 1 and (0 in possible or not digits & DIFFERS or len(possible) == 1)
    if is_clear:
        return replace(column, metadata=possible[0], possible_digits=())
    any_that_fit = (first & -first).bit_length() - 1
    return replace(column, metadata=any_that_fit, possible_digits=tuple(possible))


def close_digits(
    scanned: ScannedEvents, selection: Numbers, table: TableName | None = None
) -> None:
    """Change the slots of events whose table maps have open digits.

    Args:
        selection: columns of `scanned.events`.
        table: the only table that matters; None for all.
    """
    tables = scanned.tables
    slots = [slot for slot in tables.open_slots if table in (None, tables.table_maps[slot].table)]
    if not slots:
        return
    # Compiled only for logs that need it.
    from pyspark_adapter.kernels.entry_points import find_digits

    search = DigitSearch(find_digits)
    events = scanned.events
    for event in selection[np.isin(events[Event.SLOT, selection], slots)].tolist():
        table_map = tables.table_maps[events[Event.SLOT, event]]
        traits = TRAITS[events[Event.TYPE, event]]
        num_columns = len(table_map.columns)
        if not traits & DECODED or events[Event.NUM_COLUMNS, event] != num_columns:
            continue  # an error when the rows are read
        bitmap, length = events[Event.BITMAP, event], (num_columns + 7) // 8
        bitmaps = [
            scanned.data[bitmap + i * length : bitmap + (i + 1) * length]
            for i in range(2 if traits & TWO_BITMAPS else 1)
        ]
        start, end = events[Event.ROWS, event], events[Event.END, event]
        closed = search.close(table_map, bitmaps, scanned.data, start, end)
        events[Event.SLOT, event] = tables.slot_of_closed(closed)
