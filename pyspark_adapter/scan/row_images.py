"""Row images of the events of a window: where their values are, and what the log has of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import locate
from pyspark_adapter.kernels.layout import (
    MAX_COLUMNS,
    Change,
    Cursor,
    LocatedRow,
    Numbers,
    Pos,
    Present,
    TableColumn,
    Total,
)
from pyspark_adapter.scan.kernel_counts import FailedEventError, count_error
from pyspark_adapter.scan.scanned_events import ScannedEvents, outside_error
from pyspark_adapter.values.binary_json.diff import apply_differences, difference_of_null
from pyspark_adapter.values.column_types import width_of

# Positions that are kept at once: more columns mean fewer images.
_MAX_CELLS: Final = 1 << 21
# Positions of a line of the processor's cache. Without a line between them, the positions of the
# columns of a row would be in lines of the same set, which has room for few.
_LEN_LINE: Final = 16
_NO_NUMBERS: Final = np.empty(0, dtype=np.int64)


class Missing(Enum):
    """Why a row image has no bytes for a column."""

    NULL = 0
    ABSENT = 1


@dataclass(frozen=True, slots=True)
class PartialDocument:
    """A JSON document that an image has as differences to the one in the image before it.

    Attributes:
        before: that document, or why it has none.
        differences: as logged, without the length before them.
    """

    before: bytes | Missing
    differences: bytes

    def document(self) -> bytes | Missing:
        """Return the document with the differences applied; ABSENT if that before is not logged.

        Raises:
            CorruptEventError: if they cannot be applied.
        """
        if isinstance(self.before, bytes):
            return apply_differences(self.before, self.differences)
        if self.before is Missing.NULL:
            raise difference_of_null()
        return Missing.ABSENT


Value = bytes | Missing | PartialDocument


@dataclass(frozen=True, slots=True)
class RowImage:
    """One side of a row change.

    Attributes:
        change: the kind of row image.
        values: for each column of the table its bytes, without a length before them, or why there
            are none.
    """

    change: int
    values: list[Value]


class RowLayout(NamedTuple):
    """Where the values of a table's rows are.

    Attributes:
        located: the columns whose values are located.
        widths: of the values of all columns in bytes; -n if n bytes before each have its length.
        columns: as `locate` takes them.
    """

    located: Sequence[Column]
    widths: tuple[int, ...]
    columns: Numbers


def layout_of(table_map: TableMap, located: Sequence[Column] | None = None) -> RowLayout:
    """Return the layout of a table, to locate the values of some columns; None for all."""
    located = table_map.columns if located is None else located
    widths = tuple(map(width_of, table_map.columns))
    columns = np.full((len(TableColumn), len(widths)), -1, dtype=np.int64)
    for output, column in enumerate(located):
        columns[TableColumn.OUTPUT, column.index] = output
    for number, column in enumerate(table_map.json_columns):
        columns[TableColumn.JSON, column.index] = number
    return RowLayout(located, widths, columns)


@dataclass(frozen=True, slots=True)
class LocatedImages:
    """Located row images of a table. Valid until the next ones.

    Attributes:
        layout: of the rows of the table.
        pos: (located columns, at least n) positions of `locate`.
        located: (len(LocatedRow), n).
        totals: (len(Total), located columns).
    """

    scanned: ScannedEvents
    layout: RowLayout
    pos: Numbers
    located: Numbers
    totals: Numbers

    def all(self) -> Iterator[RowImage]:
        """Yield the images, those of an update one after the other."""
        first = 0
        while first < self.located.shape[1]:
            images = self.images(first)
            yield from images
            first += len(images)

    def images(self, first: int) -> list[RowImage]:
        """Return the images of a row change: two of an update, else one."""
        change = int(self.located[LocatedRow.CHANGE, first])
        before = [self._value(c, first, Missing.ABSENT) for c in range(len(self.layout.widths))]
        images = [RowImage(change, before)]
        if change == Change.UPDATE_PREIMAGE:
            after = [self._value(c, first + 1, value) for c, value in enumerate(before)]
            images.append(RowImage(Change.UPDATE_POSTIMAGE, after))
        return images

    def _value(self, c: int, image: int, before: Value) -> Value:
        position = int(self.pos[c, image])
        if position == Pos.NULL:
            return Missing.NULL
        if position == Pos.ABSENT:
            return Missing.ABSENT
        if position >= 0:
            return self.bytes_at(c, position)[1]
        assert not isinstance(before, PartialDocument)
        return PartialDocument(before, self.bytes_at(c, Pos.DIFFERENCES - position)[1])

    def bytes_at(self, c: int, position: int) -> tuple[int, bytes]:
        """Return (offset in the window, bytes) of a value of column c, without its length."""
        length = self.layout.widths[c]
        data = self.scanned.data
        if length < 0:
            start = position - length
            length = int.from_bytes(data[position:start].tobytes(), "little")
            position = start
        return position, data[position : position + length].tobytes()


def new_cursor(max_bytes: int, row_number: int = 0) -> Numbers:
    """Return the state of `locate_rows`.

    Args:
        max_bytes: of the values that are located at once.
        row_number: of the first row change, if the rows are numbered in their order.
    """
    cursor = np.zeros(len(Cursor), dtype=np.int64)
    cursor[Cursor.MAX_BYTES], cursor[Cursor.ROW_NUMBER] = max_bytes, row_number
    return cursor


def locate_rows(
    scanned: ScannedEvents,
    layout: RowLayout,
    selection: Numbers,
    cursor: Numbers,
    *,
    max_images: int = _MAX_CELLS,
    first_numbers: Numbers = _NO_NUMBERS,
) -> Iterator[LocatedImages]:
    """Yield the row images of events with one layout, some at a time.

    Args:
        layout: of the rows.
        selection: columns of `scanned.events`.
        cursor: of `new_cursor`; changed.
        max_images: how many are located at once; both images of an update always are.
        first_numbers: as `locate` takes them.

    Raises:
        FailedEventError: at an event that is not valid, after the images before it.
    """
    events, num_columns = scanned.events[:, selection], len(layout.located)
    most = 2 * int((events[lay.Event.END] - events[lay.Event.ROWS]).sum() + len(selection))
    room = max(2, min(_MAX_CELLS // max(1, num_columns), most, max_images))
    pos = np.empty((num_columns, room + _LEN_LINE), dtype=np.int32)
    located = np.empty((len(LocatedRow), room), dtype=np.int64)
    totals = np.zeros((len(Total), num_columns), dtype=np.int64)
    present = np.empty((2, len(Present), MAX_COLUMNS), dtype=np.int32)
    tables, outside = scanned.tables, None
    while cursor[Cursor.EVENT] < len(selection):
        before = cursor.copy()
        try:
            num_images = locate(
                scanned.data,
                scanned.event_table,
                selection,
                first_numbers,
                tables.widths,
                tables.plans,
                tables.plan_columns,
                layout.columns,
                pos,
                located,
                totals,
                cursor,
                present,
            )
        except IndexError as error:  # the last line of defence; the events before are good
            index = int(cursor[Cursor.EVENT])
            event = int(selection[index])
            outside = FailedEventError(event, outside_error(error, scanned.site(event)))
            selection, cursor[:] = selection[:index], before
            continue
        if num_images < 0:
            event = int(selection[cursor[Cursor.EVENT]])
            raise FailedEventError(event, count_error(scanned, event, num_images))
        if num_images:
            yield LocatedImages(scanned, layout, pos, located[:, :num_images], totals)
    if outside is not None:
        raise outside


def locate_event(scanned: ScannedEvents, event: int, max_bytes: int) -> Iterator[LocatedImages]:
    """Yield the row images of one event, some at a time; raises CorruptEventError."""
    layout = layout_of(scanned.tables.table_maps[int(scanned.events[lay.Event.SLOT, event])])
    try:
        yield from locate_rows(scanned, layout, np.array([event]), new_cursor(max_bytes))
    except FailedEventError as failed:
        raise failed.error from None
