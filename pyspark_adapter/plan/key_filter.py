"""Selects rows of a table by the option `keys`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import OptionError, listed
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.filter_values import RowKey

_ADVICE: Final = 'name the columns: [{"order_id": 42}]'


class KeyFilter:
    """The rows with one of some keys.

    Args:
        keys: their values by the names of columns, in lower case; as Arrow scalars.

    Attributes:
        values: of each key, as Python values, by the names of its columns in lower case.
    """

    def __init__(self, keys: Sequence[Mapping[str, pa.Scalar]]) -> None:
        self.values = [{name: (value.as_py(),) for name, value in key.items()} for key in keys]
        # Those of the same columns together.
        self._by_columns: dict[tuple[str, ...], list[Mapping[str, pa.Scalar]]] = {}
        for key in keys:
            self._by_columns.setdefault(tuple(sorted(key)), []).append(key)

    @classmethod
    def of(
        cls, options: BinlogOptions, fields: Sequence[pa.Field], row_key: Sequence[str]
    ) -> KeyFilter | None:
        """Return what the option `keys` selects; None if it is not set; raises OptionError.

        Args:
            fields: columns of the table that the read returns.
            row_key: names of the columns that identify a row; empty if they are not known.
        """
        if options.keys is None:
            return None
        types = {field.name.lower(): field.type for field in fields}
        return cls([_key_of(key, types, row_key) for key in options.keys])

    def apply(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows of a batch that have one of the keys."""
        keeps = np.zeros(batch.num_rows, dtype=bool)
        indices = {name.lower(): i for i, name in enumerate(batch.schema.names)}
        for columns, keys in self._by_columns.items():
            arrays = [batch.column(indices[name]) for name in columns]
            for array, name in zip(arrays[:1], columns, strict=False):
                values = pa.array([key[name].as_py() for key in keys], array.type)
                matches = np.asarray(pc.is_in(array, values).to_numpy(zero_copy_only=False))
            if len(columns) > 1 and matches.any():
                rows = np.flatnonzero(matches)
                wanted = {tuple(key[name].as_py() for name in columns) for key in keys}
                taken = [array.take(pa.array(rows)).to_pylist() for array in arrays]
                is_wanted = [row in wanted for row in zip(*taken, strict=True)]
                matches = np.zeros(batch.num_rows, dtype=bool)
                matches[rows[np.array(is_wanted, dtype=bool)]] = True
            keeps |= matches
        return batch if keeps.all() else batch.filter(pa.array(keeps))


def _key_of(
    key: RowKey, types: Mapping[str, pa.DataType], row_key: Sequence[str]
) -> dict[str, pa.Scalar]:
    """Return the values of a key by column, with the types of the columns."""
    names = [name for name, _ in key]
    if not all(names):
        if not row_key:
            raise _refused(key, "the key of the table is not known, or changes within the logs")
        if len(row_key) != len(key):
            raise _refused(key, f"expected a value for each of {listed(row_key)}")
        names = list(row_key)
    scalars: dict[str, pa.Scalar] = {}
    for name, (_, value) in zip(names, key, strict=True):
        lower = name.lower()
        if lower not in types:
            raise _refused(key, f"expected a column that the read returns, got {name}")
        try:
            scalars[lower] = _scalar(value, types[lower])
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            expected = f"column {name}: expected a value of type {types[lower]}, got {value!r}"
            raise _refused(key, expected) from error
    return scalars


def _scalar(value: Any, type_: pa.DataType) -> pa.Scalar:
    if isinstance(value, bool):
        raise TypeError("a truth value is no key")
    if isinstance(value, str):
        if pa.types.is_binary(type_) or pa.types.is_large_binary(type_):
            value = value.encode()
        elif not (pa.types.is_string(type_) or pa.types.is_large_string(type_)):
            return pa.scalar(value, pa.string()).cast(type_)
    return pa.scalar(value, type_)


def _refused(key: RowKey, reason: str) -> OptionError:
    return OptionError(
        f"option keys: {reason}",
        option="keys",
        value=", ".join(str(value) for _, value in key),
        advice=_ADVICE,
    )
