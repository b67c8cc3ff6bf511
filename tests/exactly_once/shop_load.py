# ruff: noqa: S608 - numbers and names in statements
"""A database whose rows change at random until the load is stopped."""

from __future__ import annotations

import random
import threading
from collections import Counter
from typing import Any, Final

from tests.live.servers import ServerState, connect

TABLES: Final = {
    "orders": "id INT PRIMARY KEY, customer INT, note VARCHAR(40)",
    "lines": "a INT, b VARCHAR(9), customer INT, PRIMARY KEY (b, a)",
}


class Load(threading.Thread):
    """Changes rows at random, and counts what Debezium makes of them."""

    def __init__(self, state: ServerState) -> None:
        super().__init__(daemon=True)
        self.expected: Counter[str] = Counter()
        self._connection = connect(state)
        self._source = random.Random(4)  # noqa: S311 - to do the same again
        self._stopped = threading.Event()
        self.do("CREATE DATABASE shop")
        for table, columns in TABLES.items():
            self.do(f"CREATE TABLE shop.{table} ({columns})")

    def do(self, sql: str) -> int:
        """Run a statement; return how many rows it changed."""
        with self._connection.cursor() as cursor:
            return int(cursor.execute(sql))

    def run(self) -> None:
        """Insert, update, change keys and delete until it is stopped."""
        for number in range(1_000_000):
            if self._stopped.wait(0.01):
                return
            some = self._source.randrange(number + 1)
            rows = [(number * 10 + k, self._source.randrange(100)) for k in range(3)]
            orders = ", ".join(f"({n}, {c}, 'é{n}')" for n, c in rows)
            self.expected["c"] += self.do(f"INSERT INTO shop.orders VALUES {orders}")
            lines = ", ".join(f"({n}, 'x{n % 7}', {c})" for n, c in rows)
            self.expected["c"] += self.do(f"INSERT INTO shop.lines VALUES {lines}")
            update = f"UPDATE shop.orders SET note = 'n{number}' WHERE id BETWEEN {some * 10} AND"
            self.expected["u"] += self.do(f"{update} {some * 10 + 1}")
            moved = self.do(
                f"UPDATE shop.lines SET b = CONCAT(b, 'y') WHERE a = {some * 10} AND LENGTH(b) < 9"
            )
            self.expected.update({"c": moved, "d": moved})
            self.expected["d"] += self.do(f"DELETE FROM shop.orders WHERE id = {some * 10 + 2}")

    def stop(self) -> None:
        """End, when the last statement is done."""
        self._stopped.set()
        self.join()

    def close(self) -> None:
        self._connection.close()

    def rows(self, table: str) -> list[Any]:
        """Return the rows of a table, in order."""
        with self._connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM shop.{table}")
            return sorted(map(list, cursor.fetchall()))
