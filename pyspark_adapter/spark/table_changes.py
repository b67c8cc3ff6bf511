"""The tables of a batch of changes, each as a typed frame, from one read of the logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.decode.group_rows import GroupRows, TableStatement, key_of, split_groups
from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import GROUPS_SCHEMA, METADATA_BY_NAME
from pyspark_adapter.spark.change_columns import key_metadata
from pyspark_adapter.spark.task_runs import is_local, num_parallel_tasks
from pyspark_adapter.spark.types import to_spark_schema
from pyspark_adapter.spark.versions import batch_function
from pyspark_adapter.spark.written_tables import Folder, write_delta_tables, write_parquet_tables
from pyspark_adapter.values.arrow_arrays import joined

_TABLE: Final = ["database_name", "table_name"]
_ORDER: Final = ["first_commit_version", "last_commit_version"]
_ROWS: Final = "rows"
# A frame of fewer bytes has one partition. Tables of more are decoded by several tasks.
_PARTITION_BYTES: Final = 64 << 20
# Row images of a record batch that Spark gets.
_BATCH_ROWS: Final = 16384

_Decode = Callable[[DataFrame], DataFrame]


@dataclass(frozen=True)
class TablePart:
    """Changes of the rows of a table that no change of its columns and no statement parts.

    Attributes:
        key: names of the columns that identify a row, see `row_key_of`: the primary key, else a
            unique key of NOT NULL columns; empty if neither the log nor a definition has one.
        columns: names of its columns, in order.
        num_rows: row images.
        last_commit_version: `_commit_version` of the last one.
    """

    key: tuple[str, ...]
    columns: tuple[str, ...]
    num_rows: int
    last_commit_version: int
    _make_rows: Callable[[], DataFrame]

    @cached_property
    def rows(self) -> DataFrame:
        """Metadata columns and columns of the table, in the types of a read with option `table`."""
        return self._make_rows()


@dataclass(frozen=True)
class TableChanges:
    """Changes of a table in a batch.

    Attributes:
        table: its name.
        parts: one for each shape of the table, and for the time between two statements, in the
            order of the log; mostly one alone, none if no row was changed.
        statements: what happened to the table, in order, if the read had option `schemaChanges`.
            After a `truncate` or `drop` no earlier row exists; rows come under the new
            name after a `rename`.
    """

    table: TableName
    parts: tuple[TablePart, ...]
    statements: tuple[TableStatement, ...]
    _make_rows: Callable[[], DataFrame]
    _make_reader: Callable[[], GroupRows]
    _num_partitions: int

    @property
    def key(self) -> tuple[str, ...]:
        """Names of the columns that identify a row, in the last part; empty if not known."""
        return self.parts[-1].key if self.parts else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of the last part, in order."""
        return self.parts[-1].columns if self.parts else ()

    @property
    def num_rows(self) -> int:
        """Row images."""
        return sum(part.num_rows for part in self.parts)

    @cached_property
    def rows(self) -> DataFrame:
        """All changes: the columns of all parts, in the widest types, as option `mergeSchema`.

        A column that was added later shows in rows from before what the server shows there, if its
        default is a literal. If not, a warning says so when this is first used, and it is null.

        Raises:
            SchemaMismatchError: if a column has types without a common one (use `parts`), or no
                row was changed.
        """
        if not self.parts:
            raise SchemaMismatchError(f"table {self.table}: expected changes of rows, found none")
        if len(self.parts) == 1:
            return self.parts[0].rows
        return self._make_rows()


class ChangedTables(list[TableChanges]):
    """The tables of a batch, in the order of their names.

    `write_parquet` and `write_delta` write all of them in one job of Spark: tasks decode the rows
    and encode the files, and no row passes the JVM. Each table becomes a data set of its own in a
    folder, under the name that `folder_name` makes of database and table, with the columns of
    `TableChanges.rows`. Tables of which no row was changed are left out.
    """

    def __init__(self, tables: Iterable[TableChanges], decoders: _Decoders) -> None:
        super().__init__(tables)
        self._decoders = decoders

    def write_parquet(self, folder: Folder, *, overwrite: bool = False) -> dict[TableName, int]:
        """Write each table as a Parquet data set, as the function `write_parquet` writes a read.

        In a stream, give each batch a folder of its own, and `overwrite`: a repeated batch
        after a failure then replaces what it left.

        Args:
            folder: of the data sets: a path or URI that the driver and all tasks reach.
            overwrite: whether to replace data sets that this package has written.

        Returns:
            The number of rows of each table.

        Raises:
            OptionError: if a folder is not empty and `overwrite` is false, or holds what this
                package has not written.
            SchemaMismatchError: if a column has types without a common one.
            BinlogError: if a folder cannot be written.
        """
        groups, rows = self._decoders.writing(self)
        return write_parquet_tables(groups, rows, folder, overwrite=overwrite)

    def write_delta(
        self, folder: Folder, *, txn_app_id: str | None = None, txn_version: int | None = None
    ) -> dict[TableName, int]:
        """Add the changes of each table to a Delta table, which is made with the first ones.

        It gets columns that it lacks. Needs the package `deltalake`, as the extra `replicate` has
        it. With an identifier, a repeated batch adds nothing::

            tables.write_delta("lake", txn_app_id="shop-stream", txn_version=batch_id)

        Args:
            folder: of the Delta tables: a path or URI that the driver and all tasks reach. The
                names of their folders have `@` for `%`.
            txn_app_id: names the stream; together with the next one.
            txn_version: of the batch. Tables that have this version, or a later one, are left out.

        Returns:
            The number of rows that were added to each table.

        Raises:
            OptionError: if a folder is no Delta table, and holds files.
            SchemaMismatchError: if a column has types without a common one, or the Delta table has
                it in a type that does not hold the values.
            BinlogError: if a table cannot be written, or another program writes it.
        """
        groups, rows = self._decoders.writing(self)
        return write_delta_tables(
            groups, rows, folder, txn_app_id=txn_app_id, txn_version=txn_version
        )


@contextmanager
def tables_of(batch: DataFrame, *, num_partitions: int | None = None) -> Iterator[ChangedTables]:
    """Give the tables that a batch changes, each as a typed frame.

    The logs are read once, whatever the number of tables: the batch is kept by Spark, in memory and
    on disk, until the block ends. Names, keys and types travel with the rows, so nothing is needed
    from earlier batches, and a table that is created while a stream runs appears with its first
    rows. No rows come to the driver, only a line for each table and window of a log.

    ::

        def apply(batch, batch_id):
            with tables_of(batch) as tables:
                for table in tables:
                    print(table.table, table.key, table.rows.count())

        stream = spark.readStream.format("mysql_binlog").option("row", "arrow").load(path)
        stream.writeStream.foreachBatch(apply).start()

    Args:
        batch: a frame read with option `row` = `arrow`; in a stream, that of `foreachBatch`.
        num_partitions: of the frame that is kept, in which the rows of a table are together; by
            default as many as Spark runs tasks at a time.

    Yields:
        The tables, in the order of their names; see `ChangedTables`.

    Raises:
        OptionError: for a streaming frame (use `foreachBatch`).
        SchemaMismatchError: if the frame was not read with option `row` = `arrow`.
        BinlogError: wrapped by Spark, as a read of the logs.
    """
    if batch.isStreaming:
        raise OptionError("batch: expected a batch, got a stream; use foreachBatch", option="batch")
    if batch.columns != GROUPS_SCHEMA.names:
        raise SchemaMismatchError(
            f"batch: expected a frame read with option row=arrow, found columns {batch.columns}"
        )
    count = num_partitions or num_parallel_tasks(batch.sparkSession)
    kept = batch.repartition(count, *_TABLE).sortWithinPartitions(*_TABLE, *_ORDER)
    kept = kept.persist()
    try:
        rows_of = kept.withColumn(_ROWS, F.length(_ROWS).alias(_ROWS)).collect()
        schemas = {row["shape"]: row["schema"] for row in rows_of if row["schema"] is not None}
        rows_of.sort(key=lambda row: tuple(row[name] for name in _ORDER))
        definitions = [
            (row[_ORDER[0]], row["definition"]) for row in rows_of if row["definition"] is not None
        ]
        decoders = _Decoders(kept, count, schemas, definitions)
        of_table: dict[TableName, list[Row]] = defaultdict(list)
        for row in rows_of:
            if row["definition"] is None:
                of_table[TableName(row["database_name"], row["table_name"])].append(row)
        tables = sorted(of_table.items(), key=lambda pair: str(pair[0]))
        yield ChangedTables([_changes(decoders, *pair) for pair in tables], decoders)
    finally:
        kept.unpersist()


def _changes(decoders: _Decoders, table: TableName, groups: list[Row]) -> TableChanges:
    """Return the changes of a table, from its groups in order."""
    shapes = [row["shape"] for row in groups if row["shape"]]
    runs, statements = split_groups(groups)
    is_only = len(runs) == 1
    # When they are used: Spark takes some milliseconds, and the threads of a pool share them.
    return TableChanges(
        table,
        tuple(_part(decoders, table, run, is_only=is_only) for run in runs),
        statements,
        partial(decoders.all_rows, table, shapes, _num_partitions(groups)),
        partial(decoders.reader, table, shapes),
        _num_partitions(groups),
    )


def _part(decoders: _Decoders, table: TableName, groups: list[Row], *, is_only: bool) -> TablePart:
    """Return a part of a table, from its groups in order."""
    shape = groups[0]["shape"]
    bounds = groups[0]["first_commit_version"], groups[-1]["first_commit_version"]
    schema = decoders.schemas[shape]
    return TablePart(
        key_of(schema),
        tuple(name for name in schema.names if name not in METADATA_BY_NAME),
        sum(row["num_rows"] for row in groups),
        max(row["last_commit_version"] for row in groups),
        partial(decoders.rows, table, shape, None if is_only else bounds, _num_partitions(groups)),
    )


def _num_partitions(groups: list[Row]) -> int:
    """Return into how many partitions the rows of some groups are decoded."""
    return 1 + sum(row[_ROWS] or 0 for row in groups) // _PARTITION_BYTES


class _Decoders:
    """Decodes groups; tables of one shape share what Spark has to know of it.

    Args:
        kept: the groups.
        num_kept: their partitions.
        schemas: of their rows, serialized, by shape.
        definitions: as for `GroupRows.over`.

    Attributes:
        schemas: of their rows, by shape.
    """

    def __init__(
        self,
        kept: DataFrame,
        num_kept: int,
        schemas: dict[str, bytes],
        definitions: Sequence[tuple[int, str]],
    ) -> None:
        self._kept = kept
        self._num_kept = num_kept
        self._definitions = definitions
        self.schemas = {
            shape: pa.ipc.read_schema(pa.py_buffer(schema)) for shape, schema in schemas.items()
        }
        self._functions: dict[str, _Decode] = {}
        self._is_local = is_local(kept.sparkSession)

    def rows(
        self, table: TableName, shape: str, bounds: tuple[int, int] | None, num_partitions: int
    ) -> DataFrame:
        """Return rows of one shape.

        Args:
            bounds: first and last `first_commit_version` of their groups; None if all groups of
                the table are of this shape.
        """
        is_kept = ""
        if bounds is not None:
            is_kept = f" AND shape = {_literal(shape)}"
            is_kept += f" AND {_ORDER[0]} BETWEEN {bounds[0]} AND {bounds[1]}"
        if shape not in self._functions:
            schema = self.schemas[shape]
            self._functions[shape] = _decoder(GroupRows(schema, {shape: schema}))
        return self._decoded(table, is_kept, self._functions[shape], num_partitions)

    def all_rows(self, table: TableName, shapes: Sequence[str], num_partitions: int) -> DataFrame:
        """Return all rows of a table; raises SchemaMismatchError."""
        return self._decoded(table, "", _decoder(self.reader(table, shapes)), num_partitions)

    def reader(self, table: TableName, shapes: Sequence[str]) -> GroupRows:
        """Return what reads all rows of a table; raises as `all_rows`."""
        schemas = {shape: self.schemas[shape] for shape in shapes}
        return GroupRows.over(table, schemas, self.schemas[shapes[-1]], self._definitions)

    def writing(
        self, tables: Iterable[TableChanges]
    ) -> tuple[DataFrame, dict[TableName, GroupRows]]:
        """Return the groups of tables to write, and what reads the rows of each table.

        Raises:
            SchemaMismatchError: as `all_rows`.
        """
        wanted = [table for table in tables if table.parts]
        groups = self._kept.where(f"{_ROWS} IS NOT NULL")
        most = max((table._num_partitions for table in wanted), default=1)
        if most > 1:
            count = max(sum(table._num_partitions for table in wanted), self._num_kept)
            order = (*_TABLE, *_ORDER)
            groups = groups.repartitionByRange(count, *order).sortWithinPartitions(*order)
        return groups, {one.table: one._make_reader() for one in wanted}

    def _decoded(
        self, table: TableName, is_kept: str, function: _Decode, num_partitions: int
    ) -> DataFrame:
        """Return the rows of groups of a table that fulfill a condition."""
        # As text: each operation on a column of PySpark is several calls of the JVM.
        names = zip(_TABLE, (table.database_name, table.table_name), strict=True)
        is_of_table = [f"{name} = {_literal(text)}" for name, text in names]
        groups = self._kept.where(" AND ".join([f"{_ROWS} IS NOT NULL", *is_of_table]) + is_kept)
        if num_partitions > 1:
            groups = groups.repartitionByRange(num_partitions, *_ORDER)
        elif self._is_local:
            groups = groups.coalesce(1)
        else:
            # Each host sends what it keeps of the table: one task would fetch what all hosts keep.
            groups = groups.repartition(1)
        if num_partitions > 1 or not self._is_local:
            groups = groups.sortWithinPartitions(*_ORDER)
        return function(groups.select("shape", _ORDER[1], _ROWS))


def _decoder(groups: GroupRows) -> _Decode:
    """Return a function of a frame with the shape, last version and rows of groups."""

    class Decoder:
        """Runs in tasks."""

        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
            """Yield the rows of some groups."""
            pending: list[pa.RecordBatch] = []
            num_rows = 0
            for shape, version, rows in zip(*batch.columns, strict=True):
                pending.append(groups.read(shape.as_py(), version.as_py(), rows.as_buffer()))
                num_rows += pending[-1].num_rows
                if num_rows >= _BATCH_ROWS:
                    yield joined(pending)
                    pending, num_rows = [], 0
            if pending:
                yield joined(pending)

        def terminate(self) -> Iterator[pa.RecordBatch]:
            """Yield nothing: all rows are read."""
            return iter(())

    schema = groups.schema
    return batch_function(Decoder, to_spark_schema(schema, key_metadata(key_of(schema))))


def _literal(text: str) -> str:
    """Return a text in Spark's SQL, whatever its settings say of backslashes."""
    return f"CAST(X'{text.encode().hex()}' AS STRING)"
