"""`examples/replicate/` copies a database under load, though it is killed.

A short run of what `make kill` does with thirty kills. Both servers at the same time: the programs
wait for most of it.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.exactly_once.processes import Role
from tests.exactly_once.replica_run import SERVERS, run_replica

pytestmark = [pytest.mark.live, pytest.mark.spark, pytest.mark.slow]

SEED = 20261122
NUM_KINDS = 30  # of over 150
KILLS = {"mysql-latest": [Role.DRIVER.value], "mariadb-11.8": [Role.WORKER.value]}


def test_each_cell_is_that_of_the_server(servers_folder: Path) -> None:
    with ThreadPoolExecutor() as pool:
        runs = [
            pool.submit(run_replica, servers_folder, server, SEED, KILLS[server], NUM_KINDS)
            for server in SERVERS
        ]
        for run in runs:
            found = run.result()
            assert found.num_rows > 200
            assert found.num_tables > 6
            assert found.num_ddl > 0
