"""Finds each value of each row: the first of the two passes over rows events.

The second pass, `fill`, reads at the positions found here.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import DECODED, INSERT, TRAITS, TWO_BITMAPS
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import (
    MAX_COLUMNS,
    Change,
    Cursor,
    LocatedRow,
    Pos,
    RowStatus,
    TableColumn,
    Total,
)
from pyspark_adapter.kernels.load import N0, N1, check_range, load_u1, put
from pyspark_adapter.kernels.row_images import (
    LEN_IMAGE,
    error_at,
    is_listed,
    list_present,
    locate_image,
    mark_absent,
    read_packed_int,
    set_absent,
)

_PARTIAL_UPDATE_ROWS = EventType.partial_update_rows.value
_NUM_ROW_FIELDS, _NUM_TOTALS = np.int64(len(LocatedRow)), np.int64(len(Total))
_NO_BITMAP = np.int64(-1)


@helper
def has_two_images(type_code):
    """Return whether rows of this type are pairs of images: updates since version 1."""
    return TRAITS[type_code] & TWO_BITMAPS != 0


@helper
def count_nulls(pos, num_rows, totals):
    """Count the values without a position again, after a row that was begun and given up."""
    for c in range(pos.shape[0]):
        totals[Total.NULLS, c] = 0
        for r in range(num_rows):
            if pos[c, r] < 0:
                totals[Total.NULLS, c] += 1


@helper
def read_value_options(data, start, end, num_json):
    """Return (position after the value options of a partial update, position of its bits).

    The first is an error if the options are not valid; the second is -1 if no document is partial.
    """
    options, p = read_packed_int(data, start, end)
    bits = np.int64(-1)
    if p > 0 and options & 1:
        bits = p
        p += (num_json + 7) >> 3
    if p < 0 or p > end or options < 0 or options > 1:
        return error_at(RowStatus.BAD_VALUE_OPTIONS, 0, start), bits
    return p, bits


@helper
def mark_differences(data, bits, columns, pos, r, totals):
    """Mark the documents of an after image that are logged as differences; return their number."""
    n = np.int64(0)
    for c in range(columns.shape[1]):
        j, output = columns[TableColumn.JSON, c], columns[TableColumn.OUTPUT, c]
        if j >= 0 and output >= 0 and (load_u1(data, bits + (j >> 3)) >> (j & 7)) & 1:
            if pos[output, r] >= 0:
                pos[output, r] = Pos.DIFFERENCES - pos[output, r]
                totals[Total.NULLS, output] += 1
                n += 1
    return n


@helper
def is_plan_valid(events, e, widths, plans, plan_columns):
    """Return whether an event has the columns of its table map, and all of them have widths."""
    slot = events[lay.Event.SLOT, e]
    num_columns = events[lay.Event.NUM_COLUMNS, e]
    return (
        num_columns == plan_columns[slot]
        and num_columns <= MAX_COLUMNS
        and 0 <= plans[slot] <= widths.size - num_columns
    )


@inlined
def put_row(located, r, event, number, change):
    """Write the metadata of a row image; the caller has checked that there is room."""
    stride = np.int64(located.shape[1])
    put(located, LocatedRow.EVENT * stride + r, event)
    put(located, LocatedRow.NUMBER * stride + r, number)
    put(located, LocatedRow.CHANGE * stride + r, change)


def locate(
    data,
    events,
    selection,
    first_numbers,
    widths,
    plans,
    plan_columns,
    columns,
    pos,
    located,
    totals,
    cursor,
    images,
):
    """Find the values of the next rows; return the number of row images, or an error of `error_at`.

    If there are rows before the error, they are returned, and the error by the next call. Stops
    before `located` is full, or after cursor[MAX_BYTES] bytes of rows.

    Args:
        data: the window.
        events: (NUM_EVENT_FIELDS, n) of `scan`.
        selection: columns of `events` to decode, in order; all of tables with the same columns.
        first_numbers: for each of them the number of its first row change in its transaction;
            empty if the selection has all rows events, which then are counted along the way.
        widths: widths of the columns of all table maps, one after the other.
        plans, plan_columns: by slot: where its widths begin, number of columns.
        columns: (len(TableColumn), columns of the table).
        pos: (wanted columns, at least n) filled with positions in the window, or codes of Pos; of
            values with a length, the position of the length.
        located: (len(LocatedRow), n) filled. n is at least 2.
        totals: (len(Total), wanted columns) filled.
        cursor: (len(Cursor),) where to begin; changed.
        images: (2, len(Present), MAX_COLUMNS) to work with.
    """
    n = np.int64(0)
    num_bytes = np.int64(0)
    totals[:] = 0
    cursor[Cursor.HAS_ABSENT] = 0
    cursor[Cursor.HAS_DIFFERENCES] = 0
    max_bytes = cursor[Cursor.MAX_BYTES]
    room = np.int64(located.shape[1])
    check_range(located.shape[0], N0, _NUM_ROW_FIELDS)
    check_range(pos.shape[1], N0, room)
    check_range(totals.shape[0], N0, _NUM_TOTALS)
    num_json = np.int64(0)
    for c in range(columns.shape[1]):
        num_json += np.int64(columns[TableColumn.JSON, c] >= 0)
        output = columns[TableColumn.OUTPUT, c]
        if output >= 0:
            check_range(pos.shape[0], output, N1)
            check_range(totals.shape[1], output, N1)
    before, after = images[0], images[1]
    check_range(images.size, N0, 2 * LEN_IMAGE)
    plan, bits_before, bits_after = np.int64(-1), _NO_BITMAP, _NO_BITMAP
    num_before, lacks_before = np.int64(0), np.int64(0)
    listed_after, lacks_after = np.int64(0), np.int64(0)
    while cursor[Cursor.EVENT] < selection.size:
        e = selection[cursor[Cursor.EVENT]]
        type_code = events[lay.Event.TYPE, e]
        is_partial = type_code == _PARTIAL_UPDATE_ROWS
        if TRAITS[type_code] & DECODED == 0:
            offset = events[lay.Event.OFFSET, e]
            return n if n > 0 else error_at(RowStatus.BAD_EVENT_TYPE, 0, offset)
        num_columns = events[lay.Event.NUM_COLUMNS, e]
        is_valid = is_plan_valid(events, e, widths, plans, plan_columns)
        if num_columns != columns.shape[1] or not is_valid:
            offset = events[lay.Event.BITMAP, e]
            return n if n > 0 else error_at(RowStatus.BAD_COLUMN_COUNT, 0, offset)
        if plan != plans[events[lay.Event.SLOT, e]]:
            plan = plans[events[lay.Event.SLOT, e]]
            bits_before, bits_after = _NO_BITMAP, _NO_BITMAP
        bitmap = events[lay.Event.BITMAP, e]
        length = (num_columns + 7) >> 3
        # Mostly the columns are the same as in the event before.
        if not is_listed(data, bitmap, bits_before, length):
            num_before, lacks_before = list_present(
                data, bitmap, num_columns, widths, plan, columns, before
            )
            bits_before = bitmap
        is_update = has_two_images(type_code)
        num_after = np.int64(-1)  # no second image
        if is_update:
            bitmap += length
            if not is_listed(data, bitmap, bits_after, length):
                listed_after, lacks_after = list_present(
                    data, bitmap, num_columns, widths, plan, columns, after
                )
                bits_after = bitmap
            num_after = listed_after
        p = cursor[Cursor.OFFSET]
        if p == 0:
            p = events[lay.Event.ROWS, e]
            if first_numbers.size > 0:
                cursor[Cursor.ROW_NUMBER] = first_numbers[cursor[Cursor.EVENT]]
            elif events[lay.Event.TRANSACTION, e] != cursor[Cursor.TRANSACTION]:
                cursor[Cursor.ROW_NUMBER] = 0
            cursor[Cursor.TRANSACTION] = events[lay.Event.TRANSACTION, e]
        number = cursor[Cursor.ROW_NUMBER]
        end = events[lay.Event.END, e]
        change = np.int64(Change.DELETE)
        num_images = np.int64(2 if is_update else 1)
        if is_update:
            change = np.int64(Change.UPDATE_PREIMAGE)  # the image after it has the next number
        elif TRAITS[type_code] & INSERT != 0:
            change = np.int64(Change.INSERT)
        if num_before < num_columns or (is_update and num_after < num_columns):
            cursor[Cursor.HAS_ABSENT] = 1
        # A row without a present column has no bytes: an event that holds nothing is one such row.
        # Those of a partial update have some.
        is_empty_row = p == end and num_before == 0 and num_after <= 0 and not is_partial
        of_event, error, is_full = n, np.int64(0), False
        while (p < end or is_empty_row) and error == 0:
            if n + 2 > room or (n > 0 and num_bytes >= max_bytes):
                is_full = True
                break
            start = p
            first = n
            bits = np.int64(-1)
            for which in range(num_images):
                if which == 1 and is_partial:
                    p, bits = read_value_options(data, p, end, num_json)
                    if p < 0:
                        break
                p = locate_image(
                    data,
                    p,
                    end,
                    images,
                    which * LEN_IMAGE,
                    num_after if which == 1 else num_before,
                    pos,
                    n,
                    totals,
                )
                if p < 0:
                    break
                put_row(located, n, e, number, change + which)
                n += 1
            if bits >= 0 and p >= 0:
                set_absent(after, lacks_after, pos, n - 1)
                if mark_differences(data, bits, columns, pos, n - 1, totals) > 0:
                    cursor[Cursor.HAS_DIFFERENCES] = 1
            if p == start and not is_empty_row:  # bytes are left that belong to no row
                p = error_at(RowStatus.BAD_NULL_BITMAP, 0, p)
            if p < 0:
                error, p, n = p, start, first
            else:
                num_bytes += p - start
                number += 1
            is_empty_row = False
        cursor[Cursor.ROW_NUMBER] = number
        if lacks_before > 0:
            other = bits_after if is_update else _NO_BITMAP
            mark_absent(data, before, lacks_before, other, N0, pos, of_event, n, totals)
        if is_update and lacks_after > 0:
            mark_absent(data, after, lacks_after, bits_before, N1, pos, of_event, n, totals)
        if error < 0:
            count_nulls(pos, n, totals)
        if error < 0 or is_full:
            cursor[Cursor.OFFSET] = p
            return n if n > 0 else error
        cursor[Cursor.EVENT] += 1
        cursor[Cursor.OFFSET] = 0
    return n
