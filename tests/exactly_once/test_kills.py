"""Streams give each change once, though what runs them is killed.

A short run of what `make kill` does thirty times and more; both sinks are compared with the counts
of the official tool and with the server's own tables.
"""

from pathlib import Path

import pytest

from tests.exactly_once.configurations import CONFIGURATION_BY_NAME, SLOW
from tests.exactly_once.kill_run import run_kills
from tests.exactly_once.kills import Kill

pytestmark = [pytest.mark.live, pytest.mark.spark, pytest.mark.slow]

SEED = 20261121


@pytest.mark.parametrize(
    ("name", "kills"),
    [(SLOW, (Kill.WORKER, Kill.PLANNER, Kill.WRITTEN)), ("mariadb", (Kill.PLANNER, Kill.JVM))],
)
def test_each_change_is_in_the_sinks_once(
    name: str, kills: tuple[Kill, ...], servers_folder: Path
) -> None:
    found = run_kills(servers_folder, CONFIGURATION_BY_NAME[name], SEED, kills)
    assert found.kills.total() == len(kills)
    assert found.num_logs > 5
    assert found.num_known >= (Kill.WRITTEN in kills)
    for proven in found.proven.values():
        assert proven.num_images > 1000
        assert proven.num_compared > 200
