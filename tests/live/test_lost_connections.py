"""A read continues from the next byte where its connection or its server is lost."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from pyspark_adapter import LogFileError, ServerError, read_batches
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log
from tests.live.replication import (
    FOR_LARGE_ROWS,
    SERVERS,
    TABLE,
    Source,
    read_all,
    read_rest,
    source,
    wait_for,
)
from tests.live.servers import Instance, connect
from tests.live.servers.instance import free_port
from tests.support.tcp_proxy import Proxy, proxy

pytestmark = pytest.mark.live


@pytest.fixture(scope="module", params=SERVERS)
def running(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[Source]:
    name = request.param
    with source(servers_folder, name, f"lost-{name}", FOR_LARGE_ROWS) as found:
        yield found


def by_way_of(log_file: LogFile, through: Proxy) -> LogFile:
    """Return a log as it is read through a proxy, in the clear."""
    assert isinstance(log_file.server, LiveServer)
    server = replace(log_file.server, port=through.port, ssl_mode="DISABLED")
    return replace(log_file, server=server)


def target(running: Source) -> tuple[str, int]:
    return running.state.host, running.state.port


def test_a_connection_may_end_at_every_byte(
    running: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pyspark_adapter.server.server_errors._FIRST_PAUSE", 0.001
    )  # it waits 450 times
    log_file = running.log_file(running.write_log(3, 20))
    expected = running.bytes_on_disk(log_file.name)
    for _ in range(2):  # to log in takes less from the second time on
        with proxy(target(running), []) as through:
            assert read_all(by_way_of(log_file, through)) == expected
        [num_bytes] = through.sent
    assert num_bytes > len(expected)
    num_lost = 0
    # From the greeting on, and then, byte by byte, through packets and headers of events. What
    # comes last is of the next log, and needed no more.
    # Servers of one kind send the same packets: every third byte is enough for the older ones.
    step = 1 if running.state.server == "mysql-latest" else 3
    for end in [*range(0, num_bytes - 750, 97), *range(num_bytes - 750, num_bytes - 300, step)]:
        with proxy(target(running), [end]) as through:
            assert read_all(by_way_of(log_file, through), 50) == expected, end
        num_lost += through.sent[0] == end and len(through.sent) == 2
    assert num_lost > 200 / step


def test_connections_may_end_one_after_another(running: Source) -> None:
    log_file = running.log_file(running.write_log(40, 1000))
    expected = running.bytes_on_disk(log_file.name)
    with proxy(target(running), [7000] * 100) as through:
        assert read_all(by_way_of(log_file, through)) == expected
    assert 5 < len(through.sent) < 100


def test_a_connection_may_end_within_a_large_event(running: Source) -> None:
    log_file = running.log_file(running.write_log(1, 40_000_000))
    expected = running.bytes_on_disk(log_file.name)
    with proxy(target(running), [20_000_000, 16 << 20, 30_000_000]) as through:
        assert read_all(by_way_of(log_file, through)) == expected
    assert through.sent[:3] == [20_000_000, 16 << 20, 30_000_000]


def test_rows_come_once_each(running: Source) -> None:
    running.write_log(50, 1000)
    of_files = read_batches(running.state.binlog_dir, table=TABLE)
    expected = [row for batch in of_files for row in batch.to_pylist()]
    options = running.options | {"ssl_mode": "DISABLED", "table": TABLE}
    with proxy(target(running), [10_000] * 3) as through:
        options["port"] = through.port
        found = [row for batch in read_batches(**options) for row in batch.to_pylist()]
        assert len(through.sent) > 4
    assert len(found) >= 50
    assert found == expected


def test_a_server_that_stays_away_is_named_with_the_log(running: Source) -> None:
    log_file = running.log_file(running.write_log(200, 10_000))
    with proxy(target(running), [1_000_000]) as through:
        server = replace(by_way_of(log_file, through).server, reconnect_seconds=1)  # type: ignore[type-var]
        file = open_log(replace(log_file, server=server))
        assert read_up_to(file, 1000)
    with closing(file), pytest.raises(ServerError) as caught:
        read_rest(file)
    text = str(caught.value)
    assert f"{running.options['user']}@127.0.0.1" in text
    assert log_file.name in text
    assert "tried for 1 s (option reconnect_seconds)" in text


def test_a_thread_that_is_killed_is_replaced(running: Source) -> None:
    name = running.write_log(300, 100_000)
    before = running.dump_threads()
    file = open_log(running.log_file(name))
    found = read_up_to(file, 1000)
    [thread] = set(running.dump_threads()).difference(before)
    running.kill(thread)
    assert found + read_rest(file) == running.bytes_on_disk(name)


def test_a_log_that_is_gone_meanwhile_is_an_error(running: Source) -> None:
    name = running.write_log(300, 100_000)
    before = running.dump_threads()
    file = open_log(running.log_file(name))
    with closing(file):
        assert read_up_to(file, 1000)
        [thread] = set(running.dump_threads()).difference(before)
        running.kill(thread)
        running.purge_before(running.log_names[-1])
        with pytest.raises(LogFileError, match="the server no longer has it") as caught:
            read_rest(file)
    assert name in str(caught.value)
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_another_log_of_the_same_name_is_an_error(running: Source) -> None:
    reset = "RESET BINARY LOGS AND GTIDS" if running.is_new_mysql else "RESET MASTER"
    running.ask(reset)
    running.write_rows(300, 100_000)
    [log_file] = running.server.log_files()
    before = running.dump_threads()
    file = open_log(log_file)
    with closing(file):
        assert read_up_to(file, 1000)
        [thread] = set(running.dump_threads()).difference(before)
        running.kill(thread)
        second = int(running.ask("SELECT UNIX_TIMESTAMP()")[0][0])
        # Logs differ in the second in which they begin.
        wait_for(lambda: int(running.ask("SELECT UNIX_TIMESTAMP()")[0][0]) > second)
        running.ask(reset)
        running.write_rows(300, 100_000)
        with pytest.raises(LogFileError, match="replaced by another log of the same name"):
            read_rest(file)


@pytest.mark.parametrize("how", ["stop", "kill"])
@pytest.mark.parametrize("name", SERVERS)
def test_a_server_may_start_again(name: str, how: str, servers_folder: Path) -> None:
    running = Instance(servers_folder, f"lost-again-{name}")
    # A MariaDB that is stopped waits so long for replicas that have not read all.
    options = {"port": str(free_port()), "net-write-timeout": "3"}
    state = running.start(name, options=options, fresh=True)
    try:
        with closing(connect(state)) as connection:
            found = Source(state, connection)
            found.ask("CREATE DATABASE repl")
            found.create_table()
            log_name = found.write_log(300, 100_000)
        found = replace(found, connection=None)
        server = replace(found.server, user="root", password="")
        [log_file] = [log for log in server.log_files() if log.name == log_name]
        file = open_log(log_file)
        start = read_up_to(file, 1000)
        getattr(running, how)()
        again = Thread(target=running.start, args=(name,), kwargs={"options": options})
        again.start()
        rest = read_rest(file)
        again.join()
        assert start + rest == found.bytes_on_disk(log_name)
        assert log_file in server.log_files()  # by the connection that was lost as well
    finally:
        running.stop()
        running.discard()
