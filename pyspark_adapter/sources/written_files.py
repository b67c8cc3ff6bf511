"""Files that are written whole or not at all, and the folder of temporary files."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final
from uuid import uuid4

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.own_files import check_own, open_own

# In names of this package, as a regular expression.
RANDOM: Final = r"[0-9a-f]{32}"

# Of Linux: what renameat2 does with a name that is there.
RENAME_EXCHANGE: Final = 2
_RENAME_NOREPLACE: Final = 1
_FD: Final = "/proc/self/fd/%d"
_AT_FDCWD: Final = -100

# Whether a file that is there may be replaced; asked at the start, and again at the end.
MayReplace = Callable[[Path], bool]


@contextmanager
def whole_file(
    path: str | os.PathLike[str],
    *,
    replaces: bool | MayReplace,
    lasts: bool = True,
    is_own: bool = False,
) -> Iterator[BinaryIO]:
    """Give a file to write; it takes its place when the body has ended without an error.

    Until then, and after an error or a kill, the path holds what it held before. A link is
    followed, and what it points to is replaced; the permissions stay. A kill may leave a hidden
    file `.mysql-binlog-*.part` in the folder, which the next write of the same file removes.
    Pipes, devices and `/dev/stdout` are written as the body goes; what is in them stays. A disk is
    refused, and so is an open file that nobody has opened to write.

    Args:
        path: of the file.
        replaces: whether a file that is there is replaced. One that came meanwhile is asked for
            again; a link that came is never replaced.
        lasts: whether it is there after a power failure once it has its place.
        is_own: whether no user writes to it: then a pipe, socket, device or link is refused.

    Raises:
        FileExistsError: if there is a file that is not replaced, at the start or at the end.
        OSError: if the file cannot be written, with its name.
    """
    try:
        if is_own:
            check_own(Path(path))
        target, is_open = _target_of(Path(path))
        if is_open or (target.exists() and not target.is_file()):
            with _opened(target, is_open=is_open) as opened:
                yield opened
            return
        may_replace = replaces if callable(replaces) else lambda _: replaces
        if target.exists():
            if not may_replace(target):
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
                _put(part, target, may_replace)
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
    target, is_open = _target_of(Path(path))
    return target if not is_open and target.is_file() else None


def _target_of(path: Path) -> tuple[Path, bool]:
    """Return a path without links, and whether it is an open file of a process."""
    for _ in range(40):  # as many links as Linux follows
        folder = Path(os.path.realpath(path.parent))
        # A new file in the place of one that is open would not be that of the shell.
        if folder.is_relative_to("/proc"):
            return path, True
        if not path.is_symlink():
            return folder / path.name, False
        with suppress(FileNotFoundError):
            os.stat(path)  # noqa: PTH116 - raises where the system does not follow links of others
        path = folder / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _opened(path: Path, *, is_open: bool) -> BinaryIO:
    """Return what cannot be replaced, to write at its end: that of a shell's `>> file`."""
    flags = os.O_WRONLY | os.O_APPEND | (0 if is_open else os.O_NOFOLLOW)
    file = open(os.open(path, flags), "wb")  # noqa: PTH123, SIM115 - a number
    kind = os.fstat(file.fileno()).st_mode
    # A file may come in the place of a pipe; a disk has no end to write at.
    if stat.S_ISBLK(kind) or (stat.S_ISREG(kind) and not (is_open and _is_to_write(path))):
        file.close()
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    return file


def _is_to_write(path: Path) -> bool:
    """Return whether a file that is open was opened to be written, and not as `<` of a shell."""
    folder = Path(os.path.realpath(path.parent)).with_name("fdinfo")
    try:
        found = re.search(r"^flags:\s*([0-7]+)$", (folder / path.name).read_text(), re.MULTILINE)
    except OSError:  # other files in `/proc`
        return False
    return found is not None and int(found[1], 8) & os.O_ACCMODE != os.O_RDONLY


def _begin(target: Path) -> tuple[Path, BinaryIO]:
    """Return a new file next to another, locked; what dead writers of that left is removed."""
    remove_left(target)
    with suppress(AttributeError, OSError):  # not Linux, and other file systems
        # Without a name at first: no kill leaves a file whose name proves nothing.
        number = os.open(target.parent, os.O_WRONLY | os.O_TMPFILE, 0o666)
        # With a folder, which an absolute path does without, the link is followed.
        return _named(target, number, lambda part: os.link(_FD % number, part, src_dir_fd=number))
    first = target.with_name(f"{hidden_prefix(target)}{uuid4().hex}.part")
    number = os.open(first, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        return _named(target, number, first.rename)
    except BaseException:
        first.unlink(missing_ok=True)
        raise


def _named(target: Path, number: int, name_it: Callable[[Path], object]) -> tuple[Path, BinaryIO]:
    """Lock an open file that has no name next to another yet, and give it one."""
    file = open(number, "wb")  # noqa: SIM115 - a number
    try:
        with suppress(OSError):  # file systems without locks
            # As long as it is open, others leave it.
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part = target.with_name(_part_name(target, uuid4().hex[:16], os.fstat(number).st_ino))
        name_it(part)
    except BaseException:
        file.close()
        raise
    return part, file


def _part_name(target: Path, salt: str, number: int) -> str:
    """Return the name of a file of this package next to another, which proves that it is.

    A copy of the file, or another of the same name, has another number on its file system.

    Args:
        target: the file that it becomes.
        salt: 16 hexadecimal digits.
        number: of the file on its file system.
    """
    proof = hashlib.sha256(f"mysql-binlog-spark {salt} {number}".encode()).hexdigest()[:16]
    return f"{hidden_prefix(target)}{salt}{proof}.part"


def remove_left(target: Path) -> None:
    """Remove what killed writers of a file left next to it; its name proves that it is theirs."""
    for part in hidden_next_to(target, rf"{RANDOM}\.part"):
        with suppress(OSError):  # of another user, or it is being written
            number = open_own(part)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                salt = part.name.removeprefix(hidden_prefix(target))[:16]
                found = os.fstat(number)
                is_ours = part.name == _part_name(target, salt, found.st_ino)
                if is_ours and stat.S_ISREG(found.st_mode) and is_at(part, number):
                    part.unlink()
            finally:
                os.close(number)


def is_at(path: Path, number: int) -> bool:
    """Return whether an open file is still the one at a path."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(number))
    except FileNotFoundError:
        return False


def _put(part: Path, target: Path, may_replace: MayReplace) -> None:
    """Give a file its name."""
    try:
        _put_new(part, target)
    except FileExistsError:
        if target.is_symlink() or not may_replace(target):
            raise
        part.replace(target)


def _put_new(part: Path, target: Path) -> None:
    """Give a file its name, unless there is one of that name."""
    try:
        renameat2(part, target, _RENAME_NOREPLACE)
    except FileExistsError:
        raise
    except OSError:  # other file systems
        try:
            os.link(part, target)
        except FileExistsError:
            raise
        except OSError as error:  # file systems without hard links, which have no such step
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
            part.replace(target)
        else:
            with suppress(OSError):  # the next write removes it
                part.unlink()


def renameat2(first: Path, second: Path, flags: int) -> None:
    """Rename a file or folder as the flags say.

    Raises:
        OSError: if it fails; ENOSYS, EINVAL or ENOTSUP where there is no such step.
    """
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:  # not Linux
        number = errno.ENOSYS
    else:
        names = os.fsencode(first), _AT_FDCWD, os.fsencode(second)
        if call(_AT_FDCWD, *names, flags) == 0:
            return
        number = ctypes.get_errno()
    raise OSError(number, os.strerror(number), str(second))


def remove_files(
    folder: Path, names: Callable[[str], object], key: Callable[[str], Any] = str
) -> list[str]:
    """Remove the files in a folder that have certain names.

    Links stay: neither a file nor the folder is followed.

    Args:
        folder: it stays.
        names: whether a file of that name is removed.
        key: sorts the names.

    Returns:
        The names that stay.

    Raises:
        OSError: if it is no folder, or a file cannot be removed.
    """
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        kept: list[str] = []
        for name in sorted(os.listdir(number), key=key):  # noqa: PTH208
            with suppress(FileNotFoundError):
                found = os.stat(name, dir_fd=number, follow_symlinks=False)
                if stat.S_ISREG(found.st_mode) and names(name):
                    os.unlink(name, dir_fd=number)
                else:
                    kept.append(name)
        return kept
    finally:
        os.close(number)


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
