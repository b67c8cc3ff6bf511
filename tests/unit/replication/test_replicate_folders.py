"""`replicate` touches its own folders alone, one program at a time; no page shows a password."""

import os
import re
import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake
from deltalake.transaction import AddAction
from pyarrow import fs

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication import lake as lake_module
from pyspark_adapter.replication import markers
from pyspark_adapter.replication import state as state_module
from pyspark_adapter.replication.delta_tables import DeltaTables, applied_in, write_rows
from pyspark_adapter.replication.lake import (
    claim,
    claim_lake,
    claim_new,
    file_name,
    is_ours,
    open_ours,
    remove,
    table_folder,
)
from pyspark_adapter.replication.markers import LAKE, MARKER
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.replication.run import lake_status
from pyspark_adapter.replication.state import StateTable, read_state
from pyspark_adapter.sources import delta_commits
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.data_set_marker import part_name
from pyspark_adapter.sources.delta_storage import (
    TakenFolderError,
    delta_address,
    delta_errors,
    open_delta,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import remove_files
from pyspark_adapter.spark.data_set import staging
from tests.inputs import ROOT
from tests.unit.s3_server import S3Server
from tests.unit.spark.test_data_set import die_after

ORDERS = TableName("shop", "orders")


def everything(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return the folder of a database in a lake, which is empty so far."""
    claim_lake(Location.parse(tmp_path / "lake"))
    return tmp_path / "lake" / "shop"


@pytest.mark.parametrize("name", ["/victim", "../victim", ".", "..", "", "victim/", "a.b", "_r"])
def test_a_name_is_no_path(name: str) -> None:
    found = file_name(name)
    assert re.fullmatch(r"[\w@$~-]+", found, re.ASCII)
    assert found[0] not in "_."


def test_databases_share_no_folder() -> None:
    databases = ["shop", "shop.state", "shop.history", "shop.2", "Shop", "shop@002estate"]
    folders = [file_name(name) + end for name in databases for end in ("", ".history")]
    assert len({name.lower() for name in folders}) == 2 * len(databases)


def test_tables_of_a_database_are_claimed_at_the_same_time(shop: Path) -> None:
    folders = [Location.parse(shop / name) for name in ("orders", "items")]
    check = lake_module._check_others
    has_looked = threading.Event()

    def slow(*given: Any) -> None:
        """Look after another thread has put its marker there, unless it has to wait."""
        has_looked.set()
        time.sleep(0.2)
        check(*given)

    with patch.object(lake_module, "_check_others", slow), ThreadPoolExecutor(1) as pool:
        first = pool.submit(claim, folders[0])
        has_looked.wait()
        with patch.object(lake_module, "_check_others", check):
            claim(folders[1])
        first.result()
    assert all(map(is_ours, folders))


def delta_table(folder: Location) -> None:
    """Make what replicate makes of a table."""
    claim(folder)
    for value in range(3):
        rows = pa.table({"id": [value]}).to_reader()
        write_rows(folder, open_delta(folder), rows, "append", value + 1)
    table = open_delta(folder)
    assert table is not None
    table.create_checkpoint()
    table.optimize.compact()


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


def test_a_folder_of_another_is_refused(shop: Path, tmp_path: Path) -> None:
    place = Location.parse(shop / "orders")
    (shop / "orders").mkdir(parents=True)
    (shop / "orders" / "file").write_text("of another")
    taken = tmp_path / "taken" / "_replicate"
    taken.mkdir(parents=True)
    (taken / "file").touch()
    before = everything(tmp_path)
    for refused, folder in ((claim, place), (StateTable, Location.parse(taken.parent))):
        with pytest.raises(OptionError, match="choose another folder for the lake"):
            refused(folder)
    assert remove(place) is None  # not ours
    assert everything(tmp_path) == before


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
        assert {path for path in everything(folder) if path.is_file()} == {
            folder / name,
            folder / MARKER,
        }


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


@pytest.mark.parametrize("stop", range(0, 14, 2))
def test_a_stop_during_a_removal_leaves_no_half_table(stop: int, shop: Path) -> None:
    folder = Location.parse(shop / "orders")
    delta_table(folder)
    left = [stop]
    unlink = os.unlink

    def failing(*arguments: Any, **named: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        unlink(*arguments, **named)

    with patch.object(os, "unlink", failing), suppress(KeyboardInterrupt):
        remove(folder)
    with suppress(BinlogError):  # it cannot be read, or has all rows
        found = open_delta(folder)
        assert found is None or found.to_pyarrow_table().num_rows == 3
    claim(folder)  # the same table is created again
    assert {path.name for path in (shop / "orders").iterdir()} == {MARKER}


def test_old_commits_go_and_files_with_such_names_stay(
    lake: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup within the log, for example, which deltalake takes for old commits."""
    monkeypatch.setattr(delta_commits, "CLEANED_AFTER", 5)
    monkeypatch.setitem(state_module._CONFIGURATION, "delta.checkpointInterval", "5")
    system, path = file_system(lake.child("_replicate").child("_delta_log"))
    first = f"{0:020}.json"
    others = [f"{path}/backup/{first}", f"{path}/x{first}", f"{path}/{first}.bak"]

    with closing(StateTable(lake)) as table:

        def save() -> None:
            for number in range(12):
                table.save(replace(table.state, round={"number": number}))

        save()
        system.create_dir(f"{path}/backup")
        for name in others:
            with system.open_output_stream(name) as file:
                file.write(b"of another")
        assert system.get_file_info(f"{path}/{first}").type == fs.FileType.File
        for file in Path(path).rglob("*") if lake.is_local else ():
            os.utime(file, (time.time() - 7200,) * 2)
        later = time.time() + (0 if lake.is_local else 7200)
        with patch.object(delta_commits, "time", SimpleNamespace(time=lambda: later)):
            save()
    names = {info.base_name for info in system.get_file_info(fs.FileSelector(path))}
    assert first not in names
    assert f"{14 if lake.is_local else 24:020}.checkpoint.parquet" in names
    assert {info.type for info in system.get_file_info(others)} == {fs.FileType.File}
    assert read_state(lake).round == {"number": 11}


def test_two_programs_cannot_write_one_table(lake: Location) -> None:
    """The rows of a table are those of the one that committed first."""
    claim_lake(lake)
    folder = lake.child("shop").child("orders")
    delta_table(folder)
    first, second = open_delta(folder), open_delta(folder)
    rows = pa.table({"id": [7]})
    write_rows(folder, first, rows.to_reader(), "append", 4)
    for mode in ("append", "overwrite"):
        with pytest.raises(BinlogError, match="another program has changed the table"):
            write_rows(folder, second, rows.to_reader(), mode, 4)
    with pytest.raises(BinlogError):
        write_rows(folder, None, rows.to_reader(), "append", 4)


@pytest.mark.parametrize(
    "name", ["a%2Fb", "a\\b", "a[b]", "a|b", "a\nb", "a#b", "../lake/a", "a?b"]
)
def test_a_path_that_deltalake_takes_for_another_is_refused(name: str, lake: Location) -> None:
    """The marker would be here, and the table at `a/b`: there may be one of another."""
    place = lake.child(name).child("orders")
    if lake.is_local and name in ("a#b", "a?b"):
        with pytest.raises(BinlogError, match=r"without # and [?], at which .* no history"):
            StateTable(place)
        with pytest.raises(BinlogError, match=r"without # and [?]"):
            lake_status(place.path)
        assert not Path(lake.path).exists()
        return
    if lake.is_local and name == "../lake/a":
        claim_lake(place.parent.parent)
        delta_table(place)
        return
    for form in (claim, open_delta):
        with pytest.raises(BinlogError, match="for another path"):
            form(place)
    if lake.is_local:
        assert not Path(lake.path).exists()


def test_a_panic_of_deltalake_is_an_error_of_ours() -> None:
    panic = type("PanicException", (BaseException,), {})
    place = Location.parse("s3://lake/shop")
    with pytest.raises(BinlogError, match="s3://lake/shop: cannot be read"), delta_errors(place):
        raise panic("index out of bounds")
    with pytest.raises(KeyboardInterrupt), delta_errors(place):
        raise KeyboardInterrupt


def test_the_address_of_a_table_shows_no_password() -> None:
    place = Location.parse("s3://key:hid%2Fden@lake/shop?region=eu-west-1")
    address, options = delta_address(place)
    assert address == "s3://lake/shop"
    assert "hid/den" in options.values()
    assert "den" not in place.shown


PASSWORD = re.compile(r"--password[ =](?!\s|--|asks|without)['\"\w$]|\s-p['\"\w]+\s.*(?:mysql|-u)")


def test_no_document_shows_a_password_on_a_command_line() -> None:
    listed = subprocess.run(
        ["/usr/bin/git", "ls-files", "*.md", "examples", "pyspark_adapter", "bench", "Makefile"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout.splitlines()
    assert len(listed) > 100
    found = [
        f"{name}: {line.strip()}"
        for name in listed
        for line in (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines()
        if PASSWORD.search(line)
    ]
    assert found == []
    assert PASSWORD.search("    python replicate.py --host db1 --password PASSWORD shop lake")


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


def test_a_kill_while_a_folder_is_claimed(shop: Path) -> None:
    """The next run goes on."""
    folder, steps = shop / "orders", 0
    while not die_after(steps, lambda _: claim(Location.parse(folder))):
        claim(Location.parse(folder))
        assert [path.name for path in folder.iterdir()] == [MARKER]
        shutil.rmtree(shop)
        steps += 1
    assert steps > 3


@pytest.mark.parametrize("form", ["link", "hard link", "file"])
def test_a_lock_of_another_is_not_written(form: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("of another")
    StateTable(Location.parse(tmp_path / "lake")).close()
    lock = tmp_path / "lake" / "_replicate" / "_lock"
    lock.unlink()
    if form == "link":
        lock.symlink_to(victim)
    elif form == "hard link":
        os.link(victim, lock)
    else:
        lock.write_text("of another")
    if form == "link":
        with pytest.raises(BinlogError, match="is a link"):
            StateTable(Location.parse(tmp_path / "lake"))
    else:
        StateTable(Location.parse(tmp_path / "lake")).close()
        assert lock.read_text() == "of another"
    assert victim.read_text() == "of another"


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
    system.delete_file(f"{path}/{backup}")
    assert remove(place) == names[1]
    left = system.get_file_info(fs.FileSelector(path))
    assert {info.base_name for info in left} == {names[1], MARKER}


def test_a_table_of_another_that_comes_while_it_runs_is_not_written(shop: Path) -> None:
    replica = Replica.__new__(Replica)
    replica._lake, replica._opened, replica._tables = Location.parse(shop.parent), {}, DeltaTables()
    place = replica.folder_of(ORDERS)
    delta_table(place)
    assert replica._copy_of(ORDERS) is not None
    shutil.rmtree(place.path)
    write_deltalake(place.path, pa.table({"id": [1]}))
    assert replica._copy_of(ORDERS) is None


def test_a_table_of_another_in_the_place_of_a_copy_is_none(shop: Path) -> None:
    """Changes are not merged into it, nor added to it."""
    claim(Location.parse(shop / "items"))
    place = Location.parse(shop / "orders")
    write_rows(place, None, pa.table({"id": [1]}).to_reader(), "append", 1)
    assert open_delta(place) is not None
    assert open_ours(place) is None
    claimed = Location.parse(shop / "claimed")
    delta_table(claimed)
    assert open_ours(claimed) is not None
    (shop / "link").symlink_to("claimed")
    assert open_ours(Location.parse(shop / "link")) is None


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
    assert open_delta(Location.parse(state)).version() == 0  # type: ignore[union-attr]


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


@pytest.mark.slow
def test_an_object_with_the_name_of_a_folder_keeps_its_content(s3: S3Server) -> None:
    """It is shown as the folder, and would be emptied."""
    host = s3.query.split("=")[1].split("&")[0]
    secret = {"aws_access_key_id": "key", "aws_secret_access_key": "hidden"}
    client = import_module("boto3").client(
        "s3", endpoint_url=f"http://{host}", region_name="us-east-1", **secret
    )
    claim_lake(Location.parse(s3.uri("key:hidden@lake/taken")))
    places = [Location.parse(s3.uri(f"key:hidden@lake/taken/shop/{k}")) for k in "abcd"]
    claim(places[0])  # the object comes later
    for place in places[1:3]:
        delta_table(place)
    keys = [
        "taken/shop/a/",
        "taken/shop/b/",
        "taken/shop/c/_delta_log/",
        "taken/shop/d/",
        "taken/lake/",
    ]
    for key in keys:
        client.put_object(Bucket="lake", Key=key, Body=b"of another")
    for place in places[:3]:
        with pytest.raises(TakenFolderError, match="it would be emptied"):
            remove(place)
    with pytest.raises(TakenFolderError, match="it would be emptied"):
        claim(places[3])
    claim_lake(Location.parse(s3.uri("key:hidden@lake/taken/lake")))
    for key in keys:
        assert client.get_object(Bucket="lake", Key=key)["Body"].read() == b"of another", key
    client.put_object(Bucket="lake", Key="taken/shop/e/", Body=b"")  # as tools store for a folder
    claim(Location.parse(s3.uri("key:hidden@lake/taken/shop/e")))


def test_no_table_is_made_among_files_of_others(lake: Location) -> None:
    """A marker was copied to them, with others of a lake."""
    claim_lake(lake)
    place = lake.child("shop").child("orders")
    claim_new(place)
    system, path = file_system(place)
    for name in ("part-00000-9d24ec10-4e4a-4323-b172-a4ba316f376d-c000.snappy.parquet", "_x"):
        with system.open_output_stream(f"{path}/{name}") as file:
            file.write(b"of a copy that was stopped, or nothing that is read")
    claim_new(place)
    with system.open_output_stream(f"{path}/orders.csv") as file:
        file.write(b"of another")
    with pytest.raises(OptionError, match=r"found orders\.csv in it"):
        claim_new(place)


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


def test_empty_folders_of_others_stay(shop: Path) -> None:
    """Tables of Iceberg have folders of these names."""
    delta_table(Location.parse(shop / "orders"))
    for name in ("data", "metadata"):
        shop.joinpath("orders", name).mkdir()
    assert remove(Location.parse(shop / "orders")) == "data"
    assert {path.name for path in shop.joinpath("orders").iterdir()} >= {"data", "metadata"}


def test_a_log_of_another_behind_a_link_is_not_written(shop: Path) -> None:
    """The rows of the other table would be replaced."""
    delta_table(Location.parse(shop / "orders"))
    delta_table(Location.parse(shop / "victim"))
    log = shop / "orders" / "_delta_log"
    shutil.rmtree(log)
    log.symlink_to(shop / "victim" / "_delta_log")
    assert open_ours(Location.parse(shop / "orders")) is None
    with pytest.raises(OptionError, match="choose another folder"):
        claim(Location.parse(shop / "orders"))


@pytest.mark.parametrize("kind", ["", ".history"])
def test_a_database_of_another_lake_behind_a_link_is_refused(kind: str, tmp_path: Path) -> None:
    """A table that is gone from the server of one lake would be removed in the other."""
    lakes = [Location.parse(tmp_path / name) for name in ("first", "second")]
    for lake in lakes:
        claim_lake(lake)
    folder = table_folder(lakes[0], ORDERS, kind)
    delta_table(folder)
    (tmp_path / "second" / folder.parent.name).symlink_to(folder.parent.path)
    with pytest.raises(BinlogError, match="found a link"):
        table_folder(lakes[1], ORDERS, kind)
    (tmp_path / "third").symlink_to("first")  # that of the lake itself is its user's
    assert open_ours(table_folder(Location.parse(tmp_path / "third"), ORDERS, kind)) is not None


def test_replication_opens_tables_of_its_own_alone() -> None:
    """The state tells itself which it opens."""
    folder = Path(lake_module.__file__).parent
    openers = {path.name for path in folder.glob("*.py") if "open_delta(" in path.read_text()}
    assert openers == {"lake.py", "state.py"}


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
