"""The columns of the output: metadata of changes, and the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import pyarrow as pa

from pyspark_adapter.errors import OptionError, SchemaMismatchError, UnsupportedError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.values.column_types import VARIANT


@dataclass(frozen=True, slots=True)
class MetadataColumn:
    """A column that describes a change, not its row.

    Attributes:
        is_default: whether it is returned if the options do not list columns.
        help: its meaning.
    """

    name: str
    arrow_type: pa.DataType
    is_default: bool
    help: str


# Of images that are not complete: the columns that one lacks, and the differences of JSON documents
# that are not logged.
ABSENT: Final = "_absent_columns"
DIFF: Final = "_json_diff"

METADATA_COLUMNS: Final = (
    MetadataColumn(
        "_change_type",
        pa.string(),
        True,
        "`insert`, `update_preimage`, `update_postimage` or `delete`; with option schemaChanges"
        " also `create`, `alter`, `rename`, `drop` and `truncate`; in a snapshot `snapshot`",
    ),
    MetadataColumn(
        "_commit_version",
        pa.int64(),
        True,
        "log number * 2^40 + start position of the transaction: orders the transactions of one"
        " server; an error for log numbers from 2^23 on",
    ),
    MetadataColumn(
        "_row_number",
        pa.int64(),
        True,
        "index of the row change in its transaction, from 0; both images of an update share it; 0"
        " for a statement",
    ),
    MetadataColumn(
        "_commit_timestamp",
        pa.timestamp("us", tz="UTC"),
        True,
        "commit time on the server that wrote the log (MySQL 8.0.1 and later); else the header time"
        " of the transaction's first event",
    ),
    MetadataColumn("_gtid", pa.string(), True, "as the server prints it; null if there is none"),
    MetadataColumn("_log_file", pa.string(), False, "name of the log file"),
    MetadataColumn(
        "_start_pos", pa.int64(), False, "offset of the event that holds the row, in bytes"
    ),
    MetadataColumn("_database_name", pa.string(), False, "database of the table"),
    MetadataColumn("_table_name", pa.string(), False, "name of the table"),
    MetadataColumn("_server_id", pa.int64(), False, "server where the change originates"),
    MetadataColumn(
        "_event_timestamp",
        pa.timestamp("us", tz="UTC"),
        False,
        "start of the statement, in whole seconds",
    ),
    MetadataColumn(
        "_xa",
        pa.string(),
        False,
        "id of the distributed transaction, as `XA COMMIT` and `XA ROLLBACK` write it"
        " (`X'6731',X'',1`); those later statements show whether its rows were committed; rows of a"
        " one-phase XA_PREPARE_EVENT were",
    ),
    MetadataColumn(
        "_thread_id",
        pa.int64(),
        False,
        "connection that changed the row, `CONNECTION_ID()` there; null for MariaDB before 11.5",
    ),
    MetadataColumn(
        "_query",
        pa.string(),
        False,
        "statement that changed the row, if the server logs it (MySQL:"
        " `binlog_rows_query_log_events=ON`; MariaDB: `binlog_annotate_row_events`); of a long one"
        " the first 4,096 bytes and its length",
    ),
    MetadataColumn(
        "_transaction_bytes",
        pa.int64(),
        False,
        "bytes of the transaction in the log, all its events included, as MySQL 8.0.2 and later log"
        " them; null for other servers",
    ),
    MetadataColumn(
        "_statement",
        pa.string(),
        False,
        "text of the statement that created, altered, renamed, dropped or truncated the table"
        " (with option schemaChanges, which returns it by default); null for changes of rows",
    ),
    MetadataColumn(
        ABSENT,
        pa.list_(pa.string()),
        False,
        "columns whose value is not in the log (`binlog_row_image`, or a document logged as"
        " differences); a null here is not an SQL NULL",
    ),
    MetadataColumn(
        DIFF,
        pa.string(),
        False,
        "a JSON object, by column, of the differences that the log holds instead of documents"
        ' (`binlog_row_value_options=PARTIAL_JSON`), such as `[{"op": "replace", "path": "$.a",'
        ' "value": 1}]`; other ops are `insert` and `remove`; null in other row images',
    ),
)
METADATA_BY_NAME: Final = MappingProxyType({column.name: column for column in METADATA_COLUMNS})
# Of groups alone: a statement as `ddl_to_json` writes it.
DEFINITION: Final = "_definition"
# What groups take of a statement.
STATEMENT_METADATA: Final = (
    "_change_type",
    "_commit_version",
    "_database_name",
    "_table_name",
    "_statement",
    DEFINITION,
)
# What orders the changes of groups.
GROUP_ORDER: Final = ("_commit_version", "_row_number")
DEFAULT_METADATA: Final = tuple(column.name for column in METADATA_COLUMNS if column.is_default)

# With option row=arrow: changes of one table, of one shape, in the order of the log; or one
# statement, without rows.
GROUPS_SCHEMA: Final = pa.schema(
    [
        ("database_name", pa.string()),
        ("table_name", pa.string()),
        ("first_commit_version", pa.int64()),
        ("last_commit_version", pa.int64()),
        ("num_rows", pa.int64()),
        ("change_type", pa.string()),  # of a statement (option schemaChanges); null for rows
        ("statement", pa.string()),
        ("definition", pa.string()),  # a statement for `tables_of` alone; see `ddl_to_json`
        ("shape", pa.string()),  # names its columns
        ("schema", pa.binary()),  # of Arrow; null where the task has sent that of the shape before
        ("rows", pa.binary()),  # a record batch of it, as IPC message
    ]
)

ROW_NAME: Final = "row"
# A row, its key, and the schema of both, as JSON; and `mysql` or `mariadb`, which wrote the log.
DEBEZIUM: Final = pa.struct([(name, pa.string()) for name in ("key", "row", "schema", "connector")])
ROW_TYPES: Final = MappingProxyType({"json": pa.string(), "variant": VARIANT, "debezium": DEBEZIUM})
# What messages of Debezium have of a change; `_query`, too, if it is present.
DEBEZIUM_METADATA: Final = (
    *("_change_type", "_commit_version", "_row_number", "_commit_timestamp", "_gtid"),
    *("_log_file", "_start_pos", "_database_name", "_table_name", "_server_id"),
    "_thread_id",
)
_TABLE_NAMES: Final = ("_database_name", "_table_name")

EVENTS_SCHEMA: Final = pa.schema(
    [
        ("log_file", pa.string()),
        ("start_pos", pa.int64()),
        ("inner_pos", pa.int64()),
        ("event_timestamp", pa.timestamp("us", tz="UTC")),
        ("event_type", pa.string()),
        ("type_code", pa.int32()),
        ("server_id", pa.int64()),
        ("len_event", pa.int64()),
        ("end_log_pos", pa.int64()),
        ("flags", pa.int32()),
        ("body", pa.string()),
    ]
)


def metadata_fields(options: BinlogOptions) -> list[pa.Field]:
    """Return the metadata columns that the options select, in order; raises OptionError."""
    names = options.metadata_columns
    if names is None:
        is_mixed = options.table is None and options.row != "arrow"
        names = DEFAULT_METADATA + (_TABLE_NAMES if is_mixed else ())
        names = DEBEZIUM_METADATA if options.row == "debezium" else names
        names += ("_statement",) if options.schema_changes and options.row != "arrow" else ()
    for name in names:
        if name not in METADATA_BY_NAME:
            allowed = ", ".join(METADATA_BY_NAME)
            raise OptionError(
                f"option metadataColumns: expected names among {allowed}, got {name!r}",
                option="metadataColumns",
                value=name,
                allowed=allowed,
            )
    return [pa.field(name, METADATA_BY_NAME[name].arrow_type) for name in names]


def row_field(options: BinlogOptions) -> pa.Field:
    """Return the column that has the rows of all tables."""
    return pa.field(ROW_NAME, ROW_TYPES[options.row])


def changes_schema(options: BinlogOptions, table_fields: Iterable[pa.Field]) -> pa.Schema:
    """Return the schema of a read of changes; raises OptionError.

    Args:
        table_fields: the columns of the table, or the field `row` alone for all tables.
    """
    metadata = metadata_fields(options)
    taken = {field.name.lower() for field in metadata}
    table_fields = list(table_fields)
    for field in table_fields:
        if field.name.lower() in taken:
            raise OptionError(
                f"option metadataColumns: the table also has a column {field.name}; expected a list"
                " without it",
                option="metadataColumns",
                value=field.name,
            )
    return pa.schema(metadata + table_fields)


def split_schema(schema: pa.Schema, options: BinlogOptions) -> tuple[list[str], list[pa.Field]]:
    """Return the names of the metadata columns of a schema, and its other fields.

    Raises:
        SchemaMismatchError: if a metadata column has another type, or, without option table, a
            field is neither a metadata column nor `row`.
    """
    if options.table is None and options.row == "arrow":
        return _split_groups(schema, options)
    metadata: list[str] = []
    others: list[pa.Field] = []
    for field in schema:
        known = METADATA_BY_NAME.get(field.name)
        if known is None:
            others.append(field)
            if options.table is not None:
                continue
            row = row_field(options)
            if (field.name, field.type) != (row.name, row.type):
                raise SchemaMismatchError(
                    f"column {field.name} {field.type}: without option table, expected metadata"
                    f" columns and {row.name} {row.type}"
                )
        elif field.type != known.arrow_type:
            raise SchemaMismatchError(
                f"column {field.name}: expected type {known.arrow_type}, got {field.type}"
            )
        else:
            metadata.append(field.name)
    return metadata, others


def _split_groups(schema: pa.Schema, options: BinlogOptions) -> tuple[list[str], list[pa.Field]]:
    """Return the metadata columns of the rows of groups, and the field of their rows.

    Raises:
        OptionError: if they lack the columns that order changes.
        SchemaMismatchError: if the schema is not that of groups.
    """
    if schema != GROUPS_SCHEMA:
        raise SchemaMismatchError("option row=arrow: expected no schema, got one")
    metadata = [field.name for field in metadata_fields(options)]
    for name in GROUP_ORDER:
        if name not in metadata:
            raise OptionError(
                f"option metadataColumns: expected {name} with option row=arrow",
                option="metadataColumns",
                value=", ".join(metadata),
            )
    return metadata, [GROUPS_SCHEMA.field("rows")]


def describe_metadata() -> str:
    """Return the metadata columns as a Markdown table."""
    lines = ["| column | type | by default | meaning |", "|---|---|---|---|"]
    for column in METADATA_COLUMNS:
        by_default = "yes" if column.is_default else ""
        lines.append(f"| `{column.name}` | {column.arrow_type} | {by_default} | {column.help} |")
    return "\n".join(lines)


# The highest log number whose commit versions are longs. `binlog.20261122` has a higher one.
MAX_VERSIONED_LOG: Final = (1 << 23) - 1


def commit_version_base(log_number: int) -> int:
    """Return the number to add to the start position of a transaction for its commit version.

    Raises:
        UnsupportedError: for a number above MAX_VERSIONED_LOG, without a site.

    >>> commit_version_base(3) == 3 * 2**40
    True
    """
    if log_number > MAX_VERSIONED_LOG:
        raise UnsupportedError(
            f"log number {log_number}: _commit_version is a long up to log {MAX_VERSIONED_LOG}",
            advice="leave the column out (option metadataColumns, or a schema), and order by"
            " _log_file and _start_pos",
        )
    return log_number << 40
