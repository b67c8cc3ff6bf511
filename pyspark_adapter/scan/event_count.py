"""How many rows an event changes."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import TableMap


@dataclass(frozen=True, slots=True)
class EventCount:
    """Row changes of one kind of one table, in a rows event or several.

    Attributes:
        table_map: of the table.
        change: the kind of row image.
        count: how many.
        site: the first event.
    """

    table_map: TableMap
    change: int
    count: int
    site: EventSite
