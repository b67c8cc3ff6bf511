"""MySQL and MariaDB binary logs as typed Spark rows and Arrow record batches.

With Spark: `spark.read.format("mysql_binlog").load(path)`. Without: `read_batches`, `list_tables`.
Public names are in `__all__`; all others may change.

Importing this package imports nothing else: a name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark_adapter.as_of.rows_at import TableRows, rows_at
    from pyspark_adapter.counting.table_summary import TableSummary
    from pyspark_adapter.decode.batch_reader import BatchReader
    from pyspark_adapter.decode.group_rows import TableStatement
    from pyspark_adapter.errors import (
        BinlogError,
        BinlogWarning,
        ChecksumMismatchError,
        CorruptEventError,
        DataLossError,
        EventSite,
        LogFileError,
        MissingTableMapError,
        NotABinlogError,
        OptionError,
        SchemaMismatchError,
        ServerError,
        StatementEventError,
        TruncatedEventError,
        UnsupportedError,
    )
    from pyspark_adapter.options.binlog_options import BinlogOptions
    from pyspark_adapter.options.declarations import BinlogOptionsDict
    from pyspark_adapter.options.table_name import TableName, folder_name
    from pyspark_adapter.reader import list_tables, read_batches, read_schema
    from pyspark_adapter.replication.run import Round, replicate
    from pyspark_adapter.replication.verified_table import VerifiedTable
    from pyspark_adapter.spark.debezium import debezium_messages
    from pyspark_adapter.spark.frame import read_frame, read_stream
    from pyspark_adapter.spark.index_job import build_index
    from pyspark_adapter.spark.latest_rows import latest_changes, latest_rows
    from pyspark_adapter.spark.metrics_listener import MetricsListener
    from pyspark_adapter.spark.parquet_files import write_parquet
    from pyspark_adapter.spark.session import session
    from pyspark_adapter.spark.snapshot import Snapshot, snapshot
    from pyspark_adapter.spark.source import DefaultSource
    from pyspark_adapter.spark.table_changes import (
        ChangedTables,
        TableChanges,
        TablePart,
        tables_of,
    )
    from pyspark_adapter.sql_text.script import redo_statements, sql_rows, undo_statements

__version__ = "0.2.0"

__all__ = [
    "BatchReader",
    "BinlogError",
    "BinlogOptions",
    "BinlogOptionsDict",
    "BinlogWarning",
    "ChangedTables",
    "ChecksumMismatchError",
    "CorruptEventError",
    "DataLossError",
    "DefaultSource",
    "EventSite",
    "LogFileError",
    "MetricsListener",
    "MissingTableMapError",
    "NotABinlogError",
    "OptionError",
    "Round",
    "SchemaMismatchError",
    "ServerError",
    "Snapshot",
    "StatementEventError",
    "TableChanges",
    "TableName",
    "TablePart",
    "TableRows",
    "TableStatement",
    "TableSummary",
    "TruncatedEventError",
    "UnsupportedError",
    "VerifiedTable",
    "build_index",
    "debezium_messages",
    "folder_name",
    "latest_changes",
    "latest_rows",
    "list_tables",
    "read_batches",
    "read_frame",
    "read_schema",
    "read_stream",
    "redo_statements",
    "replicate",
    "rows_at",
    "session",
    "snapshot",
    "sql_rows",
    "tables_of",
    "undo_statements",
    "write_parquet",
]

# The names of each module; all others are in `errors`.
_MODULES = {
    "as_of.rows_at": "TableRows rows_at",
    "counting.table_summary": "TableSummary",
    "decode.batch_reader": "BatchReader",
    "decode.group_rows": "TableStatement",
    "options.binlog_options": "BinlogOptions",
    "options.declarations": "BinlogOptionsDict",
    "options.table_name": "TableName folder_name",
    "reader": "list_tables read_batches read_schema",
    "replication.run": "Round replicate",
    "replication.verified_table": "VerifiedTable",
    "spark.debezium": "debezium_messages",
    "spark.frame": "read_frame read_stream",
    "spark.index_job": "build_index",
    "spark.latest_rows": "latest_changes latest_rows",
    "spark.metrics_listener": "MetricsListener",
    "spark.parquet_files": "write_parquet",
    "spark.session": "session",
    "spark.snapshot": "Snapshot snapshot",
    "spark.source": "DefaultSource",
    "spark.table_changes": "ChangedTables TableChanges TablePart tables_of",
    "sql_text.script": "redo_statements sql_rows undo_statements",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_MODULE_OF.get(name, 'errors')}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return __all__
