"""Changes of a table made on a real server: from its log, and from its SELECT."""

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import read_batches
from samples.truth import fetch_rows
from tests.live.random_values import Sql, Value, source_of
from tests.live.servers import ServerState

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
        """Whether it is MySQL, and not MariaDB."""
        return self.state.server.startswith("mysql")


@dataclass(frozen=True)
class Capture:
    """A log that holds the changes of one table, and what SELECT says of them."""

    log: Path
    table: str
    expected: list[Change]

    def changes(self, engine: str) -> list[Change]:
        """Return the changes that the log holds."""
        found: list[Change] = []
        for batch in read_batches(self.log, table=self.table, engine=engine):
            # With the names of its CREATE TABLE, whatever metadata the log has.
            kinds, ids = (batch.column(name).to_pylist() for name in ("_change_type", "id"))
            values = batch.column("v")
            shown = [comparable(value) for value in python_values(values)]
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
    [(log_name, *_)] = fetch_rows(
        connection, "SHOW BINARY LOG STATUS" if server.is_mysql else "SHOW MASTER STATUS"
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
    expected = [(kind, i, from_text(data_type, v)) for kind, i, v in logged]
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
    form = {"bit": "CAST(v AS UNSIGNED)", "float": "v * 1e0", "double": "v * 1e0"}.get(
        data_type, "v"
    )
    is_binary = data_type in ("geometry", "point", "vector") or "binary" in data_type
    if is_binary or "blob" in data_type or charset == "binary":
        form = "HEX(v)"
    rows = fetch_rows(server.connection, f"SELECT id, {form} FROM {table} ORDER BY id")  # noqa: S608
    return data_type, {int(i): value for i, value in rows}


def from_text(data_type: str, text: str | None) -> object:
    """Return the server's text of a value in the form of `comparable`."""
    if text is None:
        return None
    if data_type in ("float", "double"):
        return repr(float(text))
    if data_type == "time":
        sign, hours, minutes, seconds = re.fullmatch(r"(-?)(\d+):(\d+):(.+)", text).groups()  # type: ignore[union-attr]
        micros = (int(hours) * 60 + int(minutes)) * 60_000_000 + int(Decimal(seconds) * 10**6)
        return -micros if sign else micros
    if data_type in ("date", "datetime", "timestamp"):
        try:
            parsed = datetime.fromisoformat(text)
        except ValueError:  # in no calendar
            return None
        return comparable(parsed.date() if data_type == "date" else parsed)
    if data_type in ("bit", "year") or (data_type.endswith("int") and data_type != "point"):
        return str(int(text))
    return text


def python_values(values: pa.Array) -> list[Any]:
    """Return Arrow values as Python's."""
    found: list[Any] = values.to_pylist()
    return found


def comparable(value: Any) -> object:
    """Return a value in a form in which equal means the same: text, or microseconds of a TIME."""
    if isinstance(value, dict):
        value = value["srid"].to_bytes(4, "little") + value["wkb"]
    if isinstance(value, list):
        value = struct.pack(f"<{len(value)}f", *value)
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ", "microseconds")
    if isinstance(value, date):
        return value.isoformat()
    return value
