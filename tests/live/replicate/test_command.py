"""The command `replicate` on a real server: what it prints and refuses."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import replicate
from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import BinlogError, BinlogWarning, OptionError, ServerError
from pyspark_adapter.replication.run import Round
from pyspark_adapter.sources.locations import Location
from tests.docs.pages import find_programs
from tests.inputs import ROOT
from tests.live.replicate.lakes import do, rows_of
from tests.live.servers import ServerState

pytestmark = pytest.mark.live


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
        (str(access["user"]), str(access["password"]), "shop", "or a lake of this package, found"),
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
    assert code == 1
    assert "error: no server has the log from there on: mysql://u@a:3306" in capsys.readouterr().err
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
        "CREATE TABLE shop.parts (id INT PRIMARY KEY, v INT)",
        "GRANT SELECT ON shop.others TO reader@'%'",
    )
    lake = Location.parse(str(tmp_path / "lake"))
    given = access | {"user": "reader", "password": "r"}
    try:
        replicate(["shop"], lake.path, rounds=1, **given)
        do(
            server,
            "REVOKE SELECT ON shop.orders FROM reader@'%'",
            "GRANT SELECT (id) ON shop.parts TO reader@'%'",
            "INSERT INTO shop.orders VALUES (3, 'c')",
            "INSERT INTO shop.others VALUES (5)",
        )
        done: list[Round] = []
        for _ in range(2):
            with pytest.warns(BinlogWarning, match="is not copied") as warned:
                replicate(["shop"], lake.path, after_round=done.append, rounds=1, **given)
            assert len(warned) == 2
        for found in done:
            assert (found.error, found.num_tables) == (None, 1)
            assert {*found.refused} == {"shop.orders", "shop.parts"}
            assert all(re.search("denied.*since 20", why) for why in found.refused.values())
        assert [row["id"] for row in rows_of(lake, "shop", "orders") or ()] == [1, 2, 3]
        assert rows_of(lake, "shop", "others") == [{"id": 5}]
        do(
            server,
            "GRANT SELECT ON shop.orders TO reader@'%'",
            "DELETE FROM shop.orders WHERE id = 1",
        )
        replicate(["shop"], lake.path, rounds=1, **given)
        assert [row["id"] for row in rows_of(lake, "shop", "orders") or ()] == [2, 3]
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
