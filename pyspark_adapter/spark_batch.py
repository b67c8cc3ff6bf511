"""`spark.read.format("mysql_binlog")`: planning and delegation, nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from pyspark_adapter.engine import has_kernels, warm_kernels
from pyspark_adapter.errors import OptionError
from pyspark_adapter.filters.row_filter import logs_to_read
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.inputs.log_search import find_log_files
from pyspark_adapter.options import BinlogOptions
from pyspark_adapter.progress import TimedProgress
from pyspark_adapter.read_request import ReadRequest
from pyspark_adapter.reader import plan_read, read_split
from pyspark_adapter.spark_types import to_arrow_schema, to_spark_schema
from pyspark_adapter.splits.log_splits import LogSplit, plan_splits


class DefaultSource(DataSource):
    """Binary logs of MySQL and MariaDB as rows.

    Registers itself with every Spark session in whose environment this package is installed::

        >>> spark.read.format("mysql_binlog").load("/var/lib/mysql")  # doctest: +SKIP
        >>> spark.read.format("mysql_binlog").option("table", "shop.orders").load(
        ...     ["binlog.000041", "binlog.000042"]
        ... )  # doctest: +SKIP
    """

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        # What `schema` has found; goes to the reader with this object.
        self._request: ReadRequest | None = None

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "mysql_binlog"

    def schema(self) -> StructType:
        """Return the schema of the read; looks for the columns of a table in the logs."""
        self._request = plan_read(self._log_files(), self._checked_options())
        return to_spark_schema(self._request.schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return the reader of a batch read."""
        log_files = self._log_files()
        request = self._request
        if request is None:  # the user gave a schema
            request = plan_read(log_files, self._checked_options(), to_arrow_schema(schema))
        return BinlogReader(log_files, request)

    def _checked_options(self) -> BinlogOptions:
        return BinlogOptions.from_spark(self.options)

    def _log_files(self) -> list[LogFile]:
        paths: list[str] = json.loads(self.options.get("paths", "[]"))
        if path := self.options.get("path"):
            paths.append(path)
        if not paths:
            raise OptionError(
                "expected the path of a log file or directory: load(path)", option="path"
            )
        return find_log_files(paths, self._checked_options())


class LogPartition(InputPartition):
    """A log or a split of it, to be read by one task."""

    def __init__(self, split: LogSplit) -> None:
        super().__init__((split.log_file.path, split.number))
        self.split = split


class BinlogReader(DataSourceReader):
    """Reads logs, large ones by several tasks."""

    def __init__(self, log_files: Sequence[LogFile], request: ReadRequest) -> None:
        self._log_files = log_files
        self._request = request

    def partitions(self) -> list[InputPartition]:
        """Return a partition for each split of each log."""
        if self._request.options.view != "events" and has_kernels(self._request.options):
            warm_kernels()  # here, once, and not in each of the tasks
        return [
            LogPartition(split)
            for log_file in logs_to_read(self._log_files, self._request.options)
            for split in plan_splits(log_file, self._request)
        ]

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        """Yield the record batches of one split; nothing for the partition that stands for none."""
        if partition.value is None:
            return iter(())
        seconds = self._request.options.progress_seconds
        progress = TimedProgress(partition.split.log_file.name, seconds) if seconds else None
        return read_split(partition.split, self._request, progress)
