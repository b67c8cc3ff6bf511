"""The folder of a data set: where its files are staged, and how they replace those of before."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from uuid import uuid4

from pyarrow import fs

from pyspark_adapter.options.checks import refuse
from pyspark_adapter.sources.arrow_storage import file_system, make_folder
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.ownership import (
    DATA_SET,
    MARKER,
    Owner,
    own_names,
    owner_of,
    taken,
    write_owner,
)
from pyspark_adapter.sources.written_files import (
    RANDOM,
    hidden_next_to,
    hidden_prefix,
    locked,
    sync,
)

SUCCESS: Final = "_SUCCESS"
_PART: Final = re.compile(rf"part-[0-9]{{5,}}-{RANDOM}\.parquet")
_TEMPORARY: Final = re.compile(rf"_temporary-{RANDOM}")
_OWN: Final = re.compile(f"{_PART.pattern}|{_TEMPORARY.pattern}")


def part_name(number: int) -> str:
    """Return a name for a file of a data set that no other has."""
    return f"part-{number:05d}-{uuid4().hex}.parquet"


@dataclass(frozen=True)
class Staging:
    """Where the files of a data set are written before they are its own.

    Attributes:
        folder: of the staging folder.
        name: of the staging folder, which takes the files.
        target: the folder of the data set.
    """

    folder: Location
    name: str
    target: Location

    def commit(self, names: Sequence[str]) -> None:
        """Replace the data set by files that were written; raises OSError."""
        if self.folder == self.target:
            _move(self, names)
        else:
            _swap(self, names)


@contextmanager
def staging(target: Location, *, overwrite: bool) -> Iterator[Staging]:
    """Yield a place for the files of a data set; it is removed at the end.

    What killed runs left there is removed, too.

    Raises:
        OptionError: if the folder is not empty and `overwrite` is false, or if it holds files of
            others; for a URI with `..` in its path.
        OSError: if the folder cannot be written.
    """
    stage = _staged_within
    if target.is_local:
        target = replace(target, path=os.path.realpath(target.path))
        Path(target.path).parent.mkdir(parents=True, exist_ok=True)
        if _can_be_swapped(Path(target.path)):
            stage = _staged_beside
    elif not target.is_plain:
        raise refuse("out", target.shown, "a path without empty parts, `.` and `..`")
    with stage(target, overwrite=overwrite) as staged:
        yield staged


def _can_be_swapped(path: Path) -> bool:
    if not os.access(path.parent, os.W_OK) or path.is_mount():
        return False
    if not path.exists():
        return True
    # The working folder of a shell would be the old one for ever.
    return path.stat().st_dev == path.parent.stat().st_dev and path != Path.cwd()


def _check(target: Location, *, overwrite: bool) -> None:
    """Raise an error if a folder may not be replaced."""
    system, at = file_system(target)
    if system.get_file_info(at).type == fs.FileType.File:
        raise NotADirectoryError(errno.ENOTDIR, "there is a file of that name")
    if target.is_local and Path(at).is_dir() and not os.access(at, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), at)
    names = system.get_file_info(fs.FileSelector(at, allow_not_found=True))
    if names and not overwrite:
        raise refuse("out", target.shown, "an empty or new folder, or overwrite=True")
    for name in own_names(target, DATA_SET, option="out"):
        if name not in (MARKER, SUCCESS) and not _OWN.fullmatch(name):
            raise taken(target, name, "or nothing but files of this package", "out")


@contextmanager
def _staged_beside(target: Location, *, overwrite: bool) -> Iterator[Staging]:
    """Stage the files in a sibling folder, which replaces the target by two renames."""
    path = Path(target.path)
    with locked(path.parent):
        _clean(path)
        _check(target, overwrite=overwrite)
        staged = path.with_name(f"{hidden_prefix(path)}{uuid4().hex}")
        staged.mkdir()
        try:
            write_owner(fs.LocalFileSystem(), str(staged), Owner(DATA_SET))
        except OSError:
            staged.rmdir()
            raise
        lock = os.open(staged / MARKER, os.O_RDONLY)  # while it is held, others leave the folder
        with suppress(OSError):  # file systems without locks
            fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield Staging(target.parent, staged.name, target)
    finally:
        os.close(lock)
        shutil.rmtree(staged, ignore_errors=True)


def _clean(path: Path) -> None:
    """Remove what killed runs left next to a folder, or put it back if it is all there is."""
    for left in hidden_next_to(path, rf"{RANDOM}(-old)?"):
        # Otherwise it is being written, or there are no locks to tell.
        with suppress(OSError), (left / MARKER).open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not left.name.endswith("-old") or owner_of(fs.LocalFileSystem(), str(path)):
                shutil.rmtree(left)
            elif not path.exists():
                left.rename(path)


def _swap(staged: Staging, names: Sequence[str]) -> None:
    """Replace the target by the staging folder."""
    target = Path(staged.target.path)
    # Tasks that Spark has given up may still run: without the folder they write no more files.
    new = target.with_name(f"{hidden_prefix(target)}{uuid4().hex}")
    target.with_name(staged.name).rename(new)
    try:
        for path in [*new.iterdir()]:
            if path.name not in (MARKER, *names):  # of a task that Spark ran again
                path.unlink()
        (new / SUCCESS).touch()
        # So that a power failure leaves no files without content next to `_SUCCESS`.
        for name in (*names, SUCCESS, ""):
            sync(new / name)
        with locked(target.parent):
            old = _put(new, target)
            sync(target.parent)
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _put(new: Path, target: Path) -> Path | None:
    """Rename a folder to the target; return where the old folder is; None if there was none.

    Between the two renames there is no folder. After a kill there the next write puts it back.
    """
    old = None
    if target.exists():
        new.chmod(stat.S_IMODE(target.stat().st_mode))
    if target.exists() and any(target.iterdir()):
        old = new.with_name(f"{new.name}-old")
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old is not None:
            old.rename(target)
        raise
    return old


@contextmanager
def _staged_within(target: Location, *, overwrite: bool) -> Iterator[Staging]:
    """Stage the files in a folder within the target, which takes them one by one."""
    system, at = file_system(target)
    _check(target, overwrite=overwrite)
    for info in system.get_file_info(fs.FileSelector(at, allow_not_found=True)):
        if _TEMPORARY.fullmatch(info.base_name):  # of a run that was killed
            system.delete_dir(info.path)
    name = f"_temporary-{uuid4().hex}"
    make_folder(system, at)
    # First, so that a later run knows what a kill leaves.
    write_owner(system, at, Owner(DATA_SET))
    make_folder(system, f"{at}/{name}")
    try:
        yield Staging(target, name, target)
    finally:
        if system.get_file_info(f"{at}/{name}").type == fs.FileType.Directory:
            system.delete_dir(f"{at}/{name}")
        infos = system.get_file_info(fs.FileSelector(at))
        if [info.base_name for info in infos] == [MARKER]:
            system.delete_file(infos[0].path)


def _move(staged: Staging, names: Sequence[str]) -> None:
    """Replace the files of the target: first all old ones go, then the new ones come."""
    system, at = file_system(staged.target)

    old = system.get_file_info(fs.FileSelector(at, allow_not_found=True))
    # Without it first: readers know that the rows are not whole.
    for info in sorted(old, key=lambda info: info.base_name != SUCCESS):
        if info.base_name == SUCCESS or _PART.fullmatch(info.base_name):
            system.delete_file(info.path)
    for name in names:
        system.move(f"{at}/{staged.name}/{name}", f"{at}/{name}")
    with system.open_output_stream(f"{at}/{SUCCESS}", compression=None):
        pass
