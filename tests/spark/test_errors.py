"""What goes wrong reaches the driver in our words: class, place and message."""

from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.inputs import sample_path
from tests.spark.conftest import load

pytestmark = pytest.mark.spark

SHOP = "mysql-9.7-shop"


def test_unknown_option_lists_those_that_there_are(spark: SparkSession) -> None:
    with pytest.raises(PySparkException) as caught:
        load(spark, SHOP, tabel="shop.orders").collect()
    assert "OptionError: option tabel: no such option; did you mean table?" in str(caught.value)


def test_wrong_value_of_an_option_lists_the_allowed(spark: SparkSession) -> None:
    with pytest.raises(PySparkException) as caught:
        load(spark, SHOP, json="turbo").collect()
    assert "OptionError: option json: expected text | variant, got 'turbo'" in str(caught.value)


def test_missing_table_is_named_with_the_logs(spark: SparkSession) -> None:
    with pytest.raises(PySparkException) as caught:
        load(spark, SHOP, table="shop.nothing").collect()
    expected = "SchemaMismatchError: table shop.nothing: expected rows of it, found none in"
    assert f"{expected} {sample_path(SHOP).name}" in str(caught.value)


def test_missing_file_is_named(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "binlog.000009"
    with pytest.raises(PySparkException) as caught:
        spark.read.format("mysql_binlog").load(str(path)).collect()
    assert f"LogFileError: {path}: cannot be read: No such file" in str(caught.value)


def test_missing_path_is_asked_for(spark: SparkSession) -> None:
    with pytest.raises(PySparkException) as caught:
        spark.read.format("mysql_binlog").load().collect()
    assert "OptionError: expected the path of a log file or directory" in str(caught.value)


@pytest.mark.parametrize("view", ["changes", "events"])
def test_damaged_log_is_named_with_the_position(
    spark: SparkSession, tmp_path: Path, view: str
) -> None:
    data = bytearray(sample_path(SHOP).read_bytes())
    # The last byte of the last event but its checksum: of a ROTATE event, the name of the next log.
    data[-5] ^= 0xFF
    path = tmp_path / "binlog.000001"
    path.write_bytes(data)
    # Source: the header of each event holds the position of its end at offset 13.
    start = data.rindex(len(data).to_bytes(4, "little")) - 13
    frame = spark.read.format("mysql_binlog").option("view", view).load(str(path))
    with pytest.raises(PySparkException) as caught:
        frame.collect()
    assert f"ChecksumMismatchError: binlog.000001@{start} ROTATE_EVENT: " in str(caught.value)


def test_cut_log_is_named_with_the_position(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "binlog.000001"
    path.write_bytes(sample_path(SHOP).read_bytes()[:-1])
    with pytest.raises(PySparkException) as caught:
        spark.read.format("mysql_binlog").load(str(path)).collect()
    assert "TruncatedEventError: binlog.000001@" in str(caught.value)


def test_other_file_is_no_binlog(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "text.000001"
    path.write_text("not a log")
    with pytest.raises(PySparkException) as caught:
        spark.read.format("mysql_binlog").load(str(path)).collect()
    assert "NotABinlogError: text.000001: is not a binary log" in str(caught.value)
    assert "expected the bytes fe 62 69 6e first, found 6e 6f 74 20" in str(caught.value)


def test_schema_with_a_type_no_column_has_is_refused(spark: SparkSession) -> None:
    reader = spark.read.format("mysql_binlog").option("table", "shop.orders")
    with pytest.raises(PySparkException) as caught:
        reader.schema("note map<string,string>").load(str(sample_path(SHOP))).collect()
    assert "SchemaMismatchError: column note: no column of a log can have type" in str(caught.value)


def test_schema_that_contradicts_the_log_is_refused(spark: SparkSession) -> None:
    reader = spark.read.format("mysql_binlog").option("table", "shop.orders")
    with pytest.raises(PySparkException) as caught:
        reader.schema("note date").load(str(sample_path(SHOP))).collect()
    text = str(caught.value)
    assert f"SchemaMismatchError: {sample_path(SHOP).name}@" in text
    assert "table shop.orders column 7 note (VARCHAR): expected type string" in text
