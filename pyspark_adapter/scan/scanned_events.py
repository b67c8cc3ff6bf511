"""Rows events and transactions that the scan has found in a window, and their sites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.lib.stride_tricks import sliding_window_view

from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    EventSite,
    UnsupportedError,
    located,
)
from pyspark_adapter.events.event_errors import open_transaction_error, split_error
from pyspark_adapter.events.statements import PlacedStatement
from pyspark_adapter.events.transactions import xid_of_gtid, xid_of_statement
from pyspark_adapter.events.windows import ReadRange, WindowReader
from pyspark_adapter.format.event_types import ENDS_LOG, TRAITS, plain_type
from pyspark_adapter.format.gtid import read_tagged_gtid
from pyspark_adapter.format.header import server_id_at, timestamp_at, type_code_at
from pyspark_adapter.format.schema import FormatDescription
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import fill_gtids
from pyspark_adapter.kernels.layout import MAX_INT32, GtidKind, Numbers, State, Transaction, Tx
from pyspark_adapter.kernels.transaction_state import OPENS, Mark, next_state
from pyspark_adapter.scan.decompressed_reader import DecompressedReader
from pyspark_adapter.scan.table_map_cache import TableMapCache
from pyspark_adapter.sources.log_file import LogFile

LogReader = WindowReader | DecompressedReader

# Looking for columns that no row holds costs more than it saves for so few.
_FEW_COLUMNS: Final = 64


@dataclass(frozen=True, slots=True)
class ScannedEvents:
    """Rows events of a window, their transactions, and statements. Valid until the next window.

    Attributes:
        data: the window, uint8.
        events: (NUM_EVENT_FIELDS, n) int64, as `kernels.layout` names its rows.
        event_table: the same followed by unused columns, as the kernels take it.
        transactions: (NUM_TRANSACTION_FIELDS, m) int64.
        tagged_gtids: texts of the GTIDs of kind `GtidKind.TAGGED`.
        xids: names of distributed transactions; `Transaction.XID` counts them from 1.
        tables: the table maps that the events refer to by slot.
        earlier_query: text of a statement that was in an earlier window, as `Event.QUERY` counts.
        end: offset in the window after the last event that was scanned.
        format: the format description of all of them; None before the first.
        statements: those of the kinds that are asked for, in order.
    """

    log_file: LogFile
    data: Numbers
    reader: LogReader
    events: Numbers
    event_table: Numbers
    transactions: Numbers
    tagged_gtids: list[str]
    xids: list[str]
    tables: TableMapCache
    earlier_query: str = ""
    end: int = 0
    format: FormatDescription | None = None
    statements: Sequence[PlacedStatement] = ()

    def events_to_walk(self, selection: Numbers) -> tuple[Any, ...]:
        """Return the first arguments of kernels that walk the rows of some events."""
        tables = self.tables
        plans = tables.plans, tables.plan_columns, tables.plan_json
        return self.data, self.event_table, selection, tables.widths, *plans

    @property
    def position(self) -> int:
        """How far the file has been read: up to the first event, or the one that contains it."""
        if not self.events.shape[1]:
            return self.reader.file_position(self.statements[0].statement.site.start_pos)
        return self.reader.file_position(int(self.events[lay.Event.START_POS, 0]))

    def site(self, event: int) -> EventSite:
        """Return the site of an event, a column of `events`."""
        return window_site(self.reader, int(self.events[lay.Event.OFFSET, event]))

    def between(self, start: PlacedStatement | None, stop: PlacedStatement | None) -> ScannedEvents:
        """Return the rows events between two statements; None for either end of the window.

        The transaction of the first statement continues, as at the start of a window.
        """
        if start is None and stop is None:
            return self
        first, base = (0, 0) if start is None else (start.event, max(start.num_transactions - 1, 0))
        end, last = (None, None) if stop is None else stop[1:]
        part = self.events[:, first:end]
        table = self.event_table
        if first or base:
            part = table = part.copy()  # the kernels take whole rows
            part[lay.Event.TRANSACTION] -= base
        transactions = self.transactions[:, base:last]
        return replace(self, events=part, event_table=table, transactions=transactions)

    def held_columns(self, selection: Numbers, num_columns: int) -> Numbers:
        """Return (num_columns,) bool: which columns some row image of events may hold."""
        if num_columns <= _FEW_COLUMNS:
            return np.ones(num_columns, dtype=bool)
        length = (num_columns + 7) // 8
        of_table = selection[self.events[lay.Event.NUM_COLUMNS, selection] == num_columns]
        starts = self.events[lay.Event.BITMAP, of_table]
        sizes = self.events[lay.Event.ROWS, of_table] - starts
        # An update has one for each image.
        bitmaps = np.concatenate([starts[sizes >= length], starts[sizes >= 2 * length] + length])
        bits = np.bitwise_or.reduce(sliding_window_view(self.data, length)[bitmaps])
        return np.unpackbits(bits, count=num_columns, bitorder="little").astype(bool)

    def is_decompressed(self, event: int) -> bool:
        """Return whether the bytes of an event in the window differ from those in the file."""
        offset = int(self.events[lay.Event.OFFSET, event])
        type_code = type_code_at(self.reader.data, offset)
        return plain_type(type_code) != type_code or self.reader.position_of(offset)[1] >= 0

    def byte_of(self, event: int, offset: int) -> int:
        """Return the offset of a byte of an event in the file, or in the decompressed bytes."""
        start = int(self.events[lay.Event.OFFSET, event])
        start_pos, inner_pos = self.reader.position_of(start)
        first = start_pos if inner_pos < 0 else inner_pos
        if inner_pos < 0 and self.is_decompressed(event):
            first = 0
        return first + offset - start


def window_site(reader: LogReader, offset: int) -> EventSite:
    """Return the site of the event at an offset of a window."""
    start_pos, inner_pos = reader.position_of(offset)
    return reader.log_file.event_site(start_pos, type_code_at(reader.data, offset), inner_pos)


def outside_error(error: IndexError, site: EventSite | None = None) -> BinlogError:
    """Return the error for a kernel that left its input."""
    return CorruptEventError(f"a length leads outside of the log: {error}", site=site)


@contextmanager
def within_bounds(site: EventSite, num_bytes: int = 0) -> Iterator[None]:
    """Turn the error of a kernel that left its input into a CorruptEventError.

    Each length is checked before it is followed, so this is the last line of defence.

    Args:
        site: the first event that the kernel read.
        num_bytes: of its input. Positions beyond 2 GiB would wrap and give other values.

    Raises:
        UnsupportedError: if that is too much.
        CorruptEventError: instead of an IndexError.
    """
    if num_bytes > MAX_INT32:
        advice = "use a lower option windowBytes"
        raise UnsupportedError("a window of more than 2 GiB", site=site, advice=advice)
    try:
        yield
    except IndexError as error:
        raise outside_error(error, site) from error


def _header_micros(event: bytes) -> int:
    return timestamp_at(event) * 1_000_000


class ScannedTransactions:
    """The transactions of a window; the first may have begun before it.

    The kernel opens most of them. Those whose events it cannot read are opened here.

    Args:
        state: (NUM_STATE_FIELDS,) of the scan; what it says of transactions is changed here too.
        max_transactions: of a window.

    Attributes:
        table: (NUM_TRANSACTION_FIELDS, n) int64, as the kernel takes it.
        tagged_gtids: texts of the GTIDs of kind `GtidKind.TAGGED`.
        xids: names of distributed transactions; `Transaction.XID` counts them from 1.
    """

    def __init__(self, state: Numbers, max_transactions: int) -> None:
        self._state = state
        self.table = np.empty((lay.NUM_TRANSACTION_FIELDS, max_transactions), dtype=np.int64)
        self.tagged_gtids: list[str] = []
        self.xids: list[str] = []

    @property
    def used(self) -> Numbers:
        """The columns of `table` that are in use."""
        return self.table[:, : self._state[State.NUM_TRANSACTIONS]]

    @property
    def latest(self) -> Numbers:
        """(NUM_TRANSACTION_FIELDS, 1): the one that was opened last."""
        return self.used[:, -1:]

    def open_tagged(self, body: Any, start_pos: int) -> None:
        """Open the transaction that a GTID event with a tag names."""
        name, micros, num_bytes = read_tagged_gtid(body)
        self._follow(Mark.NAME, start_pos, micros)
        self.latest[Transaction.NUM_BYTES] = num_bytes
        self.latest[Transaction.GTID_KIND] = GtidKind.TAGGED
        self.latest[Transaction.GTID_A] = len(self.tagged_gtids)
        self.tagged_gtids.append(name)

    def begin_xa(self, event: bytes, body: Any, start_pos: int) -> None:
        """Take the XA START of a distributed transaction, which may have a GTID already."""
        self._follow(Mark.BEGIN_XA, start_pos, _header_micros(event))
        if self._state[State.HAS_ROWS]:
            return
        self.latest[Transaction.THREAD_ID] = body.thread_id
        self._name_xa(xid_of_statement(bytes(body.query)))

    def open_prepared(self, event: bytes, body: Any, start_pos: int) -> None:
        """Open the distributed transaction that a GTID event of MariaDB begins."""
        mark = Mark.NAME if body.is_standalone else Mark.NAME_AND_BEGIN
        self._follow(mark, start_pos, _header_micros(event))
        latest = self.latest
        latest[Transaction.GTID_KIND] = GtidKind.MARIADB
        latest[Transaction.GTID_A] = body.domain_id
        latest[Transaction.GTID_B] = server_id_at(event)
        latest[Transaction.GTID_C] = np.uint64(body.seq_no).view(np.int64)
        latest[Transaction.THREAD_ID] = getattr(body, "thread_id", -1)
        self._name_xa(xid_of_gtid(body))

    def _follow(self, mark: Mark, start_pos: int, micros: int) -> None:
        """Move on over an event, and append a transaction if the event opens one."""
        after = next_state(int(self._state[State.TRANSACTION_STATE]), mark)
        self._state[State.TRANSACTION_STATE] = after & ~OPENS
        if not after & OPENS:
            return
        t = int(self._state[State.NUM_TRANSACTIONS])
        self._state[State.TRANSACTION] += 1
        self.table[:, t] = 0
        self.table[[Transaction.THREAD_ID, Transaction.NUM_BYTES], t] = -1
        self.table[Transaction.START_POS, t] = start_pos
        self.table[Transaction.COMMIT_MICROS, t] = micros
        self.table[Transaction.NUMBER, t] = self._state[State.TRANSACTION]
        self._state[State.NUM_TRANSACTIONS] = t + 1
        self._state[State.HAS_ROWS] = 0
        self._state[State.QUERY_END] = 0
        self._state[State.STATEMENT] += 1  # releases all table maps

    def _name_xa(self, xid: str | None) -> None:
        assert xid is not None
        self.xids.append(xid)
        self.latest[Transaction.XID] = len(self.xids)

    def carry_over(self) -> None:
        """Keep the last one, which may continue, as the first of the next window.

        The lists of names are replaced, not changed: windows before keep theirs.
        """
        if not self._state[State.NUM_TRANSACTIONS]:
            return
        last = self.latest[:, 0].copy()
        if last[Transaction.GTID_KIND] == GtidKind.TAGGED:
            self.tagged_gtids = [self.tagged_gtids[last[Transaction.GTID_A]]]
            last[Transaction.GTID_A] = 0
        else:
            self.tagged_gtids = []
        self.xids = [self.xids[last[Transaction.XID] - 1]] if last[Transaction.XID] else []
        last[Transaction.XID] = len(self.xids)
        self.table[:, 0] = last
        self._state[State.NUM_TRANSACTIONS] = 1

    def check_finished(self, log_file: LogFile, part: ReadRange | None) -> None:
        """Raise if the log ends inside a transaction that has changed rows.

        A part of a log has to end where a transaction ends, or where a GTID begins one.
        """
        state, tx_state = self._state, self._state[State.TRANSACTION_STATE]
        is_ended = bool(TRAITS[state[State.LAST_TYPE]] & ENDS_LOG)
        if tx_state == Tx.CLOSED:
            return
        start_pos = int(self.latest[Transaction.START_POS, 0])
        with located(log_file.event_site(start_pos)):
            if part is not None and part.stop is not None:
                if not part.stops_at_gtid:
                    raise split_error(part.stop)
            elif tx_state == Tx.OPEN and state[State.HAS_ROWS] and not is_ended:
                raise open_transaction_error()


def gtid_texts(transactions: Numbers, tagged: list[str]) -> pa.Array:
    """Return the GTID of each transaction; null where it has none."""
    count = transactions.shape[1]
    kinds = transactions[lay.Transaction.GTID_KIND]
    offsets = np.empty(count + 1, dtype=np.int32)
    out = np.empty(count * lay.LEN_GTID, dtype=np.uint8)
    fill_gtids(transactions, count, offsets, out)
    validity = None
    if (kinds == lay.GtidKind.NONE).any():
        bits = np.packbits(kinds != lay.GtidKind.NONE, bitorder="little")
        validity = pa.py_buffer(bits)
    texts = pa.Array.from_buffers(
        pa.string(), count, [validity, pa.py_buffer(offsets), pa.py_buffer(out)]
    )
    if (kinds == lay.GtidKind.TAGGED).any():
        listed = texts.to_pylist()
        for t in np.flatnonzero(kinds == lay.GtidKind.TAGGED).tolist():
            listed[t] = tagged[int(transactions[lay.Transaction.GTID_A, t])]
        texts = pa.array(listed, pa.string())
    return texts
