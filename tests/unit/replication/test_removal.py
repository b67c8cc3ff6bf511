"""What `replicate` removes of a table that is gone, and what stays."""

import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake
from deltalake.transaction import AddAction
from pyarrow import fs

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.replication import lake as lake_module
from pyspark_adapter.replication.delta_tables import applied_in
from pyspark_adapter.replication.lake import (
    claim,
    claim_lake,
    is_ours,
    remove,
)
from pyspark_adapter.replication.markers import MARKER
from pyspark_adapter.sources import delta_commits
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import delta_address, open_delta
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import remove_files
from tests.unit.replication.delta_lake import delta_table, everything, stopped_after


def test_a_table_that_is_gone_is_removed(lake: Location) -> None:
    claim_lake(lake)
    folder = lake.child("shop").child("orders")
    delta_table(folder)
    assert remove(folder) is None
    assert open_delta(folder) is None
    assert not is_ours(folder)
    delta_table(folder)  # it may come again
    found = open_delta(folder)
    assert found is not None
    assert applied_in(found, folder) == 3


def test_links_and_files_of_others_stay(shop: Path) -> None:
    victim = shop / "victim"
    delta_table(Location.parse(victim))
    (shop / "link").symlink_to(victim)
    before = everything(shop)
    assert remove(Location.parse(shop / "link")) is None
    assert everything(shop) == before
    for name in (
        "notes.txt",
        "of another/part-1.parquet",
        "_delta_log/notes.txt",
        "_mysql_binlog_files",
    ):
        folder = shop / name.replace("/", "_")
        delta_table(Location.parse(folder))
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("of another")
        assert remove(Location.parse(folder)) == name.removesuffix("/part-1.parquet")
        # The folder is one of others from now on.
        assert {path for path in everything(folder) if path.is_file()} == {folder / name}


@pytest.mark.parametrize("stop", range(14))
def test_a_stop_during_a_removal_leaves_no_half_table(stop: int, shop: Path) -> None:
    folder = Location.parse(shop / "orders")
    delta_table(folder)
    with stopped_after(stop):
        remove(folder)
    with suppress(BinlogError):  # it cannot be read, or has all rows
        found = open_delta(folder)
        assert found is None or found.to_pyarrow_table().num_rows == 3
    claim(folder)  # the same table is created again
    assert {path.name for path in (shop / "orders").iterdir()} == {MARKER}


def test_parts_that_spark_wrote_stay(lake: Location) -> None:
    """A data set that was added to the folder by mistake has the same names."""
    claim_lake(lake)
    place = lake.child("shop").child("orders")
    delta_table(place)
    system, path = file_system(place)
    names = [f"part-00000-9d24ec10-4e4a-4323-b172-a4ba316f376{k}-c000.snappy.parquet" for k in "ab"]
    delta = open_delta(place)
    assert delta is not None
    delta.optimize.compact()
    size = 0
    for name in names:
        with system.open_output_stream(f"{path}/{name}") as file:
            pq.write_table(pa.table({"id": [1]}), file)
            size = file.tell()
    # A program that moves rows has a commit of its own for its files.
    moved = AddAction(names[0], size, {}, 0, data_change=False, stats="{}")
    delta.create_write_transaction([moved], "append", delta.schema())
    backup = f"_delta_log/{0:020}.checkpoint.of-monday.parquet"
    with system.open_output_stream(f"{path}/{backup}") as file:
        file.write(b"of another")
    assert remove(place) == backup
    left = system.get_file_info(fs.FileSelector(path, recursive=True))
    files = {info.path for info in left if info.type == fs.FileType.File}
    assert files == {f"{path}/{names[1]}", f"{path}/{backup}"}


def test_empty_folders_of_others_stay(shop: Path) -> None:
    """Tables of Iceberg have folders of these names."""
    delta_table(Location.parse(shop / "orders"))
    for name in ("data", "metadata"):
        shop.joinpath("orders", name).mkdir()
    assert remove(Location.parse(shop / "orders")) == "data"
    assert {path.name for path in shop.joinpath("orders").iterdir()} >= {"data", "metadata"}


def test_an_object_that_comes_during_a_removal_stays() -> None:
    """Storage removes a folder with what is in it by then."""
    place = Location.parse("memory://lake/shop/orders")
    claim_lake(place.parent.parent)
    claim(place)
    system, path = file_system(place)

    class Late:
        def __getattr__(self, name: str) -> Any:
            return getattr(system, name)

        def delete_dir(self, folder: str) -> None:
            with system.open_output_stream(f"{path}/notes") as file:
                file.write(b"of another")
            system.delete_dir(folder)

    with (
        patch.object(lake_module, "file_system", return_value=(Late(), path)),
        patch.object(lake_module, "open_delta", return_value=None),
    ):
        remove(place)
    assert system.get_file_info(fs.FileSelector(path)) == []
    assert not is_ours(place)
    claim(place)
    assert is_ours(place)


def test_a_link_that_comes_while_a_log_is_removed(shop: Path) -> None:
    delta_table(Location.parse(shop / "orders"))
    delta_table(Location.parse(shop / "victim"))
    before = everything(shop / "victim")
    log = shop / "orders" / "_delta_log"
    shutil.rmtree(log)
    log.symlink_to(shop / "victim" / "_delta_log")
    with patch.object(Path, "is_symlink", return_value=False):  # it came after it was looked for
        remove(Location.parse(shop / "orders"))
    assert everything(shop / "victim") == before


@pytest.mark.parametrize("step", ["_delta_log", "data", "orders"])
@pytest.mark.parametrize("comes", ["table", "marker"])
def test_what_comes_in_the_place_of_a_table_while_it_is_removed_stays(
    comes: str, step: str, shop: Path, tmp_path: Path
) -> None:
    """A removal takes as long as the table has files."""
    orders, other = shop / "orders", tmp_path / "other"
    delta_table(Location.parse(orders))
    write_deltalake(other, pa.table({"id": [1]}))
    tmp_path.joinpath("notes").write_text("of another")
    before = everything(other)
    steps = [step]

    def late(folder: Path, *given: Any) -> list[str]:
        if [folder.name] == steps:
            steps.clear()
            if comes == "table":
                orders.rename(tmp_path / "moved")
                other.rename(orders)
            else:
                tmp_path.joinpath("notes").replace(orders / MARKER)
        return remove_files(folder, *given)

    with patch.object(delta_commits, "remove_files", late):
        assert remove(Location.parse(orders)) is not None
    if comes == "table":
        found = {other / path.relative_to(orders): was for path, was in everything(orders).items()}
        assert found == before
    else:
        assert (orders / MARKER).read_text() == "of another"


def test_a_folder_that_stays_is_one_of_others(shop: Path) -> None:
    """Its user may make a table in it."""
    orders = shop / "orders"
    delta_table(Location.parse(orders))
    (orders / "README.txt").write_text("of another")
    assert remove(Location.parse(orders)) == "README.txt"
    write_deltalake(orders, pa.table({"id": [1]}))
    before = everything(orders)
    with pytest.raises(OptionError, match="it holds files"):
        claim(Location.parse(orders))
    assert remove(Location.parse(orders)) is None
    assert everything(orders) == before


@pytest.mark.parametrize("form", ["as it was", "without its first commit"])
@pytest.mark.parametrize("is_begun", [True, False])
def test_a_removal_that_was_stopped_leaves_a_table_that_came_later(
    is_begun: bool, form: str, lake: Location
) -> None:
    claim_lake(lake)
    place = lake.child("shop").child("orders")
    delta_table(place)
    system, path = file_system(place)
    step = "_remove_folder" if is_begun else "remove_named"
    with (
        patch.object(lake_module, step, side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        remove(place)
    if not is_begun:
        for info in system.get_file_info(fs.FileSelector(path, recursive=True)):
            if info.type == fs.FileType.File and info.base_name != MARKER:
                system.delete_file(info.path)
    time.sleep(0 if lake.is_local else 1)  # the times of objects are seconds
    address, options = delta_address(place)
    for number in range(3):
        rows = pa.table({"id": [number]})
        write_deltalake(address, rows, mode="append", storage_options=options)
    if form != "as it was":  # a copy that is not whole yet, or a log that is cleaned
        system.delete_file(f"{path}/_delta_log/{0:020}.json")
    infos = system.get_file_info(fs.FileSelector(path, recursive=True))
    later = {info.path for info in infos if (info.mtime_ns or 0) > began(system, path)}
    assert len(later) >= (6 if form == "as it was" else 5)
    for use in (claim, remove):
        with suppress(BinlogError):
            use(place)
    found = {info.path for info in system.get_file_info(fs.FileSelector(path, recursive=True))}
    assert later <= found


def began(system: fs.FileSystem, path: str) -> int:
    """Return when a removal began."""
    return system.get_file_info(f"{path}/{MARKER}").mtime_ns or 0


def test_a_copy_of_a_lake_in_the_lake_stays(shop: Path, tmp_path: Path) -> None:
    """It has the name of a database, so its folder of a database has that of a table."""
    delta_table(Location.parse(shop / "orders"))
    shutil.copytree(shop.parent, tmp_path / "backup")
    backup = shop.parent / "backup"
    (tmp_path / "backup").rename(backup)
    before = everything(shop.parent)
    assert remove(Location.parse(backup / "shop")) is None
    with pytest.raises(OptionError, match="it holds files"):
        claim(Location.parse(backup / "shop"))
    assert everything(shop.parent) == before
