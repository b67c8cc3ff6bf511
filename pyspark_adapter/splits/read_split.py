"""Plans a read, and carries it out: the record batches of a log, or of a split of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from pyspark_adapter.decode.events_view import read_events
from pyspark_adapter.decode.output_batch import OutputBatches
from pyspark_adapter.decode.table_groups import TableGroups
from pyspark_adapter.errors import BinlogError, OptionError, SchemaMismatchError, located
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.ignored_errors import ignoring, is_ignored, warn_ignored
from pyspark_adapter.plan.output_schema import (
    EVENTS_SCHEMA,
    GROUPS_SCHEMA,
    changes_schema,
    row_field,
)
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.table_discovery import discover
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.progress import Progress
from pyspark_adapter.splits.log_splits import Split, read_range_of
from pyspark_adapter.timeline.timeline_part import TimelinePart

if TYPE_CHECKING:
    from pyspark_adapter.index_store.index_folder import IndexFolder


def plan_read(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    schema: pa.Schema | None = None,
    progress: Progress | None = None,
) -> ReadRequest:
    """Plan a read; reads the logs if the columns of a table have to be discovered.

    Args:
        schema: the columns that the user asks for; None to discover them.
        progress: called while logs are read, with the bytes read so far and the bytes in all.

    Raises:
        BinlogError: as `read_batches`.
    """
    if schema is not None and not isinstance(schema, pa.Schema):
        raise OptionError(
            f"schema: expected a pyarrow.Schema, got {type(schema).__name__}; option columns takes"
            " names alone",
            option="schema",
        )
    logs_to_read(log_files, options)  # refuses positions in logs that cannot be compared
    if options.view == "events":
        return ReadRequest(options, _choose_event_columns(schema))
    if schema is not None and options.columns is not None:
        raise OptionError(
            "option columns: expected none with a schema, which names the columns",
            option="columns",
            value=", ".join(options.columns),
        )
    indexes = None if options.index is None else open_indexes(options)
    finds_columns = options.table is not None and schema is None
    timeline, view = discover(
        log_files, options, progress, finds_columns=finds_columns, indexes=indexes
    )
    if schema is None and view is None and options.row == "arrow":
        schema = GROUPS_SCHEMA
    elif schema is None:
        schema = changes_schema(options, [row_field(options)] if view is None else view.fields)
    return ReadRequest(options, schema, view, timeline, indexes)


def open_indexes(options: BinlogOptions) -> IndexFolder | None:
    """Return the folder of the option index; None if it is not set, or the read cannot use it.

    Raises:
        OptionError: if there is no such folder.
    """
    if options.index is None:
        return None
    from pyspark_adapter.index_store.index_folder import indexes_of

    return indexes_of(options)


def _choose_event_columns(schema: pa.Schema | None) -> pa.Schema:
    if schema is None:
        return EVENTS_SCHEMA
    for field in schema:
        index = EVENTS_SCHEMA.get_field_index(field.name)
        if index < 0 or EVENTS_SCHEMA.field(index).type != field.type:
            columns = ", ".join(f"{f.name} {f.type}" for f in EVENTS_SCHEMA)
            raise SchemaMismatchError(
                f"view events: expected columns among {columns}; got {field.name} {field.type}"
            )
    return schema


def read_split(
    split: Split, request: ReadRequest, progress: Progress | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of a split of a log; raises BinlogError, as `read_batches`.

    All splits of a log, in order, give the rows of `read_log`.

    Args:
        split: one of `plan_splits`.
        request: what to give.
        progress: called from time to time with the bytes read so far and the bytes in all.
    """
    if split.range is not None and split.range.is_narrowed:
        timeline, indexes = request.timeline, request.indexes
        request = request.narrowed(split.range.narrowed(request.options))
        if timeline is not None:
            request = request.with_timeline(timeline, indexes)
    with ignoring(request.options):  # the log may be gone
        part = read_range_of(split)
        yield from read_log(split.log_file, request, part, split.timeline, progress)


def read_log(
    log_file: LogFile,
    request: ReadRequest,
    part: ReadRange | None = None,
    timeline: TimelinePart | None = None,
    progress: Progress | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of a log, or of a range of it; read no bytes before that.

    Args:
        request: what to give.
        part: the range; None for the whole log.
        timeline: the known tables in it; None to ask the timeline of the request.
        progress: called from time to time with the bytes read so far and the bytes in all.

    Raises:
        BinlogError: as `read_batches`; errors that the options ignore end the log with a warning.
    """
    options = request.options
    try:
        if options.view == "events":
            yield from read_events(log_file, options, request.schema, part)
            return
        # Loaded only for those who read rows.
        from pyspark_adapter.decode.kernel_reader import KernelReader

        output = TableGroups(request) if request.row_form == "arrow" else OutputBatches(request)
        start, stop = (0, None) if part is None else (part.start, part.stop)
        completer = None
        if part is not None or not request.is_complete(log_file):
            completer = request.completer(log_file, timeline, is_whole=part is None)
        reader = KernelReader(log_file, request, completer, part)
        for blocks in reader:
            if progress is not None:
                progress(reader.position - start, (stop or log_file.num_bytes) - start)
            with located(log_file.site):
                batch = output.build(blocks)
            if request.key_filter is not None:
                batch = request.key_filter.apply(batch)
            for first in range(0, batch.num_rows, options.batch_rows):
                yield batch.slice(first, options.batch_rows)
        if completer is not None:
            completer.log.finish()
    except BinlogError as error:
        if not is_ignored(error, options):
            raise
        warn_ignored(error, options)
