"""A server with two databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.replicate.lakes import do
from tests.live.servers import ServerState, running_server

SETUP = (
    "CREATE DATABASE shop",
    "CREATE DATABASE `other.db`",
    "CREATE TABLE shop.orders (id INT PRIMARY KEY, note VARCHAR(20))",
    "INSERT INTO shop.orders VALUES (1, 'a'), (2, 'b')",
    "CREATE TABLE `other.db`.`100%` (id INT PRIMARY KEY, `c%` INT)",
    "INSERT INTO `other.db`.`100%` VALUES (1, 10)",
)


@pytest.fixture(scope="package")
def server(servers_folder: Path) -> Iterator[ServerState]:
    with running_server(servers_folder, "mysql-latest", "replicate-command") as state:
        yield state


@pytest.fixture
def access(server: ServerState) -> Iterator[dict[str, Any]]:
    """Give the access to a server with two databases."""
    do(server, *SETUP)
    yield {name: getattr(server, name) for name in ("host", "port", "user", "password")}
    do(server, "DROP DATABASE shop", "DROP DATABASE IF EXISTS `other.db`")
