"""How far a stream reads while logs grow, rotate, are purged and replaced."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogOptions,
    DataLossError,
    LogFileError,
    OptionError,
    TruncatedEventError,
    UnsupportedError,
    read_batches,
)
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read
from pyspark_adapter.splits.transaction_bounds import TransactionBounds
from pyspark_adapter.stream import log_stream
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_stream import BatchLimit
from tests.support.log_series import (
    COMPRESSED,
    MARIADB,
    SERIES,
    SHOP,
    TYPES,
    ends_of_transactions,
    path_of,
    write_series,
)
from tests.support.logs import events_of, read_sample
from tests.support.streams import FollowedStream, rows_of


@pytest.mark.parametrize("name", [SHOP, MARIADB, COMPRESSED])
def test_a_growing_log_is_read_transaction_by_transaction(name: str, tmp_path: Path) -> None:
    """A half-written event and an open transaction wait; nothing else does."""
    log = read_sample(name)
    events = events_of(log)
    ends = ends_of_transactions(events)
    cuts = {event.end + shift for event in events for shift in (-1, 0, 1)}
    cuts |= {event.start_pos + shift for event in events for shift in (10, 19, 25)}
    path = path_of(tmp_path, 1)
    path.write_bytes(log[: events[0].end])
    stream = FollowedStream(tmp_path)
    for cut in sorted(cut for cut in cuts if events[0].end <= cut <= len(log)):
        path.write_bytes(log[:cut])
        stream.poll()
        assert stream.offset.pos == max(end for end in ends if end <= cut), cut
    assert stream.rows == rows_of(path)
    assert len(stream.rows) > 20


def test_a_log_that_is_cut_while_it_is_looked_at_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_series(tmp_path, SHOP)
    stream = FollowedStream(tmp_path)
    # It is there for the offset, and not when transactions are looked for.
    monkeypatch.setattr(log_stream, "read_log_start", lambda _: None)
    with pytest.raises(DataLossError, match=r"binlog\.000001: was cut before the end"):
        stream.poll()


@pytest.mark.parametrize("num_bytes", [1, 700, 5_000, 1 << 20])
def test_batches_of_bytes(num_bytes: int, tmp_path: Path) -> None:
    """Each has a transaction at the least, and no more than the limit with more than one."""
    paths = write_series(tmp_path, *SERIES)
    all_ends = {path.name: ends_of_transactions(events_of(path.read_bytes())) for path in paths}
    stream = FollowedStream(tmp_path)
    before = stream.offset
    while stream.poll(BatchLimit(num_bytes)):
        ends = all_ends[stream.offset.log_name]
        assert stream.offset.pos in ends
        if stream.offset.log_name == before.log_name:
            next_end = min(end for end in ends if end > before.pos)
            assert stream.offset.pos <= max(before.pos + num_bytes, next_end)
        before = stream.offset
        stream.restart()
    assert stream.rows == rows_of(tmp_path)
    assert stream.offset == stream.source.end()


def test_a_batch_of_bytes_takes_what_fits(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    ends = ends_of_transactions(events_of(path.read_bytes()))
    for num_bytes in (3_000, 9_000):
        stream = FollowedStream(tmp_path)
        stream.poll(BatchLimit(num_bytes))
        assert stream.offset.pos == max(end for end in ends if end <= 4 + num_bytes)


@pytest.mark.parametrize("num_files", [1, 2])
def test_batches_of_files(num_files: int, tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path)
    assert stream.poll(BatchLimit(None, num_files))
    assert stream.rows == rows_of(*paths[:num_files])
    while stream.poll(BatchLimit(None, num_files)):
        pass
    assert stream.rows == rows_of(tmp_path)


def test_a_backlog_is_read_in_splits(tmp_path: Path) -> None:
    """From where the stream stands, which need not be the beginning of a log."""
    [path] = write_series(tmp_path, TYPES)
    whole = path.read_bytes()
    cut = ends_of_transactions(events_of(whole))[9]
    path.write_bytes(whole[:cut])
    stream = FollowedStream(tmp_path, max_partition_bytes="64k")
    stream.poll()
    path.write_bytes(whole)
    end = stream.source.end()
    [(_, found)] = stream.source.ranges(stream.offset, end)
    assert (found.start, found.stop) == (cut, len(whole))
    stream.poll()
    assert stream.rows == rows_of(path)


def test_the_headers_of_a_batch_are_followed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To find its end; what is found on the way cuts it into splits, and is asked for again."""
    [path] = write_series(tmp_path, TYPES)
    stream = FollowedStream(tmp_path, max_partition_bytes="64k")
    start, end = stream.offset, stream.source.end()
    looks: list[int] = []
    find = TransactionBounds.find

    def counted(bounds: TransactionBounds, log_file: LogFile) -> Iterator[list[int]]:
        looks.append(bounds.position)
        return find(bounds, log_file)

    monkeypatch.setattr(TransactionBounds, "find", counted)
    request = plan_read([], BinlogOptions(max_partition_bytes=1 << 16))
    splits = plan_splits(stream.source.ranges(start, end), request)
    assert len(splits) == path.stat().st_size // (1 << 16) + 1
    assert looks == []
    stream.restart()  # after a failure
    assert plan_splits(stream.source.ranges(start, end), request) == splits
    assert looks == [4]


def test_rotation(tmp_path: Path) -> None:
    """A log of which the first event is not all there yet is none yet."""
    first, second = read_sample(SHOP), read_sample("mysql-9.7-transactions")
    path_of(tmp_path, 1).write_bytes(first)
    stream = FollowedStream(tmp_path)
    for cut in (0, 2, 4, 20, 100, events_of(second)[0].end, 5_000, len(second)):
        stream.poll()
        path_of(tmp_path, 2).write_bytes(second[:cut])
    stream.poll()
    assert stream.offset.log_name == "binlog.000002"
    assert stream.rows == rows_of(tmp_path)


def test_rotation_to_a_longer_number(tmp_path: Path) -> None:
    write_series(tmp_path, *SERIES, first=999_998)
    stream = FollowedStream(tmp_path)
    stream.poll()
    assert stream.offset.log_name == "binlog.1000000"
    path_of(tmp_path, 1_000_001).write_bytes(read_sample(TYPES))
    stream.poll()
    assert stream.offset.log_name == "binlog.1000001"
    assert len(stream.rows) == len(rows_of(tmp_path))


def test_a_batch_is_the_same_when_it_is_asked_for_again(tmp_path: Path) -> None:
    """After a failure Spark asks for it from its checkpoint, when the logs have grown."""
    log = read_sample(SHOP)
    path_of(tmp_path, 1).write_bytes(log[:15_000])
    stream = FollowedStream(tmp_path)
    start = stream.offset
    stream.poll()
    rows, end = list(stream.rows), stream.offset
    path_of(tmp_path, 1).write_bytes(log)
    write_series(tmp_path, MARIADB, first=2)
    stream.restart()
    assert stream.read(start, end) == rows
    stream.poll()
    assert stream.rows == rows_of(tmp_path)


def test_the_end_is_kept_for_all_that_is_available_now(tmp_path: Path) -> None:
    log = read_sample(SHOP)
    path_of(tmp_path, 1).write_bytes(log[:15_000])
    stream = FollowedStream(tmp_path)
    until = stream.source.end()
    path_of(tmp_path, 1).write_bytes(log)
    write_series(tmp_path, MARIADB, first=2)
    while stream.poll(BatchLimit(2_000), until):
        assert stream.offset.pos <= until.pos
    assert stream.offset == until
    assert stream.source.latest_offset(until, BatchLimit(), until) == until


def test_archives_of_closed_logs(tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    packed = paths[0].with_name(paths[0].name + ".gz")
    packed.write_bytes(gzip.compress(paths[0].read_bytes()))
    paths[0].unlink()
    stream = FollowedStream(tmp_path)
    while stream.poll(BatchLimit(2_000)):
        pass
    assert stream.rows == rows_of(packed, *paths[1:])


def test_a_log_packed_under_the_stream(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    stream = FollowedStream(tmp_path)
    stream.poll(BatchLimit(2_000))
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    with pytest.raises(DataLossError, match="packed into an archive"):
        stream.poll()


def test_paths_of_a_stream(tmp_path: Path) -> None:
    """A directory, its index, or a pattern of the names in it."""
    write_series(tmp_path, SHOP)
    (tmp_path / "relay.000001").write_bytes(read_sample(TYPES))
    (tmp_path / "binlog.index").write_text("./binlog.000001\n")
    (tmp_path / "ib_logfile.1").write_bytes(b"no log")
    with pytest.raises(LogFileError, match=r"one server for a stream, found binlog\., relay\."):
        FollowedStream(tmp_path)
    for path in (tmp_path / "binlog.index", tmp_path / "bin*"):
        stream = FollowedStream(path)
        stream.poll()
        assert stream.rows == rows_of(path_of(tmp_path, 1))
        write_series(tmp_path, MARIADB, first=2)
        stream.poll()
        assert stream.offset.log_name == "binlog.000002"
        path_of(tmp_path, 2).unlink()


def test_a_directory_named_like_a_pattern_is_that_directory(tmp_path: Path) -> None:
    """As for a batch read: see test_log_search."""
    folder = tmp_path / "db[1]"
    folder.mkdir()
    [path] = write_series(folder, SHOP)
    for asked in (folder, folder / "binlog.*"):
        stream = FollowedStream(asked)
        stream.poll()
        assert stream.offset.log_name == path.name


@pytest.mark.parametrize("as_option", [False, True])
def test_a_log_outside_the_pattern_is_not_followed(as_option: bool, tmp_path: Path) -> None:
    paths = write_series(tmp_path, SHOP, MARIADB, TYPES)
    pattern = "binlog.00000[12]"
    stream = (
        FollowedStream(tmp_path, path_glob_filter=pattern)
        if as_option
        else FollowedStream(tmp_path / pattern)
    )
    while stream.poll():
        pass
    assert stream.offset.log_name == paths[1].name
    assert stream.rows == rows_of(*paths[:2])


def test_an_archive_as_the_newest_log_is_refused(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    stream = FollowedStream(tmp_path)
    with pytest.raises(
        UnsupportedError, match=r"binlog\.000001: expected the newest log .* archive"
    ):
        stream.poll()
    [path] = write_series(tmp_path, MARIADB, first=2)
    while stream.poll():
        pass
    assert stream.rows == rows_of(tmp_path / "binlog.000001.gz", path)


def test_an_index_that_is_a_damaged_archive_is_named(tmp_path: Path) -> None:
    index = tmp_path / "binlog.index"
    index.write_bytes(gzip.compress(read_sample(SHOP))[:30])
    for ask in (lambda: FollowedStream(index), lambda: list(read_batches(index))):
        with pytest.raises(TruncatedEventError, match=f"^{index}: the gzip archive"):
            ask()


@pytest.mark.parametrize("paths", [["a", "b"], []])
def test_a_stream_has_one_path(paths: list[str]) -> None:
    with pytest.raises(OptionError, match="expected one directory"):
        LogDirectory(paths, BinlogOptions())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recursive_file_lookup", True),
        ("modified_after", "2026-01-01"),
        ("modified_before", "2026-01-01"),
    ],
)
def test_options_that_a_stream_does_not_follow(name: str, value: Any, tmp_path: Path) -> None:
    """Spark's own streams refuse those of times, too: FileStreamOptions.checkDisallowedOptions."""
    with pytest.raises(OptionError, match="expected no value for a stream"):
        LogDirectory([str(tmp_path)], BinlogOptions(**{name: value}))


def test_a_log_is_a_stream_without_those_beside_it(tmp_path: Path) -> None:
    path, _ = write_series(tmp_path, SHOP, SHOP)
    stream = FollowedStream(path)
    while stream.poll():
        pass
    assert stream.rows == rows_of(path)


def test_a_file_without_a_number_is_no_stream(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    with pytest.raises(OptionError, match="or a log whose name ends in its number"):
        FollowedStream(path.rename(tmp_path / "copy.log"))


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LogFileError, match="No such file"):
        FollowedStream(tmp_path / "none")


@pytest.mark.parametrize("name", ["mysql-9.7-encrypted", "mariadb-11.8-encrypted"])
def test_encrypted_logs(name: str, tmp_path: Path) -> None:
    path_of(tmp_path, 1).write_bytes(read_sample(name))
    stream: FollowedStream | None = None

    def follow() -> None:
        nonlocal stream
        stream = stream or FollowedStream(tmp_path)
        while stream.poll():
            pass

    with pytest.raises(UnsupportedError, match="encrypted"):
        follow()


def test_a_look_at_nothing_new_reads_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path)
    stream.poll()
    stream.poll()

    def fail(*_args: object) -> None:
        raise AssertionError

    monkeypatch.setattr("pyspark_adapter.events.log_start.open_log", fail)
    monkeypatch.setattr("pyspark_adapter.splits.transaction_bounds.open_log", fail)
    monkeypatch.setattr(LogDirectory, "all", fail)
    assert not stream.poll()


def test_offsets_are_the_same_text_for_spark() -> None:
    offset = StreamOffset("binlog.000001", 157, "1795198895-a01f0ce5")
    assert list(offset.to_json()) == ["log_file", "pos", "log_id"]
    assert StreamOffset.from_json(offset.to_json()) == offset
