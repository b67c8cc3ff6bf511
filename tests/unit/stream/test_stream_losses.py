"""Logs that are purged, reset, replaced, cut or damaged while a stream reads them."""

import shutil
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from pyspark_adapter import BinlogWarning, CorruptEventError, DataLossError, ServerError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.stream.log_stream import BatchLimit
from pyspark_adapter.timeline.timeline import Timeline
from tests.inputs import sample_path
from tests.support.log_series import GTIDS, MARIADB, SERIES, SHOP, TYPES, path_of, write_series
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import events_of, read_sample, replaced, with_length
from tests.support.streams import FollowedStream, rows_of


def test_a_purged_log_is_an_error(tmp_path: Path) -> None:
    paths = write_series(tmp_path, *SERIES)
    stream = FollowedStream(tmp_path)
    stream.poll(BatchLimit(3_000))
    paths[0].unlink()
    with pytest.raises(DataLossError, match="is gone, and was not read to its end") as caught:
        stream.poll()
    assert caught.value.site is not None
    assert caught.value.site.log_file == paths[0].name
    assert "fail_on_data_loss" in str(caught.value)


class LostServer:
    """A server that does not answer now."""

    def open(self, log_file: LogFile) -> StoredBytes:
        raise ServerError("cannot be reached", site=log_file.site)


def test_a_server_that_is_lost_while_names_are_looked_for(tmp_path: Path) -> None:
    """Tasks may find it again, and would lack the statements of before."""
    log = LogWriter(has_metadata=False)
    path = tmp_path / "binlog.000001"
    for number in range(2):
        log.begin()
        log.table_map(1, "t", [LoggedColumn("id", 3)])
        log.rows(1, Rows(WRITE_V2, [[struct.pack("<i", number)]], [True]))
        log.commit()
        path.write_bytes(log.data)
        if not number:
            stream = FollowedStream(tmp_path)
            with pytest.warns(BinlogWarning, match="names its columns"):
                stream.poll()
    end = stream.source.latest_offset(stream.offset, BatchLimit())
    [(log_file, part)] = stream.source.ranges(stream.offset, end)
    with pytest.raises(ServerError, match="cannot be reached"):
        stream.timeline.splits([(replace(log_file, server=LostServer()), part)])


def test_a_server_that_is_lost_while_earlier_logs_are_surveyed(tmp_path: Path) -> None:
    """Its statements are not known then: tables would lose their names for the whole query."""
    options = BinlogOptions()
    _, *logs = find_log_files(write_series(tmp_path, *SERIES), options)
    lost = replace(logs[0], server=LostServer())
    timeline = Timeline([lost, *logs[1:]], Surveyor(options))
    with pytest.raises(ServerError, match="cannot be reached"):
        timeline.read_to(1)
    timeline.add(logs[0])  # it is there again
    timeline.read_to(1)
    assert all(timeline.is_known(log) for log in logs[:2])


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
