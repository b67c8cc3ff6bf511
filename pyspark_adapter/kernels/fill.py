"""Writes the values that `locate` found into the buffers of Arrow arrays: the second pass.

Columns are filled one after the other within a block of rows that stays in the processor's cache,
so the kind of a column is tested once per block, not once per value. The kinds without a branch
here are made by `decode.columns`.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import inlined, kernel
from pyspark_adapter.kernels.layout import ColumnField, Op
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
    fill_decimal_texts,
    fill_enums,
    fill_geometries,
    fill_sets,
    fill_texts,
    fill_vectors,
)

_BLOCK_ROWS = 256


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
    """Fill the arena and return 0, or a RowStatus with its row and column in `where`.

    Args:
        data: the window.
        pos: (wanted columns, at least num_rows) of `locate`; changed to Pos.NULL for a zero
            date that becomes a null.
        num_rows: row images.
        columns: (wanted columns, len(ColumnField)); zero dates are added to NUM_NULLS.
        zero_dates: one of ZeroDates.
        out8, out16, out32, out64: the arena, seen as integers of four widths.
        names, name_ends: of the members of ENUM and SET columns, see `texts.fill_enums`.
        tables: of `charsets.tables`, for the columns that need one.
        where: (2,) filled: index of the row and of the wanted column that the status is about.
    """
    for first in range(0, num_rows, _BLOCK_ROWS):
        last = min(first + _BLOCK_ROWS, num_rows)
        for c in range(columns.shape[0]):
            row, column = columns[c], pos[c]
            op = row[ColumnField.OP]
            status = np.int64(0)
            if op == Op.INTEGER:
                num_bytes = row[ColumnField.NUM_BYTES]
                if num_bytes == 4:
                    fill_integers(data, column, first, last, row, out32)
                elif num_bytes == 8:
                    fill_integers(data, column, first, last, row, out64)
                elif num_bytes == 2:
                    fill_integers(data, column, first, last, row, out16)
                else:
                    fill_integers(data, column, first, last, row, out8)
            elif op == Op.TEXT:
                status = fill_texts(data, column, first, last, row, tables, out32, out8, where)
            elif op == Op.DECIMAL:
                status = fill_decimals(data, column, first, last, row, out64, where)
            elif op == Op.DATETIME2:
                status = fill_datetimes2(data, column, first, last, row, zero_dates, out64, where)
            elif op == Op.TIMESTAMP:
                status = fill_timestamps(data, column, first, last, row, zero_dates, out64, where)
            elif op == Op.DATE:
                status = fill_dates(data, column, first, last, row, zero_dates, out32, where)
            elif op == Op.TIME2:
                status = fill_times2(data, column, first, last, row, zero_dates, out64, where)
            elif op == Op.YEAR:
                fill_years(data, column, first, last, row, out32)
            elif op == Op.BITS:
                status = fill_bits(data, column, first, last, row, out64, where)
            elif op == Op.UNSIGNED_DECIMAL:
                fill_unsigned_limbs(data, column, first, last, row, out64)
            elif op == Op.DECIMAL_TEXT:
                status = fill_decimal_texts(data, column, first, last, row, out32, out8, where)
            elif op == Op.ENUM:
                status = fill_enums(
                    data, column, first, last, row, names, name_ends, out32, out8, where
                )
            elif op == Op.SET:
                status = fill_sets(
                    data, column, first, last, row, names, name_ends, out32, out8, where
                )
            elif op == Op.OLD_TIME:
                status = fill_old_times(data, column, first, last, row, zero_dates, out64, where)
            elif op == Op.OLD_DATETIME:
                status = fill_old_datetimes(
                    data, column, first, last, row, zero_dates, out64, where
                )
            elif op == Op.GEOMETRY:
                status = fill_geometries(data, column, first, last, row, out64, out32, out8, where)
            elif op == Op.VECTOR:
                status = fill_vectors(data, column, first, last, row, out32, out8, where)
            if status < 0:
                where[1] = c
                return status
            row[ColumnField.NUM_NULLS] += status
    for c in range(columns.shape[0]):
        if columns[c, ColumnField.NUM_NULLS] > 0:
            put_validity(pos[c], num_rows, out8, columns[c, ColumnField.VALIDITY])
    return np.int64(0)
