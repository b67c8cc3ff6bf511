"""Reads of tables that are named, and defined by the option ddl: they need no other definitions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits import plan_read, read_split
from pyspark_adapter.splits.offset_range import OffsetRange
from pyspark_adapter.stream.stream_schema_history import StreamSchemaHistory
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


@pytest.fixture
def _statements_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(plan_read, "discover_snapshots", fail)
    monkeypatch.setattr(read_split, "catalog_at", fail)


@pytest.mark.usefixtures("_statements_are_not_read")
@pytest.mark.parametrize("tables", ["d.t", "`d`.`t`"])
def test_rows_have_the_names_of_the_option_ddl(
    logs: list[Path], ddl: str, tables: str, engine: str
) -> None:
    batches = read_batches(logs, tables=tables, ddl=ddl, engine=engine)
    rows = [json.loads(row["row"]) for batch in batches for row in batch.to_pylist()]
    assert rows == [{"a": 1, "b": 1}] * 2


@pytest.mark.usefixtures("_statements_are_not_read")
@pytest.mark.parametrize("tables", ["d.*", "`d`.`t`,`d`.`other`", ""])
def test_statements_are_needed_else(logs: list[Path], ddl: str, tables: str) -> None:
    options: dict[str, Any] = {"tables": tables} if tables else {}
    with pytest.raises(AssertionError):
        list(read_batches(logs, ddl=ddl, **options))


def test_a_stream_does_not_follow_statements(logs: list[Path], ddl: str) -> None:
    for tables, is_followed in (("`d`.`t`", False), ("d.*", True)):
        options = BinlogOptions.from_python({"tables": tables, "ddl": ddl, "row": "arrow"})
        found = find_log_files(logs, options)
        request = plan_read.plan_read(found, options, None, in_splits=True)
        ((_, added),) = StreamSchemaHistory(request).with_catalogs([(found[1], OffsetRange(4))])
        assert (added.definitions is not None) is is_followed
        assert added.earlier is None  # else the tasks of a long series get lists of all its logs
