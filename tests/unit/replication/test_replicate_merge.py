"""Changes of a round in a Delta table, which a small one gets by being written again."""

import random
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.replication import delta_tables
from pyspark_adapter.replication.delta_tables import DeltaTables, write_rows
from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location
from tests.inputs import ROOT

SCHEMA = pa.schema(
    [
        ("id", pa.int32()),
        ("`od d", pa.decimal128(6, 2)),
        ("at", pa.timestamp("us", "UTC")),
        ("place", pa.struct([("srid", pa.int64()), ("wkb", pa.binary())])),
    ]
)
KEY = ["id", "`od d"]
NUM_KILLS = 3


def row(number: int, note: int) -> dict[str, Any]:
    """Return a row with a key of two columns."""
    wkb = {"srid": note, "wkb": b"\0" * note}
    return {"id": number, "`od d": Decimal(number) / 4, "at": None, "place": wkb}


@pytest.mark.parametrize("small", [True, False])
def test_rows_are_those_of_a_dictionary(small: bool, tmp_path: Path) -> None:
    """Random changes, in a table that is small, and in one that is not."""
    place, tables = Location.parse(tmp_path / "shop/t"), DeltaTables()
    expected = {number: row(number, 1) for number in range(20)}
    rows = pa.Table.from_pylist(list(expected.values()), SCHEMA)
    write_rows(place, None, rows.to_reader(), "append", 7)
    delta = tables.open(place)
    assert delta is not None
    source = random.Random(5)  # noqa: S311 - to do the same again
    with patch.object(delta_tables, "_SMALL_ROWS", 1 << 20 if small else -1):
        for version in range(8, 14):
            net = {}
            for number in source.sample(range(30), 9):
                kind = source.choice(["delete", "insert", "update_postimage"])
                net[number] = row(number, version) | {"_change_type": kind}
                if kind == "delete":
                    expected.pop(number, None)
                else:
                    expected[number] = row(number, version)
            changed = pa.Table.from_pylist(
                list(net.values()), SCHEMA.append(pa.field("_change_type", pa.string()))
            )
            tables.merge(place, delta, changed, KEY, version)
            found = open_delta(place)
            assert found is not None
            assert tables.applied(found, place) == version
            assert len(found.file_uris()) == 1 or not small
            read = sorted(found.to_pyarrow_table().to_pylist(), key=lambda one: one["id"])
            assert read == [expected[number] for number in sorted(expected)]
        if small:  # all rows go, and others come
            gone = [one | {"_change_type": "delete"} for one in expected.values()]
            tables.merge(place, delta, pa.Table.from_pylist(gone, changed.schema), KEY, 14)
            assert len(delta.to_pyarrow_table()) == 0
            tables.merge(place, delta, changed.slice(0, 1), KEY, 15)


def test_another_program_that_writes_a_small_table_is_noticed(tmp_path: Path) -> None:
    place, tables = Location.parse(tmp_path / "shop/t"), [DeltaTables(), DeltaTables()]
    write_rows(place, None, pa.table({"id": [1]}).to_reader(), "append", 1)
    first, second = (each.open(place) for each in tables)
    assert first is not None
    assert second is not None
    net = pa.table({"id": [2], "_change_type": ["insert"]})
    tables[0].merge(place, first, net, ["id"], 2)
    with pytest.raises(BinlogError, match="another program has changed the table"):
        tables[1].merge(place, second, net, ["id"], 2)
    found = open_delta(place)
    assert found is not None
    assert sorted(found.to_pyarrow_table()["id"].to_pylist()) == [1, 2]
    assert "metaData" not in Path(place.child("_delta_log").child(f"{1:020}.json").path).read_text()


PROGRAM = """
import sys
import pyarrow as pa
from pyspark_adapter.replication import delta_tables
from pyspark_adapter.replication.delta_tables import DeltaTables
from pyspark_adapter.sources.locations import Location

delta_tables._SMALL_ROWS = -1
delta_tables._MOST_SMALL = 2
place, log = map(Location.parse, sys.argv[1:])
tables = DeltaTables()
while True:
    print("turn", flush=True)
    for one in (place, log):
        delta = tables.open(one)
        version = tables.applied(delta, one) + 1
        kinds = {"_change_type": ["insert", "delete"]}
        net = pa.table({"id": [version, version - 9], "n": [version, 0], **kinds})
        if one is place:
            tables.merge(one, delta, net, ["id"], version)
        else:
            tables.append(one, delta, net.select(["id", "n"]).to_reader(), version)
"""


@pytest.mark.slow
def test_small_files_become_few_also_if_the_program_is_killed(tmp_path: Path) -> None:
    """The rows are always those of the last transaction, and old versions can be read."""
    place, log = (Location.parse(tmp_path / name) for name in ("t", "log"))
    empty = pa.schema([("id", pa.int64()), ("n", pa.int64())]).empty_table()
    for one in (place, log):
        write_rows(one, None, empty.to_reader(), "append", 1)
    source = random.Random(7)  # noqa: S311 - to do the same again
    for _ in range(NUM_KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, place.path, log.path], stdout=subprocess.PIPE, cwd=ROOT
        ) as running:
            assert running.stdout is not None
            for _ in range(source.randrange(9, 20)):
                assert running.stdout.readline()
            time.sleep(source.uniform(0, 0.05))
            running.kill()
        for one in (place, log):
            delta = open_delta(one)
            assert delta is not None
            last = DeltaTables().applied(delta, one)
            ids = sorted(delta.to_pyarrow_table()["id"].to_pylist())
            if one is place:
                assert ids == list(range(max(2, last - 8), last + 1))
            else:
                assert ids == sorted(v - d for v in range(2, last + 1) for d in (0, 9))
            assert len(delta.file_uris()) <= 4
            operations = [commit["operation"] for commit in delta.history()]
            assert "OPTIMIZE" in operations
            old = operations[::-1].index("OPTIMIZE") - 1  # the version before
            assert len(DeltaTable(one.path, old).to_pyarrow_table())
