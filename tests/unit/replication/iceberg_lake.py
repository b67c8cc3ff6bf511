"""A lake with one Iceberg table, which tests copy, change and remove."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter.replication.changes import net_changes
from pyspark_adapter.replication.iceberg_tables import IcebergTables
from pyspark_adapter.replication.lake import StateFile
from pyspark_adapter.sources.locations import Location

PART = ("part", pa.decimal128(20, 0))
SCHEMA = pa.schema([("id", pa.int32()), PART, ("small", pa.int8()), ("note", pa.string())])
KEY = ["part", "id"]


class Lake:
    """A lake with one table."""

    def __init__(self, folder: Path) -> None:
        self.lake = Location.parse(folder / "a lake")
        self.state = StateFile(self.lake, "iceberg")
        self.tables = IcebergTables(self.lake)
        self.place = self.lake.child("shop").child("t@2Fx")

    def copy(self, rows: pa.Table, version: int) -> Any:
        return self.tables.copy(self.place, self.opened, rows.to_reader(), version)

    def merge(self, changes: list[tuple[str, *tuple[Any, ...]]], version: int, names: str) -> None:
        """Apply changes: their kind, and then the values of the columns."""
        columns = names.split()
        table = self.opened
        schema = self.tables.schema(table)
        values = {name: [c[i + 1] for c in changes] for i, name in enumerate(columns)}
        arrays = [pa.array(values[name], schema.field(name).type) for name in columns]
        kinds = pa.array([kind for kind, *_ in changes])
        rows = pa.table([kinds, *arrays], names=["_change_type", *columns])
        net = net_changes(rows, KEY)
        assert net is not None
        self.tables.merge(self.place, table, net, KEY, version)

    @property
    def opened(self) -> Any:
        """The table as it is now."""
        return self.tables.open(self.place)

    def rows(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the rows as another reader finds them."""
        tables = IcebergTables(self.lake)
        table = tables.open(self.place)
        assert table is not None
        found = table.scan().to_arrow()
        tables.close()
        return sorted(tuple(row[n] for n in names) for row in found.to_pylist())


@contextmanager
def opened_lake(folder: Path) -> Iterator[Lake]:
    found = Lake(folder)
    yield found
    found.tables.close()
    found.state.close()


def table(ids: range, note: str) -> pa.Table:
    rows = [{"id": i, "part": Decimal(i % 2), "small": i % 9, "note": note} for i in ids]
    return pa.Table.from_pylist(rows, SCHEMA)


def copy_and_close(folder: Path, version: int) -> None:
    """Copy the table of a lake in a folder, which is opened for it."""
    lake = Location.parse(folder / "a lake")
    place = lake.child("shop").child("t@2Fx")
    with closing(StateFile(lake, "iceberg")), closing(IcebergTables(lake)) as tables:
        tables.copy(place, tables.open(place), table(range(3), "new").to_reader(), version)
