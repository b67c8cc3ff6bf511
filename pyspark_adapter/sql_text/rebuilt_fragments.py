"""The chosen row changes of a log as fragments of SQL, with what foreign keys did after each.

It reads all changes of the log, one by one, since the rows of a table follow from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    DropDatabase,
    DropTables,
    TruncateTable,
)
from pyspark_adapter.ddl.table_definition import Alteration
from pyspark_adapter.errors import BinlogError, EventSite, located
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.format.header import LEN_HEADER
from pyspark_adapter.format.schema import FormatDescription
from pyspark_adapter.kernels.layout import Event, Transaction
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.event_digits import close_digits
from pyspark_adapter.scan.row_images import locate_event
from pyspark_adapter.scan.scanned_events import ScannedEvents, within_bounds
from pyspark_adapter.sql_text.cascades import Cascades
from pyspark_adapter.sql_text.findings import Findings, xa_of
from pyspark_adapter.sql_text.fragment_list import FragmentList, row_changes
from pyspark_adapter.sql_text.fragments import SqlFragments
from pyspark_adapter.sql_text.log_changes import LogChanges

# Of the flags of a rows event: the session has foreign_key_checks=0, and nothing is carried over.
# Source: NO_FOREIGN_KEY_CHECKS_F of log_event.h, MySQL and MariaDB.
_NO_FOREIGN_KEY_CHECKS: Final = 2


def _keeps_rows(alteration: Alteration) -> bool:
    """Return whether rows and columns are the same after an ALTER TABLE."""
    return alteration == Alteration(
        indexes=alteration.indexes,
        foreign_keys=alteration.foreign_keys,
        dropped_foreign_keys=alteration.dropped_foreign_keys,
    )


class RebuiltFragments:
    """Writes the chosen row changes of one log, and what foreign keys did."""

    def __init__(self, changes: LogChanges, cascades: Cascades) -> None:
        self._changes = changes
        self._cascades = cascades
        self._is_changed = True  # definitions, since they were last asked for
        self._tables_of_xids: dict[str, set[TableName]] = {}
        self._format: FormatDescription | None = None
        self._carries_over = self._knows_references = True

    def __iter__(self) -> Iterator[SqlFragments]:
        """Yield the changes, in order; raises BinlogError, after the changes before the damage."""
        try:
            for scanned in self._changes.windows():
                yield from self._read(scanned)
        except BinlogError:
            self._cascades.forget(None)  # the rest may be skipped
            raise

    def _read(self, scanned: ScannedEvents) -> Iterator[SqlFragments]:
        """Yield the changes of a window."""
        fragments = FragmentList(self._changes.request, scanned)
        try:
            for _ in self._read_events(scanned, fragments):
                if fragments.is_full:
                    yield from fragments.take()
        except BinlogError:
            yield from fragments.take()
            raise
        yield from fragments.take()

    def _read_events(self, scanned: ScannedEvents, fragments: FragmentList) -> Iterator[None]:
        """Read a window up to the end of the range; yield after each event."""
        changes = self._changes
        keeps = changes.filter.events(scanned)
        num_events, first = scanned.events.shape[1], 0
        is_chosen = np.ones(num_events, dtype=bool) if keeps is None else keeps
        close_digits(scanned, np.arange(num_events))
        starts = scanned.transactions[Transaction.START_POS]
        for placed in (*scanned.statements, None):
            end = num_events if placed is None else placed.event
            for event in range(first, end):
                if changes.is_after_range(int(starts[scanned.events[Event.TRANSACTION, event]])):
                    return
                site = scanned.site(event)
                with located(site), within_bounds(site):
                    self._read_event(
                        scanned, event, site, fragments, is_chosen=bool(is_chosen[event])
                    )
                yield
            first = end
            if placed is not None:
                changes.notes.read(placed.statement)
                self._follow(placed.statement)

    def _read_event(
        self,
        scanned: ScannedEvents,
        event: int,
        site: EventSite,
        fragments: FragmentList,
        *,
        is_chosen: bool,
    ) -> None:
        """Read the rows of an event."""
        table_map = scanned.tables.table_maps[int(scanned.events[Event.SLOT, event])]
        assert scanned.format is not None
        self._note_server(scanned.format, is_chosen=is_chosen)
        if self._is_changed:
            self._is_changed = False
            definitions = (
                *self._changes.targets.log.definitions(site),
                *self._changes.request.user_ddl.definitions(),
            )
            self._cascades.link(definitions, knows_references=self._knows_references)
        is_concerned = self._cascades.is_concerned(table_map.table)
        if not (is_chosen or is_concerned):
            return
        target = self._changes.targets.of(table_map)
        start = int(scanned.events[Event.OFFSET, event]) + LEN_HEADER
        flags = int(scanned.data[start + scanned.format.len_table_id])
        carries_over = self._carries_over and not flags & _NO_FOREIGN_KEY_CHECKS
        tables: set[TableName] = set()
        xid = scanned.transactions[Transaction.XID, scanned.events[Event.TRANSACTION, event]]
        if xid and is_concerned:
            tables = self._tables_of_xids.setdefault(scanned.xids[xid - 1], tables)
            tables.add(table_map.table)
        parts = locate_event(scanned, event, self._changes.request.options.batch_bytes)
        images = (image for part in parts for image in part.all())
        for change in row_changes(target, images):
            if is_chosen:
                fragments.add(change, table_map.table, event)
            if not is_concerned:
                continue
            for rebuilt in self._cascades.follow(
                change, table_map, site, carries_over=carries_over, is_chosen=is_chosen
            ):
                tables.add(rebuilt.target.table)
                if is_chosen:
                    fragments.add(rebuilt, rebuilt.target.table, event)

    def _note_server(self, description: FormatDescription, *, is_chosen: bool) -> None:
        if self._format is description:
            return
        self._format = description
        if is_chosen:
            self._changes.request.findings.note_server(description)
        of_log = Findings()
        of_log.note_server(description)
        self._carries_over = not of_log.logs_cascades
        self._knows_references = of_log.knows_references
        self._is_changed = True

    def _follow(self, statement: Statement) -> None:
        """Tell the cascades of a statement."""
        if statement.kind & StatementKind.NOTED:
            self._follow_end(statement)
        elif statement.kind & StatementKind.DEFINES or statement.text[:8].upper() == b"TRUNCATE":
            self._is_changed = True
            self._follow_definition(statement)
        elif statement.kind & UNLOGGED_CHANGES:
            self._cascades.forget(statement.table)

    def _follow_end(self, statement: Statement) -> None:
        if not statement.text:  # the server lost changes
            self._cascades.forget(None)
            return
        verb, xid = xa_of(statement)
        if verb == "XA ROLLBACK":
            for table in self._tables_of_xids.pop(xid, ()):
                self._cascades.forget(table)

    def _follow_definition(self, statement: Statement) -> None:
        cascades, log = self._cascades, self._changes.targets.log
        ddl = log.ddl(statement)
        for change in log.base_changes(ddl):
            match change:
                case CreateTable(table, if_absent=if_absent):
                    if not if_absent or ddl.parsed.session.says_if_carried_out:
                        cascades.create(table)
                case TruncateTable(table):
                    cascades.create(table)
                case DropTables(tables):
                    for table in tables:
                        cascades.forget(table)
                case AlterTable(table, alteration, new_name):
                    if new_name is not None or not _keeps_rows(alteration):
                        for name in (table, *alteration.exchanged, *filter(None, [new_name])):
                            cascades.forget(name)
                case DropDatabase(names):
                    for table in log.tables_in(names, statement.site):
                        cascades.forget(table)
                case _:
                    cascades.forget(None)
