"""Histories of `replicate`: what is in them, once, and what a replay finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pyarrow as pa
import pytest

from pyspark_adapter.decode.group_rows import TableStatement
from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication import delta_tables, iceberg_commits
from pyspark_adapter.replication.changes import Changes, Part
from pyspark_adapter.replication.delta_tables import tables_of
from pyspark_adapter.replication.history import FACTS, History
from pyspark_adapter.replication.lake import STATE_FOLDER
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.replication.run import FORMATS
from pyspark_adapter.replication.versions import Versions
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.values.column_types import GEOMETRY
from tests.exactly_once.replica_history import replay

COLUMNS: Final = pa.schema([("id", pa.int32()), ("c", pa.string())])
LACKING: Final = pa.field("_absent_columns", pa.list_(pa.string()))
TABLE: Final = TableName("shop", "t")
Change = tuple[str, int, int, str]  # kind, commit version, key, value


def _part(run: list[Change]) -> Part:
    facts = ("_change_type", "_commit_version", "id", "c")
    schema = pa.schema([*FACTS, LACKING, *COLUMNS], {KEY: b'["id"]'})
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

    def __init__(self, folder: Path, table_format: str) -> None:
        self.lake = Location.parse(folder)
        self.place = self.lake.child("shop").child("t")
        self.tables = tables_of(self.lake, table_format)
        self.history = History(self.lake, self.tables, Versions(self.lake, self.tables, {}))
        self.copy(pa.table({"id": [1, 2], "c": ["a", "b"]}, COLUMNS), 10)

    def copy(self, rows: pa.Table, version: int, *, begins: bool = True) -> None:
        found = self.tables.open(self.place)
        copied = self.tables.copy(self.place, found, rows.to_reader(), version)
        if begins:
            self.history.begin(TABLE, copied, version)

    @property
    def copied(self) -> Any:
        """The copy."""
        return self.tables.open(self.place)

    def add(self, changes: Changes) -> None:
        copied = self.copied
        applied = self.tables.applied(copied, self.place)
        self.history.add(applied, changes, self.tables.schema(copied), set())

    def table(self, name: str) -> pa.Table:
        """Return a history."""
        found = self.tables.open(self.lake.child("shop.history").child(name))
        return pa.Table.from_batches(self.tables.rows(found), self.tables.schema(found))

    def rows(self, name: str) -> list[tuple[Any, ...]]:
        """Return the rows of a history, in order."""
        names = ("_commit_version", "_change_type", "id", "c")
        order = [("_commit_version", "ascending"), ("_row_number", "ascending")]
        rows = self.table(name).sort_by(order).to_pylist()
        return [tuple(row[name] for name in names) for row in rows]


@pytest.fixture(params=FORMATS)
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lake]:
    (tmp_path / STATE_FOLDER).mkdir()
    found = Lake(tmp_path, request.param)
    yield found
    found.tables.close()


BEGIN: Final = [(10, "copy", None, None), (10, "read", 1, "a"), (10, "read", 2, "b")]


def test_a_change_that_comes_again_is_there_once(lake: Lake) -> None:
    first: list[Change] = [("insert", 9, 2, "b"), ("insert", 11, 3, "c")]
    lake.add(_changes(first))
    lake.add(_changes(first))
    lake.add(_changes([*first, ("delete", 12, 3, "c")]))
    assert lake.rows("t") == [*BEGIN, (11, "insert", 3, "c"), (12, "delete", 3, "c")]
    replayed = replay(lake.table("t"), ["id"])
    assert [(row["id"], row["c"]) for row in replayed.rows] == [(1, "a"), (2, "b")]
    assert replayed.num_fitting == 1


def test_changes_after_a_statement_are_in_the_copy(lake: Lake) -> None:
    changes = _changes([("insert", 11, 3, "c"), ("insert", 13, 4, "d")], truncate=12)
    for _ in range(2):
        lake.add(changes)
    lake.copy(pa.table({"id": [4], "c": ["d"]}, COLUMNS), 14)
    assert lake.rows("t") == [
        *BEGIN,
        (11, "insert", 3, "c"),
        (12, "truncate", None, None),
        (14, "copy", None, None),
        (14, "read", 4, "d"),
    ]
    assert [row["id"] for row in replay(lake.table("t"), ["id"]).rows] == [4]


def test_a_column_of_another_type_begins_another_history(lake: Lake) -> None:
    other = pa.schema([("id", pa.string()), ("c", pa.string())])
    lake.copy(pa.table({"id": ["1"], "c": ["a"]}, other), 20)
    assert lake.rows("t") == BEGIN
    assert lake.rows("t.2") == [(20, "copy", None, None), (20, "read", "1", "a")]
    # Also for a program that begins again.
    assert (
        History(lake.lake, lake.tables, Versions(lake.lake, lake.tables, {})).folder_of(TABLE).name
        == "t.2"
    )


def test_a_column_gets_wider_if_the_format_can(lake: Lake) -> None:
    is_iceberg = lake.tables.has_renames
    wider = pa.schema([("id", pa.int64()), ("c", pa.string())])
    assert lake.history.widens(pa.int32(), pa.int64()) == is_iceberg
    lake.copy(pa.table({"id": [1 << 40], "c": ["a"]}, wider), 20)
    copied = [(20, "copy", None, None), (20, "read", 1 << 40, "a")]
    assert lake.rows("t") == [*BEGIN, *copied * is_iceberg]
    assert lake.history.folder_of(TABLE).name == ("t" if is_iceberg else "t.2")
    lake.copy(pa.table({"id": [1], "c": ["a"]}, COLUMNS), 30)  # narrower again
    assert lake.history.folder_of(TABLE).name == ("t.2" if is_iceberg else "t.3")


def test_a_copy_with_the_same_nested_types_goes_on(lake: Lake) -> None:
    added = [("g", GEOMETRY), ("v", pa.list_(pa.float32())), ("t", pa.timestamp("us", "UTC"))]
    kinds = pa.schema([*COLUMNS, *added])
    row = {"id": 1, "c": "a", "g": {"srid": 0, "wkb": b"1"}, "v": [1.5], "t": 0}
    for version in (20, 30):
        lake.copy(pa.Table.from_pylist([row], kinds), version)
    assert lake.history.folder_of(TABLE).name == "t"
    [found] = replay(lake.table("t"), ["t"]).rows
    assert (found["g"], found["v"]) == (row["g"], row["v"])


def test_columns_come_and_go(lake: Lake) -> None:
    """What is dropped stays, and is null afterwards."""
    for version, name in ((20, "d"), (30, "e")):
        schema = pa.schema([(name, pa.int32()), ("id", pa.int32())])
        lake.copy(pa.table({name: [version], "id": [1]}, schema), version)
    rows = lake.table("t").sort_by("_commit_version").to_pylist()
    found = [tuple(row[name] for name in ("id", "c", "d", "e")) for row in rows]
    assert [row for row in found if any(row)] == [
        (1, "a", None, None),
        (2, "b", None, None),
        (1, None, 20, None),
        (1, None, None, 30),
    ]


def test_small_files_become_few(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (delta_tables, iceberg_commits):
        monkeypatch.setattr(module, "_MOST_SMALL", 3)
    changes: list[Change] = [("insert", 11 + number, 3 + number, "c") for number in range(10)]
    for change in changes:
        lake.add(_changes([change]))
    assert lake.rows("t") == [*BEGIN, *((v, kind, key, c) for kind, v, key, c in changes)]
    place = lake.lake.child("shop.history").child("t")
    files = [path for path in Path(place.path).rglob("*.parquet") if path.stat().st_size]
    assert len(files) > 10  # of older versions, too
    table: Any = lake.tables.open(place)
    now = table.file_uris() if not lake.tables.has_renames else list(table.scan().plan_files())
    assert len(now) <= 7


def test_logs_that_begin_again_begin_another_history(lake: Lake) -> None:
    lake.history.begin(TABLE, lake.copied, 5)
    assert lake.rows("t") == BEGIN
    assert lake.rows("t.2") == [(5, *row[1:]) for row in BEGIN]


def test_a_copy_that_comes_again_is_there_once(lake: Lake) -> None:
    lake.history.begin(TABLE, lake.copied, 10)
    assert lake.rows("t") == BEGIN


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
        replay(lake.table("t"), ["id"])


def test_a_replay_finds_what_is_there_twice(lake: Lake) -> None:
    rows = _part([("insert", 11, 3, "c")]).rows
    place = lake.lake.child("shop.history").child("t")
    for version in (11, 12):
        lake.tables.append(place, lake.tables.open(place), rows.to_reader(), version)
    with pytest.raises(AssertionError):
        replay(lake.table("t"), ["id"])


def _replica(lake: Lake, of_c: str = "TEXT") -> Replica:
    replica = Replica.__new__(Replica)
    replica.history, replica._lake, replica._opened = lake.history, lake.lake, {}
    replica.tables, replica._exact = lake.tables, set()
    server: Any = SimpleNamespace(is_mariadb=True)
    state = SimpleNamespace(followed={TABLE: f"CREATE TABLE t (id INT, c {of_c})"})
    state_file: Any = SimpleNamespace(state=state)
    upstream: Any = SimpleNamespace(tables=server)
    replica._upstream, replica._state_file = upstream, state_file
    return replica


def test_a_table_with_a_column_that_is_left_out_today_is_copied_again(lake: Lake) -> None:
    """It was copied with that column, which the log does not always hold."""
    assert not _replica(lake, "TEXT AS ('c')").merge(_changes([("insert", 11, 3, "c")]))
    assert lake.rows("t") == BEGIN


def test_a_table_that_was_altered_during_its_copy_is_copied_again(lake: Lake) -> None:
    """Its definition is that of its copy, and the log is read from before the statement."""
    changes = _changes([("insert", 11, 3, "c")])
    altered = Changes(TABLE, changes.parts, [TableStatement("alter", "ALTER TABLE t", 10)])
    assert not _replica(lake).merge(altered)
    assert lake.rows("t") == BEGIN


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
    replica = _replica(lake)
    for _ in range(2):  # a round that comes again changes nothing
        assert replica.merge(_changes(changes))
    found = pa.Table.from_batches(lake.tables.rows(lake.copied)).sort_by("id").to_pylist()
    assert [(row["id"], row["c"]) for row in found] == [(2, "again"), (3, "c"), (4, "a")]
    assert len(lake.table("t")) == len(BEGIN) + len(changes)
    assert replica.merge(Changes(TABLE, [], []))
