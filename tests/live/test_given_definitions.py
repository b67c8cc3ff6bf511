"""The option ddl with the definitions of any moment: no row has a member that it did not have."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.read_split import plan_read, read_log
from samples.truth import fetch_rows
from tests.live.servers import ServerState, connected_server

pytestmark = pytest.mark.live

TABLES = ("one", "two")
CREATE = (
    "(id INT PRIMARY KEY, kind ENUM('a', 'b', 'c'), tags SET('p', 'q', 'r'),"
    " size INT UNSIGNED, note VARCHAR(20))"
)
NUM_STATEMENTS = 12

Rows = dict[tuple[str, int], dict[str, Any]]  # by table and id


@pytest.fixture(scope="module", params=["mysql-latest", "mariadb-11.8"])
def server(
    request: pytest.FixtureRequest, servers_folder: Path
) -> Iterator[tuple[ServerState, Any]]:
    with connected_server(servers_folder, request.param, f"given-{request.param}") as server:
        yield server


def members(source: random.Random) -> str:
    """Return some of the members, in any order, among them one that is always there."""
    names = [*source.sample("bcdefg", source.randint(1, 5)), "a"]
    source.shuffle(names)
    return ", ".join(f"'{name}'" for name in names)


def statements(source: random.Random, table: str, names: list[str]) -> list[str]:
    """Return statements that can be carried out on an empty table."""
    number = source.randrange(10**6)
    kind = next(name for name in names if name.startswith("kind"))
    other = source.choice([name for name in names if name.startswith(("size", "note"))])
    change = f"ALTER TABLE {table}"
    created = CREATE.replace("'a', 'b', 'c'", members(source))
    return [
        f"{change} MODIFY {kind} ENUM({members(source)})",
        f"{change} MODIFY COLUMN tags SET({members(source)}) NOT NULL",
        f"{change} CHANGE {kind} kind{number} ENUM({members(source)})",
        f"{change} RENAME COLUMN {kind} TO kind{number}",
        f"{change} ADD size{number} INT UNSIGNED AFTER id",
        f"{change} DROP {other}, ADD note{number} VARCHAR(20)",
        f"{change} MODIFY tags SET({members(source)}) FIRST",
        f"{change} ADD INDEX (id), COMMENT 'x'",
        f"DROP TABLE {table}; CREATE TABLE {table} {created}",
        f"CREATE TABLE new_{table} LIKE {table};"
        f" ALTER TABLE new_{table} MODIFY {kind} ENUM({members(source)});"
        f" RENAME TABLE {table} TO old_{table}, new_{table} TO {table}; DROP TABLE old_{table}",
    ]


def insert(connection: Any, table: str, number: int) -> dict[str, Any]:
    """Insert a row whose ENUM and SET have members; return it as SELECT shows it."""
    columns = fetch_rows(
        connection,
        "SELECT column_name, column_type FROM information_schema.columns WHERE table_name = %s"
        " AND table_schema = DATABASE() ORDER BY ordinal_position",
        table,
    )
    values = {name: "'7'" for name, _ in columns} | {"id": str(number)}
    for name, kind in columns:
        if kind.startswith(("enum", "set")):
            values[name] = kind[kind.index("(") + 1 : -1].split(",")[number % 2 - 1]
    names = ", ".join(values)
    fetch_rows(connection, f"INSERT INTO {table} ({names}) VALUES ({', '.join(values.values())})")  # noqa: S608
    [row] = fetch_rows(connection, f"SELECT {names} FROM {table} WHERE id = {number}")  # noqa: S608
    found = dict(zip(values, row, strict=True))
    fetch_rows(connection, f"DELETE FROM {table}")  # noqa: S608
    return found


def definitions(connection: Any) -> str:
    found = (fetch_rows(connection, f"SHOW CREATE TABLE {table}")[0][1] for table in TABLES)
    return "USE given;\n" + ";\n".join(found) + ";\n"


@pytest.mark.parametrize("seed", range(2))
def test_rows_are_those_of_the_server_or_refused(
    server: tuple[ServerState, Any], seed: int, tmp_path: Path
) -> None:
    state, connection = server
    source = random.Random(seed)  # noqa: S311
    fetch_rows(connection, "DROP DATABASE IF EXISTS given")
    fetch_rows(connection, "CREATE DATABASE given CHARACTER SET utf8mb4")
    fetch_rows(connection, "USE given")
    fetch_rows(connection, "SET sql_mode = ''")
    for table in TABLES:
        fetch_rows(connection, f"CREATE TABLE {table} {CREATE}")
    files: list[tuple[str, str]] = []
    truth: list[Rows] = []
    status = "SHOW BINARY LOG STATUS" if state.server == "mysql-latest" else "SHOW MASTER STATUS"
    for number in range(NUM_STATEMENTS):
        fetch_rows(connection, "FLUSH BINARY LOGS")
        if number:
            table = source.choice(TABLES)
            names = [row[0] for row in fetch_rows(connection, f"SHOW COLUMNS FROM {table}")]
            for text in source.choice(statements(source, table, names)).split(";"):
                fetch_rows(connection, text)
        [(name, pos, *_)] = fetch_rows(connection, status)
        place = f"-- CHANGE MASTER TO MASTER_LOG_FILE='{name}', MASTER_LOG_POS={pos};\n"
        files.append((place, definitions(connection)))
        truth.append({(t, number): insert(connection, t, number) for t in TABLES})
    fetch_rows(connection, "FLUSH BINARY LOGS")
    logs = sorted(Path(state.binlog_dir).glob(f"{state.binlog_base}.{'[0-9]' * 6}"))
    logs = logs[-1 - NUM_STATEMENTS : -1]

    for index, (place, text) in enumerate(files):
        for has_place in (True, False):
            ddl = tmp_path / "tables.sql"
            ddl.write_text(place * has_place + text)
            for i, (found, expected) in enumerate(zip(read_rows(logs, ddl), truth, strict=True)):
                if i >= index and has_place:
                    assert found == expected
                for key, row in ({} if found is None else found).items():
                    assert row == expected[key] or "col_1" in row


def read_rows(logs: list[Path], ddl: Path) -> list[Rows | None]:
    """Return the rows that were inserted into each log; None if they are refused."""
    tables = ",".join(f"given.{table}" for table in TABLES)
    options = BinlogOptions.from_python(
        {"tables": tables, "ddl": str(ddl), "metadata_columns": "_change_type,_table_name"}
    )
    read: list[Rows | None] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        log_files = find_log_files(logs, options)
        request = plan_read(log_files, options)
        for number, log_file in enumerate(log_files):
            try:
                batches = list(read_log(log_file, request))
            except UnsupportedError as error:
                if "as this statement leaves it" not in str(error):
                    raise
                read.append(None)
                continue
            rows = [row for batch in batches for row in batch.to_pylist()]
            inserts = [row for row in rows if row["_change_type"] == "insert"]
            read.append({(r["_table_name"], number): json.loads(r["row"]) for r in inserts})
    return read
