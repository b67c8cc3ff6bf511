"""A user with a temporary table of the name of a base table does not change what rows are read as.

In the formats in which servers log statements about temporary tables: STATEMENT of MySQL, and
MIXED, the default of MariaDB.
"""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import list_tables, read_batches, undo_statements
from samples.truth import fetch_rows
from tests.live.servers import ServerState, connect, running_server

pytestmark = pytest.mark.live

FORMATS = {"mysql-latest": "STATEMENT", "mariadb-11.8": "MIXED"}
BASE = "(id INT PRIMARY KEY, owed INT, paid INT)"
TABLES = ("accounts", "renamed", "listed")
# By a session that has a temporary table of each name.
ATTACK = (
    *(f"CREATE TEMPORARY TABLE {table} {BASE}" for table in TABLES),
    "ALTER TABLE accounts CHANGE owed other INT, CHANGE paid owed INT",
    "ALTER TABLE accounts CHANGE other paid INT",
    "ALTER TABLE renamed RENAME TO elsewhere",
    "CREATE INDEX i ON listed (paid)",
    "ALTER TABLE listed ADD more INT FIRST",
    "DROP TABLE listed",
)


@pytest.fixture(scope="module", params=FORMATS)
def server(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[tuple[Any, str]]:
    name: str = request.param
    with ExitStack() as stack:
        state = stack.enter_context(running_server(servers_folder, name, f"temporary-{name}"))
        owner, attacker = (stack.enter_context(closing(connect(state))) for _ in range(2))
        yield owner, attacked_log(state, owner, attacker)


def attacked_log(state: ServerState, owner: Any, attacker: Any) -> str:
    fetch_rows(owner, "DROP DATABASE IF EXISTS bank")
    fetch_rows(owner, "CREATE DATABASE bank")
    for connection in (owner, attacker):
        fetch_rows(connection, "USE bank")
    fetch_rows(owner, "SET binlog_format = 'ROW'")
    fetch_rows(attacker, f"SET binlog_format = '{FORMATS[state.server]}'")
    fetch_rows(owner, "FLUSH BINARY LOGS")
    for table in TABLES:
        fetch_rows(owner, f"CREATE TABLE {table} {BASE}")
    for statement in ATTACK:
        fetch_rows(attacker, statement)
    for table in TABLES:
        fetch_rows(owner, f"INSERT INTO {table} VALUES (1, 1000, 6)")  # noqa: S608
        fetch_rows(owner, f"UPDATE {table} SET owed = 999")  # noqa: S608
    fetch_rows(owner, "COMMIT")
    fetch_rows(attacker, "DROP TEMPORARY TABLE accounts")
    fetch_rows(owner, "FLUSH BINARY LOGS")
    return str(sorted(Path(state.binlog_dir).glob(f"{state.binlog_base}.{'[0-9]' * 6}"))[-2])


def test_rows_are_those_of_the_server(server: tuple[Any, str]) -> None:
    owner, log = server
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        listed = {str(found.table): found.column_names for found in list_tables(log)}
        for table in TABLES:
            columns = fetch_rows(
                owner,
                "SELECT column_name FROM information_schema.columns"
                " WHERE table_schema = 'bank' AND table_name = %s ORDER BY ordinal_position",
                table,
            )
            names = [name for (name,) in columns]
            expected = [
                dict(zip(names, row, strict=True))
                for row in fetch_rows(owner, f"SELECT * FROM {table}")  # noqa: S608
            ]
            rows = [
                {name: row[name] for name in names}
                for batch in read_batches(
                    log, table=f"bank.{table}", change_types="update_postimage"
                )
                for row in batch.to_pylist()
            ]
            assert rows == expected
            assert listed[f"bank.{table}"] == tuple(names)
        script = "\n".join(undo_statements(log, tables="bank.*", force=True))
    assert script.count("`owed` = 1000") == len(TABLES)
    assert "`paid` = 1000" not in script
