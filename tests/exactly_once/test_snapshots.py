# ruff: noqa: S608 - numbers in statements
"""The rows of tables and then their changes, while the program that reads them is killed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.exactly_once import snapshot_program
from tests.exactly_once.checkpoint import count_batches
from tests.exactly_once.processes import end_program, start_program
from tests.exactly_once.shop_load import TABLES, Load
from tests.live.servers import running_server

pytestmark = [pytest.mark.live, pytest.mark.spark, pytest.mark.slow]
NUM_ROWS = 20_000
MYSQL, MARIADB = "mysql-latest", "mariadb-11.8"


def fill(load: Load) -> None:
    for first in range(0, NUM_ROWS, 1000):
        numbers = range(-NUM_ROWS + first, -NUM_ROWS + first + 1000)
        orders = ", ".join(f"({n}, 1, 'o{n}')" for n in numbers)
        lines = ", ".join(f"({n}, 'x{n % 7}', 1)" for n in numbers)
        load.do(f"INSERT INTO shop.orders VALUES {orders}")
        load.do(f"INSERT INTO shop.lines VALUES {lines}")


def is_copying(home: Path) -> bool:
    return any(home.glob("*/batch=-1/_temporary/0/_temporary"))


def has_another_batch(home: Path) -> Callable[[], bool]:
    checkpoints = [home / f"{table}.checkpoint" for table in TABLES]
    before = sum(map(count_batches, checkpoints))
    return lambda: sum(map(count_batches, checkpoints)) > before


def kill_when(
    happens: Callable[[], bool], program: subprocess.Popen[bytes], seconds: float, err: Path
) -> None:
    while not happens() and program.poll() is None:
        time.sleep(0.02)
    time.sleep(seconds)
    assert program.poll() is None, err.read_text()[-3000:]
    end_program(program)


@pytest.mark.parametrize(
    ("server", "num_kills"),
    [
        (MYSQL, 2),
        pytest.param(MYSQL, 30, id="mysql-long"),
        pytest.param(MARIADB, 30, id="mariadb-long"),
    ],
)
def test_rows_are_those_of_the_server(
    server: str, num_kills: int, servers_folder: Path, tmp_path: Path
) -> None:
    chance = random.Random(num_kills)  # noqa: S311 - to do the same again
    options: dict[str, str | None] = {"binlog-format": "ROW"}
    home, err = tmp_path / "home", tmp_path / "err"
    home.mkdir()
    with (
        running_server(servers_folder, server, "snapshots", options=options) as state,
        closing(Load(state)) as load,
    ):
        names = ("host", "port", "user", "password")
        access = json.dumps({name: getattr(state, name) for name in names})
        command = ["-m", snapshot_program.__name__, str(home), access]
        fill(load)
        load.start()
        for number in range(num_kills):
            program = start_program(command, tmp_path / "out", err)
            if number < num_kills // 2:
                seconds = chance.uniform(0, 0.8)
                kill_when(lambda: is_copying(home), program, seconds, err)
                continue
            kill_when(has_another_batch(home), program, chance.uniform(0, 1.5), err)
        load.stop()
        target = tmp_path / "rows.json"
        subprocess.run([sys.executable, *command, str(target)], check=True, capture_output=True)
        found = json.loads(target.read_text())
        for table in TABLES:
            rows = sorted(map(list, zip(*found[table].values(), strict=True)))
            assert len(rows) > NUM_ROWS // 2
            assert rows == load.rows(table), table
