"""Rows of a table from before it was renamed, in a log of a real server and in logs by hand."""

import struct
from pathlib import Path

import pytest

from pyspark_adapter import read_batches
from tests.inputs import sample_path
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

ALTER = "mysql-9.7-alter"
COLUMNS = [LoggedColumn("id", 3)]


def write(path: Path, *parts: str | tuple[str, int], has_metadata: bool = True) -> str:
    """Write a log of statements, and of rows given by table and number."""
    writer = LogWriter(has_metadata=has_metadata)
    for part in parts:
        if isinstance(part, str):
            writer.statement(part)
        else:
            writer.begin()
            writer.table_map(9, part[0], COLUMNS)
            writer.rows(9, Rows(WRITE_V2, [[struct.pack("<i", part[1])]], [True]))
            writer.commit()
    path.write_bytes(writer.data)
    return str(path)


def ids(paths: str | list[str], table: str = "d.t", column: str = "id") -> list[int]:
    batches = read_batches(paths, table=table, follow_renames=True)
    return [value for batch in batches for value in batch.column(column).to_pylist()]


def test_a_rename_ends_the_former_name_at_its_place(tmp_path: Path) -> None:
    log = write(
        tmp_path / "l",
        ("old", 1),
        ("other", 2),
        "RENAME TABLE old TO t",
        ("t", 3),
        ("old", 4),  # another table by now
    )
    assert ids(log) == [1, 3]


def test_a_rename_may_change_case_alone(tmp_path: Path) -> None:
    assert ids(write(tmp_path / "l", ("T", 1), "RENAME TABLE T TO t", ("t", 2), ("T", 3))) == [1, 2]


def test_names_are_followed_back_over_several_renames_and_logs(tmp_path: Path) -> None:
    logs = [
        write(tmp_path / "l.1", ("a", 1), "ALTER TABLE a RENAME TO b", ("b", 2), ("a", 3)),
        write(tmp_path / "l.2", ("b", 4), "RENAME TABLE x TO y, b TO t", ("t", 5), ("b", 6)),
        write(tmp_path / "l.3", ("b", 7), ("t", 8)),
    ]
    assert ids(logs) == [1, 2, 4, 5, 8]


def test_rows_of_the_name_itself_always_count(tmp_path: Path) -> None:
    """As when a tool has built a copy of a table and puts it in its place."""
    log = write(
        tmp_path / "l",
        ("t", 1),
        ("t_new", 2),
        "RENAME TABLE t TO t_old, t_new TO t",
        ("t", 3),
        ("t_old", 4),
        ("t_new", 5),
    )
    assert ids(log) == [1, 2, 3]


@pytest.mark.parametrize(
    "before",
    [
        ("RENAME TABLE old TO archive",),
        ("RENAME TABLE old TO archive, mine TO old",),
        ("RENAME TABLE old TO archive", "RENAME TABLE mine TO old"),
    ],
)
def test_a_former_name_may_have_been_that_of_another_table(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    logs = [
        write(tmp_path / "l.1", ("old", 1)),
        write(tmp_path / "l.2", ("old", 2), *before, ("old", 3), ("archive", 4)),
        write(tmp_path / "l.3", ("old", 5), "RENAME TABLE old TO t", ("t", 6), ("old", 7)),
    ]
    assert ids(logs) == [3, 5, 6]


def test_a_table_may_have_had_a_name_twice(tmp_path: Path) -> None:
    log = write(
        tmp_path / "l",
        ("a", 1),
        "RENAME TABLE a TO b",
        ("b", 2),
        "RENAME TABLE b TO a",
        ("a", 3),
        "RENAME TABLE a TO t",
        ("b", 4),
        ("t", 5),
    )
    assert ids(log) == [1, 2, 3, 5]


def test_statements_may_spell_names_in_capitals(tmp_path: Path) -> None:
    """A server with lower_case_table_names=1 names the tables of rows in lower case."""
    renames = "RENAME TABLE Older TO Old", "RENAME TABLE OLD TO T"
    log = write(tmp_path / "l", ("older", 1), renames[0], ("old", 2), renames[1], ("old", 3))
    assert ids([log, write(tmp_path / "l.2", ("t", 4))]) == [1, 2, 4]


def test_former_tables_have_their_own_definitions(tmp_path: Path) -> None:
    log = write(
        tmp_path / "l",
        "CREATE TABLE old (number INT)",
        ("old", 1),
        "RENAME TABLE old TO t",
        ("t", 2),
        has_metadata=False,
    )
    assert ids(log, column="number") == [1, 2]


@pytest.mark.parametrize("follows", [True, False])
def test_a_log_of_a_server(follows: bool) -> None:
    """The SQL is in samples/sql/evolution.sql."""
    batches = read_batches(
        sample_path(ALTER),
        table="alter97.persons",
        follow_renames=follows,
        metadata_columns=("_change_type", "_table_name"),
    )
    rows = [row for batch in batches for row in batch.to_pylist()]
    inserted = [row["id"] for row in rows if row["_change_type"] == "insert"]
    assert inserted == ([1, 2, 3, 4, 5, 6, 7, 8, 9] if follows else [9])
    assert {row["_table_name"] for row in rows} == {"persons"}
