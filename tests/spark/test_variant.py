"""JSON columns as VARIANT: Spark finds in them what the text says."""

import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import ArrayType, DayTimeIntervalType, StructField, StructType, VariantType

from tests.inputs import SAMPLES, expected_tables, sample_path
from tests.property.test_variants import write_documents
from tests.spark.conftest import load
from tests.support import encoders

pytestmark = pytest.mark.spark

MAX_DOUBLE_DIGITS = 17
MAX_DIGITS = 38  # of a decimal
TABLES = [
    (name, table)
    for name in ("mysql-9.7-types", "mysql-9.7-partial-json")
    for table, selected in expected_tables(SAMPLES[name]).items()
    if any(column["type"] == "json" for column in selected["columns"])
]


def comparable(value: Any) -> Any:
    """Return a parsed document in which equal means the same: numbers exact, moments as such."""
    if isinstance(value, dict):
        return {key: comparable(element) for key, element in value.items()}
    if isinstance(value, list):
        return [comparable(element) for element in value]
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return value
    return value


def number(text: str) -> float | Decimal | str:
    """Return a number; Java 17 prints some doubles with other digits than the fewest."""
    exact = Decimal(text)
    if len(exact.as_tuple().digits) > MAX_DIGITS:
        return text  # a string in VARIANT
    return exact if len(exact.as_tuple().digits) > MAX_DOUBLE_DIGITS else float(text)


def parsed(text: str | None) -> Any:
    """Return a document, its numbers with all digits."""
    return None if text is None else comparable(json.loads(text, parse_float=number))


@pytest.mark.parametrize(("name", "table"), TABLES, ids=lambda value: value)
def test_samples_are_what_their_text_says(spark: SparkSession, name: str, table: str) -> None:
    selected = expected_tables(SAMPLES[name])[table]["columns"]
    columns = [column["name"] for column in selected if column["type"] == "json"]
    text = load(spark, name, table=table)
    variant = load(spark, name, table=table, json="variant")
    assert {variant.schema[column].dataType for column in columns} == {VariantType()}
    as_json = [f.to_json(variant[column]).alias(column) for column in columns]
    found, wanted = variant.select(as_json).collect(), text.select(columns).collect()
    assert len(found) == len(wanted) > 0
    for ours, row in zip(found, wanted, strict=True):
        for column in columns:
            assert parsed(ours[column]) == parsed(row[column])


def test_a_schema_of_ones_own_may_have_a_variant(spark: SparkSession) -> None:
    schema = StructType([StructField("a", VariantType())])
    path = str(sample_path("mysql-9.7-partial-json"))
    reader = spark.read.format("mysql_binlog").option("table", "partialjson97.documents")
    frame = reader.schema(schema).load(path)
    values = frame.select(f.try_variant_get("a", "$.x", "int").alias("x")).collect()
    assert [row["x"] for row in values[:3]] == [1, 2, None]


def test_members_of_large_objects_are_found(spark: SparkSession, tmp_path: Path) -> None:
    """Spark searches an object of 32 members or more by halves: their order has to be its own."""
    keys = ["", "\ufffd", "\uffff", "😀", "\U0010ffff", "é", "中", *(f"k{i}" for i in range(300))]
    document = encoders.json_document({key: i for i, key in enumerate(keys)})
    log = write_documents(tmp_path / "log.000001", [document])
    reader = spark.read.format("mysql_binlog").option("json", "variant").option("table", "d.t")
    frame = reader.load(str(log))
    found = frame.select(
        [
            f.variant_get("doc", f"$['{key}']", "int").alias(f"c{i}")
            for i, key in enumerate(keys)
            if key
        ]
    ).collect()
    assert list(found[0]) == list(range(1, len(keys)))


def test_types_of_values(spark: SparkSession, tmp_path: Path) -> None:
    documents = {
        "BIGINT": encoders.json_document(1),
        "DOUBLE": encoders.json_document(1.0),
        "STRING": bytes.fromhex("0f 0b 08 00 00 00 b9 c8 00 00 00"),
        "DATE": bytes.fromhex("0f 0a 08 00 00 00 00 00 68 bb 19"),
        "TIMESTAMP_NTZ": bytes.fromhex("0f 0c 08 90 d0 03 b8 c8 68 bb 19"),
        "DECIMAL(3,2)": bytes.fromhex("0f f6 07 0b 02 80 00 00 01 17"),
        "DECIMAL(20,0)": encoders.json_document(2**64 - 1),
        "BOOLEAN": encoders.json_document(True),
        "VOID": encoders.json_document(None),
    }
    log = write_documents(tmp_path / "log.000001", list(documents.values()))
    reader = spark.read.format("mysql_binlog").option("json", "variant").option("table", "d.t")
    found = reader.load(str(log)).select(f.schema_of_variant("doc")).collect()
    assert [row[0] for row in found] == list(documents)


# Types of columns that a VARIANT does not cast to.
NOT_CAST = (ArrayType, DayTimeIntervalType, StructType, VariantType)


@pytest.mark.parametrize(
    "table",
    [
        "integers",
        "decimal_edges",
        "floats",
        "bits",
        "dates",
        "datetimes",
        "timestamps",
        "strings_utf8mb4",
        "binaries",
        "wide",
    ],
)
def test_spark_gets_typed_values_from_rows(spark: SparkSession, table: str) -> None:
    """PySpark's own reader of VARIANT, which other tests use, is not the one of the JVM."""
    name = f"types97.{table}"
    typed = load(spark, "mysql-9.7-types", table=name)
    rows = load(spark, "mysql-9.7-types", row="variant", tables=name)
    columns = [
        field
        for field in typed.schema
        if not field.name.startswith("_") and not isinstance(field.dataType, NOT_CAST)
    ]
    assert columns
    got = [
        f.variant_get("row", f"$['{field.name}']", field.dataType.simpleString()).alias(field.name)
        for field in columns
    ]
    assert rows.select(got).collect() == typed.select([c.name for c in columns]).collect()
