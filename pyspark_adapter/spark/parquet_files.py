"""Writes a read as Parquet files: Spark's tasks write what they decode, without rows in the JVM."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Unpack

import pyarrow as pa
from pyspark.sql import SparkSession

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.find_logs import Paths, find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark.batch import BinlogReader
from pyspark_adapter.spark.data_set import part_name, staging
from pyspark_adapter.spark.part_files import SPARK_SCHEMA, PartFile, writing
from pyspark_adapter.spark.removals import frame_schema
from pyspark_adapter.spark.task_runs import run_tasks
from pyspark_adapter.splits.read_split import plan_read


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
    its record batches itself. Next to them are an empty file `_SUCCESS` and `_mysql_binlog`, which
    says that this package wrote the folder.

    On a local disk the files are written to a sibling folder (`.mysql-binlog-*`), which replaces
    the old one by two renames. Readers find the old files or the new ones, and between the renames
    none. After a kill the next write restores the old folder, or removes the unfinished one. A
    reader that has listed the old files may miss them when it opens them.

    Elsewhere (`s3://` and other URIs, a mount point, the working folder) `_SUCCESS` is removed
    first, then the old files; then the new ones are moved in, and `_SUCCESS` is written last. A
    reader never finds files of both; one that looks for `_SUCCESS` finds all. There only one
    program at a time may write a folder.

    Args:
        spark: the session. With Spark Connect, the client plans the read and commits the files.
        out: the folder: a path or URI that this program and all tasks reach.
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        schema: the columns to give, as for `read_batches`.
        overwrite: whether to replace what an earlier write left in the folder.
        options: the keyword arguments below, such as `table="shop.orders"`.

    Returns:
        The number of rows.

    Raises:
        OptionError: for an unknown option or a value that is not allowed; if the folder is not
            empty and `overwrite` is false, or holds what this package has not written.
        BinlogError: as `read_batches`, and if the folder cannot be written.
    """
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    log_files = find_log_files(paths, checked)
    request = plan_read(log_files, checked, schema)
    reader = BinlogReader(log_files, request)
    partitions = list(enumerate(reader.partitions()))
    folder = Location.parse(out)
    spark_schema = frame_schema(request).json()
    written_schema = request.schema.with_metadata({SPARK_SCHEMA: spark_schema})
    with writing(folder), staging(folder, overwrite=overwrite) as staged:
        parts = _Parts(staged.folder, staged.name, reader, written_schema)
        written = run_tasks(spark, parts.write, partitions)
        names = [part.name for part in written if part.name] or [parts.write_empty()]
        staged.commit(names)
    return sum(part.num_rows for part in written)


@dataclass(frozen=True)
class _Part:
    """What a task wrote: the name of the file, empty for no rows, and its rows."""

    name: str
    num_rows: int


@dataclass(frozen=True)
class _Parts:
    """The files of one data set, in a temporary folder within `folder` until all are written.

    `schema` is that of the files, with Spark's own in its metadata.
    """

    folder: Location
    temporary: str
    reader: BinlogReader
    schema: pa.Schema

    def write(self, partition: tuple[int, Any]) -> _Part | BinlogError:
        """Write the rows of a partition; return an error as a value, to keep its class."""
        number, value = partition
        # Spark may run a task twice at a time: each run has a file of its own.
        name = part_name(number)
        part = self._file(name)
        try:
            try:
                for batch in self.reader.read(value):
                    part.add(batch)
                part.close()
            finally:
                part.drop()
        except BinlogError as error:
            return error
        return _Part(name if part.num_rows else "", part.num_rows)

    def write_empty(self) -> str:
        """Write a file without rows, which has the schema; return its name."""
        name = part_name(0)
        self._file(name).close_empty()
        return name

    def _file(self, name: str) -> PartFile:
        path = self.folder.child(self.temporary).child(name)
        return PartFile(self.folder, path, self.schema)
