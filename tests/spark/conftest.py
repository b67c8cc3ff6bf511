"""One Spark session, and one wheel, for all tests of this folder."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from pyspark.sql import DataFrame, SparkSession

from pyspark_adapter.spark.export import start_session
from tests.inputs import sample_path
from tests.spark.wheels import build_wheel

# Most plans see few rows: to compile one takes longer than to interpret it, and a third of the
# processor time of a module of many plans.
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
# PySpark tells the JVM for each expression in which line of the program it is made, for errors of
# Spark's own: a fifth of the time that the longer plans take.
WITHOUT_LINES = "--conf spark.python.sql.dataFrameDebugging.enabled=false pyspark-shell"


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Give a session of two threads, started as the command line does, that interprets plans."""
    with patch.dict(os.environ, {"PYSPARK_PYTHON": sys.executable, "TZ": "UTC"}):
        with patch.dict(os.environ, {"PYSPARK_SUBMIT_ARGS": WITHOUT_LINES}):
            session = start_session("2")
        session.conf.set("spark.sql.shuffle.partitions", "2")
        for name, value in INTERPRETED.items():
            session.conf.set(name, value)
        yield session
        session.stop()


@pytest.fixture
def compiled_plans(spark: SparkSession) -> Iterator[None]:
    """Have Spark compile plans, as it does for users."""
    for name in INTERPRETED:
        spark.conf.unset(name)
    yield
    for name, value in INTERPRETED.items():
        spark.conf.set(name, value)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def load(spark: SparkSession, *names: str, **options: str) -> DataFrame:
    reader = spark.read.format("mysql_binlog").options(**options)
    return reader.load([str(sample_path(name)) for name in names])
