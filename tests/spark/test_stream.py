"""`spark.readStream.format("mysql_binlog")`: batches, checkpoints, triggers and errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from tests.inputs import sample_path
from tests.support.indexes import make_index
from tests.support.logs import read_sample

pytestmark = pytest.mark.spark

SHOP = "mysql-9.7-shop"
OTHER = "mysql-9.7-transactions"
ORDERS = "shop.orders"
SECONDS = 300  # for a query of seconds, on a machine that does much else


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Return a folder with a log of a server that continues writing."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "binlog.000001").write_bytes(read_sample(SHOP)[:15_000])
    return folder


def follow(spark: SparkSession, logs: Path, **options: str) -> DataFrame:
    return spark.readStream.format("mysql_binlog").options(**options).load(str(logs))


def run(frame: DataFrame, folder: Path, **trigger: Any) -> StreamingQuery:
    """Start a query that writes Parquet and keeps its checkpoint next to it."""
    writer = frame.writeStream.format("parquet").trigger(**trigger)
    return writer.option("checkpointLocation", str(folder / "checkpoint")).start(
        str(folder / "rows")
    )


def written(spark: SparkSession, folder: Path) -> list[str]:
    return sorted(map(repr, spark.read.parquet(str(folder / "rows")).toArrow().to_pylist()))


def expected(spark: SparkSession, logs: Path, **options: str) -> list[str]:
    frame = spark.read.format("mysql_binlog").options(**options).load(str(logs))
    return sorted(map(repr, frame.toArrow().to_pylist()))


def test_the_first_batch_uses_an_index(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    index = str(make_index(tmp_path / "index", logs / "binlog.000001", step=600))
    (logs / "binlog.000001").write_bytes(read_sample(SHOP))
    frame = follow(spark, logs, table=ORDERS, index=index)
    assert run(frame, tmp_path, availableNow=True).awaitTermination(SECONDS)
    assert written(spark, tmp_path) == expected(spark, logs, table=ORDERS)


def test_rows_of_a_growing_log(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    """With a rotation, and a restart of the query from its checkpoint."""
    query = run(follow(spark, logs, table=ORDERS), tmp_path, processingTime="0 seconds")
    try:
        query.processAllAvailable()
        first = written(spark, tmp_path)
        (logs / "binlog.000001").write_bytes(read_sample(SHOP))
        query.processAllAvailable()
        assert len(written(spark, tmp_path)) > len(first) > 10
    finally:
        query.stop()
    (logs / "binlog.000002").write_bytes(read_sample(OTHER))
    query = run(follow(spark, logs, table=ORDERS), tmp_path, availableNow=True)
    assert query.awaitTermination(SECONDS)
    assert written(spark, tmp_path) == expected(spark, logs, table=ORDERS)


def test_all_that_is_available_now_in_small_batches(
    spark: SparkSession, logs: Path, tmp_path: Path
) -> None:
    (logs / "binlog.000001").write_bytes(read_sample(SHOP))
    (logs / "binlog.000002").write_bytes(read_sample(OTHER))
    frame = follow(spark, logs, maxBytesPerTrigger="9000")
    query = run(frame, tmp_path, availableNow=True)
    assert query.awaitTermination(SECONDS)
    assert written(spark, tmp_path) == expected(spark, logs)
    ends = [json.loads(p["sources"][0]["endOffset"]) for p in query.recentProgress]
    assert len(ends) > 3
    assert ends[-1]["log_file"] == "binlog.000002"
    assert ends[-1]["pos"] == (logs / "binlog.000002").stat().st_size


def test_events(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    (logs / "binlog.000001").write_bytes(read_sample(SHOP))
    frame = follow(spark, logs, view="events", maxBytesPerTrigger="9k")
    assert run(frame, tmp_path, availableNow=True).awaitTermination(SECONDS)
    assert written(spark, tmp_path) == expected(spark, logs, view="events")


def run_before_the_first_log(frame: DataFrame, logs: Path, folder: Path) -> None:
    query = run(frame, folder, processingTime="0 seconds")
    try:
        query.processAllAvailable()
        shutil.copy(sample_path(SHOP), logs / "binlog.000001")
        query.processAllAvailable()
    finally:
        query.stop()


def test_a_schema_of_the_users_own(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    """Then nothing has to be there when the stream is made."""
    (logs / "binlog.000001").unlink()
    reader = spark.readStream.format("mysql_binlog").option("table", ORDERS)
    frame = reader.schema("order_id DECIMAL(20,0), _change_type STRING").load(str(logs))
    run_before_the_first_log(frame, logs, tmp_path)
    batch = spark.read.format("mysql_binlog").option("table", ORDERS).load(str(logs))
    rows = batch.selectExpr("CAST(order_id AS DECIMAL(20,0)) order_id", "_change_type")
    assert written(spark, tmp_path) == sorted(map(repr, rows.toArrow().to_pylist()))


def test_rows_of_all_tables_before_the_first_log(
    spark: SparkSession, logs: Path, tmp_path: Path
) -> None:
    (logs / "binlog.000001").unlink()
    run_before_the_first_log(follow(spark, logs), logs, tmp_path)
    assert written(spark, tmp_path) == expected(spark, logs)


def test_a_purged_log_ends_the_query(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    query = run(follow(spark, logs), tmp_path, availableNow=True)
    assert query.awaitTermination(SECONDS)
    (logs / "binlog.000001").unlink()
    (logs / "binlog.000002").write_bytes(read_sample(OTHER))
    query = run(follow(spark, logs), tmp_path, availableNow=True)
    with pytest.raises(StreamingQueryException, match=r"binlog\.000001@\d+: is gone"):
        query.awaitTermination(SECONDS)
    query = run(follow(spark, logs, failOnDataLoss="false"), tmp_path, availableNow=True)
    assert query.awaitTermination(SECONDS)
    rows = written(spark, tmp_path)
    assert set(expected(spark, logs)) <= set(rows)


def test_only_new_rows(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    frame = follow(spark, logs, startingOffsets="latest")
    query = run(frame, tmp_path, processingTime="0 seconds")
    try:
        query.processAllAvailable()
        (logs / "binlog.000001").write_bytes(read_sample(SHOP))
        query.processAllAvailable()
    finally:
        query.stop()
    rows = written(spark, tmp_path)
    whole = expected(spark, logs)
    assert 0 < len(rows) < len(whole)
    assert set(rows) < set(whole)


def test_options_of_streams_are_not_those_of_batches(spark: SparkSession, logs: Path) -> None:
    reader = spark.read.format("mysql_binlog").option("startingOffsets", "latest")
    with pytest.raises(Exception, match=r"startingOffsets: expected no .* applies to streams"):
        reader.load(str(logs)).collect()
