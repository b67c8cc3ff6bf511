"""How fast Spark reads a table with `snapshot`, compared with its own JDBC reader.

`python -m bench.snapshot DIR --rows 2000000` starts a server of its own; Maven brings the driver.
Both write Parquet, with as many tasks at a time. JDBC is given what it needs to read in parallel:
the column, its bounds and the number of partitions. The second that a snapshot waits is included.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from bench.replicate_copy import fill
from bench.server import running_server
from pyspark_adapter import snapshot

DRIVER = "com.mysql:mysql-connector-j:9.5.0"
PARTITIONS = 8


def fetch(folder: Path) -> Path:
    """Bring the driver from Maven."""
    _, artifact, version = DRIVER.split(":")
    copy = f"-Dartifact={DRIVER}", f"-DoutputDirectory={folder}"
    command = ("mvn", "--batch-mode", "--quiet", "dependency:copy", *copy)
    subprocess.run(command, check=True)
    return folder / f"{artifact}-{version}.jar"


def timed(write: Callable[[], None]) -> float:
    """Return how long it takes."""
    started = time.perf_counter()
    write()
    return time.perf_counter() - started


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.snapshot", description=__doc__)
    parser.add_argument("servers", type=Path)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, running_server(asked.servers, {}) as server:
        with closing(server.connect()) as connection, connection.cursor() as cursor:
            fill(cursor, asked.rows)
        jar = fetch(Path(work))
        builder = SparkSession.builder.master("local[2]").config("spark.jars", str(jar))
        builder = builder.config("spark.ui.enabled", "false")
        spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        access: dict[str, Any] = {"host": "127.0.0.1", "port": server.port}
        access |= {"user": server.user, "password": server.password}
        url = (
            f"jdbc:mysql://127.0.0.1:{server.port}/shop?useCursorFetch=true&defaultFetchSize=10000"
        )
        options = {
            "url": f"{url}&allowPublicKeyRetrieval=true",
            "driver": "com.mysql.cj.jdbc.Driver",
            "dbtable": "orders",
            "user": server.user,
            "password": server.password,
            "partitionColumn": "id",
            "lowerBound": 0,
            "upperBound": asked.rows,
            "numPartitions": PARTITIONS,
        }

        def by_snapshot() -> None:
            rows = snapshot(spark, table="shop.orders", **access).rows
            rows.write.mode("overwrite").parquet(f"{work}/snapshot")

        def by_jdbc() -> None:
            rows = spark.read.format("jdbc").options(**options).load()
            rows.write.mode("overwrite").parquet(f"{work}/jdbc")

        found: dict[str, list[float]] = {"snapshot": [], "jdbc": []}
        for _ in range(asked.repeats + 1):
            found["snapshot"].append(timed(by_snapshot))
            found["jdbc"].append(timed(by_jdbc))
        assert spark.read.parquet(f"{work}/snapshot").count() == asked.rows
        ours, theirs = (statistics.median(times[1:]) for times in found.values())  # warm
        for name, times in found.items():
            shown = ", ".join(f"{seconds:.1f}" for seconds in times[1:])
            print(f"{name}: {shown} s")
        print(f"{asked.rows:,} rows: snapshot takes {ours / theirs:.2f} of the time of JDBC")


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main()
