"""Logs to Arrow: what the package does, without Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from pyspark_adapter.definitions.catalog import Catalog
from pyspark_adapter.definitions.ddl_file import read_ddl_file
from pyspark_adapter.definitions.former_names import FormerNames
from pyspark_adapter.definitions.table_completion import TableCompletion
from pyspark_adapter.engine import change_reader
from pyspark_adapter.errors import SchemaMismatchError
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.events_view import read_events
from pyspark_adapter.filters.row_filter import logs_to_read
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.log_search import Paths, find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.passed_over import ignoring
from pyspark_adapter.plan.output_schema import EVENTS_SCHEMA, ROW_FIELD, changes_schema
from pyspark_adapter.plan.read_request import Definitions, ReadRequest
from pyspark_adapter.progress import Progress
from pyspark_adapter.rows.row_block import RowBlock
from pyspark_adapter.rows.row_json import render_rows
from pyspark_adapter.splits.log_splits import Split, is_to_be_cut, read_range_of
from pyspark_adapter.splits.offset_range import OffsetRange
from pyspark_adapter.survey.log_survey import (
    survey_definitions,
    survey_part,
    survey_renames,
    survey_table,
)
from pyspark_adapter.survey.table_list import TableSummary, summarize_tables


def read_batches(
    paths: Paths | None = None, *, schema: pa.Schema | None = None, **options: Any
) -> Iterator[pa.RecordBatch]:
    """Read binary logs as Arrow record batches.

    Args:
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        schema: the columns to give, metadata columns among them; only these are decoded. Without
            it: the metadata columns of the options, then all columns of the table.
        options: those of `BinlogOptions`, such as `table="shop.orders"` or `view="events"`.

    Yields:
        Record batches of one schema, in the order of the logs. None if there are no rows; see
        `read_schema`.

    Raises:
        OptionError: for an option that is not one, or a value that is not allowed.
        LogFileError: if a path cannot be read.
        SchemaMismatchError: if the table is not there, or changes its shape, or does not have the
            columns of the schema.
        BinlogError: for what is wrong with the logs; rows before that place have been given then.

    >>> import pyarrow as pa
    >>> batches = read_batches("samples/mysql-9.7-shop.000001", table="shop.orders")
    >>> next(batches).schema.names[-3:]
    ['placed_at', 'shipped_at', 'note']
    """
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    with checked.spelling_errors():
        log_files = find_log_files(paths, checked)
        request = plan_read(log_files, checked, schema)
        wanted = logs_to_read(log_files, checked)
    return (batch for log_file in wanted for batch in read_log(log_file, request))


def read_schema(
    paths: Paths | None = None, *, schema: pa.Schema | None = None, **options: Any
) -> pa.Schema:
    """Return the schema of the batches that `read_batches` gives for the same arguments.

    Raises:
        BinlogError: as `read_batches`.
    """
    checked = BinlogOptions.from_python(options)
    with checked.spelling_errors():
        return plan_read(find_log_files(paths, checked), checked, schema).schema


def list_tables(
    paths: Paths | None = None, *, progress: Progress | None = None, **options: Any
) -> list[TableSummary]:
    """Return the tables whose rows the logs change, with the number of their row changes.

    Args:
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        progress: called now and then with the bytes read so far and the bytes in all.
        options: those of `BinlogOptions`.

    Raises:
        BinlogError: as `read_batches`.

    >>> [str(found.table) for found in list_tables("samples/mysql-9.7-shop.000001")]
    ['shop.customers', 'shop.products', 'shop.orders', 'shop.order_items', 'shop.price_history']
    """
    checked = BinlogOptions.from_python(options)
    with checked.spelling_errors():
        return summarize_tables(find_log_files(paths, checked), checked, progress)


def plan_read(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    schema: pa.Schema | None = None,
    progress: Progress | None = None,
    *,
    in_splits: bool = False,
) -> ReadRequest:
    """Settle what a read gives; looks through the logs for the columns of tables if need be.

    Args:
        log_files: the logs.
        options: of the read.
        schema: the columns that the user asks for, if so.
        progress: called, while the logs are looked through, with the bytes read so far and the
            bytes in all.
        in_splits: whether the logs are to be read split by split.

    Raises:
        BinlogError: as `read_batches`.
    """
    logs_to_read(log_files, options)  # refuses positions in logs that cannot be compared
    if options.view == "events":
        return ReadRequest(options, _choose_event_columns(schema))
    given = read_ddl_file(options.ddl) if options.ddl is not None else {}
    former: FormerNames = {}
    if options.follow_renames and options.table is not None:
        former = survey_renames(log_files, options)
    step = options.max_partition_bytes
    if options.table is not None and schema is None:
        completion = TableCompletion(given, table=options.table, former=former, step=step)
        view, along = survey_table(log_files, options, completion, progress)
        schema = changes_schema(options, view.fields)
        return ReadRequest(options, schema, view, Definitions(given, along, former))
    if schema is None:
        schema = changes_schema(options, [ROW_FIELD])
    request = ReadRequest(options, schema, None, Definitions(given, {}, former))
    has_cuts = in_splits and any(is_to_be_cut(log, options) for log in log_files)
    if request.needs_names and (len(log_files) > 1 or has_cuts):
        completion = TableCompletion(given, table=options.table, is_silent=True, step=step)
        along = survey_definitions(log_files, options, completion)
        request = ReadRequest(options, schema, None, Definitions(given, along, former))
    return request


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


def read_log(
    log_file: LogFile, request: ReadRequest, progress: Progress | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of one log.

    Args:
        log_file: the log.
        request: what to give.
        progress: called now and then with the bytes read so far and the bytes in all.

    Raises:
        BinlogError: as `read_batches`.
    """
    with ignoring(request.options):
        yield from read_part(log_file, request, None, progress)


def read_split(
    split: Split, request: ReadRequest, progress: Progress | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of a split of a log: all splits give what `read_log` does.

    Args:
        split: one of `plan_splits`.
        request: what to give.
        progress: called now and then with the bytes read so far and the bytes in all.

    Raises:
        BinlogError: as `read_batches`.
    """
    with ignoring(request.options):
        part = read_range_of(split, request.options)
        yield from read_part(split.log_file, request, part, progress, split.range)


def read_part(
    log_file: LogFile,
    request: ReadRequest,
    part: LogPart | None,
    progress: Progress | None = None,
    asked: OffsetRange | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield what a request asks for of a part of a log.

    Args:
        log_file: the log.
        request: what to give.
        part: which bytes; None for all.
        progress: called now and then with the bytes read so far and the bytes in all.
        asked: that the part is of, if what is defined at its start is known.

    Raises:
        BinlogError: as `read_batches`.
    """
    if request.options.view == "events":
        yield from read_events(log_file, request.options, request.schema, part)
        return
    load = None
    start, stop = 0, None
    if part is not None:
        start, stop = part.start, part.stop
        # What stands before is not read, unless names are missing.
        load = partial(_definitions_at, log_file, part, request, asked)
    completion = request.completion(log_file, load)
    reader = change_reader(log_file, request, part, completion)
    for blocks in reader:
        if progress is not None:
            progress(reader.position - start, (stop or log_file.num_bytes) - start)
        batch = _merge([_compose(block, request) for block in blocks], blocks)
        for first in range(0, batch.num_rows, request.options.batch_rows):
            yield batch.slice(first, request.options.batch_rows)


def _definitions_at(
    log_file: LogFile, part: LogPart, request: ReadRequest, asked: OffsetRange | None
) -> Catalog:
    """Return what is defined where a part of a log begins."""
    along = request.definitions_along(log_file) if asked is None else asked.definitions
    start, catalog = (
        (0, request.catalog_before(log_file)) if along is None else along.near(part.start)
    )
    start = max(start, len(MAGIC))
    if part.start <= start:
        return catalog or Catalog()
    format_event = part.format_event if start > len(MAGIC) else b""
    before = LogPart(start, part.start, format_event, stops_at_gtid=True)
    return survey_part(log_file, before, request.options, catalog).after


def _compose(block: RowBlock, request: ReadRequest) -> pa.RecordBatch:
    """Return a block in the columns of the output."""
    if request.gives_rows_as_json:
        values = {ROW_FIELD.name: render_rows(block)}
    else:
        values = {
            wanted.field.name: column
            for wanted, column in zip(block.plan.wanted, block.columns, strict=True)
        }
    values |= block.metadata
    arrays = [
        # A column that the table does not have here is null.
        values[field.name] if field.name in values else pa.nulls(block.num_rows, field.type)
        for field in request.schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=request.schema)


def _merge(batches: list[pa.RecordBatch], blocks: list[RowBlock]) -> pa.RecordBatch:
    """Return batches of several tables as one, in the order of the log."""
    if len(batches) == 1:
        return batches[0]
    order = np.argsort(np.concatenate([block.places for block in blocks]), kind="stable")
    table = pa.Table.from_batches(batches).combine_chunks()
    return table.to_batches()[0].take(pa.array(order))
