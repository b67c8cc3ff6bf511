"""Tables that `replicate` copies and follows, and names them by."""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable

from pyspark_adapter import replicate
from pyspark_adapter.errors import BinlogWarning, DataLossError, ServerError
from pyspark_adapter.operations.server_tables import TableServer
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication import delta_tables
from pyspark_adapter.replication.delta_tables import tables_of
from pyspark_adapter.replication.lake import StateFile, read_state
from pyspark_adapter.replication.run import Round, lake_status
from pyspark_adapter.server.binlog_dump import LogDump
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import Location
from samples.truth import fetch_rows
from tests.live.replicate.lakes import check_rows, copied_rows, do, rows_of
from tests.live.servers import ServerState, connect
from tests.unit.replication.user_catalog import name_catalog
from tests.unit.s3_server import s3_process

pytestmark = pytest.mark.live

OTHER = "11111111-2222-3333-4444-555555555555"

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


@pytest.mark.parametrize(
    ("storage", "table_format", "catalog"),
    [
        ("local", "delta", None),
        ("s3", "delta", None),
        ("local", "iceberg", None),
        ("s3", "iceberg", "lakehouse"),
    ],
)
def test_databases_are_copied_and_followed(
    storage: str,
    table_format: str,
    catalog: str | None,
    server: ServerState,
    access: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name_catalog(monkeypatch, "lakehouse", tmp_path)
    given = access | {"format": table_format, "catalog": catalog, "prune": True}
    if storage == "s3":
        with s3_process() as s3:
            check_rounds(server, given, Location.parse(s3.uri("key:hidden@lake/folder")))
    else:
        check_rounds(server, given, Location.parse(tmp_path / "lake"))


def check_rounds(server: ServerState, given: dict[str, Any], lake: Location) -> None:
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
    for rounds in (2, 2):  # it continues
        replicate(
            databases,
            str(lake),
            history=True,
            rounds=rounds,
            pause=0,
            after_round=after_round,
            **given,
        )

    def rows(*names: str) -> Any:
        return rows_of(lake, *names, table_format=given["format"], catalog=given["catalog"] or "")

    assert [found.error for found in done] == [None] * 4
    assert [found.num_copied for found in done] == [2, 0, 1, 0]
    assert [found.num_tables for found in done] == [2, 2, 2, 2]
    assert all(found.lag_bytes == 0 for found in done)
    assert rows("shop", "orders") == [{"id": 1, "note": "c"}]
    assert rows("shop", "new") == [{"id": 5}]
    assert rows("other@2Edb", "100@25") is None
    history = rows("other@2Edb.history", "100@25")
    assert sorted([row["_change_type"] for row in history]) == ["copy", "drop", "insert", "read"]
    [first, *_] = lake_status(str(lake))
    assert first.endswith(", in the catalog lakehouse") == (given["catalog"] is not None)


def test_tables_of_a_pattern_are_followed_and_others_stay(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    replicate(["shop"], tmp_path, rounds=1, **access)
    do(server, "CREATE TABLE shop.more (id INT PRIMARY KEY)")
    replicate(["shop"], tmp_path, rounds=1, tables="shop.m*", **access)
    assert {path.name for path in (tmp_path / "shop").iterdir()} == {"orders", "more"}


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
    replicate(["shop"], tmp_path, rounds=1, reload=True, prune=True, **access)
    assert not rows_of(Location.parse(tmp_path), "shop", "orders")


def change_server(lake: Location, **changes: Any) -> None:
    """Have a lake be that of another server."""
    with closing(StateFile(lake)) as table:
        assert table.state.offset is not None
        offset = replace(table.state.offset, server=OTHER, log_id="1-00000000", **changes)
        table.save(replace(table.state, offset=offset))


def test_another_server_with_the_same_gtids_removes_no_copy(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """As with a replica that leaves the table out: its log continues from these GTIDs."""
    replicate(["shop"], tmp_path, rounds=1, **access)
    change_server(Location.parse(tmp_path))
    do(server, "DROP TABLE shop.orders")
    with pytest.warns(BinlogWarning, match=f"in place of {OTHER}"):
        replicate(["shop"], tmp_path, rounds=1, **access)
    assert len(rows_of(Location.parse(tmp_path), "shop", "orders")) == 2
    assert read_state(Location.parse(tmp_path)).dropped
    for gtids, reason in (("", "another one answers"), (f"{OTHER}:1-5", f"lacks {OTHER}:1-5: ")):
        change_server(Location.parse(tmp_path), gtids=gtids)
        with pytest.raises(DataLossError, match=reason):
            replicate(["shop"], tmp_path, rounds=1, **access)


@pytest.mark.parametrize("is_other", [True, False])
def test_a_reload_that_is_stopped_keeps_the_server(
    is_other: bool, server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """The next run may have the name of another server."""
    lake = Location.parse(tmp_path)
    replicate(["shop"], tmp_path, rounds=1, **access)
    stop = threading.Event()
    stop.set()
    replicate(["shop"], tmp_path, reload=True, stop=stop, **access)
    assert not read_state(lake).followed
    if is_other:
        change_server(lake)
        do(server, "DROP TABLE shop.orders")
        with pytest.warns(BinlogWarning, match=f"in place of {OTHER}"):
            replicate(["shop"], tmp_path, rounds=1, **access)
        assert len(rows_of(lake, "shop", "orders")) == 2
        replicate(["shop"], tmp_path, rounds=1, reload=True, prune=True, **access)
        assert rows_of(lake, "shop", "orders") is None
    replicate(["shop"], tmp_path, rounds=1, **access)
    assert read_state(lake).tables == read_state(lake).followed


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
        assert {path.name for path in (tmp_path / "one/shop").iterdir()} == {"k"}
        do(server, *statements[:1])
        statements = statements[1:]
    for lake in lakes:
        found = rows_of(Location.parse(tmp_path / lake), "shop", "k")
        assert found == [{"id": 1}, {"id": 2}, {"id": 3}]


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
        replicate(["shop", "Shop"], tmp_path / "lake", rounds=1, prune=True, **access)
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


@pytest.mark.parametrize(("table_format", "small"), [("delta", 1), ("delta", 0), ("iceberg", 0)])
def test_a_key_that_is_minus_zero(
    table_format: str,
    small: int,
    server: ServerState,
    access: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is the same key as 0, and another value."""
    monkeypatch.setattr(delta_tables, "_SMALL_ROWS", small * 100)
    do(server, "CREATE TABLE shop.f (f FLOAT PRIMARY KEY, v INT)")
    do(server, "INSERT INTO shop.f VALUES (0, 1), (0.1, 2)")
    failed: list[str | None] = []

    def rounds(*statements: str) -> None:
        do(server, *statements)
        replicate(
            ["shop"],
            tmp_path,
            format=table_format,
            tables="shop.f",
            rounds=1,
            after_round=lambda done: failed.append(done.error),
            **access,
        )

    rounds()
    rounds("UPDATE shop.f SET f = -0.0e0 WHERE v = 1")
    rounds("DELETE FROM shop.f WHERE f = 0", "INSERT INTO shop.f VALUES (0, 3)")
    rounds("UPDATE shop.f SET f = -0.0e0, v = 4 WHERE f = 0")
    assert failed == [None] * 4
    lake = Location.parse(tmp_path)
    with closing(tables_of(lake, table_format)) as tables:
        rows = copied_rows(tables.open(lake.child("shop").child("f"))).sort_by("v")
    assert [str(value) for value in rows["f"].to_pylist()] == ["0.10000000149011612", "-0.0"]
    assert rows["v"].to_pylist() == [2, 4]


def test_a_round_is_sent_the_log_once_and_from_where_it_begins(
    server: ServerState, access: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    readinto = LogDump.readinto

    def counted(dump: LogDump, buffer: memoryview) -> int:
        sent.append(readinto(dump, buffer))
        return sent[-1]

    monkeypatch.setattr(LogDump, "readinto", counted)
    note = "x" * 1000
    do(server, "CREATE TABLE shop.long (id INT PRIMARY KEY, note VARCHAR(1000))")
    insert = f"INSERT INTO shop.long VALUES ({{}}, '{note}')"  # noqa: S608
    do(server, *(insert.format(number) for number in range(300)))
    replicate(["shop"], tmp_path, rounds=1, **access)
    do(server, *(insert.format(number) for number in range(300, 400)))
    sent.clear()
    replicate(["shop"], tmp_path, rounds=1, **access)
    assert len(DeltaTable(tmp_path / "shop" / "long").to_pyarrow_table()) == 400
    assert 100_000 < sum(sent) < 160_000


def test_rounds_without_changes_ask_no_question_for_each_table(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    do(server, *(f"CREATE TABLE shop.idle{n} (id INT PRIMARY KEY)" for n in range(20)))
    replicate(["shop"], tmp_path, rounds=1, **access)

    def asked() -> int:
        with closing(connect(server)) as connection:
            shown = fetch_rows(connection, "SHOW GLOBAL STATUS LIKE 'Com_show_create_table'")
        return int(shown[0][1])

    before = asked()
    replicate(["shop"], tmp_path, rounds=8, pause=0.1, **access)
    assert asked() - before == 21
    # What is not logged is seen at once if it is a table, and after some seconds if it is not.
    do(server, "SET sql_log_bin = 0", "CREATE TABLE shop.idle20 (id INT PRIMARY KEY)")
    replicate(["shop"], tmp_path, rounds=1, **access)
    assert (tmp_path / "shop" / "idle20").exists()


def test_keys_that_are_one_text_when_decoded(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    do(
        server,
        "SET sql_mode = ''",
        "CREATE TABLE shop.k (k CHAR(2) CHARACTER SET cp932 COLLATE cp932_bin PRIMARY KEY, id INT)",
        "CREATE TABLE shop.e (k ENUM('', 'a') PRIMARY KEY, id INT)",
        "INSERT INTO shop.k VALUES (X'81CA', 1), (X'EEF9', 2), (X'FA54', 3)",
        "INSERT INTO shop.e VALUES ('', 1), ('none', 2), ('a', 3)",
    )
    replicate(["shop"], str(tmp_path), rounds=1, **access)
    for statement in ("UPDATE {} SET id = 9 WHERE id = 2", "DELETE FROM {} WHERE id = 1"):
        do(server, *(statement.format(f"shop.{name}") for name in "ke"))
        replicate(["shop"], str(tmp_path), rounds=1, **access)
        check_rows(server, tmp_path, ["shop.k", "shop.e"], "delta")
