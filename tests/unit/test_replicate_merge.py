"""Changes of a round in a Delta table, which a small one gets by being written again."""

import random
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.replication import delta_tables
from pyspark_adapter.replication.delta_tables import DeltaTables, applied_in, write_rows
from pyspark_adapter.replication.lake import claim
from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location

SCHEMA = pa.schema(
    [
        ("id", pa.int32()),
        ("`od d", pa.decimal128(6, 2)),
        ("at", pa.timestamp("us", "UTC")),
        ("place", pa.struct([("srid", pa.int64()), ("wkb", pa.binary())])),
    ]
)
KEY = ["id", "`od d"]


def row(number: int, note: int) -> dict[str, Any]:
    """Return a row with a key of two columns."""
    wkb = {"srid": note, "wkb": b"\0" * note}
    return {"id": number, "`od d": Decimal(number) / 4, "at": None, "place": wkb}


@pytest.mark.parametrize("small", [True, False])
def test_rows_are_those_of_a_dictionary(small: bool, tmp_path: Path) -> None:
    """Random changes, in a table that is small, and in one that is not."""
    place = Location.parse(tmp_path / "t")
    claim(place)
    expected = {number: row(number, 1) for number in range(20)}
    rows = pa.Table.from_pylist(list(expected.values()), SCHEMA)
    write_rows(place, None, rows.to_reader(), "append", 7)
    delta = open_delta(place)
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
            DeltaTables().merge(place, delta, changed, KEY, version)
            found = open_delta(place)
            assert found is not None
            assert applied_in(found, place) == version
            assert len(found.file_uris()) == 1 or not small
            read = sorted(found.to_pyarrow_table().to_pylist(), key=lambda one: one["id"])
            assert read == [expected[number] for number in sorted(expected)]
        if small:  # all rows go, and others come
            gone = [one | {"_change_type": "delete"} for one in expected.values()]
            DeltaTables().merge(place, delta, pa.Table.from_pylist(gone, changed.schema), KEY, 14)
            assert len(delta.to_pyarrow_table()) == 0
            DeltaTables().merge(place, delta, changed.slice(0, 1), KEY, 15)


def test_another_program_that_writes_a_small_table_is_noticed(tmp_path: Path) -> None:
    place = Location.parse(tmp_path / "t")
    write_rows(place, None, pa.table({"id": [1]}).to_reader(), "append", 1)
    first, second = open_delta(place), open_delta(place)
    assert first is not None
    assert second is not None
    net = pa.table({"id": [2], "_change_type": ["insert"]})
    DeltaTables().merge(place, first, net, ["id"], 2)
    with pytest.raises(BinlogError, match="another program has changed the table"):
        DeltaTables().merge(place, second, net, ["id"], 2)
    found = open_delta(place)
    assert found is not None
    assert sorted(found.to_pyarrow_table()["id"].to_pylist()) == [1, 2]
    log = place.child("_delta_log").child(f"{1:020}.json")
    assert "metaData" not in Path(log.path).read_text()
