"""Writes the values that `rows.locate` found into the buffers of Arrow arrays: the second pass.

Columns are filled one after the other within a block of rows small enough to stay in the cache,
so that the type of a column is looked at once for a block and not once for a value. JSON columns
are left to `json_text.fill_json`, compressed ones to `rows.columns`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.digits import put_decimal
from pyspark_adapter.kernels.jit import inlined, kernel
from pyspark_adapter.kernels.numerics import (
    fill_bits,
    fill_decimals,
    fill_integers,
    fill_unsigned_limbs,
    fill_years,
)
from pyspark_adapter.kernels.temporals import (
    fill_dates,
    fill_datetimes2,
    fill_old_datetimes,
    fill_old_times,
    fill_times2,
    fill_timestamps,
)
from pyspark_adapter.kernels.texts import (
    fill_enums,
    fill_geometries,
    fill_sets,
    fill_texts,
    fill_vectors,
)

_BLOCK_ROWS = 256


@inlined
def fill_decimal_texts(
    data, pos, first, last, precision, scale, offsets, offset_base, out, base, where
):
    """Write decimals of more digits than Arrow's 38 as text."""
    o = base + np.int64(offsets[offset_base + first])
    for i in range(first, last):
        p = np.int64(pos[i])
        if p >= 0:
            o = np.int64(put_decimal(data, p, precision, scale, out, o))
            if o < 0:
                where[0] = i
                return np.int64(lay.BAD_DECIMAL)
        offsets[offset_base + i + 1] = o - base
    return np.int64(0)


@inlined
def put_validity(pos, num_rows, out, base):
    """Write the validity bitmap of a column."""
    for first in range(0, num_rows, 8):
        bits = np.int64(0)
        for i in range(first, min(first + 8, num_rows)):
            if pos[i] >= 0:
                bits |= np.int64(1) << (i - first)
        out[base + (first >> 3)] = np.uint8(bits)


@kernel(
    "int64(uint8[::1], int32[:, ::1], int64, int64[:, ::1], int64, uint8[::1], int16[::1],"
    " int32[::1], int64[::1], uint8[::1], int64[::1], int32[::1], int64[::1])"
)
def fill(
    data,
    pos,
    num_rows,
    columns,
    zero_dates,
    out8,
    out16,
    out32,
    out64,
    names,
    name_ends,
    tables,
    where,
):
    """Fill the arena and return 0, or a status below zero with the place in `where`.

    Args:
        data: the window.
        pos: (wanted columns, at least num_rows) of `rows.locate`; a zero date that becomes a null
            is marked here.
        num_rows: row images.
        columns: (wanted columns, NUM_COLUMN_FIELDS); zero dates are added to K_NUM_NULLS.
        zero_dates: one of the ZERO_DATES_ codes.
        out8, out16, out32, out64: the arena, seen as integers of four widths.
        names, name_ends: of the members of ENUM and SET columns, see `texts.fill_enums`.
        tables: of `charsets.tables`, for the columns that need one.
        where: (2,) index of the row and of the wanted column that the status is about.
    """
    for c in range(columns.shape[0]):
        op = columns[c, lay.K_OP]
        if (op == lay.OP_TEXT or lay.OP_DECIMAL_TEXT <= op <= lay.OP_VECTOR) and op != lay.OP_JSON:
            out32[columns[c, lay.K_OFFSETS] >> 2] = 0
    for first in range(0, num_rows, _BLOCK_ROWS):
        last = min(first + _BLOCK_ROWS, num_rows)
        for c in range(columns.shape[0]):
            op = columns[c, lay.K_OP]
            a, b, d = columns[c, lay.K_PARAM1], columns[c, lay.K_PARAM2], columns[c, lay.K_PARAM3]
            base = columns[c, lay.K_VALUES]
            offset_base = columns[c, lay.K_OFFSETS] >> 2
            column = pos[c]
            status = np.int64(0)
            if op == lay.OP_INTEGER:
                if d == 4:
                    fill_integers(data, column, first, last, a, b, out32, base >> 2)
                elif d == 8:
                    fill_integers(data, column, first, last, a, b, out64, base >> 3)
                elif d == 2:
                    fill_integers(data, column, first, last, a, b, out16, base >> 1)
                else:
                    fill_integers(data, column, first, last, a, np.int64(0), out8, base)
            elif op == lay.OP_TEXT:
                status = fill_texts(
                    data,
                    column,
                    first,
                    last,
                    a,
                    b,
                    d,
                    tables,
                    out32,
                    offset_base,
                    out8,
                    base,
                    where,
                )
            elif op == lay.OP_DECIMAL:
                bad = fill_decimals(data, column, first, last, a, b, out64, base >> 3)
                if bad >= 0:
                    where[0] = bad
                    status = np.int64(lay.BAD_DECIMAL)
            elif op == lay.OP_DATETIME2:
                status = fill_datetimes2(
                    data, column, first, last, a, zero_dates, out64, base >> 3, where
                )
            elif op == lay.OP_TIMESTAMP:
                status = fill_timestamps(
                    data, column, first, last, a, zero_dates, out64, base >> 3, where
                )
            elif op == lay.OP_DATE:
                status = fill_dates(data, column, first, last, zero_dates, out32, base >> 2, where)
            elif op == lay.OP_TIME2:
                status = fill_times2(data, column, first, last, a, out64, base >> 3, where)
            elif op == lay.OP_YEAR:
                fill_years(data, column, first, last, out32, base >> 2)
            elif op == lay.OP_BITS:
                bad = fill_bits(data, column, first, last, a, b, d, out64, base >> 3)
                if bad >= 0:
                    where[0] = bad
                    status = np.int64(lay.BAD_BITS)
            elif op == lay.OP_UNSIGNED_DECIMAL:
                fill_unsigned_limbs(data, column, first, last, a, b, out64, base >> 3)
            elif op == lay.OP_DECIMAL_TEXT:
                status = fill_decimal_texts(
                    data, column, first, last, a, b, out32, offset_base, out8, base, where
                )
            elif op == lay.OP_ENUM:
                status = fill_enums(
                    data,
                    column,
                    first,
                    last,
                    a,
                    b,
                    d,
                    names,
                    name_ends,
                    out32,
                    offset_base,
                    out8,
                    base,
                    where,
                )
            elif op == lay.OP_SET:
                status = fill_sets(
                    data,
                    column,
                    first,
                    last,
                    a,
                    b,
                    d,
                    names,
                    name_ends,
                    out32,
                    offset_base,
                    out8,
                    base,
                    where,
                )
            elif op == lay.OP_OLD_TIME:
                status = fill_old_times(data, column, first, last, out64, base >> 3, where)
            elif op == lay.OP_OLD_DATETIME:
                status = fill_old_datetimes(
                    data, column, first, last, zero_dates, out64, base >> 3, where
                )
            elif op == lay.OP_GEOMETRY:
                status = fill_geometries(
                    data,
                    column,
                    first,
                    last,
                    a,
                    out64,
                    columns[c, lay.K_SRIDS] >> 3,
                    out32,
                    offset_base,
                    out8,
                    base,
                    where,
                )
            elif op == lay.OP_VECTOR:
                status = fill_vectors(
                    data, column, first, last, a, out32, offset_base, out8, base, where
                )
            if status < 0:
                where[1] = c
                return status
            columns[c, lay.K_NUM_NULLS] += status
    for c in range(columns.shape[0]):
        if columns[c, lay.K_NUM_NULLS] > 0:
            put_validity(pos[c], num_rows, out8, columns[c, lay.K_VALIDITY])
    return np.int64(0)
