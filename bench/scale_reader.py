"""One job on many logs or a huge one: time to plan and run it, and peak memory.

As a program, it prints one line of JSON:
`python -m bench.scale_reader --cores 2 --table shop.orders PATH`.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import Observation
from pyspark.sql import functions as sql

from bench.spark_reader import POLL_SECONDS, to_noop, watched_workers
from pyspark_adapter.spark.export import start_session

# Spark writes an event log of its tasks: one file, a JSON object a line.
_RECORD = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
_TASK_END = "SparkListenerTaskEnd"


def run_job(
    paths: Sequence[str], cores: int, settings: dict[str, str], schema: str | None, record: Path
) -> dict[str, Any]:
    """Plan and run a job twice in one session; times are those of the second, warm one.

    Args:
        paths: of the logs.
        cores: threads of the session.
        settings: options of the read.
        schema: columns to read, as Spark writes them; None for all.
        record: an empty folder for what Spark records.
    """
    conf = _RECORD | {"spark.eventLog.dir": str(record)}
    given = " ".join(f"--conf {name}={value}" for name, value in conf.items())
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{given} pyspark-shell"
    spark = start_session(str(cores))
    rows = Observation()
    report: dict[str, Any] = {}
    for is_warm in (False, True):
        reader = spark.read.format("mysql_binlog").options(**settings)
        if schema is not None:
            reader = reader.schema(schema)
        with watched_workers() as highest:
            started = time.perf_counter()
            frame = reader.load(list(paths))
            partitions = frame.rdd.getNumPartitions()
            planned = time.perf_counter()
            time.sleep(5 * POLL_SECONDS)
            if not is_warm:  # later, there are workers that have run tasks
                report["planning_peak"] = highest()
                frame = frame.observe(rows, sql.count("*").alias("rows"))
            begun = time.perf_counter()
            to_noop(frame)
            seconds = time.perf_counter() - begun
            time.sleep(5 * POLL_SECONDS)
            report["worker_peak"] = highest()
        report |= {
            "planning_seconds": planned - started,
            "partitions": partitions,
            "seconds": seconds,
        }
    spark.stop()
    return report | {"rows": rows.get["rows"], "shuffle_bytes": _shuffled(record)}


def _shuffled(record: Path) -> int:
    """Return the shuffle bytes that tasks wrote."""
    [log] = record.iterdir()
    events = [json.loads(line) for line in log.read_text().splitlines()]
    tasks = [event["Task Metrics"] for event in events if event["Event"] == _TASK_END]
    return sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in tasks)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the job and report to the parent process."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale_reader", description=__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--cores", type=int, required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--schema")
    parser.add_argument("--columns")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as record:
        settings = {"table": options.table}
        if options.columns is not None:
            settings["columns"] = options.columns
        report = run_job(options.paths, options.cores, settings, options.schema, Path(record))
    print(json.dumps(report))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
