"""The files of an Iceberg table that go with it: those whose names were noted."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest

from pyspark_adapter.replication import (
    iceberg_io,
    iceberg_names,
    iceberg_tables,
)
from pyspark_adapter.replication.iceberg_names import NAMES
from pyspark_adapter.replication.lake import claim
from tests.unit.replication.delta_lake import stopped_after
from tests.unit.replication.iceberg_lake import Lake, opened_lake, table

pytestmark = pytest.mark.slow  # a catalog for each test


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    with opened_lake(tmp_path) as found:
        yield found


def other_catalog(lake: Lake, folder: Path) -> Any:
    """Return the table of a lake in the catalog of another program."""
    from pyiceberg.catalog.sql import SqlCatalog

    catalog = SqlCatalog("other", uri=f"sqlite:///{folder}/other.db", warehouse=str(folder))
    catalog.create_namespace("shop")
    return catalog.register_table("shop.orders", lake.opened.metadata_location)


def files(lake: Lake) -> set[Path]:
    return {path for path in Path(lake.place.path).rglob("*") if path.is_file()}


def test_files_of_a_program_that_goes_on_in_another_catalog_stay(
    lake: Lake, tmp_path: Path
) -> None:
    """They have names as ours have."""
    lake.copy(table(range(2), "old"), 10)
    theirs = other_catalog(lake, tmp_path)
    before = files(lake)
    theirs.append(theirs.scan().to_arrow())
    added = files(lake) - before
    assert len(added) == 4
    theirs.catalog.close()
    lake.merge([("insert", 5, Decimal(0), 0, "n")], 11, "id part small note")
    kept = lake.tables.remove(lake.place)
    assert Path(lake.place.path, str(kept)) in added
    assert files(lake) == added
    assert lake.tables.remove(lake.place) is None


def test_all_that_was_written_is_removed(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed commit left, what no snapshot has, and what others made of the rows."""
    monkeypatch.setattr(iceberg_tables, "_KEPT_SNAPSHOTS", 2)
    lake.copy(table(range(2), "old"), 10)
    for number in range(6):
        changes = [("update_postimage", 0, Decimal(0), number, "n")]
        lake.merge(changes, 11 + number, "id part small note")
    assert len(lake.opened.metadata.snapshots) < 6
    commit = lake.tables._catalog.catalog.commit_table
    monkeypatch.setattr(
        lake.tables._catalog.catalog, "commit_table", Mock(side_effect=KeyboardInterrupt)
    )
    before = files(lake)
    with pytest.raises(KeyboardInterrupt):
        lake.merge([("insert", 7, Decimal(0), 0, "n")], 20, "id part small note")
    assert files(lake) - before
    monkeypatch.setattr(lake.tables._catalog.catalog, "commit_table", commit)
    with monkeypatch.context() as others:
        others.setattr(iceberg_io, "add_names", lambda *_: None)
        lake.opened.overwrite(lake.opened.scan().to_arrow())
    assert lake.tables.remove(lake.place) is None
    assert not Path(lake.place.path).exists()


@pytest.mark.parametrize("stop", range(0, 12, 3))
def test_a_removal_that_was_stopped_goes_on(stop: int, lake: Lake) -> None:
    """The catalog has forgotten the table by then, and what it was made of."""
    with patch.object(iceberg_io, "add_names"):  # by another program
        lake.copy(table(range(2), "old"), 10)
    with stopped_after(stop):
        lake.tables.remove(lake.place)
    claim(lake.place)
    assert {path.name for path in Path(lake.place.path).iterdir()} == {"_mysql_binlog"}


@pytest.mark.parametrize("form", ["file", "link", "hard link"])
def test_names_of_others_are_not_written(form: str, lake: Lake, tmp_path: Path) -> None:
    """A backup of hard links has the same file."""
    lake.copy(table(range(2), "old"), 10)
    names, victim = Path(lake.place.path, NAMES), tmp_path / "victim"
    victim.write_bytes(names.read_bytes() if form == "hard link" else b"of another")
    names.unlink()
    if form == "link":
        names.symlink_to(victim)
    else:
        names.hardlink_to(victim)
    before = victim.read_bytes()
    lake.merge([("insert", 7, Decimal(0), 0, "n")], 20, "id part small note")
    assert lake.rows("id") == [(0,), (1,), (7,)]
    kept = lake.tables.remove(lake.place)
    assert kept is None if form == "hard link" else kept
    assert victim.read_bytes() == before
    assert form == "hard link" or names.read_bytes() == before


@pytest.mark.parametrize("form", ["notes", "copy"])
def test_notes_in_the_names_stay_and_names_of_another_folder_name_nothing(
    form: str, lake: Lake
) -> None:
    lake.copy(table(range(2), "old"), 10)
    names = Path(lake.place.path, NAMES)
    text = names.read_text()
    if form == "notes":
        names.write_text(f"{text}\nAsk Mary before this table is dropped.\n")
    else:
        names.write_text(text.replace("Folder: t@2Fx", "Folder: orders"))
    before = names.read_bytes()
    assert lake.tables.remove(lake.place)
    assert names.read_bytes().startswith(before)


def test_a_name_that_a_full_disk_cut_is_no_harm(lake: Lake) -> None:
    lake.copy(table(range(2), "old"), 10)
    names = Path(lake.place.path, NAMES)
    names.write_text(f"{names.read_text()}\ndata/00000-0-30")
    lake.merge([("insert", 7, Decimal(0), 0, "n")], 20, "id part small note")
    assert lake.tables.remove(lake.place) is None
    assert not Path(lake.place.path).exists()


def test_a_file_that_comes_in_the_place_of_the_names_is_not_written(lake: Lake) -> None:
    lake.copy(table(range(2), "old"), 10)
    names = Path(lake.place.path, NAMES)
    notes = names.with_name("notes")
    notes.write_text("of another\n" * 20)

    def late(file: Path) -> bool:
        notes.replace(file)
        return True

    with patch.object(iceberg_names, "has_names", late):
        iceberg_names.add_names(names.parent, ["data/x"])
    assert names.read_text() == "of another\n" * 20
