"""Binary logs as files: their names, first bytes and ciphers, and how they are opened."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from pyspark_adapter.errors import EventSite, as_log_file_error
from pyspark_adapter.format.header import LEN_HEADER, MAGIC
from pyspark_adapter.format.schema import event_type_name
from pyspark_adapter.sources.archives import LEN_MAGIC, ArchiveReader, compression_of, log_name
from pyspark_adapter.sources.encrypted_events import find_event_cipher
from pyspark_adapter.sources.encrypted_log import ENCRYPTED_MAGIC, find_log_cipher
from pyspark_adapter.sources.keyring import Keyring
from pyspark_adapter.sources.locations import Location, StoredBytes, StoredFile, read_up_to
from pyspark_adapter.sources.open_storage import open_location, read_start

# What `find_cipher` needs of a log: its format description and MariaDB's list of GTIDs, whose
# length grows with the number of replication domains.
LEN_START: Final = 1 << 16


class Cipher(Protocol):
    """Decrypts one log; hashable and picklable. Its text does not show the key.

    MySQL encrypts a log as a whole, MariaDB each of its events. The opened file has the
    bytes and the offsets that the log would have without encryption.
    """

    @property
    def len_header(self) -> int:
        """Bytes of the file before the log begins."""

    def open(self, file: StoredBytes, /) -> StoredBytes:
        """Return the decrypted bytes of a file that is at its start."""


def find_cipher(start: bytes, keyring: Keyring) -> Cipher | None:
    """Return the cipher of a log; None if it is not encrypted.

    Args:
        start: the first `LEN_START` bytes of the file, fewer if it is shorter.

    Raises:
        OptionError: if the keyring lacks the key, or has another one under its name.
        TruncatedEventError, CorruptEventError: if the start is cut or damaged.
        UnsupportedError: if there is no library for ciphers. All without a site.
    """
    if start.startswith(ENCRYPTED_MAGIC):
        return find_log_cipher(start, keyring)
    if start.startswith(MAGIC):
        return find_event_cipher(start, keyring)
    return None


# Of MariaDB's engine binlogs; `engine_pages` reads them.
ENGINE_MAGIC = b"\xfe\xfe\x0d\x01"
ENGINE_SUFFIX = ".ibb"
# Servers write a first event of about a hundred bytes.
_LEN_FIRST = 160


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
        num_bytes: size of the log when it was found, or of the archive that it is in.
        compression: format of the archive that it is in, as `compression_of` names it; else empty.
        server: what opens the log if it is not a file; not shown, since it has a password.
        cipher: what decrypts the log, if it is encrypted and there is a key; not shown.
        modified: time of the last change of the file, in seconds since 1970-01-01 UTC; None if its
            storage does not say.
        start: its first bytes when it was found, of a log that is neither packed nor encrypted.
    """

    path: str
    name: str
    number: int
    num_bytes: int
    compression: str = ""
    server: LogStore | None = field(default=None, repr=False)
    cipher: Cipher | None = field(default=None, repr=False)
    modified: float | None = field(default=None, repr=False, compare=False)
    start: bytes = field(default=b"", repr=False, compare=False)

    @property
    def site(self) -> EventSite:
        """The log as the site of an error."""
        return EventSite(self.name)

    def event_site(
        self, start_pos: int, type_code: int | None = None, inner_pos: int = -1
    ) -> EventSite:
        """Return the site of an event of the log, for errors."""
        name = "" if type_code is None else event_type_name(type_code)
        return EventSite(self.name, start_pos, name, inner_pos)

    @property
    def is_of_engine(self) -> bool:
        """Whether it is a file of MariaDB's engine binlog, whose groups have parts elsewhere."""
        return self.server is not None and self.name.endswith(ENGINE_SUFFIX)

    def with_size(self, file_size: int) -> LogFile:
        """Return the log as it is when its file has another size."""
        len_header = 0 if self.compression or self.cipher is None else self.cipher.len_header
        return replace(self, num_bytes=max(file_size - len_header, 0))


def describe_log(file: StoredFile, keyring: Keyring | None = None) -> LogFile:
    """Return a file as a log without checking that it is one; its first bytes tell its compression.

    Files of size 0 are not opened: a pipe, which has no size, can be read only once.

    Raises:
        OptionError: if the keyring lacks the key of an encrypted log.
        TruncatedEventError, CorruptEventError: if the start of an archive, or the header of an
            encrypted log, cannot be read.
        UnsupportedError: if there is no library for encrypted logs.
        OSError: if it cannot be read.
    """
    return _describe(file, keyring)[0]


def describe_if_log(file: StoredFile, keyring: Keyring | None = None) -> LogFile | None:
    """Return a file as a log if it, or the content of the archive, begins as one; else None.

    Raises:
        OptionError, TruncatedEventError, CorruptEventError, UnsupportedError, OSError: as
            `describe_log`.
    """
    log_file, start = _describe(file, keyring)
    if log_file.compression and not start:
        start = _content(log_file, len(MAGIC))
    return log_file if start.startswith((MAGIC, ENCRYPTED_MAGIC)) else None


def _describe(file: StoredFile, keyring: Keyring | None) -> tuple[LogFile, bytes]:
    """Return a file as a log, and its first bytes; of an archive, those of its content or none."""
    length = max(_LEN_FIRST, LEN_MAGIC) if keyring is None else LEN_START
    start = read_start(file.location, length) if file.num_bytes else b""
    compression = "" if start.startswith(MAGIC) else compression_of(start)
    name = log_name(file.name) if compression else file.name
    log_file = LogFile(
        str(file.location),
        name,
        log_number(name),
        file.num_bytes,
        compression,
        modified=file.modified,
        start=start[:_LEN_FIRST] if start.startswith(MAGIC) else b"",
    )
    if compression:
        start = b"" if keyring is None else _content(log_file, LEN_START)
    cipher = None if keyring is None else find_cipher(start, keyring)
    return replace(log_file, cipher=cipher).with_size(file.num_bytes), start


def _content(log_file: LogFile, num_bytes: int) -> bytes:
    """Return the first bytes of the log in an archive."""
    opened = open_log(log_file)
    try:
        return read_up_to(opened, num_bytes)
    finally:
        opened.close()


def log_number(name: str) -> int:
    """Return the number at the end of the name of a log; 0 if there is none."""
    number = re.search(r"\.(\d+)$|-(\d{6,})\.ibb$", name)
    return int(number[1] or number[2]) if number else 0


def open_log(log_file: LogFile) -> StoredBytes:
    """Open a log. Archives are decompressed, and encrypted logs decrypted, while they are read.

    Raises:
        UnsupportedError: if there is no library for its storage.
        OSError: if it cannot be opened.
    """
    if log_file.server is not None:
        return log_file.server.open(log_file)
    file = open_location(Location.parse(log_file.path))
    try:
        source = ArchiveReader(file, log_file.compression) if log_file.compression else file
        return source if log_file.cipher is None else log_file.cipher.open(source)
    except BaseException:
        file.close()
        raise


def read_header(log_file: LogFile, pos: int) -> bytes:
    """Return the header of the event at an offset, less of it at the end of the log.

    Raises:
        LogFileError: if the log cannot be read.
    """
    with as_log_file_error(log_file.site):
        file = open_log(log_file)
        try:
            file.seek(pos)
            return read_up_to(file, LEN_HEADER)
        finally:
            file.close()


def archive_of(file: StoredBytes) -> ArchiveReader | None:
    """Return the archive that an open log is in; None if it is in none."""
    source: StoredBytes | None = file
    while source is not None and not isinstance(source, ArchiveReader):
        source = getattr(source, "file", None)  # what it is decrypted from
    return source
