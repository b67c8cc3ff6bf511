"""Reads of tables that are named, and defined by the option ddl: they need no other definitions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.log_splits import OffsetRange
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.stream_timeline import StreamTimeline
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

COLUMNS = [LoggedColumn(name, 3, is_nullable=False) for name in "ab"]
DEFINED = "CREATE TABLE d.t (a INT NOT NULL, b INT NOT NULL);"


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Return two logs, whose columns have no names, with rows of two tables."""
    writer = LogWriter(has_metadata=False)
    for table_id, table in ((8, "other"), (9, "t")):
        writer.begin()
        writer.table_map(table_id, table, COLUMNS)
        writer.rows(table_id, Rows(WRITE_V2, [[b"\1\0\0\0"] * 2], [True] * 2))
        writer.commit()
    paths = [tmp_path / f"binlog.00000{number}" for number in (1, 2)]
    paths[0].write_bytes(writer.data)
    shutil.copy(*paths)
    return paths


@pytest.fixture
def ddl(tmp_path: Path) -> str:
    path = tmp_path / "ddl.sql"
    path.write_text(DEFINED, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("tables", ["d.t", "`d`.`t`"])
def test_rows_have_the_names_of_the_option_ddl(logs: list[Path], ddl: str, tables: str) -> None:
    batches = read_batches(logs, tables=tables, ddl=ddl)
    rows = [json.loads(row["row"]) for batch in batches for row in batch.to_pylist()]
    assert rows == [{"a": 1, "b": 1}] * 2


def test_a_stream_does_not_survey_logs_before_its_start(
    logs: list[Path], ddl: str, surveyed: list[str]
) -> None:
    for tables, names in (("`d`.`t`", {logs[1].name}), ("d.*", {log.name for log in logs})):
        surveyed.clear()
        options = BinlogOptions.from_python({"tables": tables, "ddl": ddl})
        found = find_log_files(logs, options)
        request = plan_read(found, options)
        [split] = StreamTimeline(request).splits([(found[1], OffsetRange(4))])
        assert set(surveyed) == names
        row = next(read_split(split, request)).column("row")[0].as_py()
        assert ("a" in json.loads(row)) == (tables != "d.*")


def test_the_first_batch_is_of_another_server_than_the_plan(tmp_path: Path) -> None:
    """The plan was made where one server answered, and another one has come back since."""
    series = []
    for folder, name in (("one", "a"), ("two", "b")):
        (tmp_path / folder).mkdir()
        created, rows = LogWriter(has_metadata=False), LogWriter(has_metadata=False)
        created.statement(f"CREATE TABLE t ({name} INT)")
        rows.begin()
        rows.table_map(9, "t", [LoggedColumn("", 3)])
        rows.rows(9, Rows(WRITE_V2, [[b"\1\0\0\0"]], [True]))
        rows.commit()
        for number, log in enumerate((created, rows), 1):
            (tmp_path / folder / f"log.{number:06}").write_bytes(log.data)
        series.append(LogDirectory([str(tmp_path / folder)], BinlogOptions()))
    request = plan_read(series[0].all(), BinlogOptions())
    last = series[1].all()[1]
    [split] = StreamTimeline(request, series[1]).splits([(last, OffsetRange(4))])
    [row] = next(read_split(split, request)).column("row").to_pylist()
    assert json.loads(row) == {"b": 1}
