"""How far a stream is behind: bytes and seconds in the progress of its query, and a line."""

import time
from pathlib import Path

import pytest

from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.spark.stream import BinlogStreamReader
from pyspark_adapter.splits.read_split import plan_read
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.stream_lag import LagWatch, bytes_between, find_lag
from tests.support.ddl_logs import write_log
from tests.unit.stream.test_idle_stream import count_requests

WRITTEN_AT = 1_700_000_000  # in the headers of these logs


def directory(folder: Path, options: BinlogOptions) -> LogDirectory:
    return LogDirectory([str(folder)], options)


def test_a_look_at_many_unread_logs_opens_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 51):
        write_log(tmp_path / f"binlog.{number:06}", number)
    series = directory(tmp_path, BinlogOptions())
    series.all()
    counts = count_requests(monkeypatch)
    lag = LagWatch(series, 0).lag(StreamOffset("binlog.000001", 4))
    assert lag is not None
    assert lag.log_file == "binlog.000050"
    assert counts["list"] == 1
    assert counts["open"] == 1  # the oldest unread event, for its time


def test_bytes_between_two_offsets(tmp_path: Path) -> None:
    first = write_log(tmp_path / "binlog.000001", 1).stat().st_size
    write_log(tmp_path / "binlog.000002", 2)
    series = directory(tmp_path, BinlogOptions())
    begin = StreamOffset("binlog.000001", 10)
    assert bytes_between(series, begin, StreamOffset("binlog.000001", 30)) == 20
    assert bytes_between(series, begin, StreamOffset("binlog.000002", 50)) == first - 10 + 46


def test_lag_is_what_is_not_read_yet(tmp_path: Path) -> None:
    sizes = [
        write_log(tmp_path / f"binlog.00000{number}", *range(number)).stat().st_size
        for number in (1, 2, 3)
    ]
    logs = directory(tmp_path, BinlogOptions()).all()
    whole = find_lag(logs, StreamOffset())
    assert whole is not None
    assert (whole.log_file, whole.pos, whole.num_bytes) == (
        "binlog.000003",
        sizes[2],
        sum(sizes) - 3 * 4,
    )
    assert whole.seconds == pytest.approx(time.time() - WRITTEN_AT, abs=60)
    part = find_lag(logs, StreamOffset("binlog.000002", sizes[1]))
    assert part is not None
    assert part.to_json() == {
        "log_file": "binlog.000003",
        "pos": sizes[2],
        "bytes_behind": sizes[2] - 4,
        "seconds_behind": part.seconds,
    }
    done = find_lag(logs, StreamOffset("binlog.000003", sizes[2]))
    assert done is not None
    assert (done.num_bytes, done.seconds) == (0, 0)
    assert find_lag([], StreamOffset()) is None


def test_lines_come_no_more_often_than_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path / "binlog.000001", 1)
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    watch = LagWatch(directory(tmp_path, BinlogOptions()), 10)
    for _ in range(45):
        assert watch.lag(StreamOffset("binlog.000001", 4)) is not None
        now[0] += 0.5
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].endswith(" s behind the end of binlog.000001")
    LagWatch(directory(tmp_path, BinlogOptions()), 0).lag(StreamOffset())
    assert capsys.readouterr().err == ""


def test_the_reader_reports_the_lag_of_the_batch_that_it_planned(tmp_path: Path) -> None:
    size = write_log(tmp_path / "binlog.000001", 1, 2).stat().st_size
    write_log(tmp_path / "binlog.000002", 3)
    options = BinlogOptions(max_files_per_trigger=1)
    series = directory(tmp_path, options)
    request: ReadRequest = plan_read(series.all(), options)
    reader = BinlogStreamReader(series, request)
    assert reader.reportLatestOffset() is None
    reader.latestOffset(reader.initialOffset(), reader.getDefaultReadLimit())
    found = reader.reportLatestOffset()
    assert found is not None
    newest = (tmp_path / "binlog.000002").stat().st_size
    assert (found["log_file"], found["bytes_behind"]) == ("binlog.000002", newest - 4)
    assert size > 4
