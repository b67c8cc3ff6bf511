"""The state that changes leave is what a real server selects after random statements."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pyspark_adapter import OptionError, latest_rows
from samples.truth import fetch_rows
from tests.live.servers import connect, connected_server, running_server

pytestmark = [pytest.mark.live, pytest.mark.spark]

DATABASE = "latest"
TABLE = f"{DATABASE}.things"
SEED = 20261121
NUM_STATEMENTS = 600
# `v` and `note` have defaults, which are not logged of rows that get them with a minimal image.
CREATE = f"""
    CREATE TABLE {TABLE} (
        v INT DEFAULT 7, kind VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,
        note TEXT, id INT, d DECIMAL(6,2), PRIMARY KEY (kind, id)
    ) ENGINE=InnoDB
"""
NAMES = ("kind", "id", "v", "note", "d")
DEFAULTS = {"v": "7", "note": None, "d": None}
# By server. MariaDB does not log, with a minimal image, that a REPLACE sets columns to defaults.
SERVERS = (
    ("mysql-latest", ("FULL", "MINIMAL", "NOBLOB")),
    ("mariadb-11.8", ("FULL", "MINIMAL", "NOBLOB", "FULL_NODUP")),
)


def random_statement(source: random.Random, *, can_replace: bool) -> str:
    """Return a statement that inserts, changes, moves or deletes rows of few keys."""

    def key() -> str:
        return f"kind = '{source.choice(['a', 'A', 'b'])}' AND id = {source.randint(1, 8)}"

    def value(name: str) -> str:
        texts = {"note": ["'x'", "'yy'", "''"], "d": ["1.50", "-0.01"]}
        return source.choice([*texts.get(name, ["0", "1", "2"]), "NULL"])

    choice = source.random()
    if choice < 0.35:
        names = source.sample(["v", "note", "d"], source.randint(0, 3))
        verb = source.choice(["INSERT IGNORE", "INSERT", "REPLACE" if can_replace else "INSERT"])
        tail = " ON DUPLICATE KEY UPDATE v = v + 1" if verb == "INSERT" else ""
        cells = [f"'{source.choice(['a', 'A', 'b'])}'", str(source.randint(1, 8))]
        cells += map(value, names)
        return (
            f"{verb} INTO {TABLE} ({', '.join(['kind', 'id', *names])})"
            f" VALUES ({', '.join(cells)}){tail}"
        )
    if choice < 0.6:
        names = source.sample(["v", "note", "d"], source.randint(1, 2))
        changes = ", ".join(f"{name} = {value(name)}" for name in names)
        return f"UPDATE {TABLE} SET {changes} WHERE {key()}"
    if choice < 0.85:
        return source.choice(
            [
                f"UPDATE IGNORE {TABLE} SET id = id + 1 ORDER BY id DESC LIMIT 3",
                f"UPDATE IGNORE {TABLE} SET id = id - 1 WHERE id > 1 ORDER BY id",
                f"UPDATE IGNORE {TABLE} SET kind = 'A' WHERE {key()}",
                f"UPDATE IGNORE {TABLE} SET kind = 'b', v = v + 1 WHERE {key()}",
            ]
        )
    return f"DELETE FROM {TABLE} WHERE {key()}"


@pytest.mark.parametrize(("server", "images"), SERVERS, ids=[name for name, _ in SERVERS])
def test_rows_are_those_that_the_server_selects(
    spark: SparkSession, servers_folder: Path, server: str, images: tuple[str, ...]
) -> None:
    source = random.Random(SEED)  # noqa: S311 - to be the same each time is the purpose
    options = {"binlog-row-metadata": "FULL"}
    with connected_server(servers_folder, server, f"rows-{server}", options) as (state, connection):
        connection.decoders = {}
        fetch_rows(connection, f"CREATE DATABASE {DATABASE}")
        fetch_rows(connection, CREATE)
        for number in range(NUM_STATEMENTS):
            if number % 20 == 0:
                # The last are minimal: whole images would tell the defaults.
                image = source.choice(images) if number < NUM_STATEMENTS / 2 else "MINIMAL"
                fetch_rows(connection, "COMMIT")
                fetch_rows(connection, f"SET binlog_row_image = {image}")
                fetch_rows(connection, "BEGIN")
            fetch_rows(connection, random_statement(source, can_replace=server.startswith("mysql")))
        fetch_rows(connection, "COMMIT")
        fetch_rows(connection, "FLUSH BINARY LOGS")
        selected = fetch_rows(connection, f"SELECT {', '.join(NAMES)} FROM {TABLE}")
        frame = (
            spark.read.format("mysql_binlog")
            .option("table", TABLE)
            .option(
                "metadataColumns",
                "_change_type,_commit_version,_row_number,_absent_columns,_json_diff",
            )
            .load(str(Path(state.binlog_dir) / f"{state.binlog_base}.[0-9]*"))
        )
        found = latest_rows(frame, ["kind", "id"]).select("_absent_columns", *NAMES).collect()
    assert len(selected) > 5
    assert sorted(map(shown, found)) == sorted(map(repr, map(tuple, selected)))
    assert any(row["_absent_columns"] for row in found)


def shown(row: Any) -> str:
    """Return a row as the server selects it; what was never logged of it is a default."""
    cells = [DEFAULTS[name] if name in row["_absent_columns"] else row[name] for name in NAMES]
    return repr(tuple(None if cell is None else str(cell) for cell in cells))


@pytest.mark.parametrize("metadata", ["FULL", "NO_LOG"])
def test_rows_of_the_past_are_rows_of_their_own(
    spark: SparkSession, servers_folder: Path, metadata: str
) -> None:
    """MariaDB writes them as inserts with the primary key of the current row."""
    period = "since TIMESTAMP(6) GENERATED ALWAYS AS ROW START, `Until` TIMESTAMP(6) GENERATED"
    period += " ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME(since, until)"
    tables = {
        "hidden": ("id INT PRIMARY KEY, v INT", "row_end"),
        "named": (f"id INT PRIMARY KEY, v INT, {period}", "Until"),
        "only_unique": ("v INT, id INT NOT NULL UNIQUE", "row_end"),
    }
    options = {"binlog-row-metadata": metadata}
    with (
        running_server(servers_folder, "mariadb-11.8", "versioned", options=options) as state,
        closing(connect(state)) as connection,
    ):
        fetch_rows(connection, f"CREATE DATABASE {DATABASE}")
        for name, (columns, end) in tables.items():
            table = f"{DATABASE}.{name}"
            for statement in (
                f"CREATE TABLE {table} ({columns}) WITH SYSTEM VERSIONING",
                f"INSERT INTO {table} (id, v) VALUES (1, 1), (2, 2), (3, 3)",
                f"UPDATE {table} SET v = v + 10 WHERE id < 3",
                f"UPDATE {table} SET id = 4 WHERE id = 3",
                f"DELETE FROM {table} WHERE id = 2",
            ):
                fetch_rows(connection, statement)
            server = {"host": state.host, "port": str(state.port), "user": "root", "table": table}
            frame = spark.read.format("mysql_binlog").options(**server).load()
            is_past = f"`{end}` < '2100-01-01'"
            query = f"SELECT id, v, {is_past} FROM {table} FOR SYSTEM_TIME ALL ORDER BY 1, 2, 3"
            found = latest_rows(frame).selectExpr("id", "v", f"INT({is_past})")
            assert sorted(map(tuple, found.collect())) == fetch_rows(connection, query), name
            with pytest.raises(OptionError, match=f"all columns of the key of the table, .*{end}"):
                latest_rows(frame, ["id"])
