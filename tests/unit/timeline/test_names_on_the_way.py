"""Names of columns that stand in statements, where a log is not read from its beginning."""

from __future__ import annotations

import json
import pickle
import struct
import warnings
from ast import literal_eval
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogWarning, read_batches
from pyspark_adapter.errors import SchemaMismatchError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import Split, plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.log_stream import BatchLimit
from pyspark_adapter.timeline.log_survey import LogSurvey
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.streams import FollowedStream, rows_of

LEAST = 1 << 16  # of the option maxPartitionBytes
ROWS_QUERY = 29


def write_log_without_names(path: Path, altered_at: set[int]) -> None:
    """Write transactions, before some of which the column gets another name."""
    log = LogWriter(has_metadata=False)
    column = LoggedColumn("", 3)
    if altered_at:
        log.statement("CREATE TABLE t (c0 INT)")
    for number in range(200):
        if number in altered_at:
            log.statement(f"ALTER TABLE t CHANGE COLUMN c{last(altered_at, number)} c{number} INT")
        log.begin()
        log.table_map(7, "t", [column])
        log.rows(7, Rows(30, [[struct.pack("<i", number)]] * 3, [True]))
        log.event(ROWS_QUERY, bytes(2_500))
        if number in altered_at:
            log.statement(f"CREATE TABLE u{number} (a INT)")
        log.commit()
    path.write_bytes(log.data)


def in_task(splits: list[Split]) -> list[Split]:
    copied: list[Split] = pickle.loads(pickle.dumps(splits))  # noqa: S301 - of our own making
    return copied


def last(altered_at: set[int], number: int) -> int:
    """Return when the column got the name that it has before a transaction."""
    return max((at for at in altered_at if at < number), default=0)


@pytest.mark.slow
@pytest.mark.parametrize("table", [None, "d.t"])
@pytest.mark.parametrize(
    "altered_at",
    [set(), {1}, {70}, {199}, set(range(1, 200)), {3, 90, 91, 150}],
    ids=["never", "first", "once", "last", "always", "at times"],
)
def test_names_in_statements_are_known_in_every_split(
    tmp_path: Path, table: str | None, altered_at: set[int]
) -> None:
    path = tmp_path / "log.000001"
    write_log_without_names(path, altered_at)
    [log_file] = find_log_files(path)
    wanted = None if table is None else TableName.parse(table)
    options = BinlogOptions(table=wanted, max_partition_bytes=LEAST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)  # of columns without names
        request = plan_read([log_file], options)
        whole = list(read_batches(path, table=table))
    splits = plan_splits([(log_file, None)], request)
    assert len(splits) > 7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        found = [list(read_split(split, request)) for split in in_task(splits)]
    assert all(found)
    rows = [row for batches in found for batch in batches for row in batch.to_pylist()]
    assert rows == [row for batch in whole for row in batch.to_pylist()]
    assert len(rows) == 600
    names = {name for row in rows for name in (row if table else json.loads(row["row"]))}
    assert {f"c{number}" for number in altered_at} <= names


@pytest.mark.parametrize("num_bytes", [1, 600, 1 << 20])
def test_names_are_known_in_every_batch(num_bytes: int, tmp_path: Path) -> None:
    """Of another log, of the same one before a batch, and changed within a batch."""
    column = LoggedColumn("", 3)
    statements = [
        ["CREATE TABLE t (id INT, size INT)", ""],
        ["", "ALTER TABLE t RENAME COLUMN size TO width", ""],
        ["", "", "ALTER TABLE t RENAME COLUMN width TO height"],
        [""],
    ]
    count = 0
    for number, texts in enumerate(statements, 1):
        log = LogWriter(has_metadata=False)
        for text in texts:
            if text:
                log.statement(text)
            for _ in range(2):
                count += 1
                log.begin()
                log.table_map(9, "t", [column, column])
                row: list[bytes | None] = [struct.pack("<i", count)] * 2
                log.rows(9, Rows(WRITE_V2, [row], [True, True]))
                log.commit()
        (tmp_path / f"binlog.{number:06}").write_bytes(log.data)
    expected = rows_of(tmp_path)
    assert all(f'"{name}"' in str(expected) for name in ("size", "width", "height"))
    stream = FollowedStream(tmp_path)
    while stream.poll(BatchLimit(num_bytes)):
        if len(stream.rows) % 3 == 0:
            stream.restart()
    assert stream.rows == expected
    late = FollowedStream(tmp_path, starting_offsets="binlog.000003:4")
    late.poll()
    assert late.rows == expected[-len(late.rows) :]


@pytest.mark.slow
@pytest.mark.parametrize("num_bytes", [150_000, 1 << 30])
@pytest.mark.parametrize(
    "altered_at", [{1}, set(range(1, 200)), {3, 90, 91, 150}], ids=["first", "always", "at times"]
)
def test_names_are_known_in_every_split_of_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_bytes: int, altered_at: set[int]
) -> None:
    """And the driver surveys each part of the log once."""
    write_log_without_names(tmp_path / "binlog.000001", altered_at)
    expected = rows_of(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        stream = FollowedStream(tmp_path, max_partition_bytes=LEAST)
        stream.timeline.looks_through = False  # a new query
        surveyed = note_surveys(monkeypatch)
        sizes: list[int] = []
        while stream.poll(BatchLimit(num_bytes)):
            sizes.append(len(stream.rows) - sum(sizes))
    assert stream.rows == expected
    assert len(sizes) == len(surveyed) == (1 if num_bytes == 1 << 30 else 4)
    assert [start for _, start, _ in surveyed[1:]] == [stop for _, _, stop in surveyed[:-1]]
    # Once more, as Spark asks for a batch that was begun.
    place = stream.offset
    stream.offset = stream.source.initial_offset()
    assert stream.poll(BatchLimit(num_bytes))
    assert stream.rows[len(expected) :] == expected[: sizes[0]]
    assert place.pos == (tmp_path / "binlog.000001").stat().st_size


def note_surveys(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int | None]]:
    """Return a list to which the log and the range of each survey are added."""
    surveyed: list[tuple[str, int, int | None]] = []
    survey = Surveyor.__call__

    def noted(
        surveyor: Surveyor, log_file: LogFile, start: int = 0, stop: int | None = None, **rest: Any
    ) -> LogSurvey:
        surveyed.append((log_file.name, start, stop))
        return survey(surveyor, log_file, start, stop, **rest)

    monkeypatch.setattr(Surveyor, "__call__", noted)
    return surveyed


def two_columns(names: str, values: list[int]) -> LogWriter:
    """Write a log with rows of one value in both columns of a table, after its definition."""
    log = LogWriter(has_metadata=False)
    if names:
        log.statement(f"CREATE TABLE t ({names})")
    for value in values:
        log.begin()
        log.table_map(7, "t", [LoggedColumn("", 3)] * 2)
        row: list[bytes | None] = [struct.pack("<i", value), struct.pack("<i", -value)]
        log.rows(7, Rows(WRITE_V2, [row], [True, True]))
        log.event(ROWS_QUERY, bytes(2_500))
        log.commit()
    return log


def test_a_schema_takes_the_names_that_earlier_logs_define(tmp_path: Path) -> None:
    """By name in all logs: not by place in those without the definition."""
    for number, names in enumerate(("id INT, minus INT", "", ""), 1):
        (tmp_path / f"binlog.{number:06}").write_bytes(two_columns(names, [number]).data)
    schema = pa.schema([("minus", pa.int32()), ("id", pa.int32())])
    batches = read_batches(tmp_path, table="d.t", schema=schema)
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert rows == [{"minus": -number, "id": number} for number in (1, 2, 3)]


def test_a_schema_takes_the_names_that_stand_before_a_split(tmp_path: Path) -> None:
    path = tmp_path / "binlog.000001"
    path.write_bytes(two_columns("id INT, minus INT", list(range(200))).data)
    [log_file] = find_log_files(path)
    schema = pa.schema([("minus", pa.int32())])
    options = BinlogOptions(table=TableName("d", "t"), max_partition_bytes=LEAST)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        request = plan_read([log_file], options, schema)
        splits = plan_splits([(log_file, None)], request)
    assert len(splits) > 7
    batches = [batch for split in splits for batch in read_split(split, request)]
    assert [row["minus"] for batch in batches for row in batch.to_pylist()] == [
        -value for value in range(200)
    ]


def write_changing_metadata(path: Path, sections: list[bool], *, defines: bool = True) -> None:
    """Write rows with and without logged names, in sections of 60 transactions.

    Args:
        path: of the log.
        sections: whether the table maps of each section name the column.
        defines: whether the log has the CREATE TABLE.
    """
    log = LogWriter()
    number = 0
    if defines:
        log.statement("CREATE TABLE t (c0 INT)")
    for has_names in sections:
        log.has_metadata = has_names
        for i in range(60):
            if i == 30:
                log.statement(f"ALTER TABLE t CHANGE COLUMN c{number} c{number + 1} INT")
                number += 1
            log.begin()
            log.table_map(7, "t", [LoggedColumn(f"c{number}", 3)])
            log.rows(7, Rows(WRITE_V2, [[struct.pack("<i", i)]] * 3, [True]))
            log.event(ROWS_QUERY, bytes(2_500))
            log.commit()
    path.write_bytes(log.data)


FULL_AND_MINIMAL = pytest.mark.parametrize(
    "sections",
    [[True, False, True], [False, True, False], [True, False], [True, True, False, True]],
    ids=["full first", "minimal first", "minimal last", "minimal late"],
)


def changing_names(sections: int) -> list[str]:
    """Return the name of the column in each row of `write_changing_metadata`."""
    return [f"c{k + (i >= 30)}" for k in range(sections) for i in range(60) for _ in range(3)]


def names_in(rows: list[dict[str, Any]]) -> list[str]:
    """Return the name of the only column that is not null in each row, or of its JSON text."""
    values = [json.loads(row["row"]) if "row" in row else row for row in rows]
    return [next(name for name in row if row[name] is not None) for row in values]


@FULL_AND_MINIMAL
@pytest.mark.parametrize("table", [None, "d.t"])
def test_names_are_known_where_metadata_changes_midway(
    tmp_path: Path, sections: list[bool], table: str | None
) -> None:
    """The statements before the change are gone back to, in a batch and in each split."""
    path = tmp_path / "log.000001"
    write_changing_metadata(path, sections)
    expected = changing_names(len(sections))
    wanted = None if table is None else TableName.parse(table)
    options = BinlogOptions(table=wanted, max_partition_bytes=LEAST, metadata_columns=())
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        batches = read_batches(path, table=table, metadata_columns="")
        assert names_in([row for batch in batches for row in batch.to_pylist()]) == expected
        [log_file] = find_log_files(path)
        request = plan_read([log_file], options)
        splits = plan_splits([(log_file, None)], request)
        assert len(splits) > 4
        found = [batch for split in splits for batch in read_split(split, request)]
    assert names_in([row for batch in found for row in batch.to_pylist()]) == expected


@pytest.mark.slow
@FULL_AND_MINIMAL
@pytest.mark.parametrize("num_bytes", [20_000, 150_000, 1 << 30])
def test_names_are_known_in_batches_where_metadata_changes_midway(
    tmp_path: Path, sections: list[bool], num_bytes: int
) -> None:
    """The definition is in a log before the one that changes, which begins after the stream."""
    write_changing_metadata(tmp_path / "binlog.000001", [True])
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*neither the log", BinlogWarning)
        stream = FollowedStream(
            tmp_path, max_partition_bytes=LEAST, metadata_columns=("_log_file",)
        )
        for number in (2, 3):
            log = LogWriter()
            log.statement(f"ALTER TABLE t CHANGE COLUMN c{1 if number == 2 else 0} c0 INT")
            (tmp_path / f"binlog.{number:06}").write_bytes(log.data)
        write_changing_metadata(tmp_path / "binlog.000004", sections, defines=False)
        while stream.poll(BatchLimit(num_bytes)):
            pass
    names = [json.loads(literal_eval(row)["row"]) for row in stream.rows]
    assert [*map("".join, names)] == [*changing_names(1), *changing_names(len(sections))]


@pytest.mark.parametrize(
    "sections",
    [[True, False, False], [True, False, True], [False, True, False], [False, False, True]],
)
def test_names_are_known_where_metadata_changes_between_logs(
    tmp_path: Path, sections: list[bool]
) -> None:
    for number, has_names in enumerate(sections, 1):
        log = LogWriter(has_metadata=has_names)
        if number == 1:
            log.statement("CREATE TABLE t (c1 INT)")
        log.begin()
        log.table_map(7, "t", [LoggedColumn(f"c{number}", 3)])
        log.rows(7, Rows(WRITE_V2, [[struct.pack("<i", number)]], [True]))
        log.commit()
        log.statement(f"ALTER TABLE t CHANGE COLUMN c{number} c{number + 1} INT")
        (tmp_path / f"binlog.{number:06}").write_bytes(log.data)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        batches = list(read_batches(tmp_path))
        typed = list(read_batches(tmp_path, table="d.t", schema_at="first", metadata_columns=""))
    assert [row["row"] for batch in batches for row in batch.to_pylist()] == [
        f'{{"c{number}": {number}}}' for number in (1, 2, 3)
    ]
    assert [row["c1"] for batch in typed for row in batch.to_pylist()] == [1, None, None]


def test_a_task_does_not_look_back(tmp_path: Path) -> None:
    """Where the plan has seen no table map without names, and there is one, the error says so."""
    path = tmp_path / "log.000001"
    write_changing_metadata(path, [True, False, True])
    [log_file] = find_log_files(path)
    options = BinlogOptions(max_partition_bytes=LEAST)
    request = plan_read([log_file], options)
    splits = plan_splits([(log_file, None)], request)
    of_task = pickle.loads(pickle.dumps(request))  # noqa: S301 - of our own making
    nameless = next(split for split in in_task(splits) if split.start > 150_000)
    with pytest.raises(SchemaMismatchError, match=r"d\.t have no names here.*schema_changes"):
        list(read_split(nameless, of_task))
    # As it advises.
    all_changes = replace(options, schema_changes=True)
    request = plan_read([log_file], all_changes)
    of_task = pickle.loads(pickle.dumps(request))  # noqa: S301
    splits = in_task(plan_splits([(log_file, None)], request))
    rows = [
        row
        for split in splits
        for batch in read_split(split, of_task)
        for row in batch.to_pylist()
        if row["row"]
    ]
    assert names_in(rows) == changing_names(3)


def test_a_query_that_is_started_again_looks_through_its_first_batch(tmp_path: Path) -> None:
    write_changing_metadata(tmp_path / "binlog.000001", [True, False])
    stream = FollowedStream(tmp_path, metadata_columns=())
    stream.timeline.looks_through = False  # a new query
    with pytest.raises(SchemaMismatchError, match="start a stream again"):
        stream.poll(in_tasks=True)
    stream.restart()
    assert stream.poll(in_tasks=True)
    assert names_in([literal_eval(row) for row in stream.rows]) == changing_names(2)
