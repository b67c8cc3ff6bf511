"""Row images in plain Python: where each value of a row stands in the bytes of a rows event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.row_plan import RowPlan
from pyspark_adapter.schema import EventType
from pyspark_adapter.table_map import Column

_WRITES: Final = frozenset({EventType.write_rows, EventType.write_rows_v1})
_PARTIAL: Final = EventType.partial_update_rows
_UPDATES: Final = frozenset({EventType.update_rows, EventType.update_rows_v1, _PARTIAL})
_DELETES: Final = frozenset({EventType.delete_rows, EventType.delete_rows_v1})

# Rows that can be counted, and those that are read as well; other forms of them are told apart
# and refused.
COUNTED_ROWS: Final = _WRITES | _UPDATES | _DELETES
READ_ROWS: Final = COUNTED_ROWS - {_PARTIAL}

# Bytes behind the first one of a packed integer that is not its own value.
_LONG_INTEGERS: Final = {0xFC: 2, 0xFD: 3, 0xFE: 8}


class Missing(Enum):
    """Why a row image has no bytes for a column."""

    NULL = 0
    ABSENT = 1


class RowError(Exception):
    """A row that cannot be walked; `reference` turns it into one of our errors.

    Attributes:
        status: one of the BAD_ codes of `kernels.layout`.
        column: that it is about, if it is about one.
        offset: in the rows.
    """

    def __init__(self, status: int, column: Column | None, offset: int) -> None:
        super().__init__(status, column, offset)
        self.status = status
        self.column = column
        self.offset = offset


@dataclass(frozen=True, slots=True)
class RowImage:
    """One side of a row change.

    Attributes:
        change: one of the CHANGE_ codes of `kernels.layout`.
        ordinal: number of the row change in its event.
        values: for each column of the table its bytes, without a length before them, or why there
            are none.
    """

    change: int
    ordinal: int
    values: list[bytes | Missing]


def iter_images(type_code: int, body: Any, rows: bytes, plan: RowPlan) -> Iterator[RowImage]:
    """Yield the row images of a rows event, both of an update one after the other.

    Args:
        type_code: of the event, one of COUNTED_ROWS.
        body: of the event, as the generated parser gives it.
        rows: its rows.
        plan: how they are read.

    Raises:
        RowError: at the first row that cannot be walked.
    """
    columns = plan.table_map.columns
    if body.num_columns.value != len(columns):
        raise RowError(lay.BAD_COLUMN_COUNT, None, 0)
    first = _present(bytes(body.columns_present_bitmap), plan)
    sides = [(_first_change(type_code), first)]
    if type_code in _UPDATES:
        second = _present(bytes(body.columns_present_bitmap_after), plan)
        sides.append((lay.CHANGE_UPDATE_POSTIMAGE, second))
    # A row without a present column has no bytes: an event that holds nothing is one such row.
    is_empty_row = not rows and not any(present for _, present in sides)
    offset = ordinal = 0
    while offset < len(rows) or is_empty_row:
        start = offset
        images = []
        for change, present in sides:
            if type_code == _PARTIAL and change == lay.CHANGE_UPDATE_POSTIMAGE:
                offset = _skip_value_options(rows, offset, plan)
            values, offset = _walk(rows, offset, present, plan)
            images.append(RowImage(change, ordinal, values))
        if offset == start and not is_empty_row:
            raise RowError(lay.BAD_NULL_BITMAP, None, start)
        yield from images
        is_empty_row = False
        ordinal += 1


def _first_change(type_code: int) -> int:
    if type_code in _WRITES:
        return lay.CHANGE_INSERT
    return lay.CHANGE_UPDATE_PREIMAGE if type_code in _UPDATES else lay.CHANGE_DELETE


def _skip_value_options(rows: bytes, start: int, plan: RowPlan) -> int:
    """Return the position of the after image of a partial update."""
    first = int.from_bytes(rows[start : start + 1], "little")
    len_long = _LONG_INTEGERS.get(first, 0)
    offset = start + 1 + len_long
    options = int.from_bytes(rows[start + 1 : offset], "little") if len_long else first
    if options & 1:
        offset += (plan.num_json_columns + 7) // 8
    if options > 1 or offset > len(rows):
        raise RowError(lay.BAD_NULL_BITMAP, None, start)
    return offset


def _present(bitmap: bytes, plan: RowPlan) -> list[Column]:
    return [c for c in plan.table_map.columns if bitmap[c.index >> 3] >> (c.index & 7) & 1]


def _walk(
    rows: bytes, start: int, present: list[Column], plan: RowPlan
) -> tuple[list[bytes | Missing], int]:
    """Return (values of an image, position after it)."""
    offset = start + (len(present) + 7) // 8
    if offset > len(rows):
        raise RowError(lay.BAD_NULL_BITMAP, None, start)
    values: list[bytes | Missing] = [Missing.ABSENT] * len(plan.widths)
    for k, column in enumerate(present):
        if rows[start + (k >> 3)] >> (k & 7) & 1:
            values[column.index] = Missing.NULL
            continue
        width = plan.widths[column.index]
        begin = offset
        if width == lay.WIDTH_UNKNOWN:
            raise RowError(lay.BAD_WIDTH, column, begin)
        if width < 0:
            offset -= width
            if offset > len(rows):
                raise RowError(lay.BAD_VALUE_LENGTH, column, begin)
            width = int.from_bytes(rows[begin:offset], "little")
        end = offset + width
        if end > len(rows):
            raise RowError(lay.BAD_VALUE_LENGTH, column, begin)
        values[column.index] = rows[offset:end]
        offset = end
    return values, offset
