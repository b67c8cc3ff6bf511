"""The command `replicate` on a real server: what it copies, prints and refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from pyspark_adapter import replicate
from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import BinlogError, DataLossError, OptionError, ServerError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.iceberg_tables import IcebergTables
from pyspark_adapter.replication.run import Round
from pyspark_adapter.replication.server_tables import TableServer
from pyspark_adapter.replication.state import read_state
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location
from tests.docs.pages import find_programs
from tests.inputs import ROOT
from tests.live.servers import ServerState, connect, running_server
from tests.unit.s3_server import s3_process

pytestmark = pytest.mark.live

SETUP = (
    "CREATE DATABASE shop",
    "CREATE DATABASE `other.db`",
    "CREATE TABLE shop.orders (id INT PRIMARY KEY, note VARCHAR(20))",
    "INSERT INTO shop.orders VALUES (1, 'a'), (2, 'b')",
    "CREATE TABLE `other.db`.`100%` (id INT PRIMARY KEY, `c%` INT)",
    "INSERT INTO `other.db`.`100%` VALUES (1, 10)",
)
STEPS = (
    (
        "UPDATE shop.orders SET note = 'c' WHERE id = 1",
        "DELETE FROM shop.orders WHERE id = 2",
        "INSERT INTO `other.db`.`100%` VALUES (7, 70)",
    ),
    (
        "CREATE TABLE shop.new (id INT PRIMARY KEY)",
        "INSERT INTO shop.new VALUES (5)",
        "DROP TABLE `other.db`.`100%`",
    ),
)


@pytest.fixture(scope="module")
def server(servers_folder: Path) -> Iterator[ServerState]:
    with running_server(servers_folder, "mysql-latest", "replicate-command") as state:
        yield state


@pytest.fixture
def access(server: ServerState) -> Iterator[dict[str, Any]]:
    """Give the access to a server with two databases."""
    do(server, *SETUP)
    names = ("host", "port", "user", "password")
    yield {name: getattr(server, name) for name in names}
    do(server, "DROP DATABASE shop", "DROP DATABASE IF EXISTS `other.db`")


def do(server: ServerState, *statements: str) -> None:
    with closing(connect(server)) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        connection.commit()


def rows_of(lake: Location, *names: str) -> pa.Table:
    place = lake
    for name in names:
        place = place.child(name)
    found = open_delta(place)
    return None if found is None else found.to_pyarrow_table().sort_by("id").to_pylist()


@pytest.mark.parametrize("storage", ["local", "s3"])
def test_databases_are_copied_and_followed(
    storage: str, server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    if storage == "s3":
        with s3_process() as s3:
            check_rounds(server, access, Location.parse(s3.uri("key:hidden@lake/folder")))
    else:
        check_rounds(server, access, Location.parse(tmp_path / "lake"))


def test_the_program_of_the_guide_runs(
    access: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    [program] = (p for p in find_programs("python", "replicate"))
    text, shown = (
        program.text,
        'access = {"host": "db1.example.org", "user": "reader", "password": "secret"}',
    )
    assert shown in text
    exec(compile(text.replace(shown, ""), str(program.page), "exec"), {"access": access})  # noqa: S102
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0::4] for line in lines] == [["1", "None"]] * 2
    assert rows_of(Location.parse(str(tmp_path / "lake")), "shop", "orders")


def check_rounds(server: ServerState, access: dict[str, Any], lake: Location) -> None:
    if not lake.is_local:
        from pyarrow import fs

        uri = f"s3://key:hidden@x/{lake.query}&allow_bucket_creation=true"
        fs.FileSystem.from_uri(uri)[0].create_dir("lake")
    done: list[Round] = []

    def after_round(found: Round) -> None:
        done.append(found)
        if len(done) <= len(STEPS):
            do(server, *STEPS[len(done) - 1])

    databases = ["shop", "other.db"]
    for rounds in (2, 2):  # it goes on
        replicate(
            databases,
            str(lake),
            history=True,
            rounds=rounds,
            pause=0,
            after_round=after_round,
            **access,
        )
    assert [found.error for found in done] == [None] * 4
    assert [found.num_copied for found in done] == [2, 0, 1, 0]
    assert [found.num_tables for found in done] == [2, 2, 2, 2]
    assert all(found.lag_bytes == 0 for found in done)
    assert rows_of(lake, "shop", "orders") == [{"id": 1, "note": "c"}]
    assert rows_of(lake, "shop", "new") == [{"id": 5}]
    assert rows_of(lake, "other@2Edb", "100@25") is None
    history = rows_of(lake, "other@2Edb.history", "100@25")
    kinds = [row["_change_type"] for row in history]
    assert sorted(kinds) == ["copy", "drop", "insert", "read"]


def test_tables_of_a_pattern_are_followed_and_others_stay(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    replicate(["shop"], tmp_path, rounds=1, **access)
    do(server, "CREATE TABLE shop.more (id INT PRIMARY KEY)")
    replicate(["shop"], tmp_path, rounds=1, tables="shop.m*", **access)
    assert {path.name for path in (tmp_path / "shop").iterdir()} == {
        "orders",
        "more",
        "_mysql_binlog",
    }


def test_a_connection_is_kept_and_replaced_when_it_is_lost(
    server: ServerState, access: dict[str, Any]
) -> None:
    tables = TableServer(LiveServer.from_options(BinlogOptions.from_python(access)))

    def number() -> int:
        with tables.connect() as connection:
            return int(connection.rows("SELECT CONNECTION_ID()")[0][0])

    first = number()
    assert number() == first
    do(server, f"KILL {first}")
    assert tables.names(["shop"]) == [TableName("shop", "orders")]
    assert number() != first
    with pytest.raises(ServerError), tables.connect() as connection:
        connection.rows("SELECT nothing FROM nowhere")
    assert tables.names(["shop"])
    tables.close()


def test_columns_that_are_null_are_added_without_a_copy(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """Also with changes before and after; other statements have the table copied."""
    statements = (
        (0, "ALTER TABLE shop.orders ADD COLUMN at DATETIME(6) NULL FIRST"),
        (0, "ALTER TABLE shop.orders ADD seen JSON DEFAULT NULL, ADD g INT"),
        (0, "CREATE INDEX seen_by ON shop.orders (note)"),
        (1, "ALTER TABLE shop.orders ADD COLUMN n INT DEFAULT 5"),
        (1, "ALTER TABLE shop.orders ADD COLUMN m INT, DROP COLUMN g"),
        (1, "ALTER TABLE shop.orders RENAME COLUMN m TO k"),
    )
    number = 10
    for history in (False, True):
        lake = Location.parse(tmp_path / f"lake{history}")
        done: list[Round] = []
        given = {"history": history, "rounds": 1, "after_round": done.append, **access}
        replicate(["shop"], str(lake), **given)
        for num_copied, statement in statements:
            number += 1
            before = DeltaTable(tmp_path / f"lake{history}" / "shop" / "orders").version()
            do(
                server,
                f"INSERT INTO shop.orders (id, note) VALUES ({number}, 'old')",  # noqa: S608
                statement,
                "UPDATE shop.orders SET note = CONCAT(note, 'x') WHERE id > 1",
            )
            replicate(["shop"], str(lake), **given)
            assert done[-1].num_copied == num_copied, statement
            copy = DeltaTable(tmp_path / f"lake{history}" / "shop" / "orders")
            commits = [commit["operation"] for commit in copy.history(copy.version() - before)]
            assert len(commits) == 2 - num_copied - ("INDEX" in statement)
            with closing(connect(server)) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT * FROM shop.orders ORDER BY id")
                names = [column[0] for column in cursor.description]
                wanted = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
            assert rows_of(lake, "shop", "orders") == wanted
        if history:
            do(server, "ALTER TABLE shop.orders ADD COLUMN later INT")  # and no change
            replicate(["shop"], str(lake), **given)
            rows = rows_of(lake, "shop.history", "orders")
            assert "later" in rows[0]
            kinds = [row["_change_type"] for row in rows]
            assert (kinds.count("alter"), kinds.count("copy")) == (len(statements) + 1, 4)
        do(server, "DELETE FROM shop.orders WHERE id > 2", "ALTER TABLE shop.orders DROP COLUMN n")
        do(server, "ALTER TABLE shop.orders DROP at, DROP seen, DROP k, DROP INDEX seen_by")


def test_tables_whose_names_differ_in_case(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """All of both, or one of them without the other."""
    statements = [
        "DELETE FROM shop.K WHERE id = 1",
        "DROP TABLE shop.K",
        "INSERT INTO shop.k VALUES (3)",
    ]
    do(server, *(f"CREATE TABLE shop.{name} (id INT PRIMARY KEY)" for name in "Kk"))
    do(server, *(f"INSERT INTO shop.{name} VALUES (1), (2)" for name in "Kk"))  # noqa: S608
    lakes = {"all": None, "one": "shop.k"}
    for _ in range(len(statements) + 1):
        for lake, tables in lakes.items():
            replicate(["shop"], tmp_path / lake, rounds=1, tables=tables, **access)
        assert {path.name for path in (tmp_path / "one/shop").iterdir()} == {"k", "_mysql_binlog"}
        do(server, *statements[:1])
        statements = statements[1:]
    for lake in lakes:
        found = rows_of(Location.parse(tmp_path / lake), "shop", "k")
        assert found == [{"id": 1}, {"id": 2}, {"id": 3}]


def test_lost_logs_say_how_to_go_on(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    replicate(["shop"], tmp_path, rounds=1, **access)
    do(server, "INSERT INTO shop.orders VALUES (9, 'x')", "RESET BINARY LOGS AND GTIDS")
    with pytest.raises(DataLossError, match="copy all tables again with --reload"):
        replicate(["shop"], tmp_path, rounds=1, **access)
    replicate(["shop"], tmp_path, rounds=1, reload=True, **access)
    assert len(DeltaTable(tmp_path / "shop" / "orders").to_pyarrow_table()) == 3


@pytest.mark.parametrize("change", ["DROP TABLE shop.orders", "ALTER TABLE shop.orders ADD a INT"])
def test_another_server_removes_no_copy(
    change: str, server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """As with the wrong host: it lacks the table, or has another one, and its log is another."""
    replicate(["shop"], tmp_path, rounds=1, **access)
    do(server, "DELETE FROM shop.orders", change, "RESET BINARY LOGS AND GTIDS")
    with pytest.raises(DataLossError):
        replicate(["shop"], tmp_path, rounds=1, **access)
    assert len(rows_of(Location.parse(tmp_path), "shop", "orders")) == 2
    assert read_state(Location.parse(tmp_path)).followed
    replicate(["shop"], tmp_path, rounds=1, reload=True, **access)
    assert not rows_of(Location.parse(tmp_path), "shop", "orders")


def test_errors_are_one_line(
    access: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MYSQL_PWD", "wrong")
    place = ["--host", str(access["host"]), "--port", str(access["port"])]
    (tmp_path / "_replicate").mkdir()
    (tmp_path / "_replicate" / "file").touch()
    for user, password, database, wanted in (
        (str(access["user"]), "wrong", "shop", "Access denied"),
        (str(access["user"]), str(access["password"]), "nothing", "GRANT SELECT on it"),
        (str(access["user"]), str(access["password"]), "shop", "choose another folder for the"),
    ):
        monkeypatch.setenv("MYSQL_PWD", password)
        code = main(["replicate", *place, "--user", user, "--to", str(tmp_path), database])
        printed = capsys.readouterr().err
        assert code in (1, 2)
        assert printed.startswith("error: ")
        assert printed.count("\n") == 1
        assert wanted in printed
        assert "wrong" not in printed
    code = main(["replicate", "--host", "a,b", "--user", "u", "--to", str(tmp_path), "shop"])
    assert code == 2
    assert "error: --host: expected one server" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "deltalake", None)
    code = main(["replicate", *place, "--user", "u", "--to", str(tmp_path / "new"), "shop"])
    assert code == 1
    assert "pip install 'mysql-binlog-spark[replicate]'" in capsys.readouterr().err


def test_the_command_ends_after_a_round_and_says_how_the_lake_is(
    access: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake, metrics = tmp_path / "lake", tmp_path / "replicate.prom"
    command = [sys.executable, "-m", "pyspark_adapter", "replicate", "--to", str(lake), "shop"]
    command += ["--host", str(access["host"]), "--port", str(access["port"])]
    command += ["--user", str(access["user"]), "--metrics", str(metrics), "--pause", "60"]
    secret = {"MYSQL_PWD": str(access["password"])}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ | secret
    ) as running:
        timer = threading.Timer(120, running.kill)
        timer.start()
        assert running.stderr is not None
        first = running.stderr.readline()
        while "tables, " not in first:  # a note of the compiler
            first = running.stderr.readline()
        assert " 1 tables, 1 copied, " in first
        with pytest.raises(BinlogError, match=r"another replicate writes this lake \(process"):
            replicate(["shop"], lake, rounds=1, **access)
        running.send_signal(signal.SIGTERM)
        assert running.stderr.read() == "ends after this round\n"
        timer.cancel()
    assert running.returncode == 0
    assert "mysql_binlog_reader_replicate_tables 1\n" in metrics.read_text()
    assert main(["replicate", "--status", "--to", str(lake)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{lake}: 1 tables, 1 of them follow the log"
    assert lines[-1] == "shop.orders: follows the log"


def test_a_server_that_does_not_log_rows_is_refused(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    do(server, "SET GLOBAL binlog_row_image = 'MINIMAL'")
    try:
        with pytest.raises(ServerError, match="binlog_row_image: expected 'FULL', the server has"):
            replicate(["shop"], tmp_path, rounds=1, **access)
    finally:
        do(server, "SET GLOBAL binlog_row_image = 'FULL'")


def test_a_table_that_the_user_may_no_longer_read_keeps_its_copy(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    do(
        server,
        "CREATE USER reader@'%' IDENTIFIED BY 'r'",
        "GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO reader@'%'",
        "GRANT SELECT ON shop.orders TO reader@'%'",
        "CREATE TABLE shop.others (id INT PRIMARY KEY)",
        "GRANT SELECT ON shop.others TO reader@'%'",
    )
    lake = Location.parse(str(tmp_path / "lake"))
    given = access | {"user": "reader", "password": "r"}
    try:
        replicate(["shop"], lake.path, rounds=1, **given)
        do(server, "REVOKE SELECT ON shop.orders FROM reader@'%'")
        failed: list[Round] = []
        stop = threading.Event()

        def after_round(done: Round) -> None:
            failed.append(done)
            stop.set()

        replicate(["shop"], lake.path, after_round=after_round, stop=stop, **given)
        assert "denied" in str(failed[0].error)
        assert [row["id"] for row in rows_of(lake, "shop", "orders") or ()] == [1, 2]
    finally:
        do(server, "DROP USER reader@'%'")


def test_a_user_who_may_not_read_the_log_is_told_at_once(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    do(server, "CREATE USER reader@'%' IDENTIFIED BY 'r'", "GRANT SELECT ON *.* TO reader@'%'")
    try:
        with pytest.raises(ServerError, match=r"denied.*REPLICATION (CLIENT|SLAVE)"):
            replicate(["shop"], tmp_path, **access | {"user": "reader", "password": "r"})
    finally:
        do(server, "DROP USER reader@'%'")


def test_wrong_arguments(
    access: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OptionError, match="option rounds: expected 1 or more, got 0"):
        replicate(["shop"], tmp_path / "lake", rounds=0, **access)
    with pytest.raises(OptionError, match="option pause: expected 0 seconds or more, got -1"):
        replicate(["shop"], tmp_path / "lake", pause=-1, **access)
    assert main(["replicate", "--to", str(tmp_path / "lake"), "shop"]) == 2
    assert capsys.readouterr().err == "error: --host: expected the name of a server\n"
    assert not (tmp_path / "lake").exists()
    done: list[Round] = []
    lake = tmp_path / "lake"
    replicate(["shop"], lake, tables="shop.ordrs", rounds=1, after_round=done.append, **access)
    assert str(done[0]).endswith(
        "no table follows the log yet: no name fits, or it was altered meanwhile"
    )


def test_names_that_differ_in_case_only(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """Each table has its own folder, columns and rows, also after DDL of the other."""
    steps = (
        (
            "CREATE DATABASE Shop",
            "CREATE TABLE shop.T1 (id INT PRIMARY KEY, owed INT, paid INT)",
            "CREATE TABLE shop.t1 (note VARCHAR(9), id INT PRIMARY KEY)",
            "CREATE TABLE Shop.t1 (id INT PRIMARY KEY, a DOUBLE)",
            "INSERT INTO shop.T1 VALUES (1, 10, 11), (2, 20, 21)",
            "INSERT INTO shop.t1 VALUES ('low', 1)",
            "INSERT INTO Shop.t1 VALUES (1, 1.5)",
        ),
        (
            "ALTER TABLE shop.T1 MODIFY owed INT AFTER paid",
            "INSERT INTO shop.t1 VALUES ('x', 3)",
            "TRUNCATE TABLE shop.T1",
            "INSERT INTO shop.T1 VALUES (7, 71, 70)",
        ),
        ("DROP TABLE Shop.t1", "DELETE FROM shop.t1 WHERE id = 1"),
    )
    folders = {"shop.T1": "shop/T1~1", "shop.t1": "shop/t1", "Shop.t1": "Shop~1/t1"}
    for step, statements in enumerate(steps):
        do(server, *statements)
        replicate(["shop", "Shop"], tmp_path / "lake", rounds=1, **access)
        for name, folder in folders.items():
            place = tmp_path / "lake" / folder
            if step == 2 and name == "Shop.t1":
                assert not place.exists()
                continue
            with closing(connect(server)) as connection, connection.cursor() as cursor:
                cursor.execute(f"TABLE {name} ORDER BY id")
                wanted = [tuple(map(str, row)) for row in cursor.fetchall()]
                names = [column[0] for column in cursor.description]
            found = DeltaTable(str(place)).to_pyarrow_table().sort_by("id")
            assert sorted(found.schema.names) == sorted(names)
            rows = found.select(names).to_pylist()
            assert [tuple(map(str, row.values())) for row in rows] == wanted
    do(server, "DROP DATABASE Shop")


def test_iceberg_tables_are_those_of_the_server(
    server: ServerState,
    access: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also after columns come, go and change; and the guide's program reads them."""
    monkeypatch.chdir(tmp_path)
    steps = (
        ("UPDATE shop.orders SET note = 'c' WHERE id = 1", "DELETE FROM shop.orders WHERE id = 2"),
        (
            "ALTER TABLE shop.orders ADD COLUMN total BIGINT UNSIGNED DEFAULT 18446744073709551615",
            "INSERT INTO shop.orders VALUES (5, 'd', 7)",
        ),
        (
            "UPDATE shop.orders SET total = 8 WHERE id = 1",
            "INSERT INTO shop.orders VALUES (6, 'e', 9)",
        ),
        (
            "ALTER TABLE shop.orders DROP COLUMN note, MODIFY id BIGINT",
            "DROP TABLE `other.db`.`100%`",
        ),
    )
    for statements in ((), *steps):
        do(server, *statements)
        replicate(["shop", "other.db"], "lake", format="iceberg", rounds=1, **access)
        tables = IcebergTables(Location.parse("lake"))
        table = tables.open(Location.parse("lake").child("shop").child("orders"))
        assert table is not None
        found = table.scan().to_arrow().to_pylist()
        tables.close()
        with closing(connect(server)) as connection, connection.cursor() as cursor:
            cursor.execute("TABLE shop.orders")
            names = [column[0] for column in cursor.description]
            wanted = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        assert sorted(map(repr, sorted_cells(found))) == sorted(map(repr, sorted_cells(wanted)))
    assert not list(tmp_path.glob("lake/other*/100*"))
    [program] = find_programs("python", "iceberg")
    exec(compile(program.text, str(program.page), "exec"), {})  # noqa: S102
    num_rows, applied = capsys.readouterr().out.split()
    assert num_rows == str(len(wanted))
    assert int(applied) > 0
    with pytest.raises(OptionError, match="option history: expected the format delta"):
        replicate(["shop"], "lake", format="iceberg", history=True, **access)
    with pytest.raises(OptionError, match="option format: expected delta or iceberg"):
        replicate(["shop"], "lake", format="hudi", **access)


def sorted_cells(rows: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Return the cells of rows by name; a decimal and an integer are the same."""
    return [sorted((name, str(value)) for name, value in row.items()) for row in rows]
