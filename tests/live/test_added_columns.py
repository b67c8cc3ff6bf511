"""Rows from before ADD COLUMN show what the server shows in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.options.table_name import TableName
from samples.truth import fetch_rows
from tests.live.servers import connected_server
from tests.support.group_rows import rows_over_shapes

pytestmark = pytest.mark.live

LITERALS = [
    "INT DEFAULT -5",
    "INT NOT NULL",
    "BIGINT UNSIGNED DEFAULT 18446744073709551615",
    "TINYINT NOT NULL DEFAULT TRUE",
    "DECIMAL(12,4) DEFAULT 1.5",
    "DECIMAL(50,3) DEFAULT '-0.125'",
    "DECIMAL(5,2) NOT NULL",
    "DOUBLE DEFAULT -1.5e-3",
    "FLOAT DEFAULT 0.1",
    "VARCHAR(30) DEFAULT 'it''s \\\\ č'",
    "VARCHAR(30) CHARACTER SET latin1 DEFAULT 'größe ' NOT NULL",
    "CHAR(9) DEFAULT 'a  '",
    "CHAR(9) CHARACTER SET utf8mb4 NOT NULL",
    "TEXT NOT NULL",
    "VARBINARY(9) DEFAULT X'00ff00'",
    "BLOB NOT NULL",
    "BIT(11) DEFAULT b'10000000101'",
    "BIT(3) NOT NULL",
    "ENUM('a', 'B,c') DEFAULT 'b,C'",
    "ENUM('x', 'y') NOT NULL",
    "SET('p', 'q', 'r') DEFAULT 'r,p'",
    "SET('p', 'q') NOT NULL",
    "DATE DEFAULT '2026-02-28'",
    "DATETIME DEFAULT '2026-01-02 03:04:05'",
    "DATETIME(3) DEFAULT '2026-01-02 03:04:05.25'",
    "TIME(2) DEFAULT '-12:34:56.70'",
    "YEAR DEFAULT 2026",
    "YEAR NOT NULL",
    "JSON",
]
OTHERS = [
    "JSON DEFAULT (JSON_ARRAY(1))",
    "DATETIME DEFAULT CURRENT_TIMESTAMP",
    "TIMESTAMP DEFAULT '2026-01-01 00:00:00' NOT NULL",
    "DECIMAL(5,1) DEFAULT 1.55",
    "INT DEFAULT (1 + 1)",
]


@pytest.mark.parametrize("server", ["mysql-latest", "mariadb-11.8"])
def test_rows_from_before_are_those_of_the_server(servers_folder: Path, server: str) -> None:
    """The server copies the old row to a new one, which is in the log with its values."""
    with connected_server(servers_folder, server, f"added-{server}") as (state, connection):
        fetch_rows(connection, "CREATE DATABASE added")
        fetch_rows(connection, "CREATE TABLE added.t (id INT PRIMARY KEY)")
        fetch_rows(connection, "INSERT INTO added.t VALUES (1)")
        columns = {f"c{i}": text for i, text in enumerate([*LITERALS, *OTHERS])}
        for name, text in columns.items():
            fetch_rows(connection, f"ALTER TABLE added.t ADD COLUMN {name} {text}")
        names = ", ".join(columns)
        copy = f"INSERT INTO added.t (id, {names}) SELECT 2, {names} FROM added.t"  # noqa: S608
        fetch_rows(connection, copy)
        fetch_rows(connection, "FLUSH BINARY LOGS")
        logs = str(Path(state.binlog_dir) / f"{state.binlog_base}.[0-9]*")
        with pytest.warns(BinlogWarning) as warned:
            rows = read_batches(logs, table="added.t").to_table().to_pylist()
        old, new = rows
        literals = list(columns)[: len(LITERALS)]
        assert {name: old[name] for name in literals} == {name: new[name] for name in literals}
        for name in list(columns)[len(LITERALS) :]:
            assert old[name] is None
            assert any(f"column {name} in rows from before" in str(w.message) for w in warned)
        assert len(warned) == len(OTHERS)
        with pytest.warns(BinlogWarning) as warned_again:
            grouped = rows_over_shapes(logs, TableName("added", "t"))
        assert grouped.to_pylist() == rows
        assert [str(w.message) for w in warned_again] == [str(w.message) for w in warned]
