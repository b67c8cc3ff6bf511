"""What statements have defined at the places of a stream, for logs that do not name columns."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from pyspark_adapter.definitions.catalog import Catalog
from pyspark_adapter.definitions.log_definitions import LogDefinitions
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.log_identity import read_format_event
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.splits.log_splits import is_to_be_cut
from pyspark_adapter.splits.offset_range import OffsetRange
from pyspark_adapter.stream.log_series import LogSeries
from pyspark_adapter.survey.log_survey import names_columns, survey_part


@dataclass(frozen=True)
class _Place:
    """What is defined at an offset of a log."""

    log_name: str
    pos: int
    catalog: Catalog


class PlaceDefinitions:
    """Goes along with a stream and knows what is defined where a batch begins.

    Where rows come without names, the driver goes once over the statements of what a batch reads,
    and over those of all logs before the first one: those of what is split before the batch, of
    all else when the next one is planned. Where the logs name columns it reads no more than the
    first table map of each batch.

    Args:
        series: the logs.
        request: what is read of them.
    """

    def __init__(self, series: LogSeries, request: ReadRequest) -> None:
        self._series = series
        self._request = request
        self._places: list[_Place] = []

    def added_to(
        self, spans: Iterable[tuple[LogFile, OffsetRange]]
    ) -> list[tuple[LogFile, OffsetRange]]:
        """Return spans of a batch with what is defined where they begin, if that matters.

        A damaged log is not looked into: its read tells.

        Raises:
            BinlogError: if logs before the spans cannot be read.
        """
        return [(log_file, self._added(log_file, span)) for log_file, span in spans]

    def _added(self, log_file: LogFile, span: OffsetRange) -> OffsetRange:
        options = self._request.options
        if options.view == "events" or not self._request.needs_names:
            return span
        try:
            part = self._part(log_file, span.start, span.stop)
            if names_columns(log_file, part, options):
                return span
        except BinlogError:
            return span
        return replace(span, definitions=self._along(log_file, span))

    def _along(self, log_file: LogFile, span: OffsetRange) -> LogDefinitions:
        """Return what is defined along a span, or no more than at its start if it is not split."""
        options = self._request.options
        before = self._at(log_file, span.start)
        if is_to_be_cut(log_file, options, span):
            part = self._part(log_file, span.start, span.stop)
            with suppress(BinlogError):  # the read tells
                found = survey_part(log_file, part, options, before)
                end = span.start + span.num_bytes(log_file)
                self._remember(_Place(log_file.name, end, found.after))
                return found
        return LogDefinitions(before, span.start, options.max_partition_bytes)

    def _at(self, log_file: LogFile, pos: int) -> Catalog:
        """Return what is defined at a place."""
        place = self._latest_in(log_file, pos)
        if place is None:
            place = _Place(log_file.name, len(MAGIC), self._before(log_file))
        catalog = place.catalog
        if place.pos < pos:
            part = self._part(log_file, place.pos, pos)
            catalog = survey_part(log_file, part, self._request.options, catalog).after
        self._remember(_Place(log_file.name, pos, catalog))
        return catalog

    def _before(self, log_file: LogFile) -> Catalog:
        """Return what all logs before one have defined."""
        known = self._request.catalog_before(log_file)
        if known is not None:
            return known
        logs = [log for log in self._series.all() if log.number < log_file.number]
        first, start, catalog = 0, len(MAGIC), Catalog()
        for i, log in enumerate(logs):  # the last place of which it is known
            if (place := self._latest_in(log, sys.maxsize)) is not None:
                first, start, catalog = i, place.pos, place.catalog
            elif (before := self._request.catalog_before(log)) is not None:
                first, start, catalog = i, len(MAGIC), before
        for log in logs[first:]:
            try:
                part = self._part(log, start, None)
                catalog = survey_part(log, part, self._request.options, catalog).after
            except BinlogError:  # better no names than wrong ones
                catalog = Catalog()
            start = len(MAGIC)
        return catalog

    def _latest_in(self, log_file: LogFile, pos: int) -> _Place | None:
        """Return the last place in a log, at an offset or before it, of which it is known."""
        found = [p for p in self._places if p.log_name == log_file.name and p.pos <= pos]
        return max(found, key=lambda place: place.pos, default=None)

    def _remember(self, place: _Place) -> None:
        """Keep a place, and the one before: Spark may ask for a batch again."""
        self._places = [*self._places[-1:], place]

    @staticmethod
    def _part(log_file: LogFile, start: int, stop: int | None) -> LogPart:
        format_event = b""
        if start > len(MAGIC):
            format_event = read_format_event(log_file) or b""
        return LogPart(start, stop, format_event, stops_at_gtid=True)
