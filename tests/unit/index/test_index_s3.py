"""Logs in S3 with an index: which bytes are asked for, and an index that lies there, too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning, list_tables, read_batches
from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import OptionError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.header import len_event_at
from pyspark_adapter.index import wanted_blocks
from pyspark_adapter.index.build_index import build_index
from pyspark_adapter.index.wanted_blocks import IndexedLogs
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read
from tests.support.logs import read_sample
from tests.unit.s3_server import S3Server, running_s3

# It starts a server.
pytestmark = pytest.mark.slow

SHOP = read_sample("mysql-9.7-shop")
LOG = "logs/db1/binlog.000007"
# What is read of a log when it is found, and its first event with the bytes before it.
LEN_LISTED = 160
LEN_FIRST = 4 + len_event_at(SHOP, 4)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """Give a server of S3 with a log."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr(wanted_blocks, "_REMOTE_GAP", 1)  # the sample is small
    with running_s3() as server:
        server.put(LOG, SHOP)
        server.put("logs/indexes/notes.txt", b"of the user")
        yield server


def rows(path: str, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_batches(path, **options) for row in batch.to_pylist()]


def write_index(s3: S3Server, folder: IndexFolder) -> None:
    [log_file] = find_log_files(s3.uri(LOG))
    index = build_index(log_file, BinlogOptions(), step=600)
    assert index is not None
    folder.write(index)
    s3.requests.clear()


@pytest.mark.parametrize("is_remote", [False, True])
def test_only_the_blocks_are_asked_for(s3: S3Server, tmp_path: Path, *, is_remote: bool) -> None:
    folder = s3.uri("logs/indexes") if is_remote else str(tmp_path / "indexes")
    write_index(s3, IndexFolder(folder, may_be_missing=True))
    uri = s3.uri(LOG)
    for options in ({"table": "shop.price_history"}, {"table": "shop.orders", "keys": [5]}):
        expected = rows(uri, **options)
        assert expected
        checked = BinlogOptions.from_python({"index": folder, **options})
        [log_file] = find_log_files(uri, checked)
        wanted = IndexedLogs.of(plan_read([log_file], checked)).ranges([log_file])
        s3.requests.clear()
        assert rows(uri, index=folder, **options) == expected
        asked = s3.ranges_of(LOG)
        num_blocks = sum(part.num_bytes(log_file) for _, part in wanted if part is not None)
        assert 0 < num_blocks < len(SHOP) / 2
        # To know the log, its first event is asked for when it is found, and before each range.
        num_known = LEN_LISTED + len(wanted) * LEN_FIRST
        assert s3.num_bytes_read(LOG) == num_blocks + num_known
        assert len(asked) == 1 + 2 * len(wanted)
        # What else is asked for of the log: its size, when it is found and opened.
        of_log = [request.method for request in s3.requests if request.path == f"/{LOG}"]
        assert of_log.count("HEAD") == 2 + len(wanted)


def test_plans_ask_for_the_first_event_alone(s3: S3Server) -> None:
    folder = s3.uri("logs/indexes")
    write_index(s3, IndexFolder(folder))
    options = BinlogOptions.from_python({"table": "shop.orders", "index": folder})
    log_files = find_log_files(s3.uri(LOG), options)
    plan_splits([(log_file, None) for log_file in log_files], plan_read(log_files, options))
    assert s3.num_bytes_read(LOG) == LEN_LISTED
    s3.requests.clear()
    assert list_tables(s3.uri(LOG), index=folder) == list_tables(s3.uri(LOG))


def test_the_command_keeps_indexes_in_s3(s3: S3Server, capsys: pytest.CaptureFixture[str]) -> None:
    folder, uri = s3.uri("logs/indexes"), s3.uri(LOG)
    assert main(["index", uri, "--index", folder]) == 0
    assert main(["index", uri, "--index", folder, "--check"]) == 0
    assert main(["index", uri, "--index", folder, "--pack"]) == 0
    assert rows(uri, index=folder, tables="shop.orders") == rows(uri, tables="shop.orders")
    capsys.readouterr()
    assert main(["index", "--index", folder, "--drop"]) == 0
    assert capsys.readouterr().err == "files removed from s3://logs/indexes: 1\n"
    system, _ = __import__("pyarrow").fs.FileSystem.from_uri(s3.uri("logs/"))
    assert system.get_file_info("logs/indexes/notes.txt").size == len(b"of the user")


def test_damaged_files_in_s3_are_left_out(s3: S3Server) -> None:
    folder = IndexFolder(s3.uri("logs/indexes"))
    write_index(s3, folder)
    [name] = [file.name for file in IndexFolder(folder.path)._list()]
    s3.put(f"logs/indexes/{name}", b"mysql-binlog-spark index 05\n")
    with pytest.warns(BinlogWarning, match="left out"):
        assert IndexFolder(folder.path).pack() == 0
    with pytest.raises(OptionError, match="no such folder"):
        IndexFolder(s3.uri("logs/none"))
    for path in ("logs/../other", "logs/indexes/..", "logs/./indexes", "logs//indexes"):
        with pytest.raises(OptionError, match="empty parts"):
            IndexFolder(s3.uri(path), may_be_missing=True)
