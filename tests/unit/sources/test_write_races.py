"""Another program changes the place of a write meanwhile: what it put there stays."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.metrics import PREFIX, Metric, MetricsFile
from pyspark_adapter.operations import log_mask
from pyspark_adapter.sources import written_files
from pyspark_adapter.sources.data_set_marker import MARKER, part_name
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import hidden_prefix, whole_file
from pyspark_adapter.spark import data_set
from pyspark_adapter.spark.data_set import staging
from tests.inputs import ROOT, sample_path
from tests.unit.spark.test_data_set import values, write
from tests.unit.spark.test_data_set_attacks import PART, TITLE

SHOP = sample_path("mysql-9.7-shop")
LAG = Metric("lag_seconds", "gauge", "Lag.")


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
        words = [sys.executable, "-m", "pyspark_adapter", *command, "--output", out, str(SHOP)]
        subprocess.run(words, stdout=file, cwd=ROOT, check=True)
    data = kept.read_bytes()
    assert data.startswith(b"of the user\n" + (b"\xfebin" if command == ["slice"] else b"ARROW1"))


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd", f"/proc/{os.getpid()}/fd"])
def test_a_file_that_was_opened_to_be_read_is_not_written(folder: str, tmp_path: Path) -> None:
    """`rows log --output /dev/stdin < log` added rows to the log."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"of another")
    for flags in (os.O_RDONLY, os.O_RDWR | os.O_APPEND):
        number = os.open(victim, flags)
        refused = pytest.raises(FileExistsError) if flags == os.O_RDONLY else nullcontext()
        with refused, whole_file(f"{folder}/{number}", replaces=True) as file:
            file.write(b", and ours")
        os.close(number)
    assert victim.read_bytes() == b"of another, and ours"


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_log_that_the_shell_has_opened_is_not_written(force: list[str], tmp_path: Path) -> None:
    """`slice log --output /dev/stdout >> log`."""
    log = Path(shutil.copy(SHOP, tmp_path))
    number = os.open(log, os.O_WRONLY | os.O_APPEND)
    assert main(["slice", str(log), "--output", f"/dev/fd/{number}", *force]) == 2
    os.close(number)
    assert log.read_bytes() == SHOP.read_bytes()


def test_files_of_the_system_and_disks_are_not_written() -> None:
    with pytest.raises(FileExistsError), whole_file("/proc/self/comm", replaces=True):
        pass
    with (
        patch.object(stat, "S_ISBLK", return_value=True),
        pytest.raises(FileExistsError),
        whole_file("/dev/null", replaces=True),
    ):
        pass


def swapped(module: Any, name: str, change: Callable[[], Any]) -> Any:
    """Patch a function so that another program does something right after it, once."""
    function, todo = getattr(module, name), [change]

    def late(*arguments: Any, **named: Any) -> Any:
        found = function(*arguments, **named)
        if todo:
            todo.pop()()
        return found

    return patch.object(module, name, late)


def test_a_pipe_that_becomes_a_file_is_not_written(tmp_path: Path) -> None:
    out, victim = tmp_path / "out", tmp_path / "victim"
    victim.write_bytes(b"of another")
    os.mkfifo(out)

    def swap() -> None:
        out.unlink()
        out.symlink_to(victim)

    with (
        swapped(written_files, "_target_of", swap),
        pytest.raises(FileExistsError),
        whole_file(out, replaces=False) as file,
    ):
        file.write(b"new")
    assert victim.read_bytes() == b"of another"


@pytest.mark.parametrize("replaces", [True, False])
def test_a_link_that_comes_during_a_write_stays(replaces: bool, tmp_path: Path) -> None:
    out, victim = tmp_path / "out", tmp_path / "victim"
    victim.write_bytes(b"of another")
    for target in ("victim", "nowhere"):
        with (
            patch.object(os, "link", side_effect=OSError(errno.EPERM, "no hard links here")),
            patch.object(written_files, "renameat2", side_effect=OSError(errno.EINVAL, "")),
            pytest.raises(FileExistsError),
            whole_file(out, replaces=replaces),
        ):
            out.symlink_to(target)
        assert str(out.readlink()) == target
        out.unlink()
    assert victim.read_bytes() == b"of another"
    assert [*tmp_path.iterdir()] == [victim]


def test_a_link_that_the_system_does_not_follow(tmp_path: Path) -> None:
    """Linux does not follow links of others in /tmp (`fs.protected_symlinks`)."""
    out = tmp_path / "out"
    out.symlink_to("victim")
    stat = os.stat

    def refuse(path: Any, **named: Any) -> os.stat_result:
        if os.fspath(path) == str(out) and named.get("follow_symlinks", True):
            raise PermissionError(errno.EACCES, "Permission denied")
        return stat(path, **named)

    with (
        patch.object(os, "stat", refuse),
        pytest.raises(PermissionError),
        whole_file(out, replaces=True),
    ):
        pass
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.parametrize("command", [["slice"], ["report"], ["rows", "--format", "arrow"]])
def test_a_link_to_a_log_that_comes_after_the_check(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = Path(shutil.copy(SHOP, tmp_path / "binlog.000001"))
    out = tmp_path / "out"
    out.write_bytes(b"old")

    def swap() -> None:
        out.unlink()
        out.symlink_to(log)

    module = import_module(f"pyspark_adapter.cli.{command[0]}")
    with swapped(module, "check_output", swap):
        assert main([*command, "--force", "--output", str(out), str(log)]) == 2
    assert "is one of the files" in capsys.readouterr().err
    assert log.read_bytes() == SHOP.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {log.name, "out"}


def test_a_file_of_metrics_that_became_another_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.prom"
    file = MetricsFile(str(path), [LAG])
    path.write_text("of another")
    with pytest.warns(match="metrics cannot be written"):
        file.write(at_once=True)
    assert path.read_text() == "of another"
    path.unlink()
    file.write(at_once=True)
    assert path.read_text().startswith(f"# HELP {PREFIX}")


def test_an_index_that_became_another_file_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    words = ["index", "--index", str(folder), str(SHOP), "--no-keys"]
    assert main(words) == 0
    [path] = folder.iterdir()
    path.unlink()
    begin = written_files._begin

    def late(target: Path) -> Any:
        target.write_text("of another")
        return begin(target)

    with patch.object(written_files, "_begin", late):
        assert main(words) == 1
    assert path.read_text() == "of another"
    assert IndexFolder(folder).drop() == 0
    assert [*folder.iterdir()] == [path]


def mask_that_fails(folder: Path, change: Callable[[Path], object], code: int = 1) -> None:
    """Mask two logs; before the second is written something happens, and then it fails."""
    logs = [Path(shutil.copy(SHOP, folder.parent / f"binlog.00000{k}")) for k in (1, 2)]
    events, first = log_mask._Pass.events, folder / logs[0].name

    def failing(self: Any, log_file: Any) -> Any:
        if log_file.name == logs[1].name:
            change(first)
            raise BinlogError("damaged")
        return events(self, log_file)

    columns = ["--columns", "shop.customers.email"]
    with patch.object(log_mask._Pass, "events", failing):
        assert main(["mask", *columns, "--output", str(folder), *map(str, logs)]) == code


def test_masked_logs_are_all_there_or_none(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    mask_that_fails(folder, Path.lstat)
    assert not [*folder.iterdir()]


def test_what_took_the_place_of_a_masked_log_stays(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()

    def swap(path: Path) -> None:
        path.unlink()
        path.write_text("of another")

    mask_that_fails(folder, swap)
    assert [path.read_text() for path in folder.iterdir()] == ["of another"]


def test_a_link_in_the_folder_of_masked_logs_stays(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "binlog.000001").symlink_to("elsewhere")
    mask_that_fails(folder, Path.lstat, 2)
    assert [path.is_symlink() for path in folder.iterdir()] == [True]


# A data set: a folder that others can write has another in the place of what is being written.


def victim_of(tmp_path: Path) -> dict[Path, bytes]:
    victim = tmp_path / "victim"
    write(victim, 7)
    return {path: path.read_bytes() for path in victim.iterdir()}


def unchanged(before: dict[Path, bytes]) -> bool:
    return {path: path.read_bytes() for path in before if path.exists()} == before


@pytest.mark.parametrize("form", ["link to folder", "link as marker", "links as files"])
def test_a_staged_folder_that_is_exchanged(form: str, tmp_path: Path) -> None:
    out = tmp_path / "in" / "out"
    write(out, 1)
    before = victim_of(tmp_path)
    (tmp_path / "victim.txt").write_text("of another")
    with staging(Location.parse(out), overwrite=True) as staged:
        place = out.parent / staged.name
        place.rename(tmp_path / "aside")
        if form == "link to folder":
            place.symlink_to(tmp_path / "victim")
        else:
            place.mkdir()
            (place / MARKER).symlink_to(tmp_path / "victim.txt")
            if form == "links as files":
                (place / "_SUCCESS").symlink_to(tmp_path / "new")
        with pytest.raises((OSError, BinlogError)):
            staged.commit([])
    assert (tmp_path / "victim.txt").read_text() == "of another"
    assert not (tmp_path / "new").exists()
    assert unchanged(before)
    assert values(out) == [1] * 3


def test_a_link_that_comes_while_a_folder_is_emptied(tmp_path: Path) -> None:
    """The folder of a killed write, next to the data set."""
    before = victim_of(tmp_path)
    out = tmp_path / "in" / "out"
    write(out, 1)
    left = out.with_name(f"{hidden_prefix(out)}{'0' * 32}")
    left.mkdir()
    (left / MARKER).write_text(TITLE)

    removing = data_set._remove_listed

    def late(system: Any, at: str) -> None:
        if at == str(left):
            shutil.rmtree(left)
            left.symlink_to(tmp_path / "victim")
            # As if the link had come after it was looked for.
            with patch.object(Path, "is_symlink", return_value=False):
                removing(system, at)
        else:
            removing(system, at)

    with patch.object(data_set, "_remove_listed", late):
        write(out, 2)
    assert unchanged(before)
    assert values(out) == [2] * 3


def test_a_file_that_comes_before_the_exchange_stays(tmp_path: Path) -> None:
    """Its name is one of ours, but the marker does not name it."""
    out = tmp_path / "out"
    write(out, 1)

    def put() -> None:
        (out / PART).write_text("of another")

    name = part_name(0)

    def write_one() -> None:
        with staging(Location.parse(out), overwrite=True) as staged:
            (tmp_path / staged.name / name).touch()
            with swapped(data_set, "_check", put):
                staged.commit([name])

    with pytest.warns(match="another program"):
        write_one()
    [kept] = tmp_path.glob(f".mysql-binlog-*/{PART}")
    assert kept.read_text() == "of another"


def test_a_data_set_of_another_place_is_no_marker(tmp_path: Path) -> None:
    out = tmp_path / "out"
    before = victim_of(tmp_path)
    out.mkdir()
    (out / PART).write_text("of another")
    (out / MARKER).symlink_to(tmp_path / "victim" / MARKER)
    with pytest.raises(OptionError, match="cannot be replaced"):
        write(out, 1)
    assert unchanged(before)
    assert (out / PART).read_text() == "of another"


def test_a_task_that_ran_twice_leaves_its_rows_once(tmp_path: Path) -> None:
    """Spark runs a task again when its worker has died: the first file may be half written."""
    out = tmp_path / "out"
    for _ in range(2):  # what is there can be replaced
        with staging(Location.parse(out), overwrite=True) as staged:
            names = [part_name(0), part_name(0)]
            for name in names:
                pq.write_table(pa.table({"value": [1]}), tmp_path / staged.name / name)
            staged.commit(names[:1])
        assert values(out) == [1]
        assert [path.name for path in out.glob("part-*")] == names[:1]
