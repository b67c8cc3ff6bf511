"""Writes the tables of some logs as Parquet data sets, with Spark."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pyspark_adapter.counting.table_summary import TableSummary
from pyspark_adapter.errors import MAX_MESSAGE, BinlogError, one_line
from pyspark_adapter.options.declarations import BinlogOptionsDict
from pyspark_adapter.options.table_name import TableName, folder_name
from pyspark_adapter.spark.parquet_files import write_parquet
from pyspark_adapter.spark.session import session


@dataclass(frozen=True)
class ExportedTable:
    """A table that was written, or could not be.

    Attributes:
        num_rows: its row images.
        error: why it was not written; None if it was.
    """

    table: TableName
    path: Path
    num_rows: int
    error: str | None = None


def start_session(cores: str = "*") -> SparkSession:
    """Return a local Spark session with the time zone UTC."""
    spark = session(
        "mysql-binlog-spark",
        {
            "spark.master": f"local[{cores}]",
            "spark.sql.session.timeZone": "UTC",
            "spark.ui.enabled": False,
            "spark.ui.showConsoleProgress": False,
        },
    )
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def start_quiet_session(messages: IO[bytes]) -> SparkSession:
    """Return a local Spark session whose processes write their messages to a file.

    Raises:
        BinlogError: if Spark does not start.
    """
    try:
        with _errors_to(messages):
            return start_session()
    except (PySparkException, Py4JError, OSError) as error:
        messages.seek(0)
        lines = messages.read().decode(errors="replace").strip().splitlines()
        reason = next((line for line in lines if "rror" in line), str(error))
        raise BinlogError(
            f"Spark does not start: {reason.strip()}",
            advice="check that it starts without this package: spark-submit --version",
        ) from error


@contextmanager
def _errors_to(file: IO[bytes]) -> Iterator[None]:
    """Give a file as the standard error to the processes that the body starts."""
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


def export_tables(
    spark: SparkSession, tables: Sequence[TableSummary], out: Path, options: BinlogOptionsDict
) -> Iterator[ExportedTable]:
    """Write tables, several at a time, and yield them in order.

    A table that fails does not stop the others.

    Args:
        tables: the tables, as `list_tables` returns them.
        out: folder for the data sets, each in a subfolder.
        options: further options of the reads.
    """

    def write(summary: TableSummary) -> ExportedTable:
        path = out / folder_name(summary.table.database_name, summary.table.table_name)
        of_table: BinlogOptionsDict = {**options, "table": summary.table}
        paths = None if options.get("host") else summary.paths
        try:
            num_rows = write_parquet(spark, path, paths, overwrite=True, **of_table)
            return ExportedTable(summary.table, path, num_rows)
        except (PySparkException, Py4JError, BinlogError) as error:
            return ExportedTable(summary.table, path, 0, _first_line(error))

    # Several at a time: the time of a small table is mostly the start of tasks.
    pool = ThreadPoolExecutor(max_workers=os.cpu_count())
    try:
        yield from pool.map(write, tables)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # of an interrupted export


def show_rows(spark: SparkSession, path: Path, count: int) -> bool:
    """Print the schema and some rows of a data set; return whether Spark can read the path.

    It takes brackets and stars for patterns, and refuses some other characters.
    """
    try:
        frame = spark.read.parquet(str(path))
        frame.printSchema()
        frame.show(count)
    except (PySparkException, Py4JError):
        return False
    return True


def _first_line(error: Exception) -> str:
    """Return the first line of an error; the others of one from the JVM are its trace."""
    return one_line(str(error).strip().partition("\n")[0], MAX_MESSAGE)
