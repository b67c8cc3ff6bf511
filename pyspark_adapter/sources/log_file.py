"""Binary logs as files: their names, their first bytes, and how they are opened."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Protocol

from pyspark_adapter.errors import EventSite, NotABinlogError, UnsupportedError
from pyspark_adapter.format.header import MAGIC as MAGIC
from pyspark_adapter.sources.archives import LEN_MAGIC, ArchiveReader, compression_of, log_name
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.open_storage import open_location, read_start
from pyspark_adapter.sources.storage import StoredBytes, StoredFile, read_up_to

ENCRYPTED_MAGIC: Final = b"\xfdbin"


class LogStore(Protocol):
    """What holds logs that are not files, such as a running server; hashable and picklable."""

    def open(self, log_file: LogFile, /) -> StoredBytes:
        """Open one of its logs for reading."""


@dataclass(frozen=True)
class LogFile:
    """A binary log.

    Attributes:
        path: an absolute path or a URI; for a log of a running server, text for messages.
        name: its name, as the server gave it.
        number: the number at the end of the name; 0 if there is none.
        num_bytes: size of the file when it was found.
        compression: format of the archive that it is in, as `compression_of` names it; else empty.
        server: what opens the log if it is not a file; not shown, since it has a password.
    """

    path: str
    name: str
    number: int
    num_bytes: int
    compression: str = ""
    server: LogStore | None = field(default=None, repr=False)

    @property
    def site(self) -> EventSite:
        """The log as the site of an error."""
        return EventSite(self.name)


def describe_log(file: StoredFile) -> LogFile:
    """Return a file as a log, whatever it is; its first bytes say how it is compressed.

    Files of size 0 are not opened: a pipe, which has no size, can be read only once.

    Raises:
        OSError: if it cannot be read.
    """
    start = read_start(file.location, LEN_MAGIC) if file.num_bytes else b""
    return _describe(file, compression_of(start))


def describe_if_log(file: StoredFile) -> LogFile | None:
    """Return a file as a log if it, or the content of the archive, begins as one; else None.

    Raises:
        TruncatedEventError, CorruptEventError: if the start of an archive cannot be read.
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
    """Open a log; archives are decompressed while they are read.

    Raises:
        UnsupportedError: if there is no library for its storage.
        OSError: if it cannot be opened.
    """
    if log_file.server is not None:
        return log_file.server.open(log_file)
    file = open_location(Location.parse(log_file.path))
    return ArchiveReader(file, log_file.compression) if log_file.compression else file


def check_magic(log_file: LogFile, magic: bytes) -> None:
    """Check the first bytes of a log.

    Raises:
        NotABinlogError: if they are not those of a binary log.
        UnsupportedError: if they are those of an encrypted one.
    """
    if magic == ENCRYPTED_MAGIC:
        raise UnsupportedError(
            "the log is encrypted (binlog_encryption=ON, MySQL 8.0.14 and later) and cannot be read"
            " without its key",
            site=log_file.site,
        )
    if magic != MAGIC:
        found = f"found {magic.hex(' ')}" if magic else "the file is empty"
        raise NotABinlogError(
            f"expected the bytes {MAGIC.hex(' ')} first, {found}", site=log_file.site
        )
