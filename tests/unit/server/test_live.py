"""Logs of a server that does as it should, or lies: what is given, and the errors."""

import gc
import pickle
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import repeat
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogError,
    CorruptEventError,
    LogFileError,
    OptionError,
    ServerError,
    TruncatedEventError,
    UnsupportedError,
    read_batches,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.server import server_log
from pyspark_adapter.server.connection import ServerConnection
from pyspark_adapter.server.pymysql_client import GuardedConnection
from pyspark_adapter.server.server import LiveServer, has_all_after
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log
from pyspark_adapter.splits.log_splits import Split, plan_splits
from pyspark_adapter.splits.read_split import plan_read
from tests.support.fake_server import (
    EOF,
    FORMAT,
    HEARTBEAT,
    OK,
    Dump,
    FakeServer,
    event,
    events_in,
    fake_server,
    packets,
    payloads_of,
    rotate,
)
from tests.support.logs import find_event, read_sample
from tests.support.outcome import ALL_METADATA

# They wait for servers that say nothing.
pytestmark = pytest.mark.slow

NAME = "binlog.000007"
LOG = read_sample("mysql-9.7-no-checksum")
EVENTS = list(events_in(LOG))
HONEST = payloads_of(LOG, NAME)
UPDATE = find_event(LOG, "UPDATE_ROWS_EVENT")

# No read of what is below takes longer than waiting for the server does.
SECONDS = 20


def honest(_number: int, start: int) -> bytes:
    return packets(payloads_of(LOG, NAME, start))


def read(running: FakeServer, num_bytes: int = len(LOG)) -> bytes:
    """Return all of the log, within a time."""
    log_file = LogFile("mysql://u@h/" + NAME, NAME, 7, num_bytes, server=running.server)
    begun = time.monotonic()
    try:
        with closing(open_log(log_file)) as file:
            return read_up_to(file, num_bytes)
    finally:
        assert time.monotonic() - begun < SECONDS


def test_an_honest_server_gives_the_log() -> None:
    with fake_server(honest) as running:
        assert read(running) == LOG
        assert running.starts == [4]


def test_rows_of_a_server_are_those_of_its_file() -> None:
    decoded: dict[str, Any] = {"metadata_columns": ALL_METADATA}
    of_file = read_batches("samples/layouts/mysql-9.7-no-checksum.000001", **decoded)
    expected = [row | {"_log_file": NAME} for batch in of_file for row in batch.to_pylist()]
    with fake_server(honest, [(NAME, len(LOG))]) as running:
        options: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": running.server.port,
            "user": "u",
            "password": "p",
        }
        batches = read_batches(connect_timeout=1, **decoded, **options)
        found = [row for batch in batches for row in batch.to_pylist()]
    for row in [*found, *expected]:
        del row["_commit_version"]  # which has the number of the log in it
    assert found == expected


def test_what_is_not_of_the_log_is_left_out() -> None:
    aside = [
        b"\0" + event(HEARTBEAT, NAME.encode(), end=len(LOG)),
        b"\0" + event(41, b"\x01\x03abc\x00"),
        b"\0" + rotate(NAME),
        b"\0" + rotate(NAME, flags=0),  # with a position of 0, it is made up all the same
        b"\0" + event(164, bytes(17), flags=0x80),
    ]
    payloads = HONEST[:2]
    for payload in HONEST[2:-1]:
        payloads += [*aside, payload]
    with fake_server(lambda *_: packets([*payloads, *aside, EOF])) as running:
        assert read(running) == LOG


def test_the_end_is_where_the_next_log_begins() -> None:
    after = [b"\0" + rotate("binlog.000008"), b"\0" + EVENTS[0]]

    def dump(_number: int, start: int) -> bytes:
        return packets([*payloads_of(LOG, NAME, start)[:-1], *after])

    with fake_server(dump) as running:
        assert read(running) == LOG
        assert read(running, len(LOG) - 10) == LOG[:-10]
        with pytest.raises(TruncatedEventError, match=r"binlog\.000008 follows") as caught:
            read(running, len(LOG) + 10)
        assert (caught.value.needed, caught.value.available) == (len(LOG) + 10, len(LOG))


def test_a_server_that_goes_on_to_the_next_log_too_early_is_asked_again() -> None:
    """As MySQL 5.6 does if its thread is killed."""

    def dump(number: int, start: int) -> bytes:
        payloads = payloads_of(LOG, NAME, start)
        return packets(payloads if number else [*payloads[:5], b"\0" + rotate("binlog.000008")])

    with fake_server(dump) as running:
        assert read(running) == LOG
        assert len(running.starts) == 2


# What a server may send for the dump, and the error.
LIES: dict[str, tuple[bytes, type[BinlogError], str]] = {
    "nothing": (b"", ServerError, "hung up"),
    "end-at-once": (
        packets([EOF]),
        CorruptEventError,
        "the end, expected a format description first",
    ),
    "end-before": (packets([*HONEST[:2], EOF]), ServerError, "has ended the log at"),
    "another-log": (
        packets([b"\0" + rotate("binlog.000001"), *HONEST[1:]]),
        CorruptEventError,
        "another log: 'binlog.000001'",
    ),
    "no-log-named": (packets(HONEST[1:]), CorruptEventError, "the name of the log first"),
    "no-format": (packets([HONEST[0], *HONEST[2:]]), CorruptEventError, "format description"),
    "two-formats": (
        packets([*HONEST[:2], b"\0" + event(FORMAT, EVENTS[0][19:]), *HONEST[2:]]),
        CorruptEventError,
        "of another position",
    ),
    "event-left-out": (
        packets([*HONEST[:3], *HONEST[4:]]),
        CorruptEventError,
        "of another position: expected its end at",
    ),
    "longer-than-its-packet": (
        packets([*HONEST[:2], HONEST[2][:10] + (999).to_bytes(4, "little") + HONEST[2][14:]]),
        CorruptEventError,
        "an event of 999 bytes in a packet of",
    ),
    "shorter-than-a-header": (
        packets([*HONEST[:2], b"\0" + bytes(18)]),
        CorruptEventError,
        "too short for an event",
    ),
    "length-zero": (
        packets([*HONEST[:2], b"\0" + bytes(19)]),
        CorruptEventError,
        "an event of 0 bytes",
    ),
    "empty-packet": (packets([*HONEST[:2], b""]), CorruptEventError, "a packet without bytes"),
    "unknown-status": (packets([*HONEST[:2], b"\x42abc"]), CorruptEventError, "begins with 0x42"),
    "number-skipped": (
        packets(HONEST[:2]) + packets(HONEST[2:], 9),
        CorruptEventError,
        "packet 9 of the protocol: expected 3",
    ),
    "number-zero": (packets(HONEST[:2]) + packets([OK], 0), ServerError, "the server has ended it"),
    "long-name": (
        packets([b"\0" + rotate("x" * 100_000)]),
        CorruptEventError,
        "that is no event of the log",
    ),
    "large-heartbeat": (
        packets([*HONEST[:2], b"\0" + event(HEARTBEAT, bytes(70_000))]),
        CorruptEventError,
        "that is no event of the log",
    ),
    "continued-too-short": (
        packets([*HONEST[:2], (b"\0" + event(30, bytes(20_000_000)))[: (1 << 24) - 1]])
        + packets([b"abc"], 4),
        CorruptEventError,
        "a packet of 0 bytes",
    ),
    "error": (
        packets([b"\xff" + (1236).to_bytes(2, "little") + b"#HY000no such place"]),
        LogFileError,
        "the server no longer has it: no such place",
    ),
    "error-within": (
        packets([*HONEST[:2], b"\xff" + (1227).to_bytes(2, "little") + b"#42000not you"]),
        ServerError,
        "not you",
    ),
    "error-without-text": (packets([b"\xff"]), ServerError, r"error 0"),
    "killed": (
        packets([*HONEST[:2], b"\xff" + (1317).to_bytes(2, "little") + b"#70100interrupted"]),
        ServerError,
        "interrupted",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_cannot_be_is_an_error(lie: str) -> None:
    wire, error, words = LIES[lie]
    with fake_server(lambda *_: wire) as running, pytest.raises(error, match=words) as caught:
        read(running, 1 << 25)
    assert NAME in str(caught.value)
    assert type(caught.value) is error  # and none of those that are for ourselves


# The numbers of packets begin again after 255.
def endless(payload: bytes) -> Dump:
    def dump(_number: int, _start: int) -> Iterator[bytes]:
        yield packets(HONEST[:2])
        yield from repeat(packets([payload] * 256, 3))

    return dump


@pytest.mark.parametrize(
    "payload",
    [b"\0" + event(HEARTBEAT, NAME.encode()), b"\0" + rotate(NAME)],
    ids=["heartbeats", "rotates"],
)
def test_a_server_that_sends_no_event_for_ever_is_given_up(payload: bytes) -> None:
    with fake_server(endless(payload)) as running, pytest.raises(ServerError, match="no event for"):
        read(running)


def trickle(data: bytes) -> Iterator[bytes]:
    yield data
    while True:
        time.sleep(0.05)
        yield b"\0"


@pytest.mark.parametrize("start", [b"", packets(HONEST[:2]), packets(HONEST[:1])[:-3]], ids=len)
def test_a_server_that_falls_silent_is_given_up(start: bytes) -> None:
    def dump(_number: int, _start: int) -> Iterator[bytes]:
        yield start
        time.sleep(3)

    with fake_server(dump) as running, pytest.raises(ServerError, match="connection is lost"):
        read(running)


@pytest.mark.parametrize("num_whole", [2, 5])
def test_a_server_that_sends_single_bytes_is_given_up(num_whole: int) -> None:
    """Each byte comes in time, and the packet is never whole."""
    begun = time.monotonic()
    large = packets([b"\0" + event(31, bytes(100_000))])

    def dump(number: int, start: int) -> Iterator[bytes]:
        whole = payloads_of(LOG, NAME, start)[: 2 if number else num_whole]
        yield packets(whole) + large[:3] + bytes([len(whole) + 1]) + large[4:40]
        for _ in range(1000):
            time.sleep(0.05)
            yield b"\0"

    with (
        fake_server(dump) as running,
        pytest.raises(ServerError, match="no whole packet") as caught,
    ):
        read(running, 1 << 25)
    assert "reconnect_seconds" in str(caught.value)
    assert time.monotonic() - begun < SECONDS


GREETINGS: dict[str, tuple[Callable[[], bytes | Iterator[bytes]], str]] = {
    "nothing": (lambda: b"", "cannot be reached"),
    "http": (lambda: b"HTTP/1.1 400 Bad Request\r\n\r\n" * 99, "neither gives|cannot be reached"),
    "zeros": (lambda: bytes(1000), "neither gives"),
    "no-version": (lambda: packets([b"\x0a" * 300], 0), "neither gives"),
    "too-long": (lambda: repeat(b"\xff\xff\xff\x00" + bytes(100_000)), "neither gives"),
    "trickle": (lambda: trickle(b"\xff\xff\x00\x00"), "no whole answer in time"),
    "refused": (
        lambda: packets([b"\xff" + (1130).to_bytes(2, "little") + b"not from there"], 0),
        "not from there",
    ),
    "old-protocol": (lambda: packets([b"\x093.23\x00" + bytes(40)], 0), "neither gives|reached"),
}


@pytest.mark.parametrize("greeting", GREETINGS)
def test_what_greets_as_no_server_is_an_error(greeting: str) -> None:
    said, words = GREETINGS[greeting]
    begun = time.monotonic()
    with (
        fake_server(honest, greeting=said) as running,
        pytest.raises(ServerError, match=words) as caught,
    ):
        running.server.log_files()
    assert time.monotonic() - begun < SECONDS
    assert str(caught.value).startswith(f"mysql://u@127.0.0.1:{running.server.port}: ")


@pytest.mark.parametrize("seed", range(200))
def test_any_change_on_the_wire_is_an_error_or_none(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    wire = bytearray(packets(HONEST))
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(wire))
        if rng.random() < 0.3:
            del wire[place : place + rng.randint(1, 30)]
        else:
            wire[place] = rng.randrange(256)
    with fake_server(lambda *_: bytes(wire), reconnect_seconds=0) as running:
        try:
            found = read(running)
        except BinlogError:
            return
        assert len(found) == len(LOG)


def test_what_was_given_of_an_event_has_to_come_again() -> None:
    number = next(k for k, one in enumerate(EVENTS) if one == LOG[UPDATE.start_pos : UPDATE.end])
    cut = packets(HONEST[: number + 2])[:-3]
    changed = bytearray(LOG)
    changed[UPDATE.start_pos + 30] ^= 1

    def dump(count: int, start: int) -> bytes:
        log = bytes(changed) if count else LOG
        return packets(payloads_of(log, NAME, start)) if count else cut

    with fake_server(dump) as running, pytest.raises(LogFileError, match="replaced by another"):
        read(running)
    assert running.starts == [4, UPDATE.start_pos]
    with fake_server(lambda n, start: honest(n, start) if n else cut) as running:
        assert read(running) == LOG
    assert running.starts == [4, UPDATE.start_pos]


def test_another_format_description_is_of_another_log() -> None:
    later = bytearray(LOG)
    later[4] ^= 1  # its time

    def dump(count: int, start: int) -> bytes:
        if count:
            return packets(payloads_of(bytes(later), NAME, start))
        return packets(HONEST[:6])

    with fake_server(dump) as running, pytest.raises(LogFileError, match="format description"):
        read(running)


def test_progress_is_kept_by_each_connection() -> None:
    def dump(count: int, start: int) -> bytes:
        return packets(payloads_of(LOG, NAME, start)[: 4 if count else 3])

    with fake_server(dump) as running:
        assert read(running) == LOG
    assert len(running.starts) > 5
    assert running.starts == sorted(running.starts)


# The command has 4 bytes for the position.
def test_what_is_beyond_four_gib_is_read_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_log, "_LAST_START", UPDATE.start_pos - 1)
    with fake_server(honest) as running:
        log_file = LogFile(NAME, NAME, 7, len(LOG), server=running.server)
        with closing(open_log(log_file)) as file:
            file.seek(UPDATE.end)
            assert read_up_to(file, 1000) == LOG[UPDATE.end : UPDATE.end + 1000]
            file.seek(UPDATE.start_pos + 1)
            with pytest.raises(LogFileError, match="the current event is another"):
                read_up_to(file, 1000)
    assert running.starts == [4, 4]


def test_a_log_of_a_server_is_one_split() -> None:
    log_file = LogFile(NAME, NAME, 7, 1 << 40, server=LiveServer("h"))
    options = BinlogOptions(host="h", user="u", view="events")  # needs no look at the server
    request: ReadRequest = plan_read([log_file], options)
    assert plan_splits([(log_file, None)], request) == [Split(log_file)]


def test_servers_go_to_other_processes_and_are_shown_without_the_password() -> None:
    server = LiveServer("::1", 3307, "u", "geheim")
    log_file = LogFile(f"{server.shown}/{NAME}", NAME, 7, 4, server=server)
    assert pickle.loads(pickle.dumps(log_file)) == log_file  # noqa: S301  # of our own making
    assert log_file.path == "mysql://u@[::1]:3307/" + NAME
    assert "geheim" not in f"{server!r} {log_file!r} {server} {log_file} {server.site}"


def test_ctrl_c_is_not_lost_while_a_connection_closes() -> None:
    """The last bytes of a log close its connection, which is when a follower gets most Ctrl-Cs."""

    class Interrupted:
        def close(self) -> None:
            raise KeyboardInterrupt

    connection = GuardedConnection(LiveServer(host="127.0.0.1", user="reader"))
    connection._sock = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        connection.close_now()


def test_a_connection_in_a_cycle_of_garbage_is_closed() -> None:
    """As in the frames of an error; whatever the collector finalizes first."""
    with fake_server(honest) as running:
        connection = ServerConnection(running.server)
        garbage: list[object] = [connection]
        garbage.append(garbage)
        socket = connection._connection._sock
        del connection
        gc.collect()  # which puts what is held by a local variable before the rest
        del socket, garbage
        gc.collect()  # an unclosed socket is a ResourceWarning


def test_without_pymysql_an_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymysql", None)
    for ask in (LiveServer("h").log_files, LiveServer("h").position):
        with pytest.raises(UnsupportedError, match=r"pip install 'mysql-binlog-spark\[live\]'"):
            ask()


@pytest.mark.parametrize("paths", ["logs", ["a", "b"]])
def test_paths_and_a_host_exclude_each_other(paths: object) -> None:
    with pytest.raises(OptionError, match="no host, since there are paths"):
        read_batches(paths, host="h", user="u")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="load\\(path\\), or the option host"):
        read_batches()


@pytest.mark.parametrize(
    ("before", "gtids", "follows"),
    [
        ("[]", "", True),
        ("[]", "0-1-5", True),
        ("[0-1-5]", "", False),
        ("[0-1-5]", "0-1-4", False),
        ("[0-1-5]", "0-1-5", True),
        ("[0-1-5]", "0-1-6", True),
        ("[0-1-5]", "1-1-6", False),  # of that domain nothing is there
        ("[0-1-5,1-1-2]", "0-1-5", False),
        ("[0-1-5,1-1-2]", "1-1-2,0-1-9", True),
        ("[0-1-5,0-2-6]", "0-2-6", True),
        ("[0-1-5,0-2-6]", "0-1-5", False),  # what server 2 did comes after it
        ("[0-1-5,0-2-6]", "0-3-7", True),
    ],
)
def test_positions_after_gtids_of_mariadb(before: str, gtids: str, follows: bool) -> None:
    assert has_all_after(before, gtids) is follows
    with pytest.raises(ValueError, match="x"):
        has_all_after(before, "x")
