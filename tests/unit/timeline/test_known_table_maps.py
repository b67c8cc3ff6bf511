"""A known table map is completed again where a statement may have changed its table, else not."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.timeline.base_tables import BaseTables
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.timeline_part import TimelinePart
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

COLUMNS = [LoggedColumn("a", 3), LoggedColumn("b", 3)]
TABLES = ("t", "u", "mixed", "later")
STATEMENTS = (
    "CREATE TABLE t (a INT, b INT)",
    "CREATE TABLE u LIKE t",
    "CREATE TABLE mIXED (m INT, n INT)",
    "ALTER TABLE t RENAME COLUMN a TO c",
    "RENAME TABLE t TO v, u TO t, v TO u",
    "CREATE TABLE Mixed (o INT, p INT)",
    "DROP TABLE mIXED",
    "ALTER TABLE u RENAME later",
    "CREATE TEMPORARY TABLE t (x INT, y INT)",
    "ALTER TABLE t ADD z INT",
    "CREATE OR REPLACE TABLE t (e INT, f INT)",
    "ALTER TABLE t FROBNICATE",
    "CREATE TABLE t (g INT, h INT)",
    "DROP DATABASE d",
    "CREATE TABLE t (i INT, j INT)",
)
OPTIONS: dict[str, Any] = {"metadata_columns": ("_start_pos", "_table_name"), "window_bytes": 4096}


def write_rows(log: LogWriter, table_id: int, table: str) -> None:
    log.begin()
    log.table_map(table_id, table, COLUMNS)
    value = (7).to_bytes(4, "little")
    log.rows(table_id, Rows(WRITE_V2, [[value, value]], (True, True)))
    log.commit()


@pytest.fixture(scope="module", params=["8.0.36", "10.11.8-MariaDB-log"])
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log with rows of each table, in the same bytes, after each statement."""
    log = LogWriter(has_metadata=False, server_version=request.param)
    for statement in ("CREATE TABLE elsewhere (a INT)", *STATEMENTS):
        log.statement(statement, flags=4 if "TEMPORARY" in statement else 0)
        for table_id, table in enumerate(TABLES, 1):
            write_rows(log, table_id, table)
    path = tmp_path_factory.mktemp("log") / "binlog.000001"
    path.write_bytes(log.data)
    return path


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        yield


def in_one_pass(log: Path) -> list[str]:
    return [str(row) for batch in read_batches(log, **OPTIONS) for row in batch.to_pylist()]


def in_tasks(log: Path) -> list[str]:
    options = BinlogOptions.from_python({**OPTIONS})
    log_files = find_log_files(log, options)
    request = plan_read(log_files, options)
    splits = plan_splits([(log_file, None) for log_file in log_files], request)
    batches = (batch for split in splits for batch in read_split(split, request))
    return [str(row) for batch in batches for row in batch.to_pylist()]


@pytest.mark.parametrize("read", [in_one_pass, in_tasks])
def test_rows_are_those_of_table_maps_that_are_completed_each_time(
    log: Path, read: Callable[[Path], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read(log)
    assert len(found) == len(TABLES) * (1 + len(STATEMENTS))
    assert len({row.partition("'row':")[2] for row in found}) > 6

    class Forgetful(TimelinePart):
        def follow(self, statement: object) -> None:  # noqa: ARG002
            self.version += 1

    monkeypatch.setattr(BaseTables, "may_change", lambda *_: True)
    monkeypatch.setattr(TimelinePart, "follow", Forgetful.follow)
    assert read(log) == found


def test_statements_about_other_tables_forget_no_table_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter(has_metadata=False)
    log.statement("CREATE TABLE t (a INT, b INT)")
    for number in range(50):
        log.statement(f"CREATE TABLE other{number} (a INT)")
        write_rows(log, 1, "t")
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    calls: list[object] = []
    complete = TableMapCompleter.complete

    def noted(completer: TableMapCompleter, *args: object) -> object:
        calls.append(args)
        return complete(completer, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(TableMapCompleter, "complete", noted)
    assert len(in_one_pass(path)) == 50
    assert len(calls) == 1
