"""The slow, obvious decoder: plain Python, one value at a time, events by the compiled schema.

It is what the kernels are compared with, and the engine where numba is absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from pyspark_adapter.decode.reference.pending_rows import PendingBatch
from pyspark_adapter.decode.reference.row_images import (
    READ_ROWS,
    RowError,
    RowImage,
    iter_images,
)
from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.decode.statement_rows import StatementRows
from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    EventSite,
    located,
)
from pyspark_adapter.events.event_errors import (
    check_rows_visible,
    open_transaction_error,
    split_error,
)
from pyspark_adapter.events.frame import Frame, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.events.statements import (
    Statement,
    StatementKind,
    text_of_query,
)
from pyspark_adapter.events.table_map import TableMap, TableMapRegistry, find_table_map
from pyspark_adapter.events.transactions import (
    PARSED_EVENTS,
    Transaction,
    TransactionTracker,
)
from pyspark_adapter.filters.row_filter import RowFilter
from pyspark_adapter.format.event_types import (
    NOTED_EVENTS,
    QUERY_TEXT_EVENTS,
    ROWS_EVENTS,
    SQL_TEXT,
    STATEMENT_EVENTS,
    TRAITS,
    TWO_BITMAPS,
)
from pyspark_adapter.format.packed_int import read_packed_int
from pyspark_adapter.format.schema import EventParser, EventType
from pyspark_adapter.kernels.fractions import find_digits
from pyspark_adapter.kernels.layout import MAX_COLUMNS, Change, RowStatus
from pyspark_adapter.options.change_types import CHANGES_BY_EVENT_TYPE, UPDATE
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan, plan_nothing
from pyspark_adapter.scan.digit_search import DigitSearch
from pyspark_adapter.scan.row_errors import row_error
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter

_COUNTED: Final = (Change.INSERT, Change.UPDATE_POSTIMAGE, Change.DELETE)


class ReferenceReader:
    """Reads the changes of one log.

    Args:
        log_file: the log.
        request: what to give.
        completer: completes table maps; follows the statements. None if they lack nothing.
        part: what of the log to read; None for all.
        kinds: of the statements that `take` keeps. Iteration asks for those that the options give
            rows of, or report.
        gives_all: whether `take` also returns rows that the options leave out.

    Attributes:
        position: how far the log has been read, in bytes.
        is_chosen: whether the options choose the rows that `take` has returned.
        statement: the event that `take` has followed last, if it is a statement of those kinds.
    """

    def __init__(
        self,
        log_file: LogFile,
        request: ReadRequest,
        completer: TableMapCompleter | None,
        part: ReadRange | None = None,
        kinds: StatementKind = StatementKind.OTHER,
        *,
        gives_all: bool = False,
    ) -> None:
        self._log_file = log_file
        self._part = part
        self._gives_all = gives_all
        self.is_chosen = True
        self._request = request
        self.position = 0
        self._needs_numbers = "_row_number" in request.metadata
        self._needs_queries = "_query" in request.metadata
        self._query: str | None = None  # of the rows event taken last
        self._tables = TableMapRegistry()
        self._tracker = TransactionTracker()
        self._completer = completer
        self._kinds = kinds
        self.statement: Statement | None = None
        self._plans: dict[TableMap, RowPlan | None] = {}
        self._filter = RowFilter(request.options, log_file, part.given if part else None)

    def __iter__(self) -> Iterator[list[RowBlock]]:
        """Yield the blocks of each batch, which are merged by `RowBlock.order`.

        Raises:
            BinlogError: with its site.
        """
        batch = PendingBatch(self._log_file, self._request)
        statements = StatementRows(self._log_file, self._request, self._completer)
        self._kinds = statements.kinds
        frames = FrameReader(self._log_file, self._request.options, self._part)
        try:
            for frame in frames:
                self.position = frames.file_position(frame)
                try:
                    found = self.take(frame, frames.parser)
                    if self.statement is not None:
                        rows = statements.of(self.statement)
                        self._kinds = statements.kinds
                        if rows and (blocks := batch.build()):
                            yield blocks
                        if rows:
                            yield [statements.block(rows, self.statement, self._tracker.current)]
                    if found is None:
                        continue
                    plan, parsed = found
                    for image in self.images(frame, plan, parsed):
                        batch.add(plan, frame, self._tracker.current, self._query, image)
                        if batch.is_full and image.change != Change.UPDATE_PREIMAGE:
                            yield batch.build()
                except BinlogError:  # a site for each event would take long to make
                    with located(self._site(frame)):
                        raise
        except BinlogError:
            batch.drop_half()
            if blocks := batch.build():
                yield blocks
            raise
        if blocks := batch.build():
            yield blocks
        self.check_finished()

    @cached_property
    def _digits(self) -> DigitSearch:
        return DigitSearch(find_digits)

    @property
    def transaction(self) -> Transaction | None:
        """The transaction that was opened last; None before the first."""
        return self._tracker.latest

    def check_finished(self) -> None:
        """Raise if the log ends inside a transaction that has changed rows.

        A part of it has to end where a transaction does, or another is named.
        """
        part = self._part
        latest = self._tracker.latest
        with located(self._log_file.event_site(latest.start_pos if latest is not None else 0)):
            if part is not None and part.stop is not None:
                if self._tracker.is_open and not part.stops_at_gtid:
                    raise split_error(part.stop)
            elif self._tracker.is_unfinished:
                raise open_transaction_error()

    def take(self, frame: Frame, parser: EventParser) -> tuple[RowPlan, Any] | None:
        """Follow an event; return (plan, parsed event) if it holds rows that are asked for."""
        kind = frame.plain_type
        check_rows_visible(parser.format_description)
        if kind == EventType.format_description:
            self._tables.release()
        self.statement = None
        wanted = StatementKind.OTHER
        if kind in STATEMENT_EVENTS:
            wanted = self._kinds
            if self._completer is not None:
                wanted |= self._completer.kinds
            if not TRAITS[kind] & SQL_TEXT:
                wanted &= StatementKind.CHANGES  # what LOAD DATA is, whatever its text
        elif kind in NOTED_EVENTS:
            wanted = self._kinds & StatementKind.NOTED
        is_statement = bool(wanted)
        is_parsed = (
            is_statement
            or kind in PARSED_EVENTS
            or kind in READ_ROWS
            or kind == EventType.table_map
            or (self._needs_queries and kind in QUERY_TEXT_EVENTS)
        )
        parsed = parser.parse(frame.event) if is_parsed else None
        takes_back = self._tracker.has_open_rows
        opens = self._tracker.follow(frame, parsed)
        if opens and kind != EventType.table_map:
            self._tables.release()
        if is_statement:
            self._follow_statement(frame, parsed, wanted, takes_back=takes_back)
        if parsed is not None and kind == EventType.table_map:
            table_map = find_table_map(frame.event, parser, parsed)
            if self._completer is not None:
                table_map = self._completer.complete(table_map, self._site(frame))
            self._tables.add(parsed.body.table_id, table_map)
        if parsed is not None and self._needs_queries and kind in QUERY_TEXT_EVENTS:
            query = parsed.body.query
            self._tracker.current.query = text_of_query(query, 0, len(query))
        if kind not in ROWS_EVENTS:
            return None
        return self._take_rows(frame, parsed, parser)

    def _follow_statement(
        self, frame: Frame, parsed: Any, wanted: StatementKind, *, takes_back: bool
    ) -> None:
        statement = Statement.from_event(parsed, self._site(frame))
        if not statement.kind & wanted:
            return  # it may be in no transaction, as a COMMIT without a BEGIN
        if statement.kind == StatementKind.TAKES_BACK and not takes_back:
            return
        is_selected = self._tracker.latest is None or (
            self._keeps_transaction() and self._filter.keeps_server(frame.server_id)
        )
        statement = replace(statement, is_selected=is_selected)
        if statement.kind & self._kinds:
            self.statement = statement
        if self._completer is not None and statement.kind & self._completer.kinds:
            self._completer.take(statement)

    def _keeps_transaction(self) -> bool:
        current = self._tracker.current
        return self._filter.keeps_transaction(
            current.start_pos, current.commit_micros, current.gtid
        )

    def _take_rows(
        self, frame: Frame, parsed: Any, parser: EventParser
    ) -> tuple[RowPlan, Any] | None:
        width = parser.format_description.len_table_id
        if len(frame.body) < width + 2 or (parsed is None and not _has_bitmaps(frame, width + 2)):
            raise CorruptEventError(
                f"the fields of the event reach beyond its {frame.body_end} bytes"
            )
        table_map = self._tables.find(int.from_bytes(frame.body[:width], "little"))
        is_open = not table_map.has_logged_digits and table_map.has_open_digits
        if is_open and parsed is not None:
            table_map = self._close_digits(frame.plain_type, table_map, parsed.body)
        is_wanted = self._keeps_transaction()
        plan = None
        self.is_chosen = is_wanted and self._filter.keeps_event(
            table_map.table, frame.plain_type, frame.server_id
        )
        if self.is_chosen or (self._gives_all and frame.plain_type in READ_ROWS):
            if table_map not in self._plans:
                self._plans[table_map] = self._request.plan(table_map)
            plan = self._plans[table_map]
        transaction = self._tracker.current
        transaction.has_rows = True
        self._query = transaction.query
        is_end = bool(frame.body[width] & 1)
        if is_end:
            self._tables.release()
            self._tracker.end_statement()
            transaction.query = None
        if plan is None:
            if self._needs_numbers and is_wanted:
                self._count(frame, parsed, table_map, transaction)
            return None
        if frame.plain_type not in READ_ROWS:
            raise row_error(
                RowStatus.BAD_EVENT_TYPE, table_map, None, self._site(frame), offset=frame.start_pos
            )
        if self._needs_numbers and transaction.uncounted is not None:
            raise transaction.uncounted
        return plan, parsed

    def _close_digits(self, type_code: int, table_map: TableMap, body: Any) -> TableMap:
        if body.head.num_columns.value != len(table_map.columns):
            return table_map  # an error when the rows are read
        bitmaps = [bytes(body.head.columns_present_bitmap)]
        if CHANGES_BY_EVENT_TYPE[type_code] == UPDATE:
            bitmaps.append(bytes(body.head.columns_present_bitmap_after))
        rows = bytes(body.row_data)
        return self._digits.close(table_map, bitmaps, rows, 0, len(rows))

    def _count(
        self, frame: Frame, parsed: Any, table_map: TableMap, transaction: Transaction
    ) -> None:
        """Count the rows of a table that is not asked for, for the numbers of those that are."""
        if transaction.uncounted is not None:
            return  # the first error is the one to tell
        if parsed is None:
            transaction.uncounted = row_error(
                RowStatus.BAD_EVENT_TYPE, table_map, None, self._site(frame), offset=frame.start_pos
            )
            return
        try:
            for image in self.images(frame, plan_nothing(table_map), parsed):
                if image.change != Change.UPDATE_PREIMAGE:
                    transaction.num_rows += 1
        except BinlogError as error:
            transaction.uncounted = error

    def images(self, frame: Frame, plan: RowPlan, parsed: Any) -> Iterator[RowImage]:
        """Yield the row images of an event."""
        rows = bytes(parsed.body.row_data)
        start = frame.body_end - len(rows)
        try:
            yield from iter_images(frame.plain_type, parsed.body, rows, plan)
        except RowError as error:
            raise row_error(
                error.status,
                plan.table_map,
                error.column,
                self._site(frame),
                offset=frame.first_byte + start + error.offset,
                is_decompressed=frame.is_decompressed,
            ) from None

    def _site(self, frame: Frame) -> EventSite:
        return frame_site(self._log_file, frame)


def _has_bitmaps(frame: Frame, start: int) -> bool:
    """Return whether a rows event that is not parsed has all that comes before its rows."""
    num_columns, end = read_packed_int(frame.body, start) or (MAX_COLUMNS + 1, 0)
    num_bitmaps = 2 if TRAITS[frame.plain_type] & TWO_BITMAPS else 1
    len_bitmaps = num_bitmaps * ((num_columns + 7) // 8)
    return num_columns <= MAX_COLUMNS and end + len_bitmaps <= len(frame.body)
