"""Filters that Spark pushes down: the rows are those that it filters itself, and fewer are read."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pyspark_adapter import BinlogOptions
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.spark.batch import LogPartition, PushdownReader
from pyspark_adapter.splits.read_split import plan_read
from tests.inputs import sample_path
from tests.spark.conftest import load
from tests.support.indexes import make_index
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

pytestmark = pytest.mark.spark

CONFIGURATION = "spark.sql.python.filterPushdown.enabled"
LOGS = (
    "mysql-9.7-shop",
    "mysql-9.7-transactions",
    "mysql-9.7-anonymous",  # without GTIDs
    "mariadb-11.8-transactions",
)
METADATA = (
    "_change_type,_commit_version,_row_number,_commit_timestamp,_gtid,_log_file,_start_pos,"
    "_database_name,_table_name,_server_id"
)

# {gtid}, {version}, {time} and {server} are those of a row in the middle.
CONDITIONS = [
    "_change_type = 'delete'",
    "_change_type <> 'delete'",
    "_change_type in ('insert', 'update_preimage', null)",
    "_change_type not in ('insert', null)",
    "_change_type like 'update%' and _table_name = 'orders'",
    "_change_type = 'DELETE'",
    "_change_type = 'delete ' or _change_type = 'insert'",
    "_change_type is null",
    "_change_type <=> 'insert'",
    "not (_change_type <=> 'insert')",
    "_table_name = 'orders'",
    "_table_name = 'Orders'",
    "`_table_name` = '*'",
    "_TABLE_NAME in ('orders', 'customers') and _database_name = 'shop'",
    "_table_name like 'order%'",
    "_table_name <> 'orders'",
    "_table_name = '`orders`' or _table_name = 'products'",
    "_database_name = 'shop' and _database_name <> 'shop'",
    "_database_name = 'shop' and _database_name = 'other'",
    "_server_id = {server}",
    "_server_id <> {server}",
    "_server_id > {server} and _server_id < 4294967296",
    "_server_id in ({server}, -1, 4294967296)",
    "_gtid = '{gtid}'",
    "_gtid <> '{gtid}'",
    "_gtid is null",
    "_gtid is not null and _change_type = 'insert'",
    "_gtid <=> null",
    "_gtid <=> '{gtid}'",
    "not (_gtid <=> '{gtid}')",
    "_gtid in ('{gtid}', 'no gtid', null)",
    "_gtid = upper('{gtid}')",
    "_gtid > '{gtid}'",
    "_commit_version = {version}",
    "_commit_version <= {version}",
    "_commit_version > {version} and _change_type = 'insert'",
    "_commit_version between {version} - 2000 and {version}",
    "_commit_version not between {version} - 2000 and {version}",
    "_commit_timestamp = timestamp'{time}Z'",
    "_commit_timestamp < timestamp'{time}Z'",
    "_commit_timestamp >= timestamp'{time}Z' and _table_name = 'orders'",
    "_commit_timestamp in (timestamp'{time}Z', timestamp'2000-01-01')",
    "_commit_timestamp > timestamp'9999-12-31T23:59:59.999999Z'",
    "_log_file = 'mysql-9.7-shop.000001'",
    "_log_file <> 'mysql-9.7-shop.000001' and _start_pos > 4000",
    "_log_file like '%transactions%' or _row_number = 0",
    "_row_number = 1 and row is not null",
]


@pytest.fixture
def pushing(spark: SparkSession) -> Iterator[SparkSession]:
    """Give the session with pushdown allowed."""
    spark.conf.set(CONFIGURATION, "true")
    yield spark
    spark.conf.unset(CONFIGURATION)


@pytest.fixture(scope="module")
def everything(spark: SparkSession) -> Iterator[DataFrame]:
    """Give all rows, kept in memory: Spark alone filters them."""
    frame = load(spark, *LOGS, metadataColumns=METADATA).cache()
    assert frame.count() > 300
    yield frame
    frame.unpersist()


@pytest.mark.parametrize("condition", CONDITIONS)
def test_rows_are_those_that_spark_finds_by_itself(
    pushing: SparkSession, everything: DataFrame, condition: str
) -> None:
    rows = everything.where("_table_name = 'orders'").orderBy("_commit_version").toArrow()
    middle = rows.slice(rows.num_rows // 2, 1).to_pylist()[0]
    condition = condition.format(
        gtid=middle["_gtid"],
        version=middle["_commit_version"],
        time=middle["_commit_timestamp"].isoformat().removesuffix("+00:00"),
        server=middle["_server_id"],
    )
    frame = load(pushing, *LOGS, metadataColumns=METADATA, pushFilters="true")
    assert frame.where(condition).toArrow().equals(everything.where(condition).toArrow())


def test_conditions_narrow_what_the_options_leave(pushing: SparkSession) -> None:
    options = {"changeTypes": "insert,delete", "databases": "shop"}
    condition = "_change_type in ('insert', 'update_preimage')"
    found = load(pushing, *LOGS, pushFilters="true", **options).where(condition)
    expected = load(pushing, *LOGS, changeTypes="insert", databases="shop")
    assert found.toArrow().equals(expected.toArrow())


def damaged_log(path: Path) -> None:
    """Write transactions of the tables good, bad, good; the row of bad is longer than its event."""
    writer = LogWriter(has_checksums=False)
    for number, name in enumerate(("good", "bad", "good")):
        length = 1 if name == "good" else 99
        writer.begin()
        writer.table_map(number, name, [LoggedColumn("text", 15, b"\xff\x00", collation=255)])
        writer.rows(number, Rows(WRITE_V2, [[bytes([length]) + b"x"]], [True]))
        writer.commit()
    path.write_bytes(writer.data)


CHOICES = ["_table_name = 'good'", "_start_pos > 0 and _table_name in ('good', 'other')"]


@pytest.mark.parametrize("condition", CHOICES)
def test_rows_that_are_filtered_out_are_not_decoded(
    pushing: SparkSession, tmp_path: Path, condition: str
) -> None:
    log = tmp_path / "binlog.000007"
    damaged_log(log)
    columns = "_start_pos,_database_name,_table_name"
    source = pushing.read.format("mysql_binlog").option("metadataColumns", columns)
    with pytest.raises(PySparkException, match="CorruptEventError"):
        source.load(str(log)).where(condition).collect()
    found = source.option("pushFilters", "true").load(str(log)).where(condition).collect()
    assert [row["row"] for row in found] == ['{"text": "x"}'] * 2


def num_splits(reader: PushdownReader) -> int:
    partitions = [part for part in reader.partitions() if isinstance(part, LogPartition)]
    return sum(len(partition.splits) for partition in partitions)


def test_logs_and_splits_out_of_range_are_not_planned() -> None:
    from pyspark.sql import datasource as filters

    options = BinlogOptions(
        push_filters=True, metadata_columns=("_commit_version", "_row_number", "_log_file")
    )
    log_files = find_log_files([sample_path(name) for name in LOGS], options)
    reader = PushdownReader(log_files, plan_read(log_files, options))
    pushed: list[filters.Filter] = [filters.EqualTo(("_log_file",), "mysql-9.7-shop.000001")]
    assert list(reader.pushFilters(pushed)) == pushed  # for Spark to filter once more
    assert num_splits(reader) == 1
    reader.pushFilters([filters.LessThan(("_commit_version",), 1 << 40)])
    assert reader.partitions() == []
    reader.pushFilters([filters.GreaterThanOrEqual(("_commit_version",), 2 << 40)])
    assert reader.partitions() == []
    reader.pushFilters([filters.IsNotNull(("_commit_version",))])
    assert num_splits(reader) == len(LOGS)


def test_a_filter_of_the_key_uses_the_index(pushing: SparkSession, tmp_path: Path) -> None:
    from pyspark.sql import datasource as filters

    path = sample_path("mysql-9.7-shop")
    folder = make_index(tmp_path / "index", path, step=600)
    options = BinlogOptions(
        push_filters=True, table=TableName.parse("shop.orders"), index=str(folder)
    )
    log_files = find_log_files(path, options)
    reader = PushdownReader(log_files, plan_read(log_files, options))
    sizes = []
    for pushed in ([], [filters.EqualTo(("order_id",), Decimal(3))]):
        reader.pushFilters(list(pushed))
        partitions = [part for part in reader.partitions() if isinstance(part, LogPartition)]
        sizes.append(sum(split.num_bytes for part in partitions for split in part.splits))
    assert sizes[1] < sizes[0] / 2
    for condition in ("order_id = 3", "order_id in (5, 77) and status is not null"):
        asked = {"table": "shop.orders", "pushFilters": "true"}
        found, expected = (
            load(pushing, "mysql-9.7-shop", **asked, **more).where(condition).collect()
            for more in ({"index": str(folder)}, {})
        )
        assert found == expected != []


def test_without_the_option_nothing_is_pushed(pushing: SparkSession, tmp_path: Path) -> None:
    damaged_log(tmp_path / "binlog.000007")
    frame = pushing.read.format("mysql_binlog").load(str(tmp_path))
    with pytest.raises(PySparkException, match="CorruptEventError"):
        frame.where("_table_name = 'good'").collect()


def test_where_the_session_does_not_allow_it_the_error_names_the_setting(
    spark: SparkSession,
) -> None:
    frame = load(spark, LOGS[0], pushFilters="true")
    with pytest.raises(PySparkException, match=CONFIGURATION):
        frame.collect()
