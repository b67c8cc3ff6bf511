"""Logs in S3, over a real connection: which rows they give, and which bytes are asked for."""

import gzip
import random
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import (
    BinlogOptions,
    LogFileError,
    NotABinlogError,
    list_tables,
    read_batches,
    read_schema,
)
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.splits.log_splits import plan_splits, read_range_of
from pyspark_adapter.splits.read_split import plan_read
from tests.support.log_writer import LogWriter
from tests.support.logs import find_event, read_sample
from tests.support.streams import FollowedStream, rows_of
from tests.unit.s3_server import S3Server, running_s3

# It starts a server.
pytestmark = pytest.mark.slow

SHOP = read_sample("mysql-9.7-shop")
TYPES = read_sample("mysql-9.7-types")
GTID, ROWS_QUERY = 33, 29
ORDERS: dict[str, Any] = {"table": "shop.orders"}
# What is read of a file to see whether it is a log, and which.
LISTED = (0, 159)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running_s3() as server:
        yield server


def rows(path: Path | str, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_batches(path, **options) for row in batch.to_pylist()]


def local(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_rows_are_those_of_a_local_log(s3: S3Server, tmp_path: Path) -> None:
    s3.put("logs/db1/binlog.000007", SHOP)
    expected = rows(local(tmp_path, "binlog.000007", SHOP), **ORDERS)
    found = rows(s3.uri("logs/db1/binlog.000007"), window_bytes="4k", **ORDERS)
    assert found == expected
    assert found
    found = rows(s3.uri("logs/db1/binlog.000007").replace("s3:", "s3a:"), **ORDERS)
    assert found == expected


def test_directories_patterns_and_indexes(s3: S3Server) -> None:
    for number in ("999999", "1000000"):
        s3.put(f"logs/db1/binlog.{number}", SHOP)
    s3.put("logs/db1/binlog.index", b"./binlog.1000000\n./binlog.000005\n./binlog.999999\n")
    s3.put("logs/db1/binlog.000005.gz", gzip.compress(SHOP))
    s3.put("logs/db1/notes.txt", b"no log at all")
    s3.put("logs/db1/more/binlog.000001", SHOP)
    s3.put("logs/db2/binlog.000001", SHOP)

    def names(path: str, **options: Any) -> list[str]:
        found = find_log_files(s3.uri(path), BinlogOptions(**options))
        assert all(log.path.endswith(s3.query) for log in found)
        return [log.name for log in found]

    by_index = ["binlog.1000000", "binlog.000005", "binlog.999999"]
    assert names("logs/db1") == by_index
    assert names("logs/db1/") == by_index
    assert names("logs/db1/binlog.index") == by_index
    assert names("logs/db1/*9") == ["binlog.999999"]
    assert names("logs/db*/binlog.000001") == ["binlog.000001"]
    assert names("logs", recursive_file_lookup=True) == [*by_index, *["binlog.000001"] * 2]
    assert names("logs/db1", path_glob_filter="*.gz") == ["binlog.000005"]
    assert names("logs/db1", modified_after="2020-01-01") == by_index
    with pytest.raises(LogFileError, match="found no file that begins as one"):
        names("logs/db1", modified_before="2020-01-01")


def test_no_byte_is_asked_for_twice_but_the_first(s3: S3Server) -> None:
    s3.put("logs/binlog.000001", TYPES)
    s3.put("logs/binlog.000002", TYPES)
    schema = read_schema(s3.uri("logs/binlog.000002"), metadata_columns="_gtid")
    [log_file] = find_log_files(s3.uri("logs/binlog.000002"))
    s3.requests.clear()
    assert list(read_batches(log_file.path, schema=schema, window_bytes="64k"))
    ranges = sorted(s3.ranges_of("logs/binlog.000002"))
    assert ranges[-1][1] == len(TYPES) - 1
    tail = [found for found in ranges if found[0] >= 4]
    assert len(tail) > len(TYPES) // (1 << 16)
    for before, after in pairwise(tail):
        assert after[0] == before[1] + 1
    assert [found for found in ranges if found[0] < 4] == [(0, 3), LISTED]  # is it a log?
    assert s3.ranges_of("logs/binlog.000001") == []
    assert not any("000001" in request.path for request in s3.requests)


def test_first_rows_take_the_first_windows(s3: S3Server) -> None:
    s3.put("logs/binlog.000001", TYPES)
    first_rows = find_event(TYPES, "WRITE_ROWS_EVENT", 1).end
    options: dict[str, Any] = {"window_bytes": "4k", "batch_rows": "2"}
    assert next(iter(read_batches(s3.uri("logs/binlog.000001"), **options))).num_rows == 2
    assert first_rows < len(TYPES) // 4
    assert s3.num_bytes_read("logs/binlog.000001") <= first_rows + 3 * (4 << 10)


def test_to_look_for_logs_takes_their_first_bytes(s3: S3Server) -> None:
    for number in range(1, 21):
        s3.put(f"logs/binlog.{number:06}", SHOP)
    found = find_log_files(s3.uri("logs"))
    assert [log.number for log in found] == list(range(1, 21))
    assert {log.num_bytes for log in found} == {len(SHOP)}
    for log in found:
        assert s3.ranges_of(f"logs/{log.name}") == [LISTED]


def test_an_archive_is_read_in_ranges(s3: S3Server, tmp_path: Path) -> None:
    data = gzip.compress(SHOP)
    s3.put("logs/binlog.000007.gz", data)
    expected = rows(local(tmp_path, "binlog.000007", SHOP))
    [log_file] = find_log_files(s3.uri("logs/binlog.000007.gz"))
    s3.requests.clear()
    assert rows(log_file.path) == expected
    assert s3.ranges_of("logs/binlog.000007.gz") == [LISTED, (0, len(data) - 1)]
    assert list_tables(log_file.path)


def test_to_look_into_an_archive_takes_its_first_read(s3: S3Server) -> None:
    data = gzip.compress(TYPES + random.Random(1).randbytes(1 << 16))  # noqa: S311  # no secret
    s3.put("logs/binlog.000007.gz", data)
    assert [log.name for log in find_log_files(s3.uri("logs"))] == ["binlog.000007"]
    assert len(data) > 1 << 16
    assert s3.ranges_of("logs/binlog.000007.gz") == [LISTED, (0, (1 << 15) - 1)]


def test_what_is_not_there_is_named_without_the_key(s3: S3Server) -> None:
    s3.put("logs/other", b"no log at all")
    for path in ("logs/binlog.000001", "no-such-bucket/binlog.000001"):
        uri = s3.uri(path).replace("s3://", "s3://AKIA:secret@")
        with pytest.raises(LogFileError, match="No such file") as caught:
            read_batches(uri)
        assert str(caught.value).startswith(f"s3://{path}: cannot be read: ")
        assert "secret" not in str(caught.value)
    with pytest.raises(LogFileError, match="expected a pattern of binary logs"):
        read_batches(s3.uri("logs/binlog.*"))
    with pytest.raises(NotABinlogError):
        list(read_batches(s3.uri("logs/other")))


def test_large_events_are_hopped_over_when_a_log_is_cut(s3: S3Server) -> None:
    """Two looks at the beginning, and one at each large event; no more in the tasks."""
    log = LogWriter()
    for _ in range(3):
        log.event(GTID, struct.pack("<B16sQBQQ", 0, bytes(16), 1, 2, 0, 1))
        log.begin()
        log.event(ROWS_QUERY, bytes(4 << 20))
        log.commit()
    s3.put("logs/binlog.000001", bytes(log.data))
    [log_file] = find_log_files(s3.uri("logs/binlog.000001"))
    schema = pa.schema([("_start_pos", pa.int64())])
    request = plan_read([log_file], BinlogOptions(max_partition_bytes=1 << 20), schema)
    s3.requests.clear()
    splits = plan_splits([(log_file, None)], request)
    assert len(splits) == 3
    ranges = s3.ranges_of("logs/binlog.000001")
    assert ranges[0] == (0, 511)
    assert len(ranges) == 5
    assert sum(last - first + 1 for first, last in ranges) < 2 << 20
    s3.requests.clear()
    part = read_range_of(splits[1])
    assert part is not None
    assert (part.start, part.stop) == (splits[1].start, splits[2].start)
    assert s3.ranges_of("logs/binlog.000001") == []  # a task compares it when it opens the log


def test_the_storage_of_a_binary_log_server_is_followed(s3: S3Server) -> None:
    """Percona's: it has JSON beside each log, and stores a log again as it grows."""
    for name, data in (
        ("metadata.json", b'{"version": 1, "mode": "gtid"}'),
        ("binlog.index", b"./binlog.000001\n"),
        ("binlog.000001", SHOP[:20_000]),
        ("binlog.000001.json", b'{"version": 1, "size": 20000}'),
    ):
        s3.put(f"logs/storage/{name}", data)
    stream = FollowedStream(s3.uri("logs/storage"))
    stream.poll()
    num_early = len(stream.rows)
    s3.put("logs/storage/binlog.000001", SHOP)
    stream.poll()
    assert 0 < num_early < len(stream.rows)
    assert stream.rows == rows_of(s3.uri("logs/storage"))
