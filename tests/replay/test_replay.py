"""The changes of a random workload leave what the server has, row for row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.replay.configurations import (
    CONFIGURATION_BY_NAME,
    CONFIGURATIONS,
    Configuration,
)
from tests.replay.replay import ENGINES, Servers, replay
from tests.replay.undo import prove_undo

pytestmark = pytest.mark.live

SEED = 20261121
NUM_STEPS = 250
# Whose logs the reference reads as well: each server and each form of rows once. `make soak` has
# both engines read all logs.
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


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda c: c.name)
def test_changes_leave_what_the_server_has(servers: Servers, configuration: Configuration) -> None:
    engines = ENGINES if configuration.name in READ_BY_BOTH else ENGINES[:1]
    replayed = replay(servers.state_of(configuration), configuration, SEED, NUM_STEPS, engines)
    assert replayed.num_statements > NUM_STEPS
    assert replayed.num_refused < replayed.num_statements / 10
    assert replayed.num_changes > 700
    assert replayed.num_compared > 200


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
