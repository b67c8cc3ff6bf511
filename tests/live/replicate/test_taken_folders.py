"""Lakes that hold what `replicate` has not written, or no table that it can copy."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from pyiceberg.catalog.sql import SqlCatalog

from pyspark_adapter import replicate
from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import BinlogError, BinlogWarning, OptionError
from pyspark_adapter.replication.lake import read_state
from pyspark_adapter.replication.run import Round
from pyspark_adapter.sources.locations import Location
from tests.live.replicate.lakes import do, rows_of
from tests.live.servers import ServerState

pytestmark = pytest.mark.live


@pytest.mark.parametrize("table_format", ["delta", "iceberg"])
def test_a_folder_with_files_of_others_stops_no_other_table(
    table_format: str,
    server: ServerState,
    access: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """That of a table that was dropped, and is there again."""
    lake, create = tmp_path / "lake", "CREATE TABLE shop.more (id INT PRIMARY KEY)"
    given = {"rounds": 1, "format": table_format, "prune": True, **access}
    do(server, create)
    replicate(["shop"], lake, **given)
    notes = lake / "shop" / "more" / "notes.txt"
    notes.write_text("of another")
    left = notes.with_name(f"part-00000-{uuid4()}-c000.snappy.parquet")  # by a commit that was cut
    left.write_bytes(b"PAR1")
    do(server, "DROP TABLE shop.more", "INSERT INTO shop.orders VALUES (7, 'x')")
    with pytest.warns(BinlogWarning, match=r"shop/more: kept, because of notes\.txt in it"):
        replicate(["shop"], lake, **given)
    do(server, create, "INSERT INTO shop.orders VALUES (8, 'x')")
    reason = r"shop/more: expected an empty folder, found notes\.txt in it; .* remove them yourself"
    done: list[Round] = []
    with pytest.warns(BinlogWarning, match=reason) as warned:
        replicate(["shop"], lake, **given | {"rounds": 2}, pause=0, after_round=done.append)
    assert len([w for w in warned if "notes" in str(w.message)]) == 1
    assert [(r.num_tables, len(r.refused), r.num_changes) for r in done] == [(1, 1, 1), (1, 1, 0)]
    assert "1 tables, 1 refused, " in str(done[0])
    assert main(["replicate", "--status", "--to", str(lake)]) == 0
    [line] = [t for t in capsys.readouterr().out.splitlines() if t.startswith("shop.more: ")]
    assert re.search(f"is not copied: {lake}/{reason}", line)
    assert notes.read_text() == "of another"
    do(server, "DROP TABLE shop.more")
    replicate(["shop"], lake, **given)
    assert notes.read_text() == "of another"
    do(server, create)
    notes.unlink()
    replicate(["shop"], lake, **given)
    assert len(read_state(Location.parse(lake)).followed) == 2
    assert left.exists()


@pytest.mark.parametrize("kind", ["", ".history"])
def test_a_table_of_others_in_the_place_of_a_copy_stops_no_other_table(
    kind: str, server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """A marker lies next to it."""
    do(server, "CREATE TABLE shop.more (id INT PRIMARY KEY)")
    given = {"rounds": 1, "history": bool(kind), "prune": True, **access}
    replicate(["shop"], tmp_path, **given)
    place = tmp_path / f"shop{kind}" / "more"
    shutil.rmtree(place / "_delta_log")
    write_deltalake(place, pa.table({"id": [1]}))
    done: list[Round] = []
    with pytest.warns(BinlogWarning, match="was not written by this command"):
        replicate(["shop"], tmp_path, after_round=done.append, **given)
    do(server, "DROP TABLE shop.more", "INSERT INTO shop.orders VALUES (7, 'x')")
    if kind:
        replicate(["shop"], tmp_path, after_round=done.append, **given)
    else:
        with pytest.warns(BinlogWarning, match="was not written by this command"):
            replicate(["shop"], tmp_path, after_round=done.append, **given)
    assert [r.num_tables for r in done] == [1, 1]
    assert len(DeltaTable(place).to_pyarrow_table()) == 1
    assert len(rows_of(Location.parse(tmp_path), "shop", "orders")) == 3


def test_a_table_of_others_in_the_catalog_stops_no_other_table(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    given = {"format": "iceberg", "rounds": 1, "prune": True, **access}
    replicate(["shop"], tmp_path / "lake", **given)
    uri = f"sqlite:///{tmp_path}/lake/_replicate/iceberg.db"
    with closing(SqlCatalog("lake", uri=uri, warehouse=str(tmp_path / "mine"))) as catalog:
        catalog.create_table("shop.more", pa.schema([("id", pa.int32())]))
        do(server, "CREATE TABLE shop.more (id INT PRIMARY KEY)", "DELETE FROM shop.orders")
        done: list[Round] = []
        with pytest.warns(BinlogWarning, match="expected a table in this folder"):
            replicate(["shop"], tmp_path / "lake", after_round=done.append, **given)
        assert [(r.num_tables, len(r.refused), r.num_changes) for r in done] == [(1, 1, 2)]
        do(server, "DROP TABLE shop.more")
        replicate(["shop"], tmp_path / "lake", **given)
        assert catalog.table_exists("shop.more")


def test_a_lake_that_is_replaced_meanwhile_is_not_written(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """Its tables would lack the changes from before, and have those that follow."""
    lake = tmp_path / "lake"
    replicate(["shop"], lake, rounds=1, **access)
    shutil.copytree(lake, tmp_path / "backup")

    def restore(done: Round) -> None:
        if done.number == 2:
            lake.rename(tmp_path / "old")
            (tmp_path / "backup").rename(lake)
        do(server, "INSERT INTO shop.orders SELECT MAX(id) + 1, 'x' FROM shop.orders")

    with pytest.raises(BinlogError, match="moved or replaced"):
        replicate(["shop"], lake, rounds=4, pause=0, after_round=restore, **access)
    replicate(["shop"], lake, rounds=1, **access)
    assert [row["id"] for row in rows_of(Location.parse(lake), "shop", "orders")] == [1, 2, 3, 4]


def test_a_lake_without_a_table_that_can_be_copied_is_an_error(
    access: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "notes.txt").write_text("of another")
    with pytest.raises(
        OptionError, match=r"expected an empty folder or a lake of this package, found shop in it"
    ):
        replicate(["shop"], tmp_path, rounds=1, **access)
