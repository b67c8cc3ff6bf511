"""The bytes of an archive, and the decompressors that take them."""

from __future__ import annotations

from typing import Final, Protocol

from pyspark_adapter.errors import CorruptEventError, TruncatedEventError
from pyspark_adapter.sources.locations import StoredBytes

# Each read is a request if the archive is in remote storage. The first one is small: recognising
# a log needs no more.
_LEN_FIRST_READ: Final = 1 << 15
_LEN_READ: Final = 1 << 20
# After damage, at most this much of what could have been decompressed is lost.
LEN_PIECE: Final = 1 << 16


class Decompressor(Protocol):
    """Turns the bytes of an archive into those of the log."""

    def read(self, source: CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log, at most `num_bytes`; none at the end.

        Raises:
            TruncatedEventError: if the archive ends too early. Without a site.
            CorruptEventError: if it is damaged. Without a site.
        """


class CompressedSource:
    """The bytes of an archive, read in large pieces and returned in small ones.

    Attributes:
        position: number of bytes returned so far.
        error: what the storage raised; decompressors hide it.
    """

    closed = False  # pyarrow asks for it

    def __init__(self, file: StoredBytes) -> None:
        self._file = file
        self._buffer = memoryview(bytearray(_LEN_READ))
        self._unused = self._buffer[:0]
        self._len_read = _LEN_FIRST_READ
        self.position = 0
        self.is_at_end = False
        self.error: OSError | None = None

    def read(self, num_bytes: int = LEN_PIECE) -> bytes:
        """Return the next bytes, at most `num_bytes`; none at the end; raises OSError."""
        if not self._unused:
            try:
                count = self._file.readinto(self._buffer[: self._len_read]) or 0
            except OSError as error:
                self.error = error
                raise
            self._len_read = min(2 * self._len_read, _LEN_READ)
            self.is_at_end = not count
            self._unused = self._buffer[:count]
        piece = bytes(self._unused[:num_bytes])
        self._unused = self._unused[len(piece) :]
        self.position += len(piece)
        return piece

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def cut_error(name: str, source: CompressedSource) -> TruncatedEventError:
    """Return the error for an archive that has ended too early, without a site."""
    return TruncatedEventError(f"the {name} archive ends too early, at its byte {source.position}")


def damage_error(name: str, source: CompressedSource, error: Exception) -> CorruptEventError:
    """Return the error for an archive that cannot be decompressed, without a site."""
    return CorruptEventError(
        f"the {name} archive is damaged before its byte {source.position}: {error}",
        advice="copy the archive again, or skip the rest of it with option ignoreCorruptFiles",
    )
