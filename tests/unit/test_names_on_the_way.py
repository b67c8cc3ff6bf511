"""Names of columns that stand in statements, where a log is not read from its beginning."""

from __future__ import annotations

import json
import struct
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogWarning, read_batches, reader
from pyspark_adapter.definitions.log_definitions import LogDefinitions
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.log_search import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.reader import plan_read, read_split
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.stream import place_definitions
from pyspark_adapter.stream.log_stream import BatchLimit
from pyspark_adapter.survey.log_survey import survey_part
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.streams import FollowedStream, rows_of

ENGINES = pytest.mark.parametrize("engine", ["kernels", "reference"])
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


def last(altered_at: set[int], number: int) -> int:
    """Return when the column got the name that it has before a transaction."""
    return max((at for at in altered_at if at < number), default=0)


@ENGINES
@pytest.mark.parametrize("table", [None, "d.t"])
@pytest.mark.parametrize(
    "altered_at",
    [set(), {1}, {70}, {199}, set(range(1, 200)), {3, 90, 91, 150}],
    ids=["never", "first", "once", "last", "always", "at times"],
)
def test_names_in_statements_are_known_in_every_split(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
    table: str | None,
    altered_at: set[int],
) -> None:
    path = tmp_path / "log.000001"
    write_log_without_names(path, altered_at)
    [log_file] = find_log_files(path)
    wanted = None if table is None else TableName.parse(table)
    options = BinlogOptions(engine=engine, table=wanted, max_partition_bytes=LEAST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)  # of columns without names
        request = plan_read([log_file], options, in_splits=True)
        whole = list(read_batches(path, engine=engine, table=table))
    splits = plan_splits([(log_file, None)], request)
    assert len(splits) > 7
    looked_at: list[LogPart] = []

    def survey(log_file: LogFile, part: LogPart, *rest: Any) -> LogDefinitions:
        looked_at.append(part)
        return survey_part(log_file, part, *rest)

    monkeypatch.setattr(reader, "survey_part", survey)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        found = [list(read_split(split, request)) for split in splits]
    assert all(found)
    rows = [row for batches in found for batch in batches for row in batch.to_pylist()]
    assert rows == [row for batch in whole for row in batch.to_pylist()]
    assert len(rows) == 600
    names = {name for row in rows for name in (row if table else json.loads(row["row"]))}
    assert {f"c{number}" for number in altered_at} <= names
    # No more than a few statements near its place.
    assert all(0 < (part.stop or 0) - part.start < LEAST for part in looked_at)
    assert looked_at or len(altered_at) < 100


@ENGINES
@pytest.mark.parametrize("num_bytes", [1, 600, 1 << 20])
def test_names_are_known_in_every_batch(num_bytes: int, engine: str, tmp_path: Path) -> None:
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
    expected = rows_of(tmp_path, engine=engine)
    assert all(f'"{name}"' in str(expected) for name in ("size", "width", "height"))
    stream = FollowedStream(tmp_path, engine=engine)
    while stream.poll(BatchLimit(num_bytes)):
        if len(stream.rows) % 3 == 0:
            stream.restart()
    assert stream.rows == expected
    late = FollowedStream(tmp_path, engine=engine, starting_offsets="binlog.000003:4")
    late.poll()
    assert late.rows == expected[-len(late.rows) :]


@ENGINES
@pytest.mark.parametrize("num_bytes", [150_000, 1 << 30])
@pytest.mark.parametrize(
    "altered_at", [{1}, set(range(1, 200)), {3, 90, 91, 150}], ids=["first", "always", "at times"]
)
def test_names_are_known_in_every_split_of_a_batch(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
    num_bytes: int,
    altered_at: set[int],
) -> None:
    """And the driver goes along each statement once, but for those of small batches."""
    write_log_without_names(tmp_path / "binlog.000001", altered_at)
    expected = rows_of(tmp_path, engine=engine)
    looked_at: list[tuple[int, int | None]] = []

    def survey(log_file: LogFile, part: LogPart, *rest: Any) -> LogDefinitions:
        looked_at.append((part.start, part.stop))
        return survey_part(log_file, part, *rest)

    monkeypatch.setattr(place_definitions, "survey_part", survey)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        stream = FollowedStream(tmp_path, engine=engine, max_partition_bytes=LEAST)
        sizes: list[int] = []
        while stream.poll(BatchLimit(num_bytes)):
            sizes.append(len(stream.rows) - sum(sizes))
    assert stream.rows == expected
    assert len(sizes) == len(looked_at) == (1 if num_bytes == 1 << 30 else 4)
    assert [start for start, _ in looked_at[1:]] == [stop for _, stop in looked_at[:-1]]
    # Once more, as Spark asks for a batch that was begun.
    place = stream.offset
    stream.offset = stream.source.initial_offset()
    assert stream.poll(BatchLimit(num_bytes))
    assert stream.rows[len(expected) :] == expected[: sizes[0]]
    assert place.pos == (tmp_path / "binlog.000001").stat().st_size


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


@ENGINES
def test_a_schema_takes_the_names_that_earlier_logs_define(tmp_path: Path, engine: str) -> None:
    """By name in all logs: not by place in those without the definition."""
    for number, names in enumerate(("id INT, minus INT", "", ""), 1):
        (tmp_path / f"binlog.{number:06}").write_bytes(two_columns(names, [number]).data)
    schema = pa.schema([("minus", pa.int32()), ("id", pa.int32())])
    batches = read_batches(tmp_path, engine=engine, table="d.t", schema=schema)
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert rows == [{"minus": -number, "id": number} for number in (1, 2, 3)]


@ENGINES
def test_a_schema_takes_the_names_that_stand_before_a_split(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "binlog.000001"
    path.write_bytes(two_columns("id INT, minus INT", list(range(200))).data)
    [log_file] = find_log_files(path)
    schema = pa.schema([("minus", pa.int32())])
    options = BinlogOptions(engine=engine, table=TableName("d", "t"), max_partition_bytes=LEAST)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)
        request = plan_read([log_file], options, schema, in_splits=True)
        splits = plan_splits([(log_file, None)], request)
    assert len(splits) > 7
    batches = [batch for split in splits for batch in read_split(split, request)]
    assert [row["minus"] for batch in batches for row in batch.to_pylist()] == [
        -value for value in range(200)
    ]
