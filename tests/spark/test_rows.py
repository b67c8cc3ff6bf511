"""Rows of a table in Spark are those that are read without it."""

import gzip
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

from pyspark_adapter import read_batches, read_schema
from tests.inputs import SAMPLES, expected_tables, sample_path
from tests.spark.conftest import load

# The types of all columns, in plans as users have them.
pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("compiled_plans")]

TYPES = "mysql-9.7-types"
SHOP = "mysql-9.7-shop"
TYPED_TABLES = [
    "integers",
    "decimal_edges",
    "floats",
    "bits",
    "dates",
    "datetimes",
    "timestamps",
    "times",
    "zero_dates",
    "strings_latin1",
    "binaries",
    "enums",
    "json_documents",
]


def in_log_order(table: pa.Table) -> list[dict[str, object]]:
    """Return rows in the order of their log; the images of an update stand as they came."""
    rows: list[dict[str, object]] = table.to_pylist()
    return sorted(rows, key=lambda row: (row["_commit_version"], row["_row_number"]))


def assert_same(found: pa.Table, name: str, table: str, **options: Any) -> None:
    """Compare rows that Spark gave with those that are read without it."""
    batches = list(read_batches(sample_path(name), table=table, **options))
    expected = pa.Table.from_batches(batches)
    assert expected.num_rows > 0
    assert found.column_names == expected.column_names
    # As text, since NaN is no value of a column and -0.0 == 0.0.
    assert [repr(row) for row in in_log_order(found)] == [
        repr(row) for row in in_log_order(expected)
    ]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("mysql-9.7-geometry-vector", "shapes97.shapes"),
        ("mysql-9.7-geometry-vector", "shapes97.vectors"),
        ("mysql-9.7-charsets", "charsets97.asian"),
        ("mysql-9.7-charsets", "charsets97.unicode"),
        ("mariadb-11.8-own-types", "owntypes118.shapes"),
    ],
)
def test_special_values_are_those_of_read_batches(
    spark: SparkSession, name: str, table: str
) -> None:
    assert_same(load(spark, name, table=table).toArrow(), name, table)


def test_shapes_and_vectors_have_types_of_their_own(spark: SparkSession) -> None:
    shapes = load(spark, "mysql-9.7-geometry-vector", table="shapes97.shapes")
    found = shapes.where("_change_type = 'insert' and id = 1").select("p.srid", "p.wkb").first()
    assert found is not None
    point = "0101000000" + "0000000000403040" + "0000000000404840"  # 16.25 48.5
    assert (found["srid"], bytes(found["wkb"]).hex()) == (4326, point)
    vectors = load(spark, "mysql-9.7-geometry-vector", table="shapes97.vectors")
    rows = vectors.where("_change_type = 'insert'").select("id", "v3").collect()
    assert {row["id"]: row["v3"] for row in rows} == {1: [1.0, -2.5, 3.0], 2: None, 3: [7.0]}


def test_own_schema_takes_shapes_and_vectors_too(spark: SparkSession) -> None:
    schema = "id int, p struct<srid: bigint, wkb: binary>, g binary"
    reader = spark.read.format("mysql_binlog").schema(schema).option("table", "shapes97.shapes")
    frame = reader.load(str(sample_path("mysql-9.7-geometry-vector")))
    row = frame.where("id = 3").first()
    assert row is not None
    assert row["p"] is None
    assert bytes(row["g"])[:9].hex() == "00000000" + "0104000000"  # SRID 0, a MULTIPOINT


@pytest.mark.parametrize("table_name", TYPED_TABLES)
def test_typed_rows_are_those_of_read_batches(spark: SparkSession, table_name: str) -> None:
    table = f"types97.{table_name}"
    assert_same(load(spark, TYPES, table=table).toArrow(), TYPES, table)


def test_types_of_spark_follow_those_of_the_server(spark: SparkSession) -> None:
    types: dict[str, str] = {}
    for table_name in ("integers", "decimal_edges", "floats", "dates", "datetimes", "times"):
        frame = load(spark, TYPES, table=f"types97.{table_name}")
        types |= {f"{table_name}.{name}": kind for name, kind in frame.dtypes}
    assert types["integers.tiny"] == "tinyint"
    assert types["integers.plain_unsigned"] == "bigint"
    assert types["integers.big_unsigned"] == "decimal(20,0)"
    assert types["decimal_edges.spark_widest"].startswith("decimal(38,")
    assert types["decimal_edges.past_spark"] == "string"
    assert types["floats.f"] == "float"
    assert types["dates.d"] == "date"
    assert types["datetimes.f6"] == "timestamp_ntz"
    assert types["times.f6"] == "interval day to second"
    assert types["times._commit_timestamp"] == "timestamp"


def shown(value: object) -> str | None:
    """Return a value as the server prints it."""
    if isinstance(value, datetime):
        return value.isoformat(" ", "microseconds")
    return None if value is None else str(value)


def test_tables_end_as_the_server_selects_them(spark: SparkSession) -> None:
    expected = expected_tables(SAMPLES[SHOP])["shop.orders"]
    names = [column["name"] for column in expected["columns"]]
    frame = load(spark, SHOP, table="shop.orders")
    last = sql.struct("_commit_version", "_row_number", sql.col("_change_type"))
    rows = (
        frame.where("_change_type <> 'update_preimage'")
        .groupBy("order_id")
        .agg(sql.max_by(sql.struct("_change_type", *names), last).alias("last"))
        .select("last.*")
        .where("_change_type <> 'delete'")
        .orderBy("order_id")
        .collect()
    )
    text = [[shown(row[name]) for name in names] for row in rows]
    assert text == [[cell and cell["text"] for cell in row] for row in expected["rows"]]


def test_paths_and_directories_are_read_alike(spark: SparkSession, tmp_path: Path) -> None:
    log = sample_path(SHOP)
    for number in (1, 2):
        (tmp_path / f"binlog.{number:06}").write_bytes(log.read_bytes())
    (tmp_path / "binlog.index").write_text("binlog.000001\nbinlog.000002\n")
    reader = spark.read.format("mysql_binlog").option("table", "shop.orders")
    num_rows = sum(batch.num_rows for batch in read_batches(log, table="shop.orders"))
    paths = [str(tmp_path / f"binlog.{number:06}") for number in (1, 2)]
    assert reader.load(paths[0]).count() == num_rows
    assert reader.load(paths).count() == 2 * num_rows
    assert reader.load(str(tmp_path)).count() == 2 * num_rows
    assert reader.load(f"file://{tmp_path}").count() == 2 * num_rows


def test_patterns_archives_and_options_of_spark(spark: SparkSession, tmp_path: Path) -> None:
    log = sample_path(SHOP)
    (tmp_path / "more").mkdir()
    (tmp_path / "binlog.000001").write_bytes(log.read_bytes())
    (tmp_path / "binlog.000002.gz").write_bytes(gzip.compress(log.read_bytes()))
    (tmp_path / "more" / "binlog.000003").write_bytes(log.read_bytes())
    num_rows = sum(batch.num_rows for batch in read_batches(log, table="shop.orders"))

    def numbers(path: Path, **options: str) -> list[str]:
        reader = spark.read.format("mysql_binlog").option("metadataColumns", "_log_file")
        frame = reader.options(table="shop.orders", **options).load(str(path))
        counts = frame.groupBy("_log_file").count().orderBy("_log_file").collect()
        assert {row["count"] for row in counts} == {num_rows}
        return [row["_log_file"].removeprefix("binlog.00000") for row in counts]

    assert numbers(tmp_path / "binlog.*") == ["1", "2"]
    assert numbers(tmp_path / "{binlog,more}*") == ["1", "2", "3"]
    assert numbers(tmp_path, recursiveFileLookup="true") == ["1", "2", "3"]
    assert numbers(tmp_path, recursiveFileLookup="true", pathGlobFilter="*[!z]") == ["1", "3"]


def test_small_logs_share_a_partition(spark: SparkSession) -> None:
    frame = load(spark, SHOP, TYPES, metadataColumns="_log_file")
    assert frame.rdd.getNumPartitions() == 1
    files = [row["_log_file"] for row in frame.collect()]
    assert list(dict.fromkeys(files)) == [sample_path(SHOP).name, sample_path(TYPES).name]


def test_logs_of_some_size_have_partitions_of_their_own(spark: SparkSession) -> None:
    frame = load(spark, SHOP, TYPES, metadataColumns="_log_file", maxPartitionBytes="128k")
    files = frame.select(sql.spark_partition_id().alias("place"), "_log_file").distinct()
    places = {row["place"]: row["_log_file"] for row in files.collect()}
    assert set(places.values()) == {sample_path(SHOP).name, sample_path(TYPES).name}
    assert len(places) == frame.rdd.getNumPartitions()


def test_parquet_gives_the_rows_back(spark: SparkSession, tmp_path: Path) -> None:
    for table in ("types97.times", "types97.decimal_edges", "types97.timestamps"):
        path = str(tmp_path / table)
        frame = load(spark, TYPES, table=table)
        frame.write.parquet(path)
        assert spark.read.parquet(path).schema == frame.schema
        assert_same(spark.read.parquet(path).toArrow(), TYPES, table)


def test_own_schema_picks_columns_by_name(spark: SparkSession) -> None:
    reader = spark.read.format("mysql_binlog").option("table", "shop.orders")
    picked = "status string, _start_pos bigint, total decimal(12,2)"
    found = reader.schema(picked).load(str(sample_path(SHOP))).toArrow()
    batches = read_batches(sample_path(SHOP), table="shop.orders", metadata_columns="_start_pos")
    whole = batches.to_table()
    assert found.column_names == ["status", "_start_pos", "total"]
    assert found.to_pylist() == whole.select(found.column_names).to_pylist()


def test_own_schema_names_the_columns_of_a_log_without_names(spark: SparkSession) -> None:
    log = str(sample_path("mysql-5.6-types-v2"))
    table = "types56v2.times"
    names = read_schema(log, table=table, metadata_columns="").names
    assert len(names) == 9
    renamed = ", ".join(["id int", *(f"t{i} interval day to second" for i in range(8))])
    reader = spark.read.format("mysql_binlog").option("table", table)
    found = reader.schema(renamed).load(log).toArrow()
    whole = pa.Table.from_batches(list(read_batches(log, table=table))).select(names)
    assert found.column_names == ["id", *(f"t{i}" for i in range(8))]
    assert found.rename_columns(names).to_pylist() == whole.to_pylist()
