"""The format `mysql_binlog` of Spark: makes readers from options."""

from __future__ import annotations

import json
from typing import Any

from pyspark.sql.types import StructType

from pyspark_adapter.errors import short_traces
from pyspark_adapter.find_logs import find_log_files, server_of
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.table_discovery import plan_timeline
from pyspark_adapter.spark.batch import BinlogReader, PushdownReader
from pyspark_adapter.spark.removals import frame_schema
from pyspark_adapter.spark.stream import BinlogStreamReader, StreamReaderWithoutLimits
from pyspark_adapter.spark.types import to_arrow_schema
from pyspark_adapter.spark.versions import (
    HAS_READ_LIMITS,
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    check_options,
)
from pyspark_adapter.splits.read_split import open_indexes, plan_read
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.stream.server_series import ServerSeries
from pyspark_adapter.timeline.timeline import Surveys


class DefaultSource(DataSource):
    """Binary logs of MySQL and MariaDB as rows.

    Spark registers it by itself where this package is installed::

        >>> spark.read.format("mysql_binlog").load("/var/lib/mysql")  # doctest: +SKIP
        >>> spark.read.format("mysql_binlog").option("table", "shop.orders").load(
        ...     ["binlog.000041", "binlog.000042"]
        ... )  # doctest: +SKIP
    """

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        # Made by `schema`; the readers use it.
        self._request: ReadRequest | None = None
        self._surveys: Surveys = {}

    def __getstate__(self) -> dict[str, Any]:
        # Spark asks for the schema in one process and for the readers in others.
        timeline = None if self._request is None else self._request.timeline
        surveys = self._surveys if timeline is None else timeline.surveys()
        return self.__dict__ | {"_surveys": surveys}

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "mysql_binlog"

    @short_traces
    def schema(self) -> StructType:
        """Return the schema of the read; finds the columns of a table in the logs."""
        options = self._checked_options()
        # Without a table the columns are known, and a stream may wait for its first log.
        log_files = find_log_files(self._paths(), options, may_be_none=options.table is None)
        self._request = plan_read(log_files, options)
        return frame_schema(self._request)

    @short_traces
    def reader(self, schema: StructType) -> DataSourceReader:
        """Return the reader of a batch read."""
        options = self._checked_options()
        options.check_for_batch()
        log_files = find_log_files(self._paths(), options)
        request = self._request
        if request is None:  # the user gave a schema
            request = plan_read(log_files, options, to_arrow_schema(schema))
        elif request.timeline is None:
            indexes = open_indexes(options)
            timeline = plan_timeline(log_files, options, self._surveys, indexes)
            request = request.with_timeline(timeline, indexes)
        kind = PushdownReader if request.options.push_filters else BinlogReader
        return kind(log_files, request)

    @short_traces
    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        """Return the reader of a stream."""
        options = self._checked_options()
        series = self._series(options)
        request = self._request
        if request is None:
            if options.on_schema_change != "fail":
                allowed = "fail with a schema, which says what the columns are"
                raise refuse("onSchemaChange", options.on_schema_change, allowed)
            request = plan_read(series.all(), options, to_arrow_schema(schema))
        elif request.timeline is None:
            indexes = open_indexes(options)
            timeline = plan_timeline(series.all(), options, self._surveys, indexes)
            request = request.with_timeline(timeline, indexes)
        kind = BinlogStreamReader if HAS_READ_LIMITS else StreamReaderWithoutLimits
        return kind(series, request)

    def _series(self, options: BinlogOptions) -> LogSeries:
        paths = self._paths()
        server = server_of(paths, options)
        return LogDirectory(paths or [], options) if server is None else ServerSeries(server)

    def _checked_options(self) -> BinlogOptions:
        options = BinlogOptions.from_spark(self.options)
        check_options(options)
        return options

    def _paths(self) -> list[str] | None:
        paths: list[str] = json.loads(self.options.get("paths", "[]"))
        if path := self.options.get("path"):
            paths.append(path)
        return paths or None
