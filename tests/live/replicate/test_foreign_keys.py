"""Foreign keys that change rows below the log."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import replicate
from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.replication.run import Round
from tests.live.replicate.lakes import check_rows, do
from tests.live.servers import running_server

pytestmark = pytest.mark.live

CASCADE = "ON DELETE CASCADE ON UPDATE CASCADE"
COLUMNS = {
    "parent": "id INT PRIMARY KEY, code VARCHAR(9) UNIQUE, big BIGINT UNIQUE, v INT",
    "child": f"id INT PRIMARY KEY, p BIGINT, FOREIGN KEY (p) REFERENCES parent (big) {CASCADE}",
    "grandchild": "id INT PRIMARY KEY, c INT,"
    " FOREIGN KEY (c) REFERENCES child (id) ON DELETE SET NULL",
    "coded": "id INT PRIMARY KEY, code VARCHAR(9),"
    f" FOREIGN KEY (code) REFERENCES parent (code) {CASCADE}",
    "tree": "id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES tree (id) ON DELETE CASCADE",
    "own": "id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id)",
}
SETUP = (
    "DROP DATABASE IF EXISTS fk",
    "CREATE DATABASE fk",
    "USE fk",
    *(f"CREATE TABLE {name} ({text})" for name, text in COLUMNS.items()),
    "INSERT INTO parent VALUES (1, 'a', 10, 0), (2, 'b', 20, 0), (3, 'c', 30, 0), (4, 'd', 40, 0)",
    "INSERT INTO child VALUES (1, 10), (2, 10), (3, 20)",
    "INSERT INTO grandchild VALUES (1, 1), (2, 2), (3, 3)",
    "INSERT INTO coded VALUES (1, 'A'), (2, 'b')",
    "INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, 3), (5, NULL)",
)
# Statements of a round, and the tables that are copied after them.
CASES: tuple[tuple[tuple[str, ...], set[str]], ...] = (
    (("UPDATE parent SET v = 1",), set()),
    (("UPDATE parent SET big = 11 WHERE id = 1",), {"child", "grandchild"}),
    (("DELETE FROM parent WHERE id = 1",), {"child", "grandchild", "coded"}),
    (("UPDATE parent SET code = 'z' WHERE id = 2",), {"coded"}),
    (("DELETE FROM child WHERE id = 3",), {"grandchild"}),
    (("DELETE FROM tree WHERE id = 5",), set()),
    (("INSERT INTO tree VALUES (6, 4)", "DELETE FROM tree WHERE id = 1"), {"tree"}),
    (("ALTER TABLE coded DROP FOREIGN KEY coded_ibfk_1",), {"coded"}),
    (("DELETE FROM parent WHERE id = 4", "DELETE FROM grandchild"), set()),
)


@pytest.mark.parametrize(
    ("name", "table_format"), [("mariadb-11.8", "delta"), ("mariadb-10.11", "iceberg")]
)
def test_rows_that_foreign_keys_change_are_right(
    name: str, table_format: str, servers_folder: Path, tmp_path: Path
) -> None:
    left = [*CASES]
    tables = {*COLUMNS}  # that the round copies

    def after_round(found: Round) -> None:
        said = "\n".join(str(one.message) for one in caught)
        caught.clear()
        assert (found.error, found.num_copied) == (None, len(tables)), (left[:1], said)
        if tables == {*COLUMNS}:
            assert "reach a row: fk.child, fk.coded, fk.grandchild, fk.tree" in said
        check_rows(server, tmp_path, [f"fk.{table}" for table in COLUMNS], table_format)
        if left:
            statements, copied = left.pop(0)
            do(server, "USE fk", *statements)
            tables.clear()
            tables.update(copied)

    with (
        running_server(servers_folder, name, "replicate-keys") as server,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always", BinlogWarning)
        do(server, *SETUP)
        given: dict[str, Any] = {
            key: getattr(server, key) for key in ("host", "port", "user", "password")
        }
        given |= {"format": table_format, "after_round": after_round}
        replicate(["fk"], str(tmp_path), rounds=len(CASES) + 1, pause=0, **given)
