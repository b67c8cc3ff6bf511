"""`tables_of`: each table of a batch as a typed frame."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter import BinlogError, OptionError, SchemaMismatchError, tables_of
from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import CommitConflictError, open_delta
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark import table_changes, written_tables
from pyspark_adapter.spark.written_tables import TableTarget, write_tables
from tests.inputs import sample_path
from tests.spark.conftest import load
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_sample
from tests.unit.s3_server import s3_process

pytestmark = pytest.mark.spark
OWN = "mariadb-11.8-own-types"
ORDER = [(name, "ascending") for name in ("_commit_version", "_row_number", "_change_type")]


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("mysql-9.7-types", "*.times,*.decimal_edges,*.json_*,*.timestamps,*.bits,*.wide"),
        ("mysql-9.7-geometry-vector", "*.*"),
        (OWN, "*.*"),
    ],
)
def test_tables_are_those_of_typed_reads(spark: SparkSession, name: str, tables: str) -> None:
    with tables_of(load(spark, name, row="arrow", tables=tables)) as found:
        assert len(found) > 1
        for changes in found:
            typed = load(spark, name, table=str(changes.table)).toArrow()
            assert changes.rows.toArrow() == typed
            assert changes.num_rows == typed.num_rows
            assert [*changes.columns] == [n for n in typed.schema.names if not n.startswith("_")]


def test_options_apply_to_each_table(spark: SparkSession) -> None:
    options = {"json": "variant", "geometry": "native", "time": "micros"}
    tables = "types97.json_documents,types97.times"
    with tables_of(load(spark, "mysql-9.7-types", row="arrow", tables=tables, **options)) as found:
        kinds = [dict(changes.rows.dtypes) for changes in found]
        assert [kind["doc"] for kind in kinds if "doc" in kind] == ["variant"]
        assert [kind["f6"] for kind in kinds if "f6" in kind] == ["bigint"]


def test_parts_have_one_shape_each(spark: SparkSession) -> None:
    with tables_of(load(spark, "mysql-9.7-alter", row="arrow")) as tables:
        people = next(found for found in tables if found.table.table_name == "people")
        assert [part.num_rows for part in people.parts] == [2, 3, 2, 3, 1, 3, 1, 1, 1]
        for part in people.parts:
            rows = part.rows.toArrow()
            assert rows.num_rows == part.num_rows
            assert tuple(rows.schema.names[5:]) == part.columns
        assert people.key == people.parts[-1].key == ("uid",)
        assert people.columns == ("uid",)
        # `uid` was text and is a number then.
        with pytest.raises(SchemaMismatchError, match="column uid is string and then int32"):
            _ = people.rows


def test_statements_part_the_rows(spark: SparkSession) -> None:
    frame = load(spark, "mysql-9.7-alter", row="arrow", schemaChanges="true")
    with tables_of(frame) as tables:
        people = next(found for found in tables if found.table.table_name == "people")
        assert [statement.kind for statement in people.statements][:2] == ["create", "alter"]
        assert people.statements[1].text.startswith("ALTER TABLE people")
        ends = [part.last_commit_version for part in people.parts]
        altered = people.statements[1].commit_version
        assert people.statements[0].commit_version < ends[0] < altered < ends[1]
        rows = people.parts[0].rows.toArrow()
        assert "_statement" not in rows.schema.names
        assert rows.num_rows == people.parts[0].num_rows


def test_rows_of_all_parts_have_all_columns(spark: SparkSession, tmp_path: Path) -> None:
    """As a typed read has them."""
    log = tmp_path / "binlog.000001"
    log.write_bytes(read_sample("mysql-9.7-alter")[:7999])  # `uid` becomes a number later
    reader = spark.read.format("mysql_binlog")
    with tables_of(reader.option("row", "arrow").load(str(log))) as tables:
        people = next(found for found in tables if found.table.table_name == "people")
        assert len(people.parts) > 3
        typed = spark.read.format("mysql_binlog").option("table", str(people.table))
        wanted = typed.load(str(log)).toArrow()
        found = people.rows.toArrow()
        assert found.schema == wanted.schema
        assert found.sort_by(ORDER).to_pylist() == wanted.sort_by(ORDER).to_pylist()


def test_older_rows_show_what_the_server_shows(spark: SparkSession, tmp_path: Path) -> None:
    """Also if the statement is in a log without rows, and is given or not."""
    columns = [LoggedColumn("id", 3)]
    for number, step in enumerate(("row", "text", "row"), 1):
        writer = LogWriter()
        if step == "row":
            writer.begin()
            writer.table_map(100, "t", columns)
            writer.rows(100, Rows(WRITE_V2, [[b"\7\0\0\0"] * len(columns)], [True] * len(columns)))
            writer.commit()
        else:
            writer.statement("ALTER TABLE t ADD c INT DEFAULT 5, ADD d INT DEFAULT (RAND())")
            columns += [LoggedColumn(name, 3) for name in "cd"]
        (tmp_path / f"binlog.00000{number}").write_bytes(writer.data)
    for asked in ("false", "true"):
        reader = spark.read.format("mysql_binlog").option("schemaChanges", asked)
        with tables_of(reader.option("row", "arrow").load(str(tmp_path))) as tables:
            (found,) = tables
            assert [part.columns for part in found.parts] == [("id",), ("id", "c", "d")]
            assert [statement.kind for statement in found.statements] == ["alter"] * (
                asked == "true"
            )
            with pytest.warns(BinlogWarning, match="value of column d in rows from before"):
                rows = found.rows
            assert rows is found.rows
            assert rows.select("id", "c", "d").collect() == [(7, 5, None), (7, 7, 7)]


def test_a_stream_gives_each_row_once(spark: SparkSession, tmp_path: Path) -> None:
    """With a restart, and a table of a log that comes later."""
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "binlog.000001").write_bytes(read_sample("mysql-9.7-shop")[:15_000])
    given: dict[str, list[dict[str, Any]]] = {}

    def apply(batch: DataFrame, _: int) -> None:
        with tables_of(batch, num_partitions=1) as tables:
            for changes in tables:
                given.setdefault(str(changes.table), []).extend(changes.rows.toArrow().to_pylist())

    def run() -> None:
        stream = spark.readStream.format("mysql_binlog").option("row", "arrow").load(str(logs))
        writer = stream.writeStream.foreachBatch(apply).trigger(availableNow=True)
        writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start().awaitTermination()

    run()
    (logs / "binlog.000001").write_bytes(read_sample("mysql-9.7-shop"))
    shutil.copy(sample_path("mysql-9.7-transactions"), logs / "binlog.000002")
    run()
    assert len(given) > 5
    for table, rows in given.items():
        typed = spark.read.format("mysql_binlog").option("table", table).load(str(logs))
        assert rows == typed.toArrow().to_pylist(), table


def test_the_log_is_read_once(spark: SparkSession, tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    shutil.copy(sample_path("mysql-9.7-shop"), log)
    frame = spark.read.format("mysql_binlog").option("row", "arrow").load(str(log))
    with tables_of(frame) as tables:
        log.unlink()
        assert [found.rows.count() for found in tables] == [found.num_rows for found in tables]


@pytest.mark.parametrize("is_local", [True, False], ids=["local", "cluster"])
@pytest.mark.parametrize("is_large", [False, True], ids=["small", "large"])
def test_the_rows_of_a_table_are_in_order(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_local: bool,
    is_large: bool,
) -> None:
    if is_large:
        monkeypatch.setattr(table_changes, "_PARTITION_BYTES", 1000)
    monkeypatch.setattr(table_changes, "is_local", lambda _: is_local)
    for number in range(1, 4):
        shutil.copy(sample_path("mysql-9.7-shop"), tmp_path / f"binlog.00000{number}")
    path = str(tmp_path)
    typed = spark.read.format("mysql_binlog").option("table", "shop.orders").load(path).toArrow()
    grouped = spark.read.format("mysql_binlog").option("row", "arrow").load(path)
    with tables_of(grouped) as tables:
        orders = next(found for found in tables if found.table.table_name == "orders")
        assert (orders.rows.select(F.spark_partition_id()).distinct().count() > 1) is is_large
        assert orders.rows.toArrow() == typed


def test_a_frame_is_planned_when_it_is_used(spark: SparkSession) -> None:
    with (
        patch.object(table_changes, "_decoder", wraps=table_changes._decoder) as plan,
        tables_of(load(spark, "mysql-9.7-shop", row="arrow")) as tables,
    ):
        assert not plan.called
        rows = tables[0].rows
        assert rows is tables[0].rows
        assert plan.call_count == 1
        assert rows.count() == tables[0].num_rows


def test_other_frames_are_refused(spark: SparkSession) -> None:
    with pytest.raises(SchemaMismatchError, match="option row=arrow, found columns"):
        tables_of(load(spark, "mysql-9.7-shop")).__enter__()
    stream = spark.readStream.format("mysql_binlog").option("row", "arrow")
    with pytest.raises(OptionError, match="got a stream; use foreachBatch"):
        tables_of(stream.load(str(sample_path("mysql-9.7-shop")))).__enter__()


def test_tables_are_written_by_tasks(spark: SparkSession, tmp_path: Path) -> None:
    """One job writes all tables: as Spark's own files, and as Delta tables, a batch once."""
    frame = load(spark, "mysql-9.7-shop", row="arrow")
    with tables_of(frame) as tables:
        wanted = {found.table: found.num_rows for found in tables}
        for overwrite in (False, True):
            assert tables.write_parquet(tmp_path / "parquet", overwrite=overwrite) == wanted
        for version, added in ((1, wanted), (1, {}), (2, wanted)):
            found = tables.write_delta(tmp_path / "delta", txn_app_id="s", txn_version=version)
            assert found == added
        for changes in tables:
            written = spark.read.parquet(str(tmp_path / "parquet" / str(changes.table)))
            rows = changes.rows.toArrow()
            assert written.schema == changes.rows.schema
            assert written.toArrow() == rows
            delta = DeltaTable(tmp_path / "delta" / str(changes.table)).to_pyarrow_table()
            assert delta.sort_by(ORDER).to_pylist() == [
                row for row in rows.sort_by(ORDER).to_pylist() for _ in range(2)
            ]
    (tmp_path / "parquet" / "shop.orders" / "of another").touch()
    with tables_of(frame) as tables, pytest.raises(OptionError, match="found of another in it"):
        tables.write_parquet(tmp_path / "parquet", overwrite=True)


def test_tables_are_written_into_object_storage(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with s3_process() as server, tables_of(load(spark, "mysql-9.7-shop", row="arrow")) as tables:
        for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):  # tasks have the keys of the URI alone
            monkeypatch.setenv(f"AWS_{name}", "test")
        server.put("lake/notes", b"of another")
        folder = f"s3://test:test@lake/tables{server.query}"
        wanted = {found.table: found.num_rows for found in tables}
        for overwrite in (False, True):
            assert tables.write_parquet(folder, overwrite=overwrite) == wanted
        folder = folder.replace("/tables", "/delta")
        for added in (wanted, {}):
            assert tables.write_delta(folder, txn_app_id="s", txn_version=1) == added
        for changes in tables:
            place = Location.parse(folder).child(str(changes.table))
            delta = open_delta(place)
            assert delta is not None
            assert delta.count() == changes.num_rows
            system, path = file_system(Location.parse(server.uri(f"lake/tables/{changes.table}")))
            assert pq.read_table(path, filesystem=system).equals(changes.rows.toArrow())


def test_a_batch_that_ends_between_two_commits_is_added_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    """It comes again, or another program, which a restart left behind, has added it meanwhile."""
    version: dict[str, Any] = {"txn_app_id": "s", "txn_version": 1}
    left = [2]
    commit = DeltaTable.create_write_transaction

    def fail(*given: Any, **named: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("the program ends")
        commit(*given, **named)

    with tables_of(load(spark, "mysql-9.7-shop", row="arrow")) as tables:

        def counts() -> list[int]:
            return [DeltaTable(tmp_path / str(found.table)).count() for found in tables]

        def write_both(*given: Any) -> Any:
            with patch.object(written_tables, "write_tables", write_tables):
                tables.write_delta(tmp_path, **version)
            return write_tables(*given)

        wanted = [found.num_rows for found in tables]
        with (
            patch.object(DeltaTable, "create_write_transaction", fail),
            pytest.raises(BinlogError, match="the program ends"),
        ):
            tables.write_delta(tmp_path, **version)
        assert counts().count(0) == len(wanted) - 2
        assert len(tables.write_delta(tmp_path, **version)) == len(wanted) - 2
        assert counts() == wanted
        version["txn_version"] = 2
        with (
            patch.object(written_tables, "write_tables", write_both),
            pytest.raises(CommitConflictError, match="changed the table meanwhile"),
        ):
            tables.write_delta(tmp_path, **version)
        assert counts() == [2 * count for count in wanted]


def test_a_delta_table_gets_columns_and_keeps_its_types(
    spark: SparkSession, tmp_path: Path
) -> None:
    log = tmp_path / "binlog.000001"
    reader = spark.read.format("mysql_binlog").option("row", "arrow").option("tables", "*.people")
    number = 0
    for end in (2000, 7999, None):
        log.write_bytes(read_sample("mysql-9.7-alter")[:end])
        with tables_of(reader.option("ignoreCorruptFiles", "true").load(str(log))) as tables:
            (people,) = tables
            if end is None:  # `uid` was text and is a number then
                with pytest.raises(SchemaMismatchError, match="uid is string and then int32"):
                    tables.write_delta(tmp_path / "lake")
                break
            number += people.num_rows
            assert tables.write_delta(tmp_path / "lake") == {people.table: people.num_rows}
            found = DeltaTable(tmp_path / "lake" / str(people.table)).to_pyarrow_table()
            assert {*people.rows.columns} <= {*found.schema.names}
            assert found.num_rows == number


def test_a_large_table_is_written_by_several_tasks(spark: SparkSession, tmp_path: Path) -> None:
    frame = load(spark, "mysql-9.7-shop", row="arrow", batchRows="20")
    with patch.object(table_changes, "_PARTITION_BYTES", 4000), tables_of(frame) as tables:
        tables.write_parquet(tmp_path)
        for changes in tables:
            folder = tmp_path / str(changes.table)
            rows = [
                row
                for path in sorted(folder.glob("part-*"))
                for row in pq.read_table(path).to_pylist()
            ]
            assert len(rows) == changes.num_rows
        assert len([*tmp_path.glob("shop.orders/part-*")]) > 1


def test_an_error_of_a_task_keeps_its_class_and_the_files_before(
    spark: SparkSession, tmp_path: Path
) -> None:
    frame = load(spark, "mysql-9.7-shop", row="arrow")
    with tables_of(frame) as tables:
        tables.write_parquet(tmp_path)
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        with (
            patch.object(
                written_tables,
                "TableTarget",
                lambda folder, files, *more, **named: TableTarget(
                    folder, files.child("missing"), *more, **named
                ),
            ),
            pytest.raises(BinlogError, match="cannot be written"),
        ):
            tables.write_parquet(tmp_path, overwrite=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
