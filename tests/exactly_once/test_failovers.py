"""A stream and a copy continue with another server; `make kill` does so longer."""

from pathlib import Path

import pytest

from tests.exactly_once.failover_run import FailoverRun
from tests.exactly_once.replica_failover import ReplicaFailover

pytestmark = [pytest.mark.live, pytest.mark.slow]

NUM_ROUNDS = 3
SEED = 1


def test_each_transaction_once_over_failovers(servers_folder: Path) -> None:
    found = FailoverRun(servers_folder, "mariadb", SEED, moves=True).run(NUM_ROUNDS)
    assert found.num_rounds == NUM_ROUNDS
    assert found.num_moves >= NUM_ROUNDS
    assert found.num_transactions > 50
    assert found.num_rows > 20


def test_a_copy_goes_on_with_the_replica(servers_folder: Path) -> None:
    found = ReplicaFailover(servers_folder, "mysql", SEED, moves=True).run(NUM_ROUNDS)
    assert found.num_moves >= NUM_ROUNDS
    assert found.num_rows > 20
