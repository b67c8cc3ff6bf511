"""Follows a server or a log directory and yields new rows as they are written."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import pyarrow as pa

from pyspark_adapter.find_logs import server_of
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from pyspark_adapter.stream.metrics import StreamMetrics
from pyspark_adapter.stream.server_series import ServerSeries
from pyspark_adapter.stream.stream_lag import LagWatch
from pyspark_adapter.stream.stream_timeline import StreamTimeline
from pyspark_adapter.warn import noting_warnings


def follow_rows(
    paths: Sequence[str] | None,
    options: BinlogOptions,
    seconds: float = 0.5,
    metrics: StreamMetrics | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the row images of logs, and then those of each transaction that is added; never ends.

    Args:
        paths: directories of logs; None for the server of the options.
        options: of a stream: `starting_offsets` says where it begins.
        seconds: to wait where there is nothing new.
        metrics: kept up to date.

    Raises:
        BinlogError: as a stream.
    """
    if metrics is None:
        yield from _follow(paths, options, seconds, None)
        return
    try:
        with noting_warnings(metrics.add_warning):
            yield from _follow(paths, options, seconds, metrics)
    except Exception:
        metrics.add_error()
        raise
    finally:
        metrics.file.write(at_once=True)


def _follow(
    paths: Sequence[str] | None,
    options: BinlogOptions,
    seconds: float,
    metrics: StreamMetrics | None,
) -> Iterator[pa.RecordBatch]:
    server = server_of(paths, options)
    series: LogSeries
    if server is not None:
        series = ServerSeries(server)
    else:
        series = LogDirectory(list(paths or ()), options)
    request = plan_read(series.all(), options)
    stream = LogStream(series, options)
    timeline = StreamTimeline(request, series)
    timeline.looks_through, timeline.reads_here = False, True
    watch = LagWatch(series, line_seconds=0)
    start = stream.initial_offset()
    while True:
        if metrics is not None:
            metrics.set_position(start, watch.lag(start))
        end = stream.latest_offset(start, BatchLimit())
        if end == start:
            time.sleep(seconds)
            continue
        for split in timeline.splits(stream.ranges(start, end)):
            if metrics is None:
                yield from read_split(split, request)
                continue
            metrics.begin_split()
            for batch in read_split(split, request, metrics.progress):
                metrics.add_rows(batch)
                yield batch
            metrics.progress(split.num_bytes, split.num_bytes)
            here = StreamOffset(split.log_file.name, split.start + split.num_bytes)
            metrics.set_position(here, watch.lag(here))
        start = end
