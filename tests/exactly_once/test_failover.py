"""A stream goes on when its server is killed; a short run of what `make kill` does thirty times."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.inputs import ROOT

pytestmark = [pytest.mark.live, pytest.mark.slow]

# In a process of its own: clients of a killed server leave sockets behind.
COMMAND = (sys.executable, "-m", "tests.exactly_once.failover_run", "--kills=1", "--seeds=20261124")


def test_each_transaction_is_given_once(servers_folder: Path) -> None:
    command = [*COMMAND, "--only=mariadb", f"--servers={servers_folder}"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    found = re.search(
        r"1 sources killed.* (\S+) transactions in .* on (\d+) servers", result.stdout
    )
    assert found is not None, result.stdout
    assert int(found[1].replace(",", "")) > 50
    assert int(found[2]) > 1
