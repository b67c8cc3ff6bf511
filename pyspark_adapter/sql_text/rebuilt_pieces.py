"""The chosen row changes of a log as pieces of SQL, with what foreign keys did after each.

It reads all changes of the log, in plain Python, since the rows of a table follow from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    CreateTable,
    DropDatabase,
    DropTables,
    TruncateTable,
)
from pyspark_adapter.ddl.table_definition import Alteration
from pyspark_adapter.decode.reference.reader import ReferenceReader
from pyspark_adapter.errors import BinlogError, EventSite, located
from pyspark_adapter.events.frame import Frame, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, Statement, StatementKind
from pyspark_adapter.filters.row_filter import RowFilter
from pyspark_adapter.format.schema import EventParser
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sql_text.cascades import Cascades
from pyspark_adapter.sql_text.findings import NOTED_KINDS, Findings, StatementNotes, xa_of
from pyspark_adapter.sql_text.pieces import Heads, Pieces
from pyspark_adapter.sql_text.reference_pieces import PieceList, is_after_range, row_changes
from pyspark_adapter.sql_text.targets import Targets
from pyspark_adapter.timeline.user_ddl import UserDdl

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


def rebuilt_pieces(
    log_file: LogFile,
    options: BinlogOptions,
    targets: Targets,
    findings: Findings,
    heads: Heads,
    cascades: Cascades,
    user_ddl: UserDdl,
    *,
    is_undo: bool,
) -> Iterator[Pieces]:
    """Yield the chosen row changes of a log, and what foreign keys did, in order.

    Args:
        log_file: the log.
        options: of the read.
        targets: finds the tables.
        findings: filled in.
        heads: of all pieces.
        cascades: told of all changes.
        user_ddl: the tables of the option ddl.
        is_undo: whether the pieces take the changes back.

    Raises:
        BinlogError: if the log is damaged, after the changes before that.
    """
    reader = _Reader(log_file, options, targets, findings, cascades, user_ddl)
    pieces = PieceList(log_file, heads, is_undo=is_undo)
    error: BinlogError | None = None
    try:
        for frame in reader.frames:
            site = frame_site(log_file, frame)
            with located(site):
                if reader.is_after(frame):
                    break
                reader.read(frame, site, pieces)
            if pieces.is_full and (found := pieces.take()) is not None:
                yield found
        else:
            reader.rows.check_finished()
    except BinlogError as failure:
        error = failure
        cascades.forget(None)  # the rest may be skipped
    if (found := pieces.take()) is not None:
        yield found
    if error is not None:
        raise error


class _Reader:
    """Reads the rows events of one log; see `rebuilt_pieces` for the arguments."""

    def __init__(
        self,
        log_file: LogFile,
        options: BinlogOptions,
        targets: Targets,
        findings: Findings,
        cascades: Cascades,
        user_ddl: UserDdl,
    ) -> None:
        self._targets = targets
        self._findings = findings
        self._cascades = cascades
        self._user_ddl = user_ddl
        self._row_filter = RowFilter(options, log_file)
        self._notes = StatementNotes(findings, options, targets.log, self._row_filter)
        self._is_changed = True  # definitions, since they were last asked for
        self._tables_of_xids: dict[str, set[TableName]] = {}
        request = ReadRequest(options, pa.schema([]))
        self.rows = ReferenceReader(log_file, request, targets, kinds=NOTED_KINDS, gives_all=True)
        self.frames = FrameReader(log_file, options)
        self._found: tuple[RowPlan, Any] | None = None  # in the latest event
        self._parser: EventParser | None = None
        self._carries_over = self._knows_references = True

    def is_after(self, frame: Frame) -> bool:
        """Follow an event; return whether it, and all after it, are after the range."""
        self._found = self.rows.take(frame, self.frames.parser)
        if self.rows.statement is not None:
            self._notes.read(self.rows.statement)
            self._follow(self.rows.statement)
        current = self.rows.transaction
        return (
            current is not None
            and frame.start_pos == current.start_pos
            and is_after_range(current.start_pos, self._row_filter, self._findings)
        )

    def read(self, frame: Frame, site: EventSite, pieces: PieceList) -> None:
        """Read the rows of the event."""
        current = self.rows.transaction
        if self._found is None or current is None:
            return
        plan, parsed = self._found
        table_map, is_chosen = plan.table_map, self.rows.is_chosen
        self._note_server()
        if self._is_changed:
            self._is_changed = False
            definitions = (*self._targets.log.definitions(site), *self._user_ddl.definitions())
            self._cascades.link(definitions, knows_references=self._knows_references)
        is_concerned = self._cascades.is_concerned(table_map.table)
        if not (is_chosen or is_concerned):
            return
        target = self._targets.of(table_map)
        flags = frame.body[self.frames.parser.format_description.len_table_id]
        carries_over = self._carries_over and not flags & _NO_FOREIGN_KEY_CHECKS
        if current.xid is not None and is_concerned:
            tables = self._tables_of_xids.setdefault(current.xid, set())
            tables.add(table_map.table)
        for change in row_changes(target, self.rows.images(frame, plan, parsed)):
            if is_chosen:
                pieces.add(change, table_map.table, site, current)
            if not is_concerned:
                continue
            for rebuilt in self._cascades.follow(
                change, table_map, site, carries_over=carries_over, is_chosen=is_chosen
            ):
                if current.xid is not None:
                    tables.add(rebuilt.target.table)
                if is_chosen:
                    pieces.add(rebuilt, rebuilt.target.table, site, current)

    def _note_server(self) -> None:
        if self._parser is self.frames.parser:
            return
        self._parser = self.frames.parser
        description = self._parser.format_description
        if self.rows.is_chosen:
            self._findings.note_server(description)
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
        cascades, log = self._cascades, self._targets.log
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
