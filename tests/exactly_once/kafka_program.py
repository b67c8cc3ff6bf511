"""The guide's program of a stream into Kafka, made to be killed and started again.

Arguments: the jars of the connector, the broker, the folder of the checkpoint, and the options of
the source as JSON; then, to end when all is read, a file for the messages as Kafka has them.
"""

import json
import os
import sys

import pyarrow as pa
from pyspark.sql import SparkSession

from pyspark_adapter import DefaultSource, debezium_messages
from tests.docs.pages import find_programs

PREFIX = "shop"


def main(jars: str, broker: str, checkpoint: str, options: str, target: str = "") -> None:
    """Stream until all is read, or for ever."""
    builder = SparkSession.builder.master("local[2]").config("spark.jars", jars)
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    spark.dataSource.register(DefaultSource)
    given = {"row": "debezium", "startingOffsets": "earliest", **json.loads(options)}
    given = {"startingOffsets": "earliest", **json.loads(options)}
    trigger = {"availableNow": True} if target else {"processingTime": "0 seconds"}
    [program] = find_programs("python", "kafka")
    text = program.text
    for shown, own in (
        ('host="db1", user="reader", password=password', "**given"),
        ("kafka1:9092", broker),
        ("/checkpoints/shop", checkpoint),
        (".start()", ".trigger(**trigger).start().awaitTermination()"),
    ):
        assert text.count(shown) == 1, shown
        text = text.replace(shown, own)
    names: dict[str, object] = {"spark": spark, "given": given, "trigger": trigger}
    names["debezium_messages"] = debezium_messages
    exec(compile(text, str(program.page), "exec"), names)  # noqa: S102
    kafka = {"kafka.bootstrap.servers": broker, "includeHeaders": "true"}
    written = spark.read.format("kafka").options(**kafka, subscribePattern=f"{PREFIX}\\..*").load()
    columns = ("topic", "partition", "offset", "string(key)", "string(value)", "headers")
    messages = written.selectExpr(*columns).orderBy("topic", "partition", "offset").toArrow()
    with pa.ipc.new_file(target, messages.schema) as file:
        file.write_table(messages)


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main(*sys.argv[1:])
