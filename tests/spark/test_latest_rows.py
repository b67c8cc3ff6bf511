"""Latest rows, compared with a simple applier and with SELECT on real servers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter import OptionError, SchemaMismatchError, latest_changes, latest_rows
from pyspark_adapter.spark.change_columns import row_key_of
from tests.golden.decoded import plain_numbers
from tests.inputs import SAMPLES, expected_tables, sample_path
from tests.spark.conftest import load
from tests.spark.histories import COLUMNS, SCHEMA, VALUES, History, histories
from tests.support.ddl_logs import write_log
from tests.truth.selected_values import find_selected

pytestmark = pytest.mark.spark

# A job is slow, so an example has many histories. The first example is the least one.
MANY = settings(
    max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
ALL_KEYS = ["history", "k", "name"]
METADATA = "_change_type,_commit_version,_row_number,_absent_columns,_json_diff"


def frame_of(spark: SparkSession, drawn: Sequence[History]) -> DataFrame:
    """Return the logs of histories as one frame, in another order."""
    log = sorted((row for history in drawn for row in history.log), key=repr)
    return spark.createDataFrame(log, SCHEMA)


def plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, tuple)) else value


def counted(rows: Sequence[Any]) -> Counter[Any]:
    return Counter(tuple(map(plain, row)) for row in rows)


@MANY
@given(drawn=histories())
def test_net_changes_are_those_of_a_plain_applier(
    spark: SparkSession, drawn: list[History]
) -> None:
    wanted = [*ALL_KEYS, "_change_type", *VALUES, "_absent_columns", "_previous_key"]
    frame = latest_changes(frame_of(spark, drawn), ALL_KEYS).select(wanted)
    found = [(*row[:-1], tuple(row[-1])[1:] if row[-1] else None) for row in frame.collect()]
    expected = [change for history in drawn for change in history.net_changes()]
    assert counted(found) == counted(expected)


@MANY
@given(drawn=histories(modes=("FULL",)))
def test_whole_images_need_no_absent_columns(spark: SparkSession, drawn: list[History]) -> None:
    changes = frame_of(spark, drawn).drop("_absent_columns", "_json_diff")
    rows = latest_rows(changes, ALL_KEYS)
    assert rows.columns == ["history", *COLUMNS]
    expected = [
        (history.number, *(row.values[name] for name in COLUMNS))
        for history in drawn
        for key, row in history.rows.items()
        if key in history.touched
    ]
    assert counted(rows.collect()) == counted(expected)
    kinds = latest_changes(changes, ALL_KEYS).select(*ALL_KEYS, F.col("_change_type") == "delete")
    assert counted(kinds.collect()) == counted(
        [
            (history.number, *key, key not in history.rows)
            for history in drawn
            for key in history.touched
        ]
    )


def primary_keys(name: str) -> dict[str, list[str]]:
    """Return the primary key of each table of a sample that has rows, by table."""
    keys = {}
    for table, described in SAMPLES[name]["tables"].items():
        found = re.search(r"PRIMARY KEY \((.*?)\)(?:,|\n| USING)", described["create"])
        if found and table in SAMPLES[name]["row_changes"]:
            keys[table] = re.findall(r"`((?:[^`]|``)+)`", found[1])
    return keys


# Logged only as differences, with minimal images.
DOCUMENTS = "partialjson97.documents"
# Rows are merged without a look at the values, and a table takes a job: so these are the tables
# with images, keys and columns of their own, and three of values. tests/golden compares all.
TYPES = "mysql-9.7-types"
TYPED_TABLES = ("timestamps", "binaries", "json_documents")
SAME_AS_OTHERS = {
    *("shop.customers", "shop.products", "shop.price_history"),
    *("events97.customers", "events97.visits", "events97.parcels"),
    *("images118.counted", "owntypes118.addresses", "owntypes118.invisible"),
    "owntypes118.vectors",
}
SELECTED = (
    "mysql-9.7-shop",
    "mysql-9.7-minimal-image",
    "mysql-9.7-partial-json",
    "mysql-9.7-small-events",
    "mysql-9.7-hidden-columns",
    TYPES,
    "mariadb-11.8-images",
    "mariadb-11.8-own-types",
)


@pytest.mark.parametrize(
    ("name", "table", "keys"),
    [
        pytest.param(name, table, keys, id=f"{name}-{table}")
        for name in SELECTED
        for table, keys in primary_keys(name).items()
        if table not in SAMPLES[name]["diverging"] and table not in {DOCUMENTS, *SAME_AS_OTHERS}
        if name != TYPES or table.removeprefix("types97.") in TYPED_TABLES
    ],
)
def test_rows_are_those_that_the_server_selects(
    spark: SparkSession, name: str, table: str, keys: list[str]
) -> None:
    expected = expected_tables(SAMPLES[name])[table]
    columns = expected["columns"]
    quoted = ".".join(f"`{part.replace('`', '``')}`" for part in table.split(".", 1))
    frame = load(spark, name, table=quoted, metadataColumns=METADATA)
    names = [field for field in frame.columns if not field.startswith("_")]
    numbers = [[column["name"] for column in columns].index(key) for key in keys]
    found = latest_rows(frame, [names[number] for number in numbers]).toArrow()
    shown = {field: plain_numbers(found[field].combine_chunks()).to_pylist() for field in names}
    rows = [
        {
            number: shown[field][place]
            for number, field in enumerate(names, start=1)
            if field not in absent
        }
        for place, absent in enumerate(found["_absent_columns"].to_pylist())
    ]
    assert len(rows) == len(expected["rows"])
    for cells in expected["rows"]:
        row = find_selected(rows, columns, cells)
        assert row is not None, f"no row is {cells}"
        rows.remove(row)


def test_the_key_of_the_table_comes_with_its_columns(spark: SparkSession, tmp_path: Path) -> None:
    items = load(spark, "mysql-9.7-shop", table="shop.order_items")
    key = ["order_id", "line_number"]
    images = ["_change_type", "_commit_version", "_row_number", "quantity", *reversed(key)]
    frame = items.select(*images).where("quantity > 0").withColumnRenamed("order_id", "id")
    assert latest_rows(frame).columns == ["quantity", "line_number", "id"]
    assert counted(latest_rows(frame).collect()) == counted(
        latest_rows(frame, ["id", "line_number"]).collect()
    )
    items.write.parquet(str(tmp_path / "history"))
    history = spark.read.parquet(str(tmp_path / "history"))
    expected = counted(latest_changes(items, key).collect())
    assert counted(latest_changes(history).collect()) == expected
    frames: list[list[str]] = []
    logs = tmp_path / "logs"
    logs.mkdir()
    copyfile(sample_path("mysql-9.7-shop"), logs / "binlog.000001")
    query = (
        spark.readStream.format("mysql_binlog")
        .option("table", "shop.order_items")
        .load(str(logs))
        .writeStream.foreachBatch(lambda df, _: frames.append(row_key_of(df)))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert frames == [key]
    progress = [source for each in query.recentProgress for source in each["sources"]]
    latest = json.loads(progress[0]["latestOffset"])
    assert latest["pos"] == sample_path("mysql-9.7-shop").stat().st_size
    assert (latest["bytes_behind"], latest["seconds_behind"]) == (0, 0)


def test_no_key_is_an_error_that_says_what_to_do(spark: SparkSession) -> None:
    items = load(spark, "mysql-9.7-shop", table="shop.order_items")
    with pytest.raises(OptionError, match="it has line_number, which are not all 2 columns of one"):
        latest_rows(items.drop("order_id"))
    with pytest.raises(OptionError, match=r"keys: .*found none: .*FULL.*; pass the columns that"):
        latest_changes(spark.createDataFrame([INSERT], WHOLE))


def test_a_document_that_is_not_known_is_an_error_where_it_is_asked_for(
    spark: SparkSession,
) -> None:
    frame = load(spark, "mysql-9.7-partial-json", table=DOCUMENTS, metadataColumns=METADATA)
    with pytest.raises(PySparkException, match="column a: expected a document, the log holds only"):
        latest_rows(frame, ["id"]).collect()
    rows = latest_rows(frame.drop("a", "b", "big"), ["id"]).collect()
    expected = expected_tables(SAMPLES["mysql-9.7-partial-json"])[DOCUMENTS]["rows"]
    assert sorted(str(row["id"]) for row in rows) == sorted(cells[0]["text"] for cells in expected)


INSERT = ("insert", 1, 0, 1, "x")
PREIMAGE = ("update_preimage", 2, 0, 1, "x")
POSTIMAGE = ("update_postimage", 2, 0, 2, "y")
DELETE = ("delete", 3, 0, 2, "y")
WHOLE = "_change_type string, _commit_version long, _row_number long, id int, `a b.c` string"


def test_rows_are_given_in_the_columns_of_the_frame(spark: SparkSession) -> None:
    frame = spark.createDataFrame([INSERT, PREIMAGE, POSTIMAGE], WHOLE)
    assert latest_rows(frame, ["ID"]).columns == ["id", "a b.c"]
    assert latest_rows(frame, ["id"], metadata=True).columns == frame.columns
    assert latest_rows(frame, ["id"], metadata=True).collect() == [POSTIMAGE]


def test_a_key_that_a_row_has_left_is_deleted(spark: SparkSession) -> None:
    frame = spark.createDataFrame([POSTIMAGE, PREIMAGE, INSERT], WHOLE)
    changes = latest_changes(frame, ["id"]).sort("id").collect()
    assert changes == [("delete", 2, 0, 1, None), POSTIMAGE]


def test_changes_come_in_the_order_of_columns_of_ones_own(spark: SparkSession) -> None:
    # The second server numbers its logs from 1 again.
    rows = [(*DELETE, "1-old"), (*INSERT[:3], 2, "z", "2-new")]
    frame = spark.createDataFrame(rows, WHOLE + ", era string")
    order = ["era", "_commit_version", "_row_number"]
    assert latest_rows(frame, ["id"], order_by=order).collect() == [(2, "z")]
    assert latest_rows(frame.drop("era"), ["id"]).collect() == []


def test_values_of_types_without_an_order_follow_their_row(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [
            ("insert", 1, 0, [], None, 1, "[1]"),
            ("update_preimage", 2, 0, ["doc", "times"], None, 1, None),
            ("update_postimage", 2, 0, ["doc", "times"], None, 2, None),
        ],
        "_change_type string, _commit_version long, _row_number long, _absent_columns"
        " array<string>, _json_diff string, id int, doc string",
    ).withColumns(
        {
            "doc": F.try_parse_json("doc"),
            "times": F.when(
                F.col("doc").isNotNull(), F.expr("INTERVAL '838:59:59' HOUR TO SECOND")
            ),
        }
    )
    rows = latest_rows(frame, ["id"]).select("id", F.to_json("doc"), "times", "_absent_columns")
    assert rows.collect() == [(2, "[1]", timedelta(hours=838, minutes=59, seconds=59), [])]


def test_a_row_that_came_unlogged_has_nothing_of_the_one_before(spark: SparkSession) -> None:
    # For example, a statement has inserted it between the second and the third change.
    frame = spark.createDataFrame(
        [
            ("insert", 1, 0, [], None, 1, "x"),
            ("delete", 2, 0, ["note"], None, 1, None),
            ("update_preimage", 3, 0, ["note"], None, 1, None),
            ("update_postimage", 3, 0, ["id", "note"], None, None, None),
        ],
        "_change_type string, _commit_version long, _row_number long, _absent_columns"
        " array<string>, _json_diff string, id int, note string",
    )
    changes = latest_changes(frame, ["id"]).select("_change_type", "id", "note", "_absent_columns")
    assert changes.collect() == [("update_postimage", 1, None, ["note"])]


def test_a_null_in_a_key_is_an_error(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("insert", 1, 7, None, "x")], WHOLE)
    with pytest.raises(PySparkException) as caught:
        latest_rows(frame, ["id"]).collect()
    expected = "key column id: expected a value, got null; pass keys that no row has null, at"
    assert expected in str(caught.value)
    assert '"_row_number":7' in str(caught.value)


def test_another_kind_of_change_is_an_error(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("update", 1, 0, 1, "x")], WHOLE)
    with pytest.raises(PySparkException, match=r"_change_type: expected insert.* got update"):
        latest_rows(frame, ["id"]).collect()


@pytest.mark.parametrize("image", [PREIMAGE, POSTIMAGE])
def test_one_image_of_an_update_is_an_error_where_images_are_merged(
    spark: SparkSession, image: tuple[Any, ...]
) -> None:
    frame = spark.createDataFrame([image], WHOLE).withColumns(
        {
            "_absent_columns": F.array().cast("array<string>"),
            "_json_diff": F.lit(None).cast("string"),
        }
    )
    # If two tasks fail at the same time, Spark raises a Java error.
    expected = "both images of an update; filter changes whole, at"
    with pytest.raises((PySparkException, Py4JJavaError), match=expected):
        latest_rows(frame, ["id"]).collect()


def test_what_is_missing_is_named(spark: SparkSession) -> None:
    frame = spark.createDataFrame([INSERT], WHOLE)
    with pytest.raises(SchemaMismatchError, match=r"keys: expected column order_id, found _change"):
        latest_rows(frame, ["order_id"])
    with pytest.raises(SchemaMismatchError, match="order_by: expected column _row_number"):
        latest_rows(frame.drop("_row_number"), ["id"])
    with pytest.raises(SchemaMismatchError, match="expected column _change_type"):
        latest_changes(frame.drop("_change_type"), ["id"])
    with pytest.raises(SchemaMismatchError, match="expected _json_diff with _absent_columns"):
        latest_rows(frame.withColumn("_absent_columns", F.array().cast("array<string>")), ["id"])
    with pytest.raises(SchemaMismatchError, match="column ID: expected one of this name"):
        latest_rows(frame.selectExpr("*", "1 AS ID"), ["id"])


def test_wrong_arguments_are_named(spark: SparkSession) -> None:
    frame = spark.createDataFrame([INSERT], WHOLE)
    with pytest.raises(OptionError, match="keys: expected names of columns"):
        latest_rows(frame, [])
    with pytest.raises(OptionError, match="keys: expected a list of names, got 'id'"):
        latest_rows(frame, "id")
    with pytest.raises(OptionError, match="keys: expected each name once, got 'id'"):
        latest_rows(frame, ["id", "id"])
    with pytest.raises(OptionError, match="keys: expected columns of the table, got '_row_number'"):
        latest_rows(frame, ["_row_number"])
    with pytest.raises(OptionError, match="use foreachBatch"):
        latest_rows(spark.readStream.format("rate").load(), ["value"])


STATED = WHOLE + ", _statement string"


def stated(spark: SparkSession, *rows: tuple[Any, ...]) -> DataFrame:
    return spark.createDataFrame([(*row, None) if len(row) == 5 else row for row in rows], STATED)


@pytest.mark.parametrize("has_absent", [False, True])
def test_a_removal_is_obeyed(spark: SparkSession, *, has_absent: bool) -> None:
    removal = ("truncate", 3, 0, None, None, "TRUNCATE t")
    dropped = ("drop", 1, 0, None, None, "DROP TABLE t")
    again = ("insert", 4, 0, 2, "again")
    widen = ("alter", 5, 0, None, None, "ALTER TABLE t CHANGE id id BIGINT, ADD KEY (id)")
    before = [INSERT, ("insert", 2, 0, 2, "x"), ("insert", 2, 1, 3, "y")]
    alter = ("alter", 1, 0, None, None, "ALTER TABLE t DROP PARTITION p")  # gone since, too
    frame = stated(spark, again, alter, *before, removal, dropped, widen)
    if has_absent:
        frame = frame.withColumns(
            {
                "_absent_columns": F.array().cast("array<string>"),
                "_json_diff": F.lit(None).cast("string"),
            }
        )
    assert latest_rows(frame, ["id"]).select("id", "`a b.c`").collect() == [(2, "again")]
    changes = latest_changes(frame, ["id"]).sort("_commit_version")
    found = changes.select("_change_type", "_commit_version", "id", "_statement").collect()
    assert found == [("truncate", 3, None, "TRUNCATE t"), ("insert", 4, 2, None)]
    assert latest_changes(frame.where("_commit_version > 3"), ["id"]).count() == 1


@pytest.mark.parametrize(
    ("kind", "statement", "message"),
    [
        ("alter", "ALTER TABLE t DROP PARTITION p0", "were removed or brought in.*DROP PARTITION"),
        ("alter", None, "expected column _statement"),
        ("alter", "ALTER TABLE t CHANGE `ID` b INT", "of the old name; merge.*CHANGE `ID`"),
        (
            "alter",
            "ALTER TABLE t ADD c INT, RENAME COLUMN id TO b",
            "the old name; merge.*COLUMN id",
        ),
        ("rename", "RENAME TABLE s TO t", "option followRenames.*RENAME TABLE s TO t"),
    ],
)
def test_a_statement_that_cannot_be_obeyed_is_an_error(
    spark: SparkSession, kind: str, statement: str | None, message: str
) -> None:
    frame = stated(spark, INSERT, (kind, 2, 0, None, None, statement))
    with pytest.raises((PySparkException, Py4JJavaError), match=message):
        latest_rows(frame, ["id"]).collect()


@pytest.mark.parametrize("schema_changes", ["false", "true"])
def test_a_renamed_column_is_merged_or_refused(
    spark: SparkSession, tmp_path: Path, schema_changes: str
) -> None:
    parts: list[str | int] = [
        "CREATE TABLE t (id INT, v INT)",
        1,
        "ALTER TABLE t RENAME COLUMN v TO w",
        2,
    ]
    log = write_log(tmp_path / "binlog.000001", *parts, has_metadata=False)
    reader = spark.read.format("mysql_binlog").option("table", "d.t")
    frame = reader.option("schemaChanges", schema_changes).load(str(log))
    refused = r"column v, which is w since binlog\.000001@\d+ .* TO w; merge the two: (.*), or"
    with pytest.raises(OptionError, match=refused) as caught:
        latest_rows(frame, ["id"])
    advice = re.search(refused, str(caught.value))
    assert advice is not None
    merged = eval(advice[1], {"df": frame, "coalesce": F.coalesce})  # noqa: S307 - the way out works
    assert sorted(latest_rows(merged, ["id"]).select("id", "w").collect()) == [(1, 7), (2, 7)]


def test_logs_with_removed_rows_need_the_option(spark: SparkSession, tmp_path: Path) -> None:
    """The frame of `load` knows what the driver saw, and up to where."""
    log = write_log(tmp_path / "binlog.000001", 1, "TRUNCATE t", 2)
    reader = spark.read.format("mysql_binlog").option("table", "d.t")
    frame = reader.load(str(log))
    assert [row["id"] for row in frame.collect()] == [1, 2]
    message = r"binlog.000001@\d+ QUERY_EVENT: TRUNCATE t; read with option schemaChanges"
    with pytest.raises((PySparkException, Py4JJavaError), match=message):
        latest_rows(frame, ["id"]).collect()
    with pytest.raises((PySparkException, Py4JJavaError), match=message):
        latest_changes(frame, ["id"]).count()  # no column is computed
    with pytest.raises(OptionError, match=message):
        latest_rows(frame.drop("_commit_version"), ["id"], order_by=["_row_number"])
    last = frame.agg(F.max("_commit_version")).collect()[0][0]
    later = frame.where(F.col("_commit_version") == last)
    assert latest_rows(later, ["id"]).select("id").collect() == [(2,)]
    shown = reader.option("schemaChanges", "true").load(str(log))
    assert latest_rows(shown, ["id"]).select("id").collect() == [(2,)]
    assert latest_rows(shown.drop("_statement"), ["id"]).select("id").collect() == [(2,)]
    write_log(log, 1, "TRUNCATE other", 2)
    frame = spark.read.format("mysql_binlog").option("table", "d.t").load(str(log))
    assert latest_rows(frame, ["id"]).count() == 2
    write_log(log, 1, "TRUNCATE other", 2, 3)
    with pytest.raises((PySparkException, Py4JJavaError), match="logged after its schema was"):
        latest_rows(frame, ["id"]).collect()
