"""UUID, INET4 and INET6 of MariaDB are read as the server selects them, and written again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pyspark_adapter import read_batches, rows_at
from pyspark_adapter.cli.main import main
from samples.truth import fetch_rows
from tests.live.servers import ServerState, connected_server
from tests.live.test_rows_at import dump

pytestmark = pytest.mark.live

TABLE = "fixed.t"
CREATE = "CREATE TABLE fixed.t (id INT PRIMARY KEY, u UUID, i4 INET4, i6 INET6)"
NUM_RANDOM = 300
ADDRESSES = (
    *("::", "::1", "::1:2:3", "::1:2:3:4:5:6:7", "1:2:3:4:5:6:7::", "1:0:0:4:0:0:7:8", "fe80::"),
    *("::1.2.3.4", "::0.1.0.0", "::ffff:0.0.0.0", "::ffff:1.2.3.0", "::fffe:1:2", "1:0:3:0:5::"),
)
# MariaDB takes no others of versions from 8 on.
VARIANTS = {n: (0, 0x40, 0x80, 0xC0) if n < 8 else (0x81, 0xC0) for n in range(16)}

Rows = list[tuple[Any, ...]]


@pytest.fixture(
    scope="module", params=[("mariadb-10.11", "MINIMAL"), ("mariadb-11.8", "NO_LOG")], ids="-".join
)
def server(
    request: pytest.FixtureRequest, servers_folder: Path
) -> Iterator[tuple[ServerState, Any]]:
    name, metadata = request.param
    options = {"binlog-row-metadata": metadata}
    with connected_server(servers_folder, name, f"fixed-{name}", options) as (state, connection):
        fetch_rows(connection, "CREATE DATABASE fixed")
        yield state, connection


def uuids(source: random.Random) -> Iterator[str]:
    """Give UUIDs of all versions and variants, some with zeros at their end."""
    yield from (str(UUID(int=0)), str(UUID(int=(1 << 128) - 1)))
    while True:
        for version, variants in VARIANTS.items():
            for variant in variants:
                data = bytearray(source.randbytes(16))
                data[6] = data[6] & 0x0F | version << 4
                data[8] = data[8] & 0x3F | variant
                data[16 - source.choice([0, 0, 0, 1, 5]) :] = b""
                yield str(UUID(bytes=bytes(data).ljust(16, b"\0")))


def addresses(source: random.Random) -> Iterator[str]:
    """Give addresses with runs of zeros of all lengths and places."""
    yield from ADDRESSES
    while True:
        groups = [source.choice([0, 0, 1, 0xFFFF, source.randrange(1 << 16)]) for _ in range(8)]
        yield str(IPv6Address(b"".join(group.to_bytes(2, "big") for group in groups)))


def short_addresses(source: random.Random) -> Iterator[str]:
    yield from ("0.0.0.0", "255.255.255.255", "10.0.0.0", "1.2.3.0")  # noqa: S104
    while True:
        yield str(IPv4Address(source.randbytes(4)))


def selected(connection: Any) -> Rows:
    names = ", ".join(f"CAST({name} AS CHAR)" for name in ("u", "i4", "i6"))
    query = f"SELECT id, {names} FROM {TABLE} ORDER BY id"  # noqa: S608
    return [*map(tuple, fetch_rows(connection, query))]


def logs_of(state: ServerState) -> list[Path]:
    """Return the logs before the one that is written now."""
    return sorted(Path(state.binlog_dir).glob(f"{state.binlog_base}.{'[0-9]' * 6}"))[:-1]


def inserted(logs: list[Path], **options: Any) -> Rows:
    names = ("id", "u", "i4", "i6")
    found = read_batches(logs, table=TABLE, change_types="insert", **options)
    rows = [tuple(row[name] for name in names) for batch in found for row in batch.to_pylist()]
    return sorted(rows)


def write_values(connection: Any) -> None:
    source = random.Random(7)  # noqa: S311 - to be the same each time is the purpose
    columns = uuids(source), short_addresses(source), addresses(source)
    rows = ["(-1, NULL, NULL, NULL)"]
    rows += [str((i, *map(next, columns))) for i in range(NUM_RANDOM)]
    fetch_rows(connection, f"INSERT INTO {TABLE} VALUES {', '.join(rows)}")  # noqa: S608


def execute(connection: Any, script: str) -> None:
    for statement in script.split(";\n"):
        if any(line and not line.startswith("--") for line in statement.splitlines()):
            fetch_rows(connection, statement.replace("%", "%%"))


def test_values_are_those_of_select(
    server: tuple[ServerState, Any], servers_folder: Path, tmp_path: Path
) -> None:
    state, connection = server
    fetch_rows(connection, f"DROP TABLE IF EXISTS {TABLE}")
    fetch_rows(connection, "RESET MASTER")
    fetch_rows(connection, CREATE)
    baseline = tmp_path / "t.sql"
    baseline.write_bytes(dump(servers_folder, state.server, state.socket, "fixed", "t"))
    write_values(connection)
    before = selected(connection)
    fetch_rows(connection, "FLUSH BINARY LOGS")
    assert inserted(logs_of(state)) == before

    # Changes are taken back, and made again, by their text.
    fetch_rows(connection, f"UPDATE {TABLE} SET i6 = '::', u = NULL, i4 = NULL WHERE id % 3 = 0")  # noqa: S608
    fetch_rows(connection, f"DELETE FROM {TABLE} WHERE id % 3 = 1")  # noqa: S608
    after = selected(connection)
    fetch_rows(connection, "FLUSH BINARY LOGS")
    last = str(logs_of(state)[-1])
    for command, wanted in (("undo", before), ("redo", after)):
        out = tmp_path / f"{command}.sql"
        assert main([command, last, "--ddl", str(baseline), "--output", str(out)]) == 0
        execute(connection, out.read_text())
        assert selected(connection) == wanted
    fetch_rows(connection, "FLUSH BINARY LOGS")
    for given in (None, baseline):
        rows = rows_at(logs_of(state), table=TABLE, baseline=given).rows
        assert sorted(tuple(row.values()) for row in rows.to_pylist()) == after


def test_a_log_that_names_columns_needs_a_definition_of_the_user(
    server: tuple[ServerState, Any], tmp_path: Path
) -> None:
    state, connection = server
    [[metadata]] = fetch_rows(connection, "SELECT @@GLOBAL.binlog_row_metadata")
    fetch_rows(connection, f"DROP TABLE IF EXISTS {TABLE}")
    fetch_rows(connection, "SET GLOBAL binlog_row_metadata = FULL")
    try:
        fetch_rows(connection, "RESET MASTER")
        fetch_rows(connection, CREATE)
        write_values(connection)
        wanted = selected(connection)
        fetch_rows(connection, "FLUSH BINARY LOGS")
    finally:
        fetch_rows(connection, f"SET GLOBAL binlog_row_metadata = {metadata}")
    ddl = tmp_path / "ddl.sql"
    ddl.write_text(f"{CREATE};\n")
    assert inserted(logs_of(state), ddl=ddl) == wanted
    for options in ({}, {"ddl": ddl, "uuid": "binary"}):
        found = inserted(logs_of(state), **options)
        assert [row[1] and str(UUID(bytes=row[1])) for row in found] == [row[1] for row in wanted]
    assert (
        sorted(tuple(row.values()) for row in rows_at(logs_of(state), table=TABLE).rows.to_pylist())
        == wanted
    )
