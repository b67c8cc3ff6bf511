"""A stream of a table that is altered under load; a short run of what `make kill` does longer."""

from pathlib import Path

import pytest

from tests.exactly_once.alter_run import LEAST_IMAGES, RUNS, run_alters

pytestmark = [pytest.mark.live, pytest.mark.slow]

NUM_ALTERS = 6
SEED = 1


@pytest.mark.parametrize("name", ["mysql-end-server", "mariadb-end-folder", "mariadb-keep-server"])
def test_each_change_once_over_alters(name: str, servers_folder: Path) -> None:
    found = run_alters(servers_folder, name, SEED, NUM_ALTERS)
    assert found.num_alters == NUM_ALTERS
    assert (found.num_starts > 1) == (RUNS[name][1] == "end")
    assert found.num_images > LEAST_IMAGES
    assert found.num_rows > 10
