"""A lake after power failures: it opens, continues, and becomes equal to the server."""

from pathlib import Path

import pytest

from pyspark_adapter.replication.run import FORMATS
from tests.exactly_once.replica_run import POWER, run_replica

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.mark.parametrize("num_failures", [4, pytest.param(100, id="long")])
@pytest.mark.parametrize("table_format", FORMATS)
def test_a_lake_survives_power_failures(
    table_format: str, num_failures: int, servers_folder: Path
) -> None:
    failures = [POWER] * num_failures
    found = run_replica(servers_folder, "mysql-latest", 7, failures, table_format=table_format)
    assert found.kills == {"power": num_failures}
    assert found.equal.num_rows > 100
