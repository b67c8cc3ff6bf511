"""Rows after a column was redefined are those of the server, where a statement is followed."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import pymysql
import pytest

from pyspark_adapter.as_of.altered_rows import NotFollowedError, altered_rows
from pyspark_adapter.ddl.sql_definitions import AlterTable
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.operations.server_tables import TableServer
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.alterations import keeps_values
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.timeline.ddl import change_of
from pyspark_adapter.timeline.defined_table import defined
from samples.truth import fetch_rows
from tests.live.servers import connected_server

pytestmark = pytest.mark.live
TABLE = TableName("redefined", "t")
LINES = Path(__file__).with_name("redefinitions.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("share", [0.15, pytest.param(1, id="all")])
@pytest.mark.parametrize("server", ["mysql-latest", "mariadb-11.8"])
def test_rows_are_those_of_the_server(servers_folder: Path, server: str, share: float) -> None:
    values = {kind: found for kind, *found in (line.split(" | ") for line in LINES)}
    pairs = [*permutations(values, 2)]
    pairs = random.Random(3).sample(pairs, int(share * len(pairs)))  # noqa: S311 - the same again
    dialect, num_followed = SqlDialect(is_mariadb="mariadb" in server), 0
    with connected_server(servers_folder, server, f"redefined-{server}") as (state, connection):
        access = {name: getattr(state, name) for name in ("host", "port", "user", "password")}
        tables = TableServer(LiveServer.from_options(BinlogOptions.from_python(access)))
        fetch_rows(connection, "CREATE DATABASE redefined CHARACTER SET utf8mb4")
        fetch_rows(connection, "SET sql_mode = ''")
        for old, new in pairs:
            alter = f"ALTER TABLE {TABLE} MODIFY c {new}"
            rows = ", ".join(f"({k}, {value})" for k, value in enumerate(values[old]))
            fetch_rows(connection, f"DROP TABLE IF EXISTS {TABLE}")
            fetch_rows(connection, f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, c {old})")
            fetch_rows(connection, f"INSERT INTO {TABLE} VALUES {rows}")
            before = tables.rows(TABLE).read_all()
            definition = defined(tables.definitions([TABLE])[TABLE], dialect)
            change = change_of(alter, "", dialect)
            assert isinstance(change, AlterTable)
            with suppress(pymysql.MySQLError, NotFollowedError):
                fetch_rows(connection, alter)
                after = tables.rows(TABLE).read_all()
                redefined = defined(tables.definitions([TABLE])[TABLE], dialect)
                assert definition is not None
                assert redefined is not None
                if keeps_values(definition.columns[1], redefined.columns[1]):  # of `replicate`
                    assert before.cast(after.schema).equals(after), (old, new)
                assert altered_rows(before, definition, change.alteration).equals(after), (old, new)
                num_followed += 1
        tables.close()
    assert num_followed > 3
