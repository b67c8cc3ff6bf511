"""`spark.read.format("mysql_binlog")`: planning and delegation, nothing else."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from pyspark_adapter.errors import short_traces
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import TimedProgress
from pyspark_adapter.spark.pushed_filters import PushedFilters, comparisons_of, push_filters
from pyspark_adapter.spark.versions import DataSourceReader, InputPartition
from pyspark_adapter.splits.log_splits import RangesOfLogs, Split, group_splits, plan_splits
from pyspark_adapter.splits.read_split import read_split


class LogPartition(InputPartition):
    """The splits that one task reads: one, or several small logs."""

    def __init__(self, splits: Sequence[Split]) -> None:
        super().__init__((splits[0].log_file.path, splits[0].start))
        self.splits = splits

    def __getstate__(self) -> dict[str, Any]:
        # Table definitions repeat from log to log, and Spark keeps all partitions.
        packed = zlib.compress(pickle.dumps(self.splits, pickle.HIGHEST_PROTOCOL), 1)
        return self.__dict__ | {"splits": packed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        splits = pickle.loads(zlib.decompress(state["splits"]))  # noqa: S301 - packed above
        self.__dict__.update(state | {"splits": splits})


class BinlogReader(DataSourceReader):
    """Reads logs: a large one with several tasks, several small ones with one."""

    def __init__(self, log_files: Sequence[LogFile], request: ReadRequest) -> None:
        self._log_files = log_files
        self._request = request
        self._pushed = PushedFilters(request.options)

    def __getstate__(self) -> dict[str, Any]:
        # Tasks get the reader: the logs that they read are in their partitions. Without the list,
        # a copy cannot plan; with an empty one it would plan to read nothing.
        return {name: value for name, value in self.__dict__.items() if name != "_log_files"}

    @short_traces
    def partitions(self) -> list[InputPartition]:
        """Return a partition for each task."""
        wanted = logs_to_read(self._log_files, self._request.options)
        kept = [log_file for log_file in wanted if self._pushed.keeps_log(log_file)]
        ranges: RangesOfLogs = [(log_file, None) for log_file in kept]
        if self._request.options.index is not None:
            from pyspark_adapter.index.wanted_blocks import IndexedLogs

            keys = ((self._pushed.values,),) if self._pushed.values else ()
            indexed = IndexedLogs.of(self._request, keys)
            narrowed = self._pushed.options_of
            ranges = [pair for log in kept for pair in indexed.ranges([log], narrowed(log))]
        return plan_partitions(ranges, self._request, self._pushed)

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        """Yield the record batches of a partition."""
        if partition is None or partition.value is None:  # what Spark makes of an empty list
            return iter(())
        return read_partition(partition, self._request, self._pushed)


class PushdownReader(BinlogReader):
    """Applies filters of the query; Spark refuses such a class unless filter pushdown is on."""

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # noqa: N802 - Spark's name
        """Take the filters; return all of them, so that Spark filters the rows again."""
        request = self._request
        self._pushed = push_filters(request.options, request.metadata, comparisons_of(filters))
        return filters


def plan_partitions(
    ranges: RangesOfLogs, request: ReadRequest, pushed: PushedFilters | None = None
) -> list[InputPartition]:
    """Return a partition for each task that reads some logs; see `plan_splits`."""
    splits = plan_splits(ranges, request)
    if pushed is not None:
        splits = [split for split in splits if pushed.keeps_split(split)]
    return in_partitions(splits, request.options)


def in_partitions(splits: Sequence[Split], options: BinlogOptions) -> list[InputPartition]:
    """Return a partition for each task that reads some splits."""
    return [LogPartition(group) for group in group_splits(splits, options)]


def read_partition(
    partition: LogPartition, request: ReadRequest, pushed: PushedFilters | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of a partition."""
    seconds = request.options.progress_seconds
    for split in partition.splits:
        progress = TimedProgress(split.log_file.name, seconds)
        options = pushed.options_of(split.log_file) if pushed else request.options
        with short_traces:
            narrowed = request.narrowed(options)
            for batch in read_split(split, narrowed, progress if seconds else None):
                progress.num_rows += batch.num_rows
                yield batch
