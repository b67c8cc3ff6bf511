"""Rows from before ADD COLUMN show the default with which the column was added."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.ddl.sql_definitions import AlterTable, parse_definition
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.ddl.table_definition import ColumnDefinition
from pyspark_adapter.errors import BinlogWarning, EventSite
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.added_values import NotKnownError, value_of_older_rows, with_defaults
from pyspark_adapter.plan.table_view import TableShape, TableView
from pyspark_adapter.splits.read_split import plan_read, read_log
from pyspark_adapter.timeline.table_changes import Additions
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.unit.growth import growth

LONG = 3
UUID_B = bytes.fromhex("0000000a00001000800000000000000b")


def write_log(path: Path, *steps: str, name: str = "t") -> Path:
    """Write a log of steps: a statement, or the names and values of a row, as `id=1 c=2`."""
    writer = LogWriter()
    for step in steps:
        if " TABLE " in step:
            writer.statement(step)
            continue
        values = dict(part.split("=") for part in step.split())
        columns = [LoggedColumn(name, LONG) for name in values]
        image = [struct.pack("<i", int(value)) for value in values.values()]
        writer.begin()
        writer.table_map(100, name, columns)
        writer.rows(100, Rows(WRITE_V2, [image], [True] * len(columns)))
        writer.commit()
    path.write_bytes(writer.data)
    return path


def rows_of(path: Path | list[Path], **options: Any) -> list[dict[str, Any]]:
    """Return the rows of the table, without metadata."""
    batches = read_batches(path, table="d.t", metadata_columns=[], **options)
    return [row for batch in batches for row in batch.to_pylist()]


ADD = "ALTER TABLE t ADD COLUMN c INT DEFAULT 5"
RENAME = "ALTER TABLE t RENAME COLUMN b TO c"


def test_rows_from_before_have_the_default(tmp_path: Path) -> None:
    log = write_log(tmp_path / "binlog.000001", "id=1", ADD, "id=2 c=7")
    wanted = [{"id": 1, "c": 5}, {"id": 2, "c": 7}]
    assert rows_of(log) == wanted
    assert rows_of(log, schema_at="latest") == wanted
    assert rows_of(log, columns=["c"]) == [{"c": 5}, {"c": 7}]
    assert rows_of(log, schema_at="first") == [{"id": 1}, {"id": 2}]


def test_the_statement_may_be_in_a_later_log(tmp_path: Path) -> None:
    logs = [
        write_log(tmp_path / "binlog.000001", "id=1"),
        write_log(tmp_path / "binlog.000002", "id=2", ADD, "id=3 c=7"),
        write_log(tmp_path / "binlog.000003", "id=4 c=8"),
    ]
    assert [row["c"] for row in rows_of(logs)] == [5, 5, 7, 8]


def test_a_type_that_changed_is_reported(tmp_path: Path) -> None:
    """Of a default that is not null, and of a null that was not allowed any more."""
    for add, modify in (("BIT DEFAULT b'1'", "INT"), ("BIT", "INT NOT NULL")):
        steps = [f"ALTER TABLE t ADD c {add}", f"ALTER TABLE t MODIFY c {modify}"]
        log = write_log(tmp_path / "binlog.000001", "id=1", *steps, "id=2 c=6")
        with pytest.warns(BinlogWarning, match="or its type has changed since: it is null there"):
            assert [row["c"] for row in rows_of(log)] == [None, 6]


@pytest.mark.parametrize(
    ("steps", "values"),
    [
        # A default that changes is for later rows, in a type of the same name.
        (["id=1", ADD, "ALTER TABLE t MODIFY c INT DEFAULT 6", "id=2 c=6"], [5, 6]),
        (["id=1", ADD, "ALTER TABLE t ALTER c SET DEFAULT 6", "id=2 c=6"], [5, 6]),
        # Nothing has the column in the end, and rows lack it on both sides.
        (["id=1", ADD, "id=2 c=6", "ALTER TABLE t DROP COLUMN c", "id=3"], [None, 6, None]),
        # The last one that was added counts.
        (
            ["id=1", ADD, "ALTER TABLE t DROP c", "id=2", ADD.replace("5", "9"), "id=3 c=1"],
            [9, 9, 1],
        ),
        # Rows may have its values under another name.
        (["id=1", ADD.replace("c INT", "b INT"), "id=2 b=3", RENAME, "id=3 c=4"], [None, None, 4]),
        # Rows from before are of another table.
        (["id=1", ADD, "DROP TABLE t", "CREATE TABLE t (id INT, c INT)", "id=2 c=1"], [None, 1]),
        (["id=1", ADD, "RENAME TABLE t TO u, v TO t", "id=2 c=1"], [None, 1]),
        # Of another table, or another database.
        (["id=1", ADD.replace(" t ", " u "), "id=2 c=1"], [None, 1]),
        (["id=1", ADD.replace(" t ", " e.t "), "id=2 c=1"], [None, 1]),
        (["id=1", "ALTER TABLE t ADD c INT", "id=2 c=1"], [None, 1]),
        # A null stays null in every type.
        (
            ["id=1", ADD.replace("INT DEFAULT 5", "BIT"), "ALTER TABLE t MODIFY c INT", "id=2 c=1"],
            [None, 1],
        ),
        (["id=1", "ALTER TABLE t ADD (c INT NOT NULL)", "id=2 c=1"], [0, 1]),
        # It was added by the first of both, if at all.
        (["id=1", ADD, ADD.replace("c INT DEFAULT 5", "IF NOT EXISTS c INT"), "id=2 c=1"], [5, 1]),
    ],
)
def test_what_happened_to_the_column_counts(
    tmp_path: Path, steps: list[str], values: list[int | None]
) -> None:
    log = write_log(tmp_path / "binlog.000001", *steps)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [row["c"] for row in rows_of(log)] == values


def test_a_name_may_have_quotes(tmp_path: Path) -> None:
    """Statements double them."""
    log = write_log(
        tmp_path / "binlog.000001", "id=1", ADD.replace(" t ", " `a``b` "), "id=2 c=7", name="a`b"
    )
    options: dict[str, Any] = {"table": "d.`a``b`", "metadata_columns": []}
    rows = [row for batch in read_batches(log, **options) for row in batch.to_pylist()]
    assert rows == [{"id": 1, "c": 5}, {"id": 2, "c": 7}]


def test_rows_after_the_statement_keep_their_nulls(tmp_path: Path) -> None:
    """As in a stream that began before the column was dropped."""
    steps = ["id=1", ADD, "id=2 c=6", "ALTER TABLE t DROP COLUMN c", "id=3"]
    log = tmp_path / "binlog.000001"
    options = BinlogOptions.from_python({"table": "d.t"})
    request = plan_read(find_log_files(write_log(log, *steps[:3]), options), options)
    [log_file] = find_log_files(write_log(log, *steps), options)
    assert pa.Table.from_batches(read_log(log_file, request))["c"].to_pylist() == [5, 6, None]


def test_the_statement_counts_in_a_transaction_that_is_filtered_out(tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    end = write_log(log, "id=1").stat().st_size
    write_log(log, "id=1", ADD, "id=2 c=7")
    position = f"binlog.000001:{end}"
    assert rows_of(log, ending_position=position) == [{"id": 1, "c": 5}]
    for statements in ("error", "ignore"):
        batches = read_batches(
            log, row="arrow", ending_position=position, on_statement_events=statements
        )
        found = [group["definition"] for batch in batches for group in batch.to_pylist()]
        assert [text and ADD in text for text in found] == [None, True]


def test_tables_of_many_columns_take_time_in_proportion() -> None:
    table = TableName("d", "t")

    def add(count: int) -> None:
        columns = [Column(i, f"c{i}", LONG, 0, True, None, None, None) for i in range(count)]
        last = TableMap(table, tuple(columns))
        fields = tuple(pa.field(column.label, pa.int32()) for column in last.columns)
        names = tuple(field.name for field in fields)
        shapes = [TableShape(fields, EventSite(""), True, names) for _ in range(3)]
        view = TableView(table, fields, tuple(shapes))
        assert not with_defaults(view, Additions({"binlog.000001": 0}), last).defaults

    assert growth(add, 1000) < 8


def test_long_defaults_make_batches_smaller(tmp_path: Path) -> None:
    added = f"ALTER TABLE t ADD c VARCHAR(9999) DEFAULT '{'x' * 9999}'"
    log = write_log(tmp_path / "binlog.000001", "id=1", added)
    data = LogWriter()
    data.statement(added)
    text = LoggedColumn("c", 15, struct.pack("<H", 9999), collation=45)
    data.begin()
    data.table_map(100, "t", [LoggedColumn("id", LONG), text])
    data.rows(100, Rows(WRITE_V2, [[struct.pack("<i", 2), None]], [True, True]))
    data.commit()
    (tmp_path / "binlog.000002").write_bytes(data.data)
    options = BinlogOptions.from_python({"table": "d.t"})
    short, long = (
        plan_read(find_log_files(logs, options), options).bytes_of_nulls
        for logs in ([log.with_suffix(".000002")], tmp_path)
    )
    assert long > short + 9999


def test_a_default_that_is_no_literal_is_reported(tmp_path: Path) -> None:
    added = "ALTER TABLE t ADD c INT DEFAULT (RAND() * 9)"
    log = write_log(tmp_path / "binlog.000001", "id=1", added, "id=2 c=7")
    with pytest.warns(BinlogWarning, match=r"binlog\.000001@\d+ .*table d\.t: .* column c in rows"):
        assert [row["c"] for row in rows_of(log)] == [None, 7]


@pytest.mark.parametrize("unclear", ["ALTER TABLE t ADD c INT ?!", "ALTER TABLE t ?!"])
def test_a_statement_that_is_not_understood_is_reported(tmp_path: Path, unclear: str) -> None:
    """The value may have been known before it."""
    log = write_log(tmp_path / "binlog.000001", "id=1", ADD, "id=2 c=7", unclear, "id=3 c=8")
    message = r"binlog\.000001@\d+ .* column c in rows from before .* statement is not understood"
    with pytest.warns(BinlogWarning, match=message):
        assert [row["c"] for row in rows_of(log)] == [None, 7, 8]
    made = "CREATE TABLE t (id INT)"
    log = write_log(tmp_path / "binlog.000001", "id=1", unclear, "DROP TABLE t", made, "id=3 c=8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [row["c"] for row in rows_of(log)] == [None, 8]


def column(text: str) -> ColumnDefinition:
    """Return a column as ALTER TABLE adds it."""
    found = parse_definition(f"ALTER TABLE t ADD c {text}", "d", SqlDialect())
    assert isinstance(found, AlterTable)
    return found.alteration.changes[0].column


@pytest.mark.parametrize(
    ("text", "arrow_type", "value"),
    [
        ("DECIMAL(4,1) DEFAULT 1.5", pa.string(), "1.5"),
        ("DECIMAL(4,1) DEFAULT 2", pa.string(), "2.0"),
        ("BIGINT UNSIGNED DEFAULT 7", pa.string(), "7"),
        ("DOUBLE DEFAULT 1e-5 NOT NULL", pa.float64(), 1e-5),
        ("BIT(9) DEFAULT b'100000001'", pa.binary(), b"\1\1"),
        ("INT DEFAULT 0x10", pa.int64(), 16),
        ("INT DEFAULT TRUE", pa.int64(), 1),
        ("VARCHAR(3) DEFAULT _latin1'abc'", pa.string(), "abc"),
        ("TIME(1) DEFAULT '-01:00:00.5'", pa.int64(), -3_600_500_000),
        ("TIMESTAMP NULL", pa.timestamp("us", "UTC"), None),
        ("INET6 DEFAULT '1:2:3:4:5:6:0:8'", pa.string(), "1:2:3:4:5:6::8"),
        ("INET4 DEFAULT x'01020300'", pa.string(), "1.2.3.0"),
        ("UUID NOT NULL", pa.string(), "00000000-0000-0000-0000-000000000000"),
        ("UUID DEFAULT '0000000A-0000-1000-8000-00000000000B'", pa.binary(), UUID_B),
    ],
)
def test_literals_are_read(text: str, arrow_type: pa.DataType, value: Any) -> None:
    assert value_of_older_rows(column(text), arrow_type).as_py() == value


@pytest.mark.parametrize(
    "text",
    [
        "DECIMAL(4,1) DEFAULT 1.55",
        "DECIMAL(4,1) DEFAULT 1e999999999",
        "UUID DEFAULT uuid()",
        "INET4 DEFAULT 1",
        "UUID DEFAULT x'00'",
        "INT DEFAULT 1.5",
        "INT DEFAULT nan",
        "INT DEFAULT f(1)",
        "INT DEFAULT (5)",
        "INT AS (1 + 1)",
        "INT AUTO_INCREMENT UNIQUE",
        "FLOAT(7,3) DEFAULT 1.5",
        "YEAR DEFAULT 70",
        "DATETIME NOT NULL",
        "DATETIME DEFAULT CURRENT_TIMESTAMP",
        "DATETIME DEFAULT '2026-01-01 00:00:00.5'",
        "TIMESTAMP DEFAULT 0",
        "DATE DEFAULT '2026-00-00'",
        "VARCHAR(3) DEFAULT _latin1'é'",
        "ENUM('a') DEFAULT 1",
    ],
)
def test_what_depends_on_more_is_not_guessed(text: str) -> None:
    found = column(text)
    for arrow_type in (pa.int64(), pa.string(), pa.timestamp("us"), pa.float64()):
        with pytest.raises(NotKnownError):
            value_of_older_rows(found, arrow_type)
