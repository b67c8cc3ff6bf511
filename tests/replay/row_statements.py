"""Statements that change rows, as text."""

from __future__ import annotations

import random
from typing import Any

from tests.live.capture import literal
from tests.live.random_values import Value
from tests.replay.tables import Key, Table, quote

FEW_IDS = ("parent", "watched")  # tables whose rows have ids up to 40, so that they are hit often


class RowStatements:
    """Random statements."""

    def __init__(self, source: random.Random, connection: Any, flavor: str) -> None:
        self._source = source
        self._connection = connection
        self._flavor = flavor
        self._next_id = 0

    def change(self, table: Table, other: Table) -> str:
        """Return a statement that changes rows."""
        if self._source.random() < 0.1:
            change = self._source.choice([self._update_two, self._update_two, self._delete_two])
            return change(table, other)
        weights = {self._update: 8, self._update_json: 3, self._delete: 4}
        if not table.is_copied:
            weights |= {self._insert: 8, self._replace: 2, self._upsert: 3, self._update_key: 1}
            weights[self._copy_rows] = 2 if self._gets_ids(table) else 0
        [change_one] = self._source.choices(list(weights), list(weights.values()))
        return change_one(table)

    def _gets_ids(self, table: Table) -> bool:
        """Return whether a row needs no id of its own."""
        return table.key in (Key.PRIMARY, Key.NONE) and table.name not in FEW_IDS

    def _literal(self, value: Value) -> str:
        return literal(self._connection, value)

    def _rows(self, table: Table, *, of_all_columns: bool = False) -> tuple[str, str]:
        """Return a list of columns and rows to insert."""
        source = self._source
        share = 1.0 if of_all_columns else 0.8
        columns = [c for c in table.columns if source.random() < share] or [table.columns[0]]
        source.shuffle(columns)
        rows = []
        for _ in range(source.choice([1, 1, 1, 2, 3, 10, 25])):
            cells = [self._literal(column.draw(source)) for column in columns]
            rows.append(f"({', '.join([self._id(table), *cells])})")
        return ", ".join(["id", *(quote(c.name) for c in columns)]), ", ".join(rows)

    def _id(self, table: Table) -> str:
        if self._source.random() < 0.5 and self._gets_ids(table):
            return "NULL"  # the next one
        if table.name in FEW_IDS:
            return str(self._source.randint(1, 40))
        if self._source.random() < 0.1:
            return str(self._source.randint(1, max(1, self._next_id)))
        self._next_id += 1
        return str(self._next_id)

    def _insert(self, table: Table) -> str:
        names, rows = self._rows(table)
        ignore = "IGNORE " if self._source.random() < 0.5 else ""
        return f"INSERT {ignore}INTO {quote(table.name)} ({names}) VALUES {rows}"

    def _replace(self, table: Table) -> str:
        # With a minimal image, MariaDB does not log the columns of a row replaced that get their
        # defaults; nobody can tell then that they changed.
        of_all_columns = self._flavor == "mariadb"
        names, rows = self._rows(table, of_all_columns=of_all_columns)
        return f"REPLACE INTO {quote(table.name)} ({names}) VALUES {rows}"

    def _upsert(self, table: Table) -> str:
        names, rows = self._rows(table)
        return (
            f"INSERT INTO {quote(table.name)} ({names}) VALUES {rows}"
            f" ON DUPLICATE KEY UPDATE {self._assignments(table)}"
        )

    def _copy_rows(self, table: Table) -> str:
        """INSERT ... SELECT of the table's own rows."""
        names = ", ".join(quote(c.name) for c in table.columns if self._source.random() < 0.8)
        names = names or quote(table.columns[0].name)
        name = quote(table.name)
        return (
            f"INSERT INTO {name} ({names}) SELECT {names} FROM {name}"
            f" LIMIT {self._source.randint(1, 8)}"
        )

    def _assignments(self, table: Table) -> str:
        source = self._source
        columns = source.sample(table.columns, k=min(len(table.columns), source.randint(1, 4)))
        parts = []
        for column in columns:
            name = quote(column.name)
            choice = source.random()
            if column.sql_type == "INT" and choice < 0.3:
                parts.append(f"{name} = {name} + 1")
            elif choice < 0.1:
                parts.append(f"{name} = {name}")
            elif choice < 0.2 and not table.is_copied:
                parts.append(f"{name} = DEFAULT({name})")
            else:
                parts.append(f"{name} = {self._literal(column.draw(source))}")
        return ", ".join(parts)

    def _condition(self, table: Table) -> str:
        """Return WHERE, ORDER BY and LIMIT that leave few rows."""
        source = self._source
        choice = source.random()
        number = source.randint(2, 9)
        if choice < 0.4:
            where = f"WHERE id % {number} = {source.randrange(number)}"
        elif choice < 0.6:
            where = f"WHERE n BETWEEN {(low := source.randint(-20, 100))} AND {low + number}"
        elif choice < 0.7:
            where = f"WHERE {quote(source.choice(table.columns).name)} IS NULL"
        else:
            where = ""
        order = source.choice(["", " ORDER BY id", " ORDER BY n DESC"])
        return f"{where}{order} LIMIT {source.randint(1, 30)}"

    def _update(self, table: Table) -> str:
        return f"UPDATE {quote(table.name)} SET {self._assignments(table)} {self._condition(table)}"

    def _update_key(self, table: Table) -> str:
        """Move rows to other keys; one may take the key that another has left."""
        step = self._source.choice([1, -1, 1000])
        order = "DESC" if step > 0 else "ASC"
        return (
            f"UPDATE {quote(table.name)} SET id = id + {step} ORDER BY id {order}"
            f" LIMIT {self._source.randint(1, 10)}"
        )

    def _update_json(self, table: Table) -> str:
        """Change parts of documents in their place."""
        source = self._source
        columns = [c for c in table.columns if c.sql_type == "JSON"]
        if not columns:
            return self._update(table)
        name = quote(source.choice(columns).name)
        changes = [
            f"JSON_SET({name}, '$.a', {source.randint(0, 10**9)})",
            f"JSON_SET({name}, '$.a', 'x', '$.b', JSON_ARRAY(1, 2))",
            f"JSON_REPLACE({name}, '$.a', 'yy', '$[0]', {source.randint(0, 99)})",
            f"JSON_REMOVE({name}, '$.a')",
            f"JSON_REMOVE({name}, '$[0]')",
            f"JSON_SET({name}, '$[1]', '{'z' * source.randint(0, 300)}')",
        ]
        return (
            f"UPDATE {quote(table.name)} SET {name} = {source.choice(changes)}"
            f" {self._condition(table)}"
        )

    def _delete(self, table: Table) -> str:
        return f"DELETE FROM {quote(table.name)} {self._condition(table)}"

    def _update_two(self, table: Table, other: Table) -> str:
        """Change two tables in one statement."""
        source = self._source
        assigned = []
        for alias, chosen in (("a", table), ("b", other)):
            column = source.choice(chosen.columns)
            value = self._literal(column.draw(source))
            assigned.append(f"{alias}.{quote(column.name)} = {value}")
        return (
            f"UPDATE {quote(table.name)} a JOIN {quote(other.name)} b ON a.n = b.n"
            f" SET {', '.join(assigned)} WHERE a.id % 5 = {source.randrange(5)}"
        )

    def _delete_two(self, table: Table, other: Table) -> str:
        """Delete from two tables in one statement."""
        return (
            f"DELETE a, b FROM {quote(table.name)} a JOIN {quote(other.name)} b ON a.n = b.n"
            f" WHERE a.id % 9 = {self._source.randrange(9)}"
        )
