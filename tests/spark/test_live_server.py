"""Spark reads the logs of a running server as it reads its files."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from tests.docs.pages import Program, find_programs
from tests.inputs import ROOT
from tests.live.replication import PASSWORD, TABLE, USER, Source, source, wait_for

pytestmark = [pytest.mark.spark, pytest.mark.live]


@pytest.fixture(scope="module")
def running(servers_folder: Path) -> Iterator[Source]:
    with source(servers_folder, "mysql-latest", "spark-live", {}) as found:
        for _ in range(4):
            found.write_log(30, 1000)
        yield found


def options_of(running: Source) -> dict[str, str]:
    return {name: str(value) for name, value in running.options.items()}


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return sorted(map(tuple, frame.collect()), key=repr)


@pytest.mark.parametrize("options", [{}, {"table": TABLE}], ids=["all", "table"])
def test_rows_are_those_of_the_files(
    running: Source, spark: SparkSession, options: dict[str, str]
) -> None:
    reader = spark.read.format("mysql_binlog").options(**options)
    expected = rows(reader.load(running.state.binlog_dir))
    assert len(expected) == 120
    found = spark.read.format("mysql_binlog").options(**options, **options_of(running)).load()
    assert rows(found) == expected
    wait_for(lambda: not running.dump_threads())


def test_the_programs_of_the_guide_run(
    running: Source, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    with_spark, without_spark, of_stream = find_programs("python", "live")
    for program in (with_spark, of_stream, without_spark):
        names = run_program(program, running, {"secret": PASSWORD}, spark=spark)
        if program is with_spark:
            frame = names["orders"]
            assert isinstance(frame, DataFrame)
            assert frame.count() == 120
        if program is of_stream:
            changes = names["changes"]
            assert isinstance(changes, DataFrame)
            assert changes.isStreaming
        if program is not without_spark:
            capsys.readouterr()
    assert sum(map(int, capsys.readouterr().out.split())) == 120


def run_program(
    program: Program, running: Source, replaced: dict[str, str], **names: object
) -> dict[str, object]:
    """Run a program of the guides on the server; return its names."""
    of_ours = {
        "db1.example.org": f"127.0.0.1:{port(running)}",
        "shop.orders": TABLE,
        '"reader"': f'"{USER}"',
        **replaced,
    }
    text = program.text
    for written, ours in of_ours.items():
        assert written in text or written not in replaced, written
        text = text.replace(written, ours)
    exec(compile(text, str(program.page), "exec"), names)  # noqa: S102
    return names


def test_the_programs_for_other_platforms_get_the_password_elsewhere(
    running: Source,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    of_databricks, of_kubernetes = find_programs("python", "platform")
    secrets = SimpleNamespace(get=lambda scope, key: PASSWORD * (scope == "mysql" and key != ""))
    run_program(of_databricks, running, {}, spark=spark, dbutils=SimpleNamespace(secrets=secrets))
    assert "|      insert|  120|" in capsys.readouterr().out
    run_program(of_kubernetes, running, {"/mnt/lake": str(tmp_path)})
    assert spark.read.parquet(str(tmp_path / "orders")).count() == 120


def port(running: Source) -> int:
    return running.state.port


def test_the_password_is_in_no_plan_and_no_error(running: Source, spark: SparkSession) -> None:
    given = options_of(running) | {"table": TABLE}
    frame = spark.read.format("mysql_binlog").options(**given).load()
    assert PASSWORD not in frame._jdf.queryExecution().toString()
    wrong = given | {"password": "falsch"}
    with pytest.raises(
        PySparkException, match=r"ServerError: mysql://reader@127\.0\.0\.1"
    ) as caught:
        spark.read.format("mysql_binlog").options(**wrong).load().count()
    assert "falsch" not in str(caught.value)


def test_a_path_and_a_host_are_refused(running: Source, spark: SparkSession) -> None:
    reader = spark.read.format("mysql_binlog").options(**options_of(running))
    with pytest.raises(PySparkException, match="no host, since there are paths"):
        reader.load(running.state.binlog_dir).count()


def test_a_stream_of_a_server(running: Source, spark: SparkSession, tmp_path: Path) -> None:
    """Over a rotation, and a restart of the query; no connection stays between batches."""

    def start() -> StreamingQuery:
        reader = spark.readStream.format("mysql_binlog").options(**options_of(running))
        writer = reader.option("table", TABLE).load().writeStream.format("parquet")
        writer = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
        return writer.trigger(processingTime="0 seconds").start(str(tmp_path / "rows"))

    for _ in range(2):
        query = start()
        query.processAllAvailable()
        running.write_rows(3, 10)
        running.rotate()
        running.write_rows(3, 10)
        query.processAllAvailable()
        wait_for(lambda: not running.dump_threads())
        query.stop()
    files = spark.read.format("mysql_binlog").option("table", TABLE)
    expected = rows(files.load(running.state.binlog_dir))
    assert rows(spark.read.parquet(str(tmp_path / "rows"))) == expected


def test_a_stream_has_a_path_or_a_host(running: Source, spark: SparkSession) -> None:
    reader = spark.readStream.format("mysql_binlog").options(**options_of(running))
    with pytest.raises(PySparkException, match="no host, since there are paths"):
        reader.load(running.state.binlog_dir)


@pytest.mark.slow
def test_the_password_is_in_nothing_that_spark_says_or_keeps(
    running: Source, tmp_path: Path
) -> None:
    """In no event, page, plan, error, log, checkpoint or progress, with all of them on."""
    with (tmp_path / "driver.log").open("wb") as log:
        done = subprocess.run(
            [sys.executable, "-m", "tests.spark.secret_program", tmp_path, str(port(running))],
            cwd=ROOT,
            env=os.environ | {"MYSQL_PWD": PASSWORD, "PYSPARK_PYTHON": sys.executable},
            stdout=log,
            stderr=log,
            timeout=300,
            check=False,
        )
    text = (tmp_path / "driver.log").read_text(errors="replace")
    assert done.returncode == 0, text
    said = (tmp_path / "said").read_text()
    assert said.count("error: ") == 3
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    kept = {path.relative_to(tmp_path).parts[0] for path in files}
    assert {"events", "checkpoint", "said", "driver.log"} <= kept
    # What is looked for would be found: these hold what is next to the password.
    events = b"".join(p.read_bytes() for p in (tmp_path / "events").rglob("*") if p.is_file())
    assert b"mysql_binlog" in events
    assert "mysql_binlog" in said
    secret = PASSWORD[:6]
    for path in files:
        assert secret.encode() not in path.read_bytes(), path
