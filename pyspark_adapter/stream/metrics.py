"""Counters and gauges of a stream, as a text file that Prometheus collects.

The file is for the textfile collector of `node_exporter`, or any program that serves it. Source:
"Exposition formats" and "Metric and label naming" of Prometheus' documentation.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.stream.stream_lag import Lag
from pyspark_adapter.warn import warn

# `mysqld_exporter` has metrics that begin with `mysql_binlog_`, such as the size of all logs.
PREFIX: Final = "mysql_binlog_reader_"
# All lines of a file.
_LINES: Final = re.compile(rf"(?:(?:# (?:HELP|TYPE) )?{PREFIX}[^\n]*(?:\n|$))*".encode())
_LEAST_SECONDS: Final = 1.0
_MOST_BYTES: Final = 1 << 20  # of a file whose counters are taken over
_SAMPLE: Final = re.compile(r"(?P<name>\w+)(?P<labels>(?:\{.*\})?) (?P<value>\d{1,18})")
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric.

    Attributes:
        name: without `PREFIX`; with its unit at the end, and `_total` after that of a counter.
        kind: `counter` or `gauge`.
        help_text: one sentence.
    """

    name: str
    kind: str
    help_text: str


class MetricsFile:
    """A file of metrics, which is replaced as a whole.

    Counters continue those of an existing file, so that a process that ends with an error and is
    started again at once does not hide it.

    Args:
        path: of the file; `node_exporter` reads names that end in `.prom`.
        metrics: which it has, in their order.

    Raises:
        OptionError: if there is another file at the path.
        OSError: if it cannot be written.
    """

    def __init__(self, path: str, metrics: Sequence[Metric]) -> None:
        self._path = path = str(Path(path).absolute())  # the process may change its folder
        # Values by metric, then by its labels as the file has them.
        self._samples: dict[Metric, dict[str, float]] = {metric: {} for metric in metrics}
        self._written_at = -float("inf")
        self._has_failed = False
        self._take_counters(_existing(path))
        self._replace()

    def add(self, metric: Metric, value: float = 1, **labels: str) -> None:
        """Add to a counter."""
        key = _written(labels)
        self._samples[metric][key] = self._samples[metric].get(key, 0) + value

    def set(self, metric: Metric, value: float | None, **labels: str) -> None:
        """Set a gauge; None for a value that is not known, which the file leaves out."""
        if value is None:
            self._samples[metric].pop(_written(labels), None)
        else:
            self._samples[metric][_written(labels)] = value

    def only(self, metric: Metric, value: float, **labels: str) -> None:
        """Set a gauge, and remove its samples of other labels."""
        self._samples[metric].clear()
        self.set(metric, value, **labels)

    def write(self, *, at_once: bool = False) -> None:
        """Write the file, at most once a second; a failure is a warning, and tried again."""
        now = time.monotonic()
        if not at_once and now - self._written_at < _LEAST_SECONDS:
            return
        self._written_at = now
        try:
            self._replace()
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                warn(f"{self._path}: the metrics cannot be written: {error.strerror or error}")
        else:
            self._has_failed = False

    def _take_counters(self, text: str) -> None:
        counters = {f"{PREFIX}{m.name}": m for m in self._samples if m.kind == "counter"}
        for line in text.splitlines():
            match = _SAMPLE.fullmatch(line)
            if match is not None and match["name"] in counters:
                self._samples[counters[match["name"]]][match["labels"]] = int(match["value"])

    def _replace(self) -> None:
        lines: list[str] = []
        for metric, samples in self._samples.items():
            name = f"{PREFIX}{metric.name}"
            lines += [f"# HELP {name} {metric.help_text}", f"# TYPE {name} {metric.kind}"]
            lines += [f"{name}{labels} {value}" for labels, value in samples.items()]
        # After a power failure nobody asks for it.
        with whole_file(self._path, replaces=True, lasts=False) as file:
            file.write("".join(f"{line}\n" for line in lines).encode())


def _written(labels: Mapping[str, str]) -> str:
    """Return labels as a sample has them: `{query="orders"}`; "" for none."""
    shown = ",".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in labels.items())
    return f"{{{shown}}}" if shown else ""


def _existing(path: str) -> str:
    """Return the text of metrics that are to be replaced; "" if there are none.

    Raises:
        OptionError: if there is a file of other things.
        OSError: if it cannot be read.
    """
    if not Path(path).is_file():
        return ""
    with Path(path).open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES or not _LINES.fullmatch(data):
        raise OptionError(
            f"{path} exists, and holds no metrics of this reader alone",
            advice="choose another file",
        )
    return data.decode(errors="replace")


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
