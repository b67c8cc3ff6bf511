"""The chosen row changes of a log as fragments of SQL, written by kernels.

What the kernels leave is written by `RowChange`, from the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError, located
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import fill_json, write_changes
from pyspark_adapter.kernels.layout import (
    JSON_SLACK,
    MAX_JSON_DEPTH,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    LocatedRow,
    Numbers,
    Total,
)
from pyspark_adapter.kernels.sql_layout import (
    Form,
    Literal,
    SqlColumn,
    SqlCursor,
    SqlFragment,
    SqlValue,
)
from pyspark_adapter.scan.event_digits import close_digits
from pyspark_adapter.scan.kernel_counts import FailedEventError, count_error, count_events
from pyspark_adapter.scan.row_images import LocatedImages, locate_rows, new_cursor
from pyspark_adapter.scan.scanned_events import ScannedEvents, within_bounds
from pyspark_adapter.sql_text.column_forms import printable_letters, single_byte_codes
from pyspark_adapter.sql_text.fragment_list import row_changes, written_fragment
from pyspark_adapter.sql_text.fragments import Refused, SqlFragments
from pyspark_adapter.sql_text.kernel_rows import Table, Text, Written, fragments_of
from pyspark_adapter.sql_text.log_changes import LogChanges
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.target_table import TargetTable

_MOST_TEXT: Final = 64 << 20  # of the tables of a window whose changes are merged
_GROWTH: Final = 3  # bytes of text for a byte of values; more is rare
_NO_TEXT: Final = np.empty(0, dtype=np.uint8)
_NO_ENDS: Final = np.empty((0, 0), dtype=np.int64)

# A table, or why it cannot be written, and columns of `ScannedEvents.events`.
_Group = tuple[object, Numbers]


class KernelFragments:
    """Writes the chosen row changes of one log."""

    def __init__(self, changes: LogChanges) -> None:
        self._changes = changes
        self._request = changes.request
        self._tables: dict[int, Table] = {}
        self._text = Text()
        self._stack = np.zeros((MAX_JSON_DEPTH, 5), dtype=np.int64)

    def __iter__(self) -> Iterator[SqlFragments]:
        """Yield the changes, in order; raises BinlogError."""
        for scanned in self._changes.windows():
            for statement in scanned.statements:
                self._changes.notes.read(statement.statement)
            if scanned.events.shape[1]:
                with within_bounds(scanned.site(0), len(scanned.data)):
                    for fragments in self._read(scanned):
                        if scanned.format is not None:
                            self._request.findings.note_server(scanned.format)
                        yield fragments

    def _read(self, scanned: ScannedEvents) -> Iterator[SqlFragments]:
        """Yield the changes of a window."""
        kept = self._changes.filter.selected(scanned)
        if not len(kept):
            return
        close_digits(scanned, kept)
        groups = self._group(scanned, kept)
        if len(groups) == 1:
            for written in self._write(scanned, *groups[0], grows=False):
                yield self._fragments(scanned, [written])
                self._text.end = 0
                if written.failed is not None:
                    raise written.failed[1]
            return
        for run in self._runs(scanned, groups):
            of_tables = [w for group in run for w in self._write(scanned, *group, grows=True)]
            failures = [written.failed for written in of_tables if written.failed is not None]
            failed = min(failures, key=lambda failure: failure[0], default=None)
            yield self._fragments(scanned, of_tables, None if failed is None else failed[0])
            self._text.end = 0
            if failed is not None:
                raise failed[1]

    def _group(self, scanned: ScannedEvents, kept: Numbers) -> list[_Group]:
        """Return the tables that events are about, each with its events."""
        tables = scanned.tables
        slots = scanned.events[lay.Event.SLOT, kept]
        numbers: dict[int, int] = {}
        group_of_slot = np.zeros(len(tables.table_maps), dtype=np.int64)
        targets: list[object] = []
        for slot in np.unique(slots).tolist():
            table_map = tables.table_maps[slot]
            target = self._changes.targets.of(table_map)
            group_of_slot[slot] = number = numbers.setdefault(id(target), len(numbers))
            if number == len(targets):
                targets.append(target)
                if isinstance(target, TargetTable) and id(target) not in self._tables:
                    self._tables[id(target)] = Table(table_map, target, self._request)
        if len(targets) == 1:
            return [(targets[0], kept)]
        groups = group_of_slot[slots]
        order = np.argsort(groups, kind="stable")
        bounds = np.searchsorted(groups[order], np.arange(1, len(targets)))
        return list(zip(targets, np.split(kept[order], bounds), strict=True))

    def _runs(self, scanned: ScannedEvents, groups: list[_Group]) -> Iterator[list[_Group]]:
        """Cut the events of several tables so that the text of each part fits the room."""
        events = np.sort(np.concatenate([selection for _, selection in groups]))
        costs = np.zeros(scanned.events.shape[1], dtype=np.int64)
        for target, selection in groups:
            if isinstance(target, TargetTable):
                table = self._tables[id(target)]
                ends, begins = scanned.events[[lay.Event.END, lay.Event.ROWS]][:, selection]
                counts = np.maximum(count_events(scanned, selection), 1)
                costs[selection] = _GROWTH * (ends - begins) + counts * table.bytes_by_row
        parts = np.cumsum(costs[events]) // _MOST_TEXT
        for bounds in np.split(events, np.flatnonzero(np.diff(parts)) + 1):
            first, last = bounds[0], bounds[-1]
            cut = [
                (target, selection[(selection >= first) & (selection <= last)])
                for target, selection in groups
            ]
            yield [(target, selection) for target, selection in cut if len(selection)]

    def _write(
        self, scanned: ScannedEvents, target: object, selection: Numbers, *, grows: bool
    ) -> Iterator[Written]:
        """Write the changes of one table, some at a time.

        Args:
            target: its table, or why it cannot be written.
            selection: columns of `scanned.events`.
            grows: whether the text is kept; else the caller clears it after each part.
        """
        if isinstance(target, CannotWriteError):
            yield self._refuse(scanned, target, selection)
            return
        assert isinstance(target, TargetTable)
        table = self._tables[id(target)]
        try:
            cursor = new_cursor(self._request.options.batch_bytes)
            for rows in locate_rows(scanned, table.layout, selection, cursor):
                for written in self._write_rows(table, rows, grows=grows):
                    yield written
                    if written.failed is not None:
                        return
        except FailedEventError as failed:
            yield Written.nothing(table.number, failed=(failed.event, failed.error))

    def _write_rows(self, table: Table, rows: LocatedImages, *, grows: bool) -> Iterator[Written]:
        """Write located rows."""
        text = self._text
        num_images = rows.located.shape[1]
        uses, json_text, json_ends = table.uses, _NO_TEXT, _NO_ENDS
        if table.json_columns:
            uses, json_text, json_ends = self._write_json(table, rows)
        change = np.ascontiguousarray(rows.located[LocatedRow.CHANGE])
        fragments = np.empty((len(SqlFragment), num_images), dtype=np.int64)
        cursor = np.zeros(len(SqlCursor), dtype=np.int64)
        is_full = num_images > 0
        while is_full:
            first = int(cursor[SqlCursor.CHANGE])
            cursor[SqlCursor.TEXT] = text.end
            is_full = bool(
                write_changes(
                    rows.scanned.data,
                    rows.pos,
                    change,
                    num_images,
                    table.columns,
                    uses,
                    table.finders,
                    table.has_key,
                    table.texts,
                    table.spans,
                    table.members,
                    printable_letters(),
                    single_byte_codes(),
                    json_text,
                    json_ends,
                    self._request.is_undo,
                    table.slack,
                    text.data,
                    fragments,
                    cursor,
                    self._stack,
                )
            )
            text.end = int(cursor[SqlCursor.TEXT])
            end = int(cursor[SqlCursor.CHANGE])
            if end > first:
                yield self._finish(table, rows, fragments[:, first:end])
            if is_full and (grows or end == first):
                text.grow(len(text.data))

    def _write_json(self, table: Table, rows: LocatedImages) -> tuple[Numbers, Numbers, Numbers]:
        """Return how values are written, the documents as text, and where each begins and ends.

        Documents of a column in which one is not valid are left to Python.
        """
        num_images = rows.located.shape[1]
        uses = table.uses
        sizes = rows.totals[Total.BYTES, table.json_columns] * MAX_JSON_GROWTH
        sizes += num_images * (MAX_JSON_GROWTH_BASE + JSON_SLACK)
        ends = np.concatenate([[0], np.cumsum(np.minimum(sizes, lay.MAX_INT32))])
        out = np.empty(int(ends[-1]), dtype=np.uint8)
        json_ends = np.zeros((len(table.json_columns), num_images + 1), dtype=np.int64)
        offsets = np.zeros(num_images + 1, dtype=np.int32)
        for k, column in enumerate(table.json_columns):
            width = -int(table.columns[column, SqlColumn.WIDTH])
            part = out[ends[k] : ends[k + 1]]
            status = fill_json(
                rows.scanned.data,
                rows.pos[column],
                num_images,
                width,
                offsets,
                part,
                np.zeros(1, dtype=np.int64),
                self._stack,
            )
            json_ends[k] = offsets
            json_ends[k] += ends[k]
            if status:
                if uses is table.uses:
                    uses = uses.copy()
                uses[:, column, SqlValue.KIND] = Literal.PYTHON
        return uses, out, json_ends

    def _finish(self, table: Table, rows: LocatedImages, fragments: Numbers) -> Written:
        """Write what the kernel has left, and return the fragments."""
        unwritten: list[tuple[int, int, Refused]] = []
        failed: tuple[int, BinlogError] | None = None
        for k in np.flatnonzero(fragments[SqlFragment.FORM] == Form.PYTHON).tolist():
            first = int(fragments[SqlFragment.IMAGE, k])
            event = int(rows.located[LocatedRow.EVENT, first])
            try:
                with located(rows.scanned.site(event)):
                    changes = list(row_changes(table.target, rows.images(first)))
            except BinlogError as error:
                failed, fragments = (event, error), fragments[:, :k]
                break
            for change in changes:
                fragment = written_fragment(
                    change, table.target.table, rows.scanned, event, self._request
                )
                if isinstance(fragment, Refused):
                    unwritten.append((k, event, fragment))
                    continue
                form, text = fragment
                fragments[SqlFragment.FORM, k] = form
                fragments[SqlFragment.BEGIN, k] = self._text.end
                self._text.append(text.encode())
                fragments[SqlFragment.END, k] = self._text.end
        is_fragment = fragments[SqlFragment.FORM] < Form.PYTHON
        of_images = rows.located[LocatedRow.EVENT, fragments[SqlFragment.IMAGE]]
        refused = [
            (
                event,
                replace(fragment, index=int((is_fragment[:k] & (of_images[:k] == event)).sum())),
            )
            for k, event, fragment in unwritten
        ]
        if not is_fragment.all():
            fragments = fragments[:, is_fragment]
        first_images = fragments[SqlFragment.IMAGE]
        return Written(
            fragments,
            rows.located[LocatedRow.EVENT, first_images],
            rows.located[LocatedRow.CHANGE, first_images],
            table.number,
            refused,
            failed,
        )

    def _refuse(
        self, scanned: ScannedEvents, target: CannotWriteError, selection: Numbers
    ) -> Written:
        """Count the changes of a table that cannot be written."""
        counts = count_events(scanned, selection)
        failed = None
        for k in np.flatnonzero(counts < 0)[:1].tolist():
            event = int(selection[k])
            failed = event, count_error(scanned, event, int(counts[k]))
            selection, counts = selection[:k], counts[:k]
        refused = []
        for event in selection[counts > 0][:1].tolist():
            name = scanned.tables.table_maps[int(scanned.events[lay.Event.SLOT, event])].table
            count = int(counts.sum())
            refusal = Refused("rows", name, target.reason, scanned.site(event), count)
            refused.append((event, refusal))
        return Written.nothing(0, refused, failed)

    def _fragments(
        self, scanned: ScannedEvents, of_tables: Sequence[Written], failed: int | None = None
    ) -> SqlFragments:
        """Return the changes of several tables in the order of the log.

        Args:
            of_tables: what was written of each.
            failed: the first event some of whose rows cannot be read; later ones are left out.
        """
        refused = [pair for written in of_tables for pair in written.refused]
        if len(of_tables) == 1:
            (only,) = of_tables
            table, events, changes = only.fragments, only.events, only.changes
            numbers = np.full(len(events), only.number, dtype=np.int64)
        else:
            events = np.concatenate([written.events for written in of_tables])
            order = np.argsort(events, kind="stable")
            if failed is not None:
                order = order[: np.searchsorted(events[order], failed, side="right")]
                refused = [pair for pair in refused if pair[0] <= failed]
            table = np.concatenate([written.fragments for written in of_tables], axis=1)[:, order]
            changes = np.concatenate([written.changes for written in of_tables])[order]
            repeats = [len(written.events) for written in of_tables]
            numbers = np.repeat([written.number for written in of_tables], repeats)[order]
            events = events[order]
        return fragments_of(
            scanned,
            self._text.data,
            np.ascontiguousarray(table),
            numbers,
            changes,
            events,
            [
                replace(refusal, index=int(np.searchsorted(events, event)) + refusal.index)
                for event, refusal in sorted(refused, key=lambda pair: pair[0])
            ],
        )
