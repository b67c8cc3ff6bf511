"""`write_parquet`: the rows and the schema of the read, in files that Spark takes for its own."""

import resource
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from pyspark_adapter import BinlogError, OptionError, TruncatedEventError, write_parquet
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark.batch import BinlogReader
from pyspark_adapter.spark.parquet_files import _Parts
from pyspark_adapter.spelling import spark_name
from pyspark_adapter.splits.read_split import plan_read
from tests.inputs import sample_path
from tests.spark.conftest import load

pytestmark = pytest.mark.spark

SHOP = "mysql-9.7-shop"
TYPES = "mysql-9.7-types"
ORDERS = {"table": "shop.orders"}


def as_text(frame: DataFrame) -> list[str]:
    """Return the rows of a frame of any types as text, in one order."""
    complex_types = ("variant", "struct", "array")
    columns = (
        f"to_json(`{name}`) AS `{name}`"
        if kind.startswith(complex_types)
        else f"CAST(`{name}` AS STRING)"
        for name, kind in frame.dtypes
    )
    return sorted(map(str, frame.selectExpr(*columns).collect()))


def check_same(spark: SparkSession, out: Path, sample: str, options: dict[str, Any]) -> None:
    """Write a sample, and compare the files with the read."""
    count = write_parquet(spark, out, sample_path(sample), overwrite=True, **options)
    frame = load(spark, sample, **{spark_name(name): text for name, text in options.items()})
    written = spark.read.parquet(str(out))
    assert written.schema == frame.schema
    rows = as_text(frame)
    assert as_text(written) == rows
    assert count == len(rows)


@pytest.mark.parametrize(
    ("sample", "options"),
    [
        (SHOP, {}),
        (SHOP, {"view": "events"}),
        (SHOP, ORDERS | {"metadata_columns": "_gtid,_xa,_query,_start_pos,_absent_columns"}),
        (TYPES, {"table": "types97.wide"}),
        (TYPES, {"table": "types97.times"}),
        (TYPES, {"table": "types97.decimal_edges"}),
        (TYPES, {"table": "types97.zero_dates"}),
        (TYPES, {"table": "types97.json_documents", "json": "variant"}),
        ("mysql-9.7-geometry-vector", {"table": "shapes97.shapes"}),
        ("mysql-9.7-geometry-vector", {"table": "shapes97.vectors"}),
    ],
)
def test_files_have_the_rows_and_the_schema_of_the_read(
    spark: SparkSession, tmp_path: Path, sample: str, options: dict[str, Any]
) -> None:
    check_same(spark, tmp_path / "out", sample, options)


def test_several_tasks_write_a_file_each(spark: SparkSession, tmp_path: Path) -> None:
    check_same(spark, tmp_path, TYPES, {"max_partition_bytes": "64k"})
    assert len(list(tmp_path.glob("part-*.parquet"))) > 1
    assert {path.name for path in tmp_path.iterdir() if path.name[0] in "._"} == {
        "_SUCCESS",
        "_mysql_binlog",
    }


def test_a_table_without_rows_has_a_schema(spark: SparkSession, tmp_path: Path) -> None:
    check_same(spark, tmp_path, SHOP, ORDERS | {"starting_timestamp": "2100-01-01"})
    assert pq.read_table(tmp_path).num_rows == 0


def test_a_folder_with_files_is_not_overwritten(spark: SparkSession, tmp_path: Path) -> None:
    kept = tmp_path / "kept.parquet"
    kept.write_bytes(b"of another")
    with pytest.raises(OptionError, match="an empty or new folder, or overwrite=True"):
        write_parquet(spark, tmp_path, sample_path(SHOP), table="shop.orders")
    assert list(tmp_path.iterdir()) == [kept]


def test_an_error_keeps_its_class_and_the_files_before(spark: SparkSession, tmp_path: Path) -> None:
    cut = tmp_path / "cut.000001"
    cut.write_bytes(sample_path(SHOP).read_bytes()[:-10])
    out = tmp_path / "out"
    write_parquet(spark, out, sample_path(SHOP), table="shop.orders")
    before = {path: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(TruncatedEventError, match=r"cut\.000001"):
        write_parquet(spark, out, cut, table="shop.orders", overwrite=True)
    assert {path: path.read_bytes() for path in out.iterdir()} == before
    assert sorted(tmp_path.iterdir()) == [cut, out]


def test_a_folder_that_cannot_be_written_is_named(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BinlogError, match="file/out: cannot be written"):
        write_parquet(spark, tmp_path / "file/out", sample_path(SHOP))


def test_a_disk_that_fills_up_anywhere_in_a_file_is_an_error_of_ours(tmp_path: Path) -> None:
    """A task returns it; what a task raises, Spark gives another class."""
    log_files = find_log_files(sample_path(SHOP))
    request = plan_read(log_files, BinlogOptions())
    reader = BinlogReader(log_files, request)
    (tmp_path / "part").mkdir()
    parts = _Parts(Location.parse(tmp_path), "part", reader, request.schema)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    for size in range(1000, 10000, 500):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, unlimited[1]))
        try:
            written = parts.write((0, reader.partitions()[0]))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        assert isinstance(written, BinlogError), size
        assert "cannot be written" in str(written)
