"""A batch of changes of many tables, taken apart by `tables_of`, compared with an untyped pass.

As a program, it prints one line of JSON: `python -m bench.many_tables --tables 300 --repeats 3`.
The log is made for it: 5,000 transactions of 200 rows, each of the next table. The rows have an
integer key, three integers and two texts. Seconds are those of the fastest run:

- `untyped`: of a pass over all rows as JSON, into the noop sink;
- `parquet`: of all tables into Parquet, by `write_parquet` of `tables_of`, in one job;
- `delta`: the same by `write_delta`, into Delta tables that are there;
- `typed`: of a frame for each table into the noop sink, four at a time;
- `planned`: of the latter until `tables_of` gives the tables;
- `empty`: of a job without rows for each table, four at a time.

`untyped_processor` and so on are the seconds of all processors, as far as Java's compiler did not
use them; the least of the runs.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyspark.sql import SparkSession

from bench.processor_time import processor_seconds, used_since
from bench.spark_reader import to_noop
from bench.timing import run_module
from pyspark_adapter import TableChanges, tables_of
from pyspark_adapter.spark.export import start_session
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

NUM_TABLES = 50
NUM_TRANSACTIONS = 5000
NUM_ROWS = 200  # of each transaction
NUM_THREADS = 4
BAR = 1.5  # of `parquet` to `untyped`, in seconds of processors
LONG, LONGLONG, VARCHAR = 3, 8, 15


def write_log(path: Path, num_tables: int) -> None:
    """Write a log whose transactions change the tables in turns."""
    writer = LogWriter()
    columns = [LoggedColumn("id", LONG), *(LoggedColumn(name, LONGLONG) for name in "abc")]
    columns += [LoggedColumn(name, VARCHAR, b"\xc8\x00") for name in "st"]
    source = random.Random(1)  # noqa: S311 - to be the same each time is the purpose
    for number in range(NUM_TRANSACTIONS):
        table = number % num_tables
        images = [
            [
                struct.pack("<i", number * NUM_ROWS + i),
                *(struct.pack("<q", value) for value in (source.getrandbits(60), i, number)),
                b"\x14" + b"%020d" % i,
                b"\x1e" + b"some text of thirty characters",
            ]
            for i in range(NUM_ROWS)
        ]
        writer.begin()
        writer.table_map(100 + table, f"t{table}", columns)
        writer.rows(100 + table, Rows(WRITE_V2, images, [True] * len(columns)))
        writer.commit()
    path.write_bytes(writer.data)


def write_untyped(spark: SparkSession, path: Path) -> None:
    """Write all rows as JSON."""
    to_noop(spark.read.format("mysql_binlog").load(str(path)))


def write_tables(spark: SparkSession, path: Path) -> float:
    """Write each table with its columns; return the seconds until the tables were known."""

    def write(changes: TableChanges) -> int:
        to_noop(changes.rows)
        return changes.num_rows

    start = time.perf_counter()
    frame = spark.read.format("mysql_binlog").option("row", "arrow").load(str(path))
    with tables_of(frame) as tables, ThreadPoolExecutor(NUM_THREADS) as pool:
        planned = time.perf_counter() - start
        assert sum(pool.map(write, tables)) == NUM_TRANSACTIONS * NUM_ROWS
    return planned


def write_files(spark: SparkSession, path: Path, kind: str) -> None:
    """Write each table into Parquet or Delta, all in one job."""
    frame = spark.read.format("mysql_binlog").option("row", "arrow").load(str(path))
    with tables_of(frame) as tables:
        if kind == "parquet":
            written = tables.write_parquet(path.parent / kind, overwrite=True)
        else:
            written = tables.write_delta(path.parent / kind)
    assert sum(written.values()) == NUM_TRANSACTIONS * NUM_ROWS


def write_nothing(spark: SparkSession, num_tables: int) -> None:
    """Run a job without rows for each table."""
    with ThreadPoolExecutor(NUM_THREADS) as pool:
        list(pool.map(lambda _: to_noop(spark.range(0, 0, 1, 1)), range(num_tables)))


def measure(run: Callable[[], float | None]) -> tuple[float, float, float]:
    """Return the seconds of a run, of its processors, and what it returns."""
    before, start = processor_seconds(), time.perf_counter()
    returned = run()
    seconds = time.perf_counter() - start
    used = used_since(before)
    return seconds, sum(used.values()) - used.get("jvm jit", 0), returned or 0.0


def describe_many_tables(repeats: int) -> str:
    """Return a line: the time of both, and their ratio."""
    report = run_module("bench.many_tables", "--repeats", str(repeats), stderr=subprocess.DEVNULL)
    ratio, of_delta = (
        report[f"{kind}_processor"] / report["untyped_processor"] for kind in ("parquet", "delta")
    )
    return (
        f"{NUM_TABLES} tables, {report['num_bytes'] / 1e6:,.0f} MB: untyped pass"
        f" {report['untyped']:.2f} s, into Parquet {report['parquet']:.2f} s, ratio of processor"
        f" time {ratio:.2f} (bar {BAR}); into Delta {report['delta']:.2f} s, ratio {of_delta:.2f};"
        f" a frame each {report['typed']:.2f} s, as many jobs without"
        f" rows {report['empty']:.2f} s"
    )


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_tables", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    parser.add_argument("--tables", type=int, default=NUM_TABLES, help="tables; 50 by default")
    options = parser.parse_args()
    num_tables, repeats = options.tables, options.repeats
    spark = start_session("2")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "binlog.000001"
        write_log(path, num_tables)
        write_untyped(spark, path)
        write_tables(spark, path)
        for kind in ("parquet", "delta"):
            write_files(spark, path, kind)
        report: dict[str, float] = {"tables": num_tables, "num_bytes": path.stat().st_size}
        runs: dict[str, Callable[[], float | None]] = {
            "untyped": lambda: write_untyped(spark, path),
            "parquet": lambda: write_files(spark, path, "parquet"),
            "delta": lambda: write_files(spark, path, "delta"),
            "typed": lambda: write_tables(spark, path),
            "empty": lambda: write_nothing(spark, num_tables),
        }
        # In turns: all takes 1.5 times as long for minutes, see bench/README.md.
        rounds = [[measure(run) for run in runs.values()] for _ in range(repeats)]
        for name, found in zip(runs, zip(*rounds, strict=True), strict=True):
            seconds, processor, planned = map(min, zip(*found, strict=True))
            report |= {name: seconds, f"{name}_processor": processor}
            if name == "typed":
                report["planned"] = planned
    print(json.dumps({name: round(value, 3) for name, value in report.items()}))
    sys.stdout.flush()
    os._exit(0)  # stopping the session takes longer than most jobs


if __name__ == "__main__":
    main()
