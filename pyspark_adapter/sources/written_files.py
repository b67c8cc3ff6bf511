"""Files that are written whole or not at all, and the folder of temporary files."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from pyspark_adapter.errors import BinlogError


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Give a file to write; it takes its place when the body has ended without an error.

    Until then, and after an error or a kill, the path holds what it held before. A link is
    followed, and what it points to is replaced; the permissions stay. A kill may leave a file
    `.mysql-binlog-*.part` in the folder. Pipes, devices and `/dev/stdout` are written as the body
    goes.

    Raises:
        OSError: if the file cannot be written, with its name.
    """
    try:
        target = _replaced_by(Path(path))
        if target is None:
            with Path(path).open("wb") as file:
                yield file
            return
        part = target.with_name(f".mysql-binlog-{uuid4().hex}.part")
        try:
            with part.open("xb") as file:
                if target.exists():
                    os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
    except OSError as error:
        if not isinstance(error, BinlogError):
            error.filename = os.fspath(path)
            error.filename2 = None
        raise


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
    if path.exists() and not path.is_file():
        return None
    return folder / path.name


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
