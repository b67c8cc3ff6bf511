"""Histories of `replicate`: what is in them, once, and what a replay finds."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from pyspark_adapter.decode.group_rows import TableStatement
from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.changes import Changes, Part
from pyspark_adapter.replication.copied_types import GEOMETRY, TYPES
from pyspark_adapter.replication.delta_tables import DeltaTables, write_rows
from pyspark_adapter.replication.history import FACTS, History
from pyspark_adapter.replication.lake import claim
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.sources.delta_storage import open_delta
from pyspark_adapter.sources.locations import Location
from tests.exactly_once.replica_history import replay

COLUMNS: Final = pa.schema([("id", pa.int32()), ("c", pa.string())])
TABLE: Final = TableName("shop", "t")
Change = tuple[str, int, int, str]  # kind, commit version, key, value


def _part(run: list[Change]) -> Part:
    """Return the part with some changes."""
    facts = ("_change_type", "_commit_version", "id", "c")
    schema = pa.schema([*FACTS, *COLUMNS], {KEY: b'["id"]'})
    rows = pa.RecordBatch.from_pylist(
        [
            dict(zip(facts, change, strict=True), _row_number=number)
            for number, change in enumerate(run)
        ],
        schema,
    )
    group = {"rows": rows.serialize().to_pybytes(), "num_rows": len(run)}
    return Part(schema, [{**group, "last_commit_version": run[-1][1]}])


def _changes(changes: list[Change], *, truncate: int | None = None) -> Changes:
    """Return changes of a table; those before a TRUNCATE are a part."""
    cut = truncate or 1 << 60
    runs = [[c for c in changes if c[1] < cut], [c for c in changes if c[1] > cut]]
    statements = [TableStatement("truncate", "TRUNCATE t", truncate)] if truncate else []
    return Changes(TABLE, [_part(run) for run in runs if run], statements)


class Lake:
    """A copied table of two rows, as of version 10, and its history, which begins with the copy."""

    def __init__(self, folder: Path) -> None:
        self.place = Location.parse(folder / "shop" / "t")
        self.history = History(Location.parse(folder))
        self.folder = folder / "shop.history"
        self.copy(pa.table({"id": [1, 2], "c": ["a", "b"]}, COLUMNS), 10)

    def copy(self, rows: pa.Table, version: int, *, begins: bool = True) -> None:
        """Copy the table."""
        claim(self.place)
        write_rows(self.place, open_delta(self.place), rows.to_reader(), "overwrite", version)
        if begins:
            self.history.begin(TABLE, self.delta, version)

    @property
    def delta(self) -> DeltaTable:
        """The copy."""
        return DeltaTable(self.place.path)

    def add(self, changes: Changes) -> None:
        """Add changes to the history."""
        self.history.add(self.delta, changes, pa.schema(self.delta.schema()), set())


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path)


def _rows(path: Path) -> list[tuple[Any, ...]]:
    names = ("_commit_version", "_change_type", "id", "c")
    rows = (
        DeltaTable(path)
        .to_pyarrow_table()
        .sort_by([("_commit_version", "ascending"), ("_row_number", "ascending")])
    )
    return [tuple(row[name] for name in names) for row in rows.to_pylist()]


BEGIN: Final = [(10, "copy", None, None), (10, "read", 1, "a"), (10, "read", 2, "b")]


def test_a_change_that_comes_again_is_there_once(lake: Lake) -> None:
    first: list[Change] = [("insert", 9, 2, "b"), ("insert", 11, 3, "c")]
    lake.add(_changes(first))
    lake.add(_changes(first))
    lake.add(_changes([*first, ("delete", 12, 3, "c")]))
    path = lake.folder / "t"
    assert _rows(path) == [*BEGIN, (11, "insert", 3, "c"), (12, "delete", 3, "c")]
    replayed = replay(path, ["id"])
    assert [(row["id"], row["c"]) for row in replayed.rows] == [(1, "a"), (2, "b")]
    assert replayed.num_fitting == 1


def test_changes_after_a_statement_are_in_the_copy(lake: Lake) -> None:
    changes = _changes([("insert", 11, 3, "c"), ("insert", 13, 4, "d")], truncate=12)
    for _ in range(2):
        lake.add(changes)
    lake.copy(pa.table({"id": [4], "c": ["d"]}, COLUMNS), 14)
    assert _rows(lake.folder / "t") == [
        *BEGIN,
        (11, "insert", 3, "c"),
        (12, "truncate", None, None),
        (14, "copy", None, None),
        (14, "read", 4, "d"),
    ]
    assert [row["id"] for row in replay(lake.folder / "t", ["id"]).rows] == [4]


def test_a_column_of_another_type_begins_another_history(lake: Lake) -> None:
    wider = pa.schema([("id", pa.int64()), ("c", pa.string())])
    lake.copy(pa.table({"id": [1], "c": ["a"]}, wider), 20)
    assert _rows(lake.folder / "t") == BEGIN
    assert _rows(lake.folder / "t.2") == [(20, "copy", None, None), (20, "read", 1, "a")]
    # Also for a program that begins again.
    assert History(Location.parse(lake.folder.parent)).folder_of(TABLE).name == "t.2"


def test_a_copy_with_the_same_nested_types_goes_on(tmp_path: Path) -> None:
    kinds = pa.schema([("g", GEOMETRY), ("v", pa.list_(pa.float32())), ("t", TYPES["timestamp"])])
    row = {"g": {"srid": 0, "wkb": b"1"}, "v": [1.5], "t": 0}
    lake = Lake(tmp_path / "other")
    lake.history = History(Location.parse(tmp_path))
    lake.folder = tmp_path / "shop.history"
    for version in (20, 30):
        lake.copy(pa.Table.from_pylist([row], kinds), version)
    assert {path.name for path in lake.folder.iterdir()} == {"t", "_mysql_binlog"}
    [found] = replay(lake.folder / "t", ["t"]).rows
    assert (found["g"], found["v"]) == (row["g"], row["v"])


def test_logs_that_begin_again_begin_another_history(lake: Lake) -> None:
    lake.history.begin(TABLE, lake.delta, 5)
    assert _rows(lake.folder / "t") == BEGIN
    assert _rows(lake.folder / "t.2") == [(5, *row[1:]) for row in BEGIN]


def test_a_copy_that_comes_again_is_there_once(lake: Lake) -> None:
    lake.history.begin(TABLE, lake.delta, 10)
    assert _rows(lake.folder / "t") == BEGIN


@pytest.mark.parametrize(
    "wrong",
    [
        [("insert", 11, 3, "c"), ("delete", 12, 3, "x")],  # an update is lost
        [("insert", 11, 3, "c"), ("insert", 12, 3, "c")],
        [("delete", 11, 1, "a"), ("delete", 12, 1, "a")],
    ],
)
def test_a_replay_finds_what_is_lost(wrong: list[Change], lake: Lake) -> None:
    lake.add(_changes(wrong))
    with pytest.raises(AssertionError):
        replay(lake.folder / "t", ["id"])


def test_a_replay_finds_what_is_there_twice(lake: Lake) -> None:
    rows = _part([("insert", 11, 3, "c")]).rows
    place = Location.parse(lake.folder / "t")
    for version in (11, 12):
        write_rows(place, open_delta(place), rows.to_reader(), "append", version)
    with pytest.raises(AssertionError):
        replay(lake.folder / "t", ["id"])


def _replica(lake: Lake, left_out: set[str]) -> Replica:
    replica = Replica.__new__(Replica)
    replica.history, replica._lake, replica._opened = lake.history, lake.place.parent.parent, {}
    replica._tables = DeltaTables()
    server: Any = SimpleNamespace(left_out=lambda _table: left_out)
    replica.server = server
    return replica


def test_a_table_with_a_column_that_is_left_out_today_is_copied_again(lake: Lake) -> None:
    """It was copied with that column, which the log does not always hold."""
    assert not _replica(lake, {"c"}).merge(_changes([("insert", 11, 3, "c")]))
    assert _rows(lake.folder / "t") == BEGIN


def test_a_table_that_was_altered_during_its_copy_is_copied_again(lake: Lake) -> None:
    """Its definition is that of its copy, and the log is read from before the statement."""
    changes = _changes([("insert", 11, 3, "c")])
    altered = Changes(TABLE, changes.parts, [TableStatement("alter", "ALTER TABLE t", 10)])
    assert not _replica(lake, set()).merge(altered)
    assert _rows(lake.folder / "t") == BEGIN


def test_each_key_ends_as_its_last_change_left_it(lake: Lake) -> None:
    changes: list[Change] = [
        ("insert", 11, 3, "c"),
        ("update_preimage", 12, 1, "a"),
        ("update_postimage", 12, 4, "a"),  # another key
        ("delete", 13, 2, "b"),
        ("insert", 14, 2, "again"),
        ("insert", 15, 5, "e"),
        ("delete", 16, 5, "e"),
    ]
    replica = _replica(lake, set())
    for _ in range(2):  # a round that comes again changes nothing
        assert replica.merge(_changes(changes))
    found = lake.delta.to_pyarrow_table().sort_by("id").to_pylist()
    assert [(row["id"], row["c"]) for row in found] == [(2, "again"), (3, "c"), (4, "a")]
    assert len(lake.delta.history()) == 2
    nothing = Changes(TABLE, [], [])
    assert replica.merge(nothing)
