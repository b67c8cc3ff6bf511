"""What statements have defined at the places of a stream, for logs that do not name columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pyspark_adapter.definitions.catalog import Catalog
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.log_identity import read_format_event
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.splits.log_span import LogSpan
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.survey.log_survey import names_columns, survey_part


class PlaceDefinitions:
    """Goes along with a stream and knows what is defined where a batch begins.

    Where rows come without names, the driver goes once over the statements of what a batch reads,
    and over those of all logs before the first one. Where the logs name columns it reads no more
    than the first table map of each batch.

    Args:
        series: the logs.
        request: what is read of them.
    """

    def __init__(self, series: LogSeries, request: ReadRequest) -> None:
        self._series = series
        self._request = request
        self._log_name = ""
        self._pos = 0
        self._catalog: Catalog | None = None

    def added_to(self, spans: Iterable[tuple[LogFile, LogSpan]]) -> list[tuple[LogFile, LogSpan]]:
        """Return spans of a batch with what is defined where they begin, if that matters.

        A damaged log is not looked into: its read tells.

        Raises:
            BinlogError: if logs before the spans cannot be read.
        """
        return [(log_file, self._added(log_file, span)) for log_file, span in spans]

    def _added(self, log_file: LogFile, span: LogSpan) -> LogSpan:
        options = self._request.options
        if options.view == "events" or not self._request.needs_names:
            return span
        try:
            part = self._part(log_file, span.start, span.stop)
            if names_columns(log_file, part, options):
                return span
        except BinlogError:
            return span
        return replace(span, catalog=self._at(log_file, span.start))

    def _at(self, log_file: LogFile, pos: int) -> Catalog:
        """Return what is defined at a place, and go there."""
        start, catalog = self._pos, self._catalog
        if catalog is None or self._log_name != log_file.name or start > pos:
            start, catalog = len(MAGIC), self._before(log_file)
        if start < pos:
            part = self._part(log_file, start, pos)
            catalog = survey_part(log_file, part, self._request.options, catalog)
        self._log_name, self._pos, self._catalog = log_file.name, pos, catalog
        return catalog

    def _before(self, log_file: LogFile) -> Catalog:
        """Return what all logs before one have defined."""
        known = self._request.catalog_before(log_file)
        if known is not None:
            return known
        logs = [log for log in self._series.all() if log.number < log_file.number]
        first, start, catalog = 0, len(MAGIC), Catalog()
        for i, log in enumerate(logs):  # the last place of which it is known
            if self._catalog is not None and log.name == self._log_name:
                first, start, catalog = i, self._pos, self._catalog
            elif (before := self._request.catalog_before(log)) is not None:
                first, start, catalog = i, len(MAGIC), before
        for log in logs[first:]:
            try:
                part = self._part(log, start, None)
                catalog = survey_part(log, part, self._request.options, catalog)
            except BinlogError:  # better no names than wrong ones
                catalog = Catalog()
            start = len(MAGIC)
        return catalog

    @staticmethod
    def _part(log_file: LogFile, start: int, stop: int | None) -> LogPart:
        format_event = b""
        if start > len(MAGIC):
            format_event = read_format_event(log_file) or b""
        return LogPart(start, stop, format_event, stops_at_gtid=True)
