"""`export`: the tables in Parquet, and no noise."""

import os
import signal
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.inputs import ROOT, SAMPLES, sample_path
from tests.support.programs import captured, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]

COMMAND = [sys.executable, "-m", "pyspark_adapter", "export"]


def test_export_prints_its_result_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = captured(
        [*COMMAND, sample_path("mysql-9.7-shop"), "--out", out, "--table", "shop.[op]*"], cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "writing the tables with Spark ...\n")
    assert f"shop.orders: 177 row images in {out}/shop.orders" in done.stdout
    assert done.stdout.count("root\n") == 1  # one example
    assert pq.read_table(out / "shop.orders").num_rows == 177
    assert {path.name for path in out.iterdir()} == {
        table.replace("`", "")
        for table in SAMPLES["mysql-9.7-shop"]["row_changes"]
        if table.replace("`", "").startswith(("shop.o", "shop.p"))
    }


def test_an_interrupted_export_is_one_line_and_leaves_no_process(tmp_path: Path) -> None:
    command = [*COMMAND, str(sample_path("mysql-9.7-shop")), "--out", str(tmp_path / "out")]
    with started(command) as program:
        assert program.stderr is not None
        assert program.stderr.readline() == "writing the tables with Spark ...\n"
        os.killpg(program.pid, signal.SIGINT)
        _, printed = program.communicate()  # until nobody holds its output, Java included
    assert (program.returncode, printed) == (130, "interrupted\n")


@pytest.mark.parametrize(
    ("variable", "place"), [("JAVA_HOME", "in JAVA_HOME (/none)"), ("PATH", "on the PATH")]
)
def test_without_java_it_is_one_line(variable: str, place: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    program = [sys.executable, "-c", "from pyspark_adapter import session; session()"]
    expected = f"Spark needs Java 17 or later, and there is no `java` {place}; install it "
    for command, begin in (
        ([*COMMAND, str(sample_path("mysql-9.7-shop"))], "error: "),
        (program, ""),
    ):
        done = captured(command, cwd=ROOT, env=environment | {variable: "/none"})
        *_, said = done.stderr.splitlines()
        assert (done.returncode, done.stdout) == (1, "")
        assert said.removeprefix("pyspark_adapter.errors.BinlogError: ").startswith(
            f"{begin}{expected}"
        )
        assert begin == "" or done.stderr.count("\n") == 1
