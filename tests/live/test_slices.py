"""The official tools verify the checksums of slices, and print the rows of the logs."""

from pathlib import Path

import pytest

from pyspark_adapter.cli.main import main
from samples.tool_runner import run_tool
from tests.inputs import sample_path
from tests.live.servers import client_path

pytestmark = pytest.mark.live

# Each with filters that leave some transactions out.
CASES = {
    "mysql-9.7-shop": ["--position", "mysql-9.7-shop.000001:5000"],
    "mysql-9.7-transactions": ["--change", "insert"],
    "mysql-9.7-tagged-gtids": [],
    "mysql-9.7-compressed-transactions": ["--change", "update"],
    "mysql-9.7-no-checksum": ["--change", "update"],
    "mysql-9.7-in-use": [],
    "mysql-5.6-types-v2": [],
    "mariadb-11.8-transactions": ["--change", "update"],
    "mariadb-11.8-compressed": ["--change", "update"],
    "mariadb-10.11-types": [],
}


@pytest.mark.parametrize("name", CASES)
def test_tools_print_the_rows_of_the_log(name: str, tmp_path: Path, servers_folder: Path) -> None:
    tool = client_path(servers_folder, "mariadb-binlog" if "mariadb" in name else "mysqlbinlog")
    target = tmp_path / "slice.000001"
    flags = [*CASES[name], "--on-statement-events", "ignore"]
    assert main(["slice", str(sample_path(name)), "--out", str(target), *flags]) == 0

    def rows(path: Path) -> list[bytes]:
        """Return the lines of rows that the tool prints; it fails on what it does not like."""
        options = ("--verify-binlog-checksum", str(path))
        printed = run_tool(tool, options, tmp_path)
        return [line for line in printed.splitlines() if line.startswith(b"###")]

    of_slice, of_log = rows(target), rows(sample_path(name))
    assert of_slice
    if not CASES[name]:
        assert of_slice == of_log
        return
    assert len(of_slice) < len(of_log)
    remaining = iter(of_log)
    assert all(line in remaining for line in of_slice)  # in this order
