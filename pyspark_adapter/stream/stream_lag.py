"""How far a stream is behind the newest log."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any, Final

from pyspark_adapter.format.header import LEN_HEADER, MAGIC, timestamp_at
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.sources.log_file import LogFile, log_number, read_header
from pyspark_adapter.sources.progress import format_bytes
from pyspark_adapter.stream.log_series import LogSeries

# The logs are looked at no more often, also if a stream without a trigger asks all the time.
_LEAST_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Lag:
    """Bytes and time in the logs that a stream has not read yet.

    Attributes:
        log_file: name of the newest log.
        pos: its size in bytes.
        num_bytes: of logs that are not read yet, those of an open transaction included.
        seconds: since the oldest event that is not read yet was written, by the clock of its
            server; 0 if all is read. None if it is in an archive or on a running server, where
            single events cannot be read.
    """

    log_file: str
    pos: int
    num_bytes: int
    seconds: int | None

    def to_json(self) -> dict[str, Any]:
        """Return what the progress of a query shows."""
        fields = {"log_file": self.log_file, "pos": self.pos, "bytes_behind": self.num_bytes}
        return fields if self.seconds is None else {**fields, "seconds_behind": self.seconds}

    def __str__(self) -> str:
        behind = "" if self.seconds is None else f" and {self.seconds:,} s"
        return f"{format_bytes(self.num_bytes)}{behind} behind the end of {self.log_file}"


class LagWatch:
    """Looks at the logs of a stream from time to time.

    Args:
        line_seconds: least time between two lines on the standard error; 0 for none.
    """

    def __init__(self, series: LogSeries, line_seconds: int) -> None:
        self._series = series
        self._line_seconds = line_seconds
        self._lag: Lag | None = None
        self._looked_at = self._printed_at = -float("inf")

    def lag(self, offset: StreamOffset) -> Lag | None:
        """Return the lag of a stream whose last offset is `offset`; raises BinlogError.

        Returns:
            None if there is no log yet. It may be a second old.
        """
        now = time.monotonic()
        if now - self._looked_at >= _LEAST_SECONDS:
            self._looked_at = now
            self._lag = find_lag(self._logs_from(offset), offset)
            if self._lag is not None and 0 < self._line_seconds <= now - self._printed_at:
                self._printed_at = now
                print(self._lag, file=sys.stderr, flush=True)  # noqa: T201
        return self._lag

    def _logs_from(self, offset: StreamOffset) -> list[LogFile]:
        """Return the logs from that of an offset on; looks at two if it is the last one."""
        last = None
        if offset.log_name and self._series.after(offset.log_name) is None:
            last = self._series.find(offset.log_name)
        return self._series.all() if last is None else [last]


def find_lag(logs: list[LogFile], offset: StreamOffset) -> Lag | None:
    """Return how far an offset is behind the end of some logs, in order; None if there are none."""
    if not logs:
        return None
    unread = _unread(logs, offset)
    seconds = _age(*unread[0]) if unread else 0
    return Lag(logs[-1].name, logs[-1].num_bytes, _num_bytes(unread), seconds)


def bytes_between(series: LogSeries, start: StreamOffset, end: StreamOffset) -> int:
    """Return the bytes of logs between two offsets, of which those of missing logs are not known.

    Raises:
        BinlogError: if the logs cannot be listed.
    """
    if start.log_name == end.log_name:
        return max(end.pos - start.pos, 0)
    logs = series.all()
    return max(_num_bytes(_unread(logs, start)) - _num_bytes(_unread(logs, end)), 0)


def _unread(logs: list[LogFile], offset: StreamOffset) -> list[tuple[LogFile, int]]:
    """Return the logs that have bytes after an offset, each with where these begin."""
    number = log_number(offset.log_name) if offset.log_name else -1
    unread: list[tuple[LogFile, int]] = []
    for log in logs:
        start = offset.pos if log.number == number else len(MAGIC)
        if log.number >= number and log.num_bytes > start:
            unread.append((log, start))
    return unread


def _num_bytes(unread: list[tuple[LogFile, int]]) -> int:
    return sum(log.num_bytes - start for log, start in unread)


def _age(log_file: LogFile, pos: int) -> int | None:
    """Return the seconds since an event was written; None if its header cannot be looked at."""
    if log_file.compression or log_file.server is not None:
        return None
    header = read_header(log_file, pos)
    if len(header) < LEN_HEADER:
        return None
    return max(0, int(time.time()) - timestamp_at(header))
