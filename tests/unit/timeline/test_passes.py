"""How often a log is opened, and how much of it is read, for each mix of options.

A log is surveyed at most once and read once, whatever is asked.
"""

from __future__ import annotations

import struct
import warnings
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning, list_tables, read_batches
from pyspark_adapter.events import log_start, windows
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile, open_log
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.log_stream import BatchLimit
from pyspark_adapter.timeline.log_survey import LogSurvey
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.streams import FollowedStream

NUM_LOGS = 3
NUM_ROWS = 30
WINDOW = 1 << 16
ROWS_QUERY = 29
THREAD_SPECIFIC = 4


class Reads:
    """Counts what is read of each log."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: Counter[str] = Counter()
        self.num_bytes: Counter[str] = Counter()
        for module in (windows, log_start):
            monkeypatch.setattr(module, "open_log", self.open)

    def open(self, log_file: LogFile) -> StoredBytes:
        self.opened[log_file.name] += 1
        return Counted(open_log(log_file), log_file.name, self)

    def passes(self, folder: Path) -> dict[str, float]:
        """Return the bytes that were read of each log, as a part of its size."""
        sizes = {path.name: path.stat().st_size for path in folder.glob("binlog.*")}
        return {name: round(self.num_bytes[name] / size, 2) for name, size in sizes.items()}


class Counted:
    """An open log whose reads are counted."""

    def __init__(self, file: StoredBytes, name: str, reads: Reads) -> None:
        self._file, self._name, self._reads = file, name, reads

    def readinto(self, buffer: memoryview) -> int | None:
        count = self._file.readinto(buffer)
        self._reads.num_bytes[self._name] += count or 0
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.fixture(params=[False, True], ids=["minimal", "full"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a folder of logs of some windows each, with statements between the rows."""
    for number in range(1, NUM_LOGS + 1):
        log = LogWriter(has_metadata=request.param)
        if number == 1:
            log.statement("CREATE TABLE old (a INT)")
            log.statement("RENAME TABLE old TO t")
        for k in range(NUM_ROWS):
            if k in (10, 20):
                log.statement(f"ALTER TABLE u{k} ADD c{number} INT")
            log.begin()
            log.table_map(9, "t", [LoggedColumn("a", 3)])
            log.rows(9, Rows(WRITE_V2, [[struct.pack("<i", k)]], [True]))
            log.event(ROWS_QUERY, bytes(10_000))
            log.commit()
        (tmp_path / f"binlog.{number:06}").write_bytes(log.data)
    (tmp_path / "tables.sql").write_text("CREATE TABLE d.t (a INT);")
    return tmp_path


CHOSEN: list[dict[str, Any]] = [
    {},
    {"tables": "d.t"},
    {"table": "d.t"},
    {"table": "d.t", "follow_renames": True},
    {"table": "d.t", "schema_at": "first"},
    {"table": "d.t", "schema_at": "latest"},
    {"table": "d.t", "schema_at": "latest", "follow_renames": True},
]
WITH: list[dict[str, Any]] = [{}, {"ddl": "tables.sql"}, {"schema_changes": True}]
MIXES = [with_ | chosen for with_, chosen in product([*WITH, WITH[1] | WITH[2]], CHOSEN)]


def shown(mix: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in mix.items()) or "none"


each_mix = pytest.mark.parametrize("mix", MIXES, ids=shown)


def options_of(folder: Path, mix: dict[str, Any]) -> dict[str, Any]:
    with_ddl = {"ddl": str(folder / "tables.sql")} if "ddl" in mix else {}
    return {**mix, **with_ddl, "window_bytes": WINDOW}


@each_mix
def test_a_log_is_surveyed_once_and_read_once(
    folder: Path, mix: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = sorted(folder.glob("binlog.*"))
    reads = Reads(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        table = read_batches(logs, **options_of(folder, mix)).to_table()
    assert table.num_rows >= NUM_ROWS * NUM_LOGS
    assert max(reads.opened.values()) <= 2
    assert max(reads.passes(folder).values()) <= 2
    if "table" not in mix and "ddl" not in mix:  # nothing has to be known in advance
        assert set(reads.passes(folder).values()) == {1}


@each_mix
def test_tasks_read_what_the_driver_has_surveyed_once(
    folder: Path, mix: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the plan looks at the first table map of each log."""
    options = BinlogOptions.from_python(
        options_of(folder, mix) | {"metadata_columns": "_start_pos"}
    )
    reads = Reads(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        logs = find_log_files([str(path) for path in sorted(folder.glob("binlog.*"))], options)
        request = plan_read(logs, options)
        splits = plan_splits([(log, None) for log in logs], request)
        assert all(reads.opened[log.name] <= 2 for log in logs)
        rows = sum(batch.num_rows for split in splits for batch in read_split(split, request))
    assert rows >= NUM_ROWS * NUM_LOGS
    assert max(reads.opened.values()) <= 3
    assert max(reads.passes(folder).values()) <= 2 + 2 * WINDOW / logs[0].num_bytes


STREAMED = [mix for mix in MIXES if "schema_at" not in mix and "follow_renames" not in mix]


@pytest.mark.parametrize("num_bytes", [100_000, 1 << 30])
@pytest.mark.parametrize("mix", STREAMED, ids=shown)
def test_no_part_of_a_log_is_surveyed_twice_for_a_stream(
    folder: Path, mix: dict[str, Any], num_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor read by two tasks. The end of the last log may still be written: it counts anew."""
    options = BinlogOptions.from_python(options_of(folder, mix))
    surveyed: list[tuple[str, int, int]] = []
    survey = Surveyor.__call__

    def noted(
        surveyor: Surveyor, log_file: LogFile, start: int = 0, stop: int | None = None, **rest: Any
    ) -> LogSurvey:
        end = log_file.num_bytes if stop is None else stop
        surveyed.append((log_file.name, max(start, len(MAGIC)), end))
        return survey(surveyor, log_file, start, stop, **rest)

    monkeypatch.setattr(Surveyor, "__call__", noted)
    chosen = {name: getattr(options, name) for name in ("ddl", "schema_changes", "table", "tables")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        stream = FollowedStream(folder, **chosen)
        stream.timeline.looks_through = False  # a new query
        while stream.poll(BatchLimit(num_bytes)):
            pass
    assert len(stream.rows) >= NUM_ROWS * NUM_LOGS
    last = f"binlog.{NUM_LOGS:06}"
    for name in {log for log, _, _ in surveyed}:
        ranges = [(start, end) for log, start, end in surveyed if log == name]
        if name == last and "ddl" in mix and "table" not in mix:
            ranges = ranges[1:]
        assert ranges == sorted(ranges)
        assert all(end <= start for (_, end), (start, _) in pairwise(ranges)), ranges


@pytest.mark.parametrize("is_flagged", [False, True])
def test_logs_before_a_stream_are_surveyed_only_for_statements_that_depend_on_them(
    tmp_path: Path, is_flagged: bool, surveyed: list[str]
) -> None:
    for number in (1, 2, 3):
        log = LogWriter()
        log.statement("CREATE TABLE t (a INT)" if number == 1 else "ALTER TABLE t ADD b INT")
        if number == 3:
            flags = THREAD_SPECIFIC if is_flagged else 0
            log.statement("ALTER TABLE t ADD c INT", flags=flags)
        log.begin()
        log.table_map(9, "t", [LoggedColumn("a", 3)])
        log.rows(9, Rows(WRITE_V2, [[struct.pack("<i", number)]], [True]))
        log.commit()
        (tmp_path / f"binlog.{number:06}").write_bytes(log.data)
    options: dict[str, Any] = {"schema_changes": True, "starting_offsets": "binlog.000003:4"}
    stream = FollowedStream(tmp_path, **options)
    stream.timeline.looks_through = False  # a new query
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BinlogWarning)
        assert stream.poll(in_tasks=True)
    assert len(stream.rows) == 3
    assert ("may be about a temporary table" in "".join(str(w.message) for w in caught)) == (
        is_flagged
    )
    before = ["binlog.000001", "binlog.000002", "binlog.000003"]
    assert surveyed == ["binlog.000003", *(before * is_flagged)]


def test_lists_of_tables_take_one_pass(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Reads(monkeypatch)
    logs = sorted(folder.glob("binlog.*"))
    [found] = list_tables(logs, window_bytes=WINDOW)
    assert found.column_names == ("a",)
    assert set(reads.passes(folder).values()) == {1}
    assert set(reads.opened.values()) == {1}
