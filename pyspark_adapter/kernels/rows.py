"""Finds each value of each row: the first of the two passes over rows events.

A row image has no length of its own, so its values are found one after the other.
This is the only place where lengths from the log decide where to read next; each is checked
against the end of the event before it is followed. The second pass, `fill`, reads at the
positions found here.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import DECODED, INSERT, TRAITS, TWO_BITMAPS
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined, kernel
from pyspark_adapter.kernels.layout import (
    MAX_COLUMNS,
    Change,
    Cursor,
    LocatedRow,
    Pos,
    Present,
    RowStatus,
    TableColumn,
    Total,
)
from pyspark_adapter.kernels.load import (
    N0,
    N1,
    N2,
    N8,
    check_range,
    equal_bytes,
    get,
    load_le,
    load_u1,
    load_u2,
    load_u4,
    put,
)
from pyspark_adapter.kernels.rows_header import read_packed_int

_PARTIAL_UPDATE_ROWS = EventType.partial_update_rows.value

# Where the rows of a table of `Present` begin, which is contiguous.
_WIDTHS = np.int64(Present.WIDTH * MAX_COLUMNS)
_OUTPUTS = np.int64(Present.OUTPUT * MAX_COLUMNS)
_NUM_ROW_FIELDS, _NUM_TOTALS = np.int64(len(LocatedRow)), np.int64(len(Total))
_NO_BITMAP = np.int64(-1)
_NULL, _ABSENT = np.int32(Pos.NULL), np.int32(Pos.ABSENT)


@inlined
def list_present(data, bitmap, num_columns, widths, plan, columns, present):
    """List the columns whose bit is set; return (their number, that of wanted ones not set).

    Args:
        bitmap: offset of the bits in the window.
        widths, plan: the widths of the columns begin at widths[plan].
        columns: (len(TableColumn), num_columns) of `locate`; or (0, 0) if no positions are wanted.
        present: (len(Present), MAX_COLUMNS) filled for the columns whose bit is set; LACKING for
            the others that are wanted.
    """
    n, num_lacking = np.int64(0), np.int64(0)
    for c in range(num_columns):
        output = columns[TableColumn.OUTPUT, c] if columns.size > 0 else np.int64(-1)
        if (load_u1(data, bitmap + (c >> 3)) >> (c & 7)) & 1:
            present[Present.COLUMN, n] = c
            present[Present.WIDTH, n] = widths[plan + c]
            present[Present.OUTPUT, n] = output
            n += 1
        elif output >= 0:
            present[Present.LACKING, num_lacking] = output
            num_lacking += 1
    return n, num_lacking


@helper
def has_two_images(type_code):
    """Return whether rows of this type are pairs of images: updates since version 1."""
    return TRAITS[type_code] & TWO_BITMAPS != 0


@inlined
def value_length(data, p, width):
    """Return the bytes of the value whose length of -width bytes is at p."""
    if width == -1:
        return load_u1(data, p)
    if width == -2:
        return load_u2(data, p)
    if width == -4:
        return load_u4(data, p)
    return load_le(data, p, -width)


@helper
def error_at(status, column, offset):
    """Return a status with its place as one negative number, which `split_error` takes apart.

    The functions of a row return it instead of writing it down: a function whose error path
    touches an array makes numba count references at each call.
    """
    return -((np.int64(offset) << 24) | (np.int64(column) << 8) | -np.int64(status))


def split_error(error: int) -> tuple[RowStatus, int, int]:
    """Return (status, column, offset in the window) of what `error_at` has made."""
    return RowStatus(-(-error & 0xFF)), -error >> 8 & 0xFFFF, -error >> 24


@inlined
def load_null_bits(data, bitmap, k, num_present):
    """Return the null bits of up to 64 present columns from the k-th on, k a multiple of 64."""
    return load_le(data, bitmap + (k >> 3), min((num_present - k + 7) >> 3, N8))


@inlined
def skip_image(data, start, end, present, num_present):
    """Return the position after a row image, or an error."""
    p = start + ((num_present + 7) >> 3)
    if p > end:
        return error_at(RowStatus.BAD_NULL_BITMAP, 0, start)
    null_bits = np.int64(0)
    for k in range(num_present):
        if k & 63 == 0:
            null_bits = load_null_bits(data, start, k, num_present)
        is_null = null_bits & 1
        null_bits >>= 1
        if is_null:
            continue
        width = np.int64(present[Present.WIDTH, k])
        at = p
        if width >= 0:
            p += width
        else:
            if width < -4:
                return error_at(RowStatus.BAD_WIDTH, present[Present.COLUMN, k], p)
            if p - width > end:
                return error_at(RowStatus.BAD_VALUE_LENGTH, present[Present.COLUMN, k], p)
            p += value_length(data, p, width) - width
        if p > end:
            return error_at(RowStatus.BAD_VALUE_LENGTH, present[Present.COLUMN, k], at)
    return p


@inlined
def locate_image(data, start, end, present, num_present, pos, r, totals):
    """As `skip_image`, and write the positions of the wanted values into pos[:, r].

    The columns have been listed and their outputs checked, and `pos` has the row: its elements and
    those of `present` and `totals` are not checked again, which took a third of the time.
    """
    p = start + ((num_present + 7) >> 3)
    if p > end:
        return error_at(RowStatus.BAD_NULL_BITMAP, 0, start)
    if num_present <= 64 and load_null_bits(data, start, N0, num_present) == 0:
        return locate_values(data, p, end, present, num_present, pos, r, totals, start, False)
    return locate_values(data, p, end, present, num_present, pos, r, totals, start, True)


@inlined
def locate_values(data, p, end, present, num_present, pos, r, totals, start, has_nulls):
    """Do the second part of `locate_image`."""
    stride, num_outputs = np.int64(pos.shape[1]), np.int64(totals.shape[1])
    null_bits = np.int64(0)
    for k in range(num_present):
        output = np.int64(get(present, _OUTPUTS + k))
        if has_nulls:
            if k & 63 == 0:
                null_bits = load_null_bits(data, start, k, num_present)
            is_null = null_bits & 1
            null_bits >>= 1
            if is_null:
                if output >= 0:
                    put(pos, output * stride + r, _NULL)
                    count = Total.NULLS * num_outputs + output
                    put(totals, count, get(totals, count) + 1)
                continue
        width = np.int64(get(present, _WIDTHS + k))
        at = p
        if width >= 0:
            p += width
        else:
            if width < -4:
                return error_at(RowStatus.BAD_WIDTH, present[Present.COLUMN, k], p)
            if p - width > end:
                return error_at(RowStatus.BAD_VALUE_LENGTH, present[Present.COLUMN, k], p)
            p += value_length(data, p, width) - width
        if p > end:
            return error_at(RowStatus.BAD_VALUE_LENGTH, present[Present.COLUMN, k], at)
        if output >= 0:
            put(pos, output * stride + r, np.int32(at))
            if width < 0:
                count = Total.BYTES * num_outputs + output
                put(totals, count, get(totals, count) + p - at + width)
    return p


@inlined
def mark_absent(present, num_lacking, pos, first, last, step, totals):
    """Mark the wanted columns that images from `first` on do not hold, every `step`-th one.

    Which columns these are is a fact of the event: they are marked once for all of its rows.
    """
    if num_lacking == 0 or last <= first:
        return
    stride = np.int64(pos.shape[1])
    check_range(stride, np.int64(first), np.int64(last - first))
    for k in range(num_lacking):
        output = np.int64(present[Present.LACKING, k])
        row = output * stride
        if step == 1:
            for r in range(first, last):
                put(pos, row + r, _ABSENT)
        else:
            for r in range(first, last, 2):
                put(pos, row + r, _ABSENT)
        totals[Total.NULLS, output] += (last - first + step - 1) // step


@inlined
def set_absent(present, num_lacking, pos, r):
    """Mark the wanted columns that one image does not hold, for those that look at it at once."""
    for k in range(num_lacking):
        pos[present[Present.LACKING, k], r] = Pos.ABSENT


@inlined
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


@inlined
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
def is_listed(data, bitmap, known, length):
    """Return whether the bits of an event are those of one whose columns have been listed."""
    return known >= 0 and equal_bytes(data, bitmap, data, known, length)


@inlined
def put_row(located, r, event, number, change):
    """Write the metadata of a row image; the caller has checked that there is room."""
    stride = np.int64(located.shape[1])
    put(located, LocatedRow.EVENT * stride + r, event)
    put(located, LocatedRow.NUMBER * stride + r, number)
    put(located, LocatedRow.CHANGE * stride + r, change)


@kernel(
    "int64(uint8[::1], int64[:, ::1], int64[::1], int64[::1], int32[::1], int64[::1], int64[::1],"
    " int64[:, ::1], int32[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int32[:, :, ::1])"
)
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
    before `pos` is full, or after cursor[MAX_BYTES] bytes of rows.

    Args:
        data: the window.
        events: (NUM_EVENT_FIELDS, n) of `scan`.
        selection: columns of `events` to decode, in order; all of tables with the same columns.
        first_numbers: for each of them the number of its first row change in its transaction;
            empty if the selection has all rows events, which then are counted along the way.
        widths: widths of the columns of all table maps, one after the other.
        plans, plan_columns: by slot: where its widths begin, number of columns.
        columns: (len(TableColumn), columns of the table).
        pos: (wanted columns, n) filled with positions in the window, or codes of Pos; of values
            with a length, the position of the length. n is at least 2.
        located: (len(LocatedRow), n) filled.
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
    check_range(before.size, N0, _OUTPUTS + MAX_COLUMNS)
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
        # Mostly the columns are those of the event before.
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
        if is_update:
            change = np.int64(Change.UPDATE_PREIMAGE)
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
            p = locate_image(data, p, end, before, num_before, pos, n, totals)
            put_row(located, n, e, number, change)
            n += 1
            bits = np.int64(-1)
            if is_partial and p >= 0:
                p, bits = read_value_options(data, p, end, num_json)
            if is_update and p >= 0:
                p = locate_image(data, p, end, after, num_after, pos, n, totals)
                put_row(located, n, e, number, np.int64(Change.UPDATE_POSTIMAGE))
                if bits >= 0 and p >= 0:
                    set_absent(after, lacks_after, pos, n)
                    if mark_differences(data, bits, columns, pos, n, totals) > 0:
                        cursor[Cursor.HAS_DIFFERENCES] = 1
                n += 1
            if p == start and not is_empty_row:  # bytes are left that belong to no row
                p = error_at(RowStatus.BAD_NULL_BITMAP, 0, p)
            if p < 0:
                error, p, n = p, start, first
            else:
                num_bytes += p - start
                number += 1
            is_empty_row = False
        cursor[Cursor.ROW_NUMBER] = number
        mark_absent(before, lacks_before, pos, of_event, n, N2 if is_update else N1, totals)
        if is_update:
            mark_absent(after, lacks_after, pos, of_event + 1, n, N2, totals)
        if error < 0:
            count_nulls(pos, n, totals)
        if error < 0 or is_full:
            cursor[Cursor.OFFSET] = p
            return n if n > 0 else error
        cursor[Cursor.EVENT] += 1
        cursor[Cursor.OFFSET] = 0
    return n


@kernel(
    "int64(uint8[::1], int64[:, ::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int32[:, :, ::1])"
)
def count_rows(data, events, selection, widths, plans, plan_columns, plan_json, counts, images):
    """Count the row changes of events; return the number of events without an error.

    If the rows of an event are damaged, or its form or the width of a column is not known, its
    count is an error of `error_at`.

    Args:
        data, events, widths, plans, plan_columns: as for `locate`.
        selection: columns of `events`; of any tables.
        plan_json: by slot: number of JSON columns.
        counts: (selection.size,) filled.
        images: (2, len(Present), MAX_COLUMNS) to work with.
    """
    before, after = images[0], images[1]
    no_columns = events[:0]
    num_counted = np.int64(0)
    for s in range(selection.size):
        e = selection[s]
        type_code = events[lay.Event.TYPE, e]
        is_partial = type_code == _PARTIAL_UPDATE_ROWS
        if TRAITS[type_code] & DECODED == 0:
            counts[s] = error_at(RowStatus.BAD_EVENT_TYPE, 0, events[lay.Event.OFFSET, e])
            continue
        if not is_plan_valid(events, e, widths, plans, plan_columns):
            counts[s] = error_at(RowStatus.BAD_COLUMN_COUNT, 0, events[lay.Event.BITMAP, e])
            continue
        num_columns = events[lay.Event.NUM_COLUMNS, e]
        plan = plans[events[lay.Event.SLOT, e]]
        bitmap = events[lay.Event.BITMAP, e]
        num_before, _ = list_present(data, bitmap, num_columns, widths, plan, no_columns, before)
        num_after = np.int64(-1)  # no second image
        if has_two_images(type_code):
            bitmap += (num_columns + 7) >> 3
            num_after, _ = list_present(data, bitmap, num_columns, widths, plan, no_columns, after)
        slot = events[lay.Event.SLOT, e]
        p = events[lay.Event.ROWS, e]
        end = events[lay.Event.END, e]
        is_empty_row = p == end and num_before == 0 and num_after <= 0 and not is_partial
        n = np.int64(1 if is_empty_row else 0)
        while p < end:
            start = p
            p = skip_image(data, p, end, before, num_before)
            if p >= 0 and is_partial:
                p, _ = read_value_options(data, p, end, plan_json[slot])
            if p >= 0 and num_after >= 0:
                p = skip_image(data, p, end, after, num_after)
            if p == start:
                p = error_at(RowStatus.BAD_NULL_BITMAP, 0, p)
            if p < 0:
                n = p
                break
            n += 1
        counts[s] = n
        num_counted += n >= 0
    return num_counted
