"""Opens files that this package expects to be its own, and no pipe or device in their place."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

_KINDS: Final = {
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFDIR: "folder",
}


def check_own(path: Path) -> None:
    """Check that there is nothing at the path of a file of this package but a file.

    Raises:
        OSError: for a link, and what would not give its bytes or would wait for them: a pipe, a
            socket, a device, a folder.
    """
    with suppress(FileNotFoundError):
        _check_regular(path.lstat(), path)


def open_own(path: str | os.PathLike[str], flags: int = os.O_RDONLY) -> int:
    """Open a file of this package and return its descriptor, as an `opener`; never waits.

    Raises:
        OSError: as `check_own`, and if it cannot be opened.
    """
    check_own(Path(path))
    number = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    try:
        _check_regular(os.fstat(number), path)
    except OSError:
        os.close(number)
        raise
    return number


def has_text(path: str | os.PathLike[str], text: re.Pattern[bytes], num_bytes: int) -> bool:
    """Return whether the first bytes of a file are all of a text; raises as `open_own`."""
    with open(path, "rb", opener=open_own) as file:
        return text.fullmatch(file.read(num_bytes)) is not None


def _check_regular(found: os.stat_result, path: str | os.PathLike[str]) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "device")
        reason = f"is a {kind}: expected a file of this package, or none; move it away"
        raise OSError(errno.EEXIST, reason, os.fspath(path))
