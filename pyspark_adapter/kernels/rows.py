"""Finds each value of each row: the first of the two passes over rows events.

A row image has no length of its own, so its values have to be walked from the first to the last.
This is the only place where lengths from the log decide where to read next; each is checked
against the end of the event before it is followed. The second pass, `fill`, reads at the
positions found here.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import DECODED, INSERT, TRAITS, TWO_BITMAPS
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined, kernel
from pyspark_adapter.kernels.load import N8, load_le, load_u1, load_u2, load_u4
from pyspark_adapter.kernels.rows_header import read_packed_int
from pyspark_adapter.schema import EventType

_PARTIAL_UPDATE_ROWS = EventType.partial_update_rows.value


@inlined
def list_present(data, bitmap, num_columns, widths, plan, outputs, walk):
    """List the columns whose bit is set, as an image holds them; return their number.

    Args:
        bitmap: offset of the bits in the window.
        widths, plan: the widths of the columns begin at widths[plan].
        outputs: for each column the row of `pos` that it goes to, or -1; or of length 0.
        walk: (3, MAX_COLUMNS) filled with index, width and output of each.
    """
    n = np.int64(0)
    for c in range(num_columns):
        if (load_u1(data, bitmap + (c >> 3)) >> (c & 7)) & 1:
            walk[0, n] = c
            walk[1, n] = widths[plan + c]
            walk[2, n] = outputs[c] if outputs.size > 0 else -1
            n += 1
    return n


@helper
def has_two_images(type_code):
    """Tell whether rows of this type are pairs of images: updates since version 1."""
    return TRAITS[type_code] & TWO_BITMAPS != 0


@inlined
def value_length(data, p, width):
    """Return the bytes of the value behind its length of -width bytes at p."""
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
    return -((np.int64(offset) << 24) | (np.int64(column) << 8) | np.int64(-status))


def split_error(error: int) -> tuple[int, int, int]:
    """Return (status, column, offset in the window) of what `error_at` has made."""
    return -(-error & 0xFF), -error >> 8 & 0xFFFF, -error >> 24


@inlined
def load_null_bits(data, bitmap, k, num_present):
    """Return the null bits of up to 64 present columns from the k-th on, k a multiple of 64."""
    return load_le(data, bitmap + (k >> 3), min((num_present - k + 7) >> 3, N8))


@inlined
def skip_image(data, start, end, walk, num_present):
    """Return the position after a row image, or an error."""
    p = start + ((num_present + 7) >> 3)
    if p > end:
        return error_at(lay.BAD_NULL_BITMAP, 0, start)
    null_bits = np.int64(0)
    for k in range(num_present):
        if k & 63 == 0:
            null_bits = load_null_bits(data, start, k, num_present)
        is_null = null_bits & 1
        null_bits >>= 1
        if is_null:
            continue
        width = np.int64(walk[1, k])
        at = p
        if width >= 0:
            p += width
        else:
            if width < -4:
                return error_at(lay.BAD_WIDTH, walk[0, k], p)
            if p - width > end:
                return error_at(lay.BAD_VALUE_LENGTH, walk[0, k], p)
            p += value_length(data, p, width) - width
        if p > end:
            return error_at(lay.BAD_VALUE_LENGTH, walk[0, k], at)
    return p


@inlined
def locate_image(data, start, end, walk, num_present, pos, r, sums, nulls):
    """As `skip_image`, and write the positions of the wanted values into pos[:, r]."""
    p = start + ((num_present + 7) >> 3)
    if p > end:
        return error_at(lay.BAD_NULL_BITMAP, 0, start)
    null_bits = np.int64(0)
    for k in range(num_present):
        if k & 63 == 0:
            null_bits = load_null_bits(data, start, k, num_present)
        is_null = null_bits & 1
        null_bits >>= 1
        output = walk[2, k]
        if is_null:
            if output >= 0:
                pos[output, r] = lay.POS_NULL
                nulls[output] += 1
            continue
        width = np.int64(walk[1, k])
        at = p
        if width >= 0:
            p += width
        else:
            if width < -4:
                return error_at(lay.BAD_WIDTH, walk[0, k], p)
            if p - width > end:
                return error_at(lay.BAD_VALUE_LENGTH, walk[0, k], p)
            length = value_length(data, p, width)
            p += length - width
            if output >= 0:
                sums[output] += length
        if p > end:
            return error_at(lay.BAD_VALUE_LENGTH, walk[0, k], at)
        if output >= 0:
            pos[output, r] = at
    return p


@helper
def mark_absent(data, bitmap, num_columns, outputs, pos, r, nulls):
    """Mark the wanted columns that an image does not hold."""
    for c in range(num_columns):
        output = outputs[c]
        if output >= 0 and not (load_u1(data, bitmap + (c >> 3)) >> (c & 7)) & 1:
            pos[output, r] = lay.POS_ABSENT
            nulls[output] += 1


@inlined
def count_nulls(pos, num_rows, nulls):
    """Count the values without a position again, after a row that was begun and given up."""
    for c in range(pos.shape[0]):
        nulls[c] = 0
        for r in range(num_rows):
            if pos[c, r] < 0:
                nulls[c] += 1


@helper
def read_value_options(data, start, end, num_json):
    """Return (position after the value options of a partial update, position of its bits).

    The first is an error if they cannot be; the second is -1 if no document is partial.
    """
    options, p = read_packed_int(data, start, end)
    bits = np.int64(-1)
    if p > 0 and options & 1:
        bits = p
        p += (num_json + 7) >> 3
    if p < 0 or p > end or options < 0 or options > 1:
        return error_at(lay.BAD_VALUE_OPTIONS, 0, start), bits
    return p, bits


@helper
def mark_differences(data, bits, json_numbers, outputs, pos, r, nulls):
    """Mark the documents of an after image that are logged as differences; return their number."""
    n = np.int64(0)
    for c in range(json_numbers.size):
        j, output = json_numbers[c], outputs[c]
        if j >= 0 and output >= 0 and (load_u1(data, bits + (j >> 3)) >> (j & 7)) & 1:
            if pos[output, r] >= 0:
                pos[output, r] = lay.POS_DIFFERENCES - pos[output, r]
                nulls[output] += 1
                n += 1
    return n


@inlined
def is_plan_valid(events, e, widths, plans, plan_columns):
    """Tell whether an event has the columns of its table map, all of which have widths."""
    slot = events[lay.E_SLOT, e]
    num_columns = events[lay.E_NUM_COLUMNS, e]
    return (
        num_columns == plan_columns[slot]
        and num_columns <= lay.MAX_COLUMNS
        and 0 <= plans[slot] <= widths.size - num_columns
    )


@kernel(
    "int64(uint8[::1], int64[:, ::1], int64[::1], int64[::1], int32[::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64, int64, int32[:, ::1], int64[::1], int64[::1],"
    " int8[::1], int64[::1], int64[::1], int64[::1], int32[:, :, ::1])"
)
def locate(
    data,
    events,
    selection,
    first_numbers,
    widths,
    plans,
    plan_columns,
    outputs,
    json_numbers,
    max_rows,
    max_bytes,
    pos,
    row_event,
    row_number,
    row_change,
    sums,
    nulls,
    cursor,
    walks,
):
    """Find the values of the next rows; return the number of row images, or an error of `error_at`.

    If there are rows before the error, they are returned, and the error by the next call.

    Args:
        data: the window.
        events: (NUM_EVENT_FIELDS, n) of `scan`.
        selection: columns of `events` to decode, in order; all of tables with the same columns.
        first_numbers: for each of them the number of its first row change in its transaction;
            empty if the selection has all rows events, which then are counted along the way.
        widths: widths of the columns of all table maps, one after the other.
        plans, plan_columns: by slot: where its widths begin, number of columns.
        outputs: (columns of the table,) row of `pos` for each column; -1 for columns not wanted.
        json_numbers: (columns of the table,) place among its JSON columns, or -1.
        max_rows: row images after which to stop; at most pos.shape[1], at least 2.
        max_bytes: bytes of rows after which to stop.
        pos: (wanted columns, max_rows) positions in the window, or POS_NULL, POS_ABSENT, or
            POS_DIFFERENCES and below; of values with a length, that of the length.
        row_event, row_number, row_change: (max_rows,) for each row image its event, the number
            of its row change in the transaction, one of the CHANGE_ codes.
        sums, nulls: (wanted columns,) bytes of the values with a length, added up; values that
            are NULL or absent, or logged as differences.
        cursor: (NUM_CURSOR_FIELDS,) where to begin; changed.
        walks: (2, 3, MAX_COLUMNS) to work with.
    """
    n = np.int64(0)
    num_bytes = np.int64(0)
    sums[:] = 0
    nulls[:] = 0
    cursor[lay.C_HAS_ABSENT] = 0
    cursor[lay.C_HAS_DIFFERENCES] = 0
    num_json = np.int64(0)
    for c in range(json_numbers.size):
        num_json += np.int64(json_numbers[c] >= 0)
    walk_before, walk_after = walks[0], walks[1]
    while cursor[lay.C_EVENT] < selection.size:
        e = selection[cursor[lay.C_EVENT]]
        type_code = events[lay.E_TYPE, e]
        is_partial = type_code == _PARTIAL_UPDATE_ROWS
        if TRAITS[type_code] & DECODED == 0:
            return n if n > 0 else error_at(lay.BAD_EVENT_TYPE, 0, events[lay.E_OFFSET, e])
        num_columns = events[lay.E_NUM_COLUMNS, e]
        has_columns = num_columns == outputs.size and num_columns == json_numbers.size
        if not has_columns or not is_plan_valid(events, e, widths, plans, plan_columns):
            return n if n > 0 else error_at(lay.BAD_COLUMN_COUNT, 0, events[lay.E_BITMAP, e])
        plan = plans[events[lay.E_SLOT, e]]
        bitmaps = events[lay.E_BITMAP, e]
        bitmap = bitmaps
        num_before = list_present(data, bitmap, num_columns, widths, plan, outputs, walk_before)
        num_after = np.int64(-1)  # no second image
        if has_two_images(type_code):
            bitmap += (num_columns + 7) >> 3
            num_after = list_present(data, bitmap, num_columns, widths, plan, outputs, walk_after)
        p = cursor[lay.C_OFFSET]
        if p == 0:
            p = events[lay.E_ROWS, e]
            if first_numbers.size > 0:
                cursor[lay.C_ROW_NUMBER] = first_numbers[cursor[lay.C_EVENT]]
            elif events[lay.E_TRANSACTION, e] != cursor[lay.C_TRANSACTION]:
                cursor[lay.C_ROW_NUMBER] = 0
            cursor[lay.C_TRANSACTION] = events[lay.E_TRANSACTION, e]
        end = events[lay.E_END, e]
        is_update = num_after >= 0
        change = np.int8(lay.CHANGE_DELETE)
        if is_update:
            change = np.int8(lay.CHANGE_UPDATE_PREIMAGE)
        elif TRAITS[type_code] & INSERT != 0:
            change = np.int8(lay.CHANGE_INSERT)
        if num_before < num_columns or (is_update and num_after < num_columns):
            cursor[lay.C_HAS_ABSENT] = 1
        # A row without a present column has no bytes: an event that holds nothing is one such row.
        # Those of a partial update have some.
        is_empty_row = p == end and num_before == 0 and num_after <= 0 and not is_partial
        while p < end or is_empty_row:
            if n + 2 > max_rows or (n > 0 and num_bytes >= max_bytes):
                cursor[lay.C_OFFSET] = p
                return n
            start = p
            first = n
            if num_before < num_columns:
                mark_absent(data, bitmaps, num_columns, outputs, pos, n, nulls)
            p = locate_image(data, p, end, walk_before, num_before, pos, n, sums, nulls)
            row_event[n] = e
            row_number[n] = cursor[lay.C_ROW_NUMBER]
            row_change[n] = change
            n += 1
            bits = np.int64(-1)
            if is_partial and p >= 0:
                p, bits = read_value_options(data, p, end, num_json)
            if is_update and p >= 0:
                if num_after < num_columns:
                    mark_absent(data, bitmap, num_columns, outputs, pos, n, nulls)
                p = locate_image(data, p, end, walk_after, num_after, pos, n, sums, nulls)
                row_event[n] = e
                row_number[n] = cursor[lay.C_ROW_NUMBER]
                row_change[n] = np.int8(lay.CHANGE_UPDATE_POSTIMAGE)
                if bits >= 0 and p >= 0:
                    if mark_differences(data, bits, json_numbers, outputs, pos, n, nulls) > 0:
                        cursor[lay.C_HAS_DIFFERENCES] = 1
                n += 1
            if p == start and not is_empty_row:  # bytes are left that belong to no row
                p = error_at(lay.BAD_NULL_BITMAP, 0, p)
            if p < 0:
                cursor[lay.C_OFFSET] = start
                count_nulls(pos, first, nulls)
                return first if first > 0 else p
            num_bytes += p - start
            cursor[lay.C_ROW_NUMBER] += 1
            is_empty_row = False
        cursor[lay.C_EVENT] += 1
        cursor[lay.C_OFFSET] = 0
    return n


@kernel(
    "int64(uint8[::1], int64[:, ::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int32[:, :, ::1])"
)
def count_rows(data, events, selection, widths, plans, plan_columns, plan_json, counts, walks):
    """Count the row changes of events; return how many events could be counted.

    An event whose rows cannot be counted, since they are damaged, or its form or the width of a
    column is not known, gets an error of `error_at` in the place of the count.

    Args:
        data, events, widths, plans, plan_columns: as for `locate`.
        selection: columns of `events`; of any tables.
        plan_json: by slot: number of JSON columns.
        counts: (selection.size,) filled.
        walks: (2, 3, MAX_COLUMNS) to work with.
    """
    walk_before, walk_after = walks[0], walks[1]
    no_outputs = counts[:0]
    num_counted = np.int64(0)
    for s in range(selection.size):
        e = selection[s]
        type_code = events[lay.E_TYPE, e]
        is_partial = type_code == _PARTIAL_UPDATE_ROWS
        if TRAITS[type_code] & DECODED == 0:
            counts[s] = error_at(lay.BAD_EVENT_TYPE, 0, events[lay.E_OFFSET, e])
            continue
        if not is_plan_valid(events, e, widths, plans, plan_columns):
            counts[s] = error_at(lay.BAD_COLUMN_COUNT, 0, events[lay.E_BITMAP, e])
            continue
        num_columns = events[lay.E_NUM_COLUMNS, e]
        plan = plans[events[lay.E_SLOT, e]]
        bitmap = events[lay.E_BITMAP, e]
        num_before = list_present(data, bitmap, num_columns, widths, plan, no_outputs, walk_before)
        num_after = np.int64(-1)  # no second image
        if has_two_images(type_code):
            bitmap += (num_columns + 7) >> 3
            num_after = list_present(
                data, bitmap, num_columns, widths, plan, no_outputs, walk_after
            )
        slot = events[lay.E_SLOT, e]
        p = events[lay.E_ROWS, e]
        end = events[lay.E_END, e]
        is_empty_row = p == end and num_before == 0 and num_after <= 0 and not is_partial
        n = np.int64(1 if is_empty_row else 0)
        while p < end:
            start = p
            p = skip_image(data, p, end, walk_before, num_before)
            if p >= 0 and is_partial:
                p, _ = read_value_options(data, p, end, plan_json[slot])
            if p >= 0 and num_after >= 0:
                p = skip_image(data, p, end, walk_after, num_after)
            if p == start:
                p = error_at(lay.BAD_NULL_BITMAP, 0, p)
            if p < 0:
                n = p
                break
            n += 1
        counts[s] = n
        num_counted += n >= 0
    return num_counted
