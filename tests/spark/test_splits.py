"""One log in several partitions: the same rows."""

import pytest
from pyspark.sql import SparkSession

from tests.inputs import sample_path
from tests.spark.conftest import load
from tests.spark.test_rows import TYPES, in_log_order

pytestmark = pytest.mark.spark


def test_partitions_of_a_log_give_its_rows_once(spark: SparkSession) -> None:
    whole = load(spark, TYPES)
    split = load(spark, TYPES, maxPartitionBytes="64k")
    assert whole.rdd.getNumPartitions() == 1
    assert split.rdd.getNumPartitions() == -(-sample_path(TYPES).stat().st_size // 65536)
    rows = in_log_order(split.toArrow())
    assert len(rows) > 500
    assert list(map(repr, rows)) == list(map(repr, in_log_order(whole.toArrow())))
    has_rows = split.rdd.mapPartitions(lambda part: [sum(1 for _ in part)]).collect()
    assert sum(count > 0 for count in has_rows) > 1
