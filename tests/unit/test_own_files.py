"""A file that this package expects to be its own is opened only if it is a file."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import fs

import pyspark_adapter
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.index.make_index import make_indexes
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.kernels import jit
from pyspark_adapter.metrics import _is_of_metrics
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.replication import markers, state
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.spark.data_set import staging
from tests.inputs import sample_path
from tests.support.indexes import log_at
from tests.unit.sources.test_written_files import killed_write

PACKAGE = Path(pyspark_adapter.__file__).parent


def make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


SPECIAL: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": make_socket,
    "folder": Path.mkdir,
    "link": lambda path: path.symlink_to("victim"),
}


def write_index(folder: Path, path: Path | None) -> Path:
    """Index a log in a folder; return the file, which is `path` if it is given."""
    log_file = log_at(sample_path("mysql-9.7-shop"))
    [made] = make_indexes([log_file], IndexFolder(folder, may_be_missing=True), BinlogOptions())
    if path is not None:
        assert made.problem
        raise OSError(made.problem)
    [found] = folder.glob("*.index")
    return found


def hold(path: Path) -> None:
    with jit._lock(path):
        pass


OPENED: dict[str, Callable[[Path], object]] = {
    markers.MARKER: lambda path: markers.mark(fs.LocalFileSystem(), str(path.parent), 1, b""),
    "lock": lambda path: state._locked(path, Location.parse(str(path.parent))),
    "kernels": hold,
    "metrics": _is_of_metrics,
}


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("name", OPENED)
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "victim").write_text("of another")
    path = tmp_path / name
    SPECIAL[kind](path)
    before = path.lstat()
    with pytest.raises((OSError, BinlogError), match=f"is a {kind}: expected a file of this"):
        OPENED[name](path)
    assert path.lstat()[:2] == before[:2]  # mode and number
    assert (tmp_path / "victim").read_text() == "of another"


@pytest.mark.parametrize("kind", SPECIAL)
def test_an_index_is_not_written_into_a_pipe(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "index"
    path = write_index(folder, None)
    path.unlink()
    (folder / "victim").write_text("of another")
    SPECIAL[kind](path)
    with pytest.raises(OSError, match=f"is a {kind}: expected a file of this package"):
        write_index(folder, path)
    assert (folder / "victim").read_text() == "of another"


def test_part_files_of_others_stay_whatever_their_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    left = killed_write(out)
    copy = tmp_path / "copy"
    copy.write_bytes(left.read_bytes())
    left.unlink()
    copy.rename(left)  # a file of another with a name of ours
    named = left.with_name(f"{left.name[:-37]}{'0' * 32}.part")
    named.write_text("of another")
    with whole_file(out, replaces=True) as file:
        file.write(b"new")
    assert left.read_bytes() == b"half"
    assert named.read_text() == "of another"


# What each module opens, other than files of its own.
OPENS = {
    "own_files.py": "all others of its own",
    "sources/written_files.py": "new files, open files of a shell, folders",
    "sources/open_storage.py": "logs, and files of a folder that lists no pipes",
    "server/authentication.py": "the key that the user names",
    "spark/data_set.py": "new files, folders",
    "cli/main.py": "/dev/null",
    "as_of/baseline.py": "the dump that the user names",
    "kernels/cache.py": "sources of the package",
}


def test_other_modules_open_no_file_by_its_name() -> None:
    signs = re.compile(
        r"os\.open\(|\.open\(\"[rwax]|(?<![.\w])FileIO\(|(?<![.\w])open\((?!number|.*opener=open_own)"
    )
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(signs.search(line) for line in path.read_text().splitlines() if "def " not in line)
    }
    assert found <= set(OPENS), found - set(OPENS)


def test_a_data_set_that_may_not_be_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the folder that it is in could be written."""
    out = tmp_path / "out"
    out.mkdir()
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path) != out and access(path, mode)
    )  # root may do all
    with pytest.raises(PermissionError), staging(Location.parse(str(out)), overwrite=True):
        pass
    assert [*tmp_path.iterdir()] == [out]
