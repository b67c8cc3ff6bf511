"""Data sets of the tables of a batch: Parquet or Delta, each committed by the driver."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import DataFrame

from pyspark_adapter.decode.group_rows import GroupRows
from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.options.folder_name import folder_name
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.delta_storage import create_delta, delta_errors, open_delta
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import own_names
from pyspark_adapter.spark.data_set import Staging, staging
from pyspark_adapter.spark.part_files import writing
from pyspark_adapter.spark.table_files import TableTarget, WrittenFile, write_tables
from pyspark_adapter.values.widening import common_type

if TYPE_CHECKING:
    from deltalake import DeltaTable
    from deltalake.transaction import AddAction

Folder = str | os.PathLike[str]


def write_parquet_tables(
    groups: DataFrame, rows: Mapping[TableName, GroupRows], folder: Folder, *, overwrite: bool
) -> dict[TableName, int]:
    """Write each table as a Parquet data set, and return its rows; see `ChangedTables`."""
    parent = Location.parse(folder)
    with ExitStack() as stack:
        staged: dict[TableName, Staging] = {}
        targets: dict[TableName, TableTarget] = {}
        for table, of_table in rows.items():
            target = parent.child(folder_name(table.database_name, table.table_name))
            stack.enter_context(writing(target))
            staged[table] = stack.enter_context(staging(target, overwrite=overwrite))
            location = staged[table].folder.child(staged[table].name)
            targets[table] = TableTarget(target, location, of_table, has_spark_schema=True)
        written = write_tables(groups, targets) if targets else {}
        for table, files in written.items():
            with writing(targets[table].folder):
                staged[table].commit([file.name for file in files])
    return {table: sum(file.num_rows for file in files) for table, files in written.items()}


def write_delta_tables(
    groups: DataFrame,
    rows: Mapping[TableName, GroupRows],
    folder: Folder,
    *,
    txn_app_id: str | None,
    txn_version: int | None,
) -> dict[TableName, int]:
    """Add the rows of each table to a Delta table, and return their number; see `ChangedTables`."""
    if (txn_app_id is None) != (txn_version is None):
        raise OptionError(
            "expected txn_app_id and txn_version together, or neither", option="txn_app_id"
        )
    parent = Location.parse(folder)
    targets: dict[TableName, TableTarget] = {}
    known_tables: dict[TableName, DeltaTable | None] = {}
    for table, of_table in rows.items():
        # deltalake takes %2F for a slash.
        name = folder_name(table.database_name, table.table_name).replace("%", "@")
        location = parent.child(name)
        delta = open_delta(location)
        if delta is None:
            with delta_errors(location):
                own_names(location, "", option="folder")
        if delta is not None and txn_app_id is not None and txn_version is not None:
            with delta_errors(location):
                last = delta.transaction_version(txn_app_id)
            if last is not None and last >= txn_version:
                continue
        known = None if delta is None else pa.schema(delta.schema())
        schema = of_table.schema if known is None else _fitted(table, of_table.schema, known)
        known_tables[table] = delta
        targets[table] = TableTarget(location, location, replace(of_table, schema=schema), False)
    tables = {table: _evolved(known_tables[table], targets[table]) for table in targets}
    written = write_tables(groups, targets) if targets else {}
    from deltalake import CommitProperties, Transaction

    properties = None
    if txn_app_id is not None and txn_version is not None:
        properties = CommitProperties(app_transactions=[Transaction(txn_app_id, txn_version)])
    for table, files in written.items():
        delta = tables[table]
        with delta_errors(targets[table].folder):
            delta.create_write_transaction(
                list(map(_added, files)), "append", delta.schema(), commit_properties=properties
            )
    return {table: sum(file.num_rows for file in files) for table, files in written.items()}


def _fitted(table: TableName, schema: pa.Schema, known: pa.Schema) -> pa.Schema:
    """Return a schema with names and types as a Delta table has them already.

    Raises:
        SchemaMismatchError: if the table has a column in a type that does not hold the new values.
    """
    fields = {field.name.lower(): field for field in known}
    fitted = []
    for field in schema:
        there = fields.get(field.name.lower(), field)
        if common_type(there.type, field.type) != there.type:
            raise SchemaMismatchError(
                f"table {table}: column {field.name} is {there.type} in the Delta table, and"
                f" {field.type} in these changes: expected one that the former holds",
                advice="write to another folder from here on, or rewrite the Delta table with the"
                " wider type",
            )
        fitted.append(field.with_name(there.name).with_type(there.type))
    return pa.schema(fitted, schema.metadata)


def _evolved(delta: DeltaTable | None, target: TableTarget) -> DeltaTable:
    """Return the Delta table, created, or with the columns that it lacks."""
    from deltalake import Schema

    schema = target.schema
    if delta is None:
        return create_delta(target.folder, schema)
    names = {field.name for field in delta.schema().fields}
    lacking = [field for field in schema if field.name not in names]
    if lacking:
        with delta_errors(target.folder):
            delta.alter.add_columns(Schema.from_arrow(pa.schema(lacking)).fields)
            delta.update_incremental()
    return delta


def _added(file: WrittenFile) -> AddAction:
    """Return what the log of a Delta table says of a file."""
    from deltalake.transaction import AddAction

    now = int(time.time() * 1000)
    return AddAction(file.name, file.num_bytes, {}, now, data_change=True, stats=file.statistics)
