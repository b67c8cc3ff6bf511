"""Statements on a server, and the rows of its copies."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable

from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location
from samples.truth import fetch_rows
from tests.exactly_once.replica_tables import LakeTables
from tests.live.servers import ServerState, connect


def do(server: ServerState, *statements: str) -> None:
    with closing(connect(server)) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        connection.commit()


def rows_of(lake: Location, *names: str, table_format: str = "delta", catalog: str = "") -> Any:
    """Return the rows of a table, by its folders; None if there is no table."""
    if table_format == "delta":
        place = lake
        for name in names:
            place = place.child(name)
        found = open_delta(place)  # also one of others
        rows = None if found is None else found.to_pyarrow_table()
    else:
        with closing(LakeTables(lake, table_format, catalog)) as tables:
            rows = tables.read(*names)
    return None if rows is None else rows.sort_by("id").to_pylist()


def copied_rows(copy: Any) -> pa.Table:
    """Return a table as it is; that of Iceberg after it was asked for rows by its first column."""
    if isinstance(copy, DeltaTable):
        return copy.to_pyarrow_table()
    rows = copy.scan().to_arrow()
    # By a filter, which asks the bounds of files from before a statement.
    chosen = copy.scan(f"{rows.column_names[0]} >= 3").to_arrow()
    assert len(chosen) == sum(value.as_py() >= 3 for value in rows[0])
    return rows


def check_rows(server: ServerState, lake: Path, names: Iterable[str], table_format: str) -> None:
    """Check that tables, as `database.table`, have the rows that the server selects."""
    with closing(connect(server)) as connection:
        for name in names:
            found = rows_of(Location.parse(lake), *name.split("."), table_format=table_format)
            rows = fetch_rows(connection, f"SELECT * FROM {name} ORDER BY id")  # noqa: S608
            assert [tuple(row.values()) for row in found] == rows, name
