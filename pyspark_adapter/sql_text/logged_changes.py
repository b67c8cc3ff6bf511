"""The chosen changes of logs, in order, with all that SQL about them depends on.

Rows are found by the reference decoder: it keeps the logged bytes of each value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import pyarrow as pa

from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.decode.reference.reader import ReferenceReader
from pyspark_adapter.decode.reference.row_images import Missing, PartialDocument, RowImage
from pyspark_adapter.discovery.survey import Surveyor
from pyspark_adapter.errors import EventSite, OptionError, located, one_line
from pyspark_adapter.events.frame import Frame, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.statements import UNLOGGED_CHANGES, StatementKind, StatementList
from pyspark_adapter.events.table_map import TableMap
from pyspark_adapter.events.transactions import Transaction
from pyspark_adapter.filters.row_filter import RowFilter, TableFilter
from pyspark_adapter.format.schema import EventParser, EventType
from pyspark_adapter.ignored_errors import ignoring
from pyspark_adapter.kernels.layout import Change
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sql_text.refusal import CannotWriteError
from pyspark_adapter.sql_text.row_change import Row, RowChange
from pyspark_adapter.sql_text.target_table import TargetTable
from pyspark_adapter.sql_text.touched_tables import touched_tables
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl

_XA_ENDS: Final = (b"XA COMMIT ", b"XA ROLLBACK ")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LoggedTransaction:
    """A transaction as a comment names it.

    Attributes:
        site: of its first event.
        gtid: its GTID; None if it has none.
        commit_micros: commit time, microseconds since 1970-01-01 UTC.
        xid: its name, if it is the prepared part of a distributed transaction; else None.
    """

    site: EventSite
    gtid: str | None
    commit_micros: int
    xid: str | None

    def __str__(self) -> str:
        time = (_EPOCH + timedelta(microseconds=self.commit_micros)).isoformat(" ")
        gtid = f" {self.gtid}" if self.gtid is not None else ""
        return one_line(f"{self.site.log_file}:{self.site.start_pos}{gtid} {time}")


@dataclass(slots=True)
class Findings:
    """What the logs hold besides rows, filled in while they are read.

    Attributes:
        statements: what a statement in the range does to chosen tables, and where: definitions,
            and changes that are logged as statements.
        outcomes: of the distributed transactions that end in the logs: whether they commit.
        parents: by child, the tables whose changes foreign keys carry over to it, of children
            whose definition is known.
        references: the same of foreign keys in the definitions of columns, which not all servers
            know.
        knows_references: whether a server of the range does.
        logs_cascades: whether the server logs what foreign keys do.
    """

    statements: list[tuple[EventSite, str]] = field(default_factory=list)
    outcomes: dict[str, bool] = field(default_factory=dict)
    parents: dict[TableName, frozenset[TableName]] = field(default_factory=dict)
    references: dict[TableName, frozenset[TableName]] = field(default_factory=dict)
    knows_references: bool = False
    logs_cascades: bool = True


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A row change, or why it cannot be written.

    Attributes:
        transaction: that made it.
        site: of its rows event.
        table: its table.
        change: the change, or the reason why there is none.
    """

    transaction: LoggedTransaction
    site: EventSite
    table: TableName
    change: RowChange | CannotWriteError


class _LogReader:
    """Reads the changes of logs, one log after the other.

    Args:
        log_files: in order.
        options: of the read.
        findings: filled in.
    """

    def __init__(
        self, log_files: Sequence[LogFile], options: BinlogOptions, findings: Findings
    ) -> None:
        self._log_files = log_files
        self._options = options
        self._findings = findings
        self._tables = TableFilter(options)
        self._user_ddl = UserDdl.of(options)
        self._timeline = Timeline(log_files, Surveyor(log_files, options), self._user_ddl)
        self._prepared: set[str] = set()  # distributed transactions that are chosen
        self._targets: dict[
            tuple[TableMap, TableDefinition | None], TargetTable | CannotWriteError
        ] = {}

    def read(self) -> Iterator[LoggedChange]:
        has_read = False
        for log_file in self._log_files:
            if RowFilter(self._options, log_file).keeps_none:
                if not has_read:
                    continue  # the timeline reads it, if it is asked
                if self._prepared <= self._findings.outcomes.keys():
                    return  # the range has ended
                with ignoring(self._options):
                    self._find_outcomes(log_file)
                continue
            has_read = True
            log = FollowedLog(self._timeline, log_file, is_whole=True)
            with ignoring(self._options):
                yield from self._read_log(log_file, log)
            self._note_parents(log.latest)

    def _note_parents(self, tables: Mapping[TableName, TableDefinition | None]) -> None:
        for table, definition in (*tables.items(), *self._user_ddl.tables.items()):
            if definition is None:
                continue
            if definition.parents:
                self._findings.parents[table] = frozenset(definition.parents)
            found = [column.reference for column in definition.columns if column.reference]
            if found:
                self._findings.references[table] = frozenset(
                    replace(parent, database_name=parent.database_name or table.database_name)
                    for parent in found
                )

    def _note_statements(self, statements: StatementList, log: FollowedLog) -> None:
        """Note statements that row changes do not show."""
        for statement in statements.found:
            touches = bool(statement.kind & StatementKind.DEFINES) and any(
                not touched.is_of_indexes
                and touched.includes(self._tables.may_keep, self._keeps_database)
                for touched in map(touched_tables, log.base_changes(log.ddl(statement)))
            )
            if not touches and statement.kind & UNLOGGED_CHANGES:
                touches = statement.table is None or self._tables.may_keep(statement.table)
            if touches:
                self._findings.statements.append((statement.site, one_line(statement.summary)))
        statements.found.clear()

    def _keeps_database(self, database: str) -> bool:
        """Return whether tables of a database may be chosen."""
        databases, tables = self._options.databases, self._options.tables
        return (databases is None or any(pattern.matches(database) for pattern in databases)) and (
            tables is None or any(pattern.database.matches(database) for pattern in tables)
        )

    def _read_log(self, log_file: LogFile, log: FollowedLog) -> Iterator[LoggedChange]:
        options = self._options
        completer = TableMapCompleter(log, self._user_ddl)
        statements = StatementList(StatementKind.DEFINES | UNLOGGED_CHANGES)
        request = ReadRequest(options, pa.schema([]))
        reader = ReferenceReader(log_file, request, completer, statements=statements)
        frames = FrameReader(log_file, options)
        row_filter = RowFilter(options, log_file)
        transaction: tuple[Transaction, LoggedTransaction] | None = None
        parser: EventParser | None = None
        for frame in frames:
            site = frame_site(log_file, frame)
            with located(site):
                found = reader.take(frame, frames.parser)
                self._note_statements(statements, log)
                if frame.plain_type == EventType.incident and (
                    frame.start_pos >= row_filter.first_pos
                ):
                    self._findings.statements.append((site, "an incident: the server lost changes"))
                current = reader.transaction
                if current is None:
                    continue
                self._follow_xa(frame, site, frames.parser, current, row_filter)
                if self._is_after_range(frame, current, row_filter):
                    return
                if found is None:
                    continue
                plan, parsed = found
                if transaction is None or transaction[0] is not current:
                    transaction = current, _describe(log_file, current)
                if parser is not frames.parser:
                    parser = frames.parser
                    _note_server(parser, self._findings)
                table_map = plan.table_map
                target = self._target(table_map, log, site)
                images = reader.images(frame, plan, parsed)
                for change in _changes(target, images):
                    yield LoggedChange(transaction[1], site, table_map.table, change)
        log.finish()
        reader.check_finished()

    def _is_after_range(
        self, frame: Frame, transaction: Transaction, row_filter: RowFilter
    ) -> bool:
        """Return whether a frame, and all that follow it, are after the range.

        The rest is read if it may say how a distributed transaction ends.
        """
        return (
            row_filter.end_pos is not None
            and frame.start_pos == transaction.start_pos
            and transaction.start_pos >= row_filter.end_pos
            and self._prepared <= self._findings.outcomes.keys()
        )

    def _follow_xa(
        self,
        frame: Frame,
        site: EventSite,
        parser: EventParser,
        transaction: Transaction,
        row_filter: RowFilter,
    ) -> None:
        """Note how distributed transactions begin and end."""
        is_query = frame.plain_type == EventType.query
        if not is_query and frame.plain_type != EventType.xa_prepare:
            return
        is_chosen = row_filter.keeps_transaction(
            transaction.start_pos, transaction.commit_micros, transaction.gtid
        )
        if not is_query:
            if transaction.xid is not None:
                if is_chosen:
                    self._prepared.add(transaction.xid)
                if parser.parse(frame.event).body.is_one_phase:
                    self._findings.outcomes[transaction.xid] = True
        elif (found := self._take_outcome(frame, parser)) is not None:
            xid, is_committed = found
            if is_chosen and is_committed and xid not in self._prepared:
                reason = f"{one_line(f'XA COMMIT {xid}')}, which was prepared before the range"
                self._findings.statements.append((site, reason))

    def _find_outcomes(self, log_file: LogFile) -> None:
        """Look in a log after the range for the ends of distributed transactions."""
        frames = FrameReader(log_file, self._options)
        for frame in frames:
            if frame.plain_type == EventType.query:
                with located(frame_site(log_file, frame)):
                    self._take_outcome(frame, frames.parser)
                if self._prepared <= self._findings.outcomes.keys():
                    return

    def _take_outcome(self, frame: Frame, parser: EventParser) -> tuple[str, bool] | None:
        """Note and return what a statement says of a distributed transaction; None for others."""
        if not any(word in frame.event for word in _XA_ENDS):
            return None
        text = bytes(parser.parse(frame.event).body.query)
        for word, is_committed in zip(_XA_ENDS, (True, False), strict=True):
            if text.startswith(word):
                xid = text[len(word) :].decode(errors="backslashreplace")
                self._findings.outcomes[xid] = is_committed
                return xid, is_committed
        return None

    def _target(
        self, table_map: TableMap, log: FollowedLog, site: EventSite
    ) -> TargetTable | CannotWriteError:
        definition = log.definition_at(table_map.table, site)
        if (table_map, definition) not in self._targets:
            try:
                target: TargetTable | CannotWriteError = TargetTable.of(
                    table_map, definition, self._options.default_charset
                )
            except CannotWriteError as error:
                target = error
            self._targets[table_map, definition] = target
        return self._targets[table_map, definition]


def chosen_changes(
    log_files: Sequence[LogFile], options: BinlogOptions, findings: Findings
) -> Iterator[LoggedChange]:
    """Yield the chosen changes of logs, in order.

    Args:
        log_files: in order.
        options: of the read; `table` chooses as `tables` does.
        findings: filled in; complete after the last change.

    Raises:
        OptionError: if the options choose one image of updates and not the other.
        BinlogError: if a log is damaged.
    """
    changes = options.change_types
    if changes is not None and ("update_preimage" in changes) != ("update_postimage" in changes):
        allowed = "both images of updates (update), or none"
        raise OptionError(
            f"option changeTypes: expected {allowed}, got {','.join(changes)}",
            option="changeTypes",
            value=",".join(changes),
            allowed=allowed,
        )
    if options.table is not None:
        pattern = TablePattern(
            NamePattern.exact(options.table.database_name),
            NamePattern.exact(options.table.table_name),
        )
        options = replace(options, table=None, tables=(pattern,))
    return _LogReader(log_files, options, findings).read()


def _describe(log_file: LogFile, transaction: Transaction) -> LoggedTransaction:
    return LoggedTransaction(
        EventSite(log_file.name, transaction.start_pos),
        transaction.gtid,
        transaction.commit_micros,
        transaction.xid,
    )


def _note_server(parser: EventParser, findings: Findings) -> None:
    """Note what the server of a log does about foreign keys."""
    description = parser.format_description
    version = description.server_version.split(".")
    numbers = [int(part) if part.isdecimal() else 0 for part in version[:2]]
    findings.logs_cascades &= not description.is_mariadb and numbers >= [9, 6]
    findings.knows_references |= numbers >= ([10, 5] if description.is_mariadb else [9, 0])


def _changes(
    target: TargetTable | CannotWriteError, images: Iterator[RowImage]
) -> Iterator[RowChange | CannotWriteError]:
    before: Row = {}
    for image in images:
        if isinstance(target, CannotWriteError):
            if image.change != Change.UPDATE_PREIMAGE:
                yield target
            continue
        try:
            row = _logged_row(image)
        except CannotWriteError as error:
            yield error
            continue
        if image.change == Change.UPDATE_PREIMAGE:
            before = row
        elif image.change == Change.UPDATE_POSTIMAGE:
            yield RowChange(target, before, row)
        elif image.change == Change.INSERT:
            yield RowChange(target, None, row)
        else:
            yield RowChange(target, row, None)


def _logged_row(image: RowImage) -> Row:
    """Return what is logged of a row; a document that is logged as differences is completed.

    Raises:
        CannotWriteError: if the document before them is not logged.
    """
    row: dict[int, bytes | None] = {}
    for index, value in enumerate(image.values):
        if isinstance(value, PartialDocument):
            document = value.document()
            if isinstance(document, Missing):
                raise CannotWriteError(
                    "a JSON document is logged as differences to one that is not logged"
                    " (binlog_row_value_options=PARTIAL_JSON)"
                )
            row[index] = document
        elif value is Missing.NULL:
            row[index] = None
        elif isinstance(value, bytes):
            row[index] = value
    return row
