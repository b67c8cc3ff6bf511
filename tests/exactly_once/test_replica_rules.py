"""`examples/replicate/` without Spark, stopped between its steps; with Spark in `make kill`."""

from pathlib import Path

import pytest
from server_tables import Server

from tests.exactly_once.replica_run import MIN_DDL, SERVERS, run_local
from tests.live.servers import running_server

pytestmark = [pytest.mark.live, pytest.mark.slow]

SEED = 20261122
NUM_STOPS = 3


@pytest.mark.parametrize("server", SERVERS)
def test_each_cell_is_that_of_the_server(server: str, servers_folder: Path) -> None:
    found = run_local(servers_folder, server, SEED, NUM_STOPS)
    assert found.equal.num_rows > 200
    assert found.equal.num_tables > 10
    assert found.equal.num_fitting > 20
    assert found.num_ddl >= MIN_DDL


def test_the_position_of_an_old_server_is_found(servers_folder: Path) -> None:
    """It does not know SHOW BINARY LOG STATUS, which newer ones have instead of MASTER."""
    with running_server(servers_folder, "mysql-5.6", "replica-mysql-5.6") as state:
        server = Server(host=state.host, port=state.port, user=state.user, database="mysql")
        position = server.position()
    assert position["log_file"].startswith(state.binlog_base)
    assert position["pos"] >= 4
