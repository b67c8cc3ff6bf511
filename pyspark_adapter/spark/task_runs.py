"""Runs a function in Spark's tasks, in sessions of any kind, and collects what it returns."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import TypeVar

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.errors import BinlogError

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_tasks(
    spark: SparkSession, function: Callable[[Task], Result | BinlogError], tasks: Sequence[Task]
) -> list[Result]:
    """Call a function with each value in a task of its own, and return the results in order.

    Args:
        spark: the session, classic or of Spark Connect.
        function: returns an error of this package as a value, to keep its class. Spark may call
            it twice for one value, also at the same time.
        tasks: the values, which are pickled.

    Raises:
        BinlogError: of the first task that returned one.
    """
    if not tasks:
        return []
    outcomes = (_in_rdd if is_classic(spark) else _in_frame)(spark, function, tasks)
    results: list[Result] = []
    for result in outcomes:
        if isinstance(result, BinlogError):
            result.is_spelled = False  # Spark is not the caller
            raise result
        results.append(result)
    return results


def _in_rdd(
    spark: SparkSession, function: Callable[[Task], Result | BinlogError], tasks: Sequence[Task]
) -> list[Result | BinlogError]:
    """Run tasks as those of an RDD: a frame needs a query, which is planned and compiled."""
    return spark.sparkContext.parallelize(tasks, len(tasks)).map(function).collect()


def _in_frame(
    spark: SparkSession, function: Callable[[Task], Result | BinlogError], tasks: Sequence[Task]
) -> list[Result | BinlogError]:
    """Run tasks as those of a frame with a task in each cell: Spark Connect has no RDDs."""

    def run(task: bytes) -> bytes:
        return pickle.dumps(function(pickle.loads(task)))  # noqa: S301 - pickled below

    rows = [(number, bytearray(pickle.dumps(task))) for number, task in enumerate(tasks)]
    frame = spark.createDataFrame(rows, "number int, task binary").repartition(len(rows))
    call = F.udf(run, "binary", useArrow=False)
    collected = frame.select("number", call("task").alias("result")).collect()
    in_order = sorted(collected, key=lambda row: int(row["number"]))
    return [pickle.loads(row["result"]) for row in in_order]  # noqa: S301 - of our own tasks


def num_parallel_tasks(spark: SparkSession) -> int:
    """Return how many tasks Spark runs at a time."""
    if is_classic(spark):
        return spark.sparkContext.defaultParallelism
    # A range has as many partitions.
    return spark.range(1 << 16).select(F.spark_partition_id()).distinct().count()


def is_local(spark: SparkSession) -> bool:
    """Return whether all tasks run in the process of the driver, or of the Connect server."""
    master = str(spark.conf.get("spark.master", ""))
    return master == "local" or master.startswith("local[")


def is_classic(spark: SparkSession) -> bool:
    """Return whether the driver is this process, and not a Connect server."""
    return hasattr(spark, "_jsparkSession")
