"""Statements on a server, and the rows of its copies."""

from __future__ import annotations

from contextlib import closing

import pyarrow as pa

from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location
from tests.live.servers import ServerState, connect


def do(server: ServerState, *statements: str) -> None:
    with closing(connect(server)) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        connection.commit()


def rows_of(lake: Location, *names: str) -> pa.Table:
    place = lake
    for name in names:
        place = place.child(name)
    found = open_delta(place)
    return None if found is None else found.to_pyarrow_table().sort_by("id").to_pylist()
