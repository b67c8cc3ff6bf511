"""The rounds of `replicate` as a file of metrics; see `MetricsFile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark_adapter.stream.metrics import Metric, MetricsFile

if TYPE_CHECKING:
    from pyspark_adapter.replication.run import Round

_ROUNDS: Final = Metric("replicate_rounds_total", "counter", "Rounds that ended without an error.")
_FAILED: Final = Metric("replicate_failed_rounds_total", "counter", "Rounds that failed.")
_CHANGES: Final = Metric("replicate_changes_total", "counter", "Row images that were read.")
_COPIES: Final = Metric("replicate_copied_tables_total", "counter", "Tables that were copied.")
_TABLES: Final = Metric("replicate_tables", "gauge", "Tables that follow the log.")
_LAG_SECONDS: Final = Metric("replicate_lag_seconds", "gauge", "How old the tables are.")
_LAG_BYTES: Final = Metric("replicate_lag_bytes", "gauge", "Bytes of log that are not read yet.")
_ENDED: Final = Metric(
    "replicate_last_round_timestamp_seconds", "gauge", "When the last round ended."
)


class RoundMetrics:
    """A file with the counts and the lag of `replicate`.

    Raises:
        OptionError, OSError: as `MetricsFile`.
    """

    def __init__(self, path: str) -> None:
        counters = (_ROUNDS, _FAILED, _CHANGES, _COPIES)
        gauges = (_TABLES, _LAG_SECONDS, _LAG_BYTES, _ENDED)
        self._file = MetricsFile(path, (*counters, *gauges))
        for counter in counters:
            self._file.add(counter, 0)

    def note(self, done: Round) -> None:
        """Count a round."""
        file = self._file
        file.add(_ROUNDS if done.error is None else _FAILED)
        file.add(_CHANGES, done.num_changes)
        file.add(_COPIES, done.num_copied)
        file.set(_TABLES, done.num_tables)
        file.set(_LAG_SECONDS, done.lag_seconds)
        file.set(_LAG_BYTES, done.lag_bytes)
        file.set(_ENDED, round(done.ended_at, 3))
        file.write(at_once=True)
