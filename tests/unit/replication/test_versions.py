"""What of a table is synced, and whether a lake is as its state knows it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.replication import versions as versions_module
from pyspark_adapter.replication.delta_tables import tables_of
from pyspark_adapter.replication.versions import Versions
from pyspark_adapter.sources.locations import Location

ROWS = pa.table({"id": pa.array([1, 2, 3], pa.int32())})


class Lake:
    """A lake with one table."""

    def __init__(self, folder: Path, table_format: str) -> None:
        self.place = Location.parse(folder / "shop" / "orders")
        (folder / "_replicate").mkdir(parents=True)
        self.lake = Location.parse(folder)
        self.tables: Any = tables_of(self.lake, table_format)
        self.number = 0
        self.versions = self.opened({})

    def opened(self, known: dict[str, str], *, has_restarted: bool = False) -> Versions:
        """Begin a run, given what the state says."""
        return Versions(self.lake, self.tables, known, has_restarted=has_restarted)

    def commit(self) -> None:
        """Give the table one more row in a commit."""
        self.number += 1
        rows = ROWS.slice(0, self.number).to_reader()
        self.tables.copy(self.place, self.tables.open(self.place), rows, self.number)

    def count(self) -> int:
        """Return how many rows the table has."""
        return sum(map(len, self.tables.rows(self.tables.open(self.place))))

    def last_files(self, known: dict[str, str]) -> list[Path]:
        name = known["shop/orders"]
        if name.isdigit():
            return [Path(self.place.path, "_delta_log", f"{int(name):020}.json")]
        return [Path(Location.parse(name).path)]


@pytest.fixture(params=["delta", "iceberg"])
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lake]:
    made = Lake(tmp_path / "lake", request.param)
    with closing(made.tables):
        yield made


def test_all_files_of_a_commit_and_their_folders_are_synced(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(versions_module, "sync", synced.append)
    for _ in range(2):
        before = {p for p in Path(lake.lake.path).rglob("*") if "_replicate" not in p.parts}
        lake.commit()
        after = {p for p in Path(lake.lake.path).rglob("*") if "_replicate" not in p.parts}
        synced.clear()
        lake.versions.synced()
        files = [p for p in synced if p.is_file()]
        assert {p for p in after - before if p.is_file() and "tmp" not in p.name} <= {*files}
        folders = {p.parent for p in files} | {Path(lake.lake.path)}
        assert folders <= {*synced}
        assert all(synced.index(f.parent) > synced.index(f) for f in files)
    synced.clear()
    lake.versions.synced()
    assert synced == []


def test_a_later_version_is_that_of_a_round_that_was_killed(lake: Lake) -> None:
    lake.commit()
    known = lake.versions.synced()
    lake.commit()
    opened = lake.opened(known)
    assert opened.fits(lake.place)
    assert lake.count() == 2
    assert opened.synced() != known
    in_storage = Versions(Location.parse("s3://b/lake"), lake.tables, known, has_restarted=True)
    assert not in_storage._has_restarted


@pytest.mark.parametrize("is_torn", [False, True])
def test_after_a_start_of_the_machine_it_is_set_back(is_torn: bool, lake: Lake) -> None:
    lake.commit()
    known = lake.versions.synced()
    lake.commit()
    if is_torn:
        damage(lake, lake.versions.synced(), "empty")
    opened = lake.opened(known, has_restarted=True)
    with pytest.warns(BinlogWarning, match="was set back to version"):
        assert opened.fits(lake.place)
    assert lake.count() == 1
    lake.number = 2
    lake.commit()
    assert lake.count() == 3


def damage(lake: Lake, known: dict[str, str], what: str) -> None:
    """Lose or empty the last files, or put the folder of the first version back from a backup."""
    if what == "restore":
        shutil.rmtree(lake.place.path)
        shutil.copytree(Path(lake.lake.path).with_name("backup"), lake.place.path)
        return
    for file in lake.last_files(known):
        file.unlink() if what == "lose" else file.write_bytes(b"")


@pytest.mark.parametrize("what", ["lose", "empty", "restore"])
@pytest.mark.parametrize("has_restarted", [False, True])
def test_a_table_that_fell_behind_does_not_fit(what: str, has_restarted: bool, lake: Lake) -> None:
    lake.commit()
    shutil.copytree(lake.place.path, Path(lake.lake.path).with_name("backup"))
    lake.commit()
    known = lake.versions.synced()
    table = lake.tables.open(lake.place)
    assert lake.tables.is_whole(lake.place, table)
    damage(lake, known, what)
    if what != "empty" or known["shop/orders"].isdigit():
        assert not lake.tables.is_whole(lake.place, table)
    with pytest.warns(BinlogWarning, match="expected version .* the table is copied again"):
        assert not lake.opened(known, has_restarted=has_restarted).fits(lake.place)


def test_a_table_that_is_copied_again_is_synced_from_its_first_version(lake: Lake) -> None:
    lake.commit()
    lake.commit()
    known = lake.versions.synced()
    damage(lake, known, "lose")
    opened = lake.opened(known)
    lake.tables.copy(lake.place, opened.table_to_replace(lake.place), ROWS.to_reader(), 9)
    assert lake.opened(opened.synced()).fits(lake.place)


def test_a_table_without_a_version_is_opened(lake: Lake) -> None:
    lake.commit()
    assert lake.opened({}).fits(lake.place)
    with pytest.warns(BinlogWarning, match="is gone; the table is copied again"):
        assert not lake.opened({}).fits(Location.parse(Path(lake.lake.path) / "shop" / "items"))


def test_a_table_whose_only_commit_was_cut_can_be_removed(lake: Lake) -> None:
    lake.commit()
    damage(lake, lake.versions.synced(), "empty")
    with pytest.warns(BinlogWarning, match="kept, because of"):
        lake.versions.remove(lake.place)
    assert lake.tables.open(lake.place) is None
