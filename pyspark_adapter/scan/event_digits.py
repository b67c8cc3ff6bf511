"""Gives each rows event of a window a table map in which MariaDB's old fractions have digits."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import DECODED, TRAITS, TWO_BITMAPS
from pyspark_adapter.kernels.layout import Event, Numbers
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.digit_search import DigitSearch
from pyspark_adapter.scan.scanned_events import ScannedEvents


def close_digits(
    scanned: ScannedEvents, selection: Numbers, table: TableName | None = None
) -> None:
    """Change the slots of events whose table maps have open digits.

    Args:
        scanned: the window.
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
