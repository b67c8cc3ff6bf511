"""Where a stream starts: offsets, positions within events, times; also before there is a log."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pyspark_adapter import (
    BinlogOptions,
    ChecksumMismatchError,
    CorruptEventError,
    DataLossError,
    OptionError,
)
from pyspark_adapter.events.log_start import read_format_event
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.timeline.user_ddl import written_ddl
from tests.support.log_series import GTIDS, SHOP, TYPES, ends_of_transactions, path_of, write_series
from tests.support.logs import events_of, read_sample
from tests.support.streams import FollowedStream, rows_of


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


def test_starting_at_the_place_of_a_dump(tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    end, ddl = ends_of_transactions(events_of(path.read_bytes()))[10], tmp_path / "shop.sql"
    ddl.write_text(written_ddl({TableName("shop", "t"): "CREATE TABLE t (a INT)"}, path.name, end))
    options = {"ddl": str(ddl), "tables": "shop.t"}
    assert FollowedStream(path, starting_offsets="ddl", **options).offset.pos == end
    ddl.write_text("CREATE TABLE t (a INT)")
    with pytest.raises(OptionError, match="option ddl with a position, as mysqldump"):
        FollowedStream(path, starting_offsets="ddl", **options)


@pytest.mark.parametrize(
    ("place", "words"),
    [("binlog.000009:4", "an existing log"), ("binlog.000001:26365", "a position up to 26364")],
)
def test_starting_at_no_place(place: str, words: str, tmp_path: Path) -> None:
    write_series(tmp_path, SHOP)
    with pytest.raises(OptionError, match=words):
        FollowedStream(tmp_path, starting_offsets=place)


@pytest.mark.parametrize("shift", [-1, 1, 19])
def test_starting_within_an_event(shift: int, tmp_path: Path) -> None:
    """No transaction ever ends there, so that the stream would give nothing."""
    [path] = write_series(tmp_path, SHOP)
    starts = [event.start_pos for event in events_of(path.read_bytes())]
    pos = starts[20] + shift
    before, after = (starts[19], starts[20]) if shift < 0 else (starts[20], starts[21])
    with pytest.raises(OptionError, match=rf"where an event begins.* {before} or {after}\b"):
        FollowedStream(tmp_path, starting_offsets=f"{path.name}:{pos}")


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


@pytest.mark.parametrize("length", [0, 3, 18, 19, 30, 1 << 17])
def test_a_first_event_of_an_invalid_length_is_corrupt(length: int, tmp_path: Path) -> None:
    """The field is at byte 13 of the log."""
    [path] = write_series(tmp_path, SHOP)
    log = path.read_bytes()
    path.write_bytes(log[:13] + length.to_bytes(4, "little") + log[17:])
    with pytest.raises(CorruptEventError, match=f"{path.name}@4 "):
        FollowedStream(tmp_path).poll()


@pytest.mark.parametrize("start", ["earliest", "binlog.000001:4"])
def test_a_first_event_with_another_checksum_is_named(start: str, tmp_path: Path) -> None:
    [path] = write_series(tmp_path, SHOP)
    log = path.read_bytes()
    path.write_bytes(log[:30] + b"!" + log[31:])  # the server's version
    with pytest.raises(ChecksumMismatchError, match=f"{path.name}@4 "):
        FollowedStream(tmp_path, starting_offsets=start).poll()


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
