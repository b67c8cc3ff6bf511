"""What holds with each release of PySpark that is supported.

`make test-releases` runs this file with the older ones, each in an environment of its own. All
other tests run with the newest.
"""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from shutil import copy
from time import sleep
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.types import LongType, StringType, StructField, StructType

import pyspark_adapter
from pyspark_adapter import (
    MetricsListener,
    OptionError,
    UnsupportedError,
    build_index,
    debezium_messages,
    latest_rows,
    read_batches,
    read_frame,
    read_stream,
    snapshot,
    tables_of,
    write_parquet,
)
from pyspark_adapter.operations.debezium_messages import DebeziumMessages
from pyspark_adapter.spark.versions import (
    GEOMETRY_TYPE,
    HAS_DATA_SOURCES,
    HAS_FILTERS,
    HAS_READ_LIMITS,
    RELEASE,
    VARIANT_TYPE,
)
from tests.docs.pages import find_programs
from tests.inputs import ROOT, expected_tables, sample_path
from tests.inputs import SAMPLES as ENTRIES
from tests.live.replication import TABLE, Source, source, wait_for
from tests.spark.release_program import write_stream
from tests.support.programs import captured

pytestmark = pytest.mark.spark

SHOP, ORDERS = "mysql-9.7-shop", "shop.orders"
PROGRAM = [sys.executable, "-m", "tests.spark.release_program"]
needs_streams = pytest.mark.skipif(not HAS_DATA_SOURCES, reason="PySpark 3.5 has no such streams")


def frame(spark: SparkSession, name: str = SHOP, **options: Any) -> DataFrame:
    return read_frame(spark, sample_path(name), **options)


def plain(value: Any) -> Any:
    """Return a value of Spark or Arrow in one form for both."""
    if isinstance(value, Row):
        return {name: plain(part) for name, part in value.asDict().items()}
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return list(map(plain, value))
    if isinstance(value, bytearray):
        return bytes(value)
    return value.replace(tzinfo=None) if isinstance(value, datetime) else value


def shown(rows: list[dict[str, Any]]) -> list[str]:
    """Return rows as text, as NaN equals nothing and -0.0 == 0.0; in any order."""
    return sorted(repr({name: plain(value) for name, value in row.items()}) for row in rows)


def of_spark(found: DataFrame) -> list[str]:
    return shown([row.asDict() for row in found.collect()])


def of_arrow(name: str = SHOP, **options: Any) -> list[str]:
    found = shown(read_batches(sample_path(name), **options).to_table().to_pylist())
    assert found
    return found


TYPES = ["integers", "decimal_edges", "floats", "bits", "dates", "datetimes", "timestamps", "times"]
TYPES += ["zero_dates", "strings_latin1", "binaries", "enums", "json_documents"]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        *(("mysql-9.7-types", f"types97.{table}") for table in TYPES),
        ("mysql-9.7-geometry-vector", "shapes97.shapes"),
        ("mariadb-11.8-own-types", None),
        ("mysql-9.7-compressed-transactions", None),
        (SHOP, ORDERS),
    ],
)
def test_rows_are_those_that_are_read_without_spark(
    spark: SparkSession, name: str, table: str | None
) -> None:
    options = {} if table is None else {"table": table}
    assert of_spark(frame(spark, name, **options)) == of_arrow(name, **options)


def test_a_log_is_read_by_several_tasks(spark: SparkSession) -> None:
    name = "mysql-9.7-types"
    found = frame(spark, name, max_partition_bytes=65536)
    assert found.rdd.getNumPartitions() > 2
    assert of_spark(found) == of_arrow(name)


def test_several_logs_and_none(spark: SparkSession) -> None:
    names = [SHOP, "mysql-9.7-transactions"]
    found = read_frame(spark, [sample_path(name) for name in names])
    assert found.count() == sum(len(of_arrow(name)) for name in names)
    assert frame(spark, starting_timestamp="2100-01-01T00:00:00Z").collect() == []


def test_absent_columns_and_null_are_told_apart(spark: SparkSession) -> None:
    name, columns = "mysql-9.7-minimal-image", ["_change_type", "_absent_columns"]
    table = min(expected_tables(ENTRIES[name]))
    options: dict[str, Any] = {"table": table, "metadata_columns": columns}
    found = of_spark(frame(spark, name, **options))
    assert found == of_arrow(name, **options)
    assert any("'_absent_columns': ['" in row for row in found)


def test_filters_of_a_query_and_of_options_choose_the_same_rows(spark: SparkSession) -> None:
    found = frame(spark, table=ORDERS).where("_change_type = 'delete'")
    chosen = frame(spark, table=ORDERS, change_types=["delete"])
    assert of_spark(found) == of_spark(chosen) != []


def test_filters_are_pushed_down_where_spark_can(spark: SparkSession) -> None:
    if not HAS_FILTERS:
        with pytest.raises(OptionError, match=r"push_filters: .* true needs 4\.1"):
            frame(spark, table=ORDERS, push_filters=True)
        return
    name = "spark.sql.python.filterPushdown.enabled"
    spark.conf.set(name, "true")
    try:
        columns = ["_change_type", "_log_file"]
        found = frame(spark, push_filters=True, metadata_columns=columns)
        found = found.where("_log_file = 'other.000001'")
        assert found.rdd.getNumPartitions() <= 1
        assert found.collect() == []
        pushed = frame(spark, table=ORDERS, push_filters=True).where("_change_type = 'delete'")
        assert of_spark(pushed) == of_arrow(table=ORDERS, change_types=["delete"])
    finally:
        spark.conf.unset(name)


def test_a_view_of_sql(spark: SparkSession) -> None:
    if HAS_DATA_SOURCES:
        options = f"path '{sample_path(SHOP)}', table '{ORDERS}'"
        spark.sql(f"CREATE OR REPLACE TEMP VIEW changes USING mysql_binlog OPTIONS ({options})")
    else:
        frame(spark, table=ORDERS).createOrReplaceTempView("changes")
    found = spark.sql("SELECT _change_type, count(*) n FROM changes GROUP BY 1").collect()
    rows = read_batches(sample_path(SHOP), table=ORDERS).to_table().to_pylist()
    assert {row[0]: row[1] for row in found} == Counter(row["_change_type"] for row in rows)


def test_a_schema_chooses_columns(spark: SparkSession) -> None:
    schema = StructType(
        [StructField("order_id", StringType()), StructField("_row_number", LongType())]
    )
    found = frame(spark, table=ORDERS, schema=schema)
    assert found.columns == ["order_id", "_row_number"]
    assert all(row["order_id"].isdigit() for row in found.collect())


def test_options_are_checked_and_spelled_as_in_python(spark: SparkSession) -> None:
    with pytest.raises(OptionError, match="option batch_rows: expected"):
        frame(spark, batch_rows=0)
    with pytest.raises(OptionError, match="max_bytes_per_trigger"):
        frame(spark, max_bytes_per_trigger=1 << 20)


def test_options_have_the_types_of_python(spark: SparkSession) -> None:
    since = datetime.fromisoformat("2026-11-20T00:00:00+00:00")
    options: dict[str, Any] = {
        "tables": [ORDERS, "shop.products"],
        "starting_timestamp": since,
        "verify_checksums": False,
        "batch_rows": 10,
    }
    assert of_spark(frame(spark, **options)) == of_arrow(**options)


def test_variants(spark: SparkSession) -> None:
    if VARIANT_TYPE is None:
        with pytest.raises(UnsupportedError, match=r"VARIANT needs PySpark 4\.0"):
            frame(spark, row="variant")
        return
    rows = frame(spark, row="variant", tables=ORDERS)
    found = rows.selectExpr("variant_get(row, '$.order_id', 'string') AS id").collect()
    text = [json.loads(row["row"])["order_id"] for row in frame(spark, tables=ORDERS).collect()]
    assert sorted(row["id"] for row in found) == sorted(map(str, text))


def test_messages_of_debezium_are_in_order(spark: SparkSession) -> None:
    images = frame(spark, "mysql-9.7-types", row="debezium", max_partition_bytes=65536)
    found = debezium_messages(images, "x").select("topic", "key").collect()
    batches = read_batches(sample_path("mysql-9.7-types"), row="debezium")
    expected = [row for batch in DebeziumMessages("x").of(batches) for row in batch.to_pylist()]
    assert [tuple(row) for row in found] == [(row["topic"], row["key"]) for row in expected]


def test_geometries(spark: SparkSession) -> None:
    options = {"table": "shapes97.shapes", "geometry": "native"}
    if GEOMETRY_TYPE is None:
        error = Exception if HAS_DATA_SOURCES else UnsupportedError
        with pytest.raises(error, match=r"GEOMETRY needs PySpark 4\.1"):
            frame(spark, "mysql-9.7-geometry-vector", **options).count()
        return
    assert (
        frame(spark, "mysql-9.7-geometry-vector", **options).schema["p"].dataType == GEOMETRY_TYPE
    )


def test_the_latest_rows_are_those_of_the_server(spark: SparkSession) -> None:
    found = latest_rows(frame(spark, table=ORDERS))
    expected = expected_tables(ENTRIES[SHOP])[ORDERS]
    ids = sorted(str(row["order_id"]) for row in found.collect())
    assert ids == sorted(row[0]["text"] for row in expected["rows"])


def test_a_data_set_has_the_rows_and_the_types_of_the_frame(
    spark: SparkSession, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    number = write_parquet(spark, out, sample_path(SHOP), table=ORDERS)
    expected = frame(spark, table=ORDERS)
    found = spark.read.parquet(str(out))
    assert [f.dataType for f in found.schema] == [f.dataType for f in expected.schema]
    assert of_spark(found) == of_spark(expected)
    assert number == expected.count()


def test_all_tables_from_one_read(spark: SparkSession, tmp_path: Path) -> None:
    with tables_of(frame(spark, row="arrow", schema_changes=True)) as tables:
        rows = {str(found.table): of_spark(found.rows) for found in tables}
        assert rows[ORDERS] == of_spark(frame(spark, table=ORDERS))
        assert all(found.statements for found in tables)
        written = tables.write_parquet(tmp_path)
    assert {str(table): number for table, number in written.items()} == {
        table: len(found) for table, found in rows.items()
    }
    assert of_spark(spark.read.parquet(str(tmp_path / ORDERS))) == rows[ORDERS]


def test_a_delta_table_of_each_table(spark: SparkSession, tmp_path: Path) -> None:
    deltalake = pytest.importorskip("deltalake")
    with tables_of(frame(spark, row="arrow", tables=ORDERS)) as tables:
        written = tables.write_delta(tmp_path)
    assert deltalake.DeltaTable(tmp_path / ORDERS).to_pyarrow_table().num_rows == sum(
        written.values()
    )


def test_an_index_is_built_and_asked(spark: SparkSession, tmp_path: Path) -> None:
    assert build_index(spark, sample_path(SHOP), tmp_path / "index") == 1
    found = frame(spark, table=ORDERS, index=str(tmp_path / "index"))
    assert of_spark(found) == of_arrow(table=ORDERS)


def test_a_damaged_log_is_an_error_that_names_the_place(
    spark: SparkSession, tmp_path: Path
) -> None:
    data = bytearray(sample_path(SHOP).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "binlog.000001").write_bytes(data)
    with pytest.raises(Exception, match=r"binlog\.000001@\d+ .*expected CRC32"):
        read_frame(spark, tmp_path).count()


def run(command: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the program, whose session is its own."""
    return captured(
        [*PROGRAM, command, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, **environment},
    )


def test_executors_in_processes_of_their_own() -> None:
    done = run("count", "local-cluster[2,1,1024]", sample_path(SHOP), ORDERS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [len(of_arrow(table=ORDERS))] * 2


# What modules that are not imported by themselves take from extras.
OF_EXTRAS = {"llvmlite", "numba", "pyiceberg"}


def test_every_module_is_imported() -> None:
    """Nothing is taken from where this release, NumPy or PyArrow has none."""
    for module in walk_packages(pyspark_adapter.__path__, "pyspark_adapter."):
        if module.name != "pyspark_adapter.__main__":
            try:
                import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name not in OF_EXTRAS:
                    raise
    assert all(getattr(pyspark_adapter, name) is not None for name in pyspark_adapter.__all__)


@needs_streams
def test_spark_connect() -> None:
    pytest.importorskip("grpc")
    done = run("count", "connect", sample_path(SHOP), ORDERS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [len(of_arrow(table=ORDERS))] * 2


def batches_of(
    query_frame: DataFrame,
    checkpoint: Path,
    meanwhile: Callable[[StreamingQuery], None] | None = None,
) -> list[list[Row]]:
    """Run a stream until it has read all that is there; return the rows of each batch."""
    found: list[list[Row]] = []

    def keep(batch: DataFrame, _: int) -> None:
        found.append(batch.collect())

    writer = query_frame.writeStream.foreachBatch(keep)
    writer = writer.option("checkpointLocation", str(checkpoint))
    writer = writer.trigger(availableNow=True) if meanwhile is None else writer
    query = writer.start()
    try:
        if meanwhile is None:
            assert query.awaitTermination(240)
        else:
            query.processAllAvailable()
            meanwhile(query)
    finally:
        query.stop()
    return [rows for rows in found if rows]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Give a folder with a copy of a log, to which others come."""
    (tmp_path / "logs").mkdir()
    copy(sample_path(SHOP), tmp_path / "logs" / "binlog.000001")
    return tmp_path / "logs"


@needs_streams
def test_a_stream_reads_what_is_there_and_what_comes(
    spark: SparkSession, logs: Path, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    assert sum(map(len, batches_of(read_stream(spark, logs), checkpoint))) == len(of_arrow())
    copy(sample_path("mysql-9.7-transactions"), logs / "binlog.000002")
    then = batches_of(read_stream(spark, logs), checkpoint)
    assert sum(map(len, then)) == len(of_arrow("mysql-9.7-transactions"))


@needs_streams
def test_batches_of_a_stream_are_limited(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    """Without limits of Spark, the first batch of a new query reads all, and is right."""
    most: dict[str, Any] = {"max_files_per_trigger": 1}
    rows, numbers = len(of_arrow()), iter(range(2, 10))

    def add_logs() -> None:
        for number in (next(numbers), next(numbers)):
            copy(sample_path(SHOP), logs / f"binlog.00000{number}")

    def wait_and_add(query: StreamingQuery) -> None:
        add_logs()
        query.processAllAvailable()

    def sizes() -> list[int]:
        found = batches_of(
            read_stream(spark, logs, **most), tmp_path / "checkpoint", meanwhile=wait_and_add
        )
        return list(map(len, found))

    add_logs()
    assert sizes() == ([rows] * 5 if HAS_READ_LIMITS else [3 * rows, rows, rows])
    add_logs()
    assert sizes() == [rows] * 4


@needs_streams
def test_a_stream_that_ends_at_a_change_of_columns_needs_limits(
    spark: SparkSession, logs: Path
) -> None:
    options: dict[str, Any] = {"table": ORDERS, "on_schema_change": "end"}
    if HAS_READ_LIMITS:
        assert read_stream(spark, logs, **options).isStreaming
        return
    with pytest.raises(OptionError, match=r"on_schema_change: .* end needs 4\.2"):
        read_stream(spark, logs, **options)


@needs_streams
def test_metrics_have_what_spark_says_of_a_stream(
    spark: SparkSession, logs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "streams.prom"
    listener = MetricsListener(str(path))
    spark.streams.addListener(listener)
    try:
        batches_of(read_stream(spark, logs), tmp_path / "checkpoint")
        wait_for(lambda: "rows_total{" in path.read_text())
    finally:
        spark.streams.removeListener(listener)
    assert ("read_bytes_total{" in path.read_text()) == HAS_READ_LIMITS


def test_without_streams_the_error_names_the_ways(spark: SparkSession, logs: Path) -> None:
    if HAS_DATA_SOURCES:
        assert read_stream(spark, [str(logs)]).isStreaming
        return
    with pytest.raises(UnsupportedError, match=r"need PySpark 4\.0.*replicate.*batch"):
        read_stream(spark, logs)


@pytest.fixture(scope="module")
def running(servers_folder: Path) -> Iterator[Source]:
    with source(servers_folder, "mysql-latest", f"spark-{RELEASE}", {}) as found:
        yield found


def ids_of(running: Source) -> list[int]:
    return [int(row[0]) for row in running.ask(f"SELECT id FROM {TABLE} ORDER BY id")]  # noqa: S608


def ids_in(out: Path, spark: SparkSession) -> list[int]:
    return sorted(row["id"] for row in spark.read.parquet(str(out)).collect())


@needs_streams
@pytest.mark.live
def test_a_stream_of_a_server_is_killed_and_goes_on(
    running: Source, spark: SparkSession, tmp_path: Path
) -> None:
    """Spark's sink of files notes which files a batch wrote, so each row is there once."""
    options = {**running.options, "table": TABLE}
    out, checkpoint = tmp_path / "out", tmp_path / "checkpoint"
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    running.write_rows(5, 10)
    command = [*PROGRAM, "stream", json.dumps(options), str(out), str(checkpoint)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True) as program:
        try:
            wait_for(lambda: [*(checkpoint / "commits").glob("[0-9]*")])
            running.write_rows(20, 10)
            sleep(1)
        finally:
            os.killpg(program.pid, signal.SIGKILL)
    running.write_rows(5, 10)
    # Else PySpark 4.0 and 4.1 end after the batch that the kill has cut; see the guide.
    spark.conf.set("spark.sql.streaming.triggerAvailableNowWrapper.enabled", "true")
    assert write_stream(read_stream(spark, **options), out, checkpoint, once=True)
    expected = ids_of(running)
    assert ids_in(out, spark) == expected
    assert len(expected) == 30


@pytest.mark.live
def test_a_snapshot_has_the_rows_of_the_server(running: Source, spark: SparkSession) -> None:
    running.write_rows(5, 10)
    access = {name: getattr(running.state, name) for name in ("host", "port", "user", "password")}
    copy = snapshot(spark, table=TABLE, **access)
    assert sorted(row["id"] for row in copy.rows.collect()) == ids_of(running)


@pytest.mark.live
def test_a_batch_at_times_loses_and_doubles_nothing(
    running: Source, spark: SparkSession, tmp_path: Path
) -> None:
    """The recipe of the guide, for PySpark 3.5; a run is killed before it is done."""
    [recipe] = find_programs("python", "scheduled")
    server = {**running.options, "table": TABLE}
    out = tmp_path / "changes"
    program = compile(recipe.text, "recipe", "exec")
    for number in range(4):
        running.write_rows(7, 10)
        names: dict[str, Any] = {"spark": spark, "server": server, "out": str(out)}
        exec(program, names)  # noqa: S102 - a program of the guide
        if number == 1:  # as if the run had been killed before its end
            (max(out.glob("run=*"), key=lambda path: path.stat().st_mtime) / "_SUCCESS").unlink()
    assert ids_in(out, spark) == ids_of(running)
