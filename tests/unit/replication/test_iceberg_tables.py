"""Iceberg tables of a lake: copies, merges, columns that change, and what is removed."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest

from pyspark_adapter import replicate
from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication import iceberg_commits, iceberg_tables, replica
from pyspark_adapter.replication.changes import net_changes
from pyspark_adapter.replication.iceberg_tables import IcebergTables
from pyspark_adapter.replication.lake import StateFile
from pyspark_adapter.sources.delta_storage import CommitConflictError
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import DamagedTableError, TakenFolderError
from tests.unit.replication.delta_lake import everything
from tests.unit.replication.iceberg_lake import (
    KEY,
    PART,
    SCHEMA,
    Lake,
    copy_and_close,
    opened_lake,
    table,
)

pytestmark = pytest.mark.slow  # a catalog for each test


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    with opened_lake(tmp_path) as found:
        yield found


def test_a_merge_replaces_deletes_and_inserts_by_key(lake: Lake) -> None:
    lake.copy(table(range(5), "old"), 10)
    changes = [
        ("delete", 1, Decimal(1), 1, "old"),
        ("update_preimage", 2, Decimal(0), 2, "old"),
        ("update_postimage", 20, Decimal(0), 2, "new"),
        ("insert", 3, Decimal(0), None, "other"),  # a key that shares one column
    ]
    lake.merge(changes, 12, "id part small note")
    wanted = [(0, 0, "old"), (3, 0, "other"), (3, 1, "old"), (4, 0, "old"), (20, 0, "new")]
    assert lake.rows("id", "part", "note") == wanted
    assert lake.tables.applied(lake.opened, lake.place) == 12


def test_columns_of_a_copy_are_those_that_it_has(lake: Lake) -> None:
    lake.copy(table(range(3), "old"), 10)
    schema = pa.schema([("id", pa.int64()), PART, ("a.b", pa.string()), ("note", pa.float64())])
    rows = [{"id": 7, "part": Decimal(1), "a.b": "x", "note": 1.5}]
    lake.copy(pa.Table.from_pylist(rows, schema), 20)
    assert lake.rows("id", "a.b", "note") == [(7, "x", 1.5)]
    assert "small" not in lake.tables.schema(lake.opened).names
    lake.merge([("insert", 8, Decimal(1), "y", 2.5)], 30, "id part a.b note")
    assert lake.rows("id", "a.b", "note") == [(7, "x", 1.5), (8, "y", 2.5)]


def test_texts_of_which_pyiceberg_makes_no_bounds_are_written(lake: Lake) -> None:
    text = "x" * 15 + "\ud7ff" + "y"
    lake.copy(table(range(2), text), 10)
    lake.merge([("insert", 5, Decimal(0), 0, text)], 11, "id part small note")
    assert lake.rows("note") == [(text,)] * 3
    [file, *_] = lake.opened.scan().plan_files()
    assert 1 in file.file.upper_bounds  # of the first column, by which files are chosen


def test_many_small_files_become_one(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do the lists of files and snapshots get longer with each commit."""
    monkeypatch.setattr(iceberg_commits, "_MOST_SMALL", 3)
    monkeypatch.setattr(iceberg_tables, "_KEPT_SNAPSHOTS", 2)
    lake.copy(table(range(2), "old"), 10)
    for number in range(15):
        changes = [
            ("delete", number - 1, Decimal(0), 0, "n"),
            ("insert", number, Decimal(0), 0, "n"),
        ]
        lake.merge(changes, 11 + number, "id part small note")
    found = lake.opened
    num_files = len(list(found.scan().plan_files()))
    assert num_files <= 4
    assert len(found.current_snapshot().manifests(found.io)) <= num_files + 4  # some are empty
    assert len(found.metadata.snapshots) < 4
    assert lake.rows("id", "part") == [(1, 1), (14, 0)]


def test_a_snapshot_with_a_tag_is_kept(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iceberg_tables, "_KEPT_SNAPSHOTS", 1)
    lake.copy(table(range(2), "old"), 10)
    found = lake.opened
    [first] = found.metadata.snapshots
    found.manage_snapshots().create_tag(first.snapshot_id, "audit").commit()
    for number in range(4):
        lake.merge([("insert", 5 + number, Decimal(0), 0, "n")], 11 + number, "id part small note")
    assert len(lake.opened.metadata.snapshots) < 4
    assert lake.opened.scan(snapshot_id=first.snapshot_id).to_arrow().num_rows == 2


def test_a_commit_of_another_program_is_not_lost(lake: Lake) -> None:
    lake.copy(table(range(2), "old"), 10)
    before = lake.opened
    lake.merge([("insert", 5, Decimal(0), 0, "n")], 11, "id part small note")
    net = net_changes(table(range(6, 7), "x").append_column("_change_type", [["insert"]]), KEY)
    assert net is not None
    with pytest.raises(CommitConflictError, match="another program has changed the table"):
        lake.tables.merge(lake.place, before, net, KEY, 12)
    assert lake.rows("id") == [(0,), (1,), (5,)]


@pytest.mark.parametrize("num_rows", [0, 2])
def test_rows_that_another_program_has_copied_are_not_added_again(
    lake: Lake, num_rows: int
) -> None:
    """An append of pyiceberg would be tried again, after the commit of the other one."""
    lake.copy(table(range(num_rows), "old"), 10)
    before, again = lake.opened, lake.opened
    lake.copy(table(range(5), "new"), 11)
    with pytest.raises(CommitConflictError):
        lake.tables.copy(lake.place, before, table(range(5), "new").to_reader(), 11)
    with pytest.raises(CommitConflictError):
        lake.tables.append(lake.place, again, table(range(5), "new").to_reader(), 11)
    assert lake.rows("id") == [(n,) for n in range(5)]
    assert "commit.retry.num-retries" not in lake.opened.properties  # of this program alone


def test_rows_that_another_program_moves_are_not_applied_again(lake: Lake) -> None:
    lake.copy(table(range(2), "old"), 10)
    rows = lake.opened.scan().to_arrow()
    lake.opened.overwrite(rows)  # a snapshot that says nothing
    assert lake.tables.applied(lake.opened, lake.place) == 10


def test_what_is_removed_is_named_by_the_snapshots(lake: Lake) -> None:
    lake.copy(table(range(2), "old"), 10)
    lake.merge([("delete", 1, Decimal(1), 1, "old")], 20, "id part small note")
    folder = Path(lake.place.path)
    (folder / "data" / "mine.parquet").write_bytes(b"")
    assert lake.tables.remove(lake.place) == "data/mine.parquet"
    assert {path.name for path in folder.rglob("*") if path.is_file()} == {"mine.parquet"}
    assert lake.opened is None
    (folder / "data" / "mine.parquet").unlink()
    assert lake.tables.remove(lake.place) is None
    assert not folder.exists()


def test_a_lake_has_one_format(lake: Lake) -> None:
    lake.state.save(replace(lake.state.state, tables={TableName("shop", "t"): None}))
    lake.state.close()
    with pytest.raises(OptionError, match="option format: expected iceberg, which the tables in"):
        StateFile(lake.lake)
    with pytest.raises(OptionError, match="option catalog: expected the name of a catalog"):
        replicate(["shop"], "s3://lake/shop", format="iceberg", host="127.0.0.1", port=1)
    with pytest.raises(OptionError, match="option catalog: expected a name, and the format"):
        replicate(["shop"], "s3://lake/shop", catalog="prod", host="127.0.0.1", port=1)


def test_a_package_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyiceberg.catalog.sql", None)
    with pytest.raises(BinlogError, match=r"pip install 'mysql-binlog-spark\[iceberg\]'"):
        IcebergTables(Location.parse(tmp_path))


def test_a_lake_that_was_copied_as_files_does_not_write_into_the_first(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    copy_and_close(first, 10)
    shutil.copytree(first, second)
    before = everything(first)
    with pytest.raises(OptionError, match=rf"has it in {first}.*move _replicate/iceberg\.db away"):
        copy_and_close(second, 20)
    assert everything(first) == before
    (second / "a lake" / "_replicate" / "iceberg.db").unlink()
    copy_and_close(second, 20)
    shutil.rmtree(first)  # nothing of the second is in it
    found = Lake(second)
    assert found.rows("id", "note") == [(n, "new") for n in range(3)]
    found.tables.close()
    found.state.close()


def test_a_lake_by_a_path_with_a_link_is_the_same(tmp_path: Path) -> None:
    copy_and_close(tmp_path / "first", 10)
    (tmp_path / "link").symlink_to(tmp_path / "first")
    copy_and_close(tmp_path / "link", 20)


def test_a_table_that_others_have_in_the_catalog_stays(lake: Lake, tmp_path: Path) -> None:
    catalog = lake.tables._catalog._catalog
    catalog.create_namespace("shop")
    name, place = ("shop", "t@2Fx"), str(tmp_path / "of another")
    catalog.create_table(name, SCHEMA, location=place).append(table(range(1), "of another"))
    with pytest.raises(OptionError, match="of another"):
        lake.copy(table(range(3), "new"), 10)
    assert catalog.load_table(name).scan().to_arrow()["note"].to_pylist() == ["of another"]


def test_a_table_whose_folder_was_removed_is_copied_again(lake: Lake) -> None:
    lake.copy(table(range(2), "old"), 10)
    shutil.rmtree(lake.place.path)
    assert lake.opened is None
    lake.copy(table(range(3), "new"), 20)
    assert lake.rows("id") == [(0,), (1,), (2,)]


def test_a_copy_whose_snapshots_have_expired_is_copied_again(lake: Lake) -> None:
    """Another program has rewritten its files, and keeps its own snapshot alone."""
    lake.copy(table(range(3), "old"), 10)
    found = lake.opened
    old = found.current_snapshot().snapshot_id
    found.overwrite(found.scan().to_arrow())
    others = [s.snapshot_id for s in found.metadata.snapshots]
    found.maintenance.expire_snapshots().by_ids(others[:-1]).commit()
    assert found.snapshot_by_id(old) is None
    assert lake.opened is None  # no snapshot says how far it is
    lake.copy(table(range(4), "new"), 20)
    assert lake.rows("id") == [(n,) for n in range(4)]


def metadata_of(lake: Lake) -> set[str]:
    return {path.name for path in Path(lake.place.path, "metadata").glob("*.metadata.json")}


def test_old_metadata_are_removed(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(iceberg_tables._PROPERTIES, "write.metadata.previous-versions-max", "2")
    lake.copy(table(range(3), "old"), 10)
    before = metadata_of(lake)
    for version in range(20, 24):
        lake.merge([("insert", version, Decimal(0), 0, "n")], version, "id part small note")
    assert len(metadata_of(lake)) == 3
    assert not before & metadata_of(lake)
    assert len(lake.rows("id")) == 7


@pytest.mark.parametrize("what", ["missing", "cut", "of another form", "elsewhere"])
def test_a_table_with_damaged_metadata_is_refused_alone(
    what: str, lake: Lake, tmp_path: Path
) -> None:
    """It stays, also when the server drops the table."""
    lake.copy(table(range(3), "old"), 10)
    newest = Path(lake.opened.metadata_location)
    text = newest.read_bytes()
    if what == "missing":
        newest.unlink()
    elif what == "elsewhere":
        newest.write_bytes(text.replace(lake.place.path.encode(), str(tmp_path).encode()))
    else:
        newest.write_bytes(text[:50] if what == "cut" else b"{}")
    with pytest.raises(TakenFolderError, match=r"t@2Fx: .*catalog"):
        lake.copy(table(range(3), "new"), 20)
    before = everything(Path(lake.place.path))
    with pytest.raises(TakenFolderError, match=r"t@2Fx: "):
        lake.tables.remove(lake.place)
    assert everything(Path(lake.place.path)) == before
    if what != "elsewhere":
        shutil.move(lake.place.path, tmp_path / "moved")  # as the error says
        lake.copy(table(range(3), "new"), 20)
        assert len(lake.rows("id")) == 3


@pytest.mark.parametrize("cut", [0, 5, 300, -300, -1])
@pytest.mark.parametrize("what", ["snap-*.avro", "*-m0.avro", "*.parquet"])
def test_a_table_with_damaged_files_is_refused_alone(what: str, cut: int, lake: Lake) -> None:
    """It is copied again, and refused if that fails, too."""
    lake.copy(table(range(3), "old"), 10)
    for file in Path(lake.place.path).rglob(what):
        file.unlink() if what == "*.parquet" else file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(DamagedTableError, match="files of the table are missing or damaged"):
        lake.merge([("delete", 1, Decimal(1), 1, "old")], 20, "id part small note")
    if what == "*.parquet":
        lake.copy(table(range(3), "new"), 20)
        assert len(lake.rows("id")) == 3


def test_the_lake_is_free_after_a_start_that_failed(lake: Lake) -> None:
    lake.state.close()
    server: Any = SimpleNamespace()
    kept: list[BaseException] = []
    for _ in range(2):
        with (
            patch.object(replica, "FollowedServer"),
            patch.object(replica, "tables_of", side_effect=BinlogError("no catalog")),
            pytest.raises(BinlogError, match="no catalog") as raised,
        ):
            replica.Replica(server, lake.lake, ["shop"], table_format="iceberg")
        kept.append(raised.value)


def test_no_private_name_of_pyiceberg_is_used() -> None:
    """The package has no upper bound for it."""
    private = re.compile(
        r"(transaction|snapshot|commit|table|catalog|metadata|pyarrow import.*)\._[a-z]"
        r"|from pyiceberg[.\w]* import .*\b_[a-z]"
    )
    for path in Path(iceberg_tables.__file__).parent.glob("iceberg_*.py"):
        assert not private.search(path.read_text().replace("self._catalog._", "")), path
