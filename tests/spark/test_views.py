"""All tables at once with rows as JSON, and the view of events."""

import json

import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as sql

from tests.inputs import SAMPLES, sample_path
from tests.spark.conftest import load

pytestmark = pytest.mark.spark

SHOP = "mysql-9.7-shop"


def test_changes_of_all_tables_are_as_many_as_the_tool_prints(spark: SparkSession) -> None:
    frame = load(spark, SHOP)
    counted: dict[str, dict[str, int]] = {}
    kinds = ("insert", "update_preimage", "update_postimage", "delete")
    rows = frame.groupBy("_database_name", "_table_name", "_change_type").count().collect()
    for database_name, table_name, kind, count in rows:
        counted.setdefault(f"{database_name}.{table_name}", dict.fromkeys(kinds, 0))[kind] = count
    expected = {
        name: dict(zip(kinds, (inserts, updates, updates, deletes), strict=True))
        for name, (inserts, updates, deletes) in row_changes().items()
    }
    assert counted == expected


def row_changes() -> dict[str, tuple[int, int, int]]:
    """Return inserts, updates and deletes by table."""
    changes = SAMPLES[SHOP]["row_changes"]
    return {
        name: (counts["insert"], counts["update"], counts["delete"])
        for name, counts in changes.items()
    }


def test_row_is_json_that_python_and_spark_read(spark: SparkSession) -> None:
    typed = load(spark, SHOP, table="shop.orders").collect()
    frame = load(spark, SHOP).where("_table_name = 'orders'")
    picked = frame.select(
        "row",
        sql.get_json_object("row", "$.total").cast("decimal(12,2)").alias("total"),
        sql.get_json_object("row", "$.status").alias("status"),
    ).collect()
    assert len(typed) == len(picked) > 0
    for found, expected in zip(picked, typed, strict=True):
        assert (found["total"], found["status"]) == (expected["total"], expected["status"])
        parsed = json.loads(found["row"])
        columns = expected.asDict()
        assert list(parsed) == [name for name in columns if not name.startswith("_")]
        assert parsed["note"] == columns["note"]
        assert parsed["placed_at"] == columns["placed_at"].isoformat(" ", "microseconds")


def test_events_are_as_many_as_the_headers_tell(spark: SparkSession) -> None:
    frame = load(spark, SHOP, view="events")
    counts = {
        row["event_type"]: row["count"] for row in frame.groupBy("event_type").count().collect()
    }
    assert counts == {f"{name}_EVENT": count for name, count in SAMPLES[SHOP]["events"].items()}
    version = sql.get_json_object("body", "$.server_version")
    first: Row | None = (
        frame.select("start_pos", version.alias("version")).orderBy("start_pos").first()
    )
    assert first is not None
    assert first["start_pos"] == 4
    assert first["version"].startswith(SAMPLES[SHOP]["server_version"])


@pytest.mark.parametrize(
    ("option", "names"),
    [
        ("_start_pos,_change_type", ["_start_pos", "_change_type"]),
        (" _server_id , _absent_columns", ["_server_id", "_absent_columns"]),
        ("", []),
    ],
)
def test_metadata_columns_are_those_asked_for_in_their_order(
    spark: SparkSession, option: str, names: list[str]
) -> None:
    frame = load(spark, SHOP, table="shop.price_history", metadataColumns=option)
    assert frame.columns == [*names, "product_id", "changed_at", "old_price", "new_price", "factor"]
    inserts = SAMPLES[SHOP]["row_changes"]["shop.price_history"]["insert"]
    assert len(frame.toArrow()) == inserts


def test_sql_filters_projects_and_counts(spark: SparkSession) -> None:
    load(spark, SHOP, table="shop.orders").createOrReplaceTempView("orders")
    inserts = SAMPLES[SHOP]["row_changes"]["shop.orders"]["insert"]
    [found] = spark.sql("SELECT count(*) AS n FROM orders WHERE _change_type = 'insert'").collect()
    assert found["n"] == inserts
    rows = spark.sql(
        "SELECT upper(status) AS status, total * 2 AS twice FROM orders"
        " WHERE _change_type = 'insert' AND total > 0 ORDER BY _commit_version, _row_number"
    ).collect()
    typed = [row for row in load(spark, SHOP, table="shop.orders").collect() if row[0] == "insert"]
    assert [tuple(row) for row in rows] == [
        (row["status"].upper(), row["total"] * 2) for row in typed if row["total"] > 0
    ]


def test_temporary_view_takes_options(spark: SparkSession) -> None:
    spark.sql(
        "CREATE OR REPLACE TEMPORARY VIEW items USING mysql_binlog OPTIONS"
        f" (path '{sample_path(SHOP)}', table 'shop.order_items', metadataColumns '_change_type')"
    )
    changes = SAMPLES[SHOP]["row_changes"]["shop.order_items"]
    num_images = changes["insert"] + 2 * changes["update"] + changes["delete"]
    [found] = spark.sql("SELECT count(*) AS n FROM items").collect()
    assert found["n"] == num_images


def test_filters_by_option_are_those_of_the_columns(spark: SparkSession) -> None:
    whole = load(spark, SHOP)
    versions = [row[0] for row in whole.select("_commit_version").distinct().collect()]
    middle = sorted(versions)[len(versions) // 2]
    start_pos = middle % (1 << 40)
    found = load(
        spark,
        SHOP,
        TABLES="shop.order*",
        changeTypes="insert, delete",
        startingPosition=f"{sample_path(SHOP).name}:{start_pos}",
    )
    expected = whole.where(
        (sql.col("_commit_version") >= middle)
        & sql.col("_table_name").startswith("order")
        & sql.col("_change_type").isin("insert", "delete")
    )
    assert 0 < expected.count() < whole.count()
    assert sorted(found.collect()) == sorted(expected.collect())


def test_logs_outside_of_the_positions_are_in_no_task(spark: SparkSession) -> None:
    assert load(spark, SHOP, startingPosition="mysql-9.7-shop.000002:4").collect() == []
