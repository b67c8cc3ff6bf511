"""Writes a read as Parquet files: Spark's tasks write what they decode, without rows in the JVM."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Unpack
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs
from pyspark.sql import SparkSession

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark.batch import BinlogReader
from pyspark_adapter.spark.frame_schema import frame_schema
from pyspark_adapter.splits.plan_read import plan_read

# Spark reads its own schema here, with the types that Parquet lacks. Source: `ParquetReadSupport`.
_SPARK_SCHEMA: Final = "org.apache.spark.sql.parquet.row.metadata"

# Bytes of Arrow in a row group: what a task holds before it writes.
_ROW_GROUP: Final = 64 << 20


@with_options
def write_parquet(
    spark: SparkSession,
    out: str | os.PathLike[str],
    paths: Paths | None = None,
    *,
    schema: pa.Schema | None = None,
    overwrite: bool = False,
    **options: Unpack[BinlogOptionsDict],
) -> int:
    """Write a read as a Parquet data set, in parallel.

    The files have the schema and the rows of `spark.read.format("mysql_binlog")` with the same
    options, at less than half the processor time of `DataFrame.write.parquet`: each task encodes
    its record batches itself. They appear in the folder when all are written; then comes an empty
    file `_SUCCESS`. After an error of a task the folder holds what it held before.

    Args:
        spark: the session; not one of Spark Connect, which runs no such tasks.
        out: the folder: a path or URI that the driver and all tasks reach.
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        schema: the columns to give, as for `read_batches`.
        overwrite: whether to replace what the folder holds.
        options: the keyword arguments below, such as `table="shop.orders"`.

    Returns:
        The number of rows.

    Raises:
        OptionError: for an unknown option or a value that is not allowed; if the folder is not
            empty and `overwrite` is false.
        BinlogError: as `read_batches`, and if the folder cannot be written.
    """
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    with checked.spelling_errors():
        log_files = find_log_files(paths, checked)
        request = plan_read(log_files, checked, schema, in_splits=True)
    reader = BinlogReader(log_files, request)
    partitions = list(enumerate(reader.partitions()))
    folder = Location.parse(out)
    with _writing(folder):
        system, path = file_system(folder)
        found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
    if found and not overwrite:
        raise refuse("out", folder.shown, "an empty or new folder, or overwrite=True")
    spark_schema = frame_schema(request).json()
    written_schema = request.schema.with_metadata({_SPARK_SCHEMA: spark_schema})
    parts = _Parts(folder, f"_temporary-{uuid4().hex}", reader, written_schema)
    with _writing(folder):
        system.create_dir(f"{path}/{parts.temporary}")
    try:
        tasks = spark.sparkContext.parallelize(partitions, max(len(partitions), 1))
        results = tasks.map(parts.write).collect() if partitions else []
        with checked.spelling_errors():
            for result in results:
                if isinstance(result, BinlogError):
                    raise result
        written = [result for result in results if isinstance(result, _Part)]
        names = [part.name for part in written if part.name] or [parts.write_empty()]
        with _writing(folder):
            for info in found:
                is_directory = info.type == fs.FileType.Directory
                (system.delete_dir if is_directory else system.delete_file)(info.path)
            for name in names:
                system.move(f"{path}/{parts.temporary}/{name}", f"{path}/{name}")
    finally:
        with _writing(folder):
            system.delete_dir(f"{path}/{parts.temporary}")
    with _writing(folder), system.open_output_stream(f"{path}/_SUCCESS"):
        pass
    return sum(part.num_rows for part in written)


@dataclass(frozen=True)
class _Part:
    """What a task wrote: the name of the file, empty for no rows, and its rows."""

    name: str
    num_rows: int


@dataclass(frozen=True)
class _Parts:
    """The files of one data set, in a folder within its own until all are written.

    `schema` is that of the files, with Spark's own in its metadata.
    """

    folder: Location
    temporary: str
    reader: BinlogReader
    schema: pa.Schema

    def write(self, partition: tuple[int, Any]) -> _Part | BinlogError:
        """Write the rows of a partition; return an error as a value, to keep its class."""
        number, value = partition
        num_rows = 0
        writer = None
        # Spark may run a task twice at a time: each run has a file of its own.
        name = f"part-{number:05d}-{uuid4().hex}.parquet"
        try:
            try:
                for table in _row_groups(self.reader.read(value), self.schema):
                    with _writing(self.folder):
                        writer = writer or self._open(name)
                        writer.write_table(table, row_group_size=max(table.num_rows, 1))
                    num_rows += table.num_rows
            finally:
                if writer is not None:
                    with _writing(self.folder):
                        writer.close()  # writes the end of the file
        except BinlogError as error:
            return error
        return _Part(name if num_rows else "", num_rows)

    def write_empty(self) -> str:
        """Write a file without rows, which has the schema; return its name."""
        name = f"part-00000-{uuid4().hex}.parquet"
        with _writing(self.folder):
            self._open(name).close()
        return name

    def _open(self, name: str) -> pq.ParquetWriter:
        system, path = file_system(self.folder)
        return pq.ParquetWriter(f"{path}/{self.temporary}/{name}", self.schema, filesystem=system)


def _row_groups(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield tables of about _ROW_GROUP bytes."""
    pending: list[pa.RecordBatch] = []
    num_bytes = 0
    for batch in batches:
        pending.append(batch)
        num_bytes += batch.nbytes
        if num_bytes >= _ROW_GROUP:
            yield pa.Table.from_batches(pending, schema)
            pending, num_bytes = [], 0
    if pending:
        yield pa.Table.from_batches(pending, schema)


@contextmanager
def _writing(folder: Location) -> Iterator[None]:
    """Raise what a storage raises in the body as one of our errors."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error).partition("\n")[0]
        raise BinlogError(
            f"{folder.shown}: cannot be written: {reason}",
            advice="check the path, the permissions and the space that is left",
        ) from error
