"""Where compiled kernels are kept between processes.

numba recognises a stale cache by the source file of the kernel alone, and not by those of the
functions that the kernel calls. So all sources together name the folder.

It also finds a cache by the path of the source file. Where the package is read from an archive
(`spark-submit --py-files`, which puts it somewhere else for each job) there is no such file, and
numba is given copies of the sources, next to the compiled code.
"""

from __future__ import annotations

import contextlib
import grp
import hashlib
import inspect
import os
import pwd
import stat
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from pyspark_adapter.format import header
from pyspark_adapter.format.event_types import EVENT_TYPES
from pyspark_adapter.warn import warn

_NAME = "mysql-binlog-spark"
_WRITERS = stat.S_IWGRP | stat.S_IWOTH


def sources_digest() -> str:
    """Return a short text that changes with what the compiled kernels depend on.

    That is the sources of the kernels and where they lie, the releases of Python and numba, and
    whether all accesses are checked (`NUMBA_BOUNDSCHECK`), which numba itself ignores.
    """
    is_checked = os.environ.get("NUMBA_BOUNDSCHECK", "")
    # Not from numba itself: its import takes longer than all else that a job plans.
    digest = hashlib.sha256(f"{sys.version} {version('numba')} {is_checked}".encode())
    folder = _source_folder()
    if isinstance(folder, Path):  # else copies of them are next to the compiled code
        digest.update(os.fsencode(folder))
    paths: list[Path | zipfile.Path] = [*folder.iterdir()]
    # What the kernels take from elsewhere: constants, which are compiled in.
    digest.update(f"{EVENT_TYPES} {inspect.getsource(header)}".encode())
    for path in sorted(paths, key=lambda path: path.name):
        if path.name.endswith(".py"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _source_folder() -> Path | zipfile.Path:
    """Return the folder of this package, which may be within an archive."""
    folder = Path(__file__).parent
    for archive in folder.parents:
        if zipfile.is_zipfile(archive):
            return zipfile.Path(archive, f"{folder.relative_to(archive).as_posix()}/")
    return folder


def source_file(path: str, cache: Path) -> str:
    """Return a file with a source of this package: itself, or a copy in the cache.

    Args:
        path: of the source; there is no such file if it is in an archive.
        cache: the folder of `cache_folder`.
    """
    if Path(path).exists():
        return path
    copy = cache / "sources" / Path(path).name
    if not copy.exists():
        copy.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=cache, delete=False) as file:
            file.write((_source_folder() / copy.name).read_bytes())
        Path(file.name).replace(copy)  # other processes see all of it, or none
    return str(copy)


def cache_folder() -> Path:
    """Return a folder that can be written: the lasting one, or else a new one of this process."""
    return lasting_cache_folder() or Path(tempfile.mkdtemp(prefix=_NAME))


def lasting_cache_folder() -> Path | None:
    """Return a folder that can be written and that other processes find too, made if need be.

    The first usable one of `NUMBA_CACHE_DIR`, the folder of this package, the user's cache folder,
    and a folder of the user's own among the temporary files. None if none is. Loading a cache runs
    its code, so a folder that others can write is not taken: that is a warning.
    """
    digest = sources_digest()
    for base in _bases():
        folder = base / digest
        try:
            _make(folder)
            opened = writable_by_others(folder)
            if opened is None:
                with tempfile.TemporaryFile(dir=folder):
                    return folder
        except OSError:
            continue
        warn(
            f"the kernels are not kept in {folder}: other users can write {opened}, and what is"
            f" kept is code; expected `chmod go-w {opened}` and an owner that is you or root, or"
            " NUMBA_CACHE_DIR with a folder of your own"
        )
    return None


def _make(folder: Path) -> None:
    """Make a folder and its missing parents. Only the owner can write them, whatever the umask."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(mode=0o755, exist_ok=True)


def writable_by_others(folder: Path) -> Path | None:
    """Return the first of a folder and those above it that other users can change, or None.

    Root can, and so can the owner of the sources of this package. Within the folder of these
    sources nothing is asked but that it is no more open than they are.
    """
    sources = Path(__file__).parent.resolve()
    trusted = {0, os.getuid()}
    writers_of_sources = 0
    with contextlib.suppress(OSError):  # there is no such folder if it is in an archive
        found = sources.stat()
        trusted.add(found.st_uid)
        writers_of_sources = found.st_mode & _WRITERS
    folder = folder.resolve()
    for place in (folder, *folder.parents):
        if place == sources:
            return None
        found = place.stat()
        writers = found.st_mode & _WRITERS
        if sources in place.parents:
            writers &= ~writers_of_sources
        if writers == stat.S_IWGRP and _is_private_group(found.st_gid):
            writers = 0
        # Names in a sticky folder, such as /tmp, can be changed by their owners alone.
        if place != folder and found.st_mode & stat.S_ISVTX:
            writers = 0
        if writers or found.st_uid not in trusted:
            return place
    return None


def _is_private_group(gid: int) -> bool:
    """Return whether a group is that of this user alone, as many systems make one for each."""
    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return (
        gid == user.pw_gid and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
    )


def _bases() -> Iterator[Path]:
    if configured := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(configured) / _NAME
    yield Path(__file__).parent / "__pycache__"
    user_cache = os.environ.get("XDG_CACHE_HOME")
    if user_cache or "HOME" in os.environ:
        yield (Path(user_cache) if user_cache else Path.home() / ".cache") / _NAME
    private = _private_temporary_folder()
    if private is not None:
        yield private


def _private_temporary_folder() -> Path | None:
    """Return a folder that only this user can write, since loading a cache runs its code."""
    folder = Path(tempfile.gettempdir()) / f"{_NAME}-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if is_own and not found.st_mode & 0o077 else None
