"""Plans a read: its columns, and where names come from that the logs do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.events.row_filter import logs_to_read
from pyspark_adapter.options.binlog_options import BinlogOptions
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
