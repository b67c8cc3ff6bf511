"""Rows events that the scan has found in a window, and their sites in the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pyspark_adapter.errors import BinlogError, CorruptEventError, EventSite, UnsupportedError
from pyspark_adapter.events.statements import PlacedStatement
from pyspark_adapter.events.windows import WindowReader
from pyspark_adapter.format.event_types import plain_type
from pyspark_adapter.format.header import type_code_at
from pyspark_adapter.format.schema import FormatDescription
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import MAX_INT32, Numbers
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
    """Turn the error of a kernel that left its input into one of ours.

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
