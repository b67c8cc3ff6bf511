"""A batch of changes of 50 tables, taken apart by `tables_of`, compared with an untyped pass.

As a program, it prints one line of JSON: `python -m bench.many_tables --repeats 3`. The log is made
for it: 100 transactions of 200 rows for each table, which have an integer key, three integers and
two texts. Both sides write to the noop sink; the tables four at a time, as `examples/replicate/`.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyspark.sql import SparkSession

from bench.spark_reader import to_noop
from bench.timing import best_of, run_module
from pyspark_adapter import TableChanges, tables_of
from pyspark_adapter.spark.export import start_session
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

NUM_TABLES = 50
NUM_TRANSACTIONS = 100  # of each table
NUM_ROWS = 200  # of each transaction
NUM_THREADS = 4
BAR = 1.3
LONG, LONGLONG, VARCHAR = 3, 8, 15


def write_log(path: Path) -> None:
    """Write a log whose transactions change the tables in turns."""
    writer = LogWriter()
    columns = [LoggedColumn("id", LONG), *(LoggedColumn(name, LONGLONG) for name in "abc")]
    columns += [LoggedColumn(name, VARCHAR, b"\xc8\x00") for name in "st"]
    source = random.Random(1)  # noqa: S311 - to be the same each time is the purpose
    for number in range(NUM_TABLES * NUM_TRANSACTIONS):
        table = number % NUM_TABLES
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


def write_tables(spark: SparkSession, path: Path) -> None:
    """Write each table with its columns."""

    def write(changes: TableChanges) -> int:
        to_noop(changes.rows)
        return changes.num_rows

    frame = spark.read.format("mysql_binlog").option("row", "arrow").load(str(path))
    with tables_of(frame) as tables, ThreadPoolExecutor(NUM_THREADS) as pool:
        assert sum(pool.map(write, tables)) == NUM_TABLES * NUM_TRANSACTIONS * NUM_ROWS
        assert len(tables) == NUM_TABLES


def describe_many_tables(repeats: int) -> str:
    """Return a line: the time of both, and their ratio."""
    report = run_module("bench.many_tables", "--repeats", str(repeats), stderr=subprocess.DEVNULL)
    untyped, typed = report["untyped"], report["typed"]
    return (
        f"{NUM_TABLES} tables, {report['num_bytes'] / 1e6:,.0f} MB: untyped pass {untyped:.2f} s,"
        f" tables_of {typed:.2f} s, ratio {typed / untyped:.2f} (bar {BAR})"
    )


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_tables", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="runs; the best counts")
    options = parser.parse_args()
    spark = start_session("2")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "binlog.000001"
        write_log(path)
        write_untyped(spark, path)
        write_tables(spark, path)
        report = {
            "num_bytes": path.stat().st_size,
            "untyped": best_of(options.repeats, lambda: write_untyped(spark, path))[0],
            "typed": best_of(options.repeats, lambda: write_tables(spark, path))[0],
        }
    print(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # stopping the session takes longer than most jobs


if __name__ == "__main__":
    main()
