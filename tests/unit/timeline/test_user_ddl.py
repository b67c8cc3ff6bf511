"""The option ddl in reads, with a position and without one, where statements change its tables."""

from __future__ import annotations

import json
import struct
import warnings
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import OffsetRange, plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.stream_timeline import StreamTimeline
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

COLUMNS = [LoggedColumn("", 3), LoggedColumn("", 254, b"\xf7\1"), LoggedColumn("", 3)]
FIRST = "CREATE TABLE t (id INT, kind ENUM('a', 'b'), size INT)"
WIDENED = "ALTER TABLE t MODIFY kind ENUM('a', 'b', 'c')"
REVERSED = "ALTER TABLE t MODIFY COLUMN kind ENUM('b', 'a')"
ADDED = "ALTER TABLE t ADD COLUMN size INT"
SHORT = "CREATE TABLE t (id INT, kind ENUM('a', 'b'))"
NO_NAMES = ["col_1", "col_2", "col_3"]

Part = str | int


def write_log(path: Path, *parts: Part) -> Path:
    """Write a log of statements and of rows; a negative number is a row without the last column."""
    writer = LogWriter(has_metadata=False)
    for part in parts:
        if isinstance(part, str):
            writer.statement(part)
            continue
        image = [struct.pack("<i", abs(part)), bytes([abs(part)]), b"\0\0\0\0"]
        num_columns = 3 if part > 0 else 2
        writer.begin()
        writer.table_map(9, "t", COLUMNS[:num_columns])
        writer.rows(9, Rows(WRITE_V2, [image[:num_columns]], [True] * num_columns))
        writer.commit()
    path.write_bytes(writer.data)
    return path


def end_of(path: Path, *parts: Part) -> int:
    """Return the size of a log of some parts."""
    return write_log(path, *parts).stat().st_size


def write_ddl(folder: Path, text: str, place: tuple[str, int] | None = None) -> str:
    path = folder / "tables.sql"
    if place is not None:
        source = f"SOURCE_LOG_FILE='{place[0]}', SOURCE_LOG_POS={place[1]}"
        text = f"-- CHANGE REPLICATION SOURCE TO {source};\nUSE d;\n{text}"
    path.write_text(text + ";")
    return str(path)


def objects(paths: Any, ddl: str, **options: Any) -> list[dict[str, Any]]:
    batches = read_batches(paths, tables="d.t", ddl=ddl, **options)
    return [json.loads(row["row"]) for batch in batches for row in batch.to_pylist()]


def kinds(paths: Any, ddl: str) -> list[Any]:
    return [row["kind"] for row in objects(paths, ddl)]


@pytest.mark.parametrize(
    "parts",
    [
        [1, 2],
        [1, "ALTER TABLE t COMMENT='x'", 2],
        [1, "ALTER TABLE t ENGINE=InnoDB", 2],
        [1, "ALTER TABLE t ADD PARTITION (PARTITION p VALUES LESS THAN (9))", 2],
        [1, "ALTER TABLE other MODIFY kind ENUM('a', 'b')", 2],
        [1, "CREATE TABLE IF NOT EXISTS t (x INT)", 2],  # MySQL 8.0: did nothing
    ],
)
def test_a_file_without_a_position_holds_if_no_statement_is_about_the_table(
    tmp_path: Path, parts: list[Part]
) -> None:
    path, ddl = write_log(tmp_path / "l.000001", *parts), write_ddl(tmp_path, FIRST)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kinds(path, ddl) == ["a", "b"]


@pytest.mark.parametrize(
    "statement", [WIDENED, "ALTER TABLE t something odd", "DROP DATABASE d", "RENAME TABLE t TO u"]
)
def test_a_statement_in_the_way_is_named_with_the_way_to_give_a_position(
    tmp_path: Path, statement: str
) -> None:
    """Also for rows before it: the file may be from after it."""
    path, ddl = write_log(tmp_path / "l.000001", 1, statement, 2), write_ddl(tmp_path, FIRST)
    text = rf"d\.t .*l\.000001@\d+ QUERY_EVENT: {statement[:12]}.*SOURCE_LOG_FILE="
    with pytest.warns(BinlogWarning, match=text):
        found = read_batches(path, table="d.t", columns="col_1", ddl=ddl)
    assert found.to_table()["col_1"].to_pylist() == [1, 2]


def test_a_statement_in_another_log_is_in_the_way(tmp_path: Path) -> None:
    logs = [write_log(tmp_path / "l.000001", 1), write_log(tmp_path / "l.000002", WIDENED, 2)]
    ddl = write_ddl(tmp_path, FIRST)
    assert kinds(logs[:1], ddl) == ["a"]
    with pytest.warns(BinlogWarning, match=r"l\.000001@\d+ .* l\.000002@\d+ .*may be from before"):
        table = read_batches(logs, table="d.t", columns="col_1", ddl=ddl).to_table()
    assert table["col_1"].to_pylist() == [1, 2]


def test_what_the_logs_define_needs_no_file(tmp_path: Path) -> None:
    log = write_log(tmp_path / "l.000001", FIRST.replace("'a'", "'x'"), 1, REVERSED, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kinds(log, write_ddl(tmp_path, FIRST)) == ["x", "b"]


@pytest.mark.parametrize(
    ("before", "after", "file", "expected"),
    [
        ([], [1, WIDENED, 3], FIRST, ["a", "c"]),
        ([], [1, "ALTER TABLE d.t CHANGE kind kind ENUM('x', 'a')", 1], FIRST, ["a", "x"]),
        ([], [1, "DROP TABLE t", FIRST.replace("'a'", "'x'"), 1], FIRST, ["a", "x"]),
        # As online schema changes do.
        (
            [],
            [
                *(1, "CREATE TABLE _t_new LIKE t", WIDENED.replace("t MOD", "_t_new MOD")),
                *("RENAME TABLE t TO _t_old, _t_new TO t", 3),
            ],
            FIRST,
            ["a", "c"],
        ),
        # The file has what the statements before have done.
        ([WIDENED, 3], [3, REVERSED, 1], FIRST.replace("'b'", "'b', 'c'"), ["c", "c", "b"]),
        ([ADDED, 1], [2], FIRST, ["a", "b"]),
        (["ALTER TABLE t something odd", 2], [1], FIRST, ["b", "a"]),
        ([-1], [ADDED, 2], SHORT, ["a", "b"]),
    ],
)
def test_a_file_with_a_position_is_exact(
    tmp_path: Path, before: list[Part], after: list[Part], file: str, expected: list[str]
) -> None:
    path = tmp_path / "l.000001"
    place = path.name, end_of(path, *before)
    write_log(path, *before, *after)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kinds(path, write_ddl(tmp_path, file, place)) == expected


def test_a_statement_may_spell_the_table_of_the_file_in_capitals(tmp_path: Path) -> None:
    path = tmp_path / "l.000001"
    ddl = write_ddl(tmp_path, FIRST, (path.name, end_of(path)))
    write_log(path, 1, "ALTER TABLE d.T CHANGE kind kind ENUM('x', 'a')", 1)
    with pytest.warns(BinlogWarning, match=r"ALTER TABLE d\.T .* taken as the same table"):
        assert kinds(path, ddl) == ["a", "x"]


def test_rows_before_a_statement_that_the_file_has_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "l.000001"
    ddl = write_ddl(tmp_path, SHORT, (path.name, end_of(path, -1, WIDENED, -2)))
    write_log(path, -1, WIDENED, -2)
    with pytest.warns(BinlogWarning, match=r"ALTER TABLE t MODIFY.* of a later position") as caught:
        found = list(read_batches(path, tables="d.t", ddl=ddl, metadata_columns="_row_number"))
    assert len(caught) == 1
    assert sum(batch.num_rows for batch in found) == 2


@pytest.mark.parametrize("position", [True, False])
def test_tasks_know_of_the_file_and_of_statements_in_other_logs(
    tmp_path: Path, position: bool
) -> None:
    first = write_log(tmp_path / "l.000001", *[-1] * 700, *([ADDED] * position), *[3] * 700)
    second = write_log(tmp_path / "l.000002", *[3] * 700)
    text = SHORT.replace("'b'", "'b', 'c'")
    ddl = write_ddl(tmp_path, text, ("l.000001", 4) if position else None)
    options = BinlogOptions.from_python(
        {"tables": "d.t", "ddl": ddl, "max_partition_bytes": 1 << 16}
    )
    logs = find_log_files([first, second], options)
    request = plan_read(logs, options)
    splits = plan_splits([(log, None) for log in logs], request)
    assert len(splits) > 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batches = [batch for split in splits for batch in read_split(split, request)]
    found = [json.loads(row["row"]) for batch in batches for row in batch.to_pylist()]
    assert [next(iter(row)) for row in found[:700]] == ["id"] * 700
    names = ["id", "kind", "size"] if position else NO_NAMES
    assert [list(row) for row in found[700:]] == [names] * 1400


def test_a_stream_follows_the_file_from_where_it_starts(tmp_path: Path) -> None:
    """Statements after the query has started are later than the file, whatever they say."""
    same = "ALTER TABLE t MODIFY kind ENUM('a', 'b')"
    start = end_of(tmp_path / "l.000001", WIDENED)
    path = write_log(tmp_path / "l.000001", WIDENED, 1, 2)
    options = BinlogOptions.from_python({"tables": "d.t", "ddl": write_ddl(tmp_path, FIRST)})
    request = plan_read(find_log_files(path, options), options)
    timeline = StreamTimeline(request)
    writer_end = path.stat().st_size

    def batch(start: int, stop: int) -> list[str]:
        [log] = find_log_files(path, options)
        splits = timeline.splits([(log, OffsetRange(start, stop))])
        found = [row for split in splits for row in read_split(split, request)]
        rows = [row for batch in found for row in batch.to_pylist()]
        return [json.loads(row["row"])["kind"] for row in rows]

    # A log may end in an event that is not complete yet.
    path.write_bytes(path.read_bytes() + b"\0\0\0\0\2\1")
    assert batch(start, writer_end) == ["a", "b"]
    write_log(path, WIDENED, 1, 2, 1, same, 2, REVERSED, 1)
    end = path.stat().st_size
    assert batch(writer_end, end) == ["a", "b", "b"]
    assert batch(writer_end, end) == ["a", "b", "b"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert batch(start, writer_end) == ["a", "b"]


def test_a_read_from_the_position_of_its_file_reads_nothing_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that reads round after round would survey all logs of the server each time."""
    before = ("CREATE TABLE t (a INT, b ENUM('z'), c INT)", 1, FIRST, 2)
    write_log(tmp_path / "binlog.000001", *before)
    start = end_of(tmp_path / "binlog.000002", *before)
    write_log(tmp_path / "binlog.000002", *before, 1, WIDENED, 3)
    ddl = write_ddl(tmp_path, FIRST, ("binlog.000002", start))
    surveyed = []
    survey = Surveyor.__call__

    def noted(self: Surveyor, log_file: LogFile, start: int = 0, *rest: Any) -> Any:
        surveyed.append((log_file.name, start))
        return survey(self, log_file, start, *rest)

    monkeypatch.setattr(Surveyor, "__call__", noted)
    logs = [str(tmp_path / f"binlog.00000{number}") for number in (1, 2)]
    rows = objects(logs, ddl, starting_position=f"binlog.000002:{start}")
    assert [row["kind"] for row in rows] == ["a", "c"]
    assert set(surveyed) == {("binlog.000002", start)}
    surveyed.clear()
    assert objects(logs, ddl)[-1]["kind"] == "c"  # from the beginning all of it is needed
    assert ("binlog.000001", 0) in surveyed


def test_a_file_for_any_database_does_not_hide_what_was_before_its_position(tmp_path: Path) -> None:
    """As mysqldump writes a single table: without USE."""
    write_log(tmp_path / "binlog.000001", FIRST, 1)
    start = end_of(tmp_path / "binlog.000001", FIRST, 1)
    write_log(tmp_path / "binlog.000001", FIRST, 1, WIDENED, 3, REVERSED, 1)
    ddl = Path(write_ddl(tmp_path, FIRST, ("binlog.000001", start)))
    ddl.write_text(ddl.read_text().replace("USE d;\n", ""))
    log = str(tmp_path / "binlog.000001")
    rows = objects(log, str(ddl), starting_position=f"binlog.000001:{start}")
    assert [row["kind"] for row in rows] == ["c", "b"]
