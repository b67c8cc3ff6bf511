"""The columns of the output: by default, by option, and with those of a table."""

from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.errors import OptionError, SchemaMismatchError, UnsupportedError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import CHANGE_TYPES
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import (
    EVENTS_SCHEMA,
    METADATA_BY_NAME,
    METADATA_COLUMNS,
    changes_schema,
    commit_version_base,
    describe_metadata,
    metadata_fields,
    row_field,
    split_schema,
)
from pyspark_adapter.spark.pushed_filters import Comparison, push_filters
from pyspark_adapter.spark.types import to_spark_schema
from pyspark_adapter.splits.log_splits import OffsetRange, Split
from tests.inputs import sample_path

DEFAULT = ["_change_type", "_commit_version", "_row_number", "_commit_timestamp", "_gtid"]
OTHERS = [
    "_log_file",
    "_start_pos",
    "_database_name",
    "_table_name",
    "_server_id",
    "_event_timestamp",
    "_xa",
    "_thread_id",
    "_query",
    "_transaction_bytes",
    "_statement",
    "_absent_columns",
    "_json_diff",
]
OF_TABLE = BinlogOptions(table=TableName("shop", "orders"))
OF_ALL = BinlogOptions()


def names_of(options: BinlogOptions) -> list[str]:
    return [field.name for field in metadata_fields(options)]


def test_metadata_columns_are_these() -> None:
    assert [column.name for column in METADATA_COLUMNS] == DEFAULT + OTHERS
    assert [column.name for column in METADATA_COLUMNS if column.is_default] == DEFAULT


def test_reads_of_all_tables_name_the_table() -> None:
    assert names_of(OF_TABLE) == DEFAULT
    assert names_of(OF_ALL) == [*DEFAULT, "_database_name", "_table_name"]


def test_reads_of_schema_changes_have_their_statements() -> None:
    for table in (None, TableName("shop", "orders")):
        assert names_of(BinlogOptions(table=table, schema_changes=True))[-1] == "_statement"
    assert names_of(BinlogOptions(metadata_columns=("_gtid",), schema_changes=True)) == ["_gtid"]


def test_option_chooses_columns_and_their_order() -> None:
    assert names_of(BinlogOptions(metadata_columns=("_server_id", "_gtid"))) == [
        "_server_id",
        "_gtid",
    ]
    assert names_of(BinlogOptions(metadata_columns=())) == []


@pytest.mark.parametrize("name", ["_nothing", "_GTID", "row"])
def test_option_with_another_name_is_refused(name: str) -> None:
    with pytest.raises(OptionError) as caught:
        metadata_fields(BinlogOptions(metadata_columns=("_gtid", name)))
    assert (caught.value.option, caught.value.value) == ("metadata_columns", name)
    assert caught.value.allowed.split(", ") == DEFAULT + OTHERS


def test_schema_is_metadata_and_then_the_table() -> None:
    fields = [pa.field("id", pa.int32()), pa.field("note", pa.string())]
    schema = changes_schema(OF_TABLE, fields)
    assert schema.names == [*DEFAULT, "id", "note"]
    assert schema.field("_commit_timestamp").type == pa.timestamp("us", tz="UTC")
    assert schema.field("_commit_version").type == pa.int64()


@pytest.mark.parametrize("name", ["_gtid", "_GTID", "_Row_Number"])
def test_column_of_a_table_may_not_hide_metadata(name: str) -> None:
    fields = [pa.field(name, pa.int32())]
    with pytest.raises(OptionError) as caught:
        changes_schema(OF_TABLE, fields)
    assert (caught.value.option, caught.value.value) == ("metadata_columns", name)
    without = BinlogOptions(table=OF_TABLE.table, metadata_columns=("_change_type",))
    assert changes_schema(without, fields).names == ["_change_type", name]


def test_schema_is_split_into_metadata_and_others() -> None:
    schema = pa.schema([("id", pa.int32()), ("_gtid", pa.string()), ("note", pa.string())])
    metadata, others = split_schema(schema, OF_TABLE)
    assert metadata == ["_gtid"]
    assert others == [pa.field("id", pa.int32()), pa.field("note", pa.string())]
    assert split_schema(pa.schema([row_field(OF_ALL)]), OF_ALL) == ([], [row_field(OF_ALL)])


@pytest.mark.parametrize(
    ("options", "field", "words"),
    [
        (OF_TABLE, pa.field("_gtid", pa.binary()), "column _gtid: expected type string"),
        (OF_ALL, pa.field("_start_pos", pa.int32()), "column _start_pos: expected type int64"),
        (OF_ALL, pa.field("id", pa.int32()), "column id int32: without option table"),
        (OF_ALL, pa.field("row", pa.binary()), "column row binary: without option table"),
    ],
)
def test_field_that_cannot_be_is_named(options: BinlogOptions, field: pa.Field, words: str) -> None:
    with pytest.raises(SchemaMismatchError, match=words):
        split_schema(pa.schema([field]), options)


def test_table_of_metadata_has_one_line_for_each() -> None:
    lines = describe_metadata().splitlines()
    assert len(lines) == 2 + len(METADATA_COLUMNS)
    for line, column in zip(lines[2:], METADATA_COLUMNS, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells == [
            f"`{column.name}`",
            str(METADATA_BY_NAME[column.name].arrow_type),
            "yes" if column.name in DEFAULT else "",
            column.help,
        ]


# A log has a few gigabytes at most, so 2^40 leaves room for each position.
def test_commit_versions_order_the_logs() -> None:
    assert commit_version_base(0) == 0
    assert commit_version_base(2) == commit_version_base(1) + 2**40
    assert commit_version_base(2**23 - 1) + 2**40 - 1 == 2**63 - 1


def test_a_log_number_without_commit_versions_is_an_error(tmp_path: Path) -> None:
    """As in a name with the date. Without the column the log is read."""
    path = tmp_path / "binlog.20261122"
    path.write_bytes(sample_path("mysql-9.7-shop").read_bytes())
    with pytest.raises(UnsupportedError, match=r"^binlog\.20261122.*: log number .*leave"):
        list(read_batches(path, table="shop.orders"))
    columns = ("_change_type", "_start_pos")
    batches = read_batches(path, table="shop.orders", metadata_columns=columns)
    assert sum(batch.num_rows for batch in batches) > 0


def test_a_log_without_commit_versions_is_not_left_out_for_them(tmp_path: Path) -> None:
    path = tmp_path / "binlog.20261122"
    path.write_bytes(sample_path("mysql-9.7-shop").read_bytes())
    [log_file] = find_log_files(path)
    for comparisons in ([], [Comparison("_commit_version", "<", 1)]):
        pushed = push_filters(BinlogOptions(), METADATA_BY_NAME, comparisons)
        assert pushed.keeps_log(log_file)
        assert pushed.keeps_split(Split(log_file, OffsetRange(4, 5)))
        assert pushed.options_of(log_file) == BinlogOptions()


def test_changes_have_the_names_that_delta_lake_gives_them() -> None:
    assert CHANGE_TYPES == ("insert", "update_preimage", "update_postimage", "delete")


def test_events_have_no_metadata_columns() -> None:
    assert set(EVENTS_SCHEMA.names).isdisjoint(METADATA_BY_NAME)
    assert EVENTS_SCHEMA.field("start_pos").type == pa.int64()  # logs may be larger than 4 GiB
    assert EVENTS_SCHEMA.field("server_id").type == pa.int64()  # 32 bits without a sign
    assert EVENTS_SCHEMA.field("end_log_pos").type == pa.int64()


@pytest.mark.parametrize("kind", [pa.uint64(), pa.list_(pa.time64("us")), pa.timestamp("ns")])
def test_a_type_that_spark_does_not_get_names_the_column(kind: pa.DataType) -> None:
    with pytest.raises(SchemaMismatchError, match="column id: no column of a log can have type"):
        to_spark_schema(pa.schema([("id", kind)]))
