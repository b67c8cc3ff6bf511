"""Places of data sets: folders with other files, full disks, two programs, object storage."""

import errno
import os
import resource
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

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark import data_set
from pyspark_adapter.spark.data_set import part_name, staging
from pyspark_adapter.spark.written_tables import write_delta_tables
from tests.unit.s3_server import S3Server, running_s3
from tests.unit.spark.test_data_set import NUM_PARTS, values, write

HEX = "0123456789abcdef" * 2
PART = f"part-00000-{HEX}.parquet"


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
    with pytest.raises(OptionError, match="expected an empty folder, found part-0"):
        write_delta_tables(Mock(), given, tmp_path, txn_app_id=None, txn_version=None)
    assert everything(tmp_path) == before


def test_a_disk_that_is_full_leaves_nothing_next_to_a_data_set(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write(tmp_path / "out", 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [*tmp_path.iterdir()]


def test_what_a_kill_left_within_is_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    left = out / f"_temporary-{HEX}"
    with patch.object(data_set, "_can_be_swapped", return_value=False):
        write(out, 1)
        left.mkdir()
        (left / PART).touch()
        write(out, 2)
    assert len([*out.iterdir()]) == NUM_PARTS + 2
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


@dataclass
class Store:
    """An object storage."""

    server: S3Server
    client: Any

    def put(self, path: str, data: bytes = b"of another") -> None:
        bucket, _, key = path.partition("/")
        self.client.create_bucket(Bucket=bucket)
        self.client.put_object(Bucket=bucket, Key=key, Body=data)
        self.server.requests.clear()

    def objects(self) -> dict[str, bytes]:
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


@pytest.mark.parametrize("form", ["file://{}", "file:{}", "file://localhost{}", "{}/", "{}/./x/.."])
def test_forms_of_a_local_path(form: str, tmp_path: Path) -> None:
    out = tmp_path / "a%2Fb ?c"
    for value in (1, 2):
        write(form.format(out), value)
    assert pq.read_table([*out.glob("part-*")]).num_rows == NUM_PARTS
    assert [*tmp_path.iterdir()] == [out]
