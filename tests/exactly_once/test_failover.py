"""A stream goes on when its server is killed; a short run of what `make kill` does thirty times."""

from pathlib import Path

import pytest

from tests.exactly_once.failover_run import FailoverRun

pytestmark = [pytest.mark.live, pytest.mark.slow]


def test_each_transaction_is_given_once(servers_folder: Path) -> None:
    outcome = FailoverRun(servers_folder, "mariadb", seed=20261124).run(1)
    assert outcome.num_rounds == 1
    assert outcome.num_moves >= 1
    assert outcome.num_transactions > 50
    assert outcome.num_rows > 50
