"""The tables of a batch of changes, each as a typed frame, from one read of the logs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import groupby
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import GROUPS_SCHEMA, METADATA_BY_NAME
from pyspark_adapter.spark.row_key import key_metadata
from pyspark_adapter.spark.types import to_spark_schema
from pyspark_adapter.spark.worker_process import freeze_gc
from pyspark_adapter.values.widening import common_type

_TABLE: Final = ["database_name", "table_name"]
_ORDER: Final = ["first_commit_version", "last_commit_version"]
_ROWS: Final = "rows"
# A frame of fewer bytes has one partition. Tables of more are decoded by several tasks.
_PARTITION_BYTES: Final = 64 << 20
# Row images of a record batch that Spark gets.
_BATCH_ROWS: Final = 16384


@dataclass(frozen=True)
class TableStatement:
    """A statement that changed a table, not its rows.

    Attributes:
        kind: `create`, `alter`, `rename`, `drop` or `truncate`.
        text: the statement.
        commit_version: its place, as `_commit_version` of rows.
    """

    kind: str
    text: str
    commit_version: int


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
    _schema: pa.Schema
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
            After a `truncate` or `drop` no row from before is there; rows come under the new
            name after a `rename`.
    """

    table: TableName
    parts: tuple[TablePart, ...]
    statements: tuple[TableStatement, ...] = ()

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

    @property
    def rows(self) -> DataFrame:
        """All changes: the columns of all parts, in the widest types, as option `mergeSchema`.

        A column that a part lacks is null in its rows, whatever its default.

        Raises:
            SchemaMismatchError: if a column has types without a common one (use `parts`), or no
                row was changed.
        """
        if not self.parts:
            raise SchemaMismatchError(f"table {self.table}: expected changes of rows, found none")
        if len(self.parts) == 1:
            return self.parts[0].rows
        fields: dict[str, pa.Field] = {}
        for field in (field for part in self.parts for field in part._schema):
            known = fields.setdefault(field.name.lower(), field)
            kind = common_type(known.type, field.type)
            if kind is None:
                raise SchemaMismatchError(
                    f"table {self.table}: column {field.name} is {known.type} and then"
                    f" {field.type}: expected one of the types to hold all values of the other;"
                    " use the parts of the table"
                )
            fields[field.name.lower()] = known.with_type(kind)
        wanted = to_spark_schema(pa.schema(list(fields.values())))
        frames = []
        for part in self.parts:
            has = {name.lower() for name in part.rows.columns}
            frames.append(
                part.rows.select(
                    [
                        (
                            part.rows[_quoted(field.name)]
                            if field.name.lower() in has
                            else F.lit(None)
                        )
                        .cast(field.dataType)
                        .alias(field.name)
                        for field in wanted
                    ]
                )
            )
        return reduce(DataFrame.unionByName, frames)


@contextmanager
def tables_of(
    batch: DataFrame, *, num_partitions: int | None = None
) -> Iterator[list[TableChanges]]:
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
        The tables, in the order of their names.

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
    count = num_partitions or batch.sparkSession.sparkContext.defaultParallelism
    kept = batch.repartition(count, *_TABLE).sortWithinPartitions(*_TABLE, *_ORDER)
    kept = kept.persist()
    try:
        found = kept.withColumn(_ROWS, F.length(_ROWS).alias(_ROWS)).collect()
        schemas = {row["shape"]: row["schema"] for row in found if row["schema"] is not None}
        decoders = _Decoders(kept, schemas)
        of_table: dict[TableName, list[Row]] = defaultdict(list)
        for row in sorted(found, key=lambda row: tuple(row[name] for name in _ORDER)):
            of_table[TableName(row["database_name"], row["table_name"])].append(row)
        yield [
            TableChanges(table, tuple(_parts(decoders, table, groups)), tuple(_statements(groups)))
            for table, groups in sorted(of_table.items(), key=lambda pair: str(pair[0]))
        ]
    finally:
        kept.unpersist()


def _parts(decoders: _Decoders, table: TableName, groups: list[Row]) -> Iterator[TablePart]:
    """Yield the parts of a table, from its groups in order."""
    runs = [list(run) for shape, run in groupby(groups, key=lambda row: row["shape"]) if shape]
    for run in runs:
        shape = run[0]["shape"]
        bounds = run[0]["first_commit_version"], run[-1]["first_commit_version"]
        schema = decoders.schema(shape)
        num_partitions = 1 + sum(row[_ROWS] for row in run) // _PARTITION_BYTES
        yield TablePart(
            _key(schema),
            tuple(name for name in schema.names if name not in METADATA_BY_NAME),
            sum(row["num_rows"] for row in run),
            max(row["last_commit_version"] for row in run),
            schema,
            # When it is used: Spark takes some milliseconds, and the threads of a pool share them.
            partial(decoders.rows, table, shape, bounds if len(runs) > 1 else None, num_partitions),
        )


def _statements(groups: list[Row]) -> Iterator[TableStatement]:
    """Yield the statements among the groups of a table, which are in order."""
    for row in groups:
        if row["change_type"] is not None:
            yield TableStatement(row["change_type"], row["statement"], row["last_commit_version"])


class _Decoders:
    """Decodes groups; tables of one shape share what Spark has to know of it.

    Args:
        kept: the groups.
        schemas: of their rows, serialized, by shape.
    """

    def __init__(self, kept: DataFrame, schemas: dict[str, bytes]) -> None:
        self._kept = kept
        self._schemas = {
            shape: pa.ipc.read_schema(pa.py_buffer(schema)) for shape, schema in schemas.items()
        }
        self._functions: dict[str, Any] = {}
        self._is_local = _is_local(kept.sparkSession)

    def schema(self, shape: str) -> pa.Schema:
        """Return the schema of the rows of a shape."""
        return self._schemas[shape]

    def rows(
        self, table: TableName, shape: str, bounds: tuple[int, int] | None, num_partitions: int
    ) -> DataFrame:
        """Return rows of a table.

        Args:
            table: the table.
            shape: of the rows.
            bounds: first and last `first_commit_version` of their groups; None if all groups of
                the table are of this shape.
            num_partitions: of the frame.
        """
        # As text: each operation on a column of PySpark is several calls of the JVM.
        names = zip(_TABLE, (table.database_name, table.table_name), strict=True)
        is_kept = [f"{_ROWS} IS NOT NULL", *(f"{name} = {_literal(text)}" for name, text in names)]
        if bounds is not None:
            is_kept.append(f"shape = {_literal(shape)}")
            is_kept.append(f"{_ORDER[0]} BETWEEN {bounds[0]} AND {bounds[1]}")
        if shape not in self._functions:
            self._functions[shape] = _decoder(self._schemas[shape])
        groups = self._kept.where(" AND ".join(is_kept))
        if num_partitions > 1:
            groups = groups.repartitionByRange(num_partitions, *_ORDER)
        elif self._is_local:
            groups = groups.coalesce(1)
        else:
            # Each host sends what it keeps of the table: one task would fetch what all hosts keep.
            groups = groups.repartition(1)
        if num_partitions > 1 or not self._is_local:
            groups = groups.sortWithinPartitions(*_ORDER)
        rows: DataFrame = self._functions[shape](groups.select(_ROWS).asTable())
        return rows


def _decoder(schema: pa.Schema) -> Any:
    """Return a table function of a frame with the column `rows` alone, of groups of a schema."""

    class Decoder:
        """Runs in tasks. Unlike `mapInArrow`, a table function needs no Pandas."""

        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
            """Yield the rows of some groups."""
            freeze_gc()
            pending: list[pa.RecordBatch] = []
            num_rows = 0
            for rows in batch.column(0):
                pending.append(pa.ipc.read_record_batch(rows.as_buffer(), schema))
                num_rows += pending[-1].num_rows
                if num_rows >= _BATCH_ROWS:
                    yield _joined(pending)
                    pending, num_rows = [], 0
            if pending:
                yield _joined(pending)

    return F.arrow_udtf(Decoder, returnType=to_spark_schema(schema, key_metadata(_key(schema))))


def _is_local(spark: SparkSession) -> bool:
    """Return whether all tasks run in the process of the driver."""
    master = str(spark.sparkContext.master)
    return master == "local" or master.startswith("local[")


def _key(schema: pa.Schema) -> tuple[str, ...]:
    """Return the names of the key columns of a shape."""
    return tuple(json.loads(schema.metadata[KEY]))


def _literal(text: str) -> str:
    """Return a text in Spark's SQL, whatever its settings say of backslashes."""
    return f"CAST(X'{text.encode().hex()}' AS STRING)"


def _joined(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
