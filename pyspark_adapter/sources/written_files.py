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


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, replaces: bool, lasts: bool = True
) -> Iterator[BinaryIO]:
    """Give a file to write; it takes its place when the body has ended without an error.

    Until then, and after an error or a kill, the path holds what it held before. A link is
    followed, and what it points to is replaced; the permissions stay. A kill may leave a hidden
    file `.mysql-binlog-*.part` in the folder, which the next write of the same file removes.
    Pipes, devices and `/dev/stdout` are written as the body goes.

    Args:
        path: of the file.
        replaces: whether a file that is there is replaced.
        lasts: whether it is there after a power failure once it has its place.

    Raises:
        FileExistsError: if there is a file that is not replaced, at the start or at the end.
        OSError: if the file cannot be written, with its name.
    """
    try:
        target = _replaced_by(Path(path))
        if target is None:
            with Path(path).open("wb") as opened:
                yield opened
            return
        if target.exists():
            if not replaces:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            # A file that its owner wants to keep as it is may be in a folder that can be written.
            if not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        part, file = _begin(target)
        try:
            with file:
                if target.exists():
                    os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield file
                file.flush()
                if lasts:
                    os.fsync(file.fileno())
                _put(part, target, replaces=replaces)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
        with suppress(OSError):  # the file has its place
            if lasts:
                sync(target.parent)
    except OSError as error:
        if not isinstance(error, BinlogError):
            error.filename = os.fspath(path)
            error.filename2 = None
        raise


def existing_file(path: str | os.PathLike[str]) -> Path | None:
    """Return the file that `whole_file` would replace; None if there is none."""
    target = _replaced_by(Path(path))
    return target if target is not None and target.exists() else None


def _replaced_by(path: Path) -> Path | None:
    """Return the file that is to be replaced, without links; None for what cannot be replaced."""
    for _ in range(40):  # as many links as Linux follows
        folder = Path(os.path.realpath(path.parent))
        # An open file of a process; a new file in its place would not be that of the shell.
        if str(folder) == "/dev" or folder.is_relative_to("/proc"):
            return None
        if not path.is_symlink():
            break
        path = folder / path.readlink()
    else:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if path.exists() and not path.is_file():
        return None
    return folder / path.name


def _begin(target: Path) -> tuple[Path, BinaryIO]:
    """Return a new file next to another, locked; what dead writers of that left is removed."""
    _remove_left(target)
    while True:
        part = target.with_name(f"{hidden_prefix(target)}{uuid4().hex}.part")
        file = part.open("xb")
        try:
            # As long as it is open, others leave it.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # another writer takes it for one that was left
            file.close()
            continue
        except OSError:  # file systems without locks
            return part, file
        if _is_at(part, file.fileno()):
            return part, file
        file.close()


def _remove_left(target: Path) -> None:
    """Remove what killed writers of a file left next to it."""
    for part in hidden_next_to(target, rf"{RANDOM}\.part"):
        with suppress(OSError):  # of another user, or it is being written
            number = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if stat.S_ISREG(os.fstat(number).st_mode) and _is_at(part, number):
                    part.unlink()
            finally:
                os.close(number)


def _is_at(path: Path, number: int) -> bool:
    """Return whether an open file is still the one at a path."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(number))
    except FileNotFoundError:
        return False


def _put(part: Path, target: Path, *, replaces: bool) -> None:
    """Give a file its name."""
    if not replaces:
        try:
            os.link(part, target)  # never replaces one that came meanwhile
        except FileExistsError:
            raise
        except OSError as error:  # file systems without hard links
            if target.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        else:
            with suppress(OSError):  # the next write removes it
                part.unlink()
            return
    part.replace(target)


def hidden_prefix(path: Path) -> str:
    """Return how the names begin of what this package writes next to a file or folder.

    The length is fixed: with the name of the file in it, a name could be too long.
    """
    return f".mysql-binlog-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"


def hidden_next_to(path: Path, pattern: str) -> list[Path]:
    """Return what has a name of this package next to a file or folder.

    Args:
        path: of the file or folder.
        pattern: of the names, after the prefix.
    """
    names = re.compile(re.escape(hidden_prefix(path)) + pattern)
    try:
        with os.scandir(path.parent) as entries:
            return [path.parent / entry.name for entry in entries if names.fullmatch(entry.name)]
    except PermissionError:  # a folder that can be written and not listed
        return []


def sync(path: Path) -> None:
    """Let a file, or the names in a folder, last through a power failure.

    Raises:
        OSError: if that fails, or there is no such file.
    """
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems that cannot
            raise
    finally:
        os.close(number)


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
