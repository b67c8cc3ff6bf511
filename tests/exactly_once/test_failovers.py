"""A stream follows its source to another server; a short run of what `make kill` does longer."""

from pathlib import Path

import pytest

from tests.exactly_once.failover_run import FailoverRun

pytestmark = [pytest.mark.live, pytest.mark.slow]

SEED = 1


@pytest.mark.parametrize(("name", "num_rounds"), [("mysql", 1), ("mariadb", 2)])
def test_each_transaction_once_over_failovers(
    name: str, num_rounds: int, servers_folder: Path
) -> None:
    found = FailoverRun(servers_folder, name, SEED, moves=True).run(num_rounds)
    assert found.num_rounds == num_rounds
    assert found.num_moves >= num_rounds
    assert found.num_transactions > 50
    assert found.num_rows > 20
