"""`--verify` finds what differs between a lake and a busy server, and nothing else."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import replicate
from pyspark_adapter.cli.main import main
from pyspark_adapter.replication import verified_table
from pyspark_adapter.replication.delta_tables import tables_of
from pyspark_adapter.replication.verified_table import VerifiedTable
from pyspark_adapter.sources.locations import Location
from tests.live.replicate.lakes import do
from tests.live.servers import ServerState, connect, running_server

pytestmark = pytest.mark.live

# The load changes those above; the faults are below.
NUM_QUIET = 2000
SETUP = (
    "DROP DATABASE IF EXISTS busy",
    "CREATE DATABASE busy",
    "CREATE TABLE busy.numbered (id INT PRIMARY KEY AUTO_INCREMENT, n INT, s VARCHAR(20))",
    "INSERT INTO busy.numbered (n, s) VALUES (1, 'start')",
    *["INSERT INTO busy.numbered (n, s) SELECT n, s FROM busy.numbered"] * 14,
    "UPDATE busy.numbered SET n = IF(id % 5 = 0, NULL, id % 7), s = CONCAT('s', id)",
    "CREATE TABLE busy.named (k VARCHAR(9) PRIMARY KEY, n INT, s VARCHAR(20))",
    "INSERT INTO busy.named SELECT CONCAT('K', id), n, s FROM busy.numbered",
    "CREATE TABLE busy.bare (k INT, n INT, s VARCHAR(20))",
    "INSERT INTO busy.bare SELECT id, n, s FROM busy.numbered",
    "INSERT INTO busy.bare SELECT id, n, s FROM busy.numbered",
)
LOAD = (
    "UPDATE busy.numbered SET n = n + 1 WHERE id = {}",
    "UPDATE busy.named SET s = CONCAT('u', n) WHERE k = 'K{}'",
    "DELETE FROM busy.bare WHERE k = {} LIMIT 1",
    "INSERT INTO busy.bare VALUES ({}, 1, 'new')",
)
# By kind: what a row of the copy becomes, and what the report says of it.
FAULTS: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any] | None], str]] = {
    "value": (lambda row: row | {"n": 99}, "n is 99, expected"),
    "null": (lambda row: row | {"s": None}, "s is None, expected"),
    "case": (lambda row: row | {"s": row["s"].upper()}, "s is 'S"),
    "space": (lambda row: row | {"s": row["s"] + " "}, " ', expected 's"),
    "shift": (lambda row: row | {"n": len(row["s"]), "s": str(row["n"])}, "s is '"),
    "missing": (lambda _: None, "missing in the copy"),
    "extra": (lambda row: row | {"id": 77_000 + row["id"], "k": f"X{row['id']}"}, "not on the"),
    "no null": (lambda row: row | {"n": 0}, "n is 0, expected None"),
}


@contextmanager
def under_load(server: ServerState) -> Iterator[list[int]]:
    """Change rows as fast as it goes; give a list whose length is the number of changes."""
    source, stop, done = random.Random(3), threading.Event(), list[int]()  # noqa: S311

    def change() -> None:
        with closing(connect(server)) as connection, connection.cursor() as cursor:
            while not stop.is_set():
                number = source.randrange(NUM_QUIET + 1, 16_000)
                cursor.execute(source.choice(LOAD).format(number))
                done.append(number)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield done
    finally:
        stop.set()
        thread.join()


def plant(lake: Path, table_format: str, table: str) -> set[tuple[str, str]]:
    """Make 40 faults in a copy; return the key of each, and a part of what is expected of it."""
    with closing(tables_of(Location.parse(lake), table_format)) as tables:
        place = Location.parse(lake / "busy" / table)
        copy: Any = tables.open(place)
        schema, key = tables.schema(copy), tables.schema(copy).names[0]
        rows = pa.Table.from_batches(list(tables.rows(copy))).to_pylist()
        quiet = {int(row["s"][1:]): row for row in rows if (row["s"] or "u")[0] == "s"}
        net, expected = [], set()
        for number in sorted(quiet)[:400:10]:
            kind = [*FAULTS][number % 7] if number % 5 else "no null"
            row = {"id": number, "k": f"K{number}"} | quiet[number]
            change, text = FAULTS[kind]
            changed = change(row)
            net.append((changed or row) | {"_change_type": "insert" if changed else "delete"})
            expected.add((f"{key}={net[-1][key]!r}", text))
        found = pa.Table.from_pylist(net, schema.append(pa.field("_change_type", pa.string())))
        tables.merge(place, copy, found, [key], tables.applied(copy, place))
    return expected


def plant_copies(lake: Path, table_format: str) -> set[tuple[str, str]]:
    """Have equal rows once too often, or not often enough; return as `plant` does."""
    with closing(tables_of(Location.parse(lake), table_format)) as tables:
        place = Location.parse(lake / "busy/bare")
        copy: Any = tables.open(place)
        net, expected = [], set()
        rows = pa.Table.from_batches(list(tables.rows(copy))).sort_by("k").to_pylist()
        for number, row in enumerate(rows[:40:2]):
            net.append(row | {"_change_type": "insert"})
            if number % 2:
                net.append(row | {"_change_type": "delete"})
            text = f"1 {'fewer' if number % 2 else 'more'} in the copy"
            expected.add((f"k={row['k']}, n={row['n']}, s={row['s']!r}", text))
        found = pa.Table.from_pylist(
            net, tables.schema(copy).append(pa.field("_change_type", pa.string()))
        )
        tables.merge(place, copy, found, [], tables.applied(copy, place))
    return expected


@pytest.mark.parametrize(
    ("name", "table_format"), [("mysql-latest", "delta"), ("mariadb-11.8", "iceberg")]
)
def test_planted_faults_are_found_and_repaired_beside_load(
    name: str,
    table_format: str,
    servers_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verified_table, "_MOST_LINES", 1000)
    monkeypatch.setattr(verified_table, "_CHUNK_ROWS", 3000)
    found: list[VerifiedTable] = []
    with running_server(servers_folder, name, "verified") as server:
        do(server, *SETUP)
        access = {n: getattr(server, n) for n in ("host", "port", "user", "password")}
        given = {"format": table_format, "verify": found.append, **access}
        with under_load(server) as done:
            replicate(["busy"], tmp_path, **given)
            assert [table.num_different for table in found] == [0, 0, 0], found
            expected = [plant_copies(tmp_path, table_format)]
            expected += [plant(tmp_path, table_format, table) for table in ("named", "numbered")]
            for repair in (False, True, False):
                replicate(["busy"], tmp_path, repair=repair, **given)
        assert len(done) > 1000
    assert [table.problem for table in found] == [""] * 12
    for table, wanted in zip(found[3:6], expected, strict=True):
        assert len(table.lines) == table.num_different == len(wanted)
        for line in table.lines:
            [text] = [text for key, text in wanted if line.startswith(f"{key}: ")]
            assert text in line
    assert {*found[6].lines} == {*found[3].lines}
    assert [table.num_different for table in found[9:]] == [0, 0, 0]


def test_the_command_ends_with_1_if_a_table_differs(
    access: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replicate(["shop"], tmp_path, rounds=1, **access)
    arguments = ["replicate", "--to", str(tmp_path), "shop", "--user", "root"]
    arguments += ["--host", access["host"], "--port", str(access["port"])]
    assert main([*arguments, "--verify"]) == 0
    assert re.search(r"^shop\.orders: 2 rows at \S+@\d+: equal$", capsys.readouterr().out)
    with closing(tables_of(Location.parse(tmp_path), "delta")) as tables:
        place = Location.parse(tmp_path / "shop/orders")
        net = pa.table({"id": pa.array([2], pa.int32()), "note": ["x"], "_change_type": ["insert"]})
        tables.merge(
            place, tables.open(place), net, ["id"], tables.applied(tables.open(place), place)
        )
    for flag, code in (("--verify", 1), ("--repair", 1), ("--verify", 0)):
        assert main([*arguments, flag]) == code
        assert ("id=2: note is 'x', expected 'b'" in capsys.readouterr().out) == bool(code)
