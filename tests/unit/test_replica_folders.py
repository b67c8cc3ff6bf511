"""`examples/replicate/` touches its own folders alone, and no document shows a password."""

import json
import re
import subprocess
from pathlib import Path
from unittest.mock import Mock

import pytest
import replicate

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
