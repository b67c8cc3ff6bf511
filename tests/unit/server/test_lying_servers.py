"""A server may answer anything: what comes of it is a value, or an error of ours on one line."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from pyspark_adapter import BinlogError, DataLossError, ServerError
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.connection import ServerConnection, version_of
from pyspark_adapter.server.server import LiveServer
from tests.support.fake_server import (
    COM_QUERY,
    OK,
    binary_rows_of,
    error_packet,
    fake_server,
    packets,
    rows_of,
)
from tests.unit.growth import growth
from tests.unit.server.test_live import read

# What may stand in a message, and must not reach a terminal or begin a line of a log.
NASTY = "no\r\n2026-01-01 FATAL \x1b[2J\x9b31m\u202e\u2028\x00" + "x" * 5000

# They wait for servers that say nothing.
pytestmark = pytest.mark.slow

ASK: dict[str, Callable[[LiveServer], object]] = {
    "log_files": LiveServer.log_files,
    "position": LiveServer.position,
    "position_after": lambda server: server.position_after("0-1-42"),
}
MARIADB, MYSQL = "11.8.2-MariaDB", "9.7.0"
HONEST: dict[str, dict[str, Any]] = {
    "log_files": {"SHOW BINARY LOGS": [("b.000001", "100", "No"), ("b.000002", "900", "Yes")]},
    "position": {
        "SHOW BINARY LOG STATUS": [("b.000002", "388", "", "", "")],
        "SELECT @@GLOBAL.server_uuid": [("3e11fa47-71ca-11e1-9e33-c80aa9429562", "OFF")],
    },
    "position_after": {
        "SELECT @@GLOBAL.gtid_mode": [("ON", "")],
        "SHOW BINARY LOGS": [("b.000001", "100"), ("b.000002", "900")],
        "SHOW BINLOG EVENTS": [("b", "4", "Previous_gtids", "1", "9", "u:1")],
        "SELECT GTID_SUBSET": [("1",)],
    },
    "position_after of MariaDB": {
        "SHOW BINARY LOGS": [("b.000001", "100"), ("b.000002", "900")],
        "SHOW BINLOG EVENTS": [("b", "4", "Gtid_list", "1", "9", "[0-1-41]")],
    },
}


def asked(case: str, answers: dict[str, bytes]) -> object:
    """Ask a server that answers so."""
    version = MARIADB if case.endswith("MariaDB") else MYSQL
    with fake_server(
        lambda *_: b"", answers=answers, version=version, reconnect_seconds=0
    ) as running:
        return ASK[case.split()[0]](running.server)


def wire_of(case: str, **changed: Any) -> dict[str, bytes]:
    return {sql: rows_of(*rows) for sql, rows in (HONEST[case] | changed).items()}


@pytest.mark.parametrize("case", HONEST)
def test_honest_answers_are_taken(case: str) -> None:
    found = asked(case, wire_of(case))
    if case == "log_files":
        assert isinstance(found, list)
        assert [(log.name, log.number, log.num_bytes) for log in found] == [
            ("b.000001", 1, 100),
            ("b.000002", 2, 900 - 512),
        ]
    else:
        assert found == LogPosition("b.000002", 388 if case == "position" else 4)


LISTS: dict[str, list[tuple[str | None, ...]]] = {
    "one-column": [("b.000001",)],
    "one-row-is-short": [("b.000001", "1"), ("b.000002",)],
    "no-name": [(None, "1")],
    "no-size": [("b.000001", None)],
    "empty-size": [("b.000001", "")],
    "a-word": [("b.000001", "many")],
    "negative": [("b.000001", "-1")],
    "exponent": [("b.000001", "1e3")],
    "underscore": [("b.000001", "1_000")],
    "other-digits": [("b.000001", "\u0661\u0662")],
    "line-after": [("b.000001", "12\n")],
    "2^63": [("b.000001", str(1 << 63))],
    "5000-digits": [("b.000001", "9" * 5000)],
    "encrypted-and-small": [("b.000001", "511", "Yes")],
    "empty-name": [("", "1")],
    "slash": [("../../etc/passwd", "1")],
    "backslash": [("..\\b", "1")],
    "dots": [("..", "1")],
    "dot": [(".", "1")],
    "control": [("b\n.000001", "1")],
    "zero-byte": [("b\0.000001", "1")],
    "right-to-left": [("b\u202e.000001", "1")],
    "long-name": [("b" * 600, "1")],
    "twice": [("b.000001", "1"), ("b.000001", "2")],
    "nasty": [(NASTY, NASTY)],
}


@pytest.mark.parametrize("rows", LISTS.values(), ids=LISTS)
def test_a_list_of_logs_that_no_server_has_is_an_error(rows: Any) -> None:
    with pytest.raises(ServerError, match="expected") as caught:
        asked("log_files", wire_of("log_files", **{"SHOW BINARY LOGS": rows}))
    expect_one_line(caught.value)


@pytest.mark.parametrize("name", sorted({*LISTS} - {"twice", "encrypted-and-small"}))
def test_a_position_that_no_server_has_is_an_error(name: str) -> None:
    with pytest.raises(ServerError, match="expected") as caught:
        asked("position", wire_of("position", **{"SHOW BINARY LOG STATUS": LISTS[name][-1:]}))
    expect_one_line(caught.value)


def test_a_long_name_of_a_log_takes_time_in_proportion() -> None:
    def run(size: int) -> None:
        logs = [("b" * size + "/", "1")]
        with pytest.raises(ServerError, match="expected the name of a log"):
            asked("log_files", wire_of("log_files", **{"SHOW BINARY LOGS": logs}))

    assert growth(run, 10_000) < 8


def expect_one_line(error: BinlogError) -> None:
    assert type(error) in (ServerError, DataLossError)
    assert str(error).isprintable()
    assert len(str(error)) < 1000
    assert str(error).startswith("mysql://u@127.0.0.1:")


@pytest.mark.parametrize(
    ("case", "statement", "rows"),
    [
        ("position", "SHOW BINARY LOG STATUS", []),
        ("position_after", "SELECT @@GLOBAL.gtid_mode", []),
        ("position_after", "SELECT @@GLOBAL.gtid_mode", [("ON",)]),
        ("position_after", "SELECT @@GLOBAL.gtid_mode", [("ON", ""), ("ON", "")]),
        ("position_after", "SELECT @@GLOBAL.gtid_mode", [("ON", NASTY)]),
        ("position_after", "SHOW BINLOG EVENTS", []),
        ("position_after", "SHOW BINLOG EVENTS", [("b", "4", "Previous_gtids")]),
        ("position_after", "SHOW BINLOG EVENTS", [("b", "4", "Previous_gtids", "", "", None)]),
        ("position_after", "SELECT GTID_SUBSET", []),
        ("position_after", "SELECT GTID_SUBSET", [(None,)]),
        ("position_after", "SELECT GTID_SUBSET", [("1",), ("1",)]),
        ("position_after of MariaDB", "SHOW BINLOG EVENTS", [("", "", "Gtid_list", "", "", NASTY)]),
        (
            "position_after of MariaDB",
            "SHOW BINLOG EVENTS",
            [("", "", "Gtid_list", "", "", f"[0-1-{'9' * 5000}]")],
        ),
    ],
)
def test_an_answer_of_another_shape_is_an_error(case: str, statement: str, rows: Any) -> None:
    with pytest.raises((ServerError, DataLossError)) as caught:
        asked(case, wire_of(case, **{statement: rows}))
    expect_one_line(caught.value)


@pytest.mark.parametrize("case", HONEST)
def test_no_rows_and_binary_values_are_errors(case: str) -> None:
    for sql, rows in HONEST[case].items():
        with pytest.raises((ServerError, DataLossError), match="binary values"):
            asked(case, wire_of(case) | {sql: binary_rows_of(*rows)})
        with pytest.raises(ServerError, match="answered OK without rows"):
            asked(case, wire_of(case) | {sql: packets([OK])})


@pytest.mark.parametrize("case", HONEST)
@pytest.mark.parametrize("seed", range(20))
def test_any_change_of_an_answer_is_a_value_or_an_error_of_ours(case: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    answers = wire_of(case)
    for sql, wire in answers.items():
        changed = bytearray(wire)
        for _ in range(rng.randint(0, 3)):
            place = rng.randrange(len(changed))
            if rng.random() < 0.3:
                del changed[place : place + rng.randint(1, 9)]
                changed = changed or bytearray(b"\0")
            else:
                changed[place] = rng.randrange(256)
        answers[sql] = bytes(changed)
    try:
        found = asked(case, answers)
    except BinlogError as error:
        raised = error
    else:
        assert isinstance(found, (list, LogPosition))
        return
    expect_one_line(raised)


# LOCAL INFILE is the server's request for a file of the client: page_protocol_com_query_response.
@pytest.mark.parametrize("case", HONEST)
def test_a_file_of_ours_is_not_sent(case: str) -> None:
    for statement in ["SELECT 1", *HONEST[case], "SET NAMES"]:
        answers = {statement: packets([b"\xfb/etc/passwd"])} | wire_of(case)
        version = MARIADB if case.endswith("MariaDB") else MYSQL
        with fake_server(
            lambda *_: b"",
            answers=answers | {statement: packets([b"\xfb/etc/passwd"])},
            version=version,
            reconnect_seconds=0,
        ) as running:
            if statement == "SET NAMES":  # whose answer is not looked at
                ASK[case.split()[0]](running.server)
            else:
                with pytest.raises(ServerError, match="LOAD_LOCAL") as caught:
                    ASK[case.split()[0]](running.server)
                expect_one_line(caught.value)
        assert all(command[0] == COM_QUERY for command in running.heard)  # and no file


@pytest.mark.parametrize("code", [1045, 1227, 1053, 65535])
def test_a_message_of_a_server_is_one_line(code: int) -> None:
    refused = packets([error_packet(code, NASTY)])
    greeted = packets([error_packet(code, NASTY)], 0)
    with fake_server(
        lambda *_: refused, answers={"SHOW BINARY LOGS": refused}, reconnect_seconds=0
    ) as running:
        with pytest.raises(ServerError, match=r"no\\r\\n2026-01-01 FATAL \\x1b\[2J") as caught:
            running.server.log_files()
        expect_one_line(caught.value)
        with pytest.raises(ServerError, match=r"no\\r\\n2026-01-01 FATAL \\x1b\[2J") as caught:
            read(running)
        assert str(caught.value).isprintable()
    with (
        fake_server(lambda *_: b"", greeting=lambda: greeted) as running,
        pytest.raises(ServerError, match=r"no\\r\\n2026-01-01 FATAL") as caught,
    ):
        running.server.log_files()
    expect_one_line(caught.value)


@pytest.mark.parametrize(
    "version", ["", "9" * 5000, f"9.{'7' * 5000}", "\u0669.\u0667", "x.y", "9"]
)
def test_any_version_is_one_or_an_error(version: str) -> None:
    assert all(number < 10**9 for number in version_of(version))
    with fake_server(lambda *_: b"", version=version, reconnect_seconds=0) as running:
        try:
            ServerConnection(running.server).close()
        except ServerError as error:
            raised = str(error)
        else:
            raised = ""
    assert raised.isprintable()


def test_an_answer_that_is_no_answer_ends_a_session_and_not_the_next() -> None:
    answers = {"SHOW BINARY LOGS": packets([b"\x02"]) + b"\xff" * 100}
    with fake_server(lambda *_: b"", answers=answers, reconnect_seconds=0) as running:
        for _ in range(3):
            with pytest.raises(ServerError, match=r"that neither gives|be reached") as caught:
                running.server.log_files()
            assert "InterfaceError" not in str(caught.value)  # of a connection that was closed
