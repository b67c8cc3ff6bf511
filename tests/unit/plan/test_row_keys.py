"""The columns that identify a row, as reads of one table know them."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.read_split import plan_read
from tests.inputs import SAMPLES, sample_path
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

SELECTED = ("mysql-9.7-shop", "mysql-9.7-minimal-image", "mariadb-11.8-images")


def row_key(path: Path, **options: str) -> tuple[str, ...]:
    read = BinlogOptions.from_spark(options)
    return plan_read(find_log_files(path, read), read).row_key


def keys_of_groups(path: Path, **options: Any) -> list[tuple[str, ...]]:
    """Return the key of each group of changes, as `tables_of` gives it."""
    batches = read_batches(path, row="arrow", **options)
    found = [row for batch in batches for row in batch.to_pylist()]
    schemas = [pa.ipc.read_schema(pa.py_buffer(row["schema"])) for row in found if row["schema"]]
    return [tuple(json.loads(schema.metadata[KEY])) for schema in schemas]


def key_that_the_server_shows(create: str) -> tuple[str, ...]:
    """Return the primary key, else the first unique key; those of the samples are NOT NULL."""
    found = re.search(r"PRIMARY KEY \((.*?)\)(?:,|\n| USING)", create) or re.search(
        r"UNIQUE KEY `\w+` \((.*?)\)(?:,|\n| USING)", create
    )
    return tuple(re.findall(r"`((?:[^`]|``)+)`", found[1])) if found else ()


@pytest.mark.parametrize("name", SELECTED)
def test_keys_are_those_of_show_create_table(name: str) -> None:
    tables = SAMPLES[name]["row_changes"].keys() & SAMPLES[name]["tables"].keys()
    expected = {
        table: key_that_the_server_shows(SAMPLES[name]["tables"][table]["create"])
        for table in sorted(tables)
    }
    found = {table: row_key(sample_path(name), table=table) for table in expected}
    assert found == expected
    assert any(found.values())


INT = 3
COLUMNS = [LoggedColumn(name, INT, is_nullable=False) for name in "ab"]
CREATE = "CREATE TABLE t (a INT NOT NULL, b INT NOT NULL, UNIQUE (b))"


def write(path: Path, *statements: str, has_metadata: bool) -> Path:
    """Write a log with a row before each statement, and one at the end."""
    writer = LogWriter(has_metadata=has_metadata)
    for number, statement in enumerate([*statements, ""]):
        if number:
            writer.begin()
            writer.table_map(9, "t", COLUMNS)
            writer.rows(9, Rows(WRITE_V2, [[b"\1\0\0\0"] * 2], [True] * 2))
            writer.commit()
        if statement:
            writer.statement(statement)
    path.write_bytes(writer.data)
    return path


@pytest.mark.parametrize("has_metadata", [True, False])
@pytest.mark.parametrize(
    ("statements", "key"),
    [
        ((CREATE,), ("b",)),
        ((CREATE, "ALTER TABLE t ADD KEY (a)"), ("b",)),
        ((CREATE, "ALTER TABLE t ADD PRIMARY KEY (a)"), ()),
        ((CREATE, "DROP INDEX b ON t"), ()),
        (("CREATE TABLE t (a INT NOT NULL, UNIQUE (a))",), ()),  # it has two columns in the log
        (("DROP TABLE t",), ()),
    ],
)
def test_unique_keys_come_from_statements(
    tmp_path: Path, statements: tuple[str, ...], key: tuple[str, ...], *, has_metadata: bool
) -> None:
    path = write(tmp_path / "l.000001", *statements, has_metadata=has_metadata)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)  # of definitions that do not fit
        assert row_key(path, table="d.t") == key


def test_keys_come_from_the_option_ddl(tmp_path: Path) -> None:
    path = write(tmp_path / "l.000001", "DROP TABLE other", has_metadata=True)
    ddl = tmp_path / "ddl.sql"
    ddl.write_text(f"{CREATE};", encoding="utf-8")
    assert row_key(path, table="d.t") == ()
    assert row_key(path, table="d.t", ddl=str(ddl)) == ("b",)
    assert keys_of_groups(path, ddl=str(ddl)) == [("b",)]
    ddl.write_text(f"{CREATE[:-1]}, PRIMARY KEY (a));", encoding="utf-8")
    assert row_key(path, table="d.t", ddl=str(ddl)) == ()  # the log has no primary key
    assert keys_of_groups(path, ddl=str(ddl)) == [()]


def test_groups_have_the_unique_key_of_their_place(tmp_path: Path) -> None:
    statements = (CREATE, "ALTER TABLE t ADD KEY (a)", "ALTER TABLE t ADD PRIMARY KEY (a)")
    path = write(tmp_path / "l.000001", *statements, has_metadata=False)
    assert keys_of_groups(path) == [("b",), ("a",)]


def test_a_key_may_be_spelled_in_several_ways(tmp_path: Path) -> None:
    """Names of columns ignore case."""
    write(tmp_path / "l.000001", CREATE, has_metadata=False)
    write(tmp_path / "l.000002", "ALTER TABLE t CHANGE b B INT NOT NULL", has_metadata=False)
    assert row_key(tmp_path, table="d.t") == ("b",)
    assert len({*keys_of_groups(tmp_path)}) == 2
