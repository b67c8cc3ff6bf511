"""The Delta table of the guide follows a table whose columns change while a stream runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest
from deltalake import DeltaTable
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from samples.truth import fetch_rows
from tests.live.servers import connect, running_server
from tests.spark.test_lake_tables import upsert_of_guide

pytestmark = [pytest.mark.live, pytest.mark.spark]

TABLE = "shop.orders"
CREATE = f"""
    CREATE TABLE {TABLE} (
        order_id INT PRIMARY KEY, status VARCHAR(20), total DECIMAL(5,2), pieces INT, note TEXT
    )
"""
# Each step is logged, and then read by the stream.
STEPS = (
    (
        f"INSERT INTO {TABLE} VALUES (1, 'new', 10.50, 1, 'a'), (2, 'new', 999.99, 2, 'b')",
        f"INSERT INTO {TABLE} VALUES (3, 'paid', -1.25, 3, NULL)",
    ),
    (
        f"ALTER TABLE {TABLE} ADD COLUMN courier VARCHAR(10) AFTER status",
        f"UPDATE {TABLE} SET courier = 'bike' WHERE order_id = 2",
        f"INSERT INTO {TABLE} VALUES (4, 'new', 'van', 4.00, 4, 'd')",
    ),
    (
        f"ALTER TABLE {TABLE} MODIFY total DECIMAL(14,4), MODIFY pieces BIGINT",
        f"INSERT INTO {TABLE} VALUES (5, 'new', NULL, 1234567890.1234, 5000000000, 'e')",
        f"DELETE FROM {TABLE} WHERE order_id = 1",
    ),
    (
        f"ALTER TABLE {TABLE} DROP COLUMN note",
        f"INSERT INTO {TABLE} VALUES (6, 'new', 'foot', 6.5, 6)",
        f"UPDATE {TABLE} SET status = 'sent'",
    ),
)
# After the others: all rows go, and some come.
EMPTYING = (
    f"UPDATE {TABLE} SET status = 'lost'",
    f"TRUNCATE TABLE {TABLE}",
    f"INSERT INTO {TABLE} VALUES (6, 'again', 'foot', 7.5, 7), (7, 'new', 'foot', 8.5, 8)",
    f"DELETE FROM {TABLE} WHERE order_id = 7",
)


def run_stream(
    spark: SparkSession, logs: Path, checkpoint: Path, upsert: Callable[[DataFrame, int], None]
) -> None:
    """Read what there is, and start again where the table has changed, as the guide says."""
    for _ in range(3):
        stream = spark.readStream.format("mysql_binlog").option("table", TABLE)
        frame = stream.option("schemaChanges", "true").load(str(logs))
        writer = frame.writeStream.foreachBatch(upsert).trigger(availableNow=True)
        query = writer.option("checkpointLocation", str(checkpoint)).start()
        try:
            query.awaitTermination()
        except StreamingQueryException as error:
            if "SchemaMismatchError" not in str(error):
                raise
        else:
            return
    raise AssertionError("the query ends with an error again and again")


def test_columns_are_added_widened_and_dropped(
    spark: SparkSession, servers_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    upsert = upsert_of_guide(spark)
    with (
        running_server(servers_folder, "mysql-latest", "lake-evolution") as state,
        closing(connect(state)) as connection,
    ):

        def step(statements: Sequence[str]) -> None:
            for statement in statements:
                fetch_rows(connection, statement)
            fetch_rows(connection, "COMMIT")
            fetch_rows(connection, "FLUSH BINARY LOGS")
            run_stream(spark, Path(state.binlog_dir), tmp_path / "checkpoint", upsert)
            names = [row[0] for row in fetch_rows(connection, f"SHOW COLUMNS FROM {TABLE}")]
            expected = fetch_rows(connection, f"SELECT {', '.join(names)} FROM {TABLE}")
            found = DeltaTable("lake/orders").to_pyarrow_table(columns=names).to_pylist()
            assert sorted(tuple(row.values()) for row in found) == sorted(expected)

        fetch_rows(connection, "CREATE DATABASE shop")
        fetch_rows(connection, CREATE)
        for statements in STEPS:
            step(statements)
        lake = DeltaTable("lake/orders").to_pyarrow_table().sort_by("order_id").to_pylist()
        step(EMPTYING)
    # A column that the server dropped stays. All rows were updated since: it is null in them.
    assert [row["note"] for row in lake] == [None] * 5
    assert lake[3]["total"] == Decimal("1234567890.1234")
    assert lake[3]["pieces"] == 5_000_000_000
