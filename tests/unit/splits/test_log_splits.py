"""Splits of a log: which logs have several, where they begin, and ranges that do not fit."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyspark_adapter import BinlogError, BinlogWarning, CorruptEventError, DataLossError
from pyspark_adapter.events import windows
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile, open_log
from pyspark_adapter.splits import transaction_bounds
from pyspark_adapter.splits.log_splits import (
    OffsetRange,
    Split,
    group_splits,
    part_sizes,
    plan_splits,
)
from pyspark_adapter.splits.read_split import plan_read, read_log, read_split
from tests.inputs import CORPUS, SAMPLES, need_corpus, sample_path
from tests.support.log_writer import LoggedColumn, LogWriter, Rows
from tests.support.logs import events_of, find_event, read_sample
from tests.support.splits import SplitLog, options_for

TYPES = "mysql-9.7-types"
LEAST = 1 << 16  # of the option
ROWS_QUERY = 29
START_POS = pa.schema([("_start_pos", pa.int64())])  # needs no names of columns


def plan(path: Path, schema: pa.Schema | None = None, **options: Any) -> list[Split]:
    """Return the splits of a log; a warning is an error."""
    [log_file] = find_log_files(path)
    checked = BinlogOptions(**{"max_partition_bytes": LEAST, **options})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        request = plan_read([log_file], checked, schema)
        warnings.simplefilter("error", BinlogWarning)
        return plan_splits([(log_file, None)], request)


def bounds_of(splits: list[Split]) -> list[tuple[int, int | None]]:
    """Return start and stop of splits; (4, None) for all of a log."""
    return [(split.start, None if split.range is None else split.range.stop) for split in splits]


def test_a_log_is_cut_into_equal_parts() -> None:
    """Where the first transaction begins after each, or after the last one."""
    log = read_sample(TYPES)
    events = events_of(log)
    places = [event.start_pos for event in events if event.type_name == "GTID_EVENT"]
    places.append(events[-1].start_pos)
    step = -(-(len(log) - 4) // -(-(len(log) - 4) // LEAST))
    assert step < LEAST
    steps = range(4 + step, events[-1].start_pos, step)
    starts = [4, *(min(pos for pos in places if pos >= step) for step in steps)]
    splits = plan(sample_path(TYPES))
    assert bounds_of(splits) == list(zip(starts, [*starts[1:], None], strict=True))
    assert len(splits) > 2


class CountedFile:
    """A file of a storage that takes long to answer: counts reads and their bytes."""

    def __init__(self, file: StoredBytes) -> None:
        self._file = file
        self.num_reads = self.num_bytes = 0

    def readinto(self, buffer: memoryview) -> int | None:
        count = self._file.readinto(buffer)
        self.num_reads += 1
        self.num_bytes += count or 0
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def count_reads(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[CountedFile]:
    """Count the reads of the logs that a module opens from now on, in the list returned."""
    files: list[CountedFile] = []

    def open_counted(log_file: LogFile) -> CountedFile:
        files.append(CountedFile(open_log(log_file)))
        return files[-1]

    monkeypatch.setattr(module, "open_log", open_counted)
    return files


@pytest.mark.parametrize(
    ("len_event", "num_reads", "num_bytes"),
    [
        (200, 12, 8 << 20),
        (8192, 12, 8 << 20),  # as servers write rows, see binlog_row_event_max_size
        (400_000, 12, 8 << 20),
        (1 << 20, 20, 1 << 19),  # most of a large event is skipped
    ],
)
def test_headers_are_followed_with_few_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, len_event: int, num_reads: int, num_bytes: int
) -> None:
    log = LogWriter()
    while len(log.data) < 8 << 20:
        log.begin()
        log.event(ROWS_QUERY, bytes(len_event - 19 - 4))
        log.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    files = count_reads(monkeypatch, transaction_bounds)
    assert len(plan(path, START_POS, max_partition_bytes=1 << 20)) > 6
    assert 0 < sum(file.num_reads for file in files) <= num_reads
    assert sum(file.num_bytes for file in files) <= num_bytes + len(log.data) // 16


def test_columns_are_searched_with_few_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter()
    log.begin()
    log.table_map(7, "t", [LoggedColumn("id", 3)])
    log.rows(7, Rows(30, [[bytes(4)]], [True]))
    log.commit()
    while len(log.data) < 16 << 20:
        log.event(ROWS_QUERY, bytes(8192))
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    [log_file] = find_log_files(path)
    files = count_reads(monkeypatch, windows)
    plan_read([log_file], BinlogOptions(table=TableName("d", "t")))
    assert 0 < sum(file.num_reads for file in files) <= 16


MIB = 1 << 20


@pytest.mark.parametrize(
    ("sizes", "cores", "counts"),
    [
        ([210], 2, [2]),
        ([300], 2, [4]),  # not three, of which the last would run alone
        ([300], 8, [8]),
        ([300], 64, [9]),  # more would be below 32 MiB
        ([1000], 8, [8]),
        ([1100], 8, [16]),
        ([1100, 1100], 8, [12, 12]),
        ([129], 64, [4]),
        ([300, 150], 4, [5, 2]),
        ([1 << 20], 2, [8192]),
        ([], 2, []),
    ],
)
def test_parts_are_equal_and_keep_the_cores_busy(
    sizes: list[int], cores: int, counts: list[int]
) -> None:
    found = part_sizes([size * MIB for size in sizes], 128 * MIB, cores)
    assert [-(-size * MIB // part) for size, part in zip(sizes, found, strict=True)] == counts
    assert all(32 * MIB <= part <= 128 * MIB for part in found)


@given(
    st.lists(st.integers(1, 1 << 50), max_size=5), st.integers(1, 1 << 40), st.integers(1, 1 << 10)
)
def test_parts_hold_a_log_and_are_no_larger_than_asked(
    sizes: list[int], most: int, cores: int
) -> None:
    sizes = [most + size for size in sizes]
    for size, part in zip(sizes, part_sizes(sizes, most, cores), strict=True):
        assert min(most, 32 * MIB) // 2 <= part <= most
        assert part * -(-size // part) < size + part


def test_a_log_of_the_size_of_a_split_is_one() -> None:
    assert len(plan(sample_path(TYPES), max_partition_bytes=sample_path(TYPES).stat().st_size)) == 1
    assert len(plan(sample_path(TYPES), max_partition_bytes=LEAST)) > 1


def test_a_log_that_is_not_to_be_cut_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "log.000001"
    path.write_bytes(read_sample(TYPES))
    [log_file] = find_log_files(path)
    request = plan_read([log_file], BinlogOptions())
    path.unlink()
    assert plan_splits([(log_file, None)], request) == [Split(log_file)]


def test_many_logs_are_planned_in_order(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"log.{number:06}").write_bytes(read_sample(TYPES))
    log_files = find_log_files(tmp_path)
    request = plan_read(log_files, BinlogOptions(max_partition_bytes=LEAST))
    splits = plan_splits([(log_file, None) for log_file in log_files], request)
    places = [(split.log_file.name, split.start) for split in splits]
    assert places == sorted(places)
    assert len(places) == 30 * len(plan(sample_path(TYPES)))


@pytest.mark.parametrize("where", [0.3, 0.7])
def test_splits_end_before_damage(tmp_path: Path, where: float) -> None:
    log = read_sample(TYPES)
    damaged = int(len(log) * where)
    path = tmp_path / "log.000001"
    path.write_bytes(log[:damaged] + bytes(len(log) - damaged))
    *before, last = bounds_of(plan(path))
    assert before == [
        (start, stop)
        for start, stop in bounds_of(plan(sample_path(TYPES)))
        if stop is not None and stop <= damaged
    ]
    assert last == (before[-1][1] if before else 4, None)


def test_with_ignored_damage_a_log_is_read_by_one_task(tmp_path: Path) -> None:
    """What follows a damage is not read, and a task does not know of that in another."""
    log = bytearray(read_sample(TYPES))
    damaged = find_event(bytes(log), "XID_EVENT", 3).start_pos
    log[damaged + 20] ^= 1
    path = tmp_path / "log.000001"
    path.write_bytes(log)
    [split] = plan(path, ignore_corrupt_files=True)
    [log_file] = find_log_files(path)
    options = BinlogOptions(ignore_corrupt_files=True, metadata_columns=("_start_pos",))
    request = plan_read([log_file], options)
    with pytest.warns(BinlogWarning, match="the rest of the log is skipped"):
        rows = [row for batch in read_split(split, request) for row in batch.to_pylist()]
    assert 0 < max(row["_start_pos"] for row in rows) < damaged


def test_events_are_read_by_one_task() -> None:
    assert len(plan(sample_path(TYPES), view="events")) == 1


def test_a_log_without_names_is_split(tmp_path: Path) -> None:
    """Also where a schema spares the look for columns, and whatever the option ddl defines."""
    name = "mysql-9.7-types-minimal-metadata"
    assert len(plan(sample_path(name))) == 2
    first, second = map(TableName.parse, sorted(SAMPLES[name]["row_changes"])[:2])
    ddl = tmp_path / "tables.sql"
    ddl.write_text(f"CREATE TABLE {first} (id INT PRIMARY KEY);")
    schema = pa.schema([("id", pa.int32())])
    for table in (first, second):
        assert len(plan(sample_path(name), schema, table=table, ddl=ddl)) == 2


def test_a_log_without_names_that_is_damaged_is_read_by_one_task_and_says_so(
    tmp_path: Path,
) -> None:
    """The statements after the damage are not known."""
    log = bytearray(read_sample("mysql-9.7-types-minimal-metadata"))
    statement = [event for event in events_of(bytes(log)) if event.type_name == "QUERY_EVENT"][-1]
    log[statement.end - 5] ^= 1
    path = tmp_path / "log.000001"
    path.write_bytes(log)
    with pytest.raises(BinlogWarning, match="is read by one task: names of columns"):
        plan(path)


def test_a_log_that_cannot_be_read_is_one(tmp_path: Path) -> None:
    """The read tells why."""
    path = tmp_path / "log.000001"
    path.write_bytes(b"\xfdbin" + bytes(4 * LEAST))
    assert len(plan(path)) == 1


def test_a_relay_log_is_read_by_one_task_and_says_so() -> None:
    """Its positions are those of another log."""
    need_corpus()
    [path] = CORPUS.rglob("*corrupt-relay-bin.000624")
    [log_file] = find_log_files(path)
    request = plan_read([log_file], options_for(10_000), START_POS)
    with pytest.warns(BinlogWarning, match=r"is read by one task: .*relay logs"):
        assert plan_splits([(log_file, None)], request) == [Split(log_file)]


def test_one_transaction_is_read_by_one_task_and_says_so(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    for _ in range(3):
        log.event(ROWS_QUERY, bytes(LEAST))
    log.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    with pytest.raises(BinlogWarning, match=r"is read by one task: .* is one transaction"):
        plan(path, START_POS)


def test_a_split_of_a_log_without_gtids_begins_after_a_transaction(tmp_path: Path) -> None:
    """MySQL 5.5 and older have none, later ones if they are switched off."""
    log = LogWriter()
    ends = []
    for _ in range(5):
        log.begin()
        log.commit()
        ends.append(len(log.data))
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    splits = SplitLog(path).splits(ends[0] - 3)
    assert bounds_of(splits) == [(4, ends[1]), (ends[1], ends[3]), (ends[3], None)]
    assert all(split.range and not split.range.stops_at_gtid for split in splits[:-1])


def test_a_log_that_was_replaced_after_planning_is_an_error(tmp_path: Path) -> None:
    """Its offsets are those of another."""
    path = tmp_path / "log.000001"
    path.write_bytes(read_sample(TYPES))
    *_, last = plan(path)
    path.write_bytes(read_sample("mysql-9.7-shop"))
    request = plan_read([last.log_file], BinlogOptions())
    with pytest.raises(DataLossError, match="replaced"):
        list(read_split(last, request))


def test_a_log_that_is_gone_after_planning_is_skipped_if_that_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "log.000001"
    path.write_bytes(read_sample(TYPES))
    *_, last = plan(path)
    options = BinlogOptions(ignore_missing_files=True)
    request = plan_read([last.log_file], options)
    path.unlink()
    with pytest.warns(BinlogWarning, match="log.000001: .*: it is skipped") as warned:
        assert list(read_split(last, request)) == []
    assert len(warned) == 1


def test_small_splits_share_a_task() -> None:
    log_file = LogFile("log.000001", "log.000001", 1, 1 << 20)
    large = Split(log_file, OffsetRange(4, 128 << 20))
    splits = [Split(log_file), Split(log_file), large, large]
    assert list(map(len, group_splits(splits, BinlogOptions()))) == [2, 1, 1]


def test_names_in_statements_before_a_split_are_known() -> None:
    """The splits of a log with names in its statements alone, were it split."""
    split_log = SplitLog(sample_path("mysql-9.7-types-minimal-metadata"))
    whole = split_log.whole()
    splits = split_log.splits(30_000)
    assert len(splits) > 2
    assert split_log.read(splits) == whole
    assert '"col_1"' not in whole.rows[0]


def read(path: Path, part: ReadRange) -> int:
    """Return how many rows a part has."""
    [log_file] = find_log_files(path)
    request = plan_read([log_file], BinlogOptions())
    return sum(batch.num_rows for batch in read_log(log_file, request, part))


@pytest.mark.parametrize("offset", [3, 30])
def test_a_part_that_ends_inside_an_event_is_an_error(offset: int) -> None:
    event = find_event(read_sample(TYPES), "XID_EVENT")
    part = ReadRange(4, event.start_pos + offset)
    with pytest.raises(CorruptEventError, match=f"the log was split at {part.stop}") as raised:
        read(sample_path(TYPES), part)
    assert raised.value.site is not None
    assert raised.value.site.start_pos == event.start_pos


def test_a_part_that_ends_inside_a_transaction_is_an_error() -> None:
    log = read_sample(TYPES)
    event = find_event(log, "XID_EVENT")
    gtid = max(
        e.start_pos
        for e in events_of(log)
        if e.type_name == "GTID_EVENT" and e.end < event.start_pos
    )
    with pytest.raises(CorruptEventError, match="inside what begins here") as raised:
        read(sample_path(TYPES), ReadRange(4, event.start_pos))
    assert raised.value.site is not None
    assert raised.value.site.start_pos == gtid


@pytest.mark.parametrize("num_zeros", [10, 100])
def test_zeros_do_not_end_a_part(tmp_path: Path, num_zeros: int) -> None:
    """As they end a file; the bytes after the part would be lost."""
    log = read_sample(TYPES)
    gtid = find_event(log, "GTID_EVENT", 5)
    path = tmp_path / "log.000001"
    path.write_bytes(log[: gtid.start_pos] + bytes(num_zeros) + log[gtid.start_pos :])
    stop = gtid.start_pos + num_zeros
    with pytest.raises(BinlogError) as raised:
        read(path, ReadRange(4, stop, stops_at_gtid=True))
    assert raised.value.site is not None
    assert raised.value.site.start_pos == gtid.start_pos


def test_the_open_transaction_at_the_end_is_of_the_last_part(tmp_path: Path) -> None:
    log = LogWriter()
    log.begin()
    log.commit()
    second = len(log.data)
    log.begin()
    log.table_map(1, "t", [LoggedColumn("id", 3)])
    log.rows(1, Rows(30, [[struct.pack("<i", 1)]], (True,)))
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    first_event = bytes(log.data[4 : find_event(bytes(log.data), "QUERY_EVENT").start_pos])
    assert read(path, ReadRange(4, second)) == 0
    with pytest.raises(BinlogError, match="the file ends inside the transaction") as raised:
        read(path, ReadRange(second, None, first_event))
    assert raised.value.site is not None
    assert raised.value.site.start_pos == second
