"""The catalog where the batches of a stream start, for logs that do not name columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pyspark_adapter.discovery.catalog_at import catalog_at
from pyspark_adapter.discovery.log_survey import follow_statements
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.first_table_map import first_table_map
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.log_identity import read_format_event
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
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
        self._known: list[_KnownCatalog] = []

    def added_to(
        self, ranges: Iterable[tuple[LogFile, OffsetRange]]
    ) -> list[tuple[LogFile, OffsetRange]]:
        """Return the ranges of a batch, with the catalog where they start if it matters.

        Args:
            ranges: of all logs that the stream reads, in order.
        """
        return [
            (log_file, self._added(log_file, offset_range)) for log_file, offset_range in ranges
        ]

    def _added(self, log_file: LogFile, offset_range: OffsetRange) -> OffsetRange:
        options = self._request.options
        if not self._request.needs_names:
            return offset_range
        self._logs[log_file.name] = log_file
        logs = sorted(self._logs.values(), key=lambda log: log.number)
        earlier = tuple(log for log in logs if log.number < log_file.number)
        with suppress(BinlogError):  # the read reports it
            part = _part(log_file, offset_range)
            first = first_table_map(FrameReader(log_file, options, part, verifies_rows=False))
            if first is not None and not first.is_described_by_log:
                # Tasks need no list of earlier logs then, which would grow with each log.
                definitions = self._along(log_file, offset_range, earlier)
                return replace(offset_range, definitions=definitions)
        return replace(offset_range, earlier=earlier)

    def _along(
        self, log_file: LogFile, offset_range: OffsetRange, earlier: Sequence[LogFile]
    ) -> CatalogSnapshots:
        """Return the snapshots along a range, or only the one at its start if it is not split."""
        options = self._request.options
        before = catalog_at(log_file, offset_range.start, self._find_known, earlier, options)
        if is_to_be_cut(log_file, options, offset_range):
            with suppress(BinlogError):  # the read reports it
                found = follow_statements(log_file, _part(log_file, offset_range), options, before)
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


def _part(log_file: LogFile, offset_range: OffsetRange) -> ReadRange:
    format_event = b""
    if offset_range.start > len(MAGIC):
        format_event = read_format_event(log_file) or b""
    return ReadRange(offset_range.start, offset_range.stop, format_event, stops_at_gtid=True)
