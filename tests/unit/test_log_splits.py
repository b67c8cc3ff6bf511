"""Splits of a log: which logs have several, where they begin, and parts that do not fit."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, BinlogWarning, CorruptEventError
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.log_search import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.reader import plan_read, read_part, read_split
from pyspark_adapter.splits.log_splits import LogSplit, find_part, plan_splits
from pyspark_adapter.splits.part_finder import PartFinder
from tests.inputs import CORPUS, SAMPLES, need_corpus, sample_path
from tests.support.log_writer import LoggedColumn, LogWriter, Rows
from tests.support.logs import events_of, find_event, read_sample

TYPES = "mysql-9.7-types"
ENGINES = pytest.mark.parametrize("engine", ["kernels", "reference"])
LEAST = 1 << 16  # of the option
ROWS_QUERY = 29


def plan(path: Path, schema: pa.Schema | None = None, **options: Any) -> list[LogSplit]:
    """Return the splits of a log; a warning is an error."""
    [log_file] = find_log_files(path)
    checked = BinlogOptions(**{"max_partition_bytes": LEAST, **options})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        request = plan_read([log_file], checked, schema)
        warnings.simplefilter("error", BinlogWarning)
        return plan_splits(log_file, request)


def test_a_log_is_cut_by_size_alone() -> None:
    splits = plan(sample_path(TYPES))
    size = sample_path(TYPES).stat().st_size
    assert [split.number for split in splits] == list(range(-(-size // LEAST)))
    assert {split.num_bytes for split in splits} == {LEAST}


def test_a_log_of_the_size_of_a_split_is_one() -> None:
    size = sample_path(TYPES).stat().st_size
    assert len(plan(sample_path(TYPES), max_partition_bytes=size)) == 1
    assert len(plan(sample_path(TYPES), max_partition_bytes=size - 1)) == 2


def test_planning_reads_the_beginning_alone(tmp_path: Path) -> None:
    """All that follows may be damaged, and the plan is the same."""
    log = read_sample(TYPES)
    path = tmp_path / "log.000001"
    path.write_bytes(log[:10_000] + bytes(len(log) - 10_000))
    assert len(plan(path)) == len(plan(sample_path(TYPES))) > 1


def test_events_are_read_by_one_task() -> None:
    assert len(plan(sample_path(TYPES), view="events")) == 1


def test_a_log_without_names_is_read_by_one_task_and_says_so() -> None:
    """If nobody has gone along its statements before."""
    with pytest.raises(BinlogWarning, match="is read by one task: names of columns"):
        plan(sample_path("mysql-9.7-types-minimal-metadata"))


def test_a_log_without_names_is_split_with_a_definition(tmp_path: Path) -> None:
    """Also where a schema spares the look for columns; of another table it does not help."""
    name = "mysql-9.7-types-minimal-metadata"
    first, second = map(TableName.parse, sorted(SAMPLES[name]["row_changes"])[:2])
    ddl = tmp_path / "tables.sql"
    ddl.write_text(f"CREATE TABLE {first} (id INT PRIMARY KEY);")
    schema = pa.schema([("id", pa.int32())])
    assert len(plan(sample_path(name), schema, table=first, ddl=ddl)) == 2
    with pytest.raises(BinlogWarning, match="is read by one task"):
        plan(sample_path(name), schema, table=second, ddl=ddl)


def test_a_log_that_cannot_be_read_is_one(tmp_path: Path) -> None:
    """The read tells why."""
    path = tmp_path / "log.000001"
    path.write_bytes(b"\xfdbin" + bytes(4 * LEAST))
    assert len(plan(path)) == 1


def test_a_relay_log_is_read_by_its_first_split_and_says_so() -> None:
    """Its positions are those of another log."""
    need_corpus()
    [path] = CORPUS.rglob("*corrupt-relay-bin.000624")
    [log_file] = find_log_files(path)
    splits = [LogSplit(log_file, 10_000, number) for number in range(10)]
    with pytest.warns(BinlogWarning, match="no transaction was found to begin near one of the 9"):
        parts = [find_part(split, BinlogOptions()) for split in splits]
    assert parts == [LogPart(4), *[None] * 9]


def test_splits_begin_at_gtids() -> None:
    """Or after the last transaction, of which nothing but the end of the log follows."""
    log = read_sample(TYPES)
    [log_file] = find_log_files(sample_path(TYPES))
    events = events_of(log)
    places = [event.start_pos for event in events if event.type_name == "GTID_EVENT"]
    places.append(events[-1].start_pos)
    cut = 10_000
    starts = []
    for number in range(1, len(log) // cut + 1):
        part = find_part(LogSplit(log_file, cut, number), BinlogOptions(), reach=2_000)
        if part is not None:
            starts.append(part.start)
            assert part.start == min(place for place in places if place >= number * cut)
            assert part.stop is None or part.stop in places
    assert len(starts) > 10


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
    [log_file] = find_log_files(path)
    part = find_part(LogSplit(log_file, ends[0] + 1, 1), BinlogOptions())
    assert part is not None
    assert part.start == ends[1]


def test_names_in_statements_before_a_split_are_known() -> None:
    """The splits of a log with names in its statements alone, were it split."""
    path = sample_path("mysql-9.7-types-minimal-metadata")
    [log_file] = find_log_files(path)
    request = plan_read([log_file], BinlogOptions())
    whole = list(read_split(LogSplit(log_file), request))
    split = [
        batch
        for number in range(4)
        for batch in read_split(LogSplit(log_file, 30_000, number), request)
    ]
    rows = [row for batch in whole for row in batch.to_pylist()]
    assert [row for batch in split for row in batch.to_pylist()] == rows
    assert '"col_1"' not in rows[0]["row"]


def read(path: Path, part: LogPart, engine: str) -> int:
    """Return how many rows a part has."""
    [log_file] = find_log_files(path)
    request = plan_read([log_file], BinlogOptions(engine=engine))
    return sum(batch.num_rows for batch in read_part(log_file, request, part))


@ENGINES
@pytest.mark.parametrize("offset", [3, 30])
def test_a_part_that_ends_inside_an_event_is_an_error(engine: str, offset: int) -> None:
    event = find_event(read_sample(TYPES), "XID_EVENT")
    part = LogPart(4, event.start_pos + offset)
    with pytest.raises(CorruptEventError, match=f"the log was split at {part.stop}") as raised:
        read(sample_path(TYPES), part, engine)
    assert raised.value.site is not None
    assert raised.value.site.start_pos == event.start_pos


@ENGINES
def test_a_part_that_ends_inside_a_transaction_is_an_error(engine: str) -> None:
    log = read_sample(TYPES)
    event = find_event(log, "XID_EVENT")
    gtid = max(
        e.start_pos
        for e in events_of(log)
        if e.type_name == "GTID_EVENT" and e.end < event.start_pos
    )
    with pytest.raises(CorruptEventError, match="where nothing ends that begins here") as raised:
        read(sample_path(TYPES), LogPart(4, event.start_pos), engine)
    assert raised.value.site is not None
    assert raised.value.site.start_pos == gtid


@ENGINES
@pytest.mark.parametrize("num_zeros", [10, 100])
def test_zeros_do_not_end_a_part(tmp_path: Path, engine: str, num_zeros: int) -> None:
    """As they end a file; the bytes after the part would be lost."""
    log = read_sample(TYPES)
    gtid = find_event(log, "GTID_EVENT", 5)
    path = tmp_path / "log.000001"
    path.write_bytes(log[: gtid.start_pos] + bytes(num_zeros) + log[gtid.start_pos :])
    stop = gtid.start_pos + num_zeros
    with pytest.raises(BinlogError) as raised:
        read(path, LogPart(4, stop, stops_at_gtid=True), engine)
    assert raised.value.site is not None
    assert raised.value.site.start_pos == gtid.start_pos


@ENGINES
def test_the_open_transaction_at_the_end_is_of_the_last_part(tmp_path: Path, engine: str) -> None:
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
    assert read(path, LogPart(4, second), engine) == 0
    with pytest.raises(BinlogError, match="the file ends inside the transaction") as raised:
        read(path, LogPart(second, None, first_event), engine)
    assert raised.value.site is not None
    assert raised.value.site.start_pos == second


@ENGINES
@pytest.mark.parametrize("what", ["checksum", "length"])
def test_no_part_begins_beyond_damage(tmp_path: Path, engine: str, what: str) -> None:
    """However far from the cut it is, the part before comes to it and tells of it."""
    log = LogWriter()
    for length in (100, 3_000, 100):
        log.begin()
        for _ in range(100):
            log.event(ROWS_QUERY, bytes(length))
        log.commit()
    events = events_of(bytes(log.data))
    path = tmp_path / "log.000001"
    path.write_bytes(log.data)
    [log_file] = find_log_files(path)
    options = BinlogOptions(engine=engine)
    cut, place = events[155].start_pos, events[205].start_pos
    assert place < 2 * cut
    assert parts_of(log_file, cut, options) == [(4, place), (place, None)]
    damaged, end = events[165].start_pos, events[204].start_pos
    if what == "checksum":
        log.data[damaged + 100] ^= 1
    else:  # the event seems to end where the transaction does
        log.data[damaged + 9 : damaged + 13] = struct.pack("<I", end - damaged)
    path.write_bytes(log.data)
    assert parts_of(log_file, cut, options) == [(4, None)]
    request = plan_read([log_file], options)
    with pytest.raises(BinlogError, match=str(damaged)):
        list(read_part(log_file, request, LogPart(4)))


def parts_of(log_file: LogFile, size: int, options: BinlogOptions) -> list[tuple[int, int | None]]:
    """Return start and stop of the parts of a log, whose events are looked for near the cuts."""
    finder = PartFinder(log_file, size, options, reach=1_000)
    try:
        parts = [finder.part(number) for number in range(finder.num_splits)]
    finally:
        finder.close()
    return [(part.start, part.stop) for part in parts if part is not None]
