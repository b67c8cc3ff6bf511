"""The guide's table of statements: which of them copy a table again, by format and server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import Location
from tests.inputs import ROOT
from tests.live.replicate.lakes import copied_rows, do
from tests.live.servers import ServerState, connect, running_server

pytestmark = pytest.mark.live

CREATE = """CREATE TABLE alters.{} (id INT PRIMARY KEY, note VARCHAR(20), n INT, u INT UNSIGNED,
    f FLOAT, price DECIMAL(10,2), kind ENUM('new', 'sent'), tags SET('x', 'y'),
    b VARBINARY(9), at DATETIME(3), KEY by_n (n))"""
# A row with key 0 gets another one by AUTO_INCREMENT.
INSERT = """INSERT INTO alters.{} (id, note, n, u, f, price, kind, tags, b, at) VALUES
    ({}, '{}', -2147483648, 4294967295, 0.1, 99999999.99, 'sent', 'x,y', 'b', '2026-11-25'),
    ({}, '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ({}, '{}', 2147483647, 0, -3.4028234e38, -0.01, 'new', '', 'a\\0', '1000-01-01 00:00:00.001')"""


def statements() -> list[tuple[str, tuple[bool, bool]]]:
    """Return the statements of the guide's table, and whether they copy in Delta and Iceberg."""
    text = (ROOT / "docs" / "guides" / "replicate.md").read_text()
    lines = text.partition("| statement | Delta | Iceberg |\n")[2].partition("\n\n")[0].split("\n")
    found: list[tuple[str, tuple[bool, bool]]] = []
    for line in lines[1:]:
        shown, delta, iceberg = line.strip("| ").split(" | ")
        are_copied = "copied" in delta, "copied" in iceberg
        found += [(one, are_copied) for one in re.findall(r"`([^`]*)`", shown)]
    assert len(found) > 20
    return found


@pytest.fixture(scope="module")
def altered(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[ServerState]:
    with running_server(servers_folder, request.param, f"replicate-{request.param}") as state:
        if request.param.startswith("mariadb"):
            do(state, "SET GLOBAL binlog_format = 'ROW'")
        yield state


def server_rows(connection: Any, table: str) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns WHERE"
            " (table_schema, table_name) = ('alters', %s)",
            [table],
        )
        # FLOAT is shown with six digits.
        names = [f"`{n}` * 1e0 AS `{n}`" if kind == "float" else n for n, kind in cursor.fetchall()]
        cursor.execute(f"SELECT {', '.join(names)} FROM alters.{table}")  # noqa: S608
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def cells(rows: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Return rows to compare; an integer may be a decimal, a set a text."""
    return sorted(
        sorted(
            (name, ",".join(sorted(value)) if isinstance(value, set) else str(value))
            for name, value in row.items()
        )
        for row in rows
    )


@pytest.mark.parametrize(
    ("altered", "table_format", "copies"),
    [
        ("mysql-latest", "delta", True),
        ("mysql-latest", "iceberg", True),
        ("mariadb-11.8", "iceberg", False),  # the statements in place alone, to save time
    ],
    indirect=["altered"],
)
def test_statements_copy_a_table_or_change_it_in_place(
    altered: ServerState, table_format: str, copies: bool, tmp_path: Path
) -> None:
    """With changes before and after in the same round; each cell is that of SELECT."""
    wanted = {
        statement: are_copied[table_format == "iceberg"]
        for statement, are_copied in statements()
        if copies or not are_copied[1]
    }
    tables = [f"t{number}" for number in range(len(wanted))]
    do(altered, "DROP DATABASE IF EXISTS alters", "CREATE DATABASE alters")
    do(altered, *(CREATE.format(t) for t in tables))
    do(altered, *(INSERT.format(t, 0, "a", 2, "b", 3, "c") for t in tables))
    lake = Location.parse(tmp_path / "lake")

    def compare() -> None:
        with closing(connect(altered)) as connection:
            for table, statement in zip(tables, wanted, strict=True):
                copy = replica.tables.open(lake.child("alters").child(table))
                found = copied_rows(copy).to_pylist()
                assert cells(found) == cells(server_rows(connection, table)), statement

    given = {name: getattr(altered, name) for name in ("host", "port", "user", "password")}
    server = LiveServer.from_options(BinlogOptions.from_python(given))
    with closing(Replica(server, lake, ["alters"], table_format=table_format)) as replica:
        replica.round(has_failed=False)
        for table, statement in zip(tables, wanted, strict=True):
            update = f"UPDATE alters.{table} SET note = "  # noqa: S608
            do(
                altered,
                INSERT.format(table, 11, "d", 12, "e", 13, "f"),
                f"{update} 'old' WHERE note = 'b'",
                re.sub(r"\bt\b", f"alters.{table}", statement, count=1),
                f"{update} 'after' WHERE note = 'c'",
                f"DELETE FROM alters.{table} WHERE note = 'd'",  # noqa: S608
            )
        copied = set(replica.round(has_failed=False).copied)
        found = [TableName("alters", table) in copied for table in tables]
        assert dict(zip(wanted, found, strict=True)) == wanted
        compare()
        for table in tables:  # each can be changed after its statement
            do(altered, f"UPDATE alters.{table} SET note = 'last' WHERE note < 'f'")  # noqa: S608
        assert replica.round(has_failed=False).num_changes
        compare()
