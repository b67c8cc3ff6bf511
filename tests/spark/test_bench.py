"""The jobs of the benchmarks in Spark run, on a small log."""

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from bench import spark_reader
from tests.inputs import sample_path


def test_tables_are_written_in_two_ways(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_reader, "DATABASE_NAME", "shop")
    log = tmp_path / "orders.000001"
    shutil.copy(sample_path("mysql-9.7-shop"), log)
    assert spark_reader.write_jobs(spark, [str(log)], 1).keys() == {"by_data_frame", "by_tasks"}
