"""Write the changes of a table to Parquet, with each new column from the change on that has it."""

import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery


def start(spark: SparkSession, logs: str, table: str, out: str) -> StreamingQuery:
    """Start the query, with the columns that the table has in the logs now."""
    reader = spark.readStream.format("mysql_binlog").option("table", table)
    changes = reader.option("onSchemaChange", "end").load(logs)
    writer = changes.writeStream.option("checkpointLocation", f"{out}-checkpoint")
    return writer.format("parquet").start(out)


def change_ahead(query: StreamingQuery) -> str:
    """Return the change of columns before which a query has ended its last batch; empty if none."""
    progress = query.lastProgress
    return json.loads(progress["sources"][0]["endOffset"]).get("schema_change") if progress else ""


def supervise(spark: SparkSession, logs: str, table: str, out: str) -> None:
    """Run the query, and start it again after each change; return when somebody stops it."""
    while True:
        query = start(spark, logs, table, out)
        change = ""
        while query.isActive and not change:
            query.awaitTermination(1)
            change = change_ahead(query)
        if not change:
            return
        query.stop()
        print(f"started again: {change}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(f"usage: {sys.argv[0]} LOGS TABLE OUT")
    supervise(SparkSession.builder.getOrCreate(), *sys.argv[1:])
