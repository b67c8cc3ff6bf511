"""The rows of tables of a server as a frame of changes, and where a stream continues."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Unpack

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from pyspark_adapter.errors import short_traces
from pyspark_adapter.find_logs import server_of
from pyspark_adapter.operations.table_snapshot import TableSnapshot
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.spark.change_columns import key_metadata
from pyspark_adapter.spark.frame import frame_of, parts_of
from pyspark_adapter.spark.task_runs import num_parallel_tasks
from pyspark_adapter.spark.types import to_spark_schema
from pyspark_adapter.spark.versions import batch_function, check_options


@dataclass(frozen=True)
class Snapshot:
    """Rows of tables, and where their changes begin.

    Attributes:
        rows: a frame in the columns that a read with the same options has. `_change_type` is
            `snapshot`, and `_commit_version` is before all changes from `offset` on. Each use of
            the frame reads the tables again.
        offset: where a stream continues, for its option startingOffsets.
        ddl: the definitions of the tables, and the offset as a position.
    """

    rows: DataFrame
    offset: str
    ddl: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write `ddl` as a file, which then survives a power failure.

        A stream with `ddl` = path and `startingOffsets` = `ddl` continues there.

        Raises:
            OSError: if it cannot be written.
        """
        with whole_file(path, replaces=True) as file:
            file.write(self.ddl.encode())


@with_options
def snapshot(spark: SparkSession, **options: Unpack[BinlogOptionsDict]) -> Snapshot:
    """Return the rows that tables of a server have, and where a stream of their changes begins.

    No table is locked, and several tasks read, each in chunks of the primary key. Each row is as it
    was at some time after the offset, and each change from then on comes in the stream. Apply these
    by key, in order: an insert replaces an existing row, and a delete may find none::

        copy = snapshot(spark, table="shop.orders", **server)
        copy.rows.write.mode("overwrite").parquet("orders")
        copy.save("orders.sql")
        options = {"table": "shop.orders", "ddl": "orders.sql", "starting_offsets": "ddl"}
        changes = read_stream(spark, schema=copy.rows.schema, **options, **server)

    Each table needs a primary key, or a unique one that is NOT NULL. Without a primary key, or if
    it has a FLOAT, DOUBLE, BIT, ENUM or SET, one task reads the table. The user needs SELECT.

    Args:
        spark: the session, classic or of Spark Connect.
        options: the keyword arguments below, as for the stream. Those that choose changes choose no
            rows.

    Raises:
        OptionError: for an option that snapshots do not have.
        UnsupportedError: for a table without a key, or with versions of rows; if the release of
            PySpark needs Pandas for this, and it is missing.
        ServerError: if the server cannot be reached, does not log whole rows, or has a prepared
            transaction of XA.
    """
    checked = BinlogOptions.from_python(options)
    check_options(checked)
    server = server_of(None, checked)
    assert server is not None
    num_tasks = num_parallel_tasks(spark)
    planned = TableSnapshot.plan(replace(server.reachable(), fallbacks=()), checked, num_tasks)
    count = min(len(planned.chunks), 4 * num_tasks)
    in_tasks = replace(planned, chunks=())

    class Rows:
        """Reads the chunks of a partition."""

        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
            with short_traces:
                for chunks in parts_of(batch):
                    yield from in_tasks.read(chunks)

        def terminate(self) -> Iterator[pa.RecordBatch]:
            return iter(())

    schema = to_spark_schema(planned.request.schema, key_metadata(planned.request.row_key))
    parts = frame_of(spark, [planned.chunks[number::count] for number in range(count)])
    rows = batch_function(Rows, schema)(parts)
    return Snapshot(rows, json.dumps(planned.offset.to_json()), planned.ddl)
