"""Data sets of the tables of a batch: Parquet or Delta.

Tasks encode the rows as files, and the JVM sees groups alone; the driver commits.
"""

from __future__ import annotations

import json
import os
import pickle
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from pyspark_adapter.decode.group_rows import GroupRows, key_of
from pyspark_adapter.errors import BinlogError, OptionError, SchemaMismatchError
from pyspark_adapter.options.table_name import TableName, folder_name
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import create_delta, delta_errors, open_delta
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import own_names
from pyspark_adapter.spark.change_columns import key_metadata
from pyspark_adapter.spark.data_set import Staging, part_name, staging
from pyspark_adapter.spark.part_files import SPARK_SCHEMA, PartFile, writing
from pyspark_adapter.spark.types import to_spark_schema
from pyspark_adapter.spark.versions import batch_function
from pyspark_adapter.values.widening import common_type

if TYPE_CHECKING:
    from deltalake import DeltaTable
    from deltalake.transaction import AddAction

# What a task gets of a group.
GROUP: Final = ("database_name", "table_name", "shape", "last_commit_version", "rows")
_RESULT: Final = pa.schema([("result", pa.binary())])
_VERSION: Final = "_commit_version"


@dataclass(frozen=True)
class TableTarget:
    """Where the rows of a table are written.

    Attributes:
        folder: of the data set, which errors name.
        files: the folder that takes the files.
        rows: reads the rows of its groups.
        has_spark_schema: whether the files say which types of Spark the columns have.
    """

    folder: Location
    files: Location
    rows: GroupRows
    has_spark_schema: bool

    @property
    def schema(self) -> pa.Schema:
        """The schema of the files."""
        schema = self.rows.schema
        if not self.has_spark_schema:
            return schema.remove_metadata()
        kinds = to_spark_schema(schema, key_metadata(key_of(schema)))
        return schema.with_metadata({SPARK_SCHEMA: kinds.json()})


@dataclass(frozen=True)
class WrittenFile:
    """A file that a task has written.

    Attributes:
        versions: least and greatest `_commit_version`; None if the rows have none.
    """

    table: TableName
    name: str
    num_rows: int
    num_bytes: int
    versions: tuple[int, int] | None

    @property
    def statistics(self) -> str:
        """What the log of a Delta table says of the rows, as JSON."""
        fields: dict[str, Any] = {"numRecords": self.num_rows}
        if self.versions is not None:
            fields["minValues"] = {_VERSION: self.versions[0]}
            fields["maxValues"] = {_VERSION: self.versions[1]}
        return json.dumps(fields)


def write_tables(
    groups: DataFrame, targets: Mapping[TableName, TableTarget]
) -> dict[TableName, list[WrittenFile]]:
    """Write the rows of groups, in one job for all tables; raises BinlogError.

    Args:
        groups: the columns GROUP; those of a table follow one another, in the order of the log.
        targets: of the tables that are written.

    Returns:
        The files of each table, in the order of their rows.
    """
    by_table: dict[TableName, list[WrittenFile]] = defaultdict(list)
    for (data,) in _writer(targets)(groups.select(*GROUP)).collect():
        result = pickle.loads(data)  # noqa: S301 - of our own tasks
        if isinstance(result, BinlogError):
            result.is_spelled = False  # Spark is not the caller
            raise result
        by_table[result.table].append(result)
    for files in by_table.values():
        files.sort(key=lambda file: file.versions or (0, 0))
    return by_table


def _writer(targets: Mapping[TableName, TableTarget]) -> Callable[[DataFrame], DataFrame]:
    """Return a function of a frame that writes groups, and gives what it wrote, pickled."""

    class Writer:
        """Runs in tasks."""

        def __init__(self) -> None:
            self._table: _OpenTable | None = None
            self._error: BinlogError | None = None

        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
            """Write some groups; an error is a result, to keep its class."""
            try:
                yield from self._write(batch)
            except BinlogError as error:
                self._error = error

        def _write(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
            for database, name, shape, version, rows in zip(*batch.columns, strict=True):
                if self._error is not None:
                    return
                table = TableName(database.as_py(), name.as_py())
                if self._table is None or self._table.name != table:
                    yield from self._closed()
                    if table not in targets:
                        continue
                    self._table = _OpenTable(table, targets[table])
                self._table.add(shape.as_py(), version.as_py(), rows.as_buffer())

        def terminate(self) -> Iterator[pa.RecordBatch]:
            """Write the end of the last table."""
            try:
                if self._error is None:
                    yield from self._closed()
            except BinlogError as error:
                self._error = error
            if self._error is not None:
                if self._table is not None:
                    self._table.drop()
                yield _result(self._error)

        def _closed(self) -> Iterator[pa.RecordBatch]:
            if self._table is not None:
                written = self._table.close()
                self._table = None
                yield _result(written)

    return batch_function(Writer, StructType().add("result", "binary"))


class _OpenTable:
    """The file of a table that a task is writing."""

    def __init__(self, name: TableName, target: TableTarget) -> None:
        self.name = name
        self._target = target
        # Spark may run a task twice at a time: each run has a file of its own.
        self._file_name = part_name(0)
        self._path = target.files.child(self._file_name)
        self._file = PartFile(target.folder, self._path, target.schema)
        self._versions: list[int] = []

    def add(self, shape: str, version: int, rows: pa.Buffer) -> None:
        """Add the rows of a group."""
        batch = self._target.rows.read(shape, version, rows)
        if _VERSION in batch.schema.names:
            bounds = pc.min_max(batch[_VERSION])
            self._versions += bounds["min"].as_py(), bounds["max"].as_py()
        self._file.add(batch)

    def close(self) -> WrittenFile:
        """End the file."""
        self._file.close()
        with writing(self._target.folder):
            system, path = file_system(self._path)
            size = system.get_file_info(path).size
        versions = (min(self._versions), max(self._versions)) if self._versions else None
        return WrittenFile(self.name, self._file_name, self._file.num_rows, size, versions)

    def drop(self) -> None:
        """Close the file as it is, after an error."""
        self._file.drop()


def _result(value: WrittenFile | BinlogError) -> pa.RecordBatch:
    return pa.record_batch([pa.array([pickle.dumps(value)], pa.binary())], schema=_RESULT)


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
