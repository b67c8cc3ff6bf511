"""What is written and removed through the catalog of a lake: a file of SQLite."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.replication import iceberg_io, iceberg_tables, replica
from pyspark_adapter.replication.iceberg_names import NAMES
from pyspark_adapter.replication.lake import claim
from pyspark_adapter.sources.delta_storage import (
    CommitConflictError,
    DamagedTableError,
    TakenFolderError,
)
from pyspark_adapter.sources.written_files import whole_file
from tests.unit.replication.delta_lake import everything
from tests.unit.replication.iceberg_lake import Lake, copy_and_close, opened_lake, table

pytestmark = pytest.mark.slow  # a catalog for each test

NAME = ("shop", "t@2Fx")
NUM_OLD = 2  # metadata that a table names here


@pytest.fixture(autouse=True)
def few_old(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "write.metadata.previous-versions-max"
    monkeypatch.setitem(iceberg_tables._PROPERTIES, name, str(NUM_OLD))


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    with opened_lake(tmp_path) as found:
        found.copy(table(range(3), "old"), 10)
        yield found


def commit(lake: Lake, number: int) -> None:
    """Commit so many times."""
    for version in range(20, 20 + number):
        lake.merge([("insert", version, Decimal(0), 0, "n")], version, "id part small note")


def metadata_of(lake: Lake) -> set[str]:
    return {path.name for path in Path(lake.place.path, "metadata").glob("*.metadata.json")}


def test_old_metadata_are_removed(lake: Lake) -> None:
    before = metadata_of(lake)
    commit(lake, NUM_OLD + 2)
    assert len(metadata_of(lake)) == NUM_OLD + 1
    assert not before & metadata_of(lake)
    assert len(lake.rows("id")) == 3 + NUM_OLD + 2


def test_old_metadata_of_another_table_stay(lake: Lake) -> None:
    """Its user keeps the table as it was on Monday."""
    catalog = lake.tables._catalog.catalog
    catalog.register_table("shop.monday", lake.opened.metadata_location)
    commit(lake, NUM_OLD + 2)
    assert catalog.load_table("shop.monday").scan().to_arrow().num_rows == 3


def test_old_metadata_of_another_program_stay(lake: Lake) -> None:
    file = Path(lake.lake.path, "_replicate", "iceberg.db")
    with closing(SqlCatalog("lake", uri=f"sqlite:///{file}", warehouse=lake.lake.path)) as other:
        found = other.load_table(NAME)
        with found.transaction() as transaction:
            transaction.set_properties({"owner": "Mary"})
        written = Path(found.metadata_location.removeprefix("file://"))
    commit(lake, NUM_OLD + 2)
    assert written.exists()
    assert len(metadata_of(lake)) == NUM_OLD + 2


@pytest.mark.parametrize(
    "form",
    [
        "{victim}/metadata/{name}",  # of a lake that was copied, with paths half mended
        "{table}/link/{name}",
        "{table}/metadata/{up}",
        "{table}/metadata/{name}",
    ],
)
def test_old_metadata_at_another_place_are_not_removed(form: str, tmp_path: Path) -> None:
    """The table itself names them."""
    for version in (10, 20):
        copy_and_close(tmp_path / "first", version)
    oldest, *_, newest = sorted((tmp_path / "first").rglob("*.metadata.json"))
    folder = newest.parent.parent
    victim = tmp_path / "victim" / "metadata" / oldest.name
    victim.parent.mkdir(parents=True)
    victim.write_text("of another")
    if form == "{table}/metadata/{name}":
        oldest.unlink()
        oldest.symlink_to(victim)
    (folder / "link").symlink_to(victim.parent)
    text = json.loads(newest.read_text())
    up = os.path.relpath(victim, folder / "metadata")
    path = form.format(victim=tmp_path / "victim", table=folder, up=up, name=victim.name)
    assert Path(path).samefile(victim)
    text["metadata-log"][0]["metadata-file"] = path
    newest.write_text(json.dumps(text))
    for version in range(30, 30 + NUM_OLD + 2):
        copy_and_close(tmp_path / "first", version)
    assert victim.read_text() == "of another"
    assert Path(path).exists()


def test_a_table_that_comes_in_the_catalog_is_not_written(lake: Lake, tmp_path: Path) -> None:
    """It is a copy that its user has made elsewhere, of the same rows and the same number."""
    mine = tmp_path / "mine"
    shutil.copytree(lake.place.path, mine)
    before = lake.opened
    metadata = mine / "metadata" / Path(before.metadata_location).name
    metadata.write_text(metadata.read_text().replace(lake.place.path, str(mine)))
    catalog = lake.tables._catalog.catalog
    catalog.drop_table(NAME)
    catalog.register_table(NAME, str(metadata))
    files = everything(mine)
    with patch.object(Lake, "opened", before), pytest.raises(CommitConflictError):
        commit(lake, 1)
    assert everything(mine) == files
    assert catalog.load_table(NAME).metadata_location == str(metadata)


@pytest.mark.parametrize("end", ["", "-journal"])
def test_a_catalog_that_is_a_link_is_not_written(end: str, tmp_path: Path) -> None:
    copy_and_close(tmp_path, 10)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE of_another (id INT)")
    connection.close()
    before = other.read_bytes()
    catalog = tmp_path / "a lake" / "_replicate" / f"iceberg.db{end}"
    catalog.unlink(missing_ok=True)
    catalog.symlink_to(other)
    with pytest.raises(BinlogError, match="is a link: expected a file of this package"):
        copy_and_close(tmp_path, 20)
    assert other.read_bytes() == before


def test_a_backup_of_hard_links_keeps_its_catalog(tmp_path: Path) -> None:
    copy_and_close(tmp_path, 10)
    catalog = tmp_path / "a lake" / "_replicate" / "iceberg.db"
    backup = tmp_path / "backup.db"
    backup.hardlink_to(catalog)
    before = backup.read_bytes()
    copy_and_close(tmp_path, 20)
    assert backup.read_bytes() == before


def test_a_backup_of_hard_links_while_the_program_runs_keeps_its_catalog(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def meanwhile(*given: Any, **named: Any) -> Iterator[Any]:
        with whole_file(*given, **named) as file:
            yield file
            assert lake.opened is not None  # by another thread

    monkeypatch.setattr(iceberg_io, "whole_file", meanwhile)
    lake.copy(table(range(2), "old"), 10)
    catalog = tmp_path / "a lake" / "_replicate" / "iceberg.db"
    changes: list[Callable[[], object]] = [
        lambda: lake.merge([("insert", 7, Decimal(1), 1, "new")], 20, "id part small note"),
        lambda: lake.tables.remove(lake.place),
    ]
    for number, change in enumerate(changes):
        backup = tmp_path / f"backup{number}"
        backup.hardlink_to(catalog)
        before = backup.read_bytes()
        change()
        assert backup.read_bytes() == before != catalog.read_bytes()
        if number == 0:
            assert len(lake.rows("id")) == 3


@pytest.mark.parametrize("shared", [("", "-wal", "-shm"), ("",), ("-wal",)])
def test_a_backup_of_hard_links_keeps_its_journal(shared: tuple[str, ...], tmp_path: Path) -> None:
    """As `cp -al` of a lake makes one, whose catalog another program has set to WAL."""
    copy_and_close(tmp_path, 10)
    catalog = tmp_path / "a lake" / "_replicate" / "iceberg.db"
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE of_another (id INT)")
        for end in shared:
            (tmp_path / f"backup{end}").hardlink_to(f"{catalog}{end}")
        before = {path: path.read_bytes() for path in tmp_path.glob("backup*")}
        with pytest.raises(BinlogError, match=r"iceberg\.db-(wal|shm): .* hard links"):
            copy_and_close(tmp_path, 20)
        assert {path: path.read_bytes() for path in tmp_path.glob("backup*")} == before
    for path in before:
        path.unlink()
    copy_and_close(tmp_path, 20)


@pytest.mark.parametrize("what", ["missing", "cut", "of another form", "elsewhere"])
def test_a_table_with_damaged_metadata_is_refused_alone(
    what: str, lake: Lake, tmp_path: Path
) -> None:
    """The other tables go on, and it is removed with its table of the server."""
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
    if what != "elsewhere":
        assert lake.tables.remove(lake.place) is None
        assert not Path(lake.place.path).exists()


@pytest.mark.parametrize("cut", [0, 5, 300, -300, -1])
@pytest.mark.parametrize("what", ["snap-*.avro", "*-m0.avro", "*.parquet"])
def test_a_table_with_damaged_files_is_refused_alone(what: str, cut: int, lake: Lake) -> None:
    """It is copied again, and refused if that fails, too."""
    for file in Path(lake.place.path).rglob(what):
        file.unlink() if what == "*.parquet" else file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(DamagedTableError, match="files of the table are missing or damaged"):
        lake.merge([("delete", 1, Decimal(1), 1, "old")], 20, "id part small note")
    if what == "*.parquet":
        lake.copy(table(range(3), "new"), 20)
        assert len(lake.rows("id")) == 3
    assert lake.tables.remove(lake.place) is None


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        "",
        b"a",
        "file://host/x/metadata/1.json",
        "a\0b",
        "s3://[bad/x",
        "/nowhere/metadata/1.json",
        f"/{'b/' * 3000}metadata/1.json",
    ],
)
def test_rows_of_others_in_a_catalog_are_no_harm(metadata: str | bytes | None, lake: Lake) -> None:
    """As a view of another program has none."""
    file = Path(lake.lake.path, "_replicate", "iceberg.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name,"
            " metadata_location) VALUES ('lake', 'shop', 'seen', ?)",
            [metadata],
        )
    commit(lake, NUM_OLD + 2)
    assert len(metadata_of(lake)) == NUM_OLD + 1
    assert lake.tables.remove(lake.place) is None
    assert not Path(lake.place.path).exists()


@pytest.mark.parametrize("form", ["renamed", "in another catalog"])
def test_a_table_of_others_with_files_of_a_copy_keeps_them(
    form: str, lake: Lake, tmp_path: Path
) -> None:
    name, catalog, file = NAME, "prod", Path(lake.lake.path, "_replicate", "iceberg.db")
    if form == "renamed":
        name, catalog = ("arch", "orders"), "lake"
    with closing(SqlCatalog(catalog, uri=f"sqlite:///{file}", warehouse=lake.lake.path)) as other:
        other.create_namespace(name[0]) if not other.namespace_exists(name[0]) else None
        if form == "renamed":
            other.rename_table(NAME, name)
        else:
            other.register_table(name, lake.opened.metadata_location)
        found = other.load_table(name)
        with found.transaction() as transaction:
            transaction.set_properties({"write.metadata.path": str(tmp_path / "elsewhere")})
        found.append(table(range(7, 8), "of another"))
        if form == "renamed":
            lake.copy(table(range(2), "new"), 20)
        assert lake.tables.remove(lake.place) == f"the table {'.'.join(name)} of the catalog"
        assert other.load_table(name).scan().to_arrow().num_rows == 4


@pytest.mark.parametrize("form", ["moved", "replaced"])
def test_a_catalog_that_is_moved_while_the_program_runs_is_named(form: str, lake: Lake) -> None:
    catalog = Path(lake.lake.path, "_replicate", "iceberg.db")
    copied = catalog.read_bytes()
    catalog.rename(catalog.with_name("moved.db"))
    if form == "replaced":
        catalog.write_bytes(copied)
    with pytest.raises(BinlogError, match="the catalog was moved away or replaced meanwhile"):
        commit(lake, 1)


@pytest.mark.parametrize("use", ["copy", "remove"])
def test_a_table_of_others_with_the_properties_of_a_copy_stays(use: str, lake: Lake) -> None:
    """It was made as the copy is, also at its place."""
    catalog, old = lake.tables._catalog.catalog, lake.opened
    catalog.drop_table(NAME)
    new = catalog.create_table(
        NAME, old.schema(), location=old.location(), properties=old.properties
    )
    new.append(table(range(7, 9), "of another"))
    with pytest.raises(TakenFolderError, match="was not written by this command"):
        lake.copy(table(range(2), "new"), 20) if use == "copy" else lake.tables.remove(lake.place)
    assert catalog.load_table(NAME).scan().to_arrow()["id"].to_pylist() == [7, 8]


def test_a_name_that_goes_to_a_table_of_others_during_a_removal_stays(
    lake: Lake, tmp_path: Path
) -> None:
    """The metadata of a large table take seconds to read."""
    catalog = lake.tables._catalog.catalog

    def meanwhile(*_: Any) -> set[str]:
        catalog.rename_table(NAME, ("shop", "kept"))
        catalog.create_table(NAME, table(range(1), "").schema, location=str(tmp_path / "mine"))
        return set()

    with (
        patch.object(iceberg_tables, "_named_files", meanwhile),
        pytest.raises(CommitConflictError),
    ):
        lake.tables.remove(lake.place)
    assert catalog.load_table(NAME).location() == str(tmp_path / "mine")
    assert catalog.load_table(("shop", "kept")).scan().to_arrow().num_rows == 3


def test_a_table_whose_folder_was_removed_is_copied_again(lake: Lake) -> None:
    shutil.rmtree(lake.place.path)
    assert lake.opened is None
    claim(lake.place)
    lake.copy(table(range(2), "new"), 20)
    assert lake.rows("id") == [(0,), (1,)]


def test_what_a_kill_left_next_to_the_names_is_removed(lake: Lake) -> None:
    names = Path(lake.place.path, NAMES)
    with (
        suppress(KeyboardInterrupt),
        patch.object(Path, "unlink"),
        whole_file(names, replaces=True),
    ):
        raise KeyboardInterrupt
    assert len(list(Path(lake.place.path).glob(".mysql-binlog-*.part"))) == 1
    assert lake.tables.remove(lake.place) is None
    assert not Path(lake.place.path).exists()


def test_the_lake_is_free_after_a_start_that_failed(lake: Lake) -> None:
    lake.state.close()
    server: Any = SimpleNamespace(check=lambda _: None)
    kept: list[BaseException] = []
    for _ in range(2):
        with (
            patch.object(replica, "TableServer", lambda _: server),
            patch.object(replica, "tables_of", side_effect=BinlogError("no catalog")),
            pytest.raises(BinlogError, match="no catalog") as raised,
        ):
            replica.Replica(server, lake.lake, ["shop"], table_format="iceberg")
        kept.append(raised.value)
