"""Takes the keys of the rows of a log while its transactions are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.index_store.keys import KeySpec, spec_of
from pyspark_adapter.kernels.entry_points import count_with_keys
from pyspark_adapter.kernels.layout import MAX_COLUMNS, Event, Numbers, Present, Transaction
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.event_digits import close_digits
from pyspark_adapter.scan.scanned_events import ScannedEvents
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter

# Keys, and the transactions that they are of by their start; of one specification.
_Part = tuple[Numbers, Numbers]
# Table maps whose specifications are known, at most.
_MAX_KNOWN = 8192


class KeyedTableMaps(TableMapCompleter):
    """Completes the table maps of a log, also by keys that only definitions have."""

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Return a table map with what definitions know of it."""
        completed = super().complete(table_map, site)
        key = self.row_key(completed, site)
        labels = [column.label for column in completed.columns]
        return replace(completed, row_key=tuple(map(labels.index, key)))


class KeyCollector:
    """The keys of a log, by specification.

    Args:
        wants: whether the keys of a table are taken.

    Attributes:
        specs: the specifications; keys refer to them by index.
    """

    def __init__(self, wants: Callable[[TableName], bool]) -> None:
        self._wants = wants
        # By the id of a table map, which lasts as long as it is kept here.
        self._known: dict[int, tuple[TableMap, int]] = {}
        self.specs: dict[KeySpec, int] = {}
        self._parts: list[list[_Part]] = []
        self._kinds: list[list[int]] = []  # of the columns of each specification
        self._without: list[tuple[TableName, Numbers]] = []  # starts of transactions
        self._images = np.zeros((2, len(Present), MAX_COLUMNS), dtype=np.int32)
        self._keys = np.zeros(0, dtype=np.uint64)

    def _number_of(self, table_map: TableMap) -> int:
        """Return the index of the specification of a table map; -1 for none."""
        if id(table_map) not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            spec = spec_of(table_map) if self._wants(table_map.table) else None
            number = -1 if spec is None else self.specs.setdefault(spec, len(self.specs))
            if number == len(self._parts):
                assert spec is not None
                self._parts.append([])
                self._kinds.append([column.kind for column in spec.columns])
            self._known[id(table_map)] = table_map, number
        return self._known[id(table_map)][1]

    def count(self, scanned: ScannedEvents, selection: Numbers) -> Numbers:
        """Return the row changes of events, as `count_events`, and take their keys."""
        close_digits(scanned, selection)
        events, tables = scanned.events, scanned.tables
        slots = events[Event.SLOT, selection]
        counts = np.zeros(len(selection), dtype=np.int64)
        kinds, sizes, spec_of_slot = self._of_slots(scanned, slots)
        room = int((events[Event.END] - events[Event.ROWS]).sum()) + 2 * len(selection)
        if len(self._keys) < room:
            self._keys = np.empty(room, dtype=np.uint64)
        ends = np.zeros(len(selection), dtype=np.int64)
        lacks = np.zeros(len(selection), dtype=bool)
        num_keys = count_with_keys(
            *scanned.events_to_walk(selection),
            kinds,
            sizes,
            counts,
            self._images,
            self._keys,
            ends,
            lacks,
        )
        starts = scanned.transactions[Transaction.START_POS][events[Event.TRANSACTION, selection]]
        self._take(spec_of_slot[slots], starts, np.diff(ends, prepend=0), num_keys)
        lacking = np.flatnonzero(lacks)
        for slot in np.unique(slots[lacking]).tolist():
            of_slot = lacking[slots[lacking] == slot]
            self._without.append((tables.table_maps[slot].table, np.unique(starts[of_slot])))
        return counts

    def _of_slots(self, scanned: ScannedEvents, slots: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the kinds of all columns, and by slot the size of the key and its index."""
        tables = scanned.tables
        kinds = np.zeros(len(tables.widths), dtype=np.int32)
        sizes = np.zeros(len(tables.plans), dtype=np.int32)
        numbers = np.full(len(tables.plans), -1, dtype=np.int64)
        for slot in np.unique(slots).tolist():
            table_map = tables.table_maps[slot]
            number = self._number_of(table_map)
            if number < 0:
                continue
            of_key = np.array(sorted(table_map.row_key)) + tables.plans[slot]
            kinds[of_key] = self._kinds[number]
            sizes[slot], numbers[slot] = len(of_key), number
        return kinds, sizes, numbers

    def _take(self, numbers: Numbers, starts: Numbers, lengths: Numbers, num_keys: int) -> None:
        """Keep the keys of a window."""
        if not num_keys:
            return
        keys = self._keys[:num_keys]
        used = np.unique(numbers[lengths > 0])
        for number in used.tolist():
            of_event = starts
            own, count = keys, lengths
            if len(used) > 1:
                chosen = numbers == number
                own, of_event, count = (
                    keys[np.repeat(chosen, lengths)],
                    starts[chosen],
                    lengths[chosen],
                )
            self._parts[number].append((own.copy(), np.repeat(of_event, count)))

    def keys_before(self, end: int, step: int) -> list[_Part]:
        """Return the keys of transactions before an offset, and their blocks, by specification."""
        parts_before = []
        for parts in self._parts:
            keys = np.concatenate([keys for keys, _ in parts] or [self._keys[:0]])
            starts = np.concatenate([starts for _, starts in parts] or [np.zeros(0, np.int64)])
            parts.clear()
            if (starts >= end).any():
                keys, starts = keys[starts < end], starts[starts < end]
            parts_before.append((keys, (starts - len(MAGIC)) // step))
        return parts_before

    def without_keys(self, end: int, step: int) -> set[tuple[int, TableName]]:
        """Return the blocks and tables with rows whose keys are not all known."""
        return {
            ((start - len(MAGIC)) // step, table)
            for table, starts in self._without
            for start in starts.tolist()
            if start < end
        }
