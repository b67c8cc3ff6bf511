"""What a commit of an Iceberg table changes: its rows, its files, and which of these to sync."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO

from pyspark_adapter.replication.changes import rows_without
from pyspark_adapter.sources.locations import Location

if TYPE_CHECKING:
    from pyiceberg.table import Table, Transaction
    from pyiceberg.table.metadata import TableMetadata

_written: Final[set[Path]] = set()
_lock: Final = Lock()


class NotedFiles(PyArrowFileIO):  # type: ignore[misc]  # pyiceberg has no types here
    """Notes the local files that pyiceberg writes, since it does not sync them."""

    def new_output(self, location: str) -> PyArrowFile:
        """Return a file to write."""
        output = Location.parse(location)
        if output.is_local:
            with _lock:
                _written.add(Path(output.path).resolve())
        return super().new_output(location)


def written_below(location: Location) -> list[Path]:
    """Return the files in the folder of a table that were written since the last call."""
    folder = Path(location.path).resolve()
    with _lock:
        files = [file for file in _written if folder in file.parents]
        _written.difference_update(files)
    return [file for file in files if file.exists()]  # a commit may have been given up


# Smaller files are merged into one as soon as there are more than _MOST_SMALL of them.
_SMALL_BYTES: Final = 8 << 20
_MOST_SMALL: Final = 16
_FILE_BYTES: Final = 512 << 20  # of Arrow


def in_order(schema: pa.Schema, rows: pa.RecordBatchReader) -> pa.RecordBatchReader:
    """Return rows with the columns of a table, in its order; NULL in those that they lack."""
    names = rows.schema.names

    def of(batch: pa.RecordBatch) -> pa.RecordBatch:
        arrays = [
            batch[f.name].cast(f.type) if f.name in names else pa.nulls(len(batch), f.type)
            for f in schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, map(of, rows))


def merge_rows(
    table: Table,
    metadata: TableMetadata,
    snapshot: Any,
    gone: pa.Table,
    key: Sequence[str],
    new: pa.Table,
    first: str,
) -> None:
    """Rewrite the files that hold some rows, without these, and add new rows.

    Args:
        table: as it was read.
        metadata: of the table after changes of its columns.
        snapshot: that gets the files.
        gone, key: as for `rows_without`.
        new: rows with the columns of the table.
        first: the name of the first key column in the table as it was read; empty for none.
    """
    reach = _reach_of(gone.select(key[:1]), first)
    tasks = list(table.scan(reach).plan_files()) if len(gone) else []
    small = [t for t in tasks if t.file.file_size_in_bytes < _SMALL_BYTES]
    are_many = len(small) > _MOST_SMALL
    added = [new]
    for task in tasks:
        old = _read_file(table, metadata, task)
        rest = rows_without(old, gone, key)
        is_one_of_many = are_many and task in small
        if len(rest) == len(old) and not is_one_of_many:
            continue
        snapshot.delete_data_file(task.file)
        if is_one_of_many:
            added.append(rest)
        else:
            _append_rows(table, metadata, snapshot, rest.to_reader())
    _append_rows(table, metadata, snapshot, pa.concat_tables(added).to_reader())


def tidy(transaction: Transaction, table: Table) -> None:
    """Drop the manifests that merges have emptied; done now and then.

    An overwrite keeps them in the list of each snapshot, an append does not.
    """
    if table.metadata.last_sequence_number % _MOST_SMALL == 0 and table.metadata.snapshots:
        with transaction.update_snapshot().merge_append():
            pass


def compact(transaction: Transaction, table: Table) -> None:
    """Make small files of a table whose rows never change one; looked at now and then."""
    if table.metadata.last_sequence_number % _MOST_SMALL:
        return
    small = [
        task for task in table.scan().plan_files() if task.file.file_size_in_bytes < _SMALL_BYTES
    ]
    if len(small) > _MOST_SMALL:
        metadata = transaction.table_metadata
        schema = metadata.schema().as_arrow()
        batches = (b for t in small for b in _read_file(table, metadata, t).to_batches())
        with transaction.update_snapshot().overwrite() as snapshot:
            for task in small:
                snapshot.delete_data_file(task.file)
            rows = pa.RecordBatchReader.from_batches(schema, batches)
            _append_rows(table, metadata, snapshot, rows)


def _reach_of(keys: pa.Table, name: str) -> Any:
    """Return a filter of files that may hold one of some keys, by their first column."""
    from pyiceberg.expressions import AlwaysTrue, And, GreaterThanOrEqual, LessThanOrEqual

    if not name or not pa.types.is_integer(keys.schema[0].type):
        return AlwaysTrue()
    ends = pc.min_max(keys.column(0)).as_py()
    return And(GreaterThanOrEqual(name, ends["min"]), LessThanOrEqual(name, ends["max"]))


def _read_file(table: Table, metadata: TableMetadata, task: Any) -> pa.Table:
    """Return all rows of a file, with the columns of the metadata."""
    from pyiceberg.expressions import AlwaysTrue
    from pyiceberg.io.pyarrow import ArrowScan

    return ArrowScan(metadata, table.io, metadata.schema(), AlwaysTrue()).to_table([task])


def _append_rows(
    table: Table, metadata: TableMetadata, snapshot: Any, rows: pa.RecordBatchReader
) -> None:
    """Write rows, which have the columns of the table in its order, as files of a commit."""
    from pyiceberg.io.pyarrow import bin_pack_record_batches, write_file
    from pyiceberg.table import WriteTask

    number = uuid.uuid4()
    tasks = (
        WriteTask(number, place, metadata.schema(), batches)
        for place, batches in enumerate(bin_pack_record_batches(rows, _FILE_BYTES))
    )
    for file in write_file(table.io, metadata, tasks):
        snapshot.append_data_file(file)
