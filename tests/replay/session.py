"""Statements sent to a server, their places in its logs, and what the server selects."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import Any, NamedTuple

import pymysql

from samples.truth import fetch_rows, quoted
from tests.live.servers import Feature, ServerState, server_named
from tests.replay.timeline import Event, Looked, Mark, Selected
from tests.truth.cells import Cell, arrow_cell, is_binary, select_form, selected_cell

# Errors that a random statement may end in, and that leave the transaction as it was.
TOLERATED = {
    1048: "NULL where it cannot be",
    1062: "a key twice",
    1093: "a table read and written",
    1118: "a row too large",
    1178: "GEOMETRY in partitions",
    1264: "out of range",
    1292: "not a value",
    1364: "no default",
    1366: "not a value",
    1406: "too long",
    1442: "a table that the triggers of the statement write",
    1451: "a parent with children",
    1452: "a child without parent",
    1690: "out of range",
    1761: "a foreign key would give a key twice",
    1762: "a foreign key would give a key twice",
    1785: "other engines together with GTIDs",
    1786: "CREATE TABLE ... SELECT with GTIDs, before MySQL 8.0.21",
    3140: "not a document",
    3157: "a document too deep: one of 100 levels, put into an array",
    3854: "text that a character set does not have",
    4025: "not a document",
}
COLUMNS = """
    SELECT column_name, data_type, character_set_name, column_type
    FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = %s
    ORDER BY ordinal_position
"""


class Facts(NamedTuple):
    """What `information_schema` says about a column."""

    data_type: str
    charset: str | None
    sql_type: str


class Session:
    """A connection that writes down what it did.

    Attributes:
        statements: all that were sent, in order.
        marks: events so far.
        errors: how many statements ended in which error.
    """

    def __init__(self, state: ServerState, connection: Any) -> None:
        self.state = state
        self.connection = connection
        self.statements: list[str] = []
        self.marks: list[Mark] = []
        self.errors: dict[int, int] = {}
        self._versions: list[int] = []
        self._last_statements: list[int] = []
        is_new = server_named(state.server).has(Feature.NEW_WORDS)
        self._status = "SHOW BINARY LOG STATUS" if is_new else "SHOW MASTER STATUS"
        self.query("SET time_zone = '+00:00'")
        self.query("SET sql_mode = 'ALLOW_INVALID_DATES'")

    def query(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query that changes nothing."""
        return fetch_rows(self.connection, sql, *values)

    def execute(self, sql: str) -> bool:
        """Send a statement; return whether it did not end in an error that may be.

        Raises:
            pymysql.MySQLError: any other error.
        """
        self.statements.append(sql)
        try:
            self.connection.query(sql)
        except pymysql.MySQLError as error:
            code = error.args[0]
            if code not in TOLERATED:
                raise
            self.errors[code] = self.errors.get(code, 0) + 1
            return False
        return True

    def version(self) -> int:
        """Return the version of the next transaction, and note that statements up to here end."""
        log, position, *_ = self.query(self._status)[0]
        version = (int(log.rpartition(".")[2]) << 40) + int(position)
        self._versions.append(version)
        self._last_statements.append(len(self.statements))
        return version

    def mark(self, event: Event, version: int | None = None) -> None:
        """Note an event that has happened now, or at a version."""
        version = self.version() if version is None else version
        self.marks.append(Mark(version, len(self.statements), event))

    def statements_at(self, version: int) -> tuple[int, int]:
        """Return the numbers of the statements that may have made the transaction of a version.

        They are counted from 0; the second is the one after the last.
        """
        place = bisect_right(self._versions, version)
        first = self._last_statements[place - 1] if place else 0
        last = self._last_statements[place] if place < len(self._versions) else first
        return first, max(last, first + 1)

    def log(self) -> Path:
        """Return the log that is being written."""
        return Path(self.state.binlog_dir) / str(self.query(self._status)[0][0])

    def write(self, path: Path) -> None:
        """Write all statements into a file."""
        path.write_text(";\n".join(self.statements) + ";\n", errors="surrogateescape")

    def look(self, tables: list[str]) -> None:
        """Ask the server for all rows of tables, and note them."""
        self.mark(Looked(tuple(self.select(table) for table in tables)))

    def describe(self, table: str) -> dict[str, Facts]:
        """Return what is known of each column, by name and in their order, hidden ones too."""
        return {name: Facts(*facts) for name, *facts in self.query(COLUMNS, table)}

    def select(self, table: str) -> Selected:
        described = self.describe(table)
        wanted = [
            select_form(facts.data_type, facts.charset).format(quoted(name))
            for name, facts in described.items()
        ]
        rows = self.query(f"SELECT {', '.join(wanted)} FROM {quoted(table)}")
        cells = (
            tuple(
                selected_cell(facts.data_type, text)
                for text, facts in zip(row, described.values(), strict=True)
            )
            for row in rows
        )
        return Selected(table, tuple(described), tuple(cells))

    def default_cell(self, text: str, facts: Facts) -> Cell:
        """Return a default as it is compared with a logged value."""
        if is_binary(facts.data_type, facts.charset):
            return arrow_cell(text.encode())
        return selected_cell(facts.data_type, text)
