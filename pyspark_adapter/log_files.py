"""Which files are read, and in which order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark_adapter.errors import EventSite, LogFileError, NotABinlogError, UnsupportedError

MAGIC: Final = b"\xfebin"
ENCRYPTED_MAGIC: Final = b"\xfdbin"


@dataclass(frozen=True)
class LogFile:
    """A binary log.

    Attributes:
        path: where it lies.
        name: its name, as the server gave it.
        number: the number at the end of the name; 0 if there is none.
        num_bytes: its size when it was found.
    """

    path: str
    name: str
    number: int
    num_bytes: int


def find_log_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> list[LogFile]:
    """Return the logs that paths name.

    A file is taken as it is. Of a directory all files are taken that begin as a binary log does, in
    the order of the numbers in their names; others (index files, state files, GTID indexes) are
    left out.

    Args:
        paths: one path or several; each a file or a directory, or a `file:` URI of one.

    Raises:
        LogFileError: if a path does not exist or cannot be read, or a directory holds no log.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    found: list[LogFile] = []
    for path in map(_local_path, paths):
        try:
            if path.is_dir():
                found += _logs_in(path)
            else:
                found.append(_describe(path))
        except OSError as error:
            raise LogFileError(_reason(error), site=EventSite(str(path))) from error
    if not found:
        raise LogFileError("expected the path of a log file or of a directory with some, got none")
    return found


def _local_path(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if match := re.match(r"file:(?://(?:localhost)?)?(/.*)", text):
        text = match[1]
    elif match := re.match(r"([a-zA-Z][a-zA-Z0-9+.-]+)://", text):
        raise UnsupportedError(f"files of {match[1]}: expected a local path", site=EventSite(text))
    return Path(text).absolute()


def _describe(path: Path) -> LogFile:
    number = re.search(r"\.(\d+)$", path.name)
    return LogFile(str(path), path.name, int(number[1]) if number else 0, path.stat().st_size)


def _logs_in(directory: Path) -> list[LogFile]:
    logs = [
        _describe(path)
        for path in directory.iterdir()
        if path.is_file() and _first_bytes(path) in (MAGIC, ENCRYPTED_MAGIC)
    ]
    if not logs:
        raise LogFileError(
            "expected a directory with binary logs, found no file that begins as one",
            site=EventSite(str(directory)),
        )
    return sorted(logs, key=lambda log: (re.sub(r"\.\d+$", "", log.name), log.number, log.name))


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(MAGIC))


def _reason(error: OSError) -> str:
    return f"cannot be read: {error.strerror or error}"


def check_magic(log_file: LogFile, magic: bytes) -> None:
    """Check the first bytes of a file.

    Raises:
        NotABinlogError: if they are not those of a binary log.
        UnsupportedError: if they are those of an encrypted one.
    """
    site = EventSite(log_file.name)
    if magic == ENCRYPTED_MAGIC:
        raise UnsupportedError(
            "the log is encrypted (binlog_encryption=ON, MySQL 8.0.14 and later) and cannot be read"
            " without its key",
            site=site,
        )
    if magic != MAGIC:
        found = f"found {magic.hex(' ')}" if magic else "the file is empty"
        raise NotABinlogError(f"expected the bytes {MAGIC.hex(' ')} first, {found}", site=site)
