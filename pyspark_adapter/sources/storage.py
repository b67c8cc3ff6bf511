"""What a storage offers: files to list and to open. Problems are raised as `OSError`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

from pyspark_adapter.sources.locations import Location


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
        modified: time of the last change, in seconds since 1970-01-01 UTC; None if the storage
            does not say.
        identity: the same by whatever links it is reached; None if the storage has no links.
    """

    location: Location
    is_directory: bool
    num_bytes: int = 0
    modified: float | None = None
    identity: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        r"""The last part of its path, to read; bytes that are not UTF-8 are as `\xff`."""
        return os.fsencode(self.location.name).decode(errors="backslashreplace")


class Storage(Protocol):
    """Files of this machine, a bucket, a cluster. All methods raise OSError."""

    def look_up(self, location: Location) -> StoredFile:
        """Return the file or directory at a location; FileNotFoundError if there is none."""

    def list(self, directory: Location) -> list[StoredFile]:
        """Return the entries of a directory, not those of its subdirectories."""

    def open(self, location: Location) -> StoredBytes:
        """Open a file for reading."""


def read_up_to(file: StoredBytes, num_bytes: int) -> bytes:
    """Return the next bytes of a file, fewer only at its end."""
    data = bytearray(num_bytes)
    view, filled = memoryview(data), 0
    while filled < num_bytes and (count := file.readinto(view[filled:])):
        filled += count
    return bytes(view[:filled])
