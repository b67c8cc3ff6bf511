"""Reads as frames, by one call with every release of PySpark."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.find_logs import Paths
from pyspark_adapter.options.binlog_options import BinlogOptions, with_options
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.spark.batch import BinlogReader
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spark.task_runs import is_classic
from pyspark_adapter.spark.versions import HAS_DATA_SOURCES, RELEASE, check_options, map_in_arrow
from pyspark_adapter.spelling import spark_name


@with_options
def read_frame(
    spark: SparkSession,
    paths: Paths | None = None,
    *,
    schema: StructType | None = None,
    **options: Unpack[BinlogOptionsDict],
) -> DataFrame:
    """Return the frame that `spark.read.format("mysql_binlog")` gives, also with PySpark 3.5.

    PySpark 3.5 has no data sources in Python. There the driver plans the read in this call, and
    tasks read the same splits by `mapInArrow`, for which PySpark needs Pandas.

    Args:
        spark: the session, classic or of Spark Connect.
        paths: a log file, a directory of log files, or several of either; see `find_log_files`.
            None with the option `host`.
        schema: the columns to give, in Spark's types; None for all.
        options: the keyword arguments below.

    Raises:
        OptionError: for an unknown option, a value that is not allowed, or one that needs a later
            release of PySpark.
        BinlogError: with PySpark 3.5 as `read_batches`; later releases wrap it.
    """
    checked = BinlogOptions.from_python(options)
    checked.check_for_batch()
    check_options(checked)
    in_spark, logs = _in_spark(options), _as_list(paths)
    if HAS_DATA_SOURCES:
        reader = spark.read.format(DefaultSource.name()).options(**in_spark)
        return (reader if schema is None else reader.schema(schema)).load(logs)
    source = DefaultSource({**in_spark, "paths": json.dumps(logs or [])})
    schema = source.schema() if schema is None else schema
    planned = source.reader(schema)
    assert isinstance(planned, BinlogReader)
    return map_in_arrow(frame_of(spark, planned.partitions()), _Read(planned), schema)


@with_options
def read_stream(
    spark: SparkSession,
    paths: Paths | None = None,
    *,
    schema: StructType | None = None,
    **options: Unpack[BinlogOptionsDict],
) -> DataFrame:
    """Return the frame that `spark.readStream.format("mysql_binlog")` gives.

    Args:
        spark: the session, classic or of Spark Connect.
        paths, schema: as for `read_frame`.
        options: the keyword arguments below.

    Raises:
        OptionError: as `read_frame`.
        UnsupportedError: with PySpark 3.5.
    """
    check_options(BinlogOptions.from_python(options))
    if not HAS_DATA_SOURCES:
        raise UnsupportedError(
            f"streams need PySpark 4.0 or later, found {RELEASE}",
            advice="copy the tables with `mysql-binlog-spark replicate`, or run a batch at times,"
            " see the guide to releases of Spark",
        )
    stream = spark.readStream.format(DefaultSource.name()).options(**_in_spark(options))
    stream = stream if schema is None else stream.schema(schema)
    logs = _as_list(paths)
    return stream.load(logs if logs is None else ",".join(logs))


def _in_spark(options: Mapping[str, Any]) -> dict[str, str]:
    """Return options as Spark takes them."""
    return {spark_name(n): _text_of(value) for n, value in options.items() if value is not None}


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(_text_of, value))
    if isinstance(value, datetime):
        return value.isoformat()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _as_list(paths: Paths | None) -> list[str] | None:
    if paths is None:
        return None
    return [os.fspath(p) for p in ([paths] if isinstance(paths, str | os.PathLike) else paths)]


def frame_of(spark: SparkSession, partitions: Sequence[Any]) -> DataFrame:
    """Return a frame with a partition for each part of a read."""
    rows = [(number, bytearray(pickle.dumps(one))) for number, one in enumerate(partitions)]
    form = "number int, partition binary"
    if not rows or not is_classic(spark):
        frame = spark.createDataFrame(rows, form)
        return frame.repartitionByRange(len(rows), "number") if rows else frame
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, len(rows)), form)


def parts_of(batch: pa.RecordBatch) -> Iterator[Any]:
    """Yield the parts in a record batch of `frame_of`."""
    for part in batch.column("partition"):
        yield pickle.loads(part.as_buffer())  # noqa: S301 - pickled by `frame_of`


class _Read:
    """Reads partitions in a task."""

    def __init__(self, reader: BinlogReader) -> None:
        self._reader = reader

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for partition in parts_of(batch):
                yield from self._reader.read(partition)
