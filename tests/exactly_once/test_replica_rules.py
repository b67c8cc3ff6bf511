"""`replicate`, stopped between its steps; killed as a process in `make kill`."""

from pathlib import Path

import pytest

from pyspark_adapter.replication.run import FORMATS
from tests.exactly_once.replica_run import MIN_DDL, SERVERS, run_local

pytestmark = [pytest.mark.live, pytest.mark.slow]

SEED = 20261122
NUM_STOPS = 3


@pytest.mark.parametrize(("server", "table_format"), [*zip(SERVERS, FORMATS, strict=True)])
def test_each_cell_is_that_of_the_server(
    server: str, table_format: str, servers_folder: Path
) -> None:
    found = run_local(servers_folder, server, SEED, NUM_STOPS, table_format)
    assert found.equal.num_rows > 200
    assert found.equal.num_tables > 10
    assert found.equal.num_fitting > 20
    assert found.num_ddl >= MIN_DDL
