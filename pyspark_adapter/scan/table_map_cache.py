"""The table maps that a log has had so far, in the form in which kernels look them up.

A log describes a table again in each statement, nearly always in the same bytes. So the content of
a table map (its body after the table id) is parsed once, and found again by its bytes. The number
of a content is its slot.
"""

from __future__ import annotations

from secrets import randbits
from typing import Final

import numpy as np

from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.values.column_types import width_of

# Contents to keep; beyond this only those of the open statement are kept.
MAX_SLOTS: Final = 8192
_FIRST_SLOTS: Final = 64
_FIRST_IDS: Final = 256
_FREE: Final = -1
_U64: Final = (1 << 64) - 1


class TableMapCache:
    """Contents of table maps by slot, and the table ids of the open statement.

    Attributes:
        table_maps: by slot; another list if slots change.
        num_forgotten: contents of slots before this one are not found again.
        salt: a random odd number, for the hashes of the kernels.
        open_slots: slots of table maps with open digits, for `event_digits`.
        map_table: slots by the hashes of their contents.
        map_hashes: of the contents, by slot.
        map_offsets, map_bytes: slot k has map_bytes[map_offsets[k] : map_offsets[k + 1]].
        id_keys, id_slots, id_statements: by the hash of a table id: it, its slot, and the statement
            of its last table map.
        widths: of the columns of all slots, as `width_of` gives them.
        plans, plan_columns, plan_json: of each slot the index of its first width, the number of its
            columns, and of its JSON columns.
    """

    def __init__(self) -> None:
        self.salt = randbits(62) | 1
        self.id_keys = np.full(_FIRST_IDS, _FREE, dtype=np.int64)
        self.id_slots = np.zeros(_FIRST_IDS, dtype=np.int32)
        self.id_statements = np.full(_FIRST_IDS, -1, dtype=np.int64)
        self._clear_contents()

    def _clear_contents(self) -> None:
        self.table_maps: list[TableMap] = []
        self.open_slots: set[int] = set()
        self._closed: dict[TableMap, int] = {}
        self.num_forgotten = 0
        self._max_slots = MAX_SLOTS
        self.map_table = np.full(4 * _FIRST_SLOTS, _FREE, dtype=np.int32)
        self.map_hashes = np.zeros(_FIRST_SLOTS, dtype=np.uint64)
        self.map_offsets = np.zeros(_FIRST_SLOTS + 1, dtype=np.int64)
        self.map_bytes = np.zeros(1 << 14, dtype=np.uint8)
        self.widths = np.zeros(1 << 10, dtype=np.int32)
        self.plans = np.zeros(_FIRST_SLOTS, dtype=np.int64)
        self.plan_columns = np.zeros(_FIRST_SLOTS, dtype=np.int64)
        self.plan_json = np.zeros(_FIRST_SLOTS, dtype=np.int64)

    @property
    def is_full(self) -> bool:
        """Whether `keep_statement` should be called as soon as no slot is in use."""
        return len(self.table_maps) >= self._max_slots

    def add(self, content: Numbers, content_hash: int, table_map: TableMap) -> None:
        """Give a content the next slot.

        Args:
            content: body of the table map event after the table id.
            content_hash: of the content, as `kernels.scan` found it.
        """
        slot = len(self.table_maps)
        if slot == len(self.map_hashes):
            self._grow_slots()
        end = int(self.map_offsets[slot]) + len(content)
        self.map_bytes = _with_room(self.map_bytes, end)
        self.map_bytes[end - len(content) : end] = content
        self.map_offsets[slot + 1] = end
        self.map_hashes[slot] = content_hash
        self._enter(slot)

        widths = [*map(width_of, table_map.columns)]
        first = int(self.plans[slot - 1] + self.plan_columns[slot - 1]) if slot else 0
        self.widths = _with_room(self.widths, first + len(widths))
        self.widths[first : first + len(widths)] = widths
        self.plans[slot] = first
        self.plan_columns[slot] = len(widths)
        self.plan_json[slot] = len(table_map.json_columns)
        self.table_maps.append(table_map)
        if not table_map.has_logged_digits and table_map.has_open_digits:
            self.open_slots.add(slot)

    def slot_of_closed(self, table_map: TableMap) -> int:
        """Return the slot of a table map whose digits the rows show; the scan never finds it."""
        slot = self._closed.setdefault(table_map, len(self.table_maps))
        if slot == len(self.table_maps):
            self.add(np.empty(0, dtype=np.uint8), 0, table_map)
            self.open_slots.discard(slot)
        return slot

    def _enter(self, slot: int) -> None:
        """Put a slot into the hash table of contents, unless it has none."""
        if self.map_offsets[slot] == self.map_offsets[slot + 1]:
            return
        mask = len(self.map_table) - 1
        bucket = int(self.map_hashes[slot]) & mask
        while self.map_table[bucket] != _FREE:
            bucket = (bucket + 1) & mask
        self.map_table[bucket] = slot

    def _grow_slots(self) -> None:
        count = len(self.map_hashes)
        for name in ("map_hashes", "map_offsets", "plans", "plan_columns", "plan_json"):
            setattr(self, name, _with_room(getattr(self, name), len(getattr(self, name)) + count))
        self.map_table = np.full(2 * len(self.map_table), _FREE, dtype=np.int32)
        for slot in range(self.num_forgotten, count):
            self._enter(slot)

    def grow_ids(self, statement: int) -> int:
        """Make room for more table ids, drop those of earlier statements; return their number."""
        alive = self._alive(statement)
        size = len(self.id_keys)
        while size < 4 * (len(alive) + 1):
            size *= 2
        self.id_keys = np.full(size, _FREE, dtype=np.int64)
        self.id_slots = np.zeros(size, dtype=np.int32)
        self.id_statements = np.full(size, -1, dtype=np.int64)
        for table_id, slot in alive:
            self._set_id(table_id, slot, statement)
        return len(alive)

    def forget_contents(self) -> None:
        """Treat every content as new from here on: it may mean another table.

        Slots and table ids stay, for rows that have been scanned and rows of the open statement.
        """
        self.num_forgotten = len(self.table_maps)
        self.map_table[:] = _FREE

    def keep_statement(self, statement: int) -> int:
        """Forget all contents except those of the open statement; return the number of its ids.

        Slots change: none may be in use elsewhere.
        """
        alive = self._alive(statement)
        # Those that are forgotten already come first, so that they stay forgotten.
        slots = sorted({slot for _, slot in alive})
        num_forgotten = sum(slot < self.num_forgotten for slot in slots)
        contents = [
            (
                self.map_bytes[self.map_offsets[slot] : self.map_offsets[slot + 1]].copy(),
                int(self.map_hashes[slot]),
                self.table_maps[slot],
            )
            for slot in slots
        ]
        self._clear_contents()
        # Room for as many again: a statement may have more table maps than are kept otherwise.
        self._max_slots = max(MAX_SLOTS, 2 * len(slots))
        for k, content in enumerate(contents):
            self.add(*content)
            if k + 1 == num_forgotten:
                self.forget_contents()
        moved = {slot: k for k, slot in enumerate(slots)}
        self.id_keys[:] = _FREE
        for table_id, slot in alive:
            self._set_id(table_id, moved[slot], statement)
        return len(alive)

    def _alive(self, statement: int) -> list[tuple[int, int]]:
        """Return (table id, slot) of the table maps of a statement."""
        buckets = np.flatnonzero((self.id_keys != _FREE) & (self.id_statements == statement))
        return [(int(self.id_keys[b]), int(self.id_slots[b])) for b in buckets]

    def _set_id(self, table_id: int, slot: int, statement: int) -> None:
        mask = len(self.id_keys) - 1
        bucket = (table_id * self.salt & _U64) >> 32 & mask  # as `find_id` of the kernels
        while self.id_keys[bucket] not in (_FREE, table_id):
            bucket = (bucket + 1) & mask
        self.id_keys[bucket] = table_id
        self.id_slots[bucket] = slot
        self.id_statements[bucket] = statement


def _with_room(array: Numbers, size: int) -> Numbers:
    """Return the array, or a longer one with the same beginning."""
    if size <= len(array):
        return array
    longer = np.zeros(max(size, 2 * len(array)), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
