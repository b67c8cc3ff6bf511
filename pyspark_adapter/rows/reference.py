"""The slow, obvious decoder: plain Python, one value at a time, events by the compiled schema.

It is what the kernels are compared with, and the engine where numba is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    EventSite,
    located,
    prefixed,
)
from pyspark_adapter.events.event_errors import (
    check_rows_visible,
    open_transaction_error,
    split_error,
)
from pyspark_adapter.events.frame import Frame, event_site, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.events.statements import (
    Statement,
    StatementKind,
    StatementSink,
    kinds_of_sinks,
)
from pyspark_adapter.events.table_map import TableMap, TableMapRegistry
from pyspark_adapter.events.transactions import (
    PARSED_EVENTS,
    Transaction,
    TransactionTracker,
)
from pyspark_adapter.filters.row_filter import RowFilter
from pyspark_adapter.format.event_types import ROWS_EVENTS, STATEMENT_EVENTS
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.kernels.layout import Change, Op, RowStatus
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import CHANGE_TYPES
from pyspark_adapter.plan.conversion import convert_all
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME, commit_version_base
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan, WantedColumn, plan_nothing, subject_of
from pyspark_adapter.rows.row_block import EventCount, RowBlock
from pyspark_adapter.rows.row_errors import row_error
from pyspark_adapter.rows.row_images import (
    READ_ROWS,
    Missing,
    PartialDocument,
    RowError,
    RowImage,
    Value,
    iter_images,
)
from pyspark_adapter.rows.statement_policy import StatementPolicy
from pyspark_adapter.schema import EventParser, EventType
from pyspark_adapter.schema_history.table_map_completer import TableMapCompleter
from pyspark_adapter.values.binary_json.diff import render_differences
from pyspark_adapter.values.column_types import VARIANT
from pyspark_adapter.values.kinds import decode_value


class ReferenceReader:
    """Reads the changes of one log.

    Args:
        log_file: the log.
        request: what to give.
        completer: completes table maps; its history takes the statements.
        part: what of the log to read; None for all.
        statements: given each statement of the kinds it asks for; if there is none, the policy
            of the options is.

    Attributes:
        position: how far the log has been read, in bytes.
    """

    def __init__(
        self,
        log_file: LogFile,
        request: ReadRequest,
        completer: TableMapCompleter,
        part: LogPart | None = None,
        statements: StatementSink | None = None,
    ) -> None:
        self._log_file = log_file
        self._part = part
        self._request = request
        self.position = 0
        self._needs_numbers = "_row_number" in request.metadata
        self._tables = TableMapRegistry()
        self._tracker = TransactionTracker()
        self._completer = completer
        self._sinks: list[StatementSink] = [
            statements or StatementPolicy(request.options),
            self._completer.history,
        ]
        self._plans: dict[TableMap, RowPlan | None] = {}
        self._filter = RowFilter(request.options, log_file)

    def __iter__(self) -> Iterator[list[RowBlock]]:
        """Yield blocks of one table each, in the order of the log.

        Raises:
            BinlogError: with its site.
        """
        pending: _PendingRows | None = None
        frames = FrameReader(self._log_file, self._request.options, self._part)
        try:
            for frame in frames:
                self.position = frames.file_position(frame)
                with located(frame_site(self._log_file, frame)):
                    found = self.take(frame, frames.parser)
                    if found is None:
                        continue
                    plan, parsed = found
                    if pending is not None and pending.plan is not plan:
                        yield [pending.build()]
                        pending = None
                    for image in self.images(frame, plan, parsed):
                        if pending is None:
                            pending = _PendingRows(self._log_file, self._request, plan)
                        pending.add(frame, self._tracker.current, image)
                        if pending.is_full and image.change != Change.UPDATE_PREIMAGE:
                            yield [pending.build()]
                            pending = None
        except BinlogError:
            if pending is not None:
                pending.drop_half()
                yield [pending.build()]
            raise
        if pending is not None:
            yield [pending.build()]
        self.check_finished()

    def check_finished(self) -> None:
        """Raise if the log ends inside a transaction that has changed rows.

        A part of it has to end where a transaction does, or another is named.
        """
        part = self._part
        latest = self._tracker.latest
        with located(event_site(self._log_file, latest.start_pos if latest is not None else 0)):
            if part is not None and part.stop is not None:
                if self._tracker.is_open and not part.stops_at_gtid:
                    raise split_error(part.stop)
            elif self._tracker.is_unfinished:
                raise open_transaction_error()

    def take(self, frame: Frame, parser: EventParser) -> tuple[RowPlan, Any] | None:
        """Follow an event; return (plan, parsed event) if it holds rows that are asked for."""
        kind = frame.plain_type
        check_rows_visible(kind, parser.format_description)
        if kind == EventType.format_description:
            self._tables.release()
        is_statement = kind in STATEMENT_EVENTS and bool(kinds_of_sinks(self._sinks))
        is_parsed = (
            is_statement
            or kind in PARSED_EVENTS
            or kind in READ_ROWS
            or kind == EventType.table_map
        )
        parsed = parser.parse(frame.event) if is_parsed else None
        takes_back = self._tracker.has_open_rows
        self._tracker.follow(frame, parsed)
        if is_statement:
            self._take_statement(frame, parsed, takes_back=takes_back)
        if parsed is not None and kind == EventType.table_map:
            is_mariadb = parser.format_description.is_mariadb
            table_map = TableMap.from_event(parsed.body, is_mariadb=is_mariadb)
            table_map = self._completer.complete(table_map, self._site(frame))
            self._tables.add(parsed.body.table_id, table_map)
        if kind not in ROWS_EVENTS:
            return None
        return self._take_rows(frame, parsed, parser)

    def _take_statement(self, frame: Frame, parsed: Any, *, takes_back: bool) -> None:
        statement = Statement.from_event(parsed, self._site(frame))
        if statement.kind == StatementKind.TAKES_BACK and not takes_back:
            return
        for sink in self._sinks:
            if not statement.kind & sink.kinds:
                continue
            # Definitions count wherever they stand.
            if sink is self._completer.history or (
                self._keeps_transaction() and self._filter.keeps_server(frame.server_id)
            ):
                sink.take(statement)

    def _keeps_transaction(self) -> bool:
        current = self._tracker.current
        return self._filter.keeps_transaction(
            current.start_pos, current.commit_micros, current.gtid
        )

    def _take_rows(
        self, frame: Frame, parsed: Any, parser: EventParser
    ) -> tuple[RowPlan, Any] | None:
        width = parser.format_description.len_table_id
        if len(frame.body) < width + 2:
            raise CorruptEventError(
                f"the fields of the event reach beyond its {frame.body_end} bytes"
            )
        table_map = self._tables.find(int.from_bytes(frame.body[:width], "little"))
        is_wanted = self._keeps_transaction()
        plan = None
        if is_wanted and self._filter.keeps_event(
            table_map.table, frame.plain_type, frame.server_id
        ):
            if table_map not in self._plans:
                self._plans[table_map] = self._request.plan(table_map)
            plan = self._plans[table_map]
        transaction = self._tracker.current
        transaction.has_rows = True
        is_end = bool(frame.body[width] & 1)
        if is_end:
            self._tables.release()
            self._tracker.end_statement()
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

    def _count(
        self, frame: Frame, parsed: Any, table_map: TableMap, transaction: Transaction
    ) -> None:
        """Count the rows of a table that is not asked for, for the numbers of those that are."""
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


class _PendingRows:
    """Rows of one plan on their way to a block."""

    def __init__(self, log_file: LogFile, request: ReadRequest, plan: RowPlan) -> None:
        self.plan = plan
        self._log_file = log_file
        self._request = request
        self._num_rows = 0
        self._num_bytes = 0
        self._ends_in_half = False
        self._changes: list[int] = []
        self._dropped_image = RowFilter(request.options, log_file).dropped_image
        self._metadata: dict[str, list[Any]] = {name: [] for name in request.metadata}
        self._columns: list[list[Any]] = [[] for _ in plan.wanted]
        self._absent: list[list[bool]] = [[] for _ in plan.wanted]

    @property
    def is_full(self) -> bool:
        options = self._request.options
        return self._num_rows + 2 > options.batch_rows or self._num_bytes >= options.batch_bytes

    def drop_half(self) -> None:
        """Drop the image before an update whose other image could not be added."""
        if self._ends_in_half:
            self._num_rows -= 1
            self._ends_in_half = False
            self._changes.pop()
            for values in (*self._metadata.values(), *self._columns, *self._absent):
                values.pop()

    def add(self, frame: Frame, transaction: Transaction, image: RowImage) -> None:
        """Decode a row image."""
        cells = [image.values[wanted.column.index] for wanted in self.plan.wanted]
        values = [
            None if isinstance(data, Missing) else self._value(wanted, data)
            for wanted, data in zip(self.plan.wanted, cells, strict=True)
        ]
        metadata = {
            name: self._metadatum(name, frame, transaction, image) for name in self._metadata
        }
        for c, (wanted, value) in enumerate(zip(self.plan.wanted, values, strict=True)):
            self._absent[c].append(image.lacks(wanted.column))
            self._columns[c].append(value)
            if wanted.decoding.op == Op.COMPRESSED_TEXT and value is not None:
                self._num_bytes += len(value)  # a thousand times what is logged, it may be
        self._ends_in_half = image.change == Change.UPDATE_PREIMAGE
        self._num_bytes += sum(map(_size, image.values))
        self._num_rows += 1
        self._changes.append(image.change)
        for name, column in self._metadata.items():
            column.append(metadata[name])
        if image.change != Change.UPDATE_PREIMAGE:
            transaction.num_rows += 1

    def _value(self, wanted: WantedColumn, data: bytes | PartialDocument) -> Any:
        with prefixed(subject_of(self.plan.table_map, wanted.column)):
            if isinstance(data, PartialDocument):
                document = data.document()
                if isinstance(document, Missing):
                    return None
                data = document
            policy = self._request.options.zero_date_time_behavior
            value = decode_value(data, wanted.decoding, policy)
            if wanted.conversion is not None:
                wanted.conversion.check(value)
            return value

    def _metadatum(self, name: str, frame: Frame, transaction: Transaction, image: RowImage) -> Any:
        table = self.plan.table_map.table
        match name:
            case "_change_type":
                return CHANGE_TYPES[image.change]
            case "_commit_version":
                return commit_version_base(self._log_file.number) + transaction.start_pos
            case "_row_number":
                return transaction.num_rows
            case "_commit_timestamp":
                return transaction.commit_micros
            case "_gtid":
                return transaction.gtid
            case "_log_file":
                return self._log_file.name
            case "_start_pos":
                return frame.start_pos
            case "_database_name":
                return table.database_name
            case "_table_name":
                return table.table_name
            case "_server_id":
                return frame.server_id
            case "_event_timestamp":
                return frame.timestamp * 1_000_000
            case "_xa":
                return transaction.xid
            case "_absent_columns":
                return [c.label for c in self.plan.table_map.columns if image.lacks(c)]
            case "_json_diff":
                return self._json_diff(image)
            case _:
                raise AssertionError(name)

    def _json_diff(self, image: RowImage) -> str | None:
        partial = {
            column.label: value.differences
            for column, value in zip(self.plan.table_map.columns, image.values, strict=True)
            if isinstance(value, PartialDocument)
        }
        if not partial:
            return None
        with prefixed(f"table {self.plan.table_map.table}"):
            return render_differences(partial)

    def build(self) -> RowBlock:
        """Return the rows as Arrow arrays."""
        columns = []
        for wanted, values in zip(self.plan.wanted, self._columns, strict=True):
            array = _as_array(values, wanted.decoding.arrow_type)
            if array.type != wanted.decoded_type:
                array = pc.cast(array, wanted.decoded_type)
            columns.append(array)
        metadata = {
            name: _as_array(values, METADATA_BY_NAME[name].arrow_type)
            for name, values in self._metadata.items()
        }
        absent = {c: pa.array(flags) for c, flags in enumerate(self._absent) if any(flags)}
        columns = convert_all([wanted.conversion for wanted in self.plan.wanted], columns)
        block = RowBlock(self.plan, self._num_rows, columns, metadata, None, absent)
        if self._dropped_image is None:
            return block
        return block.where([change != self._dropped_image for change in self._changes])


def _size(value: Value) -> int:
    """Return the bytes of a value."""
    if isinstance(value, PartialDocument):
        return len(value.differences)
    return 0 if isinstance(value, Missing) else len(value)


def _as_array(values: list[Any], arrow_type: pa.DataType) -> pa.Array:
    """Return an array; of dates and times made from their numbers."""
    if arrow_type == VARIANT:
        values = [None if variant is None else variant._asdict() for variant in values]
    if pa.types.is_date32(arrow_type):
        return pa.array(values, pa.int32()).cast(arrow_type)
    if pa.types.is_timestamp(arrow_type) or pa.types.is_duration(arrow_type):
        return pa.array(values, pa.int64()).cast(arrow_type)
    return pa.array(values, arrow_type)


def count_changes(
    log_file: LogFile,
    options: BinlogOptions,
    statements: StatementSink,
    completer: TableMapCompleter,
) -> Iterator[tuple[Iterable[EventCount], int]]:
    """Yield the row changes of each rows event of a log, and its position.

    Args:
        log_file: the log.
        options: of the read.
        statements: given the statements of the log.
        completer: completes table maps; its history takes the statements.

    Raises:
        BinlogError: with its site.
    """
    request = ReadRequest(replace(options, table=None), pa.schema([]))
    reader = ReferenceReader(log_file, request, completer, statements=statements)
    frames = FrameReader(log_file, options)
    for frame in frames:
        site = frame_site(log_file, frame)
        with located(site):
            found = reader.take(frame, frames.parser)
            if found is None:
                continue
            plan, parsed = found
            changes = [
                image.change
                for image in reader.images(frame, plan, parsed)
                if image.change != Change.UPDATE_PREIMAGE
            ]
        if changes:
            yield (
                [EventCount(plan.table_map, changes[0], len(changes), site)],
                frames.file_position(frame),
            )
    reader.check_finished()
