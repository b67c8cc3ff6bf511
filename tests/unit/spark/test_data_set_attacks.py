"""What is not of this package stays, whatever its name, next to and in the folder of a data set."""

import errno
import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.folder_name import folder_name
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources import data_set_marker
from pyspark_adapter.sources.data_set_marker import MARKER, part_name
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import hidden_prefix
from pyspark_adapter.spark import data_set
from pyspark_adapter.spark.data_set import staging
from pyspark_adapter.spark.written_tables import write_delta_tables
from tests.unit.s3_server import S3Server, running_s3
from tests.unit.spark.test_data_set import NUM_PARTS, values, write

HEX = "0123456789abcdef" * 2
PART = f"part-00000-{HEX}.parquet"
TITLE = data_set_marker.TITLE


def everything(folder: Path) -> dict[str, bytes | str]:
    return {
        str(path.relative_to(folder)): (
            str(path.readlink())
            if path.is_symlink()
            else path.read_bytes()
            if path.is_file()
            else path.stat().st_mode.__format__("o")
        )
        for path in folder.rglob("*")
    }


# What others have next to a data set, under names that begin as ours do.
NEXT_TO: dict[str, Any] = {
    "file": "of another",
    "pipe": os.mkfifo,
    "link": lambda path: path.symlink_to("victim"),
    "folder": {"_SUCCESS": ""},
    "folder with parts": {PART: ""},
    "folder with a pipe as marker": {PART: "", MARKER: os.mkfifo},
    "folder with a link as marker": {PART: "", MARKER: lambda path: path.symlink_to("../marker")},
    "folder with another marker": {PART: "", MARKER: "of another"},
}


def make(path: Path, what: Any) -> None:
    if isinstance(what, dict):
        path.mkdir()
        for name, part in what.items():
            make(path / name, part)
    elif isinstance(what, str):
        path.write_text(what)
    else:
        what(path)


@pytest.mark.parametrize("has_data_set", [True, False])
@pytest.mark.parametrize("suffix", [HEX, f"{HEX}-old", "x", "my-old", f"{HEX}-old-old"])
@pytest.mark.parametrize("what", NEXT_TO.values(), ids=NEXT_TO)
def test_what_is_next_to_a_data_set_stays(
    what: Any, suffix: str, has_data_set: bool, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    if has_data_set:
        write(out, 1)
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / MARKER).write_text(TITLE)
    (tmp_path / "victim" / PART).write_text("of another")
    (tmp_path / "marker").write_text(TITLE)
    make(tmp_path / f"{hidden_prefix(out)}{suffix}", what)
    before = {n: v for n, v in everything(tmp_path).items() if not n.startswith("out")}
    write(out, 2)
    assert values(out) == [2] * NUM_PARTS
    after = {n: v for n, v in everything(tmp_path).items() if not n.startswith("out")}
    assert after == before


@pytest.mark.parametrize("can_be_swapped", [True, False])
@pytest.mark.parametrize(
    "name", [f"_temporary-{HEX}", f"_temporary-{HEX}/{PART}", f"_temporary-{HEX}/_SUCCESS"]
)
def test_a_folder_without_marker_has_nothing_of_ours(
    name: str, can_be_swapped: bool, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text("of another")
    before = everything(tmp_path)
    with (
        patch.object(data_set, "_can_be_swapped", return_value=can_be_swapped),
        pytest.raises(OptionError, match="cannot be replaced"),
    ):
        write(out, 1)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("can_be_swapped", [True, False])
@pytest.mark.parametrize("what", ["part", "_SUCCESS", MARKER])
@pytest.mark.parametrize("form", ["link", "folder", "pipe", "text"])
def test_what_has_the_name_of_a_file_of_ours_is_not_replaced(
    form: str, what: str, can_be_swapped: bool, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    write(out, 1)
    path = next(out.glob("part-*")) if what == "part" else out / what
    if form == "text":
        with path.open("a") as file:
            file.write("of another\n")
    else:
        path.rename(tmp_path / "moved")
        make(
            path,
            {"link": lambda p: p.symlink_to("../moved"), "folder": {"x": ""}}.get(form, os.mkfifo),
        )
    before = everything(tmp_path)
    with (
        patch.object(data_set, "_can_be_swapped", return_value=can_be_swapped),
        pytest.raises(OptionError, match="cannot be replaced: "),
    ):
        write(out, 2)
    assert everything(tmp_path) == before


def test_a_marker_of_an_earlier_version_has_no_sizes_and_no_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, 1)
    lines = [line.split()[0] for line in (out / MARKER).read_text().splitlines()[1:-1]]
    (out / MARKER).write_text(TITLE + "".join(f"{line}\n" for line in lines))
    write(out, 2)
    assert values(out) == [2] * NUM_PARTS


@pytest.mark.parametrize("can_be_swapped", [True, False])
def test_a_folder_that_cannot_be_written_is_kept(can_be_swapped: bool, tmp_path: Path) -> None:
    """As a file is: only the folder around it can be written."""
    out = tmp_path / "out"
    write(out, 1)

    def access(path: str | Path, mode: int) -> bool:
        return Path(path) != out or not mode & os.W_OK

    with (
        patch.object(data_set, "_can_be_swapped", return_value=can_be_swapped),
        patch.object(os, "access", access),  # root may write all
        pytest.raises(PermissionError),
    ):
        write(out, 2)
    assert values(out) == [1] * NUM_PARTS
    assert [*tmp_path.iterdir()] == [out]


def test_a_delta_table_is_not_made_among_files_of_others(tmp_path: Path) -> None:
    """Spark would read the files of both as one data set of Parquet."""
    table = TableName("shop", "orders")
    (tmp_path / "shop.orders").mkdir()
    (tmp_path / "shop.orders" / PART).write_text("of another")
    before = everything(tmp_path)
    given: Any = {table: None}  # nothing is asked of them
    with pytest.raises(OptionError, match="expected a Delta table or an empty folder"):
        write_delta_tables(Mock(), given, tmp_path, txn_app_id=None, txn_version=None)
    assert everything(tmp_path) == before


def test_a_disk_that_is_full_leaves_nothing_next_to_a_data_set(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(TITLE) // 2, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write(tmp_path / "out", 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["", "_SUCCESS", "notes.txt"])
def test_what_a_kill_left_within_is_removed(name: str, tmp_path: Path) -> None:
    """But not with what others put there."""
    out = tmp_path / "out"
    left = out / f"_temporary-{HEX}"
    with patch.object(data_set, "_can_be_swapped", return_value=False):
        write(out, 1)
        left.mkdir()
        (left / PART).touch()
        (out / f"_temporary-{HEX[::-1]}").write_text(TITLE[:10])
        if name:
            (left / name).touch()
        write(out, 2)
    if name:
        assert [path.name for path in left.iterdir()] == [name]
    assert len([*out.iterdir()]) == NUM_PARTS + 2 + bool(name)
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.parametrize("can_be_swapped", [True, False])
@pytest.mark.parametrize("form", ["file", "loop", "link to file", "in a file", "pipe", "too long"])
def test_places_that_cannot_be_a_folder(form: str, can_be_swapped: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if form in ("file", "in a file", "link to file"):
        (tmp_path / "file").write_text("of another")
        out = tmp_path / "file"
    if form == "in a file":
        out /= "out"
    elif form == "link to file":
        out = tmp_path / "link"
        out.symlink_to("file")
    elif form == "loop":
        out.symlink_to("out")
    elif form == "pipe":
        os.mkfifo(out)
    elif form == "too long":
        out = tmp_path / ("x" * 256)
    before = {path.name: path.lstat().st_ino for path in tmp_path.rglob("*")}
    with (
        patch.object(data_set, "_can_be_swapped", return_value=can_be_swapped),
        pytest.raises((OSError, BinlogError)),
    ):
        write(out, 1)
    assert {path.name: path.lstat().st_ino for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("has_locks", [True, False])
def test_a_write_that_runs_stays(has_locks: bool, tmp_path: Path) -> None:
    """Where there are no locks, nobody can tell it from what a kill left."""
    no_locks = patch("fcntl.flock", side_effect=OSError(errno.ENOLCK, "No locks available"))
    out, name = tmp_path / "out", part_name(0)
    with (
        nullcontext() if has_locks else no_locks,
        staging(Location.parse(out), overwrite=True) as one,
    ):
        pq.write_table(pa.table({"value": [3]}), tmp_path / one.name / name)
        write(out, 1)
        assert values(out) == [1] * NUM_PARTS
        one.commit([name])
    assert values(out) == [3]


@pytest.mark.parametrize("is_removed", [True, False])
def test_two_programs_at_a_time_in_storage_without_a_swap_leave_no_success(
    is_removed: bool, tmp_path: Path
) -> None:
    """The rows of both, or a part of those of one, would look like a data set."""
    out = tmp_path / "out"
    write_marker, names, others = data_set_marker.write_marker, [part_name(0)], [part_name(9)]

    def late(system: fs.FileSystem, at: str, listed: dict[str, int | None]) -> None:
        write_marker(system, at, listed)
        if len(listed) == NUM_PARTS + 1:  # the old and the new ones
            write_marker(system, at, {**listed, others[0]: None})
            (out / others[0]).touch()

    def write_both() -> None:
        with staging(Location.parse(out), overwrite=True) as staged:
            if not is_removed:
                (out / staged.name / names[0]).touch()
            with patch.object(data_set, "write_marker", late):
                staged.commit(names)

    with patch.object(data_set, "_can_be_swapped", return_value=False):
        write(out, 1)
        with pytest.raises(BinlogError, match="one program at a time"):
            write_both()
    if is_removed:  # found before anything was replaced
        assert values(out) == [1] * NUM_PARTS
    assert (out / "_SUCCESS").exists() == is_removed


def test_a_write_is_synced_before_it_takes_its_place(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, 1)
    synced: list[str] = []

    def sync(path: Path) -> None:
        synced.append(path.name)
        if path.name == "_SUCCESS":
            raise OSError(errno.EIO, "Input/output error")

    with patch.object(data_set, "sync", sync), pytest.raises(OSError, match="Input"):
        write(out, 2)
    assert len([name for name in synced if name.startswith("part-")]) == NUM_PARTS
    assert values(out) == [1] * NUM_PARTS
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "second", ["Shop.orders", "shop.Orders", "shop.order\u0073", "SHOP.ORDERS"]
)
def test_names_that_some_file_systems_take_for_one_are_two_folders(second: str) -> None:
    first = ("shop", "orders")
    names = {folder_name(*first).lower(), folder_name(*second.split(".")).lower()}
    assert len(names) == 1 + (second != "shop.orders")
    composed, decomposed = folder_name("shop", "\u00e9"), folder_name("shop", "e\u0301")
    assert composed.isascii()
    assert decomposed.isascii()
    assert composed.lower() != decomposed.lower()


@dataclass
class Store:
    """An object storage."""

    server: S3Server
    client: Any

    def put(self, path: str, data: bytes = b"of another") -> None:
        """Store an object."""
        bucket, _, key = path.partition("/")
        self.client.create_bucket(Bucket=bucket)
        self.client.put_object(Bucket=bucket, Key=key, Body=data)
        self.server.requests.clear()

    def objects(self) -> dict[str, bytes]:
        """Return all objects."""
        return {
            f"{bucket['Name']}/{found['Key']}": self.client.get_object(
                Bucket=bucket["Name"], Key=found["Key"]
            )["Body"].read()
            for bucket in self.client.list_buckets()["Buckets"]
            for found in self.client.list_objects_v2(Bucket=bucket["Name"]).get("Contents", [])
        }


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running_s3() as server:
        host = server.query.split("=")[1].split("&")[0]
        client = import_module("boto3").client(
            "s3", endpoint_url=f"http://{host}", region_name="us-east-1"
        )
        yield Store(server, client)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["lake/a/b", "lake/a%2Fb", "lake/out/"])
def test_objects_of_others_stay(store: Store, place: str) -> None:
    store.put("lake/notes")
    store.put(f"{place.rstrip('/')}/", b"")  # as tools store for a folder
    store.put(f"{place.rstrip('/')}.bak/notes")
    store.put("lake/parent/")
    write(store.server.uri("lake/parent/out"), 1)
    assert store.objects()["lake/parent/"] == b"of another"
    before = store.objects()
    for value in (1, 2):
        write(store.server.uri(place), value)
        found = store.objects()
        assert {name: found.get(name) for name in before} == before
    ours = [name.rpartition("/")[2] for name in found.keys() - before.keys()]
    assert sorted(name[:5] for name in ours) == ["_SUCC", "_mysq", *["part-"] * NUM_PARTS]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["lake", "lake/", "lake/notes", "lake/notes/", "lake/folder"])
def test_places_of_others_in_storage_are_refused(store: Store, place: str) -> None:
    for name in ("notes", f"folder/_temporary-{HEX}", f"folder/_temporary-{HEX}/{PART}"):
        store.put(f"lake/{name}")
    before = store.objects()
    with pytest.raises((OptionError, OSError)):
        write(store.server.uri(place), 1)
    assert store.objects() == before


@pytest.mark.slow
def test_the_root_of_a_bucket_of_ones_own(store: Store) -> None:
    store.put("lake/notes", b"of another")
    store.put("other/notes", b"of another")
    store.client.delete_object(Bucket="lake", Key="notes")
    for value in (1, 2):
        write(store.server.uri("lake"), value)
    assert len(store.objects()) == NUM_PARTS + 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["lake/../other", "lake/a/../../other", "lake/./x", "lake//x", "lake/x//y", "lake/.."]
)
def test_paths_that_clients_of_storage_change_are_refused(store: Store, path: str) -> None:
    store.put("lake/notes", b"of another")
    store.put("other/notes", b"of another")
    before = store.objects()
    with pytest.raises(OptionError, match="without empty parts"):
        write(store.server.uri(path), 1)
    assert store.objects() == before
    assert not [asked for asked in store.server.requests if asked.method not in ("GET", "HEAD")]


def test_a_folder_of_a_lower_layer_is_an_error_that_says_so(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, 1)
    before = everything(tmp_path)
    with (
        patch.object(data_set, "renameat2", side_effect=OSError(errno.EXDEV, "")),
        pytest.raises(BinlogError, match="lower layer of an overlay file system"),
    ):
        write(out, 2)
    assert everything(tmp_path) == before


def test_a_link_that_comes_while_a_data_set_is_written_stays(tmp_path: Path) -> None:
    """Its user moved the folder to another disk meanwhile."""
    out, moved = tmp_path / "out", tmp_path / "moved"
    write(out, 1)
    with staging(Location.parse(out), overwrite=True) as staged:
        name = part_name(0)
        Path(staged.folder.path, staged.name, name).write_bytes(b"new")
        out.rename(moved)
        out.symlink_to(moved)
        with pytest.raises(BinlogError, match="another program"):
            staged.commit([name])
    assert out.readlink() == moved
    assert values(moved) == [1] * NUM_PARTS
    assert {path.name for path in tmp_path.iterdir()} == {"out", "moved"}


@pytest.mark.parametrize("form", ["file://{}", "file:{}", "file://localhost{}", "{}/", "{}/./x/.."])
def test_forms_of_a_local_path(form: str, tmp_path: Path) -> None:
    out = tmp_path / "a%2Fb ?c"
    for value in (1, 2):
        write(form.format(out), value)
    assert pq.read_table([*out.glob("part-*")]).num_rows == NUM_PARTS
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.parametrize("name", ["kept", "a b%\n"])
@pytest.mark.parametrize("can_be_swapped", [True, False])
def test_a_copy_of_a_data_set_is_not_replaced(
    can_be_swapped: bool, name: str, tmp_path: Path
) -> None:
    """Its user keeps it under the name of a table that is exported later."""
    out, copy = tmp_path / "out", tmp_path / name
    with patch.object(data_set, "_can_be_swapped", return_value=can_be_swapped):
        write(out, 1)
        shutil.copytree(out, copy)
        before = everything(copy)
        with pytest.raises(OptionError, match="a copy of the data set out"):
            write(copy, 2)
        assert everything(copy) == before
        shutil.rmtree(copy)
        for value in (2, 3):
            write(copy, value)
        assert values(copy) == [3] * NUM_PARTS
    (tmp_path / "other").mkdir()
    copy.rename(tmp_path / "other" / name)  # with the folder that it is in
    write(tmp_path / "other" / name, 4)
    assert values(tmp_path / "other" / name) == [4] * NUM_PARTS
