"""How the time of `latest_rows` grows with changes and cores, compared to a read of the changes.

`python -m bench.latest_rows --changes 200000 --changes 2000000` prints a Markdown table. A fifth of
the changes are inserts, the others update one column, spread over all rows. A row has 100 bytes of
text, which only the insert has under `binlog_row_image=MINIMAL`. The changes are read from a
Parquet file, as a stream would write it.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sql

from bench.spark_reader import to_noop
from bench.timing import run_module
from pyspark_adapter import latest_rows
from pyspark_adapter.spark.export import start_session

# Spreads updates over rows.
_STRIDE: Final = 7919
_HEADER: Final = "| changes | images | cores | read | `latest_rows` | changes/s |"


def minimal_changes(spark: SparkSession, num_changes: int) -> DataFrame:
    """Return MINIMAL images, in the columns of a read."""
    num_rows = num_changes // 5
    version = (sql.col("id") / 2).cast("long")
    images = spark.range(2 * num_changes).select(
        version.alias("_commit_version"), (sql.col("id") % 2 == 0).alias("is_before")
    )
    is_insert = sql.col("_commit_version") < num_rows
    is_before = sql.col("is_before")

    def absent(*names: str) -> Column:
        return sql.array(*map(sql.lit, names)).cast("array<string>")

    return images.where(~(is_insert & is_before)).select(
        sql.when(is_insert, "insert")
        .when(is_before, "update_preimage")
        .otherwise("update_postimage")
        .alias("_change_type"),
        "_commit_version",
        sql.lit(0).alias("_row_number"),
        sql.when(is_insert, absent())
        .when(is_before, absent("balance", "note"))
        .otherwise(absent("id", "note"))
        .alias("_absent_columns"),
        sql.lit(None).cast("string").alias("_json_diff"),
        sql.when(is_insert, sql.col("_commit_version"))
        .when(is_before, sql.pmod(sql.col("_commit_version") * _STRIDE, sql.lit(num_rows)))
        .alias("id"),
        sql.when(is_insert | ~is_before, sql.col("_commit_version")).alias("balance"),
        sql.when(is_insert, sql.repeat(sql.lit("text "), sql.lit(20))).alias("note"),
    )


def whole_changes(spark: SparkSession, num_changes: int) -> DataFrame:
    """Return the same changes in FULL images. Old values do not matter here."""
    num_rows = num_changes // 5
    row = sql.pmod(sql.col("_commit_version") * _STRIDE, sql.lit(num_rows))
    return (
        minimal_changes(spark, num_changes)
        .drop("_absent_columns", "_json_diff")
        .withColumns(
            {
                "id": sql.coalesce("id", row),
                "balance": sql.coalesce("balance", sql.lit(0)),
                "note": sql.repeat(sql.lit("text "), sql.lit(20)),
            }
        )
    )


def time_state(cores: int, num_changes: int) -> dict[str, list[float]]:
    """Return the seconds of a read and of `latest_rows`, by kind of image; starts a session."""
    spark = start_session(str(cores))
    report: dict[str, list[float]] = {}
    makers = {"FULL": whole_changes, "MINIMAL": minimal_changes}
    with tempfile.TemporaryDirectory() as folder:
        for images, make in makers.items():
            path = str(Path(folder) / images)
            make(spark, num_changes).write.parquet(path)
            frame = spark.read.parquet(path)
            state = latest_rows(frame, ["id"])
            assert state.where("note IS NULL").count() == 0
            assert state.count() == num_changes // 5
            report[images] = [_seconds_of(frame), _seconds_of(state)]
    return report


def _seconds_of(frame: DataFrame) -> float:
    """Return the seconds of a job that computes all rows, in its second run."""
    to_noop(frame)
    started = time.perf_counter()
    to_noop(frame)
    return time.perf_counter() - started


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table, or, for one session, a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.latest_rows", description=__doc__)
    parser.add_argument("--changes", type=int, action="append", required=True, help="how many")
    parser.add_argument("--cores", type=int, help="run one session, and print JSON")
    options = parser.parse_args(arguments)
    if options.cores is not None:
        print(json.dumps(time_state(options.cores, options.changes[0])))
        sys.stdout.flush()
        os._exit(0)  # stopping the session takes longer than most jobs
    print(_HEADER + "\n" + "|---" * _HEADER.count(" | ") + "|---|")
    for num_changes in options.changes:
        for cores in (1, 2):
            report = run_module(
                "bench.latest_rows", "--cores", str(cores), "--changes", str(num_changes)
            )
            for images, (read, state) in report.items():
                print(
                    f"| {num_changes:,} | {images} | {cores} | {read:.2f} s | {state:.2f} s"
                    f" | {num_changes / state:,.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
