"""`spark.readStream.format("mysql_binlog")`: planning and delegation, nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from pyspark_adapter.errors import OptionError, one_line, short_traces
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.spark.batch import in_partitions, read_partition
from pyspark_adapter.spark.versions import (
    DataSourceStreamReader,
    InputPartition,
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxFiles,
    SupportsTriggerAvailableNow,
)
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from pyspark_adapter.stream.stream_lag import LagWatch, bytes_between
from pyspark_adapter.stream.stream_timeline import StreamTimeline


class BinlogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads a series of logs as it grows, each transaction in one batch.

    Spark keeps one on the driver for the life of a query. The copies in tasks only read.
    """

    def __init__(self, series: LogSeries, request: ReadRequest) -> None:
        self._series: LogSeries | None = series
        self._request = request
        self._stream: LogStream | None = None
        self._timeline = StreamTimeline(request, series)
        self._target: StreamOffset | None = None
        self._held: StreamOffset | None = None  # the end of the query, before a change of columns
        self._lag_watch: LagWatch | None = None
        # Of the batch planned last.
        self._begin = StreamOffset()
        self._end: StreamOffset | None = None

    def __getstate__(self) -> dict[str, Any]:
        of_driver = ("_series", "_stream", "_timeline", "_lag_watch")
        return self.__dict__ | dict.fromkeys(of_driver)

    @short_traces
    def initialOffset(self) -> dict[str, Any]:  # noqa: N802
        """Return where a new stream begins."""
        self._timeline.looks_through = False  # the query is new
        return self._followed.initial_offset().to_json()

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        """Return how much a batch may read, by the options."""
        options = self._request.options
        if options.max_bytes_per_trigger is not None:
            return ReadMaxBytes(options.max_bytes_per_trigger)
        if options.max_files_per_trigger is not None:
            return ReadMaxFiles(options.max_files_per_trigger)
        return ReadAllAvailable()

    @short_traces
    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:  # noqa: N802
        """Return how far the next batch reads."""
        stored = _stored(start)
        begin = replace(stored, schema_change="")
        options = self._request.options
        allowed = BatchLimit()
        if not isinstance(limit, ReadAllAvailable):
            allowed = BatchLimit(options.max_bytes_per_trigger, options.max_files_per_trigger)
        self._begin = begin
        if self._held == begin:
            self._end = begin  # until the query is started again
            return start
        self._end = self._followed.latest_offset(begin, allowed, self._target)
        if options.on_schema_change == "end":
            self._end = self._before_change(stored, self._end)
        return start if stored.schema_change and self._end == begin else self._end.to_json()

    def _before_change(self, start: StreamOffset, end: StreamOffset) -> StreamOffset:
        """Return the end of a batch, or that of the last transaction before columns change.

        Raises:
            SchemaMismatchError: if a query that ended there was started again, and does not fit.
        """
        change = self._timeline.first_change(self._followed.ranges(start, end))
        if change is None:
            return end
        before = self._followed.end_before(start, change.log_name, change.pos)
        if start.schema_change and before == start:
            raise change.error
        self._held = replace(before, schema_change=str(change.error))
        return self._held

    def reportLatestOffset(self) -> dict[str, Any] | None:  # noqa: N802
        """Return where the logs end, and size and lag of the batch that was planned last.

        Spark shows it as `latestOffset` in the progress of the query, and uses it for nothing else.
        """
        if self._end is None or self._series is None:
            return None
        if self._lag_watch is None:
            self._lag_watch = LagWatch(self._series, self._request.options.progress_seconds)
        lag = self._lag_watch.lag(self._end)
        if lag is None:
            return None
        return {**lag.to_json(), "bytes_read": bytes_between(self._series, self._begin, self._end)}

    @short_traces
    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        """Set the end of the query: where the logs end now."""
        self._target = self._followed.end()

    @short_traces
    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:
        """Return a partition for each task of a batch."""
        ranges = self._followed.ranges(_stored(start), _stored(end))
        return in_partitions(self._timeline.splits(ranges), self._request.options)

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        """Yield the record batches of one partition."""
        return read_partition(partition, self._request)

    @property
    def _followed(self) -> LogStream:
        if self._stream is None:
            assert self._series is not None
            self._stream = LogStream(self._series, self._request.options)
        return self._stream


class StreamReaderWithoutLimits(BinlogStreamReader):
    """For PySpark 4.0 and 4.1, which pass neither a limit nor where a batch starts.

    The options limit a batch as soon as the reader has seen where the one before ended; after a
    restart Spark calls `commit` for it. The first batch of a new query reads all existing logs:
    Spark asks for its end before its start.
    """

    def __init__(self, series: LogSeries, request: ReadRequest) -> None:
        super().__init__(series, request)
        self._seen: dict[str, Any] | None = None

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802
        """Return where a new stream begins."""
        self._seen = super().initialOffset()
        return self._seen

    @short_traces
    def latestOffset(self) -> dict[str, Any]:  # type: ignore[override]  # noqa: N802
        """Return how far the next batch reads."""
        if self._seen is None:
            return self._followed.end().to_json()
        return super().latestOffset(self._seen, self.getDefaultReadLimit())

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:
        """Return a partition for each task of a batch."""
        self._seen = end
        return super().partitions(start, end)

    def commit(self, end: dict[str, Any]) -> None:
        """Note where a batch ended."""
        self._seen = end


def _stored(value: Any) -> StreamOffset:
    """Return an offset that Spark has kept in the checkpoint of the query; raises OptionError."""
    try:
        return StreamOffset.from_json(value)
    except ValueError as error:
        raise OptionError(
            "the checkpoint has an offset of another source: expected"
            f' {{"log_file": ..., "pos": ...}}, got {one_line(json.dumps(value))}',
            option="checkpointLocation",
            advice="start the query with its own checkpointLocation, or with a new one",
        ) from error
