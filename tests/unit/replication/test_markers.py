"""What says that a folder is of this package and of its lake, and what does not."""

import os
import shutil
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from deltalake import write_deltalake

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.replication import lake as lake_module
from pyspark_adapter.replication import markers
from pyspark_adapter.replication.lake import (
    claim,
    claim_lake,
    open_ours,
    remove,
)
from pyspark_adapter.replication.markers import LAKE, MARKER
from pyspark_adapter.replication.state import StateTable
from pyspark_adapter.sources.data_set_marker import part_name
from pyspark_adapter.sources.delta_storage import (
    TakenFolderError,
    open_delta,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark.data_set import staging
from tests.unit.replication.delta_lake import delta_table, everything


@pytest.mark.parametrize("form", ["link", "hard link"])
def test_the_marker_of_another_folder_is_never_written(form: str, shop: Path) -> None:
    """A backup may share the files of a lake: `cp -al`."""
    folder, other = shop / "orders", shop / "other"
    delta_table(Location.parse(folder))
    delta_table(Location.parse(other))
    (other / MARKER).unlink()
    if form == "link":
        (other / MARKER).symlink_to(folder / MARKER)
    else:
        os.link(folder / MARKER, other / MARKER)
    before = everything(folder)
    (other / "notes").write_text("of another")  # the folder stays, with its marker
    remove(Location.parse(other))
    assert everything(folder) == before
    claim(Location.parse(folder))
    assert everything(folder) == before


def test_a_marker_that_comes_while_a_folder_is_claimed(shop: Path, tmp_path: Path) -> None:
    folder, victim = shop / "orders", tmp_path / "victim"
    victim.write_text("of another")
    claim(Location.parse(shop / "items"))
    mark = markers.mark

    def late(*arguments: Any) -> None:
        (folder / MARKER).symlink_to(victim)
        mark(*arguments)

    with patch.object(lake_module, "mark", late), pytest.raises(BinlogError):
        claim(Location.parse(folder))
    assert victim.read_text() == "of another"


def test_a_marker_that_was_copied_makes_no_table_ours(shop: Path) -> None:
    place = Location.parse(shop / "orders")
    claim(place)
    write_deltalake(place.path, pa.table({"id": [1]}))
    before = everything(shop)
    for use in (open_ours, remove):
        with pytest.raises(OptionError, match="was not written by this command"):
            use(place)
    assert everything(shop) == before
    state = shop.parent / "_replicate"
    shutil.copytree(place.path, state, dirs_exist_ok=True, ignore=lambda *_: [MARKER])
    with pytest.raises(OptionError, match="was not written by this command"):
        StateTable(Location.parse(shop.parent))
    found = open_delta(Location.parse(state))
    assert found is not None
    assert found.version() == 0


@pytest.mark.parametrize(
    "copied",
    ["orders", "shop", "table of another database", "shop of another lake", "orders of it"],
)
def test_a_copy_is_not_ours(copied: str, shop: Path, tmp_path: Path) -> None:
    """Its user keeps it under the name that a table of the server has later."""
    delta_table(Location.parse(shop / "orders"))
    source, to = shop / "orders", shop / "kept"
    if copied == "table of another database":
        claim(Location.parse(shop.parent / "test" / "items"))
        to = shop.parent / "test" / "orders"
    elif copied != "orders":
        source, to = shop, shop.parent / "kept"
        if copied != "shop":
            claim_lake(Location.parse(tmp_path / "other"))
            to = tmp_path / "other" / "shop"
    if copied == "orders of it":
        source, to = source / "orders", to / "orders"
        claim(Location.parse(to.parent / "items"))
    shutil.copytree(source, to)
    copy = Location.parse(to if to.name == "orders" or source != shop else to / "orders")
    before = everything(to)
    with pytest.raises(OptionError, match="it holds files"):
        claim(copy)
    assert open_ours(copy) is None
    assert remove(copy) is None
    assert everything(to) == before


def test_a_lake_may_move(shop: Path, tmp_path: Path) -> None:
    delta_table(Location.parse(shop / "orders"))
    shop.parent.rename(tmp_path / "moved")
    claim_lake(Location.parse(tmp_path / "moved"))
    place = Location.parse(tmp_path / "moved" / "shop" / "orders")
    assert open_ours(place) is not None
    assert remove(place) is None


@pytest.mark.parametrize("form", ["lost", "link", "of another"])
def test_a_lake_without_its_name_is_refused(form: str, shop: Path, tmp_path: Path) -> None:
    delta_table(Location.parse(shop / "orders"))
    name = shop.parent / LAKE
    name.rename(tmp_path / "victim")
    if form == "link":
        name.symlink_to(tmp_path / "victim")
    elif form == "of another":
        name.write_text("of another")
    before = everything(tmp_path)
    with pytest.raises(TakenFolderError, match="choose another folder for the lake"):
        StateTable(Location.parse(shop.parent))
    with pytest.raises(BinlogError):
        claim(Location.parse(shop / "items"))
    assert remove(Location.parse(shop / "orders")) is None
    assert everything(tmp_path) == before


def test_a_marker_with_notes_of_its_user_stays(shop: Path) -> None:
    place = Location.parse(shop / "orders")
    delta_table(place)
    with (shop / "orders" / MARKER).open("a") as file:
        file.write("Ask Mary before this table is dropped.\n")
    before = everything(shop)
    with pytest.raises(OptionError, match="it holds files"):
        claim(place)
    assert remove(place) is None
    assert everything(shop) == before


def test_an_export_in_the_folder_of_a_lake_stays(shop: Path) -> None:
    """Its data sets have a marker of the same name."""
    place = Location.parse(shop / "orders")
    shop.mkdir()
    with staging(place, overwrite=True) as staged:
        names = [part_name(0)]
        (Path(staged.folder.path) / staged.name / names[0]).touch()
        staged.commit(names)
    before = everything(shop)
    assert remove(place) is None
    with pytest.raises(OptionError, match="choose another folder"):
        claim(place)
    assert everything(shop) == before
