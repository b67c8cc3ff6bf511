"""Numbers in groups: where they begin, how many there are, and their sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from pyspark_adapter.index_store.log_index import Numbers


def begins_of(*columns: Numbers) -> Numbers:
    """Return where rows of some columns differ from those before, the first included."""
    is_new = np.zeros(len(columns[0]), dtype=bool)
    is_new[:1] = True
    for values in columns:
        is_new[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(is_new)


def merged(parts: Sequence[Numbers], num_keys: int, how: Sequence[np.ufunc]) -> Numbers:
    """Return columns by their first `num_keys` rows, sorted; others as the functions add them."""
    if not parts:
        return np.zeros((num_keys + len(how), 0), dtype=np.int64)
    both = np.concatenate(parts, axis=1)
    both = both[:, np.lexsort(both[:num_keys][::-1])]
    first = begins_of(*both[:num_keys])
    if not len(first):
        return both
    sums = [f.reduceat(row, first) for f, row in zip(how, both[num_keys:], strict=True)]
    return np.stack([*both[:num_keys, first], *sums])


def batch_of(columns: Iterable[Numbers], schema: pa.Schema) -> pa.RecordBatch:
    """Return columns as a record batch of a schema."""
    arrays = [
        pa.array(np.ascontiguousarray(column), field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
