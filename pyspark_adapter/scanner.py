"""Drives `kernels.scan` over a log and hands out its rows events, a window at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pyspark_adapter.errors import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    located,
)
from pyspark_adapter.framing import (
    LEN_CHECKSUM,
    check_crc32,
    crc32,
    event_site,
    hidden_rows_error,
    open_transaction_error,
    parse_format_description,
    read_more,
    reject_type,
    tail_error,
)
from pyspark_adapter.gtid import format_tagged_gtid
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.scan import scan
from pyspark_adapter.known_tables import KnownTables
from pyspark_adapter.log_files import LogFile
from pyspark_adapter.options import BinlogOptions
from pyspark_adapter.row_errors import within_bounds
from pyspark_adapter.schema import LEN_HEADER, EventParser, EventType, FormatDescription
from pyspark_adapter.statements import Statement, StatementSink
from pyspark_adapter.table_map import TableMap, missing_table_map
from pyspark_adapter.windows import WindowReader

_MAX_EVENTS: Final = 1 << 15
_MAX_TRANSACTIONS: Final = 1 << 15
_MAX_LARGE: Final = 1 << 13

# What Python does for the scan before it goes on.
_HANDLED: Final = frozenset(
    {lay.SCAN_CONTROL, lay.SCAN_TABLE_MAP, lay.SCAN_GROW_IDS, lay.SCAN_STATEMENT}
)


def _load_u4(data: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the little-endian u4 at each offset as int64."""
    parts = data[offsets[:, np.newaxis] + np.arange(4)].astype(np.int64)
    return np.asarray(parts @ np.array([1, 1 << 8, 1 << 16, 1 << 24]))


@dataclass(frozen=True, slots=True)
class ScannedEvents:
    """Rows events that stand in the window, and their transactions. Valid until the next ones.

    Attributes:
        log_file: where they stand.
        data: the window, uint8.
        base_pos: offset of data[0] in the file.
        events: (NUM_EVENT_FIELDS, n) int64, as `kernels.layout` names its rows.
        event_table: the same with unused columns behind it, as the kernels take it.
        transactions: (NUM_TRANSACTION_FIELDS, m) int64.
        tagged_gtids: texts of the GTIDs of kind GTID_TAGGED.
        tables: the table maps that the events refer to by slot.
    """

    log_file: LogFile
    data: np.ndarray[Any, Any]
    base_pos: int
    events: np.ndarray[Any, Any]
    event_table: np.ndarray[Any, Any]
    transactions: np.ndarray[Any, Any]
    tagged_gtids: list[str]
    tables: KnownTables

    def site(self, event: int) -> EventSite:
        """Return the place of an event, given as a column of `events`."""
        start_pos = self.base_pos + int(self.events[lay.E_OFFSET, event])
        return event_site(self.log_file, start_pos, int(self.events[lay.E_TYPE, event]))


class Scanner:
    """Scans one log.

    Args:
        log_file: the log.
        options: of the read.
        on_table_map: called with each table map of new content, and where it stands.
        statements: given each statement of the kinds it asks for.
    """

    def __init__(
        self,
        log_file: LogFile,
        options: BinlogOptions,
        on_table_map: Callable[[TableMap, EventSite], None] | None = None,
        statements: StatementSink | None = None,
    ) -> None:
        self.log_file = log_file
        self.tables = KnownTables()
        self._options = options
        self._format: FormatDescription | None = None
        self._parser: EventParser | None = None
        self._fmt = np.zeros(lay.NUM_FORMAT_FIELDS, dtype=np.int64)
        self._fmt[lay.F_LEN_HEADER] = LEN_HEADER
        self._fmt[lay.F_MAX_EVENT] = options.max_event_bytes
        self._state = np.zeros(lay.NUM_STATE_FIELDS, dtype=np.int64)
        self._events = np.zeros((lay.NUM_EVENT_FIELDS, _MAX_EVENTS), dtype=np.int64)
        self._transactions = np.zeros(
            (lay.NUM_TRANSACTION_FIELDS, _MAX_TRANSACTIONS), dtype=np.int64
        )
        self._large = np.zeros(_MAX_LARGE, dtype=np.int64)
        self._tagged: list[str] = []
        self._on_table_map = on_table_map
        self._statements = statements

    def __iter__(self) -> Iterator[ScannedEvents]:
        """Yield the rows events of the log, in order.

        Raises:
            BinlogError: with its site; the events before the place have been given then.
        """
        reader = WindowReader(self.log_file, self._options.window_bytes)
        try:
            is_at_end = False
            while not is_at_end:
                data = np.frombuffer(reader.data, dtype=np.uint8)
                status = self._scan(data, reader)
                error: BinlogError | None = None
                if status in _HANDLED and not self._has_to_flush(status):
                    error = self._handle(status, data, reader)
                    if error is None:
                        continue
                error = self._verify_large(data, reader.base_pos) or error
                if self._state[lay.S_NUM_EVENTS]:
                    yield self._hand_out(data, reader.base_pos)
                self._carry_over()
                if error is not None:
                    raise error
                is_at_end = self._go_on(status, reader)
            self._check_finished()
        finally:
            reader.close()

    def _has_to_flush(self, status: int) -> bool:
        """Tell whether the events scanned so far have to be given before a table map is added."""
        return (
            status == lay.SCAN_TABLE_MAP
            and self.tables.is_full
            and bool(self._state[lay.S_NUM_EVENTS])
        )

    def _go_on(self, status: int, reader: WindowReader) -> bool:
        """Move the window, if that is what the scan needs; return whether the log is at its end.

        Raises:
            BinlogError: if the next event is damaged.
        """
        if status == lay.SCAN_MORE:
            used = int(self._state[lay.S_OFFSET])
            if not read_more(reader, used, self._options.max_event_bytes):
                return True
            self._state[lay.S_OFFSET] = 0
        elif status > lay.SCAN_STATEMENT:
            failure = self._failure(status, reader)
            if failure is None:
                return True
            raise failure
        return False

    def _scan(self, data: np.ndarray[Any, Any], reader: WindowReader) -> int:
        """Run the kernel until it needs something."""
        if self._format is None and reader.num_bytes > LEN_HEADER:
            self._check_first(int(data[4]), reader)
        tables = self.tables
        self._fmt[lay.F_STATEMENTS] = self._statements.kinds if self._statements else 0
        start_pos = reader.base_pos + int(self._state[lay.S_OFFSET])
        with within_bounds(event_site(self.log_file, start_pos)):
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
                self._transactions,
                self._large,
            )
        return int(status)

    def _check_first(self, type_code: int, reader: WindowReader) -> None:
        if type_code != EventType.format_description:
            error = reject_type(type_code) or CorruptEventError(
                "expected a format description as the first event"
            )
            error.site = event_site(self.log_file, reader.base_pos, type_code)
            raise error

    def _event_at(self, data: np.ndarray[Any, Any], offset: int) -> bytes:
        length = int.from_bytes(data[offset + 9 : offset + 13].tobytes(), "little")
        return data[offset : offset + length].tobytes()

    def _handle(
        self, status: int, data: np.ndarray[Any, Any], reader: WindowReader
    ) -> BinlogError | None:
        """Do for an event what the kernel cannot; return the error if that fails."""
        offset = int(self._state[lay.S_DETAIL if status == lay.SCAN_STATEMENT else lay.S_OFFSET])
        event = self._event_at(data, offset)
        try:
            with located(event_site(self.log_file, reader.base_pos + offset, event[4])):
                if status == lay.SCAN_GROW_IDS:
                    statement = int(self._state[lay.S_STATEMENT])
                    self._state[lay.S_NUM_IDS] = self.tables.grow_ids(statement)
                elif status == lay.SCAN_STATEMENT:
                    self._give_statement(event, reader.base_pos + offset)
                elif status == lay.SCAN_TABLE_MAP:
                    self._add_table_map(event, data, reader.base_pos, offset)
                else:
                    self._control(event, reader.base_pos + offset)
        except BinlogError as error:
            return error
        return None

    def _add_table_map(
        self, event: bytes, data: np.ndarray[Any, Any], base_pos: int, offset: int
    ) -> None:
        """Parse a table map whose content is new."""
        assert self._parser is not None
        assert self._format is not None
        if self.tables.is_full:
            statement = int(self._state[lay.S_STATEMENT])
            self._state[lay.S_NUM_IDS] = self.tables.keep_statement(statement)
        parsed = self._parser.parse(event)
        table_map = TableMap.from_event(parsed.body, is_mariadb=self._format.is_mariadb)
        self._parser.release_table_maps()
        start = offset + parsed.len_header + self._format.len_table_id
        end = offset + len(event) - self._format.len_checksum
        content_hash = int(self._state[lay.S_DETAIL].view(np.uint64))
        self.tables.add(data[start:end], content_hash, table_map)
        if self._on_table_map is not None:
            site = event_site(self.log_file, base_pos + offset, EventType.table_map)
            self._on_table_map(table_map, site)

    def _give_statement(self, event: bytes, start_pos: int) -> None:
        assert self._parser is not None
        assert self._statements is not None
        if self._fmt[lay.F_VERIFY] and self._fmt[lay.F_LEN_CHECKSUM]:
            check_crc32(event)  # which the kernel leaves out of large ones
        site = event_site(self.log_file, start_pos, event[4])
        parsed = self._parser.parse(event)
        statement = Statement.from_event(parsed, site, self._options.max_event_bytes)
        if statement.kind & self._statements.kinds:
            self._statements.take(statement)

    def _control(self, event: bytes, start_pos: int) -> None:
        """Take an event that changes how the next ones are read, or names a transaction."""
        type_code = event[4]
        if (error := reject_type(type_code)) is not None:
            raise error
        if type_code == EventType.format_description:
            self._set_format(event)
        elif type_code == EventType.gtid_tagged:
            self._open_tagged(event, start_pos)
        elif (error := hidden_rows_error(type_code)) is not None:
            raise error
        self._state[lay.S_LAST_TYPE] = type_code
        self._state[lay.S_OFFSET] += len(event)

    def _set_format(self, event: bytes) -> None:
        verify = self._options.verify_checksums
        self._format = parse_format_description(event, verify=verify)
        self._parser = EventParser(self._format)
        self._fmt[lay.F_LEN_HEADER] = self._format.len_header
        self._fmt[lay.F_LEN_CHECKSUM] = self._format.len_checksum
        self._fmt[lay.F_LEN_TABLE_ID] = self._format.len_table_id
        self._fmt[lay.F_VERIFY] = verify
        self._fmt[lay.F_IS_MARIADB] = self._format.is_mariadb
        lengths = self._format.post_header_lengths
        self._fmt[lay.F_POST_HEADERS :] = 0
        first = lay.F_POST_HEADERS + 1
        self._fmt[first : first + len(lengths)] = list(lengths)
        self._state[lay.S_STATEMENT] += 1  # releases all table maps

    def _open_tagged(self, event: bytes, start_pos: int) -> None:
        assert self._parser is not None
        if self._fmt[lay.F_VERIFY] and self._fmt[lay.F_LEN_CHECKSUM]:
            check_crc32(event)
        name, micros = format_tagged_gtid(self._parser.parse(event).body)
        t = int(self._state[lay.S_NUM_TRANSACTIONS])
        self._transactions[:, t] = 0
        self._transactions[lay.T_START_POS, t] = start_pos
        self._transactions[lay.T_COMMIT_MICROS, t] = micros
        self._transactions[lay.T_GTID_KIND, t] = lay.GTID_TAGGED
        self._transactions[lay.T_GTID_A, t] = len(self._tagged)
        self._tagged.append(name)
        self._state[lay.S_NUM_TRANSACTIONS] = t + 1
        self._state[lay.S_TRANSACTION_STATE] = lay.TX_NAMED
        self._state[lay.S_HAS_ROWS] = 0

    def _verify_large(
        self, data: np.ndarray[Any, Any], base_pos: int
    ) -> ChecksumMismatchError | None:
        """Compare the checksums that the kernel left out; drop the events from a wrong one on."""
        starts = self._large[: self._state[lay.S_NUM_LARGE]]
        if not len(starts):
            return None
        ends = starts + _load_u4(data, starts + 9) - LEN_CHECKSUM
        view = memoryview(data.data)
        actual = np.array(
            [crc32(view[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
        )
        wrong = np.flatnonzero(actual != _load_u4(data, ends))
        if not len(wrong):
            return None
        offset = int(starts[wrong[0]])
        count = int(self._state[lay.S_NUM_EVENTS])
        good = np.count_nonzero(self._events[lay.E_OFFSET, :count] < offset)
        self._state[lay.S_NUM_EVENTS] = good
        try:
            with located(event_site(self.log_file, base_pos + offset, int(data[offset + 4]))):
                check_crc32(self._event_at(data, offset))
        except ChecksumMismatchError as error:
            return error
        return None

    def _hand_out(self, data: np.ndarray[Any, Any], base_pos: int) -> ScannedEvents:
        return ScannedEvents(
            self.log_file,
            data,
            base_pos,
            self._events[:, : self._state[lay.S_NUM_EVENTS]],
            self._events,
            self._transactions[:, : self._state[lay.S_NUM_TRANSACTIONS]],
            self._tagged,
            self.tables,
        )

    def _carry_over(self) -> None:
        """Keep the last transaction, which may go on, as the first of the next window."""
        count = int(self._state[lay.S_NUM_TRANSACTIONS])
        if count:
            last = self._transactions[:, count - 1].copy()
            if last[lay.T_GTID_KIND] == lay.GTID_TAGGED:
                self._tagged = [self._tagged[last[lay.T_GTID_A]]]
                last[lay.T_GTID_A] = 0
            else:
                self._tagged = []
            self._transactions[:, 0] = last
            self._state[lay.S_NUM_TRANSACTIONS] = 1
        self._state[lay.S_NUM_EVENTS] = 0
        self._state[lay.S_NUM_LARGE] = 0

    def _failure(self, status: int, reader: WindowReader) -> BinlogError | None:
        """Return the error for a status of the scan; None if the log ends in zero bytes there."""
        offset = int(self._state[lay.S_OFFSET])
        event = self._event_at(np.frombuffer(reader.data, dtype=np.uint8), offset)
        site = event_site(self.log_file, reader.base_pos + offset, reader.data[offset + 4])
        if status == lay.SCAN_BAD_LENGTH:
            len_event = int.from_bytes(event[9:13], "little")
            if LEN_HEADER <= len_event <= self._options.max_event_bytes:
                return CorruptEventError(
                    "expected an event length of at least"
                    f" {self._fmt[lay.F_LEN_HEADER] + self._fmt[lay.F_LEN_CHECKSUM]} bytes,"
                    f" found {len_event}",
                    site=site,
                )
            return tail_error(reader, offset, self._options.max_event_bytes)
        try:
            with located(site):
                if status == lay.SCAN_BAD_CHECKSUM:
                    check_crc32(event)
                elif status == lay.SCAN_NO_TABLE_MAP:
                    raise missing_table_map(int(self._state[lay.S_DETAIL]))
                elif self._parser is not None:
                    self._parser.parse(event)  # says which field does not fit
                raise CorruptEventError(
                    f"the fields of the event reach beyond its {len(event) - LEN_CHECKSUM} bytes"
                )
        except BinlogError as error:
            return error

    def _check_finished(self) -> None:
        """Raise if the log ends inside a transaction that has changed rows."""
        state = self._state
        if (
            state[lay.S_TRANSACTION_STATE] == lay.TX_OPEN
            and state[lay.S_HAS_ROWS]
            and state[lay.S_LAST_TYPE] not in (EventType.stop, EventType.rotate)
        ):
            start_pos = int(self._transactions[lay.T_START_POS, 0])
            raise open_transaction_error(self.log_file, start_pos)
