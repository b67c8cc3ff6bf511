"""Columns in other types than the default, in Spark."""

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import GeometryType, StringType, StructField, StructType

from tests.inputs import sample_path
from tests.spark.conftest import load

pytestmark = pytest.mark.spark

SAMPLE, TABLE = "mysql-9.7-geometry-vector", "shapes97.shapes"
SHAPES = ["g", "p", "l", "a", "c"]


def test_native_geometries_are_those_of_the_structs(spark: SparkSession) -> None:
    structs = load(spark, SAMPLE, table=TABLE)
    expected = structs.select([f"{name}.{part}" for name in SHAPES for part in ("srid", "wkb")])
    schema = StructType([StructField(name, GeometryType("ANY")) for name in SHAPES])
    source = spark.read.format("mysql_binlog").option("table", TABLE)
    for native in (
        load(spark, SAMPLE, table=TABLE, geometry="native"),
        source.schema(schema).load(str(sample_path(SAMPLE))),
    ):
        assert {native.schema[name].dataType for name in SHAPES} == {GeometryType("ANY")}
        parts = [
            F.expr(f"{function}({name})")
            for name in SHAPES
            for function in ("st_srid", "st_asbinary")
        ]
        found = native.select(parts).collect()
        assert [tuple(row) for row in found] == [tuple(row) for row in expected.collect()]
        assert any(value is not None for row in found for value in row)


def test_a_schema_may_ask_for_text(spark: SparkSession) -> None:
    schema = StructType([StructField("order_id", StringType())])
    source = spark.read.format("mysql_binlog").option("table", "shop.orders").schema(schema)
    rows = source.load(str(sample_path("mysql-9.7-shop"))).collect()
    assert rows
    assert all(row["order_id"].isdigit() for row in rows)
