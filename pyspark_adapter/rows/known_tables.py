"""The table maps that a log has shown so far, in the form in which the kernels look them up.

A table is described again in each statement, nearly always in the same bytes. So the content of a
table map (its body after the table id) is parsed once, and later ones are recognised by their
bytes: the number of a content is its slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.plan.row_plan import RowPlan, plan_nothing

# Contents to keep; beyond this only those of the open statement survive.
MAX_SLOTS: Final = 8192
_FIRST_SLOTS: Final = 64
_FIRST_IDS: Final = 256
_FREE: Final = -1
_U64: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """What a reader does with the rows of a table map.

    Attributes:
        plan: how it reads them; None if they are not asked for.
    """

    plan: RowPlan | None


class KnownTables:
    """Contents of table maps by slot, and the table ids of the open statement.

    Attributes:
        table_maps: by slot.
        uses: by slot; filled in by the reader, None until then.
        map_table, map_hashes, map_offsets, map_bytes, id_keys, id_slots, id_statements: for
            `kernels.scan`.
        widths, plans, plan_columns, plan_json: for `kernels.rows`.
    """

    def __init__(self) -> None:
        self.id_keys = np.full(_FIRST_IDS, _FREE, dtype=np.int64)
        self.id_slots = np.zeros(_FIRST_IDS, dtype=np.int32)
        self.id_statements = np.full(_FIRST_IDS, -1, dtype=np.int64)
        self._clear_contents()

    def _clear_contents(self) -> None:
        self.table_maps: list[TableMap] = []
        self.uses: list[ColumnUse | None] = []
        self._forgotten = 0  # slots before this one are not found by their content
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
        """Whether `keep_statement` should be called before the next `add`."""
        return len(self.table_maps) >= MAX_SLOTS

    def add(self, content: np.ndarray[Any, Any], content_hash: int, table_map: TableMap) -> None:
        """Give a content the next slot.

        Args:
            content: body of the table map event after the table id.
            content_hash: of the content, as `kernels.scan` found it.
            table_map: the parsed event.
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

        plan = plan_nothing(table_map)
        first = int(self.plans[slot - 1] + self.plan_columns[slot - 1]) if slot else 0
        self.widths = _with_room(self.widths, first + len(plan.widths))
        self.widths[first : first + len(plan.widths)] = plan.widths
        self.plans[slot] = first
        self.plan_columns[slot] = len(plan.widths)
        self.plan_json[slot] = len(table_map.json_columns)
        self.table_maps.append(table_map)
        self.uses.append(None)

    def _enter(self, slot: int) -> None:
        """Put a slot into the hash table of contents."""
        mask = len(self.map_table) - 1
        place = int(self.map_hashes[slot]) & mask
        while self.map_table[place] != _FREE:
            place = (place + 1) & mask
        self.map_table[place] = slot

    def _grow_slots(self) -> None:
        count = len(self.map_hashes)
        for name in ("map_hashes", "map_offsets", "plans", "plan_columns", "plan_json"):
            setattr(self, name, _with_room(getattr(self, name), len(getattr(self, name)) + count))
        self.map_table = np.full(2 * len(self.map_table), _FREE, dtype=np.int32)
        for slot in range(self._forgotten, count):
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

    def forget_contents(self, statement: int) -> int:
        """Take no content for a known one any more; return the number of ids left.

        Slots stay as they are, for rows that have been scanned. Table ids of the open statement
        get slots of their own, of which no content is the same.
        """
        alive = self._alive(statement)
        self.map_table[:] = _FREE
        self.id_keys[:] = _FREE
        for table_id, slot in alive:
            fresh = len(self.table_maps)
            self.add(np.empty(0, dtype=np.uint8), 0, self.table_maps[slot])
            self._set_id(table_id, fresh, statement)
        self._forgotten = len(self.table_maps)
        self.map_table[:] = _FREE
        return len(alive)

    def keep_statement(self, statement: int) -> int:
        """Forget all contents but those of the open statement; return the number of its ids.

        Slots change: none may be in use elsewhere.
        """
        alive = self._alive(statement)
        contents = {}
        for _, slot in alive:
            start, end = self.map_offsets[slot], self.map_offsets[slot + 1]
            contents[slot] = (
                self.map_bytes[start:end].copy(),
                int(self.map_hashes[slot]),
                self.table_maps[slot],
            )
        self._clear_contents()
        moved = {}
        for slot, content in contents.items():
            moved[slot] = len(self.table_maps)
            self.add(*content)
        self.id_keys[:] = _FREE
        for table_id, slot in alive:
            self._set_id(table_id, moved[slot], statement)
        return len(alive)

    def _alive(self, statement: int) -> list[tuple[int, int]]:
        """Return (table id, slot) of the table maps of a statement."""
        places = np.flatnonzero((self.id_keys != _FREE) & (self.id_statements == statement))
        return [(int(self.id_keys[p]), int(self.id_slots[p])) for p in places]

    def _set_id(self, table_id: int, slot: int, statement: int) -> None:
        mask = len(self.id_keys) - 1
        place = (table_id * lay.HASH_FACTOR & _U64) >> 32 & mask  # as `find_id` of the scan
        while self.id_keys[place] not in (_FREE, table_id):
            place = (place + 1) & mask
        self.id_keys[place] = table_id
        self.id_slots[place] = slot
        self.id_statements[place] = statement


def _with_room(array: np.ndarray[Any, Any], size: int) -> np.ndarray[Any, Any]:
    """Return the array, or a longer one with the same beginning."""
    if size <= len(array):
        return array
    longer = np.zeros(max(size, 2 * len(array)), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
