"""Changes of a table made on a real server: from its log, and from its SELECT."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark_adapter import read_batches
from samples.truth import fetch_rows
from tests.live.random_values import Sql, Value, source_of
from tests.live.servers import Feature, ServerState, server_named
from tests.truth.cells import arrow_cell, select_form, selected_cell

DATABASE = "live"

# Name of each server that values are written to, and the table metadata that it is set to log.
SERVERS = (
    ("mysql-latest", "FULL"),
    ("mysql-latest", "MINIMAL"),
    ("mariadb-11.8", "FULL"),
    ("mariadb-11.8", "NO_LOG"),
)
Change = tuple[str, int, object]


@dataclass(frozen=True)
class LiveServer:
    """A started server.

    Attributes:
        state: how to reach it.
        connection: as root, in time zone UTC; its values are the text that the server sends.
    """

    state: ServerState
    connection: Any

    @property
    def is_mysql(self) -> bool:
        return self.state.server.startswith("mysql")


@dataclass(frozen=True)
class Capture:
    """A log that holds the changes of one table, and what SELECT says of them."""

    log: Path
    table: str
    expected: list[Change]

    def changes(self) -> list[Change]:
        """Return the changes that the log holds."""
        found: list[Change] = []
        for batch in read_batches(self.log, table=self.table):
            # With the names of its CREATE TABLE, whatever metadata the log has.
            kinds, ids = (batch.column(name).to_pylist() for name in ("_change_type", "id"))
            values = batch.column("v")
            shown = [arrow_cell(value) for value in values.to_pylist()]
            found += zip(kinds, ids, shown, strict=True)
        return found


def write_and_capture(server: LiveServer, sql_type: str, values: Sequence[Value]) -> Capture:
    """Insert values into a column of a new table, update and delete some, and return it all.

    NULL and, for the updates, the values in another order come along.
    """
    connection = server.connection
    # A word of its own for each table of a server: the log says so itself if two are confused.
    name = "t_" + re.sub(r"\W+", "_", sql_type.lower())[:40] + f"_{len(values)}"
    table = f"{DATABASE}.{name}"
    rows = [*values, None]
    fetch_rows(connection, "FLUSH BINARY LOGS")
    is_new = server_named(server.state.server).has(Feature.NEW_WORDS)
    [(log_name, *_)] = fetch_rows(
        connection, "SHOW BINARY LOG STATUS" if is_new else "SHOW MASTER STATUS"
    )
    fetch_rows(connection, f"DROP TABLE IF EXISTS {table}")
    fetch_rows(connection, f"CREATE TABLE {table} (id INT PRIMARY KEY, v {sql_type} NULL)")
    pairs = ", ".join(f"({i}, {literal(connection, value)})" for i, value in enumerate(rows))
    fetch_rows(connection, f"INSERT INTO {table} VALUES {pairs}")  # noqa: S608
    data_type, before = select(server, table)
    updated = source_of(sql_type).sample(range(len(rows)), k=min(len(rows), 8))
    for i in updated:
        other = literal(connection, rows[(i + 1) % len(rows)])
        fetch_rows(connection, f"UPDATE {table} SET v = {other} WHERE id = {i}")  # noqa: S608
    _, after = select(server, table)
    fetch_rows(connection, f"DELETE FROM {table} WHERE id % 3 = 1 ORDER BY id")  # noqa: S608
    fetch_rows(connection, "FLUSH BINARY LOGS")

    logged: list[tuple[str, int, str | None]] = [("insert", i, v) for i, v in before.items()]
    for i in updated:
        if before[i] != after[i]:  # else the server logs nothing
            logged.append(("update_preimage", i, before[i]))
            logged.append(("update_postimage", i, after[i]))
    logged += [("delete", i, v) for i, v in after.items() if i % 3 == 1]
    expected = [(kind, i, selected_cell(data_type, v)) for kind, i, v in logged]
    return Capture(Path(server.state.binlog_dir) / log_name, table, expected)


def literal(connection: Any, value: Value) -> str:
    """Return a value as SQL writes it."""
    return value.expression if isinstance(value, Sql) else str(connection.escape(value))


def select(server: LiveServer, table: str) -> tuple[str, dict[int, str | None]]:
    """Return the type of the column, and by id the values that the server selects, as text."""
    database_name, table_name = table.split(".")
    [(data_type, charset)] = fetch_rows(
        server.connection,
        "SELECT data_type, character_set_name FROM information_schema.columns"
        " WHERE table_schema = %s AND table_name = %s AND column_name = 'v'",
        database_name,
        table_name,
    )
    form = select_form(data_type, charset).format("v")
    rows = fetch_rows(server.connection, f"SELECT id, {form} FROM {table} ORDER BY id")  # noqa: S608
    return data_type, {int(i): value for i, value in rows}
