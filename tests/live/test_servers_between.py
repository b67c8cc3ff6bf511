"""Servers between the oldest and the newest: values, streams, and rows over the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pyspark_adapter.stream.log_stream import BatchLimit
from samples.truth import fetch_rows
from tests.inputs import need_server
from tests.live.capture import DATABASE, LiveServer, write_and_capture
from tests.live.random_values import source_of
from tests.live.replication import TABLE, Source, source
from tests.live.servers import server_named
from tests.live.test_values import STRICT
from tests.live.value_cases import cases_of, in_words_of
from tests.support.streams import FollowedStream, rows_of

pytestmark = pytest.mark.live

# `make soak` has MySQL 8.0.15 and MariaDB 10.5 as well.
BETWEEN = (
    *("mysql-8.0", "mysql-5.7", "mysql-5.5"),
    *("mariadb-10.1", "mariadb-10.2", "mariadb-10.4", "mariadb-11.4"),
)
# Of so many cases one is taken, another one for each server: all are, taken together. The long and
# short of each type are also in the replays of these servers.
STEP = 3


@pytest.fixture(scope="module", params=BETWEEN)
def running(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[Source]:
    """Give each server in turn, set as it sets itself."""
    name = request.param
    need_server(servers_folder, name)
    with source(servers_folder, name, f"between-{name}", {}) as found:
        yield found


def test_a_stream_gives_each_change_once(running: Source) -> None:
    stream = FollowedStream(None, **running.options)
    running.write_rows(3, 100)
    while stream.poll(BatchLimit(1_500)):
        stream.restart()
    running.rotate()
    running.ask(f"UPDATE {TABLE} SET note = CONCAT(note, 'x') WHERE id < 3")  # noqa: S608
    assert stream.poll()
    assert len(stream.rows) == 3 + 2 * 2
    assert stream.rows == rows_of(Path(running.state.binlog_dir))


def test_values_are_those_of_select(running: Source) -> None:
    server = server_named(running.state.server)
    running.connection.decoders = {}
    for statement in (f"CREATE DATABASE {DATABASE}", "SET time_zone = '+00:00'"):
        fetch_rows(running.connection, statement)
    fetch_rows(running.connection, "SET sql_mode = %s", STRICT)
    for sql_type, values in cases_of(server)[BETWEEN.index(server.name) % STEP :: STEP]:
        chosen = [in_words_of(server, sql_type, v) for v in values(source_of(sql_type))]
        capture = write_and_capture(LiveServer(running.state, running.connection), sql_type, chosen)
        assert capture.changes() == capture.expected, sql_type
