"""What `list_tables` says of tables."""

from collections import defaultdict
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import TableSummary, list_tables, read_batches
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.catalog import Catalog
from tests.golden.test_rows import COUNTED
from tests.inputs import sample_path
from tests.support.catalogs import follow
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.packing import pack_transactions

COLUMNS = ("_commit_version", "_commit_timestamp", "_database_name", "_table_name")


@pytest.mark.parametrize("name", COUNTED)
def test_transactions_and_times_are_those_of_the_rows(name: str) -> None:
    path = sample_path(name)
    found = list_tables(path)
    times: dict[TableName, list[datetime]] = defaultdict(list)
    versions: dict[TableName, set[int]] = defaultdict(set)
    schema = pa.schema(
        [
            ("_commit_version", pa.int64()),
            ("_commit_timestamp", pa.timestamp("us", "UTC")),
            ("_database_name", pa.string()),
            ("_table_name", pa.string()),
        ]
    )
    for batch in read_batches(path, schema=schema):
        for version, time, *names in zip(*map(pa.Array.to_pylist, batch.columns), strict=True):
            table = TableName(*names)
            times[table].append(time)
            versions[table].add(version)
    for summary in found:
        seen = times[summary.table]
        assert summary.num_transactions == len(versions[summary.table])
        assert summary.first_commit_time == min(seen, default=None)
        assert summary.last_commit_time == max(seen, default=None)
        assert (summary.num_bytes > 0) == bool(seen)


def test_statements_count_under_a_name_in_capitals(tmp_path: Path) -> None:
    """A server with lower_case_table_names=1 logs rows of `shop.orders` for it."""
    log = LogWriter()
    log.begin()
    log.statement("INSERT INTO Shop.Orders VALUES (1)")
    log.statement("INSERT INTO Shop.Items VALUES (1)")
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    found = list_tables(path, tables="shop.orders")
    assert [(str(one.table), one.num_statements) for one in found] == [("Shop.Orders", 1)]


def test_a_table_is_listed_if_it_has_rows(tmp_path: Path) -> None:
    """A table map alone, as of a trigger that changes nothing, does not list its table."""
    log = LogWriter()
    log.begin()
    for number, name in enumerate(["mapped", "changed", "empty"]):
        log.table_map(number, name, [LoggedColumn("a", 3)])
    log.rows(1, Rows(WRITE_V2, [[bytes(4)]], [True], (), 0))
    log.rows(2, Rows(WRITE_V2, [], [True]))
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    assert [(str(t.table), t.num_inserts) for t in list_tables(path)] == [("d.changed", 1)]


def test_each_transaction_in_a_payload_is_counted(tmp_path: Path) -> None:
    """Servers put one into a payload; two have the position of the payload in common."""
    log = LogWriter()
    for number in range(2):
        log.table_map(1, "t", [LoggedColumn("a", 3)])
        log.rows(1, Rows(WRITE_V2, [[bytes([number, 0, 0, 0])]], [True]))
    path = tmp_path / "binlog.000001"
    path.write_bytes(pack_transactions(bytes(log.data)))
    [found] = list_tables(path)
    assert (found.num_inserts, found.num_transactions) == (2, 2)


def test_windows_do_not_count_a_transaction_twice() -> None:
    path = sample_path("mysql-9.7-small-events")
    whole = list_tables(path)
    assert list_tables(path, window_bytes=65536) == whole


@pytest.mark.parametrize(
    ("name", "table", "key"),
    [
        ("mysql-9.7-shop", "order_items", ("order_id", "line_number")),  # from the log
        ("mysql-9.7-types-minimal-metadata", "integers", ("id",)),  # from CREATE TABLE
        ("mariadb-11.8-transactions", "ledger", ("id",)),
        ("mariadb-11.8-transactions", "made_by_select", ()),
    ],
)
def test_primary_keys_are_those_of_the_tables(name: str, table: str, key: tuple[str, ...]) -> None:
    keys = {found.table.table_name: found.primary_key for found in list_tables(sample_path(name))}
    assert keys[table] == key


@pytest.mark.parametrize(
    ("statements", "key"),
    [
        (["CREATE TABLE t (a INT, b INT, PRIMARY KEY USING BTREE (b, a))"], ("b", "a")),
        (["CREATE TABLE t (a INT AUTO_INCREMENT KEY, b INT UNIQUE KEY)"], ("a",)),
        (["CREATE TABLE t (a INT PRIMARY KEY AUTO_INCREMENT, b INT)"], ("a",)),
        (["CREATE TABLE t (a INT PRIMARY KEY)", "ALTER TABLE t CHANGE a c BIGINT"], ("c",)),
        (["CREATE TABLE t (a INT PRIMARY KEY)", "ALTER TABLE t RENAME COLUMN a TO c"], ("c",)),
        (
            [
                "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
                "ALTER TABLE t DROP PRIMARY KEY, MODIFY a BIGINT, CHANGE b c INT FIRST",
            ],
            (),
        ),
        (["CREATE TABLE t (a INT PRIMARY KEY, b INT)", "ALTER TABLE t DROP PRIMARY KEY"], ()),
        (
            [
                "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
                "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (b)",
            ],
            ("b",),
        ),
        (["CREATE TABLE t (a INT)", "ALTER TABLE t ADD k INT PRIMARY KEY FIRST"], ("k",)),
    ],
)
def test_primary_keys_follow_definitions(statements: list[str], key: tuple[str, ...]) -> None:
    catalog = Catalog()
    for statement in statements:
        follow(catalog, statement, SqlSession())
    definition = catalog.definition_of(TableName("d", "t"))
    assert definition is not None
    parts = sorted((c.key_part, c.name) for c in definition.columns if c.key_part)
    assert tuple(name for _, name in parts) == key


U = "CREATE TABLE t (a INT NOT NULL, b INT NOT NULL, c INT"


@pytest.mark.parametrize(
    ("statements", "key"),
    [
        ([f"{U}, UNIQUE (a, b))"], ("a", "b")),
        ([f"{U}, UNIQUE (c), UNIQUE KEY u (b DESC), UNIQUE (a))"], ("b",)),  # c may be NULL
        ([f"{U}, UNIQUE (a), PRIMARY KEY (b))"], ("b",)),
        ([f"{U}, UNIQUE (a(10)), UNIQUE ((a + 1)), UNIQUE (b, (a * 2)), KEY (a))"], ()),
        ([f"{U}, UNIQUE (a, b WITHOUT OVERLAPS))"], ()),
        ([f"{U}, d INT AS (a + 1) STORED NOT NULL UNIQUE)"], ()),
        (["CREATE TABLE t (a SERIAL, b INT NOT NULL UNIQUE)"], ("a",)),
        ([f"{U}, CONSTRAINT k UNIQUE INDEX (b))", "ALTER TABLE t DROP CONSTRAINT k"], ()),
        ([f"{U}, UNIQUE u (b))", "ALTER TABLE t DROP CONSTRAINT other"], ("b",)),
        ([f"{U})", "CREATE UNIQUE INDEX u USING BTREE ON t (b, a)"], ("b", "a")),
        ([f"{U})", "CREATE UNIQUE INDEX u ON t (b(4))", "CREATE INDEX v ON t (a)"], ()),
        ([f"{U})", "CREATE UNIQUE INDEX u ON t (a)", "DROP INDEX u ON t"], ()),
        ([f"{U})", "ALTER TABLE t ADD UNIQUE (b), ADD KEY (a), DROP COLUMN c"], ("b",)),
        ([f"{U}, UNIQUE (a), UNIQUE (a), UNIQUE (b))", "ALTER TABLE t DROP KEY a"], ("a",)),
        ([f"{U}, UNIQUE (a))", "DROP INDEX a_2 ON t"], ()),  # not followed: no guesses
        ([f"{U}, UNIQUE (a))", "DROP INDEX IF EXISTS a_2 ON t"], ("a",)),
        ([f"{U}, KEY (a), UNIQUE (a))", "DROP INDEX a ON t"], ("a",)),
        ([f"{U}, KEY (a), UNIQUE (a))", "DROP INDEX a_2 ON t"], ()),
        ([f"{U}, KEY (c), UNIQUE u (a))", "ALTER TABLE t DROP c, ADD UNIQUE c (b)"], ("a",)),
        ([f"{U}, UNIQUE (a))", "ALTER TABLE t RENAME COLUMN a TO x"], ("x",)),
        ([f"{U}, UNIQUE (a))", "ALTER TABLE t CHANGE a x BIGINT NOT NULL"], ("x",)),
        ([f"{U}, UNIQUE (a))", "ALTER TABLE t CHANGE a x BIGINT"], ()),
        ([f"{U}, UNIQUE (c))", "ALTER TABLE t MODIFY c INT NOT NULL"], ("c",)),
        ([f"{U}, UNIQUE (a, b))", "ALTER TABLE t DROP COLUMN b"], ("a",)),
        ([f"{U}, UNIQUE u (c))", "ALTER TABLE t DROP INDEX u, DROP c, ADD UNIQUE (a)"], ("a",)),
        ([f"{U}, UNIQUE u (a))", "ALTER TABLE t RENAME INDEX u TO v", "DROP INDEX v ON t"], ()),
        ([f"{U}, UNIQUE u (a))", "CREATE OR REPLACE UNIQUE INDEX u ON t (b)"], ("b",)),
        ([f"{U}, UNIQUE u (a))", "CREATE UNIQUE INDEX IF NOT EXISTS u ON t (b)"], ("a",)),
        ([f"{U})", "ALTER TABLE t ADD COLUMN IF NOT EXISTS a INT UNIQUE"], ()),
        ([f"{U})", "ALTER TABLE t ADD d INT NOT NULL UNIQUE FIRST"], ("d",)),
        ([f"{U}, UNIQUE (b))", "RENAME TABLE t TO s", "CREATE TABLE t LIKE s"], ("b",)),
        ([f"{U}, PRIMARY KEY (b))", "ALTER TABLE t DROP INDEX `PRIMARY`"], ()),
        ([f"{U}, PRIMARY KEY (b))", "DROP INDEX `PRIMARY` ON t"], ()),
    ],
)
def test_keys_of_rows_follow_definitions(statements: list[str], key: tuple[str, ...]) -> None:
    catalog = Catalog()
    for statement in statements:
        follow(catalog, statement, SqlSession())
    definition = catalog.definition_of(TableName("d", "t"))
    assert definition is not None, statements
    assert definition.row_key == key


def test_a_summary_is_readable_and_fits_a_table() -> None:
    found = list_tables(sample_path("mysql-9.7-shop"))
    [orders] = [table for table in found if table.table.table_name == "orders"]
    assert isinstance(orders, TableSummary)
    assert orders.first_commit_time is not None
    assert orders.first_commit_time.tzinfo is UTC
    shown = repr(orders)
    assert shown.startswith("<TableSummary shop.orders: ")
    assert "primary key (order_id)" in shown
    assert f"{orders.num_inserts:,} inserts" in shown
    assert len(shown) < 300
    table = pa.Table.from_pylist([asdict(table) for table in found])
    assert table.num_rows == len(found)
    assert table.schema.field("first_commit_time").type == pa.timestamp("us", "UTC")
    assert table["primary_key"].to_pylist() == [list(table.primary_key) for table in found]
