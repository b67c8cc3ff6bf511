"""The same on a cluster: requests, partitions, rows and errors cross process borders."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from pyspark_adapter import read_batches
from tests.inputs import sample_path
from tests.spark import cluster_job

pytestmark = pytest.mark.spark

TIMEOUT_SECONDS = 400  # a minute if nothing else runs


def test_cluster_gives_the_rows_and_the_errors_of_the_log(tmp_path: Path) -> None:
    good = sample_path("mysql-9.7-shop")
    data = bytearray(good.read_bytes())
    data[-5] ^= 0xFF
    damaged = tmp_path / "binlog.000001"
    damaged.write_bytes(data)
    # The workers keep their files below it.
    home = tmp_path / "spark"
    home.mkdir()
    for path in Path(pyspark.__file__).parent.iterdir():
        if path.name != "work":
            (home / path.name).symlink_to(path)
    environment = os.environ | {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, cluster_job.__file__, str(good), str(damaged), "shop.orders"]
    done = subprocess.run(
        command,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["partitions"] == 2
    assert "ChecksumMismatchError: binlog.000001@" in found["error"]
    rows = [row for batch in read_batches(good, table="shop.orders") for row in batch.to_pylist()]
    names = ("_change_type", "order_id", "total", "placed_at")
    expected = [[str(row[name]) for name in names] for row in rows]
    assert sorted(found["rows"]) == sorted(2 * expected)
    # Not in the driver; `test_spark_submit` has two workers, and tasks on both.
    assert len(list(home.glob("work/app-*/*/stderr"))) == 1
