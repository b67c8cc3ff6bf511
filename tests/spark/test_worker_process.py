"""The processes of Spark, between two tasks."""

import gc
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSourceReader
from pyspark.sql.types import StructType

from pyspark_adapter import read_batches
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spark.worker_process import freeze_gc
from tests.inputs import sample_path

pytestmark = pytest.mark.spark


def test_what_is_loaded_is_not_looked_at_after_each_task(
    spark: SparkSession, tmp_path: Path
) -> None:
    notes = str(tmp_path / "notes")

    class WatchedSource(DefaultSource):
        """Notes at the beginning of each task what the collector does not look at."""

        @classmethod
        def name(cls) -> str:
            return "watched"

        def reader(self, schema: StructType) -> DataSourceReader:
            reader = super().reader(schema)
            read = reader.read

            def watched_read(partition: Any) -> Any:
                with Path(notes).open("a") as file:
                    file.write(f"{gc.get_freeze_count()}\n")
                return read(partition)

            patch.object(reader, "read", watched_read).start()
            return reader

    spark.dataSource.register(WatchedSource)
    for _ in range(4):  # there are two processes
        frame = spark.read.format("watched").option("table", "shop.orders")
        assert frame.load(str(sample_path("mysql-9.7-shop"))).count()
    counts = list(map(int, Path(notes).read_text().split()))
    assert counts[-1] > 10_000


def test_the_user_s_process_is_left_alone() -> None:
    gc.unfreeze()  # what the tests have frozen
    assert list(read_batches(sample_path("mysql-9.7-shop"), table="shop.orders"))
    freeze_gc()
    assert gc.get_freeze_count() == 0
