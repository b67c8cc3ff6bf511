"""Statements that change tables as rows: option schemaChanges, in logs made by hand."""

import json
import struct
import warnings
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning, read_batches, read_schema
from pyspark_adapter.errors import EventSite, OptionError, StatementEventError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.splits.read_split import plan_read
from pyspark_adapter.timeline.removals import Removals
from tests.inputs import SAMPLES, sample_path
from tests.support.ddl_logs import write_log
from tests.support.log_writer import LoggedColumn, LogWriter
from tests.support.splits import SplitLog

DROP_PARTITION = "ALTER TABLE t DROP PARTITION p"


def read(path: Path, **options: Any) -> list[dict[str, Any]]:
    batches = read_batches(path, schema_changes=True, **options)
    return [row for batch in batches for row in batch.to_pylist()]


def shown(row: dict[str, Any]) -> str:
    """Return a row as `drop t`, or its id."""
    if row["_statement"] is None:
        return str(json.loads(row["row"])["id"])
    assert row["row"] is None
    name = row["_table_name"] if row["_database_name"] == "d" else "of another database"
    return f"{row['_change_type']} {name}"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("CREATE TABLE a (i INT)", "create a"),
        ("CREATE TABLE a LIKE b", "create a"),
        ("CREATE TABLE a SELECT 1", "create a"),
        ("CREATE OR REPLACE TABLE a (i INT)", "drop a, create a"),
        ("CREATE OR REPLACE TABLE a (something that is not known)", "drop a, create a"),
        ("CREATE TABLE a (something that is not known)", "create a"),
        ("CREATE TABLE x.a (i INT)", "create of another database"),
        ("CREATE TABLE IF NOT EXISTS a (i INT)", ""),  # MySQL 8.0: did nothing
        ("CREATE TABLE IF NOT EXISTS a (something that is not known)", ""),
        ("CREATE TEMPORARY TABLE a (i INT)", ""),
        ("CREATE DATABASE e", ""),
        ("CREATE VIEW a AS SELECT 1", ""),
        ("ALTER TABLE a ADD c INT", "alter a"),
        ("ALTER TABLE a something that is not known", "alter a"),
        ("ALTER TABLE a TRUNCATE PARTITION p", "alter a"),
        ("ALTER TABLE a EXCHANGE PARTITION p WITH TABLE b", "alter a, alter b"),
        ("CREATE UNIQUE INDEX i ON a (c)", "alter a"),
        ("DROP INDEX i ON a", "alter a"),
        ("ALTER TABLE a RENAME TO b", "rename a"),
        ("ALTER TABLE a ADD c INT, RENAME b", "rename a"),
        ("ALTER TABLE a RENAME COLUMN b TO c", "alter a"),
        ("RENAME TABLE a TO b, c TO d", "rename a, rename c"),
        ("ALTER DATABASE d CHARACTER SET latin1", ""),
        ("DROP TABLE a", "drop a"),
        ("DROP TABLE IF EXISTS a, x.b", "drop a, drop of another database"),
        ("DROP TEMPORARY TABLE a", ""),
        ("DROP VIEW a", ""),
        ("TRUNCATE a", "truncate a"),
        ("/* why */ TRUNCATE TABLE `a`", "truncate a"),
        ("INSERT INTO a VALUES (1)", ""),
        ("GRANT ALTER ON a TO b", ""),
    ],
)
def test_statements_are_rows(tmp_path: Path, statement: str, expected: str) -> None:
    path = write_log(tmp_path / "l.000001", 1, statement, 2)
    found = read(path, on_statement_events="ignore")
    assert [shown(row) for row in found] == ["1", *filter(None, expected.split(", ")), "2"]
    assert {row["_statement"] for row in found[1:-1]} <= {statement}
    order = [(row["_commit_version"], row["_row_number"]) for row in found]
    assert sorted(order) == order
    assert len(set(order)) == (3 if expected else 2)


def test_a_dropped_database_drops_the_tables_that_are_known(tmp_path: Path) -> None:
    known = ["CREATE DATABASE d", "CREATE TABLE a (i INT)", "CREATE TABLE x.b (i INT)"]
    path = write_log(
        tmp_path / "l.000001", *known, "CREATE TABLE t (id INT, v INT)", "DROP DATABASE d"
    )
    assert [shown(row) for row in read(path)][3:] == ["drop a", "drop t"]
    [*_, last] = read(path, table="d.elsewhere", schema=read_schema(path, table=None))[-1:]
    assert last["_change_type"] == "drop"


def test_a_database_may_be_dropped_in_capitals(tmp_path: Path) -> None:
    """A server with lower_case_table_names=1 logs the default database in lower case."""
    made = ["CREATE TABLE a (i INT)", "CREATE TABLE D.b (i INT)", "CREATE TABLE e.c (i INT)"]
    path = write_log(tmp_path / "l.000001", *made, "DROP DATABASE D", "DROP DATABASE E")
    rows = read(path)[3:]
    assert {(row["_database_name"], row["_table_name"]) for row in rows} == {("d", "a"), ("D", "b")}
    assert {row["_change_type"] for row in rows} == {"drop"}


def test_a_statement_that_failed_is_no_change(tmp_path: Path) -> None:
    writer = LogWriter()
    for number, statement in ((1050, "CREATE TABLE a (i INT)"), (1051, "DROP TABLE a, b")):
        writer.event(2, struct.pack("<IIBHH", 7, 0, 1, number, 0) + b"d\0" + statement.encode())
    path = tmp_path / "l.000001"
    path.write_bytes(writer.data)
    # The other tables of a DROP TABLE are gone.
    assert [shown(row) for row in read(path)] == ["drop a", "drop b"]


def write_alter(path: Path, session: str) -> Path:
    """Write a log with an ALTER TABLE."""
    variables = bytes.fromhex(session)
    writer = LogWriter()
    header = struct.pack("<IIBHH", 7, 0, 1, 0, len(variables))
    writer.event(2, header + variables + b"d\0ALTER TABLE a ADD c INT")
    path.write_bytes(writer.data)
    return path


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ("82 02", ""),  # START ALTER of MariaDB
        ("82 04 0100000000000000", "alter a"),  # COMMIT ALTER
        ("82 08 0100000000000000", ""),  # ROLLBACK ALTER
    ],
)
def test_an_alter_in_two_phases_is_one_change(tmp_path: Path, session: str, expected: str) -> None:
    assert ", ".join(map(shown, read(write_alter(tmp_path / "l.000001", session)))) == expected


def test_a_statement_without_a_known_table_is_reported(tmp_path: Path) -> None:
    message = r"l\.000001@\d+ QUERY_EVENT: what this statement does .* not known, .*: {}"
    path = write_log(tmp_path / "l.000001", "ALTER TABLE 'a b' ADD c INT")
    with pytest.warns(BinlogWarning, match=message.format("ALTER TABLE 'a b'")):
        assert read(path) == []
    # The count of databases is there, their names are not.
    path = write_alter(tmp_path / "l.000001", "0c 03 61 00")
    with pytest.warns(BinlogWarning, match=message.format("ALTER TABLE a ADD")):
        assert read(path) == []


TYPED = (
    1,
    "ALTER TABLE other ADD c INT",
    "ALTER TABLE t ADD KEY (v)",
    2,
    "RENAME TABLE t TO s, r TO t",
    "TRUNCATE T",
    3,
    "DROP DATABASE other",
    "DROP DATABASE d",
)


def typed(path: Path, **options: Any) -> list[Any]:
    return [row["id"] or row["_change_type"] for row in read(path, table="d.t", **options)]


def test_a_table_has_its_own_changes(tmp_path: Path) -> None:
    path = write_log(tmp_path / "l.000001", *TYPED)
    assert typed(path) == [1, "alter", 2, "rename", "rename", "truncate", 3, "drop"]
    columns = ["_change_type", "_commit_version", "_row_number", "_commit_timestamp", "_gtid"]
    rows = read(path, table="d.t")
    assert list(rows[0]) == [*columns, "_statement", "id", "v"]
    assert [row["v"] for row in rows if row["_statement"]] == [None] * 5


def test_statements_of_former_names_count_with_follow_renames(tmp_path: Path) -> None:
    parts = ("ALTER TABLE t ADD KEY (v)", 1, "RENAME TABLE t TO s", "ALTER TABLE t ADD KEY (v)")
    path = write_log(tmp_path / "l.000001", *parts, "TRUNCATE s")
    found = [
        row["id"] or row["_change_type"] for row in read(path, table="d.s", follow_renames=True)
    ]
    assert found == ["alter", 1, "rename", "truncate"]


def test_a_chain_of_renames_is_given_whole_with_follow_renames(tmp_path: Path) -> None:
    """Also if statements spell the names in capitals: lower_case_table_names=1."""
    parts = (
        "RENAME TABLE t TO Q",
        "TRUNCATE q",
        "ALTER TABLE Q RENAME TO S",
        "TRUNCATE q",
        "TRUNCATE s",
    )
    path = write_log(tmp_path / "l.000001", 1, *parts)
    options: dict[str, Any] = {"table": "d.s", "follow_renames": True}
    assert [row["_statement"] for row in read(path, **options)] == [None, *parts[:3], parts[-1]]


def test_filters_apply_to_statements(tmp_path: Path) -> None:
    path = write_log(tmp_path / "l.000001", *TYPED)
    assert typed(path, change_types="truncate,drop") == ["truncate", "drop"]
    assert typed(path, change_types="insert") == [1, 2, 3]
    assert typed(path, starting_timestamp="2100-01-01") == []
    assert typed(path, server_ids="2") == []
    start = read(path, table="d.t")[3]["_commit_version"] & (1 << 40) - 1
    where = f"l.000001:{start}"
    assert typed(path, starting_position=where) == [*("rename", "rename", "truncate", 3, "drop")]
    assert typed(path, ending_position=where) == [1, "alter", 2]
    # Either name of a RENAME is enough.
    assert [shown(row) for row in read(path, tables="d.s", change_types="rename")] == ["rename t"]
    assert read(path, exclude_gtids="0-1-1") != []


def test_splits_give_each_once(tmp_path: Path) -> None:
    log: list[str | int] = [
        "CREATE TABLE t (id INT, v INT)",
        *TYPED,
        4,
        "CREATE TABLE z (i INT)",
        5,
    ]
    path = write_log(tmp_path / "l.000001", *log, "DROP DATABASE d")
    for options in ({"table": "d.t"}, {}):
        read_log = SplitLog(path, schema_changes=True, **options)
        whole = read_log.whole()
        assert not whole.errors
        assert sum("'drop'" in row for row in whole.rows) == 2
        for num_bytes in (1, 200, 500):
            splits = read_log.splits(num_bytes)
            assert len(splits) > 1
            assert read_log.read(splits) == whole


@pytest.mark.parametrize("name", ["mysql-9.7-alter", "mariadb-11.8-own-types", "mysql-9.7-types"])
def test_windows_leave_the_rows_alone(name: str) -> None:
    columns = (
        "_change_type,_commit_version,_row_number,_commit_timestamp,_gtid,_log_file,_start_pos,"
        "_database_name,_table_name,_server_id,_event_timestamp,_thread_id,_transaction_bytes,"
        "_statement"
    )
    options: dict[str, Any] = {"metadata_columns": columns}
    expected = read(sample_path(name), **options)
    assert read(sample_path(name), window_bytes=1024, **options) == expected
    assert {row["_change_type"] for row in expected} >= {"create", "insert"}
    assert SAMPLES[name]["server"]


def test_a_truncate_that_is_shown_needs_no_warning(tmp_path: Path) -> None:
    path = write_log(tmp_path / "l.000001", 1, "TRUNCATE t", 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert typed(path, on_statement_events="error") == [1, "truncate", 2]
    with pytest.warns(BinlogWarning, match="TRUNCATE t"):
        list(read_batches(path, table="d.t"))
    path = write_log(tmp_path / "l.000002", 1, DROP_PARTITION)
    with pytest.raises(StatementEventError, match="DROP PARTITION"):
        read(path, on_statement_events="error")


@pytest.mark.parametrize("options", [{"tables": "d.t"}, {"databases": "d"}, {"table": "d.t"}])
def test_a_statement_may_spell_a_name_in_capitals(tmp_path: Path, options: dict[str, Any]) -> None:
    """A server with lower_case_table_names=1 names the table of rows in lower case."""
    path = write_log(tmp_path / "l.000001", 1, "TRUNCATE TABLE D.T", 2)
    kinds = [row["_change_type"] for row in read(path, **options)]
    assert kinds == ["insert", "truncate", "insert"]
    with pytest.raises(StatementEventError, match=r"rows of D\.T"):
        list(read_batches(path, on_statement_events="error", **options))
    assert [shown(row) for row in read(path, tables="d.s")] == []


def test_types_of_statements_need_the_option(tmp_path: Path) -> None:
    path = write_log(tmp_path / "l.000001", 1)
    with pytest.raises(OptionError, match=r"option change_types: .* without option schema_changes"):
        read_batches(path, change_types="insert,drop")
    with pytest.raises(OptionError, match=r"option schema_changes: .* view events"):
        read_batches(path, view="events", schema_changes=True)


@pytest.mark.parametrize(
    ("statement", "removes"),
    [
        ("TRUNCATE t", True),
        ("TRUNCATE other", False),
        ("DROP TABLE IF EXISTS other, T", True),
        ("DROP DATABASE d", True),
        ("DROP DATABASE other", False),
        ("CREATE OR REPLACE TABLE t (i INT)", True),
        ("CREATE TABLE IF NOT EXISTS t (i INT)", False),
        ("ALTER TABLE t ADD KEY (v)", False),
        ("ALTER TABLE t DROP PARTITION p", True),
        ("ALTER TABLE other EXCHANGE PARTITION p WITH TABLE t", True),
        ("RENAME TABLE t TO s", True),
    ],
)
def test_a_read_knows_what_removed_rows(tmp_path: Path, statement: str, *, removes: bool) -> None:
    path = write_log(tmp_path / "l.000007", 1, statement, 2)

    def removals(**options: Any) -> Removals:
        read = BinlogOptions(table=TableName("d", "t"), **options)
        found = plan_read(find_log_files(path, read), read).removals
        assert found is not None
        return found

    found = removals()
    assert found.last == (statement if removes else "")
    assert (found.last_site is not None) == removes
    assert found.end == EventSite("l.000007", path.stat().st_size)
    (tmp_path / "a.000007").write_bytes(path.read_bytes() * 2)
    (tmp_path / "z.000007").write_bytes(path.read_bytes())
    read = BinlogOptions(table=TableName("d", "t"), ignore_corrupt_files=True)
    both = plan_read(find_log_files([tmp_path / "a.000007", tmp_path / "z.000007"], read), read)
    assert both.removals is not None
    assert both.removals.end == EventSite("a.000007", 2 * path.stat().st_size)
    if found.last_site is not None:
        # As of a place before it, no row is gone.
        where = LogPosition("l.000007", found.last_site.start_pos)
        assert removals(ending_position=where).last == ""
        assert removals(starting_position=where).last == statement
    assert removals(schema_at="first").end.start_pos < found.end.start_pos


def test_rows_of_a_former_name_may_have_been_removed(tmp_path: Path) -> None:
    parts = (1, "TRUNCATE T", 2, "RENAME TABLE t TO s", "TRUNCATE t")
    path = write_log(tmp_path / "l.000001", *parts)
    read = BinlogOptions(table=TableName("d", "s"), follow_renames=True)
    removals = plan_read(find_log_files(path, read), read).removals
    assert removals is not None
    assert removals.last == "TRUNCATE T"


def test_a_name_with_quotes_is_found_in_what_removed_rows(tmp_path: Path) -> None:
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "a`b", [LoggedColumn("id", 3)])
    writer.commit()
    writer.statement("TRUNCATE `a``b`")
    path = tmp_path / "l.000001"
    path.write_bytes(writer.data)
    read = BinlogOptions(table=TableName("d", "a`b"))
    removals = plan_read(find_log_files(path, read), read).removals
    assert removals is not None
    assert removals.last == "TRUNCATE `a``b`"
