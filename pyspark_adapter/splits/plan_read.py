"""Plans a read: its columns, and where names come from that the logs do not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from pyspark_adapter.discovery.log_survey import (
    discover_given,
    discover_renames,
    discover_snapshots,
    discover_table,
    given_tables,
)
from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.filters.row_filter import logs_to_read
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import (
    EVENTS_SCHEMA,
    GROUPS_SCHEMA,
    changes_schema,
    row_field,
)
from pyspark_adapter.plan.read_request import Definitions, ReadRequest, needs_names
from pyspark_adapter.plan.table_view import TableView
from pyspark_adapter.progress import Progress
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.packed import Packed
from pyspark_adapter.schema_history.schema_history import SchemaHistory
from pyspark_adapter.schema_history.snapshots_by_log import SnapshotsByLog
from pyspark_adapter.schema_history.table_map_completer import (
    CompletionWarnings,
    TableMapCompleter,
)
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import is_to_be_cut


def plan_read(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    schema: pa.Schema | None = None,
    progress: Progress | None = None,
    *,
    in_splits: bool = False,
    follows_given: bool = True,
) -> ReadRequest:
    """Plan a read; reads the logs if the columns of a table have to be discovered.

    Args:
        log_files: the logs.
        options: of the read.
        schema: the columns that the user asks for; None to discover them.
        progress: called while logs are read, with the bytes read so far and the bytes in all.
        in_splits: whether the logs are to be read split by split.
        follows_given: whether statements in the logs change the tables of the option ddl; a stream
            follows them by `StreamSchemaHistory`.

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
    given = discover_given(log_files, options) if follows_given else given_tables(options)
    renames = None
    if options.follow_renames and options.table is not None:
        renames = discover_renames(log_files, options)
    history = SchemaHistory(Catalog(), options.max_partition_bytes)
    view: TableView | None = None
    snapshots: Mapping[str, CatalogSnapshots] = {}
    if options.table is not None and schema is None:
        completer = TableMapCompleter(
            history, given, renames, table=options.table, warns=CompletionWarnings()
        )
        view = discover_table(log_files, options, completer, progress)
        schema = changes_schema(options, view.fields)
        if history.is_asked:
            snapshots = history.snapshots()
    elif schema is None:
        is_grouped = options.row == "arrow"
        schema = GROUPS_SCHEMA if is_grouped else changes_schema(options, [row_field(options)])
    if view is None and needs_names(options, schema, Definitions(given)):
        has_cuts = in_splits and any(is_to_be_cut(log, options) for log in log_files)
        if len(log_files) > 1 or has_cuts:
            snapshots = discover_snapshots(log_files, options, history)
    first_log = log_files[0].path if log_files else ""
    definitions = Definitions(
        given, SnapshotsByLog(snapshots), renames, first_log, Packed(log_files)
    )
    return ReadRequest(options, schema, view, definitions)


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
