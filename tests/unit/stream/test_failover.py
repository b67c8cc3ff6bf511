"""A stream continues with the logs of another server, by GTID."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning, DataLossError, ServerError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile, open_log
from pyspark_adapter.splits.log_splits import Split
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from tests.support.gtid_logs import UUIDS, Name, text_of, write_log
from tests.support.streams import FollowedStream

OLD, NEW = "old", "new"


def mysql(number: int) -> Name:
    return 0, number


def mariadb(number: int) -> Name:
    return 0, 1, number


def log_of(folder: Path, server: str, number: int, *numbers: Name, before: Any = ()) -> None:
    server_id = 1 + (server == NEW)
    write_log(folder / server / f"binlog.{number:06}", before, numbers, server_id=server_id)


def stream_of(folder: Path, server: str, **options: Any) -> FollowedStream:
    return FollowedStream(folder / server, **options)


def moved(stream: FollowedStream, folder: Path, server: str, **options: Any) -> FollowedStream:
    """Return a stream of another server's logs that begins at the checkpoint of one."""
    other = stream_of(folder, server, **options)
    other.offset = StreamOffset.from_json(json.loads(json.dumps(stream.offset.to_json())))
    return other


def gtids_in(rows: list[str]) -> list[str]:
    found = []
    for row in rows:
        start = row.index("'_gtid': ") + len("'_gtid': ")
        found.append(ast.literal_eval(row[start : row.index(",", start)]))
    return found


def names_of(name: Callable[[int], Name], *numbers: int) -> list[Name]:
    return [name(number) for number in numbers]


@pytest.mark.parametrize("name", [mysql, mariadb])
def test_it_goes_on_behind_what_was_given(tmp_path: Path, name: Callable[[int], Name]) -> None:
    """The logs of the other server begin elsewhere, under the same names."""
    log_of(tmp_path, OLD, 1, *names_of(name, 1, 2, 3))
    log_of(tmp_path, OLD, 2, *names_of(name, 4, 5), before=names_of(name, 1, 2, 3)[-3:])
    log_of(tmp_path, NEW, 1, *names_of(name, 1, 2))
    log_of(tmp_path, NEW, 2, *names_of(name, 3, 4, 5, 6), before=names_of(name, 1, 2))
    log_of(tmp_path, NEW, 3, *names_of(name, 7), before=names_of(name, 1, 2, 3, 4, 5, 6))
    old = stream_of(tmp_path, OLD)
    assert old.poll()
    assert not old.poll()
    assert old.offset.gtids == (text_of(name(5)) if name is mariadb else f"{UUIDS[0]}:1-5")
    new = moved(old, tmp_path, NEW)
    for limit in (BatchLimit(), BatchLimit(1), BatchLimit(None, 1)):
        new.offset, new.rows = old.offset, []
        while new.poll(limit, in_tasks=True):
            new.restart()
        assert gtids_in(new.rows) == [text_of(name(6)), text_of(name(7))]
    assert (new.offset.skipped, new.offset.server) == ("", "2")


def test_another_order_on_the_other_server(tmp_path: Path) -> None:
    """A replica that commits in another order: some that were given come after a new one."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3))
    log_of(tmp_path, NEW, 1, *names_of(mysql, 1, 4, 3, 2, 5))
    log_of(tmp_path, NEW, 2, *names_of(mysql, 6), before=names_of(mysql, 1, 2, 3, 4, 5))
    old = stream_of(tmp_path, OLD)
    old.poll()
    for limit in (BatchLimit(), BatchLimit(1)):
        new = moved(old, tmp_path, NEW)
        offsets = [new.offset]
        while new.poll(limit):
            offsets.append(new.offset)
            new.restart()
        assert gtids_in(new.rows) == [text_of(mysql(n)) for n in (4, 5, 6)]
        assert [row for pair in pairwise(offsets) for row in new.read(*pair)] == new.rows


def test_a_batch_of_the_lost_server_is_read_from_the_other(tmp_path: Path) -> None:
    """It was planned, and not finished: the same transactions, and none after them."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3, 4))
    old = stream_of(tmp_path, OLD)
    old.poll(BatchLimit(500))
    start = old.offset
    end = old.source.latest_offset(start, BatchLimit(500))
    planned = gtids_in(old.read(start, end))
    assert planned
    log_of(tmp_path, NEW, 1, *names_of(mysql, 2, 1, 5, 3, 4, 6))
    new = moved(old, tmp_path, NEW)
    assert sorted(gtids_in(new.read(start, end))) == planned
    new.offset = end
    new.poll()
    assert sorted(planned + gtids_in(old.rows + new.rows)) == [
        text_of(mysql(n)) for n in range(1, 7)
    ]


@pytest.mark.parametrize("name", [mysql, mariadb])
def test_what_the_other_server_lacks_is_named(tmp_path: Path, name: Callable[[int], Name]) -> None:
    log_of(tmp_path, OLD, 1, *names_of(name, 1, 2, 3))
    log_of(tmp_path, NEW, 1, *names_of(name, 1, 2))
    old = stream_of(tmp_path, OLD)
    old.poll()
    with pytest.raises(DataLossError, match=f"lack .*{text_of(name(3))}"):
        moved(old, tmp_path, NEW).poll()
    new = moved(old, tmp_path, NEW, fail_on_data_loss=False)
    with pytest.warns(BinlogWarning, match="changes are lost"):
        new.poll()
    log_of(tmp_path, NEW, 1, *names_of(name, 1, 2, 3, 4))
    new.poll()
    assert gtids_in(new.rows) == [text_of(name(4))]


@pytest.mark.parametrize("name", [mysql, mariadb])
def test_what_the_other_server_has_purged_is_named(
    tmp_path: Path, name: Callable[[int], Name]
) -> None:
    log_of(tmp_path, OLD, 1, *names_of(name, 1, 2))
    log_of(tmp_path, NEW, 3, *names_of(name, 5), before=names_of(name, 1, 2, 3, 4))
    old = stream_of(tmp_path, OLD)
    old.poll()
    there = text_of(name(4)) if name is mariadb else f"{UUIDS[0]}:3-4"
    with pytest.raises(DataLossError, match=f"begin after .*not delivered: {there}"):
        moved(old, tmp_path, NEW).poll()


def test_a_domain_that_went_apart(tmp_path: Path) -> None:
    """MariaDB: the other server has another transaction of the number that was given last."""
    log_of(tmp_path, OLD, 1, (0, 1, 1), (0, 1, 2))
    log_of(tmp_path, NEW, 1, (0, 1, 1), (0, 2, 2), (0, 2, 3))
    old = stream_of(tmp_path, OLD)
    old.poll()
    with pytest.raises(DataLossError, match=r"lack transactions .* 0-1-2"):
        moved(old, tmp_path, NEW).poll()


def test_a_reset_is_no_other_server(tmp_path: Path) -> None:
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2))
    old = stream_of(tmp_path, OLD)
    old.poll()
    write_log(tmp_path / "reset" / "binlog.000001", (), names_of(mysql, 9, 8, 7))
    path = tmp_path / "reset" / "binlog.000001"
    data = bytearray(path.read_bytes())
    data[4:8] = b"\1\0\0\x66"  # created at another time
    path.write_bytes(data)
    with pytest.raises(DataLossError, match="replaced by another log"):
        moved(old, tmp_path, "reset", verify_checksums=False).poll()


def test_without_gtids_it_ends(tmp_path: Path) -> None:
    log_of(tmp_path, OLD, 1, (), ())
    log_of(tmp_path, NEW, 1, (), (), ())
    old = stream_of(tmp_path, OLD)
    old.poll()
    assert old.offset.gtids == ""
    with pytest.raises(DataLossError, match="the GTIDs before it are not known"):
        moved(old, tmp_path, NEW).poll()


@pytest.mark.parametrize("limit", [BatchLimit(), BatchLimit(400)])
def test_an_offset_of_before_learns_its_gtids(tmp_path: Path, limit: BatchLimit) -> None:
    """One that has the file and position alone is read; the next one has the GTIDs."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3))
    stream = stream_of(tmp_path, OLD)
    stream.poll(BatchLimit(500))
    stored = stream.offset.to_json()
    assert stored.pop("gtids")
    assert stored.pop("server") == "1"
    stream.restart()
    stream.offset = StreamOffset.from_json(stored)
    while stream.poll(limit):
        pass
    assert stream.offset.gtids == f"{UUIDS[0]}:1-3"
    assert len(stream.rows) == 3


class FlippingSeries:
    """The logs of one server up to a call, and then those of another."""

    def __init__(self, series: list[LogDirectory], num_calls: int) -> None:
        self._series = series
        self._left = num_calls
        self.num_servers = 1

    @property
    def num_changes(self) -> int:
        """How often another server has answered."""
        return int(self._left <= 0)

    def identity(self) -> str:
        """Return the server that answers."""
        return "1" if self._left > 0 else "2"

    def __getattr__(self, name: str) -> Any:
        if name in ("find", "after", "all", "resume_after", "gtids"):
            self._left -= 1
        return getattr(self._series[self._left <= 0], name)


def test_no_plan_mixes_two_servers(tmp_path: Path) -> None:
    """Whenever the server is lost while a batch is planned, all is of the one or of the other."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3, 4, 5))
    log_of(tmp_path, OLD, 2, *names_of(mysql, 6), before=names_of(mysql, 1, 2, 3, 4, 5))
    log_of(tmp_path, NEW, 1, *names_of(mysql, 1, 2))
    log_of(tmp_path, NEW, 2, *names_of(mysql, 3, 4), before=names_of(mysql, 1, 2))
    log_of(tmp_path, NEW, 3, *names_of(mysql, 5, 6, 7), before=names_of(mysql, 1, 2, 3, 4))
    old = stream_of(tmp_path, OLD)
    old.poll(BatchLimit(None, 1))
    assert gtids_in(old.rows) == [text_of(mysql(n)) for n in (1, 2, 3, 4, 5)]
    options = BinlogOptions()
    both = [LogDirectory([str(tmp_path / name)], options) for name in (OLD, NEW)]
    for num_calls in range(12):
        stream = moved(old, tmp_path, NEW)
        stream.source = LogStream(FlippingSeries(both, num_calls), options)
        for _ in range(5):
            stream.poll()
        assert gtids_in(stream.rows) == [text_of(mysql(n)) for n in (6, 7)], num_calls


class TurningSeries:
    """The logs of two servers. The second server is lost after some calls."""

    def __init__(self, series: list[LogDirectory], num_calls: int) -> None:
        self._series = series
        self._left = num_calls
        self._at = 0
        self.num_servers = 2
        self.num_changes = 0

    def turn(self) -> None:
        """Let the other server answer, if it is there."""
        self._at = 1 - self._at
        self.num_changes += 1

    def identity(self) -> str:
        """Return the server that answers."""
        return str(self._at + 1)

    def __getattr__(self, name: str) -> Any:
        if self._at and name in ("find", "after", "all", "resume_after", "gtids"):
            self._left -= 1
            if self._left < 0:
                self.turn()
        return getattr(self._series[self._at], name)


def test_no_plan_mixes_a_server_that_lags_with_one_that_is_lost(tmp_path: Path) -> None:
    """The first server lacks what was given, and is the only one once the second is lost."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2))
    log_of(tmp_path, NEW, 8, *names_of(mysql, 1, 2, 3))
    log_of(tmp_path, NEW, 9, *names_of(mysql, 4, 5), before=names_of(mysql, 1, 2, 3))
    options = BinlogOptions()
    both = [LogDirectory([str(tmp_path / name)], options) for name in (OLD, NEW)]
    new = stream_of(tmp_path, NEW)
    new.poll(BatchLimit(None, 1))
    start, end = new.offset, new.source.latest_offset(new.offset, BatchLimit())
    expected = new.read(start, end)
    found: list[bool] = []
    errors: list[str] = []
    for num_calls in range(16):
        stream = moved(new, tmp_path, NEW)
        stream.source = LogStream(TurningSeries(both, num_calls), options)
        try:
            found.append(stream.read(start, end) == expected)
        except DataLossError as error:
            found.append(False)
            errors.append(str(error))
    assert [error for error in errors if text_of(mysql(3)) not in error] == []
    assert found == sorted(found)
    assert found[-1]


def test_all_servers_lack_what_was_given(tmp_path: Path) -> None:
    """Each is asked, and the error names what is missing."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3))
    both = []
    for server_id in (8, 9):
        path = tmp_path / str(server_id)
        write_log(path / "binlog.000001", (), names_of(mysql, 1, 2), server_id=server_id)
        both.append(LogDirectory([str(path)], BinlogOptions()))
    old = stream_of(tmp_path, OLD)
    old.poll()
    stream = LogStream(TurningSeries(both, 1_000), BinlogOptions())
    with pytest.raises(DataLossError, match=f"lack .*{text_of(mysql(3))}"):
        stream.latest_offset(old.offset, BatchLimit())


def test_a_batch_whose_gtids_are_not_known_is_not_given_from_another_server(tmp_path: Path) -> None:
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2))
    log_of(tmp_path, NEW, 1, *names_of(mysql, 1, 2, 3))
    old = stream_of(tmp_path, OLD)
    old.poll(BatchLimit(500))
    end = old.source.latest_offset(old.offset, BatchLimit())
    with pytest.raises(DataLossError, match="its GTIDs are not known"):
        stream_of(tmp_path, NEW).read(old.offset, replace(end, gtids=""))


def test_a_transaction_that_the_gtids_of_a_batch_lack_is_an_error(tmp_path: Path) -> None:
    """Its end was told by one source and its set by another: it would come again."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3))
    stream = stream_of(tmp_path, OLD)
    start = stream.offset
    end = stream.source.latest_offset(start, BatchLimit())
    [(log_file, found)] = stream.source.ranges(start, end)
    request = plan_read([log_file], BinlogOptions())
    for text, count in (("1-3", 3), ("1-9", 3), ("1-2", 0), ("2-3", 0)):
        given = replace(end, gtids=f"{UUIDS[0]}:{text}")
        split = Split(log_file, replace(found, allowed=start.transactions_to(given)))
        if count:
            assert sum(batch.num_rows for batch in read_split(split, request)) == count
            continue
        lacking = text_of(mysql(3 if text == "1-2" else 1))
        with pytest.raises(ServerError, match=f"@[0-9]+.* has the transaction {lacking} by"):
            list(read_split(split, request))


def test_the_transactions_between_two_offsets() -> None:
    def between(first: str, last: str, skipped: str = "") -> str | None:
        texts = [f"{UUIDS[0]}:{text}" if text else "" for text in (first, last, skipped)]
        start = StreamOffset("binlog.000001", 4, gtids=texts[0], skipped=texts[2])
        found = start.transactions_to(StreamOffset("binlog.000001", 9, gtids=texts[1]))
        return None if found is None else str([ranges for _, ranges in found.entries])

    assert between("1-5", "1-9") == "[((6, 9),)]"
    assert between("1-5", "1-5") == "[]"
    assert between("1-5", "1-9", "2:4") == "[((2, 2), (4, 4), (6, 9))]"
    assert between("", "1-9") == "[((1, 9),)]"
    assert between("1-5", "") is None
    assert StreamOffset().transactions_to(StreamOffset("b.000001", 9, gtids="0-1-7")) is None


class RebuiltServer:
    """A server that another one takes the place of, once its log was opened."""

    def __init__(self, *logs: LogFile) -> None:
        self._logs = [*logs]

    def open(self, _log_file: LogFile) -> StoredBytes:
        return open_log(self._logs.pop(0) if len(self._logs) > 1 else self._logs[0])


def test_a_server_that_is_rebuilt_between_two_requests_of_a_task(tmp_path: Path) -> None:
    """At the position of the batch its log has other transactions, which came before."""
    log_of(tmp_path, OLD, 1, *names_of(mysql, 1, 2, 3))
    log_of(tmp_path, NEW, 1, *names_of(mysql, 3, 2, 1))
    stream = stream_of(tmp_path, OLD)
    stream.poll(BatchLimit(500))
    end = stream.source.latest_offset(stream.offset, BatchLimit())
    [(log_file, found)] = stream.source.ranges(stream.offset, end)
    other = replace(log_file, path=str(tmp_path / NEW / log_file.name), start=b"")
    log_file = replace(log_file, start=b"")
    served = replace(log_file, server=RebuiltServer(log_file, other))
    request = plan_read([log_file], BinlogOptions())
    with pytest.raises(DataLossError, match="replaced by another log of the same name"):
        list(read_split(Split(served, found), request))
