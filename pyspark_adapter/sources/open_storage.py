"""The storage of a location: the files of this machine here, all others by pyarrow and fsspec."""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO

from pyspark_adapter.sources.locations import Location, Storage, StoredBytes, StoredFile, read_up_to


class LocalStorage:
    """The files of this machine."""

    def look_up(self, location: Location) -> StoredFile:
        """Return the file or directory at a path."""
        return _describe(location, os.stat(location.path))  # noqa: PTH116  # no Path in between

    def list(self, directory: Location) -> list[StoredFile]:
        """Return the files and directories, no devices, sockets and pipes."""
        files = []
        with os.scandir(directory.path) as entries:
            for entry in entries:
                try:
                    facts = entry.stat()
                except OSError as error:
                    if error.errno in (errno.ENOENT, errno.ELOOP):
                        continue  # a link to nothing or to itself, or removed since
                    raise
                if stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode):
                    files.append(_describe(directory.child(entry.name), facts))
        return files

    def open(self, location: Location) -> StoredBytes:
        """Open a file, without a buffer of Python's."""
        return FileIO(location.path, "rb")


def _describe(location: Location, facts: os.stat_result) -> StoredFile:
    is_directory = stat.S_ISDIR(facts.st_mode)
    identity = facts.st_dev, facts.st_ino
    return StoredFile(location, is_directory, facts.st_size, facts.st_mtime, identity)


def storage_of(location: Location) -> Storage:
    """Return the storage of a location; raises UnsupportedError, OSError."""
    if location.is_local:
        return LocalStorage()
    from pyspark_adapter.sources.arrow_storage import connect

    return connect(location)


def open_location(location: Location) -> StoredBytes:
    """Open the file at a location; raises UnsupportedError, OSError."""
    return storage_of(location).open(location)


def put_file(location: Location, data: bytes) -> None:
    """Store a file of an object storage, replacing an existing one.

    Raises:
        UnsupportedError, OSError: as `storage_of`, and if it cannot be written.
    """
    from pyspark_adapter.sources.arrow_storage import connect

    connect(location).put(location, data)


def remove_file(location: Location) -> None:
    """Remove a file; raises UnsupportedError, OSError."""
    if location.is_local:
        os.unlink(location.path)  # noqa: PTH108  # no Path in between
        return
    from pyspark_adapter.sources.arrow_storage import connect

    connect(location).remove(location)


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
