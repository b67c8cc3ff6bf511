"""Logs in `.gz`, `.zst` and `.xz` archives, decompressed as they are read.

An archive is recognised by its first bytes; its name only gives the name of the log.
"""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, Protocol

from pyspark_adapter.errors import CorruptEventError, TruncatedEventError
from pyspark_adapter.sources.locations import StoredBytes

_zlib: ModuleType = zlib
try:  # as good and twice as fast
    from isal import isal_zlib
except ImportError:
    pass
else:
    _zlib = isal_zlib

# Number of bytes at the start of a file that identify its format.
LEN_MAGIC: Final = 6

_SUFFIX: Final = re.compile(r"\.(?:gz|gzip|zst|zstd|xz)$", re.IGNORECASE)
# xz -9 makes dictionaries of 64 MiB; the format allows 4 GiB, which a forged file would ask for.
_XZ_MEMORY: Final = 512 << 20
# Each read is a request if the archive is in remote storage. The first one is small: recognising
# a log needs no more.
_LEN_FIRST_READ: Final = 1 << 15
_LEN_READ: Final = 1 << 20
# After damage, at most this much of what could have been decompressed is lost.
_LEN_PIECE: Final = 1 << 16
_LEN_ZSTD_PIECE: Final = 1 << 14  # at most this much before the cut of an archive is lost


class _Decompressor(Protocol):
    """Turns the bytes of an archive into those of the log."""

    def read(self, source: _CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log, at most `num_bytes`; none at the end.

        Raises:
            TruncatedEventError: if the archive ends too early. Without a site.
            CorruptEventError: if it is damaged. Without a site.
        """


class _CompressedSource:
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

    def read(self, num_bytes: int = _LEN_PIECE) -> bytes:
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


def _cut_error(name: str, source: _CompressedSource) -> TruncatedEventError:
    """Return the error for an archive that has ended too early, without a site."""
    return TruncatedEventError(f"the {name} archive ends too early, at its byte {source.position}")


def _damage_error(name: str, source: _CompressedSource, error: Exception) -> CorruptEventError:
    """Return the error for an archive that cannot be decompressed, without a site."""
    return CorruptEventError(
        f"the {name} archive is damaged before its byte {source.position}: {error}",
        advice="copy the archive again, or skip the rest of it with option ignoreCorruptFiles",
    )


class ArchiveReader:
    """The log in an archive, read like a file.

    Args:
        file: the archive, at its start.
        compression: its format, as `compression_of` names it.
    """

    def __init__(self, file: StoredBytes, compression: str) -> None:
        self._source = _CompressedSource(file)
        self._decompressor = _DECOMPRESSORS[compression]()
        self._position = 0

    @property
    def archive_pos(self) -> int:
        """How far the archive has been read, in bytes."""
        return self._source.position

    def readinto(self, buffer: memoryview, /) -> int:
        """Read into a buffer; returns the bytes read, 0 at the end of the log.

        Raises:
            TruncatedEventError, CorruptEventError: without a site.
            OSError: from the storage.
        """
        data = self._decompressor.read(self._source, len(buffer))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def seek(self, position: int, /) -> int:
        """Refuse: an archive can only be read from its start."""
        raise OSError(f"an archive cannot be read from byte {position} on")

    def tell(self) -> int:
        """Return the position in the log."""
        return self._position

    def close(self) -> None:
        """Close the archive."""
        self._source.close()


@dataclass(frozen=True)
class _Kind:
    """A format whose archives are a sequence of members.

    Attributes:
        new: returns a decompressor with `decompress(data, max_length)`, `eof` and `unused_data`.
        error: that it raises.
    """

    name: str
    new: Callable[[], Any]
    error: type[Exception]


_GZIP: Final = _Kind("gzip", lambda: _zlib.decompressobj(wbits=31), _zlib.error)
_XZ: Final = _Kind(
    "xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY), lzma.LZMAError
)


class _Members:
    """Decompresses gzip members or xz streams one after the other, as their own tools do.

    Zero bytes after a member are skipped: tapes and xz pad with them.
    """

    def __init__(self, kind: _Kind) -> None:
        self._kind = kind
        self._member: Any = None
        self._pending = b""

    def read(self, source: _CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log; see `_Decompressor`."""
        kind = self._kind
        while self._member is not None or self._begin(source):
            member = self._member
            # A decompressor returns what it holds back without further input.
            if not self._pending and getattr(member, "needs_input", True):
                self._pending = source.read()
            try:
                data = member.decompress(self._pending, min(num_bytes, _LEN_PIECE))
            except kind.error as error:
                raise _damage_error(kind.name, source, error) from error
            self._pending = getattr(member, "unconsumed_tail", b"")
            if member.eof:
                self._pending = member.unused_data
                self._member = None
            if data:
                return bytes(data)
            if source.is_at_end and not member.eof:
                raise _cut_error(kind.name, source)
        return b""

    def _begin(self, source: _CompressedSource) -> bool:
        """Start the next member; return whether there is one."""
        while not (rest := self._pending.lstrip(b"\0")):
            self._pending = source.read()
            if not self._pending:
                return False
        self._pending = rest
        self._member = self._kind.new()
        return True


class _ZstdFrames:
    """Decompresses zstd frames, one after the other; skippable ones are skipped."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._buffer = memoryview(bytearray(_LEN_ZSTD_PIECE))

    def read(self, source: _CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log; see `_Decompressor`."""
        if self._stream is None:
            import pyarrow as pa

            self._stream = pa.CompressedInputStream(pa.PythonFile(source, mode="r"), "zstd")
        try:
            # pyarrow's `read` never frees the bytes of a piece that ends in an error.
            piece = self._buffer[:num_bytes]
            return bytes(piece[: self._stream.readinto(piece)])
        except OSError as error:
            if source.error is not None:
                raise source.error from error
            if source.is_at_end:
                raise _cut_error("zstd", source) from error
            raise _damage_error("zstd", source, error) from error


_DECOMPRESSORS: Final[dict[str, Callable[[], _Decompressor]]] = {
    "gzip": lambda: _Members(_GZIP),
    "xz": lambda: _Members(_XZ),
    "zstd": _ZstdFrames,
}


def compression_of(start: bytes) -> str:
    """Return the format of an archive from its first `LEN_MAGIC` bytes; empty if it is none.

    Source: RFC 1952, section 2.3.1; RFC 8878, sections 3.1.1 and 3.1.2 (skippable frames, with
    which pzstd begins); The .xz File Format, section 2.1.1.1.
    """
    if start.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    if start.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return "zstd"
    return "zstd" if start[1:4] == b"\x2a\x4d\x18" and start[0] >> 4 == 5 else ""


def log_name(archive_name: str) -> str:
    """Return the name of the log in an archive.

    >>> log_name("binlog.000001.gz")
    'binlog.000001'
    """
    return _SUFFIX.sub("", archive_name)
