"""Metrics of streaming queries, kept by a listener of the session."""

from __future__ import annotations

import json
import time
from typing import Any, Final

from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.stream.metrics import (
    BYTES,
    ERRORS,
    LAG_BYTES,
    LAG_SECONDS,
    LOG_NUMBER,
    POSITION,
    ROWS,
    STARTED,
    UPDATED,
    MetricsFile,
)

# Those that the progress of a query tells.
_KEPT: Final = (ROWS, BYTES, ERRORS, LAG_SECONDS, LAG_BYTES, LOG_NUMBER, POSITION, STARTED, UPDATED)


class MetricsListener(StreamingQueryListener):
    """Writes metrics of the queries of a session into a text file for Prometheus.

    `spark.streams.addListener(MetricsListener("/var/lib/node_exporter/orders.prom"))`. The label
    `query` has the name of each query, or its id. Queries of other sources are left out.

    Args:
        path: of the file, on the driver.

    Raises:
        OptionError: if there is another file at the path.
        OSError: if it cannot be written.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self._file = MetricsFile(path, _KEPT)
        self._names: dict[str, str] = {}  # by run

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        """Begin a query."""
        name = self._names[str(event.runId)] = event.name or str(event.id)
        self._file.add(ERRORS, 0, query=name)
        self._file.set(STARTED, time.time(), query=name)
        self._beat(name)

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        """Add the rows and bytes that a batch has read."""
        progress = event.progress
        name = progress.name or str(progress.id)
        for source in progress.sources:
            self._take(name, source)
        self._beat(name)

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802
        """Note that a query works, and has nothing to read."""
        self._beat(self._names.get(str(event.runId), str(event.id)))

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        """Count an error if one ended the query."""
        name = self._names.pop(str(event.runId), str(event.id))
        self._file.add(ERRORS, 1 if event.exception else 0, query=name)
        self._beat(name)

    def _take(self, name: str, source: Any) -> None:
        end, latest = _offset(source.endOffset), _offset(source.latestOffset)
        if "log_file" not in end:
            return
        file = self._file
        file.add(ROWS, source.numInputRows, query=name)
        if "bytes_read" in latest:
            file.add(BYTES, latest["bytes_read"], query=name)
        file.set(LAG_BYTES, latest.get("bytes_behind"), query=name)
        file.set(LAG_SECONDS, latest.get("seconds_behind"), query=name)
        file.set(LOG_NUMBER, log_number(end["log_file"]), query=name)
        file.set(POSITION, end["pos"], query=name)

    def _beat(self, name: str) -> None:
        self._file.set(UPDATED, time.time(), query=name)
        self._file.write(at_once=True)


def _offset(text: str | None) -> dict[str, Any]:
    """Return an offset of this source; one of another source may be anything."""
    try:
        values = json.loads(text or "null")
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}
