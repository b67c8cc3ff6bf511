"""Binary logs as files: their names, their first bytes, and how they are opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    LogFileError,
    NotABinlogError,
    UnsupportedError,
)
from pyspark_adapter.inputs.archives import LEN_MAGIC, ArchiveReader, compression_of, log_name
from pyspark_adapter.inputs.locations import Location
from pyspark_adapter.inputs.storage import (
    StoredBytes,
    StoredFile,
    open_location,
    read_start,
    read_up_to,
)

if TYPE_CHECKING:
    from pyspark_adapter.live.server import LiveServer

MAGIC: Final = b"\xfebin"
ENCRYPTED_MAGIC: Final = b"\xfdbin"


@dataclass(frozen=True)
class LogFile:
    """A binary log.

    Attributes:
        path: where it lies: an absolute path, or a URI; of a running server, text for people.
        name: its name, as the server gave it.
        number: the number at the end of the name; 0 if there is none.
        num_bytes: size of the file when it was found.
        compression: format of the archive that it is in, as `compression_of` names it; else empty.
        server: that it is read from, if it is no file; not shown, since it has a password.
    """

    path: str
    name: str
    number: int
    num_bytes: int
    compression: str = ""
    server: LiveServer | None = field(default=None, repr=False)


def describe_log(file: StoredFile) -> LogFile:
    """Return a file as a log, whatever it is; a look at its first bytes tells its compression.

    A pipe, which has no size, can be read but once: its bytes are left alone.

    Raises:
        OSError: if it cannot be read.
    """
    start = read_start(file.location, LEN_MAGIC) if file.num_bytes else b""
    return _describe(file, compression_of(start))


def describe_if_log(file: StoredFile) -> LogFile | None:
    """Return a file as a log if it begins as one, or is an archive of what does; else None.

    Raises:
        TruncatedEventError, CorruptEventError: for an archive that cannot be read so far.
        OSError: if it cannot be read.
    """
    start = read_start(file.location, LEN_MAGIC)
    log_file = _describe(file, compression_of(start))
    if log_file.compression:
        opened = open_log(log_file)
        try:
            start = read_up_to(opened, len(MAGIC))
        finally:
            opened.close()
    return log_file if start.startswith((MAGIC, ENCRYPTED_MAGIC)) else None


def _describe(file: StoredFile, compression: str) -> LogFile:
    name = log_name(file.name) if compression else file.name
    return LogFile(str(file.location), name, log_number(name), file.num_bytes, compression)


def log_number(name: str) -> int:
    """Return the number at the end of the name of a log; 0 if there is none."""
    number = re.search(r"\.(\d+)$", name)
    return int(number[1]) if number else 0


def open_log(log_file: LogFile) -> StoredBytes | ArchiveReader:
    """Open a log; what is read of it is decompressed.

    Raises:
        UnsupportedError: if there is no library for its storage.
        OSError: if it cannot be opened.
    """
    if log_file.server is not None:
        return log_file.server.open(log_file)
    file = open_location(Location.parse(log_file.path))
    return ArchiveReader(file, log_file.compression) if log_file.compression else file


@contextmanager
def reading(log_file: LogFile) -> Iterator[None]:
    """Tell what a storage raises while a log is opened or read, as an error of ours.

    Raises:
        LogFileError: in place of an OSError.
    """
    try:
        yield
    except BinlogError:
        raise
    except OSError as error:
        site = EventSite(log_file.name)
        raise LogFileError(f"cannot be read: {error.strerror or error}", site=site) from error


def check_magic(log_file: LogFile, magic: bytes) -> None:
    """Check the first bytes of a log.

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
