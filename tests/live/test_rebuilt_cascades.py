"""Rows that foreign keys deleted or changed below the log are as SELECT had them after `undo`.

`CASCADE_SERVERS` and `CASCADE_SEEDS` try more servers, and more workloads on each.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymysql
import pytest

from pyspark_adapter import redo_statements, undo_statements
from tests.live.servers import ServerState, connected_server
from tests.replay.undo import _execute as execute

pytestmark = pytest.mark.live

SERVERS = os.environ.get("CASCADE_SERVERS", "mysql-8.0,mariadb-11.8").split(",")
SEEDS = range(int(os.environ.get("CASCADE_SEEDS", "1")))
STEPS = 160
MARKS = 4
# Names that differ in case alone are one value to the server, and not the same bytes.
CODES = ["a", "B", "ö", "日本", "x y", "Z9"]
TABLES = {
    "p": "id INT PRIMARY KEY, code VARCHAR(20) NULL UNIQUE, note TEXT",
    "c": (
        "id INT PRIMARY KEY AUTO_INCREMENT, p_id INT, amount DECIMAL(8,2), changed TIMESTAMP NULL"
        " DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,"
        " FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE"
    ),
    "line": (
        "p_id INT, n INT, body BLOB, PRIMARY KEY (p_id, n),"
        " CONSTRAINT of_p FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE"
    ),
    "part": (
        "id BIGINT PRIMARY KEY, line_p INT, line_n INT, KEY (line_p, line_n),"
        " FOREIGN KEY (line_p, line_n) REFERENCES line (p_id, n) ON DELETE CASCADE"
        " ON UPDATE CASCADE"
    ),
    "loose": (
        "id INT PRIMARY KEY, p_id INT NULL, c_id INT NULL,"
        " FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE SET NULL ON UPDATE CASCADE,"
        " FOREIGN KEY (c_id) REFERENCES c (id) ON DELETE SET NULL ON UPDATE SET NULL"
    ),
    "keyless": (
        "code VARCHAR(20), v DOUBLE, FOREIGN KEY (code) REFERENCES p (code) ON DELETE CASCADE"
        " ON UPDATE CASCADE"
    ),
    "tree": (
        "id INT PRIMARY KEY, parent INT NULL,"
        " FOREIGN KEY (parent) REFERENCES tree (id) ON DELETE CASCADE"
    ),
    "list": (
        "id INT PRIMARY KEY, next INT NULL,"
        " FOREIGN KEY (next) REFERENCES list (id) ON DELETE SET NULL"
    ),
}


class Shop:
    """A database whose tables are changed at random."""

    def __init__(self, state: ServerState, connection: Any, seed: int) -> None:
        self.state = state
        self.connection = connection
        self.name = f"cascades_{seed}"
        self.source = random.Random(seed)  # noqa: S311
        self.run("CREATE DATABASE " + self.name)
        self.run("USE " + self.name)
        self.first = self.place()
        for table, columns in TABLES.items():
            self.run(f"CREATE TABLE {table} ({columns}) ENGINE=InnoDB CHARSET=utf8mb4")

    def run(self, statement: str) -> bool:
        """Run a statement; return whether the server took it: not if a foreign key forbids it."""
        try:
            self.connection.query(statement)
        except pymysql.err.IntegrityError:
            return False
        return True

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    def place(self) -> str:
        """Return the end of the log."""
        try:
            [[log, offset, *_]] = self.ask("SHOW BINARY LOG STATUS")
        except pymysql.MySQLError:
            [[log, offset, *_]] = self.ask("SHOW MASTER STATUS")
        return f"{log}:{offset}"

    def rows(self) -> dict[str, Counter[tuple[Any, ...]]]:
        return {table: Counter(self.ask(f"SELECT * FROM {table}")) for table in TABLES}

    def logs(self) -> list[Path]:
        """Return the logs since the database was made."""
        names = [row[0] for row in self.ask("SHOW BINARY LOGS")]
        first = self.first.partition(":")[0]
        folder = Path(self.state.binlog_dir)
        return [folder / str(name) for name in names if str(name) >= first]

    def one(self, table: str, column: str = "id") -> Any:
        """Return a value of a row at random; a number that no row has if there are none."""
        found = self.ask(f"SELECT {column} FROM {table} ORDER BY 1")
        value = self.source.choice(found)[0] if found else 0
        return "NULL" if value is None else repr(value)

    def step(self) -> None:
        """Change something."""
        pick, number = self.source.choice, self.source.randint(1, 999)
        if self.source.random() < 0.05:
            self.run("FLUSH LOGS")
        code = pick([*map(repr, CODES), "NULL"])
        statements = [
            f"INSERT INTO p VALUES ({number}, {code}, 'note {number}')",
            f"INSERT INTO p VALUES ({number + 1000}, NULL, NULL), ({number + 3000}, NULL, 'n')",
            f"INSERT INTO c (p_id, amount) VALUES ({self.one('p')}, {number}), (NULL, 1)",
            f"INSERT INTO line VALUES ({self.one('p')}, {number % 7}, X'00FF')",
            "INSERT INTO part SELECT COALESCE(MAX(id), 0) + 1, p_id, n FROM part RIGHT JOIN line"
            " ON TRUE GROUP BY p_id, n LIMIT 1",
            f"INSERT INTO loose VALUES ({number}, {self.one('p')}, {self.one('c')})",
            f"INSERT INTO keyless VALUES ({self.one('p', 'code')}, 0.1), (NULL, NULL)",
            f"INSERT INTO tree VALUES ({number}, {pick([self.one('tree'), 'NULL'])})",
            f"INSERT INTO list VALUES ({number}, {pick([self.one('list'), 'NULL'])})",
            f"UPDATE c SET p_id = {self.one('p')}, amount = amount + 1 WHERE id = {self.one('c')}",
            f"UPDATE p SET id = {number + 5000} WHERE id = {self.one('p')}",
            f"UPDATE p SET code = {code} WHERE id = {self.one('p')}",
            f"UPDATE c SET id = {number + 7000} WHERE id = {self.one('c')}",
            f"UPDATE loose SET p_id = NULL WHERE id = {self.one('loose')}",
            f"UPDATE keyless SET v = {number} LIMIT 1",
            f"DELETE FROM p WHERE id = {self.one('p')}",
            f"DELETE FROM c WHERE id = {self.one('c')}",
            f"DELETE FROM tree WHERE id = {self.one('tree')}",
            f"DELETE FROM list WHERE id = {self.one('list')}",
            f"DELETE FROM list WHERE id <= {self.one('list')}",
            f"DELETE FROM p WHERE id BETWEEN {number} AND {number + 200}",
        ]
        weights = [3] * 9 + [2] * 6 + [1] * 6
        for statement in self.source.choices(statements, weights, k=self.source.randint(1, 3)):
            self.run(statement)


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[tuple[Any, Any]]:
    with connected_server(servers_folder, request.param, f"cascades-{request.param}") as server:
        yield server


@pytest.mark.parametrize("seed", SEEDS)
def test_undo_gives_back_what_foreign_keys_did(server: tuple[Any, Any], seed: int) -> None:
    state, connection = server
    connection.query("SET NAMES utf8mb4")
    shop = Shop(state, connection, seed)
    marks = []
    for _ in range(MARKS):
        for _ in range(STEPS // MARKS):
            shop.run("BEGIN")
            shop.step()
            shop.run(shop.source.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"]))
        marks.append((shop.place(), shop.rows()))
    *marks, (end, last) = marks
    connection.query("SET sql_log_bin = 0")
    num_rebuilt = 0
    for place, wanted in reversed(marks):
        for way, expected in ((undo_statements, wanted), (redo_statements, last)):
            lines = list(
                way(
                    shop.logs(),
                    databases=shop.name,
                    starting_position=place,
                    ending_position=end,
                    rebuild_cascades=True,
                )
            )
            num_rebuilt += sum(line.startswith("-- Rebuilt") for line in lines)
            execute(connection, lines)
            found = shop.rows()
            for table in TABLES:
                assert found[table] == expected[table], f"{way.__name__} {place} {table}"
    connection.query("SET sql_log_bin = 1")
    assert num_rebuilt > 20
