"""Real servers, one at a time, with the metadata that each is set to log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from samples.truth import fetch_rows
from tests.live.capture import DATABASE, SERVERS, LiveServer
from tests.live.servers import connected_server


@pytest.fixture(scope="session", params=SERVERS, ids="-".join)
def server(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[LiveServer]:
    name, metadata = request.param
    options = {"binlog-row-metadata": metadata}
    instance = f"values-{name}-{metadata.lower()}"
    with connected_server(servers_folder, name, instance, options) as (state, connection):
        connection.decoders = {}
        fetch_rows(connection, "SET time_zone = '+00:00'")
        fetch_rows(connection, f"CREATE DATABASE {DATABASE}")
        yield LiveServer(state, connection)
