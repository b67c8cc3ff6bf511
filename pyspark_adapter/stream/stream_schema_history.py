"""The catalog where the batches of a stream start, for logs that do not name columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pyspark_adapter.discovery.catalog_at import catalog_at
from pyspark_adapter.discovery.log_survey import (
    follow_given,
    follow_statements,
    lacks_names,
    range_between,
)
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.given_history import GivenHistory
from pyspark_adapter.schema_history.given_tables import GivenTables
from pyspark_adapter.sources.log_file import MAGIC, LogFile
from pyspark_adapter.splits.log_splits import is_to_be_cut
from pyspark_adapter.splits.offset_range import OffsetRange


@dataclass(frozen=True)
class _KnownCatalog:
    """The catalog at an offset of a log."""

    log_name: str
    pos: int
    catalog: Catalog


class StreamSchemaHistory:
    """Follows a stream on the driver and knows the catalog where a batch starts.

    Where table maps lack names, the driver reads the statements of each batch once, and once those
    of all logs before the first batch. Where logs name columns, it reads no more than the first
    table map of each batch.

    Args:
        request: what is read of the logs; its logs are those there were when it was planned.
    """

    def __init__(self, request: ReadRequest) -> None:
        self._request = request
        self._logs = {log.name: log for log in request.log_files}
        self._planned = {log.path for log in request.log_files}
        self._known: list[_KnownCatalog] = []
        self._given = GivenHistory(request.given)
        self._given_end: tuple[int, int] | None = None  # up to where all statements were followed

    def with_catalogs(
        self, ranges: Iterable[tuple[LogFile, OffsetRange]]
    ) -> list[tuple[LogFile, OffsetRange]]:
        """Return the ranges of a batch, with the catalog where they start if it matters.

        Args:
            ranges: of all logs that the stream reads, in order.
        """
        found = list(ranges)
        if self._request.given.tables:
            found = self._with_given(found)
        return [
            (log_file, self._with_catalog(log_file, offset_range))
            for log_file, offset_range in found
        ]

    def _with_given(
        self, ranges: list[tuple[LogFile, OffsetRange]]
    ) -> list[tuple[LogFile, OffsetRange]]:
        """Return ranges with what statements make of the tables of the option ddl.

        The file may be newer than statements that were logged when the query started, so these
        are all looked at before its first batch. It is older than all others.
        """
        if not any(self._lacks_names(log, found) for log, found in ranges):
            return [(log, replace(found, given=GivenTables())) for log, found in ranges]
        if self._given_end is None:
            first, start = ranges[0][0], ranges[0][1].start
            self._given_end = first.number, start
            later = [log for log in self._request.log_files if log.number > first.number]
            latest = [log for log in self._request.log_files if log.number == first.number]
            for log in (*(latest or [first]), *later):
                self._follow_given(log, None)
            self._given.is_older = True
        for log, found in ranges:
            self._follow_given(log, found.stop)
        given = self._given.tables()
        return [
            (log, replace(found, given=given.within(log.path, found.start, found.stop)))
            for log, found in ranges
        ]

    def _follow_given(self, log_file: LogFile, stop: int | None) -> None:
        """Follow the statements of a log that were not followed yet."""
        assert self._given_end is not None
        number, pos = self._given_end
        end = log_file.num_bytes if stop is None else stop
        start = pos if number == log_file.number else len(MAGIC)
        if (log_file.number, end) > self._given_end:
            with suppress(BinlogError):  # the read reports it
                part = range_between(log_file, start, stop)
                follow_given(self._given, log_file, self._request.options, part)
                self._given_end = log_file.number, end

    def _lacks_names(self, log_file: LogFile, offset_range: OffsetRange) -> bool:
        with suppress(BinlogError):  # the read reports it
            part = range_between(log_file, offset_range.start, offset_range.stop)
            return lacks_names(log_file, self._request.options, part)
        return False

    def _with_catalog(self, log_file: LogFile, offset_range: OffsetRange) -> OffsetRange:
        if not self._request.needs_names:
            return offset_range
        self._logs[log_file.name] = log_file
        # Tasks get no list of earlier logs, which grows with each log, if they can do without it.
        with suppress(BinlogError):  # the read reports it
            if self._lacks_names(log_file, offset_range):
                definitions = self._along(log_file, offset_range, self._before(log_file))
                return replace(offset_range, definitions=definitions)
        if log_file.path in self._planned:
            return offset_range
        return replace(offset_range, earlier=self._before(log_file))

    def _before(self, log_file: LogFile) -> tuple[LogFile, ...]:
        logs = sorted(self._logs.values(), key=lambda log: log.number)
        return tuple(log for log in logs if log.number < log_file.number)

    def _along(
        self, log_file: LogFile, offset_range: OffsetRange, earlier: Sequence[LogFile]
    ) -> CatalogSnapshots:
        """Return the snapshots along a range, or only the one at its start if it is not split."""
        options = self._request.options
        before = catalog_at(log_file, offset_range.start, self._find_known, earlier, options)
        if is_to_be_cut(log_file, options, offset_range):
            with suppress(BinlogError):  # the read reports it
                part = range_between(log_file, offset_range.start, offset_range.stop)
                found = follow_statements(log_file, part, options, before)
                end = offset_range.start + offset_range.num_bytes(log_file)
                self._remember(_KnownCatalog(log_file.name, end, found.after))
                return found
        self._remember(_KnownCatalog(log_file.name, offset_range.start, before))
        return CatalogSnapshots(before, offset_range.start, options.max_partition_bytes)

    def _find_known(self, log_file: LogFile, pos: int) -> tuple[int, Catalog] | None:
        found = [k for k in self._known if k.log_name == log_file.name and k.pos <= pos]
        if found:
            latest = max(found, key=lambda known: known.pos)
            return latest.pos, latest.catalog
        return self._request.known_catalog(log_file, pos)

    def _remember(self, known: _KnownCatalog) -> None:
        """Keep a catalog, and the one before: Spark may ask for a batch again."""
        self._known = [*self._known[-1:], known]
