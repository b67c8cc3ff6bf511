"""Our reader in Spark, `local[2]`: first job, warm jobs into the noop sink, memory of workers.

As a program, it prints one line of JSON:
`python -m bench.spark_reader first-trivial`, `... first-ours LOG`, `... warm LOG LOG ...`.
"""

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from bench.core_reader import OPERATIONS
from bench.processor_time import family, processor_seconds, used_since
from bench.timing import best_of, peak_rss
from bench.workloads import DATABASE_NAME
from pyspark_adapter import write_parquet
from pyspark_adapter.spark.export import start_session

POLL_SECONDS = 0.02


class TrivialSource(DataSource):
    """A source of one row: the minimal cost of any Python source."""

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "trivial"

    def schema(self) -> str:
        """Return the schema of the read."""
        return "number bigint"

    def reader(self, schema: Any) -> DataSourceReader:  # noqa: ARG002 - called by keyword
        """Return the reader of a batch read."""
        return TrivialReader()


class TrivialReader(DataSourceReader):
    """Reads one row."""

    def partitions(self) -> list[InputPartition]:
        """Return one partition."""
        return [InputPartition(0)]

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:  # noqa: ARG002 - its name is Spark's
        """Yield one batch of one row."""
        yield pa.record_batch({"number": pa.array([1], pa.int64())})


def to_noop(frame: DataFrame) -> None:
    """Run a job that computes all rows and discards them."""
    frame.write.format("noop").mode("overwrite").save()


def typed(spark: SparkSession, log: str) -> DataFrame:
    """Return the rows of the table of a log."""
    table = f"{DATABASE_NAME}.{Path(log).stem}"
    return spark.read.format("mysql_binlog").option("table", table).load(log)


def count_changes(spark: SparkSession, logs: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the row changes of each log by operation, counted by Spark."""
    counts = {}
    for log in logs:
        found = typed(spark, log).groupBy("_change_type").count().collect()
        by_change = {row["_change_type"]: row["count"] for row in found}
        counts[Path(log).stem] = {
            operation: by_change[change]
            for change, operation in OPERATIONS.items()
            if change in by_change
        }
    return counts


def python_workers() -> Iterator[int]:
    """Yield the ids of the Python processes of this Spark session."""
    for pid in family():
        process = Path(f"/proc/{pid}")
        try:
            command = (process / "cmdline").read_bytes()
            parent = (process / "stat").read_text().rsplit(")", 1)[1].split()[1]
            is_fork = b"pyspark.daemon" in Path(f"/proc/{parent}/cmdline").read_bytes()
        except OSError:
            continue
        if b"pyspark.daemon" in command and is_fork:
            yield pid


@contextmanager
def watched_workers() -> Iterator[Callable[[], int]]:
    """Watch the workers during the block; yields a function that returns their peak memory."""
    highest = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(POLL_SECONDS):
            for pid in python_workers():
                try:
                    highest = max(highest, peak_rss(pid))
                except OSError:
                    continue

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield lambda: highest
    finally:
        done.set()
        thread.join()


def first_job(log: str | None) -> dict[str, Any]:
    """Time the first job of a session: on the trivial source, or on a log."""
    spark = start_session("2")
    with watched_workers() as highest:
        started = time.perf_counter()
        if log is None:
            spark.dataSource.register(TrivialSource)
            to_noop(spark.read.format("trivial").load())
        else:
            to_noop(spark.read.format("mysql_binlog").load(log))
        seconds = time.perf_counter() - started
        time.sleep(5 * POLL_SECONDS)
        return {"seconds": seconds, "worker_peak": highest()}


def warm_jobs(logs: Sequence[str], repeats: int) -> dict[str, Any]:
    """Time the jobs of a warm session, which has read all logs before."""
    spark = start_session("2")
    frames = {Path(log).stem: typed(spark, log) for log in logs}
    with watched_workers() as highest:
        for frame in frames.values():
            to_noop(frame)
        before = processor_seconds()
        per_log = {
            name: best_of(repeats, partial(to_noop, frame))[0] for name, frame in frames.items()
        }
        used = used_since(before)["workers"] / repeats
        worker_peak = highest()
    as_json = spark.read.format("mysql_binlog").load(list(logs))
    to_noop(as_json)
    return {
        "seconds": per_log,
        "json_seconds": best_of(repeats, lambda: to_noop(as_json))[0],
        "parquet": write_jobs(spark, logs, repeats),
        "worker_seconds": used,
        "worker_peak": worker_peak,
        "rows": count_changes(spark, logs),
    }


def write_jobs(spark: SparkSession, logs: Sequence[str], repeats: int) -> dict[str, list[float]]:
    """Time two ways to write the tables of logs as Parquet; [seconds, processor seconds] of each.

    Raises:
        RuntimeError: they wrote different numbers of rows.
    """
    report = {}
    with TemporaryDirectory() as folder:

        def outs_of(way: str) -> list[str]:
            """Return a folder for each log: `write_parquet` replaces no files of others."""
            return [f"{folder}/{way}/{Path(log).stem}" for log in logs]

        def by_data_frame() -> None:
            for log, out in zip(logs, outs_of("by_data_frame"), strict=True):
                typed(spark, log).write.mode("overwrite").parquet(out)

        def by_tasks() -> None:
            for log, out in zip(logs, outs_of("by_tasks"), strict=True):
                table = f"{DATABASE_NAME}.{Path(log).stem}"
                write_parquet(spark, out, log, table=table, overwrite=True)

        counts = []
        for write in (by_data_frame, by_tasks):
            write()
            counts.append([spark.read.parquet(out).count() for out in outs_of(write.__name__)])
            before = processor_seconds()
            seconds, _ = best_of(repeats, write)
            report[write.__name__] = [seconds, sum(used_since(before).values()) / repeats]
    if counts[0] != counts[1]:
        raise RuntimeError(f"rows in Parquet files: {counts[0]} and {counts[1]}")
    return report


def main(arguments: Sequence[str] | None = None) -> None:
    """Time the requested jobs and report to the parent process."""
    parser = argparse.ArgumentParser(prog="python -m bench.spark_reader", description=__doc__)
    parser.add_argument("what", choices=("first-trivial", "first-ours", "warm"))
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    if options.what == "warm":
        report = warm_jobs(options.logs, options.repeats)
    else:
        report = first_job(options.logs[0] if options.logs else None)
    print(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # stopping the session takes longer than most jobs


if __name__ == "__main__":
    main()
