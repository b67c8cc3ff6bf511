"""Row images in plain Python: where the values of a row are in a rows event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.event_types import DECODED, types_with
from pyspark_adapter.format.packed_int import read_packed_int
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels.layout import WIDTH_UNKNOWN, Change, RowStatus
from pyspark_adapter.options.change_types import CHANGES_BY_EVENT_TYPE, UPDATE
from pyspark_adapter.plan.row_plan import RowPlan
from pyspark_adapter.values.binary_json.diff import apply_differences, difference_of_null

_PARTIAL: Final = EventType.partial_update_rows

# Rows that are decoded; other forms are refused.
READ_ROWS: Final = types_with(DECODED)


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


class RowError(Exception):
    """A row whose values cannot be found; `reference` turns it into one of our errors.

    Attributes:
        status: what is wrong.
        column: that it is about, if it is about one.
        offset: in the rows.
    """

    def __init__(self, status: RowStatus, column: Column | None, offset: int) -> None:
        super().__init__(status, column, offset)
        self.status = status
        self.column = column
        self.offset = offset


@dataclass(frozen=True, slots=True)
class RowImage:
    """One side of a row change.

    Attributes:
        change: the kind of row image.
        values: for each column of the table its bytes, without a length before them, or why there
            are none.
        offsets: for each column, where these begin in the rows of the event, -1 for none; empty if
            nobody needs them.
    """

    change: int
    values: list[Value]
    offsets: Sequence[int] = ()

    def lacks(self, column: Column) -> bool:
        """Return whether the log does not hold the value of a column."""
        value = self.values[column.index]
        if isinstance(value, PartialDocument):
            value = value.before
        return value is Missing.ABSENT


def iter_images(type_code: int, body: Any, rows: bytes, plan: RowPlan) -> Iterator[RowImage]:
    """Yield the row images of a rows event, both of an update one after the other.

    Args:
        type_code: of the event, one of READ_ROWS.
        body: of the event, as the generated parser gives it.
        rows: its rows.
        plan: how they are read.

    Raises:
        RowError: at the first row whose values cannot be found.
    """
    columns = plan.table_map.columns
    if body.head.num_columns.value != len(columns):
        raise RowError(RowStatus.BAD_COLUMN_COUNT, None, 0)
    first = _present(bytes(body.head.columns_present_bitmap), plan)
    changes = CHANGES_BY_EVENT_TYPE[type_code]
    sides = [(min(changes), first)]
    if changes == UPDATE:
        second = _present(bytes(body.head.columns_present_bitmap_after), plan)
        sides.append((Change.UPDATE_POSTIMAGE, second))
    # A row without a present column has no bytes: an event that holds nothing is one such row.
    # Those of a partial update have some.
    is_partial = type_code == _PARTIAL
    is_empty_row = not rows and not is_partial and not any(present for _, present in sides)
    offset = 0
    while offset < len(rows) or is_empty_row:
        start = offset
        images: list[RowImage] = []
        for change, present in sides:
            partial: list[Column] = []
            if is_partial and images:
                partial, offset = _take_partial_columns(rows, offset, plan)
            values, offsets, offset = _find_values(rows, offset, present, plan)
            for column in partial:
                differences = values[column.index]
                if isinstance(differences, bytes):
                    before = images[0].values[column.index]
                    assert not isinstance(before, PartialDocument)
                    values[column.index] = PartialDocument(before, differences)
            images.append(RowImage(change, values, offsets))
        if offset == start and not is_empty_row:
            raise RowError(RowStatus.BAD_NULL_BITMAP, None, start)
        yield from images
        is_empty_row = False


def _take_partial_columns(rows: bytes, start: int, plan: RowPlan) -> tuple[list[Column], int]:
    """Return (columns that a partial update has as differences, position of the after image)."""
    options, offset = read_packed_int(rows, start) or (0, len(rows) + 1)
    json_columns = plan.table_map.json_columns if options & 1 else ()
    end = offset + (len(json_columns) + 7) // 8
    if options > 1 or end > len(rows):
        raise RowError(RowStatus.BAD_VALUE_OPTIONS, None, start)
    bits = int.from_bytes(rows[offset:end], "little")
    return [column for k, column in enumerate(json_columns) if bits >> k & 1], end


def _present(bitmap: bytes, plan: RowPlan) -> list[Column]:
    return [c for c in plan.table_map.columns if bitmap[c.index >> 3] >> (c.index & 7) & 1]


def _find_values(
    rows: bytes, start: int, present: list[Column], plan: RowPlan
) -> tuple[list[Value], list[int], int]:
    """Return (values of an image, their positions, position after it)."""
    offset = start + (len(present) + 7) // 8
    if offset > len(rows):
        raise RowError(RowStatus.BAD_NULL_BITMAP, None, start)
    values: list[Value] = [Missing.ABSENT] * len(plan.widths)
    offsets = [-1] * len(plan.widths)
    for k, column in enumerate(present):
        if rows[start + (k >> 3)] >> (k & 7) & 1:
            values[column.index] = Missing.NULL
            continue
        width = plan.widths[column.index]
        begin = offset
        if width == WIDTH_UNKNOWN:
            raise RowError(RowStatus.BAD_WIDTH, column, begin)
        if width < 0:
            offset -= width
            if offset > len(rows):
                raise RowError(RowStatus.BAD_VALUE_LENGTH, column, begin)
            width = int.from_bytes(rows[begin:offset], "little")
        end = offset + width
        if end > len(rows):
            raise RowError(RowStatus.BAD_VALUE_LENGTH, column, begin)
        values[column.index] = rows[offset:end]
        offsets[column.index] = offset
        offset = end
    return values, offsets, offset
