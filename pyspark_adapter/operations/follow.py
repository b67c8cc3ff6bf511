"""The rows that a server or a directory of logs gets while somebody watches."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import pyarrow as pa

from pyspark_adapter.find_logs import server_of
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.plan_read import plan_read
from pyspark_adapter.splits.read_split import read_split
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from pyspark_adapter.stream.server_series import ServerSeries
from pyspark_adapter.stream.stream_timeline import StreamTimeline


def follow_rows(
    paths: Sequence[str] | None, options: BinlogOptions, seconds: float = 0.5
) -> Iterator[pa.RecordBatch]:
    """Yield the row images of logs, and then those of each transaction that is added; never ends.

    Args:
        paths: directories of logs; None for the server of the options.
        options: of a stream: `starting_offsets` says where it begins.
        seconds: to wait where there is nothing new.

    Raises:
        BinlogError: as a stream.
    """
    server = server_of(paths, options)
    series: LogSeries
    if server is not None:
        series = ServerSeries(server)
    else:
        series = LogDirectory(list(paths or ()), options)
    request = plan_read(series.all(), options)
    stream = LogStream(series, options)
    timeline = StreamTimeline(request)
    timeline.looks_through = False
    start = stream.initial_offset()
    while True:
        end = stream.latest_offset(start, BatchLimit())
        if end == start:
            time.sleep(seconds)
            continue
        for split in timeline.splits(stream.ranges(start, end)):
            yield from read_split(split, request)
        start = end
