"""The images of rows and the header before them: their columns, and the places of their values.

An image has no length of its own, so its values are found one after the other. This is the only
place where lengths from the log decide where to read next; each is checked against the end of the
event before it is followed.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import EXTRA_INFO, TWO_BITMAPS, UPDATE
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.layout import MAX_COLUMNS, Pos, Present, RowStatus, TableColumn, Total
from pyspark_adapter.kernels.load import (
    N0,
    N8,
    check_range,
    equal_bytes,
    get,
    load_le,
    load_u1,
    load_u2,
    load_u3,
    load_u4,
    load_u8,
    put,
)

# Types of extra row info.
_NDB, _PARTITION = 0, 1


@helper
def read_packed_int(data, position, end):
    """Return (value, position after it) of a packed integer; position -1 if it is not valid."""
    if position >= end:
        return np.int64(0), np.int64(-1)
    first = load_u1(data, position)
    if first < 251:
        return first, position + 1
    if first == 252 and position + 3 <= end:
        return load_u2(data, position + 1), position + 3
    if first == 253 and position + 4 <= end:
        return load_u3(data, position + 1), position + 4
    if first == 254 and position + 9 <= end:
        return load_u8(data, position + 1), position + 9
    return np.int64(0), np.int64(-1)


@helper
def extra_info_fits(data, start, end, traits):
    """Return whether the extra row info in data[start:end] is whole.

    That of MySQL Cluster has its own length; that of partitions has 2 bytes, or 4 for updates; that
    of an unknown type reaches to the end.
    """
    p = start
    while p < end:
        kind = load_u1(data, p)
        p += 1
        if kind == _NDB:
            if p >= end or load_u1(data, p) < 2:
                return False
            p += load_u1(data, p)
        elif kind == _PARTITION:
            p += 4 if traits & UPDATE != 0 else 2
        else:
            return True
    return p == end


@inlined
def read_rows_header(data, body, end, traits, len_id, events, e):
    """Find bitmap and rows of a rows event; return its flags, or -1 if it lacks fields."""
    p = body + len_id + 2
    if p > end:
        return np.int64(-1)
    flags = load_u2(data, p - 2)
    if traits & EXTRA_INFO != 0:
        if p + 2 > end:
            return np.int64(-1)
        len_extra = load_u2(data, p)
        if len_extra < 2 or p + len_extra > end:
            return np.int64(-1)
        if not extra_info_fits(data, p + 2, p + len_extra, traits):
            return np.int64(-1)
        p += len_extra
    num_columns, p = read_packed_int(data, p, end)
    if p < 0 or num_columns < 0 or num_columns > lay.MAX_COLUMNS:
        return np.int64(-1)
    len_bitmap = (num_columns + 7) >> 3
    events[lay.Event.NUM_COLUMNS, e] = num_columns
    events[lay.Event.BITMAP, e] = p
    p += len_bitmap
    if traits & TWO_BITMAPS != 0:
        p += len_bitmap
    if p > end:
        return np.int64(-1)
    events[lay.Event.ROWS, e] = p
    return flags


# Where the rows of a table of `Present` begin, which is contiguous, and how long one is.
_COLUMNS = np.int64(Present.COLUMN * MAX_COLUMNS)
_WIDTHS = np.int64(Present.WIDTH * MAX_COLUMNS)
_OUTPUTS = np.int64(Present.OUTPUT * MAX_COLUMNS)
LEN_IMAGE = np.int64(len(Present) * MAX_COLUMNS)
_NULL, _ABSENT = np.int32(Pos.NULL), np.int32(Pos.ABSENT)


@inlined
def is_present(data, bitmap, column):
    """Return whether the bit of a column is set."""
    return (load_u1(data, bitmap + (column >> 3)) >> (column & 7)) & 1 != 0


@helper
def list_present(data, bitmap, num_columns, widths, plan, columns, present):
    """List the columns whose bit is set; return (their number, that of wanted ones not set).

    Args:
        bitmap: offset of the bits in the window.
        widths, plan: the widths of the columns begin at widths[plan].
        columns: (len(TableColumn), num_columns) of `locate`; or (0, 0) if no positions are wanted.
        present: (len(Present), MAX_COLUMNS) filled for the columns whose bit is set; LACKING and
            LACKING_COLUMN for the others that are wanted.
    """
    n, num_lacking = np.int64(0), np.int64(0)
    for c in range(num_columns):
        output = columns[TableColumn.OUTPUT, c] if columns.size > 0 else np.int64(-1)
        if is_present(data, bitmap, c):
            present[Present.COLUMN, n] = c
            present[Present.WIDTH, n] = widths[plan + c]
            present[Present.OUTPUT, n] = output
            n += 1
        elif output >= 0:
            present[Present.LACKING, num_lacking] = output
            present[Present.LACKING_COLUMN, num_lacking] = c
            num_lacking += 1
    return n, num_lacking


@inlined
def is_listed(data, bitmap, known, length):
    """Return whether an event has the same bits as the one whose columns have been listed."""
    return known >= 0 and equal_bytes(data, bitmap, data, known, length)


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
    """Return a status with its place as one negative number; `scan.kernel_counts` takes it apart.

    The functions of a row return it instead of writing it down: a function whose error path
    touches an array makes numba count references at each call.
    """
    return -((np.int64(offset) << 24) | (np.int64(column) << 8) | -np.int64(status))


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
def locate_values(data, start, p, end, images, image, num_present, pos, r, totals, has_nulls):
    """Do what `locate_image` does with the values, from `p` on."""
    stride, num_outputs = np.int64(pos.shape[1]), np.int64(totals.shape[1])
    null_bits = np.int64(0)
    for k in range(num_present):
        output = np.int64(get(images, image + _OUTPUTS + k))
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
        width = np.int64(get(images, image + _WIDTHS + k))
        at = p
        if width >= 0:
            p += width
        else:
            if width < -4:
                return error_at(RowStatus.BAD_WIDTH, get(images, image + _COLUMNS + k), p)
            if p - width > end:
                return error_at(RowStatus.BAD_VALUE_LENGTH, get(images, image + _COLUMNS + k), p)
            p += value_length(data, p, width) - width
        if p > end:
            return error_at(RowStatus.BAD_VALUE_LENGTH, get(images, image + _COLUMNS + k), at)
        if output >= 0:
            put(pos, output * stride + r, np.int32(at))
            if width < 0:
                count = Total.BYTES * num_outputs + output
                put(totals, count, get(totals, count) + p - at + width)
    return p


@inlined
def locate_image(data, start, end, images, image, num_present, pos, r, totals):
    """As `skip_image`, and write the positions of the wanted values into pos[:, r].

    The columns have been listed and their outputs checked, and `pos` has the row: its elements and
    those of `images` and `totals` are not checked again, which took a third of the time.

    Args:
        image: where the table of the image's columns begins in `images`.
    """
    p = start + ((num_present + 7) >> 3)
    if p > end:
        return error_at(RowStatus.BAD_NULL_BITMAP, 0, start)
    # Without NULL, each row takes the branches of the row before, which processors expect.
    if num_present < 64:
        null_bits = load_null_bits(data, start, N0, num_present)
        if null_bits & ((np.int64(1) << num_present) - 1) == 0:
            return locate_values(
                data, start, p, end, images, image, num_present, pos, r, totals, False
            )
    return locate_values(data, start, p, end, images, image, num_present, pos, r, totals, True)


@helper
def mark_absent(data, present, num_lacking, others, which, pos, first, last, totals):
    """Mark the wanted columns that some images of an event do not hold.

    Which columns these are is a fact of the event: they are marked once for all of its rows; and
    what neither image of an update holds is marked with the images before, one after the other,
    which takes a tenth of the time.

    Args:
        data: the window.
        present, num_lacking: of `list_present`.
        others: offset of the bits of the other image of an update; -1 if there is none.
        which: 1 for the images after an update, else 0.
        pos, totals: of `locate`.
        first, last: all row images of the event.
    """
    if last <= first:
        return
    stride = np.int64(pos.shape[1])
    check_range(stride, np.int64(first), np.int64(last - first))
    for k in range(num_lacking):
        output = np.int64(present[Present.LACKING, k])
        column = np.int64(present[Present.LACKING_COLUMN, k])
        row = output * stride
        if others < 0 or not is_present(data, others, column):
            if which == 0:
                for r in range(first, last):
                    put(pos, row + r, _ABSENT)
                totals[Total.NULLS, output] += last - first
        else:
            for r in range(first + which, last, 2):
                put(pos, row + r, _ABSENT)
            totals[Total.NULLS, output] += (last - first) >> 1


@helper
def set_absent(present, num_lacking, pos, r):
    """Mark the wanted columns that one image does not hold, before `mark_differences` reads it."""
    for k in range(num_lacking):
        pos[present[Present.LACKING, k], r] = Pos.ABSENT
