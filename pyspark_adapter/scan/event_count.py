"""How many rows some events of a table change."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import TableMap


@dataclass(frozen=True, slots=True)
class EventCount:
    """Row changes of one table, in a rows event or those of a window.

    Attributes:
        table_map: of the first event.
        is_described: whether the log names the columns for all events.
        site: of the first event.
        num_inserts, num_updates, num_deletes: row changes; an update counts once.
        num_bytes: of the events, decompressed and without checksums.
        num_transactions: how many they are in.
        first_transaction, last_transaction: numbers that tell the transactions of a log apart.
        first_micros, last_micros: earliest and latest commit time, in microseconds since
            1970-01-01 UTC.
    """

    table_map: TableMap
    is_described: bool
    site: EventSite
    num_inserts: int
    num_updates: int
    num_deletes: int
    num_bytes: int
    num_transactions: int
    first_transaction: int
    last_transaction: int
    first_micros: int
    last_micros: int
