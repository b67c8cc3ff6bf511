"""Carries out a read: the record batches of a log, or of a split of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from pyspark_adapter.decode.change_reader import change_reader
from pyspark_adapter.decode.output_batch import OutputBatches
from pyspark_adapter.decode.table_groups import TableGroups
from pyspark_adapter.discovery.catalog_at import FindCatalog, catalog_at
from pyspark_adapter.errors import located
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.events_view import read_events
from pyspark_adapter.filters.row_filter import TableFilter
from pyspark_adapter.ignored_errors import ignoring
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.progress import Progress
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.schema_history import UnknownCatalogError
from pyspark_adapter.sources.log_file import MAGIC, LogFile
from pyspark_adapter.splits.log_splits import Split, read_range_of
from pyspark_adapter.splits.offset_range import OffsetRange


def read_log(
    log_file: LogFile, request: ReadRequest, progress: Progress | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of one log.

    Args:
        log_file: the log.
        request: what to give.
        progress: called from time to time with the bytes read so far and the bytes in all.

    Raises:
        BinlogError: as `read_batches`.
    """
    with ignoring(request.options):
        yield from read_part(log_file, request, None, progress)


def read_split(
    split: Split, request: ReadRequest, progress: Progress | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of a split of a log.

    All splits of a log, in order, give the rows of `read_log`.

    Args:
        split: one of `plan_splits`.
        request: what to give.
        progress: called from time to time with the bytes read so far and the bytes in all.

    Raises:
        BinlogError: as `read_batches`.
    """
    with ignoring(request.options):
        part = read_range_of(split, request.options)
        yield from read_part(split.log_file, request, part, progress, split.range)


def read_part(
    log_file: LogFile,
    request: ReadRequest,
    part: ReadRange | None,
    progress: Progress | None = None,
    asked: OffsetRange | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of a range of a log.

    Reads no bytes before the range, unless names of columns are missing in it. Then it ends the
    scan, looks up what the statements before the range define, and scans the range again.

    Args:
        log_file: the log.
        request: what to give.
        part: the range; None for the whole log.
        progress: called from time to time with the bytes read so far and the bytes in all.
        asked: the range as it was planned, with what is known of the catalog.

    Raises:
        BinlogError: as `read_batches`.
    """
    if request.options.view == "events":
        yield from read_events(log_file, request.options, request.schema, part)
        return
    start = len(MAGIC) if part is None else part.start
    find_known: FindCatalog = request.known_catalog
    earlier: Sequence[LogFile] | None = None
    if asked is not None:
        if asked.given is not None:
            given = replace(asked.given, tables=request.given.tables)
            request = request.with_given(given)
        earlier = asked.earlier
        if (snapshots := asked.definitions) is not None:
            find_known = lambda log, pos: snapshots.near(pos, log.num_bytes)  # noqa: E731
    known = find_known(log_file, start)
    catalog = None
    if known is not None and max(known[0], len(MAGIC)) >= start:
        catalog = known[1]
    elif start <= len(MAGIC) and (request.is_first(log_file) if earlier is None else not earlier):
        catalog = Catalog()
    output = TableGroups(request) if request.row_form == "arrow" else OutputBatches(request)
    try:
        yield from _read_rows(log_file, request, part, catalog, output, progress)
    except UnknownCatalogError:
        if earlier is None:
            earlier = request.logs_before(log_file)
        catalog = catalog_at(log_file, start, find_known, earlier, request.options)
        request.remember_catalog(log_file, start, catalog)
    else:
        return
    output.restart()
    yield from _read_rows(log_file, request, part, catalog, output, progress)


def _read_rows(
    log_file: LogFile,
    request: ReadRequest,
    part: ReadRange | None,
    catalog: Catalog | None,
    output: OutputBatches | TableGroups,
    progress: Progress | None,
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a range.

    Raises:
        UnknownCatalogError: if names are missing, and the catalog at the start is not given.
        BinlogError: as `read_batches`.
    """
    start, stop = (0, None) if part is None else (part.start, part.stop)
    # Definitions of other tables may take long to find.
    wants = TableFilter(request.options).keeps
    completer = request.completer(log_file, start, catalog, wants)
    reader = change_reader(log_file, request, completer, part)
    for blocks in reader:
        if progress is not None:
            progress(reader.position - start, (stop or log_file.num_bytes) - start)
        with located(log_file.site):
            batch = output.build(blocks)
        for first in range(0, batch.num_rows, request.options.batch_rows):
            yield batch.slice(first, request.options.batch_rows)
