"""A stream follows its source to another server; a short run of what `make kill` does longer."""

from pathlib import Path

import pytest

from tests.exactly_once.failover_run import FailoverRun

pytestmark = [pytest.mark.live, pytest.mark.slow]

NUM_ROUNDS = 3
SEED = 1


def test_each_transaction_once_over_failovers(servers_folder: Path) -> None:
    found = FailoverRun(servers_folder, "mariadb", SEED, moves=True).run(NUM_ROUNDS)
    assert found.num_rounds == NUM_ROUNDS
    assert found.num_moves >= NUM_ROUNDS
    assert found.num_transactions > 50
    assert found.num_rows > 20
