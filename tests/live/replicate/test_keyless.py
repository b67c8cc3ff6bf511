"""Tables without a key are merged by counting equal rows, and of MariaDB without their history."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import replicate
from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.replication import delta_tables
from pyspark_adapter.replication.run import Round
from pyspark_adapter.sources.locations import Location
from tests.exactly_once.replica_tables import LakeTables
from tests.live.replicate.lakes import do, rows_of
from tests.live.servers import ServerState, connect, running_server

pytestmark = pytest.mark.live

VALUES = (
    ("a INT", "NULL", "0", "1"),
    ("f FLOAT", "NULL", "0", "-0.0e0", "0.1"),
    ("s VARCHAR(9)", "NULL", "''", "'a'", "'A'"),
    ("d DATE", "NULL", "'0000-00-00'", "'2001-02-03'"),
    ("e ENUM('', 'x')", "NULL", "''", "'bad'"),
    ("g POINT", "NULL", "POINT(1, 2)"),
    ("j JSON", "NULL", "'{\"a\": 1}'", "'{\"a\": 1.0}'"),
)
VERSIONED = (
    "CREATE TABLE counted.v (a INT PRIMARY KEY, n INT) WITH SYSTEM VERSIONING",
    "CREATE TABLE counted.x (a INT, n INT) WITH SYSTEM VERSIONING",
    "CREATE TABLE counted.w (a INT PRIMARY KEY, s TIMESTAMP(6) GENERATED ALWAYS AS ROW START,"
    " n INT, e TIMESTAMP(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (s, e))"
    " WITH SYSTEM VERSIONING",
)
CHANGES = (
    "INSERT INTO counted.t VALUES ({row}), ({row})",
    "DELETE FROM counted.t WHERE a <=> {a} LIMIT 2",
    "UPDATE counted.t SET s = 'b', a = a + 1 WHERE a <=> {a} LIMIT 2",
)
CHANGES_OF_VERSIONED = (
    "INSERT IGNORE counted.{table} (a, n) VALUES ({n}, 1)",
    "REPLACE counted.{table} (a, n) VALUES ({n}, 2)",
    "UPDATE counted.{table} SET n = n + 1 WHERE a = {n}",
    "DELETE FROM counted.{table} WHERE a = {n}",
)


def statements(source: random.Random, versioned: str) -> list[str]:
    """Return random statements; those of the table `t` hit several rows that are equal."""
    found = ["SET sql_mode = ''"]
    for _ in range(12):
        row = ", ".join(source.choice(values) for _, *values in VALUES)
        [change] = source.choices(CHANGES, (3, 1, 1))
        found.append(change.format(row=row, a=source.choice(VALUES[0][1:])))
        for table in versioned:
            change = source.choice(CHANGES_OF_VERSIONED)
            found.append(change.format(table=table, n=source.randrange(3)))
    return found


@pytest.mark.parametrize(
    ("name", "table_format", "small"),
    [("mysql-latest", "delta", 1), ("mariadb-11.8", "delta", -1), ("mariadb-11.8", "iceberg", 1)],
)
def test_each_row_is_there_as_often_as_on_the_server(
    name: str,
    table_format: str,
    small: int,
    servers_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A merged copy is compared with a copy that is made then."""
    monkeypatch.setattr(delta_tables, "_SMALL_ROWS", small * 1000)
    source = random.Random(20261130)  # noqa: S311 - to do the same again
    versioned = "vxw" if name.startswith("mariadb") else ""
    done: list[Round] = []
    with running_server(servers_folder, name, "counted") as server:
        access = {n: getattr(server, n) for n in ("host", "port", "user", "password")}
        given = {"format": table_format, "rounds": 1, **access}
        columns = ", ".join(column for column, *_ in VALUES)
        do(server, "DROP DATABASE IF EXISTS counted", "CREATE DATABASE counted")
        do(server, f"CREATE TABLE counted.t ({columns})", *VERSIONED[: len(versioned)])
        for number in range(6):
            do(server, *statements(source, versioned))
            replicate(["counted"], tmp_path / "lake", after_round=done.append, **given)
            replicate(["counted"], tmp_path / (fresh := f"fresh{number}"), **given)
            for table in "t" + versioned:
                wanted, found = (read(tmp_path / p, table, table_format) for p in (fresh, "lake"))
                assert found == wanted, table
    assert [(d.error, d.num_copied) for d in done] == [(None, 1 + len(versioned)), *[(None, 0)] * 5]


def read(lake: Path, table: str, table_format: str) -> Counter[str]:
    with closing(LakeTables(Location.parse(lake), table_format)) as tables:
        rows: Any = tables.read("counted", table)
    return Counter(repr(sorted(row.items())) for row in rows.to_pylist())


def test_a_table_that_cannot_be_locked_is_copied_after_each_change(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    done: list[Round] = []
    insert = "INSERT INTO shop.bare VALUES (1), (1)"
    given = {"tables": "shop.bare", "rounds": 1, "after_round": done.append, **access}
    do(server, "CREATE TABLE shop.bare (id INT)", insert, "CREATE USER IF NOT EXISTS bare")
    do(server, "GRANT SELECT, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO bare")
    with closing(connect(server)) as connection, connection.cursor() as cursor:
        connection.begin()
        cursor.execute("DELETE FROM shop.bare LIMIT 1")
        with pytest.warns(BinlogWarning, match="after each change: .*Lock wait timeout"):
            replicate(["shop"], tmp_path, **given)
        connection.commit()
    with pytest.warns(BinlogWarning, match="after each change: .*Access denied"):
        replicate(["shop"], tmp_path, **given | {"user": "bare", "password": ""})
    for _ in range(2):  # the first copies it, and the second merges
        do(server, insert)
        replicate(["shop"], tmp_path, **given)
    assert [d.num_copied for d in done] == [1, 1, 1, 0]
    assert len(rows_of(Location.parse(tmp_path), "shop", "bare")) == 5
