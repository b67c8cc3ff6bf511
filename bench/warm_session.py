"""Jobs of a warm Spark session: wall time, and processor time of all processes.

A job is what a user waits for: `load`, which discovers the schema of the table in the log, and the
write of all rows into the noop sink. As a program, it prints one line of JSON:
`python -m bench.warm_session large LOG --cores 2`, `... small LOG`, `... prepared FILE`, or
`... idle DIR` for the triggers of an idle stream.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)
from pyspark.sql.types import StructType

from bench.processor_time import Seconds, processor_seconds, used_since
from bench.spark_reader import TrivialSource, count_changes, to_noop, typed
from pyspark_adapter.spark.export import start_session
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spark.types import to_spark_schema

# Warm-up jobs: the JVM compiles what it runs often.
WARM_UPS = 3
# Triggers of a stream, and warm-up triggers.
NUM_TRIGGERS = 1000
WARM_TRIGGERS = 500


class PreparedSource(DataSource):
    """Repeats the record batches of an Arrow file: the cost of Spark for decoded rows.

    Options: `path` of the file, total `rows`, number of `partitions`.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "prepared"

    def schema(self) -> StructType:
        """Return the schema of the file."""
        with pa.memory_map(self.options["path"]) as file:
            return to_spark_schema(pa.ipc.open_stream(file).schema)

    def reader(self, schema: StructType) -> DataSourceReader:  # noqa: ARG002 - called by keyword
        """Return the reader of a batch read."""
        options = self.options
        return PreparedReader(options["path"], int(options["rows"]), int(options["partitions"]))


class PreparedReader(DataSourceReader):
    """Returns the batches of a file repeatedly."""

    def __init__(self, path: str, num_rows: int, num_partitions: int) -> None:
        self._path = path
        self._num_rows = num_rows
        self._num_partitions = num_partitions

    def partitions(self) -> list[InputPartition]:
        """Return the partitions, all alike."""
        return [InputPartition(k) for k in range(self._num_partitions)]

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:  # noqa: ARG002 - its name is Spark's
        """Yield batches until a partition has its share of the rows."""
        left = self._num_rows // self._num_partitions
        with pa.memory_map(self._path) as file:
            batches = list(pa.ipc.open_stream(file))
        while left > 0:
            for batch in batches:
                yield batch.slice(0, left)
                left -= batch.num_rows
                if left <= 0:
                    return


class WatchedSource(DefaultSource):
    """Binary logs; records when `latestOffset` is called and returns.

    Attributes:
        times: path of the file for the times.
    """

    times = ""

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "watched"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802 - Spark's
        """Return the reader of a stream."""
        reader = super().streamReader(schema)
        look, path = reader.latestOffset, Path(self.times)

        def latest_offset(*arguments: Any) -> Any:
            started = time.perf_counter()
            found = look(*arguments)
            with path.open("a") as file:
                file.write(f"{started} {time.perf_counter()}\n")
            return found

        patch.object(reader, "latestOffset", latest_offset).start()
        return reader


def time_jobs(load: Callable[[], DataFrame], repeats: int) -> dict[str, Any]:
    """Run a job repeatedly and return its best wall and processor seconds."""
    for _ in range(WARM_UPS):
        to_noop(load())
    runs: list[tuple[float, Seconds]] = []
    for _ in range(repeats):
        before, started = processor_seconds(), time.perf_counter()
        to_noop(load())
        seconds = time.perf_counter() - started
        runs.append((seconds, used_since(before)))
    return {
        "seconds": min(seconds for seconds, _ in runs),
        "used": min((used for _, used in runs), key=_total),
    }


def _total(used: Seconds) -> float:
    return sum(used.values())


def time_small_jobs(spark: SparkSession, log: str, repeats: int) -> dict[str, Any]:
    """Return the median seconds of a job on a small log, and of one of a trivial source.

    The two alternate, so both see the same load of the machine.
    """
    jobs: dict[str, Callable[[], DataFrame]] = {
        "ours": partial(typed, spark, log),
        "trivial": spark.read.format("trivial").load,
    }
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for run in range(WARM_UPS + repeats):
        for name, load in jobs.items():
            started = time.perf_counter()
            to_noop(load())
            if run >= WARM_UPS:
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(times) for name, times in seconds.items()}


def time_idle_triggers(spark: SparkSession, folder: str) -> dict[str, list[float]]:
    """Return the sorted seconds of idle triggers, and of our part of them.

    Spark does not report such triggers. Here they run one after another, without a pause.
    """
    with tempfile.TemporaryDirectory() as name:
        spark.conf.set("spark.sql.streaming.pollingDelay", "0")
        WatchedSource.times = str(Path(name) / "times")
        spark.dataSource.register(WatchedSource)
        reader = spark.readStream.format("watched").option("startingOffsets", "latest")
        query = reader.load(folder).writeStream.format("noop").start()
        times: list[list[float]] = []
        while query.isActive and len(times) < WARM_TRIGGERS + NUM_TRIGGERS:
            time.sleep(0.2)
            text = (
                Path(WatchedSource.times).read_text() if Path(WatchedSource.times).exists() else ""
            )
            times = [[float(part) for part in line.split()] for line in text.splitlines()[:-1]]
        query.stop()
    begun = [start for start, _ in times[WARM_TRIGGERS:]]
    return {
        "trigger": sorted(later - start for start, later in pairwise(begun)),
        "look": sorted(end - start for start, end in times[WARM_TRIGGERS:]),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Time the requested jobs and report to the parent process."""
    parser = argparse.ArgumentParser(prog="python -m bench.warm_session", description=__doc__)
    parser.add_argument("what", choices=("large", "small", "prepared", "idle"))
    parser.add_argument("path", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rows", type=int, default=0, help="of the job on prepared batches")
    parser.add_argument("--partitions", type=int, default=1, help="of the same")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    path = str(options.path.resolve())
    spark = start_session(str(options.cores))
    spark.dataSource.register(TrivialSource)
    spark.dataSource.register(PreparedSource)
    if options.what == "small":
        report = time_small_jobs(spark, path, options.repeats)
    elif options.what == "idle":
        report = time_idle_triggers(spark, path)
    elif options.what == "large":
        report = time_jobs(partial(typed, spark, path), options.repeats)
        report["rows"] = count_changes(spark, [path])[options.path.stem]
    else:
        source = spark.read.format("prepared").option("path", path)
        source = source.option("rows", options.rows).option("partitions", options.partitions)
        report = time_jobs(source.load, options.repeats)
    print(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # stopping the session takes longer than most jobs


if __name__ == "__main__":
    main()
