"""Where logs lie: local files here, all other storage by pyarrow and fsspec.

Problems are told as `OSError`, whatever the storage; `told` makes them errors of ours.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from typing import Protocol

from pyspark_adapter.errors import BinlogError, EventSite, LogFileError
from pyspark_adapter.inputs.locations import Location


class StoredBytes(Protocol):
    """A file that is open for reading; every call reads from the storage."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read into a buffer from the current position; return the bytes read, 0 at the end."""

    def seek(self, position: int, /) -> int:
        """Go to an offset of the file."""

    def tell(self) -> int:
        """Return the current position."""

    def close(self) -> None:
        """Close the file."""


@dataclass(frozen=True)
class StoredFile:
    """A file or directory as a storage lists it.

    Attributes:
        location: where it is.
        is_directory: whether it is a directory.
        num_bytes: size of a file.
        modified: when it was last changed, in seconds since 1970-01-01 UTC; None where the
            storage does not tell.
    """

    location: Location
    is_directory: bool
    num_bytes: int = 0
    modified: float | None = None

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.location.name


class Storage(Protocol):
    """What is asked of a storage. All methods raise OSError."""

    def look_up(self, location: Location) -> StoredFile:
        """Return what is at a location; a FileNotFoundError if there is nothing."""

    def list(self, directory: Location) -> list[StoredFile]:
        """Return what is in a directory, without what is in directories within it."""

    def open(self, location: Location) -> StoredBytes:
        """Open a file for reading."""


class LocalStorage:
    """The files of this machine."""

    def look_up(self, location: Location) -> StoredFile:
        """Return what is at a path."""
        return _describe(location, os.stat(location.path))  # noqa: PTH116  # no Path in between

    def list(self, directory: Location) -> list[StoredFile]:
        """Return files and directories; no devices, sockets and pipes."""
        found = []
        with os.scandir(directory.path) as entries:
            for entry in entries:
                try:
                    facts = entry.stat()
                except FileNotFoundError:
                    continue  # a dangling link, or removed meanwhile
                if stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode):
                    found.append(_describe(directory.child(entry.name), facts))
        return found

    def open(self, location: Location) -> StoredBytes:
        """Open a file, without a buffer of Python's."""
        return FileIO(location.path, "rb")


def _describe(location: Location, facts: os.stat_result) -> StoredFile:
    is_directory = stat.S_ISDIR(facts.st_mode)
    return StoredFile(location, is_directory, facts.st_size, facts.st_mtime)


def storage_of(location: Location) -> Storage:
    """Return the storage of a location.

    Raises:
        UnsupportedError: if there is no library for its scheme.
        OSError: if the storage cannot be reached.
    """
    if location.is_local:
        return LocalStorage()
    from pyspark_adapter.inputs.arrow_storage import connect

    return connect(location)


@contextmanager
def told(location: Location) -> Iterator[None]:
    """Tell what a storage raises, as an error of ours that names the path.

    Raises:
        LogFileError: in place of an OSError.
    """
    try:
        yield
    except BinlogError:
        raise
    except OSError as error:
        # Where a library is missing, all the places where it was looked for would follow.
        reason = error.strerror or str(error).partition("\n")[0]
        raise LogFileError(f"cannot be read: {reason}", site=EventSite(location.shown)) from error


def open_location(location: Location) -> StoredBytes:
    """Open the file at a location.

    Raises:
        UnsupportedError, OSError: as `storage_of`, and if the file cannot be opened.
    """
    return storage_of(location).open(location)


def read_start(location: Location, num_bytes: int) -> bytes:
    """Return the first bytes of a file, fewer if it is shorter.

    Raises:
        UnsupportedError, OSError: as `open_location`.
    """
    file = open_location(location)
    try:
        return read_up_to(file, num_bytes)
    finally:
        file.close()


def read_up_to(file: StoredBytes, num_bytes: int) -> bytes:
    """Return the next bytes of a file, fewer only at its end."""
    data = bytearray(num_bytes)
    view, filled = memoryview(data), 0
    while filled < num_bytes and (count := file.readinto(view[filled:])):
        filled += count
    return bytes(view[:filled])
