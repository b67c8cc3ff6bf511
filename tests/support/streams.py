"""A stream over logs of a folder or a server, driven as Spark drives one, but without it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.splits.read_split import plan_read, read_log, read_split
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from pyspark_adapter.stream.server_series import ServerSeries
from pyspark_adapter.stream.stream_timeline import StreamTimeline

NO_LIMIT = BatchLimit()


class FollowedStream:
    """A stream of all changes, rows as JSON.

    Attributes:
        offset: how far it has been read.
        rows: that it has given, as text.
        timeline: what the driver knows of the tables.
    """

    def __init__(self, path: Path | str | None, **options: Any) -> None:
        columns = tuple(METADATA_BY_NAME)
        self._options = BinlogOptions(**{"metadata_columns": columns, **options})
        self._path = path
        self.rows: list[str] = []
        self.restart()
        self.offset = self.source.initial_offset()

    def restart(self) -> None:
        """Forget all but what Spark keeps."""
        options = self._options
        series: LogSeries
        if self._path is None:
            series = ServerSeries(LiveServer.from_options(options))
        else:
            series = LogDirectory([str(self._path)], options)
        self.source = LogStream(series, options)
        self._request = plan_read(series.all(), options)
        self.timeline = StreamTimeline(self._request, series)

    def poll(
        self,
        limit: BatchLimit = NO_LIMIT,
        until: StreamOffset | None = None,
        *,
        in_tasks: bool = False,
    ) -> bool:
        """Run a batch; return whether there was something to read.

        With `in_tasks`, what tasks get is pickled as Spark does.
        """
        end = self.source.latest_offset(self.offset, limit, until)
        if end == self.offset:
            return False
        self.rows += self.read(self.offset, end, in_tasks=in_tasks)
        self.offset = end
        return True

    def read(self, start: StreamOffset, end: StreamOffset, *, in_tasks: bool = False) -> list[str]:
        """Return the rows between two offsets, as tasks read them."""
        splits = self.timeline.splits(self.source.ranges(start, end))
        request = self._request
        if in_tasks:
            splits, request = pickle.loads(  # noqa: S301 - of our own making
                pickle.dumps((splits, request))
            )
        return [
            repr(row)
            for split in splits
            for batch in read_split(split, request)
            for row in batch.to_pylist()
        ]


def rows_of(*paths: Path | str, **options: Any) -> list[str]:
    """Return the rows of logs, read as files."""
    checked = BinlogOptions(**{"metadata_columns": tuple(METADATA_BY_NAME), **options})
    log_files = find_log_files(list(paths), checked)
    request = plan_read(log_files, checked)
    return [
        repr(row)
        for log_file in log_files
        for batch in read_log(log_file, request)
        for row in batch.to_pylist()
    ]
