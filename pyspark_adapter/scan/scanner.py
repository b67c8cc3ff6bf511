"""Drives `kernels.scan` over a log and hands out its rows events, a window at a time."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Flag, auto
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError, CorruptEventError, EventSite, located
from pyspark_adapter.events.event_errors import (
    check_first,
    check_rows_visible,
    check_supported,
    length_error,
)
from pyspark_adapter.events.frame import frame_site, with_checksum_room
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.row_filter import EventFilter
from pyspark_adapter.events.statements import (
    PlacedStatement,
    Statement,
    StatementKind,
    TableMapSink,
    is_wanted,
    text_of_query,
)
from pyspark_adapter.events.table_map import find_table_map, missing_table_map
from pyspark_adapter.events.windows import ReadRange, WindowReader, check_tail, read_more
from pyspark_adapter.format.event_types import (
    CHANGES_FORMAT,
    COMPRESSED_EVENTS,
    GTID_EVENTS,
    PLAIN_TYPES,
    STATEMENT_EVENTS,
    TRAITS,
    plain_type,
)
from pyspark_adapter.format.gtid import length_of_transaction
from pyspark_adapter.format.header import (
    LEN_CHECKSUM,
    LEN_HEADER,
    MAGIC,
    check_crc32,
    flags_at,
    len_event_at,
    type_code_at,
    with_type_code,
)
from pyspark_adapter.format.schema import (
    EventParser,
    EventType,
    FormatDescription,
    parse_format_description,
)
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import scan
from pyspark_adapter.kernels.layout import Format, Numbers, ScanStatus, State, Tx, Verify
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.scan.decompressed_reader import DecompressedReader
from pyspark_adapter.scan.scanned_events import (
    LogReader,
    ScannedEvents,
    ScannedTransactions,
    outside_error,
    window_site,
)
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.table_map_cache import TableMapCache
from pyspark_adapter.sources.log_file import LogFile

# Events and transactions of a window; fewer for a small log: pages of large tables take longer.
_MIN_COLUMNS, _MAX_COLUMNS = 1 << 10, 1 << 15
# The first window of a survey: with schemaAt=first it ends at the first table map, mostly in it.
_SURVEY_BYTES: Final = 1 << 19
_TAGGED: Final = EventType.gtid_tagged
_NO_ORIGINS: Final = np.zeros((lay.NUM_ORIGIN_FIELDS, 0), dtype=np.int64)

# What Python does for the scan before it continues.
_HANDLED: Final = frozenset(
    {ScanStatus.CONTROL, ScanStatus.TABLE_MAP, ScanStatus.GROW_IDS, ScanStatus.STATEMENT}
)
_NEXT: Final = (ScanStatus.MORE, ScanStatus.CONTAINER)  # the scan continues in the next window
_MAX_STATEMENTS: Final = 512  # of a window; each is kept with the bytes of its event


class Scan(Flag):
    """What a scan gives besides windows with rows events."""

    ROWS = 0
    QUERIES = auto()  # the text of the statement of each rows event
    ALL_WINDOWS = auto()  # windows without rows events too, for their transactions
    UNVERIFIED = auto()  # rows events whose checksums were not compared
    TABLE_MAPS = auto()  # only table maps and definitions; windows have no rows then
    SURVEY = UNVERIFIED | TABLE_MAPS


class Scanner:
    """Scans one log. All events of a window are of one format description.

    Args:
        tables: completes table maps of new content, and takes the statements between them.
        kinds: of the statements that windows hold; an attribute too, of the next windows.
        part: the part of the log to read; None for all.
        flags: which windows and events are returned.

    Attributes:
        transactions: those of the window.
        num_formats: format descriptions so far, with the one that came with a part.
        format: the format description of the events scanned last; None before the first.
    """

    def __init__(
        self,
        log_file: LogFile,
        options: BinlogOptions,
        tables: TableMapSink | None = None,
        kinds: StatementKind = StatementKind.OTHER,
        part: ReadRange | None = None,
        flags: Scan = Scan.ROWS,
    ) -> None:
        self.log_file = log_file
        self._part = part
        self._gives_all = Scan.ALL_WINDOWS in flags
        self._ends_window = False  # before the next event
        self._window_format: FormatDescription | None = None
        self.tables = TableMapCache()
        self._options = options
        verify = Verify.ALL_BUT_ROWS if Scan.UNVERIFIED in flags else Verify.ALL
        self._verify = verify if options.verify_checksums else Verify.NONE
        self.format: FormatDescription | None = None
        self.num_formats = 0
        self._parser: EventParser | None = None
        self._fmt = np.zeros(lay.NUM_FORMAT_FIELDS, dtype=np.int64)
        self._fmt[Format.LEN_HEADER] = LEN_HEADER
        self._fmt[Format.MAX_EVENT] = options.max_event_bytes
        self._fmt[Format.QUERIES] = Scan.QUERIES in flags
        self._fmt[Format.SURVEYS] = Scan.TABLE_MAPS in flags
        self._earlier_query = ""
        self._state = np.zeros(lay.NUM_STATE_FIELDS, dtype=np.int64)
        self._state[State.SALT] = self.tables.salt
        most = max(log_file.num_bytes // LEN_HEADER, _MIN_COLUMNS)
        most = _MAX_COLUMNS if log_file.compression else min(most, _MAX_COLUMNS)
        # Not zeroed, as that takes longer than to read a small log.
        self._events = np.empty((lay.NUM_EVENT_FIELDS, most), dtype=np.int64)
        self.transactions = ScannedTransactions(self._state, most)
        self._decompressed: DecompressedReader | None = None
        self._completer = tables
        self.kinds = kinds
        self._statements: list[PlacedStatement] = []
        self._filter = ScannedFilter(options, log_file)
        if part is not None and part.format_event:
            with located(log_file.event_site(len(MAGIC), EventType.format_description)):
                self._set_format(part.format_event)

    @property
    def _kinds(self) -> int:
        """The kinds of statements that are asked for, which may change during a read."""
        return self.kinds if self._completer is None else self.kinds | self._completer.kinds

    @property
    def is_between_transactions(self) -> bool:
        """Whether no transaction was open after the events scanned so far."""
        return bool(self._state[State.TRANSACTION_STATE] == Tx.CLOSED)

    def __iter__(self) -> Iterator[ScannedEvents]:
        """Yield the rows events of the log, in order; raises BinlogError."""
        window_bytes = self._options.window_bytes
        if self._fmt[Format.SURVEYS]:
            window_bytes = min(window_bytes, _SURVEY_BYTES)
        window = WindowReader(self.log_file, window_bytes, self._part)
        reader: LogReader = window
        try:
            if reader.num_bytes >= LEN_HEADER and type_code_at(reader.data) == EventType.start_v3:
                yield from self._read_old_log(reader)
                return
            is_at_end = False
            while not is_at_end:
                data = np.frombuffer(reader.data, dtype=np.uint8)
                status = self._scan(data, reader)
                error: BinlogError | None = None
                has_no_room = status == ScanStatus.TABLE_MAP and self.tables.is_full
                if status in _HANDLED and not has_no_room:
                    error = self._handle(status, reader)
                    if error is None and reader is window and window.origins is not None:
                        status = ScanStatus.CONTAINER  # the copy of events knows their origins
                    elif error is None and not self._ends_window:
                        continue
                is_given = self._state[State.NUM_EVENTS] or self._fmt[Format.SURVEYS]
                is_given |= self._gives_all and self._state[State.NUM_TRANSACTIONS]
                if is_given or self._statements or self._ends_window:
                    yield self._hand_out(data, reader)
                self._ends_window = False
                self._carry_over()
                if error is not None:
                    kinds, is_statement = (self.kinds, self._kinds), status == ScanStatus.STATEMENT
                    offset = int(self._state[State.DETAIL])
                    if not is_statement or is_wanted(type_code_at(reader.data, offset), *kinds):
                        raise error
                if status in _NEXT:
                    self._keep_query(reader)
                if status == ScanStatus.CONTAINER:
                    reader = self._decompress(window)
                is_at_end = self._go_on(status, reader)
            self.transactions.check_finished(self.log_file, self._part)
        finally:
            window.close()

    def _read_old_log(self, reader: LogReader) -> Iterator[ScannedEvents]:
        """Yield the statements of a log of MySQL 3.23 to 4.1, which holds nothing else."""
        frames = FrameReader(self.log_file, self._options)
        event_filter = EventFilter(self.log_file, self._options)
        for frame in frames:
            self._parser = frames.parser
            site = frame_site(self.log_file, frame)
            with located(site):
                is_selected = event_filter.keeps(frame, self._parser)
                if frame.type_code in STATEMENT_EVENTS and self._kinds:
                    self._give_statement(frame.event, site, is_selected=is_selected)
            if self._statements:
                yield self._hand_out(np.frombuffer(reader.data, dtype=np.uint8), reader)
                self._carry_over()

    def _decompress(self, window: WindowReader) -> DecompressedReader:
        """Switch to decompressed windows from the next event on, which is compressed."""
        assert self.format is not None
        used = int(self._state[State.OFFSET])
        self._decompressed = DecompressedReader(window, used, self.format, self._fmt, self._options)
        self._fmt[Format.LEN_CHECKSUM] = self._fmt[Format.VERIFY] = 0
        self._state[State.OFFSET] = 0
        return self._decompressed

    def _keep_query(self, reader: LogReader) -> None:
        """Keep the text of the open statement, since the window is about to move."""
        start, end = self._state[[State.QUERY, State.QUERY_END]].tolist()
        if end and start >= 0:
            self._earlier_query = text_of_query(reader.data, start, end)
            self._state[State.QUERY] = -1

    def _go_on(self, status: int, reader: LogReader) -> bool:
        """Move the window, if that is what the scan needs; return whether the log is at its end.

        Raises:
            BinlogError: if the next event is damaged.
        """
        if isinstance(reader, DecompressedReader) and status in _NEXT:
            num_bytes = reader.advance()
            self._state[State.OFFSET] = self._state[State.ORIGIN] = 0
            self._state[State.NUM_ORIGINS] = reader.num_origins
            return not num_bytes
        if isinstance(reader, WindowReader) and status == ScanStatus.MORE:
            used = int(self._state[State.OFFSET])
            if not read_more(reader, used, self._options.max_event_bytes):
                return True
            if self._fmt[Format.SURVEYS]:  # each read of an object storage is a request
                reader.grow(self._options.window_bytes)
            self._state[State.OFFSET] = 0
        elif status > ScanStatus.CONTAINER:
            self._check_failure(status, reader)
            return True
        return False

    def _scan(self, data: Numbers, reader: LogReader) -> int:
        """Run the kernel until it needs something."""
        if self.format is None and reader.num_bytes >= LEN_HEADER:
            type_code = type_code_at(reader.data)
            with located(self.log_file.event_site(reader.base_pos, type_code)):
                check_first(type_code)
        tables = self.tables
        self._fmt[Format.STATEMENTS] = self._kinds
        self._state[State.FIRST_SLOT] = tables.num_forgotten
        origins = reader.origins if isinstance(reader, DecompressedReader) else _NO_ORIGINS
        start = int(self._state[State.OFFSET])
        try:
            status = scan(
                data,
                reader.num_bytes,
                reader.base_pos,
                self._fmt,
                self._state,
                tables.map_table,
                tables.map_hashes,
                tables.map_offsets,
                tables.map_bytes,
                tables.id_keys,
                tables.id_slots,
                tables.id_statements,
                self._events,
                self.transactions.table,
                origins,
            )
        except IndexError as error:  # the last line of defence
            start_pos, inner_pos = reader.position_of(start)
            site = self.log_file.event_site(start_pos, None, inner_pos)
            raise outside_error(error, site) from error
        return int(status)

    def _event_at(self, reader: LogReader, offset: int) -> bytes:
        """Return an event as a log without compression would hold it."""
        event = bytes(reader.data[offset : offset + len_event_at(reader.data, offset)])
        type_code = type_code_at(event)
        is_as_in_file = self._decompressed is None or TRAITS[type_code] & CHANGES_FORMAT
        if is_as_in_file or self.format is None:
            return event
        plain = with_type_code(event, plain_type(type_code))
        return with_checksum_room(plain, self.format.len_checksum)

    def _handle(self, status: int, reader: LogReader) -> BinlogError | None:
        """Do what the kernel leaves to Python for an event; return the error if that fails."""
        offset = int(self._state[State.DETAIL if status == ScanStatus.STATEMENT else State.OFFSET])
        event = self._event_at(reader, offset)
        site = window_site(reader, offset)
        try:
            with located(site):
                if status == ScanStatus.GROW_IDS:
                    statement = int(self._state[State.STATEMENT])
                    self._state[State.NUM_IDS] = self.tables.grow_ids(statement)
                elif status == ScanStatus.STATEMENT:
                    is_selected = self._filter.keeps_statement(event, self.transactions)
                    self._give_statement(event, site, is_selected=is_selected)
                elif status == ScanStatus.TABLE_MAP:
                    self._add_table_map(event, site)
                else:
                    self._control(event, reader.position_of(offset)[0])
                    self._state[State.OFFSET] += len_event_at(reader.data, offset)
        except BinlogError as error:
            return error
        return None

    def _add_table_map(self, event: bytes, site: EventSite) -> None:
        """Give a table map whose content is new to the log a slot."""
        assert self._parser is not None
        table_map = find_table_map(event, self._parser)
        content = np.frombuffer(table_map.content, dtype=np.uint8)
        if self._completer is not None:
            table_map = self._completer.complete(table_map, site)
        content_hash = int(self._state[State.DETAIL].view(np.uint64))
        self.tables.add(content, content_hash, table_map)

    def _give_statement(self, event: bytes, site: EventSite, *, is_selected: bool) -> None:
        assert self._parser is not None
        parsed = self._parser.parse(event)
        statement = Statement.from_event(parsed, site, event, is_selected=is_selected)
        if statement.kind & self.kinds:
            event, count = self._state[State.NUM_EVENTS], self._state[State.NUM_TRANSACTIONS]
            self._statements.append(PlacedStatement(statement, int(event), int(count)))
            self._ends_window |= len(self._statements) == _MAX_STATEMENTS
        if self._completer is not None and statement.kind & self._completer.kinds:
            version = self._completer.version
            self._completer.take(statement)
            if self._completer.version != version:
                # The same table map may have other names from here on.
                self.tables.forget_contents()

    def _control(self, event: bytes, start_pos: int) -> None:
        """Take an event that changes how the next ones are read, or names a transaction."""
        type_code = type_code_at(event)
        check_supported(type_code, flags_at(event))
        is_verified = self._fmt[Format.VERIFY] and self._fmt[Format.LEN_CHECKSUM]
        if type_code == EventType.format_description:
            self._set_format(event)
        elif is_verified and (type_code == _TAGGED or TRAITS[type_code] & CHANGES_FORMAT):
            check_crc32(event)  # the kernel has verified the others
        assert self._parser is not None
        if type_code == _TAGGED:
            self.transactions.open_tagged(self._parser.parse(event).body, start_pos)
        elif type_code == EventType.query:
            self.transactions.begin_xa(event, self._parser.parse(event).body, start_pos)
        elif type_code == EventType.mariadb_gtid:
            self.transactions.open_prepared(event, self._parser.parse(event).body, start_pos)
        else:
            check_rows_visible(self.format)
        self._state[State.LAST_TYPE] = type_code

    def _set_format(self, event: bytes) -> None:
        self.num_formats += 1
        self.format = parse_format_description(event, verify=self._options.verify_checksums)
        self._parser = EventParser(self.format)
        if self._state[State.NUM_EVENTS]:
            self._ends_window = True
        else:
            self._window_format = self.format
        fmt, lengths = self._fmt, self.format.post_header_lengths
        fmt[Format.LEN_HEADER] = self.format.len_header
        fmt[Format.LEN_CHECKSUM] = self.format.len_checksum
        fmt[Format.LEN_TABLE_ID] = self.format.len_table_id
        fmt[Format.VERIFY] = self._verify
        fmt[Format.POST_HEADERS :] = 0
        first = Format.POST_HEADERS + 1
        fmt[first : first + len(lengths)] = list(lengths)
        # Inflated, these events have the layout of the plain ones; the schema does the same.
        for code in COMPRESSED_EVENTS:
            fmt[Format.POST_HEADERS + code] = fmt[Format.POST_HEADERS + PLAIN_TYPES[code]]
        self._state[State.STATEMENT] += 1  # releases all table maps
        if self._decompressed is not None:
            self._decompressed.take_format(self.format, self._fmt)
            self._fmt[Format.LEN_CHECKSUM] = self._fmt[Format.VERIFY] = 0

    def _hand_out(self, data: Numbers, reader: LogReader) -> ScannedEvents:
        return ScannedEvents(
            self.log_file,
            data,
            reader,
            self._events[:, : self._state[State.NUM_EVENTS]],
            self._events,
            self.transactions.used,
            self.transactions.tagged_gtids,
            self.transactions.xids,
            self.tables,
            self._earlier_query,
            int(self._state[State.OFFSET]),
            self._window_format,
            self._statements,
        )

    def _carry_over(self) -> None:
        """Begin the next window."""
        self.transactions.carry_over()
        self._state[State.NUM_EVENTS] = 0
        self._window_format = self.format
        self._statements = []
        if self.tables.is_full:  # and no event refers to a slot now
            statement = int(self._state[State.STATEMENT])
            self._state[State.NUM_IDS] = self.tables.keep_statement(statement)

    def _check_failure(self, status: int, reader: LogReader) -> None:
        """Raise the error for a `ScanStatus`; return if the log ends in zeros there."""
        offset = int(self._state[State.OFFSET])
        len_event = len_event_at(reader.data, offset)
        is_damaged = not LEN_HEADER <= len_event <= self._options.max_event_bytes
        if status == ScanStatus.BAD_LENGTH and is_damaged and isinstance(reader, WindowReader):
            check_tail(reader, offset, self._options.max_event_bytes)
            return
        event = self._event_at(reader, offset)
        with located(window_site(reader, offset)):
            if status == ScanStatus.BAD_LENGTH:
                least = int(self._fmt[Format.LEN_HEADER] + self._fmt[Format.LEN_CHECKSUM])
                raise length_error(least, len_event)
            if status == ScanStatus.BAD_CHECKSUM:
                check_crc32(event)
            elif status == ScanStatus.NO_TABLE_MAP:
                raise missing_table_map(int(self._state[State.DETAIL]))
            elif self._parser is not None:
                parsed = self._parser.parse(event)  # says which field does not fit
                if parsed.event_type in GTID_EVENTS:
                    length_of_transaction(parsed.body)
            raise CorruptEventError(
                f"the fields of the event reach beyond its {len(event) - LEN_CHECKSUM} bytes"
            )
