"""Paths and URIs, and storage that pyarrow and fsspec reach."""

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from pyarrow import fs

from pyspark_adapter import LogFileError, UnsupportedError, list_tables, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.sources import arrow_storage as arrow
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.log_file import LogFile
from tests.support.logs import read_sample

SHOP = read_sample("mysql-9.7-shop")


@pytest.fixture
def memory() -> Iterator[Any]:
    """Give fsspec's files in memory, empty."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


@pytest.mark.parametrize(
    ("text", "expected", "shown"),
    [
        ("/a/b", Location("", "", "/a/b"), "/a/b"),
        ("/a/b/", Location("", "", "/a/b"), "/a/b"),
        ("/", Location("", "", "/"), "/"),
        ("file:/a/b%20c", Location("", "", "/a/b%20c"), "/a/b%20c"),
        ("file://localhost/a", Location("", "", "/a"), "/a"),
        ("S3://logs", Location("s3", "logs", ""), "s3://logs"),
        ("s3://logs/", Location("s3", "logs", ""), "s3://logs"),
        ("s3://k:s@logs/a/b?region=x&y=z", Location("s3", "k:s@logs", "/a/b", "?region=x&y=z"), ""),
        ("s3://logs?a=b", Location("s3", "logs", "", "?a=b"), "s3://logs"),
        ("s3://logs/binlog.00000?", Location("s3", "logs", "/binlog.00000?"), ""),
        ("s3://logs/b?0?a=b*", Location("s3", "logs", "/b?0", "?a=b*"), "s3://logs/b?0"),
        ("abfs://c@acc.dfs.core.windows.net/x", None, "abfs://c@acc.dfs.core.windows.net/x"),
        ("abfss://c:s@acc.dfs.core.windows.net", None, "abfss://c@acc.dfs.core.windows.net"),
        ("abfs://:k:s@acc.dfs.core.windows.net/x", None, "abfs://@acc.dfs.core.windows.net/x"),
        ("hdfs://namenode:8020/logs", Location("hdfs", "namenode:8020", "/logs"), ""),
        ("memory://logs/a", Location("memory", "logs", "/a"), "memory://logs/a"),
    ],
)
def test_location(text: str, expected: Location | None, shown: str) -> None:
    location = Location.parse(text)
    assert expected is None or location == expected
    assert Location.parse(str(location)) == location
    if shown:
        assert location.shown == shown
    assert "k:s" not in location.shown
    child = location.child("binlog.000001")
    assert child.name == "binlog.000001"
    assert child.parent == location


@pytest.mark.parametrize("text", ["file://host/a", "FILE://a", "file://", "local://h/a?b=c"])
def test_a_file_of_another_machine_is_refused(text: str) -> None:
    with pytest.raises(LogFileError, match="expected a file of this machine"):
        Location.parse(text)


def test_a_relative_path_is_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "binlog.000001").write_bytes(SHOP)
    assert [log.path for log in find_log_files("binlog.*")] == [str(tmp_path / "binlog.000001")]
    assert [log.path for log in find_log_files(".")] == [str(tmp_path / "binlog.000001")]


def test_storage_of_fsspec_gives_the_rows_of_local_files(memory: Any, tmp_path: Path) -> None:
    memory.pipe("/logs/db1/binlog.000002", SHOP)
    memory.pipe("/logs/db1/binlog.000001", SHOP)
    memory.pipe("/logs/db1/binlog.index", b"binlog.000001\nbinlog.000002\n")
    memory.pipe("/logs/db2/binlog.000001", SHOP)
    for number in (1, 2):
        (tmp_path / f"binlog.00000{number}").write_bytes(SHOP)
    expected = [batch.to_pylist() for batch in read_batches(tmp_path)]
    for path in ("memory://logs/db1", "memory://logs/db1/binlog.*", "memory://logs/{db1,x}/*"):
        assert [batch.to_pylist() for batch in read_batches(path)] == expected, path
    assert [log.path for log in find_log_files("memory://logs/*/binlog.000001")] == [
        "memory://logs/db1/binlog.000001",
        "memory://logs/db2/binlog.000001",
    ]
    assert list_tables("memory://logs/db2/binlog.000001")


def test_what_is_not_there_is_named(memory: Any) -> None:
    memory.pipe("/logs/other", b"no log at all")
    with pytest.raises(LogFileError, match="memory://logs/no: cannot be read: No such file"):
        find_log_files("memory://logs/no")
    with pytest.raises(LogFileError, match="found no file that begins as one"):
        find_log_files("memory://logs")


def test_a_log_that_goes_while_it_is_read_is_an_error(memory: Any) -> None:
    memory.pipe("/logs/binlog.000001", SHOP)
    batches = read_batches("memory://logs/binlog.000001")
    memory.rm("/logs/binlog.000001")
    with pytest.raises(LogFileError, match=r"binlog\.000001: cannot be opened: ") as caught:
        list(batches)
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_an_error_of_a_storage_is_one_of_ours(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.pipe("/logs/binlog.000001", SHOP)
    batches = read_batches("memory://logs/binlog.000001", window_bytes="4k")
    opened = arrow.ArrowStorage.open
    reads = []

    class Failing:
        """Fails at the third read, as a library's own error."""

        def __init__(self, file: Any) -> None:
            self._file = file
            self.close, self.tell, self.seek = file.close, file.tell, file.seek

        def readinto(self, buffer: memoryview) -> int:
            reads.append(len(buffer))
            if len(reads) == 3:
                raise OSError("the connection was reset")
            return int(self._file.readinto(buffer))

    monkeypatch.setattr(
        arrow.ArrowStorage, "open", lambda self, location: Failing(opened(self, location))
    )
    with pytest.raises(LogFileError, match=r"binlog\.000001: cannot be read: the connection was"):
        list(batches)
    assert len(reads) == 3


def test_an_unknown_scheme_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError, match="files of nosuch: Protocol not known") as caught:
        read_batches("nosuch://user:secret@host/binlog.000001")
    assert "secret" not in str(caught.value)
    arrow._connect.cache_clear()
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(UnsupportedError, match="fsspec, which is not installed; pip install"):
        read_batches("ftp://host/binlog.000001")


def test_file_systems_of_pyarrow_are_listed_by_their_root() -> None:
    system = fs._MockFileSystem()
    storage = arrow.ArrowStorage(fs.SubTreeFileSystem("bucket", system), "")
    system.create_dir("bucket/logs/more")
    with system.open_output_stream("bucket/logs/binlog.000001") as file:
        file.write(SHOP)
    root = Location.parse("mock://x")
    assert [found.name for found in storage.list(root)] == ["logs"]
    found = {file.name: file for file in storage.list(root.child("logs"))}
    assert (found["more"].is_directory, found["binlog.000001"].is_directory) == (True, False)
    assert found["binlog.000001"].num_bytes == len(SHOP)
    assert storage.look_up(root.child("logs").child("binlog.000001")).num_bytes == len(SHOP)
    with pytest.raises(FileNotFoundError):
        storage.look_up(root.child("no"))


def test_a_log_elsewhere_is_small_to_send(memory: Any) -> None:
    memory.pipe("/logs/binlog.000001", SHOP)
    [found] = find_log_files("memory://logs/binlog.000001")
    copy: LogFile = pickle.loads(pickle.dumps(found))  # noqa: S301  # of our own making
    assert copy == found
    assert len(pickle.dumps(found)) < 1000
