"""Tables of a lake compared with what a server selects, cell by cell."""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pyarrow import fs

from pyspark_adapter import folder_name
from pyspark_adapter.replication.delta_tables import tables_of
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location
from tests.exactly_once.replica_history import replay
from tests.exactly_once.replica_load import DATABASE
from tests.live.servers import ServerState, connect


class ComparedTables(NamedTuple):
    """What was compared.

    Attributes:
        num_tables, num_rows: of the server.
        changes: rows of the histories, by `_change_type`.
        num_fitting: old images in them that are as an earlier change left the row.
    """

    num_tables: int
    num_rows: int
    changes: dict[str, int]
    num_fitting: int


def compare_tables(
    state: ServerState, lake: Location, table_format: str = "delta", catalog: str = ""
) -> ComparedTables:
    """Compare each table, and its replayed history, with SELECT, cell by cell."""
    with closing(LakeTables(lake, table_format, catalog)) as tables:
        return _compare(state, tables)


def _compare(state: ServerState, tables: LakeTables) -> ComparedTables:
    num_rows = num_fitting = 0
    changes: Counter[str] = Counter()
    with closing(connect(state, database=DATABASE)) as connection, connection.cursor() as cursor:
        cursor.execute("SET time_zone = '+00:00'")
        cursor.execute(
            "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, EXTRA FROM information_schema.COLUMNS"
            f" WHERE TABLE_SCHEMA = '{DATABASE}' ORDER BY ORDINAL_POSITION"
        )
        columns: dict[str, dict[str, str]] = {}
        for table, column, kind, extra in cursor.fetchall():
            if "mariadb" in state.server and re.search("(STORED|VIRTUAL) GENERATED", extra):
                continue  # the log lacks them
            columns.setdefault(table, {})[column] = kind
        cursor.execute(
            "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS"
            f" WHERE TABLE_SCHEMA = '{DATABASE}' AND NON_UNIQUE = 0 ORDER BY TABLE_NAME,"
            " INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX"
        )
        keys: dict[str, dict[str, None]] = {}  # no table has two keys of other columns
        for table, column in cursor.fetchall():
            keys.setdefault(table, {})[column] = None
        folders = {folder_of(table): table for table in columns}
        assert tables.folders() == set(folders)
        for folder, table in folders.items():
            kinds = columns[table]
            if "mariadb" in state.server:
                kinds = {n: kind.replace("vector", "varbinary") for n, kind in kinds.items()}
            shown = [ASKED.get(kind, "{}").format(f"`{name}`") for name, kind in kinds.items()]
            cursor.execute(f"SELECT {', '.join(shown)} FROM `{table}`")
            wanted = sorted(repr(tuple(map(cell, row))) for row in cursor.fetchall())
            found = tables.read(DATABASE, folder)
            assert found is not None
            assert {*found.column_names} == {*kinds}, table  # Delta keeps the order of before
            assert shown_rows(found.to_pylist(), kinds) == wanted, table
            num_rows += len(wanted)
            replayed = replay(tables.newest_history(folder), [*keys.get(table, {})])
            assert shown_rows(replayed.rows, kinds) == wanted, f"the history of {table}"
            changes += replayed.kinds
            num_fitting += replayed.num_fitting
    return ComparedTables(len(columns), num_rows, dict(changes), num_fitting)


class LakeTables:
    """The tables of a lake, by the names of their folders."""

    def __init__(self, lake: Location, table_format: str, catalog: str = "") -> None:
        self._lake = lake
        self._tables: Any = tables_of(lake, table_format, catalog)

    def folders(self) -> set[str]:
        """Return the folders of the tables that are there."""
        place = self._lake.child(DATABASE)
        system, path = file_system(place)
        found = {info.base_name for info in system.get_file_info(fs.FileSelector(path))}
        # What no log or snapshot of a removed table names stays, and its folder.
        return {name for name in found if self._tables.open(place.child(name)) is not None}

    def read(self, *names: str) -> pa.Table | None:
        """Return the rows of a table; None if there is none."""
        place = self._lake
        for name in names:
            place = place.child(name)
        found = self._tables.open(place)
        if found is None:
            return None
        return pa.Table.from_batches(self._tables.rows(found), self._tables.schema(found))

    def newest_history(self, folder: str) -> pa.Table:
        """Return the last history of a table: a type that changes begins another, `orders.2`."""
        number, found = 2, self.read(f"{DATABASE}.history", folder)
        while (later := self.read(f"{DATABASE}.history", f"{folder}.{number}")) is not None:
            number, found = number + 1, later
        return found

    def close(self) -> None:
        self._tables.close()


def shown_rows(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> list[str]:
    """Return rows in a form that can be compared, sorted."""
    return sorted(repr(tuple(cell(row[name]) for name in columns)) for row in rows)


def folder_of(table: str) -> str:
    """Return the name of the folder of a Delta table."""
    return folder_name(table).replace("%", "@")


DATE_OF_NO_CALENDAR: Final = re.compile(r"\d{4}-\d\d-\d\d($| \d\d:)")
ASKED: Final = {
    "float": "{} * 1e0",
    "bit": "{} + 0",
    "time": "CAST({} AS CHAR)",
    "vector": "HEX({})",
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
