"""`examples/replicate/` touches its own folders alone, and no document shows a password."""

import json
import re
import subprocess
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock, patch

import pyarrow as pa
import pytest
import replicate
from deltalake import DeltaTable, write_deltalake

from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark.data_set import part_name, staging
from tests.inputs import ROOT


def replica(lake: Path, database: str) -> replicate.Replica:
    return replicate.Replica(Mock(access={"database": database}), lake, has_history=True)


def everything(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("form", ["{}/victim", "../victim", ".", "..", "", "victim/"])
def test_the_name_of_a_database_is_no_path(tmp_path: Path, form: str) -> None:
    (tmp_path / "victim" / "folder").mkdir(parents=True)
    (tmp_path / "victim" / "folder" / "file").touch()
    before = everything(tmp_path / "victim")
    program = replica(tmp_path / "lake", form.format(tmp_path))
    program.compare({})
    assert program.folder.parent == tmp_path / "lake"
    assert everything(tmp_path / "victim") == before
    assert {path.name for path in tmp_path.iterdir()} == {"victim", "lake"}


def test_databases_share_no_folder(tmp_path: Path) -> None:
    databases = ["shop", "shop.state", "shop.history", "shop.state.state", "Shop", "shop@002estate"]
    folders = []
    for database in databases:
        program = replica(tmp_path, database)
        assert program.history is not None
        folders += [program.folder, program.state_folder, program.history.folder]
    assert len({str(folder).lower() for folder in folders}) == 3 * len(databases)


def test_only_marked_tables_are_removed(tmp_path: Path) -> None:
    program = replica(tmp_path / "lake", "shop")
    replicate.claim(program.folder / "orders")
    replicate.claim(tmp_path / "victim")
    (program.folder / "link").symlink_to(tmp_path / "victim")
    (program.folder / "notes").mkdir()
    (program.folder / "notes" / "file").touch()
    before = everything(tmp_path)
    program.compare({})
    gone = before.keys() - everything(tmp_path).keys()
    assert gone == {program.folder / "orders", program.folder / "orders" / replicate.MARKER}


def delta_table(folder: Path) -> None:
    """Make what replicate makes of a table."""
    replicate.claim(folder)
    for value in range(3):
        write_deltalake(folder, pa.table({"id": [value]}), mode="append")
    table = DeltaTable(folder)
    table.create_checkpoint()
    table.optimize.compact()


def test_tables_that_are_gone_leave_what_others_put_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = replica(tmp_path / "lake", "shop")
    names = ["orders", "with_notes", "with_folder", "with_log"]
    for name in names:
        delta_table(program.folder / name)
    others = [
        program.folder / "with_notes" / "notes.txt",
        program.folder / "with_folder" / "of another" / "part-1.parquet",
    ]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text("of another")
    (program.folder / "with_log" / "_delta_log" / "notes.txt").write_text("of another")
    program.compare({})
    assert [path.name for path in program.folder.rglob("*part-*")] == ["part-1.parquet"]
    assert not [*program.folder.rglob("_delta_log")]
    for path in [*others, *program.state_folder.glob("dropped-*/notes.txt")]:
        assert path.read_text() == "of another"
    assert capsys.readouterr().out.count(": kept, because of ") == 3
    program.compare({})  # and once more
    delta_table(program.folder / "with_notes")  # which may come again
    assert len([*program.folder.rglob("*"), *program.state_folder.rglob("notes.txt")]) > 5


def test_an_export_in_the_folder_of_a_lake_stays(tmp_path: Path) -> None:
    """Its data sets have a marker of the same name."""
    program = replica(tmp_path / "lake", "shop")
    with staging(Location.parse(program.folder / "shop.orders"), overwrite=True) as staged:
        names = [part_name(0)]
        (Path(staged.folder.path) / staged.name / names[0]).touch()
        staged.commit(names)
    before = everything(program.folder)
    program.compare({})
    assert everything(program.folder) == before
    with pytest.raises(SystemExit, match="choose another folder"):
        replicate.claim(program.folder / "shop.orders")


@pytest.mark.parametrize("stop", range(12))
def test_a_stop_during_a_removal_leaves_no_half_table(stop: int, tmp_path: Path) -> None:
    program = replica(tmp_path / "lake", "shop")
    delta_table(program.folder / "orders")
    left = [stop]
    unlink = Path.unlink

    def failing(path: Path) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        unlink(path)

    with patch.object(Path, "unlink", failing), suppress(KeyboardInterrupt):
        program.compare({})
    assert not DeltaTable.is_deltatable(str(program.folder / "orders"))
    program.compare({})
    assert {path.name for path in program.folder.iterdir()} == {replicate.MARKER}
    assert not [*program.state_folder.glob("dropped*")]


@pytest.mark.parametrize("name", ["shop", "shop.state", "shop.history"])
def test_a_folder_of_another_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "state.json").write_text(json.dumps([{}, {}, True]))
    with pytest.raises(SystemExit, match="choose another folder for the lake"):
        replica(tmp_path, "shop")
    assert (tmp_path / name / "state.json").exists()


PASSWORD = re.compile(r"--password[ =](?!\s|--|asks|without)['\"\w$]|\s-p['\"\w]+\s.*(?:mysql|-u)")


def test_no_document_shows_a_password_on_a_command_line() -> None:
    listed = subprocess.run(
        ["/usr/bin/git", "ls-files", "*.md", "examples", "pyspark_adapter", "bench", "Makefile"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout.splitlines()
    assert len(listed) > 100
    found = [
        f"{name}: {line.strip()}"
        for name in listed
        for line in (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines()
        if PASSWORD.search(line)
    ]
    assert found == []
    assert PASSWORD.search("    python replicate.py --host db1 --password PASSWORD shop lake")
