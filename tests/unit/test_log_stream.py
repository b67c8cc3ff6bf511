"""How far a stream reads while logs grow, rotate, are purged and replaced."""

import gzip
import shutil
import struct
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pyspark_adapter import (
    BinlogOptions,
    BinlogWarning,
    CorruptEventError,
    DataLossError,
    LogFileError,
    OptionError,
    UnsupportedError,
)
from pyspark_adapter.events.log_identity import read_format_event
from pyspark_adapter.options.stream_offset import StreamOffset
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.plan_read import plan_read
from pyspark_adapter.splits.transaction_bounds import TransactionBounds
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_stream import BatchLimit
from tests.inputs import sample_path
from tests.support.logs import Event, events_of, read_sample, replaced, with_length
from tests.support.streams import FollowedStream, rows_of

SHOP = "mysql-9.7-shop"
TYPES = "mysql-9.7-types"
MARIADB = "mariadb-11.8-transactions"
COMPRESSED = "mysql-9.7-compressed-transactions"
# Each has one log; in a folder they stand for the logs of one server.
SERIES = (SHOP, "mysql-9.7-transactions", "mysql-9.7-tagged-gtids")
GTIDS = {"GTID_EVENT", "ANONYMOUS_GTID_EVENT", "GTID_TAGGED_EVENT", "MARIADB_GTID_EVENT"}


def path_of(folder: Path, number: int) -> Path:
    return folder / f"binlog.{number:06}"


def write_series(folder: Path, *names: str, first: int = 1) -> list[Path]:
    """Write samples as consecutive logs."""
    paths = [path_of(folder, first + i) for i in range(len(names))]
    for path, name in zip(paths, names, strict=True):
        path.write_bytes(read_sample(name))
    return paths


def ends_of_transactions(events: list[Event]) -> list[int]:
    """Return where transactions end in a log with GTIDs: each, where the next event begins.

    Events behind the last transaction belong to none: each of their ends is one as well.
    """
    ends = {event.start_pos for event in events if event.type_name in GTIDS}
    ends |= {event.start_pos for event in events if event.type_name == "BINLOG_CHECKPOINT_EVENT"}
    first = min(ends)
    ends |= {event.end for event in events if event.end <= first}
    last_commit = max(
        i
        for i, event in enumerate(events)
        if event.type_name in ("XID_EVENT", "QUERY_EVENT", "TRANSACTION_PAYLOAD_EVENT")
    )
    return sorted(ends | {4} | {event.end for event in events[last_commit:]})


@pytest.mark.parametrize("name", [SHOP, MARIADB, COMPRESSED])
@pytest.mark.parametrize("engine", ["kernels", "reference"])
def test_a_growing_log_is_read_transaction_by_transaction(
    name: str, engine: str, tmp_path: Path
) -> None:
    """A half-written event and an open transaction wait; nothing else does."""
    log = read_sample(name)
    events = events_of(log)
    ends = ends_of_transactions(events)
    cuts = {event.end + shift for event in events for shift in (-1, 0, 1)}
    cuts |= {event.start_pos + shift for event in events for shift in (10, 19, 25)}
    path = path_of(tmp_path, 1)
    path.write_bytes(log[: events[0].end])
    stream = FollowedStream(tmp_path, engine=engine)
    for cut in sorted(cut for cut in cuts if events[0].end <= cut <= len(log)):
        path.write_bytes(log[:cut])
        stream.poll()
        assert stream.offset.pos == max(end for end in ends if end <= cut), cut
    assert stream.rows == rows_of(path)
    assert len(stream.rows) > 20


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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """To find its end; what is found on the way cuts it into splits, and is asked for again."""
    [path] = write_series(tmp_path, TYPES)
    stream = FollowedStream(tmp_path, engine=engine, max_partition_bytes="64k")
    start, end = stream.offset, stream.source.end()
    looks: list[int] = []
    find = TransactionBounds.find

    def counted(bounds: TransactionBounds, log_file: LogFile) -> Iterator[list[int]]:
        looks.append(bounds.position)
        return find(bounds, log_file)

    monkeypatch.setattr(TransactionBounds, "find", counted)
    request = plan_read([], BinlogOptions(engine=engine, max_partition_bytes=1 << 16))
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


def test_no_log_yet(tmp_path: Path) -> None:
    stream = FollowedStream(tmp_path)
    assert stream.offset == StreamOffset()
    assert stream.source.end() == StreamOffset()
    stream.poll()
    write_series(tmp_path, SHOP)
    stream.poll()
    stream.poll()
    assert stream.rows == rows_of(tmp_path)


def test_starting_at_the_latest(tmp_path: Path) -> None:
    """Behind the last transaction that is there, and before one that is half-written."""
    log = read_sample(SHOP)
    ends = ends_of_transactions(events_of(log))
    path_of(tmp_path, 1).write_bytes(log[: ends[-3] - 10])
    stream = FollowedStream(tmp_path, starting_offsets="latest")
    assert stream.offset.pos == ends[-4]
    path_of(tmp_path, 1).write_bytes(log)
    stream.poll()
    whole = rows_of(tmp_path)
    assert stream.rows == whole[len(whole) - len(stream.rows) :]
    assert stream.offset.pos == len(log)


def test_starting_at_a_place(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    ends = ends_of_transactions(events_of(path.read_bytes()))
    place = {"log_file": path.name, "pos": ends[10]}
    stream = FollowedStream(tmp_path, starting_offsets=StreamOffset.from_json(place))
    stream.poll()
    whole = rows_of(path)
    assert 0 < len(stream.rows) < len(whole)
    assert stream.rows == whole[len(whole) - len(stream.rows) :]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("binlog.000009:4", "a log that is there"),
        ("binlog.000001:26365", "a position up to 26364"),
    ],
)
def test_starting_at_no_place(place: str, words: str, tmp_path: Path) -> None:
    write_series(tmp_path, SHOP)
    with pytest.raises(OptionError, match=words):
        FollowedStream(tmp_path, starting_offsets=place)


@pytest.mark.parametrize("shift", [-1, 1, 19])
def test_starting_within_an_event(shift: int, tmp_path: Path, engine: str) -> None:
    """No transaction ever ends there, so that the stream would give nothing."""
    [path] = write_series(tmp_path, SHOP)
    starts = [event.start_pos for event in events_of(path.read_bytes())]
    pos = starts[20] + shift
    before, after = (starts[19], starts[20]) if shift < 0 else (starts[20], starts[21])
    with pytest.raises(OptionError, match=rf"where an event begins.* {before} or {after}\b"):
        FollowedStream(tmp_path, starting_offsets=f"{path.name}:{pos}", engine=engine)


def test_starting_within_the_last_event(tmp_path: Path) -> None:
    """Which may be only begun; after it, a stream waits."""
    [path] = write_series(tmp_path, SHOP)
    log = path.read_bytes()
    last = events_of(log)[-1].start_pos
    path.write_bytes(log[: last + 25])
    with pytest.raises(OptionError, match=rf"where an event begins.* {last}\b"):
        FollowedStream(tmp_path, starting_offsets=f"{path.name}:{last + 22}")
    path.write_bytes(log)
    stream = FollowedStream(tmp_path, starting_offsets=f"{path.name}:{len(log)}")
    assert stream.offset.pos == len(log)


def test_starting_after_damage(tmp_path: Path) -> None:
    """To leave it out is what one may want."""
    [path] = write_series(tmp_path, SHOP)
    log = path.read_bytes()
    events = events_of(log)
    place = [event for event in events if event.type_name in GTIDS][6].start_pos
    damaged = events[5].start_pos
    assert damaged < place
    path.write_bytes(log[: damaged + 9] + bytes([30]) + log[damaged + 10 :])
    stream = FollowedStream(tmp_path, starting_offsets=f"{path.name}:{place}")
    stream.poll()
    assert len(stream.rows) > 0


def test_starting_at_a_place_of_another_log(tmp_path: Path) -> None:
    write_series(tmp_path, SHOP)
    offset = StreamOffset("binlog.000001", 4, "1-00000000")
    with pytest.raises(DataLossError, match="replaced"):
        FollowedStream(tmp_path, starting_offsets=offset)


def test_starting_at_a_time_leaves_out_logs_before_it(tmp_path: Path) -> None:
    """A transaction of them would be left out by its time."""
    paths = write_series(tmp_path, "mysql-9.7-transactions", SHOP, TYPES)
    begun = []
    for log_file in LogDirectory([str(tmp_path)], BinlogOptions()).all():
        event = read_format_event(log_file)
        assert event is not None
        begun.append(datetime.fromtimestamp(int.from_bytes(event[:4], "little"), UTC))
    for i in range(len(paths)):
        if begun[i] == max(begun[: i + 1]):  # else it is not one of the same series
            after = begun[i] + timedelta(seconds=1)
            later = [p for p, time in zip(paths, begun, strict=True) if time < after]
            stream = FollowedStream(tmp_path, starting_timestamp=after)
            assert stream.offset.log_name == later[-1].name
    before = min(begun) - timedelta(seconds=1)
    assert FollowedStream(tmp_path, starting_timestamp=before).offset.log_name == paths[0].name


def test_a_purged_log_is_an_error(tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path)
    stream.poll(BatchLimit(3_000))
    paths[0].unlink()
    with pytest.raises(DataLossError, match="is gone, and was not read to its end") as caught:
        stream.poll()
    assert caught.value.site is not None
    assert caught.value.site.log_file == paths[0].name
    assert "failOnDataLoss" in str(caught.value)


def test_a_gap_is_told_and_read_behind(tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path, fail_on_data_loss=False)
    stream.poll(BatchLimit(3_000))
    count = len(stream.rows)
    paths[0].unlink()
    with pytest.warns(BinlogWarning, match=r"binlog\.000001@\d+: is gone.*changes are lost"):
        stream.poll()
    assert stream.rows[count:] == rows_of(*paths[1:])


def test_a_log_purged_behind_the_stream_is_no_loss(tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    expected = rows_of(*paths)
    stream = FollowedStream(tmp_path)
    stream.poll(BatchLimit(None, 1))
    paths[0].unlink()
    stream.restart()
    stream.poll()
    assert stream.rows == expected


@pytest.mark.parametrize("is_fatal", [True, False])
def test_a_log_missing_in_between(is_fatal: bool, tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path, fail_on_data_loss=is_fatal)
    paths[1].unlink()
    if is_fatal:
        with pytest.raises(DataLossError, match="the logs in between are gone"):
            stream.poll()
    else:
        with pytest.warns(BinlogWarning, match="the logs in between are gone"):
            stream.poll()
        assert stream.rows == rows_of(paths[0], paths[2])


def test_a_batch_of_which_a_log_is_gone_is_an_error(tmp_path: Path) -> None:
    """It was begun before the failure, and cannot be given once more."""
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path)
    start = stream.offset
    stream.poll()
    end = stream.offset
    for path in paths:
        path.unlink()
    write_series(tmp_path, TYPES, first=4)
    stream.restart()
    with pytest.raises(DataLossError):
        stream.read(start, end)


def test_a_batch_of_which_all_logs_are_gone_gives_nothing_of_later_ones(tmp_path: Path) -> None:
    """These are in later batches."""
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path, fail_on_data_loss=False)
    start = stream.offset
    stream.poll(BatchLimit(None, 1))
    write_series(tmp_path, TYPES, first=4)
    for path in paths:
        path.unlink()
    stream.restart()
    with pytest.warns(BinlogWarning, match="is gone, and a batch up to it was begun"):
        assert stream.read(start, stream.offset) == []
    with pytest.warns(BinlogWarning, match="is gone, and was not read to its end"):
        stream.poll()
    assert stream.rows[-1:] == rows_of(path_of(tmp_path, 4))[-1:]


def test_a_reset_is_read_from_its_first_log(tmp_path: Path) -> None:
    """Also if the logs behind it come to the number that was read last."""
    write_series(tmp_path, SHOP, first=2)
    stream = FollowedStream(tmp_path, fail_on_data_loss=False)
    stream.poll()
    count = len(stream.rows)
    path_of(tmp_path, 2).unlink()
    paths = write_series(tmp_path, "mysql-9.7-transactions", TYPES, MARIADB)
    with pytest.warns(BinlogWarning, match="replaced by another"):
        stream.poll()
    assert stream.rows[count:] == rows_of(*paths)


@pytest.mark.parametrize("is_fatal", [True, False])
def test_a_log_of_the_same_name_is_noticed(is_fatal: bool, tmp_path: Path) -> None:
    """As after RESET BINARY LOGS, also if it is longer than the one before."""
    [path] = write_series(tmp_path, SHOP)
    stream = FollowedStream(tmp_path, fail_on_data_loss=is_fatal)
    stream.poll()
    shutil.copy(sample_path(TYPES), path)
    if is_fatal:
        for _ in range(2):
            with pytest.raises(DataLossError, match="replaced by another log of the same name"):
                stream.poll()
        return
    count = len(stream.rows)
    with pytest.warns(BinlogWarning, match="replaced by another"):
        stream.poll()
    assert stream.rows[count:] == rows_of(path)


def test_a_log_replaced_before_a_task_reads_it(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    stream = FollowedStream(tmp_path)
    start = stream.offset
    stream.poll()
    shutil.copy(sample_path(TYPES), path)
    with pytest.raises(DataLossError, match="replaced by another log of the same name"):
        stream.read(start, stream.offset)


def test_a_log_that_was_cut_is_noticed(tmp_path: Path) -> None:
    """When another one follows: until then it may come again."""
    [path] = write_series(tmp_path, SHOP)
    stream = FollowedStream(tmp_path)
    stream.poll()
    path.write_bytes(path.read_bytes()[:9_000])
    assert not stream.poll()
    write_series(tmp_path, TYPES, first=2)
    with pytest.raises(DataLossError, match="has been cut: it has 9000 bytes now"):
        stream.poll()


def test_the_last_log_is_waited_for_while_it_is_written_anew(tmp_path: Path) -> None:
    """As `mysqlbinlog --raw` does when it is begun again."""
    log = read_sample(SHOP)
    path = path_of(tmp_path, 1)
    path.write_bytes(log[:15_000])
    stream = FollowedStream(tmp_path)
    stream.poll()
    start = stream.offset
    for size in (0, 3, 60, 200, 9_000, start.pos - 1, start.pos):
        path.write_bytes(log[:size])
        assert not stream.poll()
        assert stream.offset == start
    path.write_bytes(log)
    stream.poll()
    assert stream.rows == rows_of(path)


def test_the_end_of_writing_is_no_replacement(tmp_path: Path) -> None:
    """The server clears a flag of the first event when it closes the log."""
    [path] = write_series(tmp_path, "mysql-9.7-in-use")
    stream = FollowedStream(tmp_path)
    stream.poll()
    log = bytearray(path.read_bytes())
    assert log[4 + 17] & 1
    log[4 + 17] &= 0xFE
    path.write_bytes(bytes(log) + stop_event(len(log)))
    stream.poll()
    assert stream.rows == rows_of(path)


def stop_event(start: int) -> bytes:
    """Return what a server writes as it shuts down."""
    length = 23
    event = struct.pack("<IBIIIH", 1_795_000_000, 3, 1, length, start + length, 0)
    return event + zlib.crc32(event).to_bytes(4, "little")


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


def test_damage_is_told_when_all_before_it_is_read(tmp_path: Path) -> None:
    log = read_sample(SHOP)
    events = events_of(log)
    damaged = next(e for e in events if e.start_pos > 9_000 and e.type_name in GTIDS)
    path_of(tmp_path, 1).write_bytes(with_length(log, damaged, 7))
    stream = FollowedStream(tmp_path)
    stream.poll()
    assert stream.offset.pos == damaged.start_pos
    with pytest.raises(CorruptEventError) as caught:
        stream.poll()
    assert caught.value.site is not None
    assert caught.value.site.start_pos == damaged.start_pos


def test_damage_of_a_closed_log_is_told_by_its_read(tmp_path: Path) -> None:
    log = read_sample(SHOP)
    damaged = events_of(log)[40]
    paths = write_series(tmp_path, *SERIES)
    paths[0].write_bytes(replaced(log, damaged.start_pos + 20, b"\xff\xff"))
    stream = FollowedStream(tmp_path)
    with pytest.raises(CorruptEventError):
        stream.poll()
    assert stream.offset.pos == 4
    passing = FollowedStream(tmp_path, ignore_corrupt_files=True)
    with pytest.warns(BinlogWarning, match="the rest of the log is skipped"):
        passing.poll()
    assert passing.offset.log_name == paths[2].name


def test_zeros_behind_a_log_wait(tmp_path: Path) -> None:
    """Some file systems show them before what is written there."""
    log = read_sample(SHOP)
    path_of(tmp_path, 1).write_bytes(log[:15_000])
    stream = FollowedStream(tmp_path)
    stream.poll()
    place = stream.offset
    path_of(tmp_path, 1).write_bytes(log[: place.pos] + bytes(4_096))
    stream.poll()
    assert stream.offset == place
    path_of(tmp_path, 1).write_bytes(log)
    stream.poll()
    assert stream.rows == rows_of(tmp_path)


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


@pytest.mark.parametrize("paths", [["a", "b"], []])
def test_a_stream_has_one_path(paths: list[str]) -> None:
    with pytest.raises(OptionError, match="expected one directory"):
        LogDirectory(paths, BinlogOptions())


def test_a_file_is_no_stream(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    with pytest.raises(OptionError, match="expected a directory of logs for a stream"):
        FollowedStream(path)


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

    monkeypatch.setattr("pyspark_adapter.events.log_identity.open_log", fail)
    monkeypatch.setattr("pyspark_adapter.splits.transaction_bounds.open_log", fail)
    monkeypatch.setattr(LogDirectory, "all", fail)
    assert not stream.poll()


def test_offsets_are_the_same_text_for_spark() -> None:
    offset = StreamOffset("binlog.000001", 157, "1795198895-a01f0ce5")
    assert list(offset.to_json()) == ["log_file", "pos", "log_id"]
    assert StreamOffset.from_json(offset.to_json()) == offset
