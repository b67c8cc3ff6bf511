"""Changes into tables of a lake, by the programs of the guide."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyspark
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter import latest_changes
from tests.docs.pages import FOLDER, find_programs
from tests.inputs import ROOT, SAMPLES, expected_tables
from tests.spark.conftest import load

pytestmark = pytest.mark.spark

SHOP = "mysql-9.7-shop"
ORDERS = "shop.orders"
GUIDE = FOLDER / "guides/lake-tables.md"
LAKE = "lake/orders"
# What Spark's pipelines need: kept apart, since this project may not import Pandas.
PIPELINES = Path(sys.prefix) / "pipelines"

Upsert = Callable[[DataFrame, int], None]


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the samples; give the path of the guide's table in it."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path / LAKE


def upsert_of_guide(spark: SparkSession) -> Upsert:
    """Return the function, without what the program does with it."""
    of_guide = [found for found in find_programs("python") if found.page == GUIDE]
    [program] = [found for found in of_guide if "def upsert" in found.text]
    definitions, _, rest = program.text.partition("\nstream = spark.readStream")
    assert rest
    names: dict[str, object] = {"spark": spark}
    exec(compile(definitions, str(GUIDE), "exec"), names)  # noqa: S102
    upsert = names["upsert"]
    assert callable(upsert)
    return upsert


def selected_orders() -> list[tuple[str, ...]]:
    """Return orders as the server selects them: id, status and total."""
    table = expected_tables(SAMPLES[SHOP])[ORDERS]
    places = [column["name"] for column in table["columns"]]
    wanted = [places.index(name) for name in ("order_id", "status", "total")]
    return sorted(tuple(cells[place]["text"] for place in wanted) for cells in table["rows"])


def orders_in(lake: Path) -> list[tuple[str, ...]]:
    rows = DeltaTable(lake).to_pyarrow_table(columns=["order_id", "status", "total"]).to_pylist()
    return sorted(tuple(map(str, row.values())) for row in rows)


def test_a_batch_that_comes_again_changes_nothing(spark: SparkSession, lake: Path) -> None:
    upsert = upsert_of_guide(spark)
    changes = load(spark, SHOP, table=ORDERS)
    upsert(changes, 0)
    version = DeltaTable(lake).version()
    upsert(changes, 0)
    assert DeltaTable(lake).version() == version
    assert orders_in(lake) == selected_orders()


def test_a_stream_that_fails_behind_a_commit_goes_on_where_it_was(
    spark: SparkSession, lake: Path, tmp_path: Path
) -> None:
    upsert = upsert_of_guide(spark)
    changes = load(spark, SHOP, table=ORDERS).persist()
    versions = [row[0] for row in changes.select("_commit_version").distinct().collect()]
    versions.sort()
    assert len(versions) > 9
    for number, place in enumerate(range(0, len(versions), 3)):
        part = changes.where(F.col("_commit_version").isin(versions[place : place + 3]))
        part.coalesce(1).write.parquet(str(tmp_path / "changes" / f"part={number}"))
    changes.unpersist()
    num_parts = number + 1
    given: list[int] = []

    def fail_once(batch: DataFrame, batch_id: int) -> None:
        upsert(batch, batch_id)
        given.append(batch_id)
        if given == [0, 1]:
            raise RuntimeError("the driver is gone")

    def run() -> None:
        stream = spark.readStream.schema(changes.schema).option("maxFilesPerTrigger", 1)
        query = (
            stream.parquet(str(tmp_path / "changes" / "*"))
            .writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .foreachBatch(fail_once)
            .start()
        )
        query.awaitTermination()

    with pytest.raises(StreamingQueryException, match="the driver is gone"):
        run()
    run()
    assert given == [0, 1, 1, *range(2, num_parts)]
    assert DeltaTable(lake).version() == num_parts  # that of the empty table is 0
    assert orders_in(lake) == selected_orders()


MINIMAL = (
    "_change_type string, _commit_version long, _row_number long, _absent_columns array<string>,"
    " _json_diff string, order_id int, status string, note string"
)


def test_absent_columns_keep_what_the_target_has(spark: SparkSession, lake: Path) -> None:
    # By hand: three orders; of the first the status was set to NULL, and no more is logged; the
    # second is deleted, and inserted again without a note.
    found = re.search(r"`(CASE WHEN array_has\(.*? END)`", GUIDE.read_text(encoding="utf-8"))
    assert found is not None
    write_deltalake(
        lake,
        spark.createDataFrame(
            [(1, "new", "one"), (2, "new", "two"), (3, "new", "three")],
            "order_id int, status string, note string",
        ).toArrow(),
    )
    log = [
        ("update_preimage", 5, 0, ["status", "note"], None, 1, None, None),
        ("update_postimage", 5, 0, ["order_id", "note"], None, None, None, None),
        ("delete", 6, 0, ["status", "note"], None, 2, None, None),
        ("insert", 7, 0, ["note"], None, 2, "again", None),
    ]
    changes = latest_changes(spark.createDataFrame(log, MINIMAL), ["order_id"]).toArrow()
    assert changes["_previous_key"].null_count == 2
    merge = DeltaTable(lake).merge(
        changes.drop_columns(["_previous_key"]),
        "target.order_id = source.order_id",
        source_alias="source",
        target_alias="target",
    )
    kept = {
        name: found[1].replace("'note'", f"'{name}'").replace(".note", f".{name}")
        for name in ("status", "note")
    }
    merge.when_matched_update(kept, "source._change_type = 'update_postimage'").when_matched_update(
        {name: f"source.{name}" for name in kept}, "source._change_type = 'insert'"
    ).execute()
    assert DeltaTable(lake).to_pyarrow_table().sort_by("order_id").to_pylist() == [
        {"order_id": 1, "status": None, "note": "one"},
        {"order_id": 2, "status": "again", "note": None},
        {"order_id": 3, "status": "new", "note": "three"},
    ]


def run_pipeline(folder: Path) -> tuple[int, str]:
    """Run the pipeline of a folder; return how it ended, and all that it said."""
    assert PIPELINES.is_dir(), f"{PIPELINES} is not there: make .venv/.test"
    spark_home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([*map(str, sys.path), str(PIPELINES)]),
        "SPARK_HOME": str(spark_home),
    }
    done = subprocess.run(
        [spark_home / "bin" / "spark-pipelines", "run"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.slow
def test_the_pipeline_is_taken_and_asks_for_a_table_with_merge(tmp_path: Path) -> None:
    [program] = find_programs("python", "pipeline")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "transformations").mkdir()
    (tmp_path / "transformations" / "orders.py").write_text(program.text)
    (tmp_path / "spark-pipeline.yml").write_text(
        f"name: orders\nstorage: {(tmp_path / 'storage').as_uri()}\n"
        "libraries:\n  - glob:\n      include: transformations/**\n"
    )
    # No package of Python brings a format with MERGE for Spark: this is as far as it goes here. By
    # then Spark has checked what a dry run checks.
    status, text = run_pipeline(tmp_path)
    assert status != 0
    assert "AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE" in text
