"""Tests of tasks: of an RDD, and of a frame, which Spark Connect has in its place."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.spark import task_runs

NUM_TASKS = 12


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def refused(number: int) -> int | BinlogError:
    return OptionError(f"{number} is odd", option="table") if number % 2 else number


@pytest.fixture(params=[True, False], ids=["rdd", "frame"])
def runner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setattr(task_runs, "is_classic", lambda _session: request.param)
    return task_runs.run_tasks


def test_results_are_in_the_order_of_the_tasks(
    spark: SparkSession, runner: Callable[..., Any]
) -> None:
    results = runner(spark, doubled, list(range(NUM_TASKS)))
    assert [result for result, _ in results] == [2 * number for number in range(NUM_TASKS)]
    assert os.getpid() not in {process for _, process in results}


def test_the_error_of_the_first_task_that_fails_keeps_its_class(
    spark: SparkSession, runner: Callable[..., Any]
) -> None:
    with pytest.raises(OptionError, match=r"^3 is odd"):
        runner(spark, refused, [2, 3, 4, 5])


def test_no_task_starts_no_job(spark: SparkSession, runner: Callable[..., Any]) -> None:
    assert runner(spark, doubled, []) == []
    assert runner(spark, refused, [2]) == [2]
