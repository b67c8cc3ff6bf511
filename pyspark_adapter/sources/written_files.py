"""Files that are written whole or not at all, and the folder of temporary files."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final
from uuid import uuid4

from pyspark_adapter.errors import BinlogError

# In names of this package, as a regular expression.
RANDOM: Final = r"[0-9a-f]{32}"
_CANNOT_SYNC: Final = (errno.EINVAL, errno.ENOTSUP, errno.EACCES)


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, replaces: bool, lasts: bool = True
) -> Iterator[BinaryIO]:
    """Yield a file to write, which takes its place when the body ends without an error.

    Until then, and after an error or a kill, the path holds what it held before. A link is
    followed, and its target is replaced; the permissions stay. A kill may leave a hidden file
    `.mysql-binlog-*.part` in the folder, which the next write of the same file removes. Pipes,
    devices and open files of the shell (`/dev/stdout`) are appended to while the body runs.

    Args:
        replaces: whether an existing file is replaced.
        lasts: whether the file survives a power failure once it has its place.

    Raises:
        FileExistsError: if there is a file and `replaces` is false.
        OSError: if the file cannot be written, with its name.
    """
    try:
        target, is_open = _target_of(Path(path))
        if is_open or (target.exists() and not target.is_file()):
            with target.open("ab") as opened:
                yield opened
            return
        _check_replaced(target, replaces=replaces)
        # The folder may be writable where its owner has protected the file.
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with _new_part(target) as file:
            yield file
            file.flush()
            if lasts:
                os.fsync(file.fileno())
            _check_replaced(target, replaces=replaces)
            Path(file.name).replace(target)
        if lasts:
            sync(target.parent)
    except OSError as error:
        if not isinstance(error, BinlogError):
            error.filename = os.fspath(path)
            error.filename2 = None
        raise


def existing_file(path: str | os.PathLike[str]) -> Path | None:
    """Return the file that `whole_file` would replace; None if there is none."""
    target, is_open = _target_of(Path(path))
    return target if not is_open and target.is_file() else None


def _target_of(path: Path) -> tuple[Path, bool]:
    """Return a path without links, and whether it is an open file of a process."""
    for _ in range(40):  # as many links as Linux follows
        folder = Path(os.path.realpath(path.parent))
        # Another file in its place would not be the one that the shell has opened.
        if folder.is_relative_to("/proc"):
            return path, True
        if not path.is_symlink():
            return folder / path.name, False
        path = folder / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _check_replaced(target: Path, *, replaces: bool) -> None:
    if not replaces and target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


@contextmanager
def _new_part(target: Path) -> Iterator[BinaryIO]:
    """Yield a new file next to another, with its permissions; an error removes it."""
    with locked(target.parent):  # else a new file could be taken for one that a kill left
        for left in hidden_next_to(target, rf"{RANDOM}\.part"):
            # It is locked while it is written.
            with suppress(OSError), left.open("ab") as new:
                fcntl.flock(new, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
        part = target.with_name(f"{hidden_prefix(target)}{uuid4().hex}.part")
        file = part.open("xb")
        with suppress(OSError):  # file systems without locks
            fcntl.flock(file, fcntl.LOCK_EX)
    try:
        with file:
            if target.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            yield file
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let no other process of this machine begin or end a write in a folder."""
    try:
        number = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that can be written and not listed
        yield
        return
    try:
        with suppress(OSError):  # file systems without locks
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def hidden_prefix(path: Path) -> str:
    """Return the prefix of the hidden names that this package uses next to a file or folder.

    Its length is fixed: with the name of the file in it, a name could be too long.
    """
    return f".mysql-binlog-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"


def hidden_next_to(path: Path, pattern: str) -> list[Path]:
    """Return the hidden files and folders of this package next to a file or folder."""
    names = re.compile(re.escape(hidden_prefix(path)) + pattern)
    try:
        with os.scandir(path.parent) as entries:
            return [path.parent / entry.name for entry in entries if names.fullmatch(entry.name)]
    except PermissionError:  # a folder that can be written and not listed
        return []


def sync(path: Path) -> None:
    """Make a file, or the names in a folder, survive a power failure; raises OSError."""
    try:
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:  # not every file system syncs folders
            raise


@contextmanager
def temporary_space() -> Iterator[None]:
    """Raise errors of temporary files in the body with their folder, and how to choose another.

    Raises:
        BinlogError: in the place of an OSError.
    """
    try:
        yield
    except BinlogError:
        raise
    except OSError as error:
        try:
            folder = f"temporary folder {tempfile.gettempdir()}"
        except OSError:  # its text names those that were tried
            folder = "temporary folder"
        raise BinlogError(
            f"{folder}: cannot be written: {error.strerror or error}",
            advice="choose a folder with more space by the environment variable TMPDIR",
        ) from error
