"""Metrics of a stream: rows, bytes, errors, position and lag."""

from __future__ import annotations

import time
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.options.stream_offset import StreamOffset
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.stream.metrics import Metric, MetricsFile
from pyspark_adapter.stream.stream_lag import Lag

ROWS: Final = Metric(
    "rows_total", "counter", "Row images read; an update has two, before and after the change."
)
BYTES: Final = Metric("read_bytes_total", "counter", "Bytes of binary logs read.")
ERRORS: Final = Metric("errors_total", "counter", "Errors that ended the stream.")
WARNINGS: Final = Metric(
    "warnings_total", "counter", "Warnings, as of logs that are skipped, or changes without rows."
)
LAG_SECONDS: Final = Metric(
    "lag_seconds",
    "gauge",
    "Age of the oldest event that is not read yet, by the clock of its server; 0 if all are read.",
)
LAG_BYTES: Final = Metric(
    "lag_bytes",
    "gauge",
    "Bytes of binary logs that are not read yet, those of open transactions included.",
)
LOG_NUMBER: Final = Metric("log_number", "gauge", "Number in the name of the log being read.")
POSITION: Final = Metric(
    "position_bytes", "gauge", "Offset in that log, up to which all transactions are read."
)
LOG: Final = Metric("log_info", "gauge", "The log being read, as a label; always 1.")
LAST_COMMIT: Final = Metric(
    "last_commit_timestamp_seconds", "gauge", "Commit time of the newest row that was read."
)
STARTED: Final = Metric("start_timestamp_seconds", "gauge", "When the stream was started.")
UPDATED: Final = Metric(
    "updated_timestamp_seconds", "gauge", "When the stream was last seen to work, also if idle."
)
STREAM_METRICS: Final = (
    *(ROWS, BYTES, ERRORS, WARNINGS, LAG_SECONDS, LAG_BYTES, LOG_NUMBER, POSITION, LOG),
    *(LAST_COMMIT, STARTED, UPDATED),
)
_MICROS: Final = 1e6


class StreamMetrics:
    """Keeps the metrics of one stream in a file; raises OptionError or OSError, as `MetricsFile`.

    Attributes:
        file: of the metrics.
    """

    def __init__(self, path: str) -> None:
        self.file = MetricsFile(path, STREAM_METRICS)
        for counter in (ROWS, BYTES, ERRORS, WARNINGS):
            self.file.add(counter, 0)
        self.file.set(STARTED, time.time())
        self._newest = 0
        self._bytes_of_split = 0

    def begin_split(self) -> None:
        """Begin the next range of a log."""
        self._bytes_of_split = 0

    def progress(self, done: int, _total: int) -> None:
        """Count bytes; a `Progress` of one range."""
        self.file.add(BYTES, max(done - self._bytes_of_split, 0))
        self._bytes_of_split = max(done, self._bytes_of_split)

    def add_rows(self, batch: pa.RecordBatch) -> None:
        """Count row images, and note their commit times, if they have these."""
        self.file.add(ROWS, batch.num_rows)
        if batch.num_rows and "_commit_timestamp" in batch.schema.names:
            times = batch.column("_commit_timestamp").cast(pa.int64())
            newest = pc.max(times).as_py()
            self._newest = max(self._newest, newest or 0)
            self.file.set(LAST_COMMIT, self._newest / _MICROS)
        self.beat()

    def set_position(self, offset: StreamOffset, lag: Lag | None) -> None:
        """Note how far the stream has been read."""
        file = self.file
        if offset.log_name:
            file.set(LOG_NUMBER, log_number(offset.log_name))
            file.set(POSITION, offset.pos)
            file.only(LOG, 1, log_file=offset.log_name)
        file.set(LAG_BYTES, None if lag is None else lag.num_bytes)
        file.set(LAG_SECONDS, None if lag is None else lag.seconds)
        self.beat()

    def add_error(self) -> None:
        """Count an error."""
        self.file.add(ERRORS)

    def add_warning(self) -> None:
        """Count a warning."""
        self.file.add(WARNINGS)

    def beat(self, *, at_once: bool = False) -> None:
        """Say that the stream works, and write the file if it is time."""
        self.file.set(UPDATED, time.time())
        self.file.write(at_once=at_once)
