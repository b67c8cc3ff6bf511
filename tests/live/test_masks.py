"""The official tools read masked copies, and a server applies one."""

import re
import subprocess
from pathlib import Path

import pytest

from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.operations.log_mask import mask_logs
from pyspark_adapter.options.binlog_options import BinlogOptions
from samples.tool_runner import run_tool
from tests.inputs import sample_path
from tests.live.replication import source
from tests.live.servers import client_path
from tests.unit.operations.test_log_mask import KEY, SHOP, maskable

pytestmark = pytest.mark.live

SAMPLES = ["mysql-9.7-shop", "mysql-9.7-types", "mysql-9.7-transactions", "mariadb-11.8-types-full"]


def mask(name: str, folder: Path) -> Path:
    """Mask all columns that can be masked, and return the copy."""
    path = sample_path(name)
    columns = maskable(path)
    mask_logs(find_log_files(path), BinlogOptions(), columns, KEY, folder, keeps_definitions=True)
    return folder / path.name


@pytest.mark.parametrize("name", SAMPLES)
def test_tools_print_as_many_rows(name: str, tmp_path: Path, servers_folder: Path) -> None:
    tool = client_path(servers_folder, "mariadb-binlog" if "mariadb" in name else "mysqlbinlog")
    (tmp_path / "copy").mkdir()
    copy = mask(name, tmp_path / "copy")

    def rows(path: Path) -> list[bytes]:
        """Return the first words of what the tool prints of rows."""
        printed = run_tool(tool, ("--verify-binlog-checksum", str(path)), tmp_path)
        return [b" ".join(line.split()[:4]) for line in printed.splitlines() if b"###" in line[:3]]

    def shapes(path: Path) -> list[bytes]:
        """Return them without values."""
        return [re.sub(rb"=.*", b"", line) for line in rows(path)]

    assert shapes(copy) == shapes(sample_path(name)) != []
    assert rows(copy) != rows(sample_path(name))


def test_a_server_applies_a_masked_log(tmp_path: Path, servers_folder: Path) -> None:
    copy = mask("mysql-9.7-shop", tmp_path)
    tool = client_path(servers_folder, "mysqlbinlog")
    printed = subprocess.run(
        [str(tool), "--skip-gtids", str(copy)], capture_output=True, check=True
    )
    client = client_path(servers_folder, "mysql")
    with source(servers_folder, "mysql-latest", "mask-mysql-latest", {}) as server:
        state = server.state
        command = [str(client), f"--socket={state.socket}", f"--user={state.user}"]
        done = subprocess.run(command, input=printed.stdout, capture_output=True)
        assert done.returncode == 0, done.stderr
        [[found]] = server.ask("SELECT COUNT(*) FROM shop.customers WHERE email LIKE '%@%'")
        [[customers]] = server.ask("SELECT COUNT(*) FROM shop.customers")
        [[joined]] = server.ask(
            "SELECT COUNT(*) FROM shop.orders JOIN shop.customers USING (customer_id)"
        )
        [[orders]] = server.ask("SELECT COUNT(*) FROM shop.orders")
    assert (int(found), int(customers)) == (0, 7)
    assert int(joined) == int(orders) > 40
    assert SHOP.read_bytes() != copy.read_bytes()
