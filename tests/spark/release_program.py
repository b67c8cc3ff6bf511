"""What tests of releases run in processes of their own, with a session of their own.

count MASTER LOG TABLE          prints the number of rows, of the frame and by its own count
stream OPTIONS OUT CHECKPOINT   writes a stream of a server as Parquet
"""

import json
import os
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from pyspark_adapter import read_frame, read_stream
from tests.conftest import QUICK_JAVA


def session_of(master: str) -> SparkSession:
    """Return a session; `connect` is one of Spark Connect with a server of its own."""
    if master == "connect":
        os.environ["SPARK_TESTING"] = "1"  # PySpark then takes a free port
        return SparkSession.builder.remote("local[2]").getOrCreate()
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.executor.extraJavaOptions", QUICK_JAVA)
    return builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()


def write_stream(
    changes: DataFrame, out: str | Path, checkpoint: str | Path, *, once: bool = False
) -> bool | None:
    """Write a stream as Parquet; return whether it ended if it reads only what is there."""
    writer = changes.select("id").writeStream.format("parquet").option("path", str(out))
    writer = writer.option("checkpointLocation", str(checkpoint))
    writer = writer.trigger(availableNow=True) if once else writer
    return writer.start().awaitTermination(240 if once else None)


def main() -> None:
    """Run a command."""
    command, first, *others = sys.argv[1:]
    if command == "count":
        log, table = others
        frame = read_frame(session_of(first), log, table=table)
        print(json.dumps([len(frame.collect()), frame.count()]))  # noqa: T201
        return
    write_stream(read_stream(session_of("local[2]"), **json.loads(first)), *others)


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main()
