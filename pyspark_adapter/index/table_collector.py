"""Takes what a log says of its tables while its transactions are counted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.errors import BinlogError, EventSite
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.format.header import type_code_at
from pyspark_adapter.index.key_collector import KeyedTableMaps
from pyspark_adapter.index_store.index_schema import (
    CONTENTS,
    FIRSTS,
    SHAPES,
    STATEMENTS,
    TABLES,
    UNLOGGED,
)
from pyspark_adapter.kernels.layout import Event, Numbers, Transaction
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.scanned_events import ScannedEvents

# Limits of the table data of a log; beyond them it is dropped.
_MAX_SHAPES: Final = 1 << 18
_MAX_BYTES: Final = 64 << 20
# Table maps whose rows are looked at, from which those of earlier statements are removed.
_MAX_KNOWN: Final = 8192
_OF_STATEMENT: Final = [
    Transaction.START_POS,
    Transaction.COMMIT_MICROS,
    Transaction.GTID_KIND,
    Transaction.GTID_A,
    Transaction.GTID_B,
    Transaction.GTID_C,
]
# No rows event.
_NONE: Final = (-1, 0, -1, 0)
_NEVER: Final = (sys.maxsize, 0)


class TableCollector:
    """The table maps and statements of a log, as an index keeps them; a `TableMapSink`.

    Args:
        completer: completes table maps for others; None to leave them as they are logged.

    Attributes:
        kinds: of the statements to call `take` with.
        is_complete: whether it has all; else there were too many.
        positions: of statements that define tables, or change rows without logging them.
        unlogged_positions: of the latter.
    """

    kinds = StatementKind.DEFINES | UNLOGGED_CHANGES

    def __init__(self, completer: KeyedTableMaps | None) -> None:
        self._completer = completer
        self.is_complete = True
        self.positions: list[int] = []
        self.unlogged_positions: list[int] = []
        self._num_bytes = 0
        self._num_statements = 0
        self._has_nameless = False
        self._contents: dict[bytes, tuple[int, TableName, bool]] = {}
        self._of_table: dict[TableName, set[int]] = {}  # indices of contents
        self._shapes: list[list[int]] = []  # rows of SHAPES
        self._current: dict[bytes, int] = {}  # shapes since the last statement
        self._statements: list[tuple[Any, ...]] = []  # rows of STATEMENTS
        self._first_open = 0  # the first one whose transaction may not be known yet
        self._unlogged: list[tuple[TableName, int, EventSite, int]] = []
        self._firsts: dict[TableName, tuple[int, int, int, int]] = {}
        # By the id of a table map, which lasts as long as it is kept here.
        self._known: dict[int, tuple[TableMap, int]] = {}

    def _end_shapes(self) -> None:
        """Note that a statement may change tables that the log does not describe."""
        if self._has_nameless:
            self._current.clear()

    @property
    def version(self) -> int:
        """Changes whenever the same table map may be another one than before."""
        own = self._num_statements if self._has_nameless else 0
        return own + (0 if self._completer is None else self._completer.version)

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        site = statement.site
        self.positions.append(site.start_pos)
        if statement.kind & UNLOGGED_CHANGES:
            self.unlogged_positions.append(site.start_pos)
        if self._completer is not None and statement.kind & self._completer.kinds:
            self._completer.take(statement)
        if not self.is_complete:
            return
        if statement.kind & StatementKind.DEFINES or statement.is_truncate:
            self._num_statements += 1
            self._end_shapes()
            row = site.start_pos, site.inner_pos, statement.event, site.start_pos, 0, 0, 0, 0, 0
            self._statements.append(row)
            self._weigh(len(statement.event))
        if statement.kind & UNLOGGED_CHANGES:
            try:
                table = statement.table or TableName(statement.database, "*")
            except BinlogError:  # a list of tables says so
                self._give_up()
            else:
                self._unlogged.append((table, 1, site, type_code_at(statement.event)))

    def complete(self, table_map: TableMap, site: EventSite) -> TableMap:
        """Take the next table map, and return it completed; each time another object."""
        number = self._number_of(table_map, site) if self.is_complete else -1
        completed = replace(table_map)
        if self._completer is not None:
            completed = self._completer.complete(table_map, site)
        self._known[id(completed)] = completed, number
        return completed

    def _number_of(self, table_map: TableMap, site: EventSite) -> int:
        """Return the index of the shape of a table map."""
        content, table = table_map.content, table_map.table
        known = self._contents.get(content)
        if known is None:
            is_described = table_map.is_described_by_log
            known = self._contents[content] = len(self._contents), table, is_described
            self._of_table.setdefault(table, set()).add(known[0])
            self._num_bytes += len(content)
        self._has_nameless |= not known[2]
        number = self._current.setdefault(content, len(self._shapes))
        if number == len(self._shapes):
            position = site.start_pos, site.inner_pos
            self._shapes.append([known[0], *position, *position])
            self._weigh(0)
        return number if self.is_complete else -1

    def _weigh(self, num_bytes: int) -> None:
        self._num_bytes += num_bytes
        if len(self._shapes) > _MAX_SHAPES or self._num_bytes > _MAX_BYTES:
            self._give_up()

    def _give_up(self) -> None:
        self.is_complete = False
        for part in (self._contents, self._of_table, self._shapes, self._current):
            part.clear()
        for more in (self._statements, self._unlogged):
            more.clear()
        self._firsts.clear()
        self._known.clear()
        self._first_open = 0

    def take_rows(self, scanned: ScannedEvents, counts: Numbers) -> None:
        """Note the first rows of tables, and the last ones of tables with several contents."""
        if not self.is_complete:
            return
        slots, tables = scanned.events[Event.SLOT], scanned.tables.table_maps
        firsts: dict[TableName, tuple[int, int]] = {}
        first = last = slots[:0]
        for slot in np.flatnonzero(np.bincount(slots)).tolist():
            table_map = tables[slot]
            table = table_map.table
            _, number = self._known.get(id(table_map), (None, -1))
            if number < 0:  # its digits were found in its rows
                number = self._current.get(table_map.content, -1)
            is_first = table not in self._firsts
            if number < 0 or not (is_first or len(self._of_table[table]) > 1):
                continue
            if not len(first):
                first, last = _first_and_last(slots, counts)
            if is_first and first[slot] >= 0:
                change = int(first[slot]), number
                firsts[table] = min(firsts.get(table, change), change)
            if len(self._of_table[table]) > 1:
                site = scanned.site(int(last[slot]))
                self._shapes[number][3:] = site.start_pos, site.inner_pos
        for table, (event, number) in firsts.items():
            site = scanned.site(event)
            offset = int(scanned.events[Event.OFFSET, event])
            type_code = type_code_at(scanned.reader.data, offset)
            self._firsts[table] = number, site.start_pos, site.inner_pos, type_code
        if len(self._known) > _MAX_KNOWN:
            kept = set(self._current.values())
            self._known = {key: entry for key, entry in self._known.items() if entry[1] in kept}

    def take_transactions(self, fields: Numbers) -> None:
        """Take the next transactions, which the last statements are in.

        Args:
            fields: (NUM_TRANSACTION_FIELDS, m), as `ScannedEvents` has them.
        """
        starts = fields[Transaction.START_POS]
        for k in range(self._first_open, len(self._statements)):
            row = self._statements[k]
            index = int(np.searchsorted(starts, row[0], side="right")) - 1
            if index < 0:
                self._first_open = k + 1
            else:
                self._statements[k] = (*row[:3], *fields[_OF_STATEMENT, index].tolist())

    def lacks_last_rows(self, end: int) -> bool:
        """Return whether the last rows of a content before an offset are not known."""
        return any(shape[1] < end <= shape[3] for shape in self._shapes)

    def parts(self, tables: Sequence[TableName], end: int) -> dict[str, pa.RecordBatch]:
        """Return the parts of the index, up to where it ends."""
        contents = list(self._contents.items())
        shapes = self._shapes_before(end)
        used = max((shape[0] for shape in shapes), default=-1) + 1
        rows = [
            (table.database_name, table.table_name, is_described, content)
            for content, (_, table, is_described) in contents[:used]
        ]
        nameless = {TableName(*row[:2]) for row in rows if not row[2]}
        firsts = []
        for table in tables:
            first = self._firsts.get(table, _NONE)
            firsts.append((*(first if first[1] < end else _NONE), table not in nameless))
        unlogged: dict[tuple[str, str], list[int]] = {}
        for table, count, site, type_code in self._unlogged:
            if site.start_pos < end:
                key = table.database_name, table.table_name
                new = [0, site.start_pos, site.inner_pos, type_code]
                unlogged.setdefault(key, new)[0] += count
        return {
            "firsts": _batch(firsts, pa.schema([TABLES.field(name) for name in FIRSTS])),
            "contents": _batch(rows, CONTENTS),
            "shapes": _batch(shapes, SHAPES),
            "statements": _batch([row for row in self._statements if row[0] < end], STATEMENTS),
            "unlogged": _batch([(*key, *row) for key, row in unlogged.items()], UNLOGGED),
        }

    def _shapes_before(self, end: int) -> list[list[int]]:
        """Return the shapes before an offset; see SHAPES on when their last rows count."""
        tables = [table for _, table, _ in self._contents.values()]
        shapes: list[list[int]] = []
        # By table the content of the next shape, where it is, and where the next other content is.
        later: dict[TableName, tuple[int, tuple[int, int], tuple[int, int]]] = {}
        for content, *position in reversed(self._shapes):
            first, last = (position[0], position[1]), (position[2], position[3])
            if first[0] >= end:
                continue
            next_, where, other = later.get(tables[content], (content, _NEVER, _NEVER))
            if next_ != content:
                other = where
            later[tables[content]] = content, first, other
            is_apart = other < last and last[0] < end
            shapes.append([content, *first, *(last if is_apart else first)])
        return shapes[::-1]


def _first_and_last(slots: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return by slot the first event with rows, -1 for none, and the last event."""
    order = np.arange(len(slots))
    first, last = np.full((2, int(slots.max()) + 1), -1)
    last[slots] = order  # the last one of a slot stays
    has_rows = counts > 0
    first[slots[has_rows][::-1]] = order[has_rows][::-1]
    return first, last


def _batch(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.RecordBatch:
    columns = [*zip(*rows, strict=True)] if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
