"""A session that may only make temporary tables changes no column of another's table."""

from __future__ import annotations

import json
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from pyspark_adapter import list_tables, read_batches
from pyspark_adapter.errors import BinlogWarning
from samples.truth import fetch_rows
from tests.live.servers import connect, connected_server
from tests.live.servers.state import ServerState

pytestmark = pytest.mark.live

COLUMNS = ["id", "owed", "paid"]
# In each form that the log does not mark as temporary.
ATTACKS = (
    ["ALTER TABLE accounts CHANGE owed o2 INT, CHANGE paid owed INT"],
    ["ALTER TABLE accounts CHANGE owed o2 INT", "ALTER TABLE accounts CHANGE paid owed INT"],
    ["ALTER TABLE accounts DROP COLUMN paid"],
    ["ALTER TABLE accounts ADD COLUMN note INT FIRST"],
    ["ALTER TABLE accounts RENAME TO others"],
    ["CREATE INDEX i ON accounts (paid)", "DROP INDEX i ON accounts"],
    ["TRUNCATE TABLE accounts"],
    ["ALTER TABLE accounts RENAME TO others", "ALTER TABLE others DROP COLUMN owed"],
)
OF_MARIADB = (
    ["RENAME TABLE accounts TO others"],
    ["RENAME TABLE accounts TO others, others TO accounts", "ALTER TABLE accounts DROP paid"],
)


@pytest.mark.parametrize(
    ("server", "options", "attacks"),
    [
        ("mysql-latest", {"binlog-format": "STATEMENT"}, ATTACKS),
        ("mariadb-11.8", {"binlog-format": "MIXED"}, ATTACKS + OF_MARIADB),
    ],
)
def test_temporary_tables_hide_no_columns(
    servers_folder: Path, server: str, options: dict[str, str], attacks: tuple[list[str], ...]
) -> None:
    options = options | {"binlog-row-metadata": "MINIMAL"}
    with connected_server(servers_folder, server, f"temporary-{server}", options) as (state, owner):
        fetch_rows(owner, "CREATE DATABASE bank")
        fetch_rows(owner, "CREATE TABLE bank.accounts (id INT PRIMARY KEY, owed INT, paid INT)")
        fetch_rows(owner, "SET SESSION binlog_format = 'ROW'")
        for number, attack in enumerate(attacks):
            with closing(connect(state)) as attacker:
                fetch_rows(attacker, "USE bank")
                create = "CREATE TEMPORARY TABLE accounts (id INT PRIMARY KEY, owed INT, paid INT)"
                for statement in (create, *attack):
                    fetch_rows(attacker, statement)
                fetch_rows(owner, f"INSERT INTO bank.accounts VALUES ({number}, 1000, 6)")  # noqa: S608
        # The other way round: the owner's own change counts, while a temporary table is open.
        with closing(connect(state)) as attacker:
            fetch_rows(attacker, "CREATE TEMPORARY TABLE bank.accounts (id INT)")
            fetch_rows(owner, "ALTER TABLE bank.accounts CHANGE paid settled INT")
            fetch_rows(owner, "INSERT INTO bank.accounts VALUES (99, 5, 7)")
        expected = list(fetch_rows(owner, "SELECT * FROM bank.accounts WHERE id < 99"))
        assert len(expected) == len(attacks)
        fetch_rows(owner, "FLUSH BINARY LOGS")
        log = Path(state.binlog_dir) / f"{state.binlog_base}.000001"
        check_reads(log, expected)
        if server.startswith("mariadb"):
            check_unseen_rename(state)


def check_unseen_rename(state: ServerState) -> None:
    """Check a RENAME of a temporary table whose CREATE is in no log that is read."""
    with closing(connect(state)) as owner, closing(connect(state)) as attacker:
        for session in (owner, attacker):
            fetch_rows(session, "USE bank")
        fetch_rows(
            attacker, "CREATE TEMPORARY TABLE debts (id INT PRIMARY KEY, owed INT, paid INT)"
        )
        fetch_rows(owner, "CREATE TABLE others (id INT PRIMARY KEY, paid INT, owed INT)")
        fetch_rows(owner, "FLUSH BINARY LOGS")
        fetch_rows(owner, "CREATE TABLE debts (id INT PRIMARY KEY, owed INT, paid INT)")
        fetch_rows(attacker, "RENAME TABLE debts TO others")
        fetch_rows(owner, "SET SESSION binlog_format = 'ROW'")
        fetch_rows(owner, "INSERT INTO others VALUES (2, 6, 1000)")
        assert [tuple(map(int, row)) for row in fetch_rows(owner, "SELECT owed FROM others")] == [
            (1000,)
        ]
        fetch_rows(owner, "FLUSH BINARY LOGS")
    log = Path(state.binlog_dir) / f"{state.binlog_base}.000003"
    with pytest.warns(BinlogWarning, match="may rename a temporary table"):
        [row] = read_batches(log, tables="bank.others").to_table().column("row").to_pylist()
    assert json.loads(row) == {"col_1": 2, "col_2": 6, "col_3": 1000}


def check_reads(log: Path, expected: list[tuple[object, ...]]) -> None:
    """Check that all ways to read the log give the columns of the base table."""
    shown = [dict(zip(COLUMNS, map(int, map(str, row)), strict=True)) for row in expected]
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        rows = read_batches(log, tables="bank.accounts", on_statement_events="ignore").to_table()
    assert [json.loads(row) for row in rows.column("row").to_pylist()[:-1]] == shown
    assert json.loads(rows.column("row").to_pylist()[-1]) == {"id": 99, "owed": 5, "settled": 7}
    assert rows.num_rows == len(expected) + 1
    assert {str(found.table) for found in list_tables(log)} == {"bank.accounts"}
