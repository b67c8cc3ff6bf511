"""Rows that are equal in some columns: null equals null, and 0.0 is not -0.0."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.kernels.layout import Numbers


def row_numbers(rows: pa.Table) -> Numbers:
    """Return (n,) int64: below n, the same number for equal rows."""
    numbers = np.zeros(len(rows), dtype=np.int64)
    for column in rows.columns:
        codes = _codes(column)
        numbers = numbers * (int(codes.max(initial=0)) + 1) + codes
        numbers = np.unique(numbers, return_inverse=True)[1].reshape(-1)
    return numbers


def _codes(column: pa.ChunkedArray) -> Numbers:
    """Return (n,) int64: the same number for equal values of a column."""
    array = pa.concat_arrays([pa.array([], column.type), *column.chunks])
    if pa.types.is_nested(array.type):
        array = pa.array([None if v is None else repr(v) for v in array.to_pylist()], pa.string())
    if pa.types.is_floating(array.type):
        array = array.view(f"int{array.type.bit_width}")
    codes = array.dictionary_encode(null_encoding="encode").indices
    return np.asarray(codes.to_numpy(zero_copy_only=False), dtype=np.int64)


def places_in(wanted: pa.Table, rows: pa.Table) -> Numbers:
    """Return (len(rows),) int64: the index of the row of `wanted` that each is equal to, or -1."""
    places = np.full(len(rows), -1)
    may = np.ones(len(rows), dtype=bool)
    for name in wanted.column_names:
        if not pa.types.is_nested(rows[name].type):
            may &= pc.is_in(rows[name], wanted[name]).to_numpy(zero_copy_only=False)
    chosen = np.flatnonzero(may)
    both = pa.concat_tables([wanted, rows.select(wanted.column_names).take(chosen)])
    numbers = row_numbers(both)
    place_of = np.full(len(numbers), -1)
    place_of[numbers[: len(wanted)]] = np.arange(len(wanted))
    places[chosen] = place_of[numbers[len(wanted) :]]
    return places


def count_rows(wanted: pa.Table, batches: Iterable[pa.RecordBatch]) -> Numbers:
    """Return (len(wanted),) int64: how many rows are equal to each of some different ones."""
    counts = np.zeros(len(wanted), dtype=np.int64)
    for batch in batches:
        places = places_in(wanted, pa.table(batch))
        counts += np.bincount(places[places >= 0], minlength=len(wanted))
    return counts


def sum_rows(rows: pa.Table, numbers: Numbers) -> tuple[pa.Table, Numbers]:
    """Return the different rows, and (m,) int64: for each the sum of (n,) numbers of its equals."""
    of_row = row_numbers(rows)
    sums = np.bincount(of_row, numbers).astype(np.int64)
    one_of = np.zeros(len(sums), dtype=np.int64)
    one_of[of_row] = np.arange(len(rows))
    return rows.take(one_of), sums


def repeated(rows: pa.Table, times: Numbers) -> pa.Table:
    """Return each row as often as (len(rows),) numbers say; below 1 for never."""
    return rows.take(np.repeat(np.arange(len(rows)), np.maximum(times, 0)))
