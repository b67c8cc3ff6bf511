"""Delta tables compared with what a server selects, cell by cell."""

from __future__ import annotations

import re
import struct
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from deltalake import DeltaTable

from tests.exactly_once.replica_load import DATABASE
from tests.live.servers import ServerState, connect


def compare_tables(state: ServerState, tables: Path) -> tuple[int, int]:
    """Compare each Delta table with SELECT, cell by cell; return how many tables and rows."""
    num_rows = 0
    with closing(connect(state, database=DATABASE)) as connection, connection.cursor() as cursor:
        cursor.execute("SET time_zone = '+00:00'")
        cursor.execute(
            "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS"
            f" WHERE TABLE_SCHEMA = '{DATABASE}' ORDER BY ORDINAL_POSITION"
        )
        columns: dict[str, dict[str, str]] = {}
        for table, column, kind in cursor.fetchall():
            columns.setdefault(table, {})[column] = kind
        folders = {folder_of(table): table for table in columns}
        assert {path.name for path in tables.iterdir()} == set(folders)
        for folder, table in folders.items():
            kinds = columns[table]
            if "mariadb" in state.server:
                kinds = {n: kind.replace("vector", "varbinary") for n, kind in kinds.items()}
            shown = [ASKED.get(kind, "{}").format(f"`{name}`") for name, kind in kinds.items()]
            cursor.execute(f"SELECT {', '.join(shown)} FROM `{table}`")
            wanted = sorted(repr(tuple(map(cell, row))) for row in cursor.fetchall())
            found = DeltaTable(tables / folder).to_pyarrow_table()
            assert {*found.column_names} == {*kinds}, table  # Delta keeps the order of before
            rows = zip(*(found[name].to_pylist() for name in kinds), strict=True)
            assert sorted(repr(tuple(map(cell, row))) for row in rows) == wanted, table
            num_rows += len(wanted)
    return len(columns), num_rows


def folder_of(table: str) -> str:
    """Return the name of the folder of a Delta table."""
    return re.sub(r"[^\w $-]", lambda found: f"@{ord(found[0]):04x}", table)


DATE_OF_NO_CALENDAR: Final = re.compile(r"\d{4}-\d\d-\d\d($| \d\d:)")
ASKED: Final = {
    "float": "{} * 1e0",
    "bit": "{} + 0",
    "time": "CAST({} AS CHAR)",
    "vector": "HEX({})",
    "uuid": "CAST({} AS BINARY(16))",
    "inet6": "CAST({} AS BINARY(16))",
    "inet4": "CAST({} AS BINARY(4))",
}


def cell(value: Any) -> Any:
    """Return a value in a form that is the same for Delta and for PyMySQL."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, int):
        return f"{value}"  # decimal in a column for BIGINT UNSIGNED
    if isinstance(value, str) and DATE_OF_NO_CALENDAR.match(value):
        return None
    if isinstance(value, dict):
        return value["srid"].to_bytes(4, "little") + value["wkb"]
    if isinstance(value, list):
        return struct.pack(f"<{len(value)}f", *value).hex().upper()
    return value
