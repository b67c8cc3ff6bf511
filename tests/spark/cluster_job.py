"""A job on a cluster of one worker process; prints what it found as JSON.

Arguments: a good log, a damaged log, a table.
"""

import json
import os
import sys

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession


def main(good: str, damaged: str, table: str) -> None:
    """Run the job."""
    spark = (
        SparkSession.builder.master("local-cluster[1,1,1024]")
        .config("spark.executor.memory", "512m")
        .config("spark.driver.memory", "1g")
        .config("spark.executor.extraJavaOptions", os.environ["SPARK_SUBMIT_OPTS"])
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    source = spark.read.format("mysql_binlog")
    # So small that each log has a task of its own.
    frame = source.options(table=table, maxPartitionBytes="64k").load([good, good])
    rows = frame.select("_change_type", "order_id", "total", "placed_at").collect()
    try:
        source.load(damaged).collect()
        error = ""
    except PySparkException as caught:
        error = str(caught)
    found = {
        "rows": [[str(value) for value in row] for row in rows],
        "partitions": frame.rdd.getNumPartitions(),
        "error": error,
    }
    sys.stdout.write(json.dumps(found) + "\n")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
