"""What a commit of an Iceberg table changes: its files, and their rows."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.replication.changes import NUMBER, numbered_keys

if TYPE_CHECKING:
    from pyiceberg.table import Table, Transaction

# Smaller files are merged into one as soon as there are more than _MOST_SMALL of them.
_SMALL_BYTES: Final = 8 << 20
_MOST_SMALL: Final = 16


def in_order(transaction: Transaction, rows: pa.RecordBatchReader) -> pa.RecordBatchReader:
    """Return rows with the columns of the table, in its order; NULL in those that they lack."""
    schema, names = transaction.table_metadata.schema().as_arrow(), rows.schema.names

    def of(batch: pa.RecordBatch) -> pa.RecordBatch:
        arrays = [
            batch[f.name].cast(f.type) if f.name in names else pa.nulls(len(batch), f.type)
            for f in schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, map(of, rows))


def overwriting(transaction: Transaction, said: dict[str, str]) -> Any:
    """Begin a snapshot that replaces files."""
    commit = transaction.update_snapshot(said).overwrite()
    commit._process_manifests = lambda found: _with_files(found, commit.snapshot_id)
    return commit


def merge_rows(
    transaction: Transaction, table: Table, snapshot: Any, keys: pa.Table, new: pa.Table
) -> None:
    """Rewrite the files that hold some keys, without their rows, and add new rows.

    Args:
        transaction: of the table.
        table: as it was read.
        snapshot: of the transaction.
        keys: the columns that identify a row.
        new: rows with the columns of the table.
    """
    tasks = list(transaction._scan(_reach_of(keys)).plan_files()) if len(keys) else []
    small = [t for t in tasks if t.file.file_size_in_bytes < _SMALL_BYTES]
    are_many = len(small) > _MOST_SMALL
    added = [new]
    for task in tasks:
        old = _read_file(transaction, table, task)
        left = _rows_without(old, keys)
        is_one_of_many = are_many and task in small
        if left is None and not is_one_of_many:
            continue
        snapshot.delete_data_file(task.file)
        rest = old if left is None else left
        if is_one_of_many:
            added.append(rest)
        else:
            append_rows(transaction, table, snapshot, rest.to_reader())
    append_rows(transaction, table, snapshot, pa.concat_tables(added).to_reader())


def compact(transaction: Transaction, table: Table) -> None:
    """Have small files of a table whose rows never change be one; looked at now and then."""
    if table.metadata.last_sequence_number % _MOST_SMALL:
        return
    tasks = transaction._scan().plan_files()
    small = [t for t in tasks if t.file.file_size_in_bytes < _SMALL_BYTES]
    if len(small) > _MOST_SMALL:
        schema = transaction.table_metadata.schema().as_arrow()
        batches = (b for t in small for b in _read_file(transaction, table, t).to_batches())
        with overwriting(transaction, {}) as snapshot:
            for task in small:
                snapshot.delete_data_file(task.file)
            rows = pa.RecordBatchReader.from_batches(schema, batches)
            append_rows(transaction, table, snapshot, rows)


def _reach_of(keys: pa.Table) -> Any:
    """Return a filter of files that may hold one of some keys."""
    from pyiceberg.expressions import AlwaysTrue, And, GreaterThanOrEqual, LessThanOrEqual

    first = keys.column(0)
    if not pa.types.is_integer(first.type):
        return AlwaysTrue()
    name, ends = keys.column_names[0], pc.min_max(first).as_py()
    return And(GreaterThanOrEqual(name, ends["min"]), LessThanOrEqual(name, ends["max"]))


def _read_file(transaction: Transaction, table: Table, task: Any) -> pa.Table:
    """Return all rows of a file, with the columns that the table has now."""
    from pyiceberg.expressions import AlwaysTrue
    from pyiceberg.io.pyarrow import ArrowScan

    metadata = transaction.table_metadata
    return ArrowScan(metadata, table.io, metadata.schema(), AlwaysTrue()).to_table([task])


def _rows_without(rows: pa.Table, keys: pa.Table) -> pa.Table | None:
    """Return rows whose key is none of some; None if that are all."""
    names = keys.column_names
    found = numbered_keys(keys, names).drop(NUMBER)
    left = numbered_keys(rows, names).join(found, names, join_type="left anti")[NUMBER]
    return None if len(left) == len(rows) else rows.take(np.sort(left))


def append_rows(
    transaction: Transaction, table: Table, snapshot: Any, rows: pa.RecordBatchReader
) -> None:
    """Write rows as files of a commit."""
    from pyiceberg.io.pyarrow import _dataframe_to_data_files

    metadata = transaction.table_metadata
    for file in _dataframe_to_data_files(metadata, rows, table.io, uuid.uuid4()):
        snapshot.append_data_file(file)


def _with_files(manifests: Iterable[Any], snapshot_id: int) -> list[Any]:
    """Leave out the lists of what earlier commits removed, which pyiceberg keeps for ever."""
    return [
        manifest
        for manifest in manifests
        if manifest.has_added_files()
        or manifest.has_existing_files()
        or manifest.added_snapshot_id == snapshot_id
    ]
