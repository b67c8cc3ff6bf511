"""A snapshot of a real server has the rows that a read of its log has, in the same form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import (
    OptionError,
    SchemaMismatchError,
    ServerError,
    UnsupportedError,
    read_batches,
)
from pyspark_adapter.find_logs import server_of
from pyspark_adapter.operations import selection, table_snapshot
from pyspark_adapter.operations.debezium_messages import DebeziumMessages
from pyspark_adapter.operations.server_tables import TableServer
from pyspark_adapter.operations.table_snapshot import TableSnapshot
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.replication.changes import changes_of
from samples.truth import fetch_rows
from tests.live.capture import DATABASE, LiveServer, literal
from tests.live.random_values import source_of
from tests.live.value_cases import CASES, MARIADB_CASES, MYSQL_CASES

pytestmark = pytest.mark.live


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_snapshot, "SETTLE_SECONDS", 0)  # nothing is written meanwhile


def access(server: LiveServer) -> dict[str, Any]:
    return {n: getattr(server.state, n) for n in ("host", "port", "user", "password")}


def planned(server: LiveServer, **options: Any) -> TableSnapshot:
    checked = BinlogOptions.from_python({**access(server), **options})
    found = server_of(None, checked)
    assert found is not None
    return TableSnapshot.plan(found, checked, 2)


def do(server: LiveServer, *statements: str) -> None:
    for statement in statements:
        fetch_rows(server.connection, statement)


def by_table(batches: Iterable[pa.RecordBatch]) -> dict[str, pa.Table]:
    return {
        str(found.table): pa.concat_tables(part.rows for part in found.parts)
        .drop(["_change_type", "_commit_version", "_row_number", "_commit_timestamp", "_gtid"])
        .sort_by("id")
        for found in changes_of(batches, 0)
        if found.parts
    }


def as_objects(batches: Iterable[pa.RecordBatch]) -> list[tuple[Any, ...]]:
    rows = pa.Table.from_batches(batches).select(["_table_name", "row"]).to_pylist()
    return sorted((tuple(row.values()) for row in rows), key=str)


def test_rows_of_all_types_are_those_of_the_log(server: LiveServer, tmp_path: Any) -> None:
    do(server, f"DROP DATABASE {DATABASE}", f"CREATE DATABASE {DATABASE}")
    do(server, "SET sql_mode = 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES'", "FLUSH BINARY LOGS")
    for number, (sql_type, values) in enumerate(
        [*CASES, *(MYSQL_CASES if server.is_mysql else MARIADB_CASES)]
    ):
        table = f"{DATABASE}.s{number}"
        do(server, f"CREATE TABLE {table} (id INT PRIMARY KEY, v {sql_type} NULL)")
        made = [*values(source_of(sql_type))]
        rows = [*made[:: max(len(made) // 12, 1)], None]
        pairs = ", ".join(f"({k}, {literal(server.connection, v)})" for k, v in enumerate(rows))
        do(server, f"INSERT INTO {table} VALUES {pairs}")
    ddl = tmp_path / "tables.sql"
    chosen = {"tables": f"{DATABASE}.s*"}
    whole = planned(server, row="arrow", **chosen)
    ddl.write_text(whole.ddl, encoding="utf-8")
    read = {**access(server), **chosen, "ddl": str(ddl)}
    copied, logged = by_table(whole.read(whole.chunks)), by_table(read_batches(row="arrow", **read))
    assert copied.keys() == logged.keys()
    for name, rows_of_log in logged.items():
        assert copied[name].schema.equals(rows_of_log.schema), name
        assert copied[name].equals(rows_of_log), name
    for row in ("json", "debezium"):
        found = planned(server, row=row, **chosen)
        assert as_objects(found.read(found.chunks)) == as_objects(read_batches(row=row, **read))
    for messages in DebeziumMessages("p").of(found.read(found.chunks)):
        values = messages["value"].to_pylist()
        assert all('"snapshot": "true"' in value and '"op": "r"' in value for value in values)


@pytest.fixture
def shop(server: LiveServer) -> Iterator[LiveServer]:
    do(server, "DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop")
    yield server
    do(server, "DROP DATABASE shop")


KEYS = {
    "integer": ("a INT, PRIMARY KEY (a)", "({k} * {k} * 7)"),
    "unsigned": ("a BIGINT UNSIGNED, PRIMARY KEY (a)", "(18446744073709551615 - {k})"),
    "text": ("a VARCHAR(20), PRIMARY KEY (a)", "('é%s''{k:03}')"),
    "bytes": ("a VARBINARY(20), PRIMARY KEY (a)", "(x'00ff25{k:02x}')"),
    "two": ("a DATETIME(3), b VARCHAR(9), PRIMARY KEY (b, a)", "('2026-01-{k:02}', 'x{k}')"),
    "equal": ("a INT, b INT, PRIMARY KEY (a, b)", "(1, {k})"),
    "decimal": ("`a%` DECIMAL(30,10), PRIMARY KEY (`a%`)", "(-{k}.5)"),
    "prefix": ("a TEXT, PRIMARY KEY (a(5))", "('{k:03}')"),
    "time": ("a TIME, PRIMARY KEY (a)", "('-00:00:{k:02}')"),
    "enum": ("a ENUM('1','2','3'), b INT, PRIMARY KEY (a, b)", "(1 + {k} % 3, {k})"),
    "unique": ("a INT NOT NULL, UNIQUE KEY (a)", "({k})"),
}


@pytest.mark.parametrize("kind", KEYS)
def test_chunks_of_each_key_have_all_rows_once(
    kind: str, shop: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "CHUNK_ROWS", 3)
    columns, row = KEYS[kind]
    do(shop, f"CREATE TABLE shop.t ({columns}) CHARACTER SET utf8mb4")
    for num_rows in (0, 1, 3, 10):
        values = ", ".join(row.format(k=k) for k in range(1, num_rows + 1))
        do(shop, "DELETE FROM shop.t", *([f"INSERT INTO shop.t VALUES {values}"] if values else []))
        found = planned(shop, table="shop.t")
        if num_rows == 10:
            assert (len(found.chunks) > 1) == (kind not in ("enum", "unique"))
        rows = pa.Table.from_batches(found.read(found.chunks), found.request.schema)
        assert len(rows) == len({*rows["_row_number"].to_pylist()}) == num_rows
        keys = rows.select([name for name in rows.column_names if name not in METADATA_BY_NAME])
        assert len({tuple(key.values()) for key in keys.to_pylist()}) == num_rows
        with closing(TableServer(found.server)) as tables:  # as `replicate` copies it
            copy = tables.rows(TableName("shop", "t")).read_all()
        assert len(copy) == len({tuple(key.values()) for key in copy.to_pylist()}) == num_rows


def test_what_cannot_be_copied_is_an_error(shop: LiveServer) -> None:
    for key in ("", ", UNIQUE (a)"):
        do(shop, "DROP TABLE IF EXISTS shop.t", f"CREATE TABLE shop.t (a INT{key})")
        with pytest.raises(UnsupportedError, match=r"table shop\.t: expected a primary key"):
            planned(shop, table="shop.t")
    with pytest.raises(ServerError, match="database nothing: the server has none"):
        planned(shop, table="nothing.t")
    for wanted in ({"table": "shop.u"}, {"tables": "shop.u*"}):
        with pytest.raises(ServerError, match=r"expected (shop\.u|a table), found none"):
            planned(shop, **wanted)
    for options in ({"json": "variant"}, {"uuid": "binary"}, {"row": "variant", "table": None}):
        with pytest.raises(OptionError, match="in a snapshot"):
            planned(shop, **{"table": "shop.t", **options})
    do(shop, "CREATE TABLE shop.v (a INT PRIMARY KEY)")
    with pytest.raises(OptionError, match=r"table shop\.v has no column b"):
        planned(shop, table="shop.v", columns="b,a")


def test_a_change_of_columns_is_an_error(shop: LiveServer) -> None:
    do(shop, "CREATE TABLE shop.t (a INT PRIMARY KEY)", "INSERT INTO shop.t VALUES (1)")
    found = planned(shop, table="shop.t")
    do(shop, "ALTER TABLE shop.t ADD b INT")
    with pytest.raises(SchemaMismatchError, match=r"table shop.t: its definition has changed"):
        list(found.read(found.chunks))


def test_a_value_that_does_not_fit_is_an_error(shop: LiveServer) -> None:
    do(shop, "CREATE TABLE shop.t (a INT PRIMARY KEY, u BIGINT UNSIGNED)")
    do(shop, "INSERT INTO shop.t VALUES (1, 18446744073709551615)")
    found = planned(shop, table="shop.t", unsigned_bigint="long")
    with pytest.raises(SchemaMismatchError, match=r"table shop.t: column u: expected a value from"):
        list(found.read(found.chunks))


def test_a_prepared_transaction_is_an_error(shop: LiveServer) -> None:
    """Its rows are in the log before the snapshot, and SELECT does not show them."""
    do(shop, "CREATE TABLE shop.t (a INT PRIMARY KEY)")
    do(shop, "XA START 'x'", "INSERT INTO shop.t VALUES (1)", "XA END 'x'", "XA PREPARE 'x'")
    try:
        with pytest.raises(ServerError, match="expected no prepared transaction of XA"):
            planned(shop, table="shop.t")
    finally:
        do(shop, "XA ROLLBACK 'x'")
