"""The changes of a random workload leave what the server has, row for row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.inputs import need_server
from tests.live.replication import SERVERS
from tests.replay.configurations import CONFIGURATION_BY_NAME, CONFIGURATIONS, Configuration
from tests.replay.replay import Servers, replay
from tests.replay.undo import prove_undo

pytestmark = pytest.mark.live

SEED = 20261121
NUM_STEPS = 120  # `make soak` takes more
# Of servers between the oldest and the newest, one configuration each, and fewer steps; `make soak`
# has all.
BETWEEN = (
    "mysql-8.0-compressed-gtids",
    "mysql-5.7-images",
    "mysql-5.5-default",
    "mariadb-10.1-images",
    "mariadb-10.2-compressed",
    "mariadb-10.4-images",
    "mariadb-11.4-full",
)
FEWER_STEPS = 80
LONG = [c for c in CONFIGURATIONS if c.server in SERVERS]
# Whose logs the schema reads as well: each server and each form of rows once. `make soak` has it
# read all logs.
READ_BY_BOTH = frozenset(
    {
        "mysql-images",
        "mysql-compressed",
        "mysql-tagged-gtids",
        "mysql-partial-json-minimal",
        "mysql-5.6-v1",
        "mariadb-10.11-default",
        "mariadb-11.8-minimal",
        "mariadb-11.8-compressed",
    }
)


@pytest.fixture(scope="module")
def servers(servers_folder: Path) -> Iterator[Servers]:
    """Give servers, which run until the last test of this file."""
    with Servers(servers_folder) as servers:
        yield servers


@pytest.mark.parametrize("configuration", LONG, ids=lambda c: c.name)
def test_changes_leave_what_the_server_has(servers: Servers, configuration: Configuration) -> None:
    state, by_schema = servers.state_of(configuration), configuration.name in READ_BY_BOTH
    replayed = replay(state, configuration, SEED, NUM_STEPS, by_schema=by_schema)
    assert replayed.num_statements > NUM_STEPS
    assert replayed.num_refused < replayed.num_statements / 10
    assert replayed.num_changes > 2 * NUM_STEPS
    assert replayed.num_compared > NUM_STEPS


@pytest.mark.parametrize("name", BETWEEN)
def test_servers_between(servers: Servers, servers_folder: Path, name: str) -> None:
    configuration = CONFIGURATION_BY_NAME[name]
    need_server(servers_folder, configuration.server)
    state = servers.state_of(configuration)
    replayed = replay(state, configuration, SEED, FEWER_STEPS, by_schema=False)
    assert replayed.num_changes > 150
    assert replayed.num_compared > 80
    undone = prove_undo(state, configuration, SEED, FEWER_STEPS // 2)
    assert undone.num_undone > 50
    assert undone.num_redone == undone.num_undone


# One for each server; `make soak` has the others.
@pytest.mark.parametrize(
    "name", ["mysql-partial-json", "mysql-5.6-v2", "mariadb-10.11-default", "mariadb-11.8-minimal"]
)
def test_changes_are_undone_and_made_again(servers: Servers, name: str) -> None:
    configuration = CONFIGURATION_BY_NAME[name]
    undone = prove_undo(servers.state_of(configuration), configuration, SEED, 60)
    assert undone.num_undone > 50
    assert undone.num_redone == undone.num_undone
    assert undone.num_compared > 200
