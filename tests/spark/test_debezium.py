"""Messages of Debezium in Spark and on the command line, compared with those of Arrow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from pyspark_adapter import OptionError, SchemaMismatchError, debezium_messages, read_batches
from pyspark_adapter.cli.main import main
from pyspark_adapter.operations.debezium_messages import DebeziumMessages
from tests.inputs import sample_path
from tests.spark.conftest import load

pytestmark = pytest.mark.spark

SHOP = str(sample_path("mysql-9.7-shop"))


def plain(message: dict[str, Any]) -> tuple[Any, ...]:
    """Return a message without the times at which it was made."""
    value = json.loads(message["value"] or "{}")
    kept = {name: value[name] for name in value if not name.startswith("ts_")}
    headers = [(header["key"], bytes(header["value"])) for header in message["headers"]]
    return message["topic"], message["key"], kept, headers


def expected(topic_prefix: str) -> list[tuple[Any, ...]]:
    images = read_batches(SHOP, row="debezium")
    batches = DebeziumMessages(topic_prefix).of(images)
    return [plain(message) for batch in batches for message in batch.to_pylist()]


def test_messages_of_a_batch_and_of_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    messages = debezium_messages(load(spark, "mysql-9.7-shop", row="debezium"), "shop")
    assert [plain(row.asDict(recursive=True)) for row in messages.collect()] == expected("shop")
    found: list[tuple[Any, ...]] = []

    def take(batch: DataFrame, _number: int) -> None:
        found.extend(plain(row.asDict(recursive=True)) for row in batch.collect())

    changes = spark.readStream.format("mysql_binlog").option("row", "debezium").load(f"{SHOP}*")
    stream = debezium_messages(changes, "shop").writeStream.foreachBatch(take)
    stream.option("checkpointLocation", str(tmp_path)).trigger(availableNow=True).start()
    for query in spark.streams.active:
        query.awaitTermination()
    assert found == expected("shop")


def test_what_was_read_otherwise_is_refused(spark: SparkSession) -> None:
    with pytest.raises(SchemaMismatchError, match="row=debezium"):
        debezium_messages(load(spark, "mysql-9.7-shop"), "shop")
    changes = load(spark, "mysql-9.7-shop", row="debezium")
    with pytest.raises(OptionError, match="expected a name"):
        debezium_messages(changes, "")


def test_the_command_prints_messages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rows", SHOP, "--format", "debezium", "--topic-prefix", "shop"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wanted = expected("shop")
    assert [line["topic"] for line in lines] == [message[0] for message in wanted]
    assert [line["key"] for line in lines] == [json.loads(message[1]) for message in wanted]
    assert main(["rows", SHOP, "--format", "debezium"]) == 2
    assert "--topic-prefix" in capsys.readouterr().err
    assert main(["rows", SHOP, "--time-precision-mode", "connect"]) == 2
    assert "row=debezium" in capsys.readouterr().err
