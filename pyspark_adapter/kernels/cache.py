"""Where compiled kernels are kept between processes.

numba recognises a stale cache by the source file of the kernel alone, and not by those of the
functions that the kernel calls. So all sources together name the folder.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

_NAME = "mysql-binlog-spark"


def sources_digest() -> str:
    """Return a short text that changes with what the compiled kernels depend on.

    That is the sources of the kernels, the releases of Python and numba, and whether all accesses
    are checked (`NUMBA_BOUNDSCHECK`), of which numba itself takes no note.
    """
    is_checked = os.environ.get("NUMBA_BOUNDSCHECK", "")
    # Not from numba itself: its import takes longer than all else that a job plans.
    digest = hashlib.sha256(f"{sys.version} {version('numba')} {is_checked}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return a folder that can be written, made if need be.

    The first that can be had of: `NUMBA_CACHE_DIR`, the folder of this package, the user's cache
    folder, a folder of the user's own among the temporary files, and as the last resort a new one
    for this process alone.
    """
    digest = sources_digest()
    for base in _bases():
        folder = base / digest
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix=_NAME))


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
