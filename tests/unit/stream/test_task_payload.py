"""What Spark gives to each task: it does not grow with the logs that others read."""

from __future__ import annotations

import pickle
import pickletools
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql.datasource import InputPartition

from pyspark_adapter import BinlogWarning, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.spark.batch import BinlogReader
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.splits.read_split import plan_read
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_stream import LogStream
from pyspark_adapter.stream.stream_timeline import StreamTimeline
from pyspark_adapter.timeline.log_survey import LogSurvey
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

# Most of the operations that each group of logs may add to the pickled reader.
GROUP_COST = 10
LOGS_IN_GROUP = 64


def write_logs(folder: Path, count: int, named: frozenset[int] = frozenset()) -> Path:
    """Write logs that alter a table each; it has names in the table maps of some logs only."""
    folder.mkdir()
    for number in range(1, count + 1):
        log = LogWriter(has_metadata=number in named)
        if number == 1:
            log.statement("CREATE TABLE t (c0 INT)")
        log.statement(f"ALTER TABLE t CHANGE COLUMN c{number - 1} c{number} INT")
        log.begin()
        log.table_map(7, "t", [LoggedColumn(f"c{number}", 3)])
        log.rows(7, Rows(WRITE_V2, [[struct.pack("<i", number)]], [True]))
        log.commit()
        (folder / f"log.{number:06}").write_bytes(log.data)
    return folder


def plan(folder: Path, options: BinlogOptions) -> tuple[bytes, list[InputPartition]]:
    """Return the reader as tasks get it, and the partitions."""
    logs = find_log_files(folder, options)
    reader = BinlogReader(logs, plan_read(logs, options))
    pickled: bytes = cloudpickle.dumps(reader.read)  # type: ignore[no-untyped-call]
    return pickled, [*reader.partitions()]


def rows_in_tasks(read: bytes, partitions: list[InputPartition]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a job whose tasks run in processes of their own."""
    for partition in partitions:
        copy = pickle.loads(pickle.dumps(partition))  # noqa: S301  # of our own making
        for batch in pickle.loads(read)(copy):  # noqa: S301
            yield from batch.to_pylist()


def num_operations(pickled: bytes) -> int:
    return sum(1 for _ in pickletools.genops(pickled))


def test_a_copy_of_a_task_does_not_plan_to_read_nothing(tmp_path: Path) -> None:
    read, _ = plan(write_logs(tmp_path / "logs", 1), BinlogOptions())
    copy = pickle.loads(read).__self__  # noqa: S301  # of our own making
    with pytest.raises(AttributeError, match="_log_files"):
        copy.partitions()


@pytest.mark.parametrize(
    "options",
    [
        BinlogOptions(),
        BinlogOptions(row="arrow"),
        BinlogOptions(table=TableName("d", "t"), schema_at="first", follow_renames=True),
    ],
    ids=["json", "arrow", "renames"],
)
def test_a_task_unpickles_as_much_for_many_logs_as_for_few(
    tmp_path: Path, options: BinlogOptions
) -> None:
    few, _ = plan(write_logs(tmp_path / "few", 3), options)
    many, _ = plan(write_logs(tmp_path / "many", 3 * LOGS_IN_GROUP), options)
    assert num_operations(many) - num_operations(few) <= 3 * GROUP_COST


@pytest.mark.parametrize(
    "named", [frozenset(), frozenset({1, 2, 3, 130})], ids=["none", "those that the plan looks at"]
)
def test_tasks_know_the_names_of_their_logs(tmp_path: Path, named: frozenset[int]) -> None:
    folder = write_logs(tmp_path / "logs", 130, named)
    read, partitions = plan(folder, BinlogOptions())
    assert len(partitions) > 2
    with warnings.catch_warnings():
        warnings.simplefilter("error", BinlogWarning)  # of columns without names
        rows = list(rows_in_tasks(read, partitions))
    assert [row["row"] for row in rows] == [f'{{"c{n}": {n}}}' for n in range(1, 131)]
    assert rows == [row for batch in read_batches(folder) for row in batch.to_pylist()]


def test_no_log_is_surveyed_that_gives_its_statements_while_it_is_read(
    tmp_path: Path, surveyed: list[str]
) -> None:
    folder = write_logs(tmp_path / "logs", 40, frozenset({1, 40}))
    assert sum(batch.num_rows for batch in read_batches(folder)) == 40
    assert surveyed == []
    # Of a log that is read alone, those before it are.
    batches = read_batches(folder, starting_position="log.000030:4")
    assert sum(batch.num_rows for batch in batches) == 11
    assert surveyed == [f"log.{number:06}" for number in range(1, 30)]


@pytest.mark.parametrize("named", [frozenset[int](), frozenset({1, 2, 3})], ids=["none", "all"])
def test_logs_that_the_schema_has_surveyed_are_not_surveyed_for_the_partitions(
    tmp_path: Path, named: frozenset[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark asks for the schema in one process and for the reader in another."""
    folder = write_logs(tmp_path / "logs", 3, named)
    surveyed: list[str] = []
    survey = Surveyor.__call__

    def noted(surveyor: Surveyor, log_file: LogFile, *rest: Any, **options: Any) -> LogSurvey:
        surveyed.append(log_file.name)
        return survey(surveyor, log_file, *rest, **options)

    monkeypatch.setattr(Surveyor, "__call__", noted)
    source = DefaultSource({"path": str(folder), "table": "d.t", "metadataColumns": "_start_pos"})
    schema = source.schema()
    assert surveyed == [f"log.{number:06}" for number in (1, 2, 3)]
    pickled = cloudpickle.dumps(source)  # type: ignore[no-untyped-call]
    reader = pickle.loads(pickled).reader(schema)  # noqa: S301  # of our own making
    task = cloudpickle.dumps(reader.read)  # type: ignore[no-untyped-call]
    rows = list(rows_in_tasks(task, reader.partitions()))
    assert [[v for v in row.values() if v is not None][1:] for row in rows] == [[1], [2], [3]]
    assert len(surveyed) == 3
    # A log that has grown since is surveyed again.
    last = folder / "log.000003"
    last.write_bytes(last.read_bytes() + LogWriter().data[4:])
    reader = pickle.loads(pickled).reader(schema)  # noqa: S301
    assert len(list(rows_in_tasks(task, reader.partitions()))) == 3
    assert surveyed[3:] == ([] if named else ["log.000003"])


def test_a_task_of_a_stream_unpickles_as_much_for_many_logs_as_for_few(tmp_path: Path) -> None:
    """They get no list of logs."""
    counts = []
    for count in (3, 3 * LOGS_IN_GROUP):
        logs = write_logs(tmp_path / f"{count}", count, frozenset(range(1, count + 1)))
        options = BinlogOptions()
        stream = LogStream(LogDirectory([str(logs)], options), options)
        request = plan_read(find_log_files(logs, options), options)
        ranges = stream.ranges(stream.initial_offset(), stream.end())
        found = StreamTimeline(request).splits(ranges)
        assert len(found) == count
        counts.append(num_operations(pickle.dumps(found[-1])))
    assert counts[0] == counts[1]
