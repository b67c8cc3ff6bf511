"""A stream of a running server gives each change once: rotation, purge, reset, lost connections."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from select import select
from threading import Thread

import pytest

from pyspark_adapter import BinlogWarning, DataLossError, ServerError
from pyspark_adapter.cli.main import INTERRUPTED
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.stream.log_stream import BatchLimit
from tests.inputs import ROOT
from tests.live.replication import SERVERS, TABLE, Source, source, wait_for
from tests.support.streams import FollowedStream, rows_of

pytestmark = pytest.mark.live

# The older MySQL has GTIDs here, the newest one has none.
OPTIONS: dict[str, dict[str, str | None]] = {
    "mysql-5.6": {"gtid-mode": "ON", "enforce-gtid-consistency": "ON", "log-slave-updates": None}
}
NO_GTIDS = '{"gtids": "3e11fa47-71ca-11e1-9e33-c80aa9429562:1"}'


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[Source]:
    name = request.param
    with source(servers_folder, name, f"stream-{name}", OPTIONS.get(name, {})) as found:
        yield found


@pytest.fixture
def running(server: Source) -> Source:
    """Give a server whose only log begins with its table and twenty rows."""
    server.ask(f"DROP TABLE {TABLE}")
    server.reset()
    server.create_table()
    server.write_rows(20, 100)
    return server


def rows_on_disk(running: Source) -> list[str]:
    return rows_of(Path(running.state.binlog_dir))


def test_each_change_once(running: Source) -> None:
    """Over rotations and restarts of the reader; in batches of some bytes, and of all."""
    stream = FollowedStream(None, **running.options)
    assert stream.poll()
    assert not stream.poll()
    assert len(stream.rows) == len(rows_on_disk(running)) >= 20
    for limit in (BatchLimit(), BatchLimit(1_500), BatchLimit(None, 1)):
        for _ in range(3):
            running.ask(f"UPDATE {TABLE} SET note = CONCAT(note, 'x') WHERE id < 9")  # noqa: S608
            running.rotate()
            running.ask(f"UPDATE {TABLE} SET note = 'y' WHERE id > 9")  # noqa: S608
        start = stream.offset
        while stream.poll(limit):
            stream.restart()
        assert (
            stream.read(start, stream.offset)
            == stream.rows[-len(stream.read(start, stream.offset)) :]
        )
    assert stream.rows == rows_on_disk(running)
    wait_for(lambda: not running.dump_threads())


@pytest.mark.parametrize("begins", ["now", "at a position"])
def test_the_command_line_follows(running: Source, begins: str) -> None:
    """Over a rotation of the logs, until Ctrl-C."""
    options = running.options
    flags = [word for name in ("host", "port", "user") for word in (f"--{name}", options[name])]
    flags += ["--position", f"{running.log_names[-1]}:4"] if begins != "now" else []
    command = [sys.executable, "-m", "pyspark_adapter", "rows", "--follow", "--format", "jsonl"]
    with subprocess.Popen(
        [*command, *map(str, flags)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"MYSQL_PWD": str(options.get("password", ""))},
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        try:
            while process.poll() is None and not select([process.stdout], [], [], 0.2)[0]:
                running.write_rows(1, 10)
            running.rotate()
            running.write_rows(2, 10)
            running.ask(f"DELETE FROM {TABLE} ORDER BY id DESC LIMIT 2")  # noqa: S608
            lines: list[bytes] = []
            while sum(b'"delete"' in line for line in lines) < 2:
                lines.append(process.stdout.readline())
                assert lines[-1], process.communicate()
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, errors) == (INTERRUPTED, b"interrupted\n")
    changes = [json.loads(line) for line in lines]
    inserted = [next(iter(c["after"].values())) for c in changes if c["change"] == "insert"]
    [(last,)] = running.ask(f"SELECT MAX(id) FROM {TABLE}")  # noqa: S608
    assert inserted == list(range(inserted[0], int(last) + 3))
    assert (inserted[0] == 1) == (begins != "now")


def test_the_end_is_that_of_the_last_transaction(running: Source) -> None:
    stream = FollowedStream(None, starting_offsets="latest", **running.options)
    assert not stream.poll()
    [row] = running.ask(
        "SHOW MASTER STATUS" if not running.is_new_mysql else "SHOW BINARY LOG STATUS"
    )
    assert (stream.offset.log_name, stream.offset.pos) == (row[0], int(row[1]))
    running.write_rows(3, 10)
    assert stream.poll()
    assert stream.rows == rows_on_disk(running)[-len(stream.rows) :]
    assert len(stream.rows) == 3


def test_what_no_replica_has_is_not_given(running: Source) -> None:
    """MariaDB that waits for a replica: the transaction is in the log, the last one of it or not.

    A crash may leave it on this server alone.
    """
    if running.is_mysql:
        return
    stream = FollowedStream(None, starting_offsets="latest", **running.options)
    running.ask("SET GLOBAL rpl_semi_sync_master_timeout = 3600000")
    running.ask("SET GLOBAL rpl_semi_sync_master_wait_point = AFTER_SYNC")
    [(max_size,)] = running.ask("SELECT @@GLOBAL.max_binlog_size")
    try:
        for size in (max_size, 4096):  # with the second one a log ends behind the transaction
            running.ask(f"SET GLOBAL max_binlog_size = {size}")
            running.ask("SET GLOBAL rpl_semi_sync_master_enabled = 1")
            waiting = Thread(target=running.write_elsewhere)
            waiting.start()
            wait_for(lambda: num_waiting(running) == 1)
            given = len(stream.rows)
            stream.poll()
            stream.restart()
            stream.poll()
            assert len(stream.rows) == given
            running.ask("SET GLOBAL rpl_semi_sync_master_enabled = 0")
            waiting.join()
            wait_for(stream.poll)
            assert len(stream.rows) == given + 1
    finally:
        running.ask("SET GLOBAL rpl_semi_sync_master_enabled = 0")
        running.ask(f"SET GLOBAL max_binlog_size = {max_size}")


def num_waiting(running: Source) -> int:
    """Return how many clients wait for a replica."""
    [(_, number)] = running.ask("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_master_wait_sessions'")
    return int(number)


def test_purged_logs(running: Source) -> None:
    stream = FollowedStream(None, **running.options)
    place = stream.offset
    for _ in range(2):
        running.rotate()
        running.write_rows(2, 10)
    running.purge_before(running.log_names[-1])
    with pytest.raises(DataLossError, match="is gone, and was not read to its end"):
        stream.poll()
    stream = FollowedStream(None, fail_on_data_loss=False, **running.options)
    stream.offset = place
    with pytest.warns(BinlogWarning, match="changes are lost"):
        stream.poll()
    assert stream.rows == rows_on_disk(running)


def test_a_reset_server(running: Source) -> None:
    stream = FollowedStream(None, **running.options)
    stream.poll()
    begun = int(stream.offset.log_id.partition("-")[0])
    wait_for(lambda: running.ask("SELECT UNIX_TIMESTAMP()")[0][0] > begun)
    running.reset()
    running.write_rows(50, 100)
    with pytest.raises(DataLossError, match=r"replaced by another|has been cut"):
        stream.poll()


def test_offsets_of_files_and_of_the_server_are_the_same(running: Source) -> None:
    """A stream may go over from the one to the other."""
    from_server = FollowedStream(None, **running.options)
    from_files = FollowedStream(Path(running.state.binlog_dir))
    assert from_server.offset == from_files.offset != StreamOffset()
    from_server.poll()
    from_files.poll()
    assert from_server.offset == from_files.offset
    assert from_server.rows == from_files.rows


def test_a_start_behind_gtids(running: Source) -> None:
    """From the log in which the next transaction is, and exactly after the last one."""
    executed = "@@GLOBAL.gtid_executed" if running.is_mysql else "@@GLOBAL.gtid_binlog_pos"
    running.rotate()
    running.write_rows(3, 10)
    [(gtids,)] = running.ask(f"SELECT {executed}")
    running.write_rows(4, 10)
    place = json.dumps({"gtids": gtids})
    if not gtids:
        with pytest.raises(ServerError, match="gtid_mode is OFF"):
            FollowedStream(None, starting_offsets=NO_GTIDS, **running.options)
        return
    for path in (None, Path(running.state.binlog_dir)):
        options = running.options if path is None else {}
        stream = FollowedStream(path, starting_offsets=place, **options)
        if path is None:
            assert stream.offset.log_name == running.log_names[-1]
        stream.poll()
        assert stream.rows == rows_on_disk(running)[-4:]
    running.rotate()
    running.purge_before(running.log_names[-1])
    with pytest.raises(DataLossError, match="removed"):
        FollowedStream(None, starting_offsets=place, **running.options)
    with pytest.warns(BinlogWarning, match="changes are lost"):
        FollowedStream(None, starting_offsets=place, fail_on_data_loss=False, **running.options)
