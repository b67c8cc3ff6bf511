"""Histories of `examples/replicate/`: what is in them, once, and what a replay finds."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pyarrow as pa
import pytest
import replicate
from deltalake import DeltaTable
from history import FACTS, History, write
from server_tables import GEOMETRY, TYPES

from tests.exactly_once.local_replica import Frame
from tests.exactly_once.replica_history import replay

COLUMNS: Final = pa.schema([("id", pa.int32()), ("c", pa.string())])
Change = tuple[str, int, int, str]  # kind, commit version, key, value


def _changes(changes: list[Change], *, truncate: int | None = None) -> Any:
    """Return changes of a table; those before a TRUNCATE are a part."""
    cut = truncate or 1 << 60
    runs = [[c for c in changes if c[1] < cut], [c for c in changes if c[1] > cut]]
    parts = [
        SimpleNamespace(
            columns=COLUMNS.names,
            last_commit_version=run[-1][1],
            rows=Frame(
                pa.Table.from_pylist(
                    [
                        {"_change_type": kind, "_commit_version": version, "_row_number": number}
                        | {"id": key, "c": value}
                        for number, (kind, version, key, value) in enumerate(run)
                    ],
                    pa.schema([*FACTS, *COLUMNS]),
                )
            ),
        )
        for run in runs
        if run
    ]
    statement = SimpleNamespace(kind="truncate", text="TRUNCATE t", commit_version=truncate)
    return SimpleNamespace(parts=parts, statements=[statement] if truncate else [])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a copied table of two rows, as of version 10."""
    copied = pa.table({"id": [1, 2], "c": ["a", "b"]}, COLUMNS)
    write(tmp_path / "lake" / "t", copied.to_reader(), "overwrite", 10)
    return tmp_path / "lake" / "t"


@pytest.fixture
def history(table: Path, tmp_path: Path) -> History:
    """Return the history, which begins with the copy."""
    history = History(tmp_path / "history")
    history.begin(table, 10)
    return history


def _rows(path: Path) -> list[tuple[Any, ...]]:
    names = ("_commit_version", "_change_type", "id", "c")
    rows = (
        DeltaTable(path)
        .to_pyarrow_table()
        .sort_by([("_commit_version", "ascending"), ("_row_number", "ascending")])
    )
    return [tuple(row[name] for name in names) for row in rows.to_pylist()]


BEGIN: Final = [(10, "copy", None, None), (10, "read", 1, "a"), (10, "read", 2, "b")]


def test_a_change_that_comes_again_is_there_once(history: History, table: Path) -> None:
    first: list[Change] = [("insert", 9, 2, "b"), ("insert", 11, 3, "c")]
    history.add(table, _changes(first), set())
    history.add(table, _changes(first), set())
    history.add(table, _changes([*first, ("delete", 12, 3, "c")]), set())
    path = history.folder / "t"
    assert _rows(path) == [*BEGIN, (11, "insert", 3, "c"), (12, "delete", 3, "c")]
    replayed = replay(path, ["id"])
    assert [(row["id"], row["c"]) for row in replayed.rows] == [(1, "a"), (2, "b")]
    assert replayed.num_fitting == 1


def test_changes_after_a_statement_are_in_the_copy(history: History, table: Path) -> None:
    changes = _changes([("insert", 11, 3, "c"), ("insert", 13, 4, "d")], truncate=12)
    for _ in range(2):
        history.add(table, changes, set())
    write(table, pa.table({"id": [4], "c": ["d"]}, COLUMNS).to_reader(), "overwrite", 14)
    history.begin(table, 14)
    assert _rows(history.folder / "t") == [
        *BEGIN,
        (11, "insert", 3, "c"),
        (12, "truncate", None, None),
        (14, "copy", None, None),
        (14, "read", 4, "d"),
    ]
    assert [row["id"] for row in replay(history.folder / "t", ["id"]).rows] == [4]


def test_a_column_of_another_type_begins_another_history(history: History, table: Path) -> None:
    wider = pa.schema([("id", pa.int64()), ("c", pa.string())])
    write(table, pa.table({"id": [1], "c": ["a"]}, wider).to_reader(), "overwrite", 20)
    history.begin(table, 20)
    assert _rows(*history.folder.glob("t.*")) == BEGIN
    assert _rows(history.folder / "t") == [(20, "copy", None, None), (20, "read", 1, "a")]


def test_a_copy_with_the_same_nested_types_goes_on(tmp_path: Path) -> None:
    kinds = pa.schema([("g", GEOMETRY), ("v", pa.list_(pa.float32())), ("t", TYPES["timestamp"])])
    history = History(tmp_path / "history")
    row = {"g": {"srid": 0, "wkb": b"1"}, "v": [1.5], "t": 0}
    for version in (10, 20):
        rows = pa.Table.from_pylist([row], kinds)
        write(tmp_path / "t", rows.to_reader(), "overwrite", version)
        history.begin(tmp_path / "t", version)
    assert [path.name for path in history.folder.iterdir()] == ["t"]
    [found] = replay(history.folder / "t", ["t"]).rows
    assert (found["g"], found["v"]) == (row["g"], row["v"])


def test_logs_that_begin_again_begin_another_history(history: History, table: Path) -> None:
    history.begin(table, 5)
    assert _rows(*history.folder.glob("t.*")) == BEGIN
    assert _rows(history.folder / "t") == [(5, *row[1:]) for row in BEGIN]


def test_a_copy_that_comes_again_is_there_once(history: History, table: Path) -> None:
    history.begin(table, 10)
    assert _rows(history.folder / "t") == BEGIN


@pytest.mark.parametrize(
    "wrong",
    [
        [("insert", 11, 3, "c"), ("delete", 12, 3, "x")],  # an update is lost
        [("insert", 11, 3, "c"), ("insert", 12, 3, "c")],
        [("delete", 11, 1, "a"), ("delete", 12, 1, "a")],
    ],
)
def test_a_replay_finds_what_is_lost(wrong: list[Change], history: History, table: Path) -> None:
    history.add(table, _changes(wrong), set())
    with pytest.raises(AssertionError):
        replay(history.folder / "t", ["id"])


def test_a_replay_finds_what_is_there_twice(history: History) -> None:
    rows = _changes([("insert", 11, 3, "c")]).parts[0].rows.table
    for _ in range(2):
        write(history.folder / "t", rows.to_reader(), "append", 11)
    with pytest.raises(AssertionError):
        replay(history.folder / "t", ["id"])


def test_a_table_with_a_column_that_is_left_out_today_is_copied_again(
    history: History, table: Path
) -> None:
    """It was copied with that column, which the log does not always hold."""
    replica = replicate.Replica.__new__(replicate.Replica)
    replica.folder, replica.history = table.parent, history
    server: Any = SimpleNamespace(left_out=lambda _table: {"c"})
    replica.server = server
    changes = _changes([("insert", 11, 3, "c")])
    changes.table, changes.key = SimpleNamespace(table_name="t"), ("id",)
    assert not replica.merge(changes)
    assert _rows(history.folder / "t") == BEGIN


def test_a_table_that_was_altered_during_its_copy_is_copied_again(
    history: History, table: Path
) -> None:
    """Its definition is that of its copy, and the log is read from before the statement."""
    replica = replicate.Replica.__new__(replicate.Replica)
    replica.folder, replica.history = table.parent, history
    server: Any = SimpleNamespace(left_out=lambda _table: set())
    replica.server = server
    changes = _changes([("insert", 11, 3, "c")])
    changes.table, changes.key = SimpleNamespace(table_name="t"), ()
    changes.statements = [SimpleNamespace(kind="alter", text="ALTER TABLE t", commit_version=10)]
    assert not replica.merge(changes)
    assert _rows(history.folder / "t") == BEGIN
