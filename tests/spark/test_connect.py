"""The guide's program as a client of a Spark Connect server, which runs in a process of its own."""

import ast
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest
from deltalake import DeltaTable

from pyspark_adapter import list_tables, read_batches
from tests.docs.pages import find_programs
from tests.inputs import ROOT

pytestmark = [pytest.mark.spark, pytest.mark.slow]

# What clients of Spark Connect need: kept apart, since this project may not import Pandas.
CLIENT = Path(sys.prefix) / "pipelines"
SPARK_HOME = Path(pyspark.__file__).parent
SAMPLES = ROOT / "samples"
SECONDS_TO_START = 60

# After the program, what it does not show; the test compares it with reads without Spark.
CHECKS = """
def count(batch, batch_id):
    with tables_of(batch) as tables:
        found = {str(table.table): table.rows.count() for table in tables}
    with open("COUNTS", "a") as file:  # on the server
        file.write(repr(found))

changes = spark.readStream.format("mysql_binlog").option("row", "arrow").load("LOGS")
query = changes.writeStream.foreachBatch(count).trigger(availableNow=True)
query.option("checkpointLocation", os.path.abspath("checkpoint")).start().awaitTermination()

from pyspark_adapter import OptionError, latest_rows

shop = spark.read.format("mysql_binlog").option("row", "arrow").load("LOG")
with tables_of(shop) as tables:
    once = {"txn_app_id": "shop", "txn_version": 1}
    print("of tables", sum(tables.write_parquet(os.path.abspath("tables")).values()))
    for _ in range(2):
        print("added", sum(tables.write_delta(os.path.abspath("lake"), **once).values()))
print("latest", latest_rows(orders, ["order_id"]).count())
try:
    write_parquet(spark, os.path.abspath("orders"), logs, table="shop.orders")
except OptionError as error:
    print("refused", error)
"""


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[str]:
    """Start a Connect server, and yield its URL."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    [commands] = find_programs("console", "connect")
    assert "$SPARK_HOME/sbin/start-connect-server.sh" in commands.text
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port,
        "spark.ui.enabled": "false",
        "spark.driver.memory": "512m",
    }
    flags = [text for pair in settings.items() for text in ("--conf", "=".join(map(str, pair)))]
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [SPARK_HOME / "sbin/start-connect-server.sh", "--wait", "--master", "local[2]", *flags],
            cwd=tmp_path,
            env=os.environ
            | {"SPARK_HOME": str(SPARK_HOME), "PYSPARK_PYTHON": sys.executable}
            | {"PYTHONPATH": str(CLIENT), "SPARK_LOG_DIR": str(tmp_path / "logs")},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        end = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert time.monotonic() < end, (tmp_path / "server.log").read_text()
                time.sleep(0.2)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def test_all_of_the_package_works_on_a_client(remote: str, tmp_path: Path) -> None:
    assert CLIENT.is_dir(), f"{CLIENT} is not there: make .venv/.test"
    [program] = find_programs("python", "connect")
    (tmp_path / "samples").symlink_to(SAMPLES)
    log, counts = SAMPLES / "mysql-9.7-shop.000001", tmp_path / "counts"
    checks = CHECKS.replace("LOGS", f"{SAMPLES}/mysql-9.7-shop.*").replace("COUNTS", str(counts))
    checks = checks.replace("LOG", str(log))
    script = tmp_path / "client.py"
    script.write_text(program.text + checks)
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env=os.environ | {"SPARK_REMOTE": remote, "PYTHONPATH": str(CLIENT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    shop = {str(t.table): (t.num_inserts, t.num_updates, t.num_deletes) for t in list_tables(log)}
    num_rows = {name: i + 2 * u + d for name, (i, u, d) in shop.items()}
    orders = list(read_batches(log, table="shop.orders"))
    assert f"| update_preimage|   {shop['shop.orders'][1]}|" in done.stdout
    for table, count in num_rows.items():
        assert f"\n{table} {count}\n" in done.stdout
    assert f"{num_rows['shop.orders']} rows\n" in done.stdout
    assert ast.literal_eval(counts.read_text()) == num_rows
    keys = {row["order_id"] for batch in orders for row in batch.to_pylist()}
    assert f"latest {len(keys) - shop['shop.orders'][2]}\n" in done.stdout
    assert re.search("refused .*, or overwrite=True, got", done.stdout)
    total = sum(num_rows.values())
    assert f"of tables {total}\nadded {total}\nadded 0\n" in done.stdout
    for table, count in num_rows.items():
        assert pq.read_table(tmp_path / "tables" / table).num_rows == count
        assert DeltaTable(tmp_path / "lake" / table).count() == count
    assert pq.read_table(tmp_path / "orders").num_rows == sum(batch.num_rows for batch in orders)
    assert len(list((tmp_path / "indexes").iterdir())) == 3
