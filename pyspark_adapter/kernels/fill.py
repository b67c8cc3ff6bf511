"""Writes the values that `locate` found into the buffers of Arrow arrays: the second pass.

Each kind of values has a kernel that writes all rows of a column. The most common kinds have two: a
fast one, for values without surprises, and one for all values. The fast one returns the first row
that it cannot write, the other takes a run of rows from there, and then it is the fast one's turn
again. Both are compiled when a column first needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from pyspark_adapter.kernels import entry_points as kernels
from pyspark_adapter.kernels.layout import GROUP_BYTES, ColumnField, Op

# Rows that the slower kernel takes, before the fast one is tried again.
_RUN: Final = 1024

Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class Batch:
    """The input and output that all columns of a batch share.

    Attributes:
        data: the window.
        num_rows: row images.
        zero_dates: one of ZeroDates, as a plain number, since numba takes long to type an enum.
        out8: the arena, as bytes.
        out32, out64: the same as integers of two widths.
        names, name_ends: of the members of ENUM and SET columns, see `kernels.fill_enums`.
        tables: of `charsets.tables`, for the columns that need one.
        where: (1,) index of the row that a status is about.
    """

    data: Array
    num_rows: int
    zero_dates: int
    out8: Array
    out32: Array
    out64: Array
    names: Array
    name_ends: Array
    tables: Array
    where: Array


@dataclass(slots=True)
class ColumnTask:
    """A column to fill.

    Attributes:
        pos: (at least num_rows,) of `locate`; changed to Pos.NULL for a zero date that becomes a
            null.
        row: (len(ColumnField),) of the column.
        groups: of `decimal_groups`, if the column has decimals.
    """

    pos: Array
    row: Array
    groups: Array | None


# Both return a row, or a status; see `_fill`.
_Fast = Callable[[Batch, ColumnTask, int], int]
_Slow = Callable[[Batch, ColumnTask, int, int], int]


def _integers(b: Batch, c: ColumnTask, first: int) -> int:
    return int(kernels.fill_integers(b.data, c.pos, first, b.num_rows, c.row, b.out8))


def _numbers(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(kernels.fill_numbers(b.data, c.pos, first, last, c.row, b.out8, b.where))


def _short_decimals(b: Batch, c: ColumnTask, first: int) -> int:
    assert c.groups is not None
    return int(
        kernels.fill_short_decimals(b.data, c.pos, first, b.num_rows, c.row, c.groups, b.out64)
    )


def _decimals(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(kernels.fill_decimals(b.data, c.pos, first, last, c.row, b.out64, b.where))


def _dates(b: Batch, c: ColumnTask, first: int) -> int:
    return int(kernels.fill_dates(b.data, c.pos, first, b.num_rows, c.row, b.out32))


def _datetimes(b: Batch, c: ColumnTask, first: int) -> int:
    return int(kernels.fill_datetimes(b.data, c.pos, first, b.num_rows, c.row, b.out64))


def _timestamps(b: Batch, c: ColumnTask, first: int) -> int:
    return int(kernels.fill_timestamps(b.data, c.pos, first, b.num_rows, c.row, b.out64))


def _times(b: Batch, c: ColumnTask, first: int) -> int:
    return int(kernels.fill_times(b.data, c.pos, first, b.num_rows, c.row, b.out64))


def _temporals(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(
        kernels.fill_temporals(
            b.data, c.pos, first, last, c.row, b.zero_dates, b.out32, b.out64, b.where
        )
    )


def _plain_texts(b: Batch, c: ColumnTask, first: int) -> int:
    return int(kernels.fill_plain_texts(b.data, c.pos, first, b.num_rows, c.row, b.out32, b.out8))


def _texts(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(
        kernels.fill_texts(b.data, c.pos, first, last, c.row, b.tables, b.out32, b.out8, b.where)
    )


def _names(b: Batch, c: ColumnTask, first: int) -> int:
    return int(
        kernels.fill_names(
            b.data, c.pos, first, b.num_rows, c.row, b.names, b.name_ends, b.out32, b.out8
        )
    )


def _enums(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(
        kernels.fill_enums(
            b.data, c.pos, first, last, c.row, b.names, b.name_ends, b.out32, b.out8, b.where
        )
    )


def _sets(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(
        kernels.fill_sets(
            b.data, c.pos, first, last, c.row, b.names, b.name_ends, b.out32, b.out8, b.where
        )
    )


def _printed(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(kernels.fill_printed(b.data, c.pos, first, last, c.row, b.out32, b.out8, b.where))


def _vectors(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(kernels.fill_vectors(b.data, c.pos, first, last, c.row, b.out32, b.out8, b.where))


def _geometries(b: Batch, c: ColumnTask, first: int, last: int) -> int:
    return int(
        kernels.fill_geometries(
            b.data, c.pos, first, last, c.row, b.out64, b.out32, b.out8, b.where
        )
    )


# The kinds without an entry are made by `decode.columns`.
FILLS: Final[Mapping[int, tuple[_Fast | None, _Slow]]] = MappingProxyType(
    {
        Op.INTEGER: (_integers, _numbers),
        Op.BITS: (None, _numbers),
        Op.UNSIGNED_DECIMAL: (None, _numbers),
        Op.YEAR: (None, _numbers),
        Op.DECIMAL: (_short_decimals, _decimals),
        Op.DATE: (_dates, _temporals),
        Op.DATETIME2: (_datetimes, _temporals),
        Op.TIMESTAMP: (_timestamps, _temporals),
        Op.TIME2: (_times, _temporals),
        Op.OLD_TIME: (None, _temporals),
        Op.OLD_DATETIME: (None, _temporals),
        Op.TEXT: (_plain_texts, _texts),
        Op.DECIMAL_TEXT: (None, _printed),
        Op.ENUM: (_names, _enums),
        Op.SET: (None, _sets),
        Op.GEOMETRY: (None, _geometries),
        Op.VECTOR: (None, _vectors),
        Op.FIXED_BINARY: (None, _printed),
    }
)


def decimal_groups(precision: int, scale: int) -> np.ndarray[Any, Any] | None:
    """Return how `fill_short_decimals` takes the groups of digits out of a stored decimal.

    Returns:
        (10,) int64: the number of bytes, then for each of three groups the bits after it, the first
        number with too many digits, and the factor for the groups before it. None for decimals of
        more than 18 digits or eight bytes.
    """
    whole, parts = precision - scale, list[int]()
    if whole % 9:
        parts.append(whole % 9)
    parts += [9] * (whole // 9 + scale // 9)
    if scale % 9:
        parts.append(scale % 9)
    sizes = [GROUP_BYTES[digits] for digits in parts]
    if precision > 18 or sum(sizes) > 8:
        return None
    fields, rest = [sum(sizes)], 8 * sum(sizes)
    for digits, size in zip(parts, sizes, strict=True):
        rest -= 8 * size
        fields += [rest, 10**digits, 10**digits]
    fields += [0, 1, 1] * (3 - len(parts))
    return np.array(fields, dtype=np.int64)


def fill_column(batch: Batch, column: ColumnTask) -> int:
    """Fill the values of a column; return the nulls made of zero dates, or a RowStatus.

    If it is a status, `batch.where` has the row.
    """
    fast, slow = FILLS[int(column.row[ColumnField.OP])]
    if fast is None or (fast is _short_decimals and column.groups is None):
        return slow(batch, column, 0, batch.num_rows)
    num_nulls, first = 0, 0
    while (first := fast(batch, column, first)) < batch.num_rows:
        last = min(first + _RUN, batch.num_rows)
        status = slow(batch, column, first, last)
        if status < 0:
            return status
        num_nulls += status
        first = last
    return num_nulls
