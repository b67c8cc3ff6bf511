"""After DDL and TRUNCATE in the middle of a load, latest rows are what the server selects."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from pyspark_adapter import latest_changes, latest_rows
from samples.truth import fetch_rows
from tests.live.servers import connected_server

pytestmark = [pytest.mark.live, pytest.mark.spark]

DATABASE = "ddl"
SEED = 20261122
# `keyed` has a primary key, `other` only a unique one.
CREATE = {
    "keyed": "CREATE TABLE ddl.keyed (id INT, kind CHAR(1), v INT, PRIMARY KEY (id, kind))",
    "other": "CREATE TABLE ddl.other (v INT, id INT NOT NULL, kind CHAR(1) NOT NULL,"
    " KEY (v), UNIQUE (id, kind))",
}
# By the number of the statement before which they come.
STATEMENTS = {
    60: ["ALTER TABLE ddl.keyed ADD note VARCHAR(10)"],
    90: ["TRUNCATE TABLE ddl.keyed"],
    120: ["CREATE INDEX i ON ddl.other (v)"],
    150: ["DROP TABLE ddl.other", CREATE["other"]],
    200: ["ALTER TABLE ddl.keyed DROP COLUMN note, ADD size BIGINT"],
    240: ["TRUNCATE ddl.other"],
    260: ["DROP DATABASE ddl", "CREATE DATABASE ddl", *CREATE.values()],
    300: ["ALTER TABLE ddl.other CHANGE v v BIGINT"],
    320: ["TRUNCATE ddl.keyed"],
}


def random_statement(source: random.Random, table: str) -> str:
    """Return a statement that changes rows of a table."""
    where = f"id = {source.randint(1, 9)} AND kind = '{source.choice('ab')}'"
    v = source.randint(0, 99)
    columns = f"ddl.{table} (id, kind, v)"
    return source.choice(
        [
            f"REPLACE INTO {columns} VALUES ({v % 9 + 1}, 'a', {v})",
            f"INSERT IGNORE INTO {columns} VALUES ({v % 9 + 1}, 'b', NULL)",
            f"UPDATE IGNORE ddl.{table} SET v = {v}, id = id + {v % 2} WHERE {where}",
            f"DELETE FROM ddl.{table} WHERE {where}",
        ]
    )


def load_rows(connection: Any, source: random.Random) -> None:
    """Change rows of both tables, with the statements in between."""
    fetch_rows(connection, "CREATE DATABASE ddl")
    for create in CREATE.values():
        fetch_rows(connection, create)
    for number in range(400):
        for statement in STATEMENTS.get(number, ()):
            fetch_rows(connection, statement)
        if number in (70, 270):
            fetch_rows(connection, "FLUSH BINARY LOGS")
        fetch_rows(connection, random_statement(source, source.choice(list(CREATE))))
    fetch_rows(connection, "FLUSH BINARY LOGS")


@pytest.mark.parametrize("server", ["mysql-latest", "mariadb-11.8"])
def test_rows_after_ddl_are_those_that_the_server_selects(
    spark: SparkSession, servers_folder: Path, tmp_path: Path, server: str
) -> None:
    source = random.Random(SEED)  # noqa: S311 - to be the same each time is the purpose
    with connected_server(servers_folder, server, f"latest-ddl-{server}") as (state, connection):
        load_rows(connection, source)
        logs = str(Path(state.binlog_dir) / f"{state.binlog_base}.[0-9]*")
        for table in CREATE:
            names = [
                str(row[0]) for row in fetch_rows(connection, f"SHOW COLUMNS FROM ddl.{table}")
            ]
            selected = fetch_rows(connection, f"SELECT {', '.join(names)} FROM ddl.{table}")
            expected = sorted(map(repr, map(tuple, selected)))
            assert len(expected) > 3
            frame = (
                spark.read.format("mysql_binlog")
                .options(table=f"ddl.{table}", schemaAt="latest", schemaChanges="true")
                .load(logs)
            )
            assert shown(latest_rows(frame), names) == expected
            if table == "keyed" and server == "mysql-latest":  # a stream differs by no server
                kept = streamed(frame.schema, spark, logs, table, tmp_path)
                assert shown(kept, names) == expected


def streamed(
    schema: StructType, spark: SparkSession, logs: str, table: str, tmp_path: Path
) -> DataFrame:
    """Return a table that a stream has kept by its net changes, one log in a batch."""
    names = [name for name in schema.names if not name.startswith("_")]
    target: dict[Any, dict[str, Any]] = {}

    def apply(batch: DataFrame, _: int) -> None:
        changes = [row.asDict() for row in latest_changes(batch.persist()).collect()]
        if any(row["_change_type"] in ("truncate", "drop") for row in changes):
            target.clear()
        for row in changes:
            key = row["id"], row["kind"]
            if row["_change_type"] == "delete":
                target.pop(key, None)
            elif row["id"] is not None:
                target[key] = {name: row[name] for name in names}

    query = (
        spark.readStream.format("mysql_binlog")
        .options(table=f"ddl.{table}", schemaAt="latest", schemaChanges="true")
        .option("maxFilesPerTrigger", "1")
        .load(logs)
        .writeStream.foreachBatch(apply)
        .option("checkpointLocation", str(tmp_path / table))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    only = StructType([field for field in schema if field.name in names])
    return spark.createDataFrame([tuple(row.values()) for row in target.values()], only)


def shown(frame: DataFrame, names: list[str]) -> list[str]:
    """Return rows as the server selects them."""
    return sorted(repr(tuple(row[name] for name in names)) for row in frame.collect())
