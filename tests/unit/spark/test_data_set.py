"""Data sets are replaced whole, and nothing else in their folders is touched."""

import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

from pyspark_adapter.errors import OptionError
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import hidden_prefix, sync
from pyspark_adapter.spark import data_set
from pyspark_adapter.spark.data_set import part_name, staging

NUM_PARTS = 3


def write(out: Path | str, value: int, *, overwrite: bool = True) -> None:
    with staging(Location.parse(out), overwrite=overwrite) as staged:
        names = [part_name(k) for k in range(NUM_PARTS)]
        system, path = file_system(staged.folder)
        for name in names:
            table = pa.table({"value": [value]})
            pq.write_table(table, f"{path}/{staged.name}/{name}", filesystem=system)
        staged.commit(names)


def values(out: Path) -> list[int]:
    """Return what a reader finds, who passes over hidden names as Spark does."""
    return sorted(pq.read_table(out).column("value").to_pylist())


def die_after(steps: int, work: Any) -> bool:
    """Do something in a process that is killed after so many steps; return whether it ended."""
    process = os.fork()
    if process == 0:
        left = [steps]

        def step(event: str = "", _: Any = None) -> None:
            if event == "os.kill" or (event and not event.startswith(("os.", "open", "fcntl."))):
                return
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(step)
        try:
            work(step)
            os._exit(0)
        except Exception:  # noqa: BLE001 - the process ends
            traceback.print_exc()
        finally:
            os._exit(1)
    status = os.waitpid(process, 0)[1]
    assert status in (0, signal.SIGKILL)
    return status == 0


@pytest.mark.slow
def test_a_kill_at_any_step_leaves_the_old_rows_or_the_new(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def work(_: Any) -> None:
        write(out, 2)

    steps, num_absent, seen = 0, 0, set()
    while True:
        write(out, 1)
        assert [path.name for path in tmp_path.iterdir()] == ["out"]  # what the kill left is gone
        has_ended = die_after(steps, work)
        if out.exists():
            found = values(out)
            assert found in ([1] * NUM_PARTS, [2] * NUM_PARTS), steps
            assert (out / "_SUCCESS").exists()
            seen.add((found[0], has_ended))
        else:
            num_absent += 1
        if has_ended:
            break
        steps += 1
    assert steps > 12
    assert seen == {(1, False), (2, False), (2, True)}
    assert 0 < num_absent < 4  # between two renames; the next write put the old one back


def test_an_old_data_set_that_a_kill_left_aside_is_put_back(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, 1)
    out.rename(tmp_path / f"{hidden_prefix(out)}{'0' * 32}-old")
    with pytest.raises(OptionError, match="overwrite=True"):
        write(out, 2, overwrite=False)
    assert values(out) == [1] * NUM_PARTS


class Steps:
    """A file system that calls a function before each request."""

    def __init__(self, system: fs.FileSystem, step: Any) -> None:
        self._system, self._step = system, step

    def __getattr__(self, name: str) -> Any:
        self._step()
        return getattr(self._system, name)


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [True, False])
def test_without_a_swap_no_reader_finds_rows_of_both(tmp_path: Path, is_killed: bool) -> None:
    """As on S3: the old files go before the new ones come."""
    out = tmp_path / "out"
    in_place = patch.object(data_set, "_can_be_swapped", return_value=False)
    local = fs.LocalFileSystem()

    def work(step: Any) -> None:
        def wrapped(location: Location) -> tuple[Any, str]:
            return Steps(local, step), location.path

        table = pa.table({"value": [2]})
        with (
            patch.object(data_set, "file_system", wrapped),
            staging(Location.parse(out), overwrite=True) as staged,
        ):
            names = [part_name(k) for k in range(NUM_PARTS)]
            for name in names:
                pq.write_table(table, f"{out}/{staged.name}/{name}")
            staged.commit(names)

    def fail_after(steps: int) -> bool:
        left = [steps]

        def step() -> None:
            left[0] -= 1
            if left[0] == -1:  # the disk is full for a moment
                raise OSError(28, "No space left on device")

        try:
            work(step)
        except OSError:
            return False
        return True

    steps, seen = 0, set()
    with in_place:
        while True:
            write(out, 1)
            assert values(out) == [1] * NUM_PARTS
            assert len([*out.iterdir()]) == NUM_PARTS + 2
            has_ended = die_after(steps, work) if is_killed else fail_after(steps)
            parts = [*out.glob("part-*")]
            found = {pq.read_table(path).column("value")[0].as_py() for path in parts}
            assert len(found) < 2, steps
            if (out / "_SUCCESS").exists():
                assert len(parts) == NUM_PARTS
                seen |= found
            if has_ended:
                break
            steps += 1
    assert seen == {1, 2}
    assert steps > 15


@pytest.mark.parametrize("can_be_swapped", [True, False])
@pytest.mark.parametrize("has_data_set", [True, False])
@pytest.mark.parametrize(
    "foreign", ["notes.txt", "part-00000.parquet", "_x", "d/f", "_SUCCESS.txt"]
)
def test_a_folder_with_files_of_others_is_refused(
    tmp_path: Path, can_be_swapped: bool, has_data_set: bool, foreign: str
) -> None:
    out = tmp_path / "out"
    with patch.object(data_set, "_can_be_swapped", return_value=can_be_swapped):
        if has_data_set:
            write(out, 1)
        (out / foreign).parent.mkdir(exist_ok=True, parents=True)
        (out / foreign).write_bytes(b"of another")
        before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
        with pytest.raises(
            OptionError, match=r"expected an empty folder or .* remove them yourself"
        ):
            write(out, 2)
    assert before == {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}


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


def test_a_run_of_a_task_that_goes_on_after_the_job_adds_no_rows(tmp_path: Path) -> None:
    """As a second run of a slow task, which Spark tells to end when the first has ended."""
    out = tmp_path / "out"
    places, errors = list[Path](), list[OSError]()

    def late(path: Path) -> None:
        try:
            pq.write_table(pa.table({"value": [7]}), places[-1] / part_name(9))
        except OSError as error:
            errors.append(error)
        sync(path)

    with patch.object(data_set, "sync", late):
        for value in (1, 2):  # a new data set, and one in the place of another
            with staging(Location.parse(out), overwrite=True) as staged:
                places.append(tmp_path / staged.name)
                name = part_name(0)
                pq.write_table(pa.table({"value": [value]}), places[-1] / name)
                staged.commit([name])
            assert values(out) == [value]
            assert [*tmp_path.iterdir()] == [out]
    assert {type(error) for error in errors} == {FileNotFoundError}


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for value in (1, 2):
        write(tmp_path / "link", value)
    assert (tmp_path / "link").is_symlink()
    assert values(tmp_path / "real") == [2] * NUM_PARTS


def test_the_working_folder_stays_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    number = tmp_path.stat().st_ino
    for value in (1, 2):
        write(".", value)
    assert tmp_path.stat().st_ino == number
    assert values(tmp_path) == [2] * NUM_PARTS


def test_a_write_that_runs_is_left_alone_by_others(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with staging(Location.parse(out), overwrite=True) as first:
        name = part_name(0)
        pq.write_table(pa.table({"value": [3]}), tmp_path / first.name / name)
        write(out, 1)
        assert values(out) == [1] * NUM_PARTS
        first.commit([name])
    assert values(out) == [3]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
