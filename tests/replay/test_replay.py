"""The changes of a random workload leave what the server has, row for row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.replay.configurations import CONFIGURATIONS, Configuration
from tests.replay.replay import Servers, replay

pytestmark = pytest.mark.live

SEED = 20261121
NUM_STEPS = 250


@pytest.fixture(scope="module")
def servers(servers_folder: Path) -> Iterator[Servers]:
    """Give servers, which run until the last test of this file."""
    with Servers(servers_folder) as servers:
        yield servers


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda c: c.name)
def test_changes_leave_what_the_server_has(servers: Servers, configuration: Configuration) -> None:
    replayed = replay(servers.state_of(configuration), configuration, SEED, NUM_STEPS)
    assert replayed.num_statements > NUM_STEPS
    assert replayed.num_refused < replayed.num_statements / 10
    assert replayed.num_changes > 700
    assert replayed.num_compared > 200
