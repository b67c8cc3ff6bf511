"""Files are written whole or not at all."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock, patch

import pyarrow.parquet as pq
import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sources import written_files
from pyspark_adapter.sources.written_files import temporary_space, whole_file
from pyspark_adapter.sql_text import script_writer
from tests.inputs import ROOT, sample_path

SHOP = str(sample_path("mysql-9.7-shop"))
ROWS = ["rows", SHOP, "--force", "--format", "parquet", "--output"]
# Each writes more than the limit below.
COMMANDS = [
    ROWS,
    ["rows", SHOP, "--force", "--format", "arrow", "--output"],
    ["report", SHOP, "--force", "--out"],
    ["slice", SHOP, "--force", "--out"],
]


@contextmanager
def file_limit(num_bytes: int) -> Iterator[None]:
    """Let files grow to a size, as on a disk that is full then."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def write(path: Path, data: bytes) -> None:
    with whole_file(path, replaces=True) as file:
        file.write(data)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0] + words[-2])
def test_a_full_disk_leaves_the_old_file(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    main([*command, os.devnull])  # compiles, and keeps what was compiled
    capsys.readouterr()
    with file_limit(3000):
        code = main([*command, str(out)])
    assert (code, capsys.readouterr().err) == (1, f"error: {out}: {os.strerror(errno.EFBIG)}\n")
    assert out.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.parametrize(("owner", "name"), [(os, "fsync"), (Path, "replace")])
def test_an_error_at_any_step_leaves_the_old_file(owner: object, name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    full = OSError(errno.ENOSPC, "No space left on device")
    with (
        patch.object(owner, name, side_effect=full),
        pytest.raises(OSError, match="left") as caught,
    ):
        write(out, b"new")
    assert caught.value.filename == str(out)
    assert out.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [out]


def test_a_link_is_followed_and_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    real = tmp_path / "folder" / "real"
    (tmp_path / "second").symlink_to("folder/real")
    (tmp_path / "first").symlink_to(tmp_path / "second")
    for data in (b"new file", b"again"):  # the first time the links lead to nothing
        write(tmp_path / "first", data)
        assert real.read_bytes() == data
        real.chmod(0o640)
    assert real.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()


def test_a_long_name_is_written(tmp_path: Path) -> None:
    write(tmp_path / ("x" * 255), b"new")
    assert (tmp_path / ("x" * 255)).read_bytes() == b"new"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/dev/stdout", "/proc/self/fd/1", "link"])
def test_output_to_a_pipe_and_to_a_file_of_the_shell(path: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    command = [sys.executable, "-m", "pyspark_adapter", *ROWS, path, "-q"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    piped = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, cwd=tmp_path, env=environment
    ).stdout
    with (tmp_path / "file").open("wb") as file:
        number = os.fstat(file.fileno()).st_ino
        subprocess.run(command, stdout=file, check=True, cwd=tmp_path, env=environment)
    assert (tmp_path / "file").stat().st_ino == number
    (tmp_path / "piped").write_bytes(piped)
    assert pq.read_table(tmp_path / "piped").num_rows > 100
    assert pq.read_table(tmp_path / "file").equals(pq.read_table(tmp_path / "piped"))


@pytest.mark.slow
@pytest.mark.parametrize("out", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("command", [["slice"], ["rows", "--format", "arrow"]])
def test_output_is_added_to_a_file_of_the_shell(
    command: list[str], out: str, tmp_path: Path
) -> None:
    """`>> file` has what the file had before."""
    kept = tmp_path / "kept"
    kept.write_bytes(b"of the user\n")
    with kept.open("ab") as file:
        words = [sys.executable, "-m", "pyspark_adapter", *command, "--output", out, SHOP]
        subprocess.run(words, stdout=file, cwd=ROOT, check=True)
    data = kept.read_bytes()
    assert data.startswith(b"of the user\n" + (b"\xfebin" if command == ["slice"] else b"ARROW1"))


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_log_that_the_shell_has_opened_is_not_written(force: list[str], tmp_path: Path) -> None:
    """`slice log --output /dev/stdout >> log`."""
    log = Path(shutil.copy(SHOP, tmp_path))
    number = os.open(log, os.O_WRONLY | os.O_APPEND)
    assert main(["slice", str(log), "--output", f"/dev/fd/{number}", *force]) == 2
    os.close(number)
    assert log.read_bytes() == Path(SHOP).read_bytes()


def test_a_named_pipe_stays_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["/bin/cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        write(tmp_path / "pipe", b"data")
        assert reader.communicate()[0] == b"data"
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write(tmp_path, b"")
    assert caught.value.filename == str(tmp_path)


def test_a_full_temporary_folder_is_named_with_how_to_choose_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(script_writer, "_MAX_IN_MEMORY", 1000)
    main(["undo", SHOP, "--force"])  # compiles, and keeps what was compiled
    with file_limit(2000):
        code = main(["undo", SHOP, "--force"])
    assert code == 1
    said = capsys.readouterr().err
    assert f"error: temporary folder {tmp_path}: cannot be written: " in said
    assert "TMPDIR" in said


def test_a_temporary_folder_without_space_for_a_file_is_named_by_export(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    files = Mock(TemporaryFile=Mock(side_effect=full))
    monkeypatch.setattr("pyspark_adapter.cli.export.tempfile", files)
    assert main(["export", SHOP, "-q"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: temporary folder {tempfile.gettempdir()}: cannot be written: ")
    assert "TMPDIR" in said


def test_no_temporary_folder_at_all_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = FileNotFoundError(2, "No usable temporary directory found in ['/x']")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: (_ for _ in ()).throw(nothing))
    with pytest.raises(BinlogError, match=r"found in \['/x'\]; .*TMPDIR"), temporary_space():
        tempfile.gettempdir()


def test_no_other_module_opens_a_file_to_write() -> None:
    """Those that keep compiled kernels apart: nobody reads half of theirs."""
    folder = Path(written_files.__file__).parent.parent
    kept = {"sources/written_files.py", "kernels/warm.py", "kernels/jit.py", "spark/data_set.py"}
    # They remove folders: of a table without files, and of the log of a table that is removed.
    kept |= {"replication/lake.py", "replication/delta_tables.py"}
    signs = ('open("w', 'open("x', "write_text(", "write_bytes(", '"wb"', "rmtree", "delete_dir")
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if any(sign in path.read_text() for sign in signs)
    }
    assert found <= kept


def parts(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


def killed_write(path: Path) -> Path:
    """Kill a process while it writes a file; return what it leaves."""
    before = {*parts(path.parent)}
    process = os.fork()
    if process == 0:
        with whole_file(path, replaces=True) as file:
            file.write(b"half")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(process, 0)
    [left] = {*parts(path.parent)} - before
    return left


def test_what_a_kill_left_is_removed_by_the_next_write_of_the_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    left, other = killed_write(out), killed_write(tmp_path / "other")
    assert left.read_bytes() == b"half"
    write(tmp_path / "third", b"new")
    assert left.exists()
    write(out, b"new")
    assert {*tmp_path.iterdir()} == {out, other, tmp_path / "third"}


def test_files_of_others_and_of_live_writers_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    left = killed_write(out)
    foreign = [tmp_path / f"{left.name}.txt", tmp_path / ".mysql-binlog-notes.part"]
    for path in foreign:
        path.write_text("of another")
    with whole_file(out, replaces=True) as first:
        first.write(b"first")
        write(out, b"second")
        assert out.read_bytes() == b"second"
        assert not left.exists()
    assert out.read_bytes() == b"first"
    assert {*tmp_path.iterdir()} == {out, *foreign}


def test_a_file_that_may_not_be_written_is_kept(tmp_path: Path) -> None:
    """Its folder may be, so that it could be replaced."""
    out = tmp_path / "out"
    out.write_bytes(b"old")
    with (
        patch.object(os, "access", return_value=False),  # as root is asked for nothing
        pytest.raises(PermissionError) as caught,
    ):
        write(out, b"new")
    assert caught.value.filename == str(out)
    assert out.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [out]


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with whole_file(out, replaces=False) as file:
        file.write(b"first")
    with pytest.raises(FileExistsError), whole_file(out, replaces=False) as file:
        file.write(b"second")
    with pytest.raises(FileExistsError), whole_file(tmp_path / "late", replaces=False) as file:
        (tmp_path / "late").write_bytes(b"of another")
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == {"out": b"first", "late": b"of another"}


@pytest.mark.parametrize("replaces", [True, False])
def test_the_folder_is_synced_after_the_file_took_its_place(replaces: bool, tmp_path: Path) -> None:
    """And an error then is none of the write."""
    synced: list[tuple[str, bool]] = []

    def fsync(number: int) -> None:
        name = str(Path(f"/proc/self/fd/{number}").readlink())
        synced.append((name, (tmp_path / "out").exists()))
        if synced[1:]:
            raise OSError(errno.EINVAL, "folders cannot be synced here")

    with patch.object(os, "fsync", fsync), whole_file(tmp_path / "out", replaces=replaces) as file:
        file.write(b"new")
    assert [is_there for _, is_there in synced] == [False, True]
    assert synced[1][0] == str(tmp_path)
    assert (tmp_path / "out").read_bytes() == b"new"
