"""The folders that `replicate` claims, and the tables in them that it takes for its own."""

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from pyarrow import fs

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication import lake as lake_module
from pyspark_adapter.replication.delta_tables import DeltaTables, tables_of, write_rows
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
from pyspark_adapter.replication.markers import MARKER
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.replication.run import lake_status
from pyspark_adapter.replication.state import StateTable
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import (
    CommitConflictError,
    DamagedTableError,
    TakenFolderError,
    delta_address,
    delta_errors,
    open_delta,
)
from pyspark_adapter.sources.locations import Location
from tests.unit.replication.delta_lake import delta_table, everything
from tests.unit.s3_server import S3Server
from tests.unit.spark.test_data_set import die_after

ORDERS = TableName("shop", "orders")


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


def test_a_kill_while_a_folder_is_claimed(shop: Path) -> None:
    """The next run goes on."""
    folder, steps = shop / "orders", 0
    while not die_after(steps, lambda _: claim(Location.parse(folder))):
        claim(Location.parse(folder))
        assert [path.name for path in folder.iterdir()] == [MARKER]
        shutil.rmtree(shop)
        steps += 1
    assert steps > 3


def test_a_table_of_another_that_comes_while_it_runs_is_not_written(shop: Path) -> None:
    replica = Replica.__new__(Replica)
    replica._lake, replica._opened, replica._tables = Location.parse(shop.parent), {}, DeltaTables()
    place = replica.folder_of(ORDERS)
    delta_table(place)
    copy = replica._copy_of(ORDERS)
    shutil.rmtree(place.path)
    write_deltalake(place.path, pa.table({"id": [1]}))
    net = pa.table({"id": [1], "_change_type": ["update_postimage"]})
    with pytest.raises(TakenFolderError, match="moved away or replaced"):
        replica._tables.merge(place, copy, net, ["id"], 9)
    replica._opened.clear()
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
    with pytest.raises(TakenFolderError, match="found a link"):
        table_folder(lakes[1], ORDERS, kind)
    (tmp_path / "third").symlink_to("first")  # that of the lake itself is its user's
    assert open_ours(table_folder(Location.parse(tmp_path / "third"), ORDERS, kind)) is not None


def test_replication_opens_tables_of_its_own_alone() -> None:
    """The state tells itself which it opens."""
    folder = Path(lake_module.__file__).parent
    openers = {path.name for path in folder.glob("*.py") if "open_delta(" in path.read_text()}
    assert openers == {"lake.py", "state.py"}


def test_nothing_is_written_behind_a_link_to_an_empty_folder(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    shop.mkdir()
    (shop / "orders").symlink_to(tmp_path / "victim")
    (shop.parent / "test").symlink_to(tmp_path / "victim")
    for place in (shop / "orders", shop.parent / "test" / "items"):
        with pytest.raises(TakenFolderError):
            claim(Location.parse(place))
    assert everything(tmp_path / "victim") == {}


@pytest.mark.parametrize("num_commits", [1, 3, 5])
def test_a_table_of_another_that_takes_the_place_of_a_copy_is_not_written(
    num_commits: int, lake: Location
) -> None:
    """The marker stays, and the program has opened the copy before."""
    claim_lake(lake)
    replica = Replica.__new__(Replica)
    replica._lake, replica._opened, replica._tables = lake, {}, DeltaTables()
    place = replica.folder_of(ORDERS)
    delta_table(place)
    net = pa.table({"id": [1], "_change_type": ["update_postimage"]})
    copy = replica._copy_of(ORDERS)
    for version in (8, 9):  # its own commits are none of others
        replica._tables.merge(place, copy, net, ["id"], version)
    system, path = file_system(place)
    for info in system.get_file_info(fs.FileSelector(path, recursive=True)):
        if info.type == fs.FileType.File and info.base_name != MARKER:
            system.delete_file(info.path)
    address, options = delta_address(place)
    for number in range(num_commits):
        rows = pa.table({"id": [number]})
        write_deltalake(address, rows, mode="append", storage_options=options)
    with pytest.raises(TakenFolderError, match="moved away or replaced"):
        replica._tables.merge(place, copy, net, ["id"], 10)
    found = open_delta(place)
    assert found is not None
    assert found.version() == num_commits - 1


def test_a_damaged_log_is_refused_alone(shop: Path) -> None:
    place = Location.parse(shop / "orders")
    delta_table(place)
    for file in (shop / "orders" / "_delta_log").glob("*.*"):
        file.write_bytes(b"")
    before = everything(shop)
    for use in (open_ours, remove):
        with pytest.raises(DamagedTableError, match="the log of the table is damaged"):
            use(place)
    assert everything(shop) == before


def in_a_thread(body: Callable[[], object]) -> None:
    """Run what deltalake cannot do while it writes in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(body).result()


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("num_commits", [1, 3, 5])
@pytest.mark.parametrize("use", [DeltaTables.copy, DeltaTables.append])
def test_a_table_that_comes_while_one_is_copied_is_not_written(
    use: Callable[..., object], num_commits: int, is_new: bool, lake: Location
) -> None:
    """Deltalake added the rows to it. A copy takes as long as its table is large."""
    claim_lake(lake)
    place = lake.child("shop").child("orders")
    claim(place)
    tables, copy = DeltaTables(), None
    if not is_new:
        delta_table(place)
        copy = tables.open(place)
    system, path = file_system(place)
    address, options = delta_address(place)

    def rows() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"id": [7]})
        for info in system.get_file_info(fs.FileSelector(path, recursive=True)):
            if info.type == fs.FileType.File and info.base_name != MARKER:
                system.delete_file(info.path)
        in_a_thread(make_other)

    def make_other() -> None:
        for number in range(num_commits):
            other = pa.table({"id": [number]})
            write_deltalake(address, other, mode="append", storage_options=options)

    reader = pa.RecordBatchReader.from_batches(pa.schema({"id": pa.int64()}), rows())
    with pytest.raises(BinlogError) as raised:
        use(tables, place, copy, reader, 9)
    assert is_new or isinstance(raised.value, TakenFolderError)
    found = open_delta(place)
    assert found is not None
    assert found.version() == num_commits - 1
    with pytest.raises(TakenFolderError, match="was not written by this command"):
        tables.open(place)


def test_two_programs_that_copy_a_table_first_write_it_once(lake: Location) -> None:
    """The second takes a lake in storage over; the first has not ended its copy."""
    claim_lake(lake)
    place = lake.child("shop").child("orders")
    claim(place)
    first, second = DeltaTables(), DeltaTables()
    schema = pa.schema({"id": pa.int64()})

    def rows() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"id": [1, 2]})
        other = pa.table({"id": [1, 2, 3]}).to_reader()
        in_a_thread(lambda: second.copy(place, None, other, 9))

    with pytest.raises(CommitConflictError):
        first.copy(place, None, pa.RecordBatchReader.from_batches(schema, rows()), 8)
    found = first.open(place)
    assert found is not None
    assert found.to_pyarrow_table()["id"].to_pylist() == [1, 2, 3]
    assert first.applied(found, place) == 9


@pytest.mark.parametrize("place", ["shop", "shop/orders"])
def test_a_file_in_the_place_of_a_folder_is_refused_alone(place: str, shop: Path) -> None:
    if place != "shop":
        claim(Location.parse(shop / "items"))
    (shop.parent / place).write_text("of another")
    with pytest.raises(TakenFolderError, match="found a file"):
        claim(Location.parse(shop / "orders"))
    assert (shop.parent / place).read_text() == "of another"


@pytest.mark.parametrize("table_format", ["delta", "iceberg"])
def test_a_lake_above_a_link_is_where_the_system_finds_it(
    table_format: str, tmp_path: Path
) -> None:
    """Deltalake and pyiceberg take `link/..` for the folder that the link is in."""
    (tmp_path / "other" / "deep").mkdir(parents=True)
    (tmp_path / "x" / "lake").mkdir(parents=True)
    (tmp_path / "x" / "link").symlink_to(tmp_path / "other" / "deep")
    lake = Location.parse(f"{tmp_path}/x/link/../lake")
    place = lake.child("shop").child("orders")
    with closing(StateTable(lake, table_format)):
        tables = tables_of(lake, table_format)
        claim(place)
        tables.copy(place, None, pa.table({"id": [1]}).to_reader(), 9)
        tables.close()
    assert everything(tmp_path / "x" / "lake") == {}
    assert (tmp_path / "other" / "lake" / "shop" / "orders").exists()
