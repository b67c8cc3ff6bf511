"""The guide's job on a standalone cluster, whose Pythons have no more than our dependencies.

Requests, rows and errors cross the borders of processes.
"""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyspark_adapter import read_batches
from tests.docs.pages import find_programs
from tests.inputs import sample_path
from tests.spark.standalone_cluster import running_cluster, spark_environment
from tests.spark.wheels import make_bare_python, run

pytestmark = [pytest.mark.spark, pytest.mark.slow]

# Of the test alone: little memory, no start before both workers are there, and a record of tasks.
DEFAULTS = """
spark.ui.enabled false
spark.executor.memory 512m
spark.driver.memory 512m
spark.scheduler.minRegisteredResourcesRatio 1.0
spark.scheduler.maxRegisteredResourcesWaitingTime 60s
spark.task.maxFailures 1
spark.eventLog.enabled true
spark.eventLog.compress false
spark.eventLog.rolling.enabled false
spark.eventLog.dir {events}
"""

# Small logs share tasks; so many make some of them.
NUM_LOGS = 150

# After the job: a damaged log, whose error a worker raises and the driver shows.
DAMAGED = """
from pyspark.errors import PySparkException

try:
    spark.read.format("mysql_binlog").load({log!r}).collect()
except PySparkException as error:
    print(error)
"""

# What a user puts in its place.
HOST, LOGS, OUT = "HOST:7077", "/mnt/logs", "/mnt/orders"


def events(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return what Spark has recorded of one kind."""
    [log] = folder.iterdir()
    found = [json.loads(line) for line in log.read_text().splitlines()]
    return [event for event in found if event["Event"] == kind]


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = ("_commit_version", "_row_number", "_change_type")
    return sorted(rows, key=lambda row: [row[key] for key in keys])


def test_the_job_of_the_guide_runs_on_both_workers_of_a_cluster(
    wheel: Path, tmp_path: Path
) -> None:
    [job] = find_programs("python", "cluster")
    [commands] = find_programs("console", "cluster")
    build, copy, submit = (line.removeprefix("$ ") for line in commands.text.splitlines())
    assert build == "python -m build --wheel"  # as the fixture does, which needs no network

    checkout = tmp_path / "checkout"
    (checkout / "dist").mkdir(parents=True)
    shutil.copy(wheel, checkout / "dist")
    data = bytearray(sample_path("mysql-9.7-shop").read_bytes())
    data[-5] ^= 0xFF
    damaged = tmp_path / "damaged.000001"
    damaged.write_bytes(data)
    (checkout / "job.py").write_text(job.text + DAMAGED.format(log=str(damaged)))
    out = tmp_path / "orders"
    logs, recorded, conf = (tmp_path / name for name in ("logs", "events", "conf"))
    for folder in (logs, recorded, conf):
        folder.mkdir()
    for number in range(1, NUM_LOGS + 1):
        shutil.copy(sample_path("mysql-9.7-shop"), logs / f"binlog.{number:06}")
    (conf / "spark-defaults.conf").write_text(DEFAULTS.format(events=recorded))
    python = make_bare_python(tmp_path / "venv")
    environment = spark_environment(tmp_path, PYSPARK_PYTHON=str(python), SPARK_CONF_DIR=str(conf))
    environment["PATH"] = f"{environment['SPARK_HOME']}/bin:{environment['PATH']}"

    with running_cluster(tmp_path, PYSPARK_PYTHON=str(python)) as cluster:
        run("bash", "-c", copy, cwd=checkout, environment=environment)
        for written, ours in {HOST: cluster.address, LOGS: str(logs), OUT: str(out)}.items():
            assert written in submit
            submit = submit.replace(written, ours)
        printed = run(*shlex.split(submit), cwd=checkout, environment=environment)
        for folder in cluster.work_folders:
            assert len(list(folder.glob("app-*/*/mysql_binlog_spark.zip"))) == 1

    batches = list(read_batches(logs, table="shop.orders"))
    expected = pa.Table.from_batches(batches)
    # Spark's Parquet files leave out the time zone of instants, which is UTC.
    written = pq.read_table(out).cast(expected.schema)
    assert in_order(written.to_pylist()) == in_order(expected.to_pylist())
    assert "ChecksumMismatchError: damaged.000001@" in printed
    *tasks, last = [event["Task Info"] for event in events(recorded, "SparkListenerTaskEnd")]
    assert {task["Executor ID"] for task in tasks} == {"0", "1"}
    assert not any(task["Failed"] for task in tasks)
    assert last["Failed"]
    # The library is unpacked once, although each worker has a copy of the archive.
    kept = list(tmp_path.glob(".cache/mysql-binlog-spark/*/*"))
    assert [path.suffix for path in kept] == [".library"]
