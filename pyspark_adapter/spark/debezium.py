"""Changes as messages that programs for Debezium read, ready for Spark's Kafka sink."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame

from pyspark_adapter.errors import OptionError
from pyspark_adapter.operations.debezium_messages import MESSAGES, DebeziumMessages, check_schema
from pyspark_adapter.spark.types import to_arrow_schema, to_spark_schema
from pyspark_adapter.spark.versions import batch_function


def debezium_messages(
    changes: DataFrame, topic_prefix: str, *, tombstones: bool = True, in_order: bool = True
) -> DataFrame:
    """Return changes as the messages of Debezium's MySQL or MariaDB connector, in JSON.

    The frame has the columns of Spark's Kafka sink: `topic` (`prefix.database.table`), `key`,
    `value` and `headers`. A message without a value, a tombstone, follows each delete. An update
    that changes the key is a delete and an insert. The headers `_commit_version` and `_row_number`
    identify a change::

        changes = spark.readStream.format("mysql_binlog").option("row", "debezium").load(path)
        messages = debezium_messages(changes, "shop")
        messages.writeStream.format("kafka").option("includeHeaders", "true")

    Args:
        changes: a batch or a stream, read with the option `row=debezium`: all its columns, not
            sorted or repartitioned. The handling modes are options of the read.
        topic_prefix: as Debezium's `topic.prefix`.
        tombstones: as Debezium's `tombstones.on.delete`.
        in_order: whether one task makes all messages of a batch, in the order of the log. If not,
            those of several tasks are interleaved in a topic, also those of one key.

    Raises:
        OptionError: for an empty prefix.
        SchemaMismatchError: if the frame was read without that option.
        UnsupportedError: if the release of PySpark needs Pandas for this, and it is missing.
    """
    if not topic_prefix:
        raise OptionError("topic_prefix: expected a name, got none", option="topic_prefix")
    check_schema(to_arrow_schema(changes.schema))

    class Messages:
        """The messages of a partition."""

        def __init__(self) -> None:
            self._made = DebeziumMessages(topic_prefix, tombstones=tombstones)

        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
            yield from self._made.add(batch)

        def terminate(self) -> Iterator[pa.RecordBatch]:
            yield from self._made.end()

    of_task = changes.coalesce(1) if in_order else changes
    return batch_function(Messages, to_spark_schema(MESSAGES))(of_task)
