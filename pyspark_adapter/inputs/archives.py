"""Logs in `.gz`, `.zst` and `.xz` archives, decompressed as they are read.

An archive is known by its first bytes; its name counts only for what the log was called.
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
from pyspark_adapter.inputs.storage import StoredBytes

_zlib: ModuleType = zlib
try:  # as good and twice as fast
    from isal import isal_zlib
except ImportError:
    pass
else:
    _zlib = isal_zlib

# Bytes at the beginning of a file that tell what it is.
LEN_MAGIC: Final = 6

_SUFFIX: Final = re.compile(r"\.(?:gz|gzip|zst|zstd|xz)$", re.IGNORECASE)
# Bytes of an archive that are read at once, at first and at most: each read is a request, where
# it lies in other storage, and to see what is in it takes no more than the first.
_LEN_FIRST_READ: Final = 1 << 15
_LEN_READ: Final = 1 << 20
# Of bytes that decompress to an error no more than this are lost with it.
_LEN_PIECE: Final = 1 << 16
# xz -9 makes dictionaries of 64 MiB; the format allows 4 GiB, which an enemy would ask for.
_XZ_MEMORY: Final = 512 << 20


class Decompressor(Protocol):
    """Takes the bytes of an archive and gives those of the log."""

    def read(self, source: CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log, no more than so many; nothing at the end.

        Raises:
            TruncatedEventError: if the archive ends too early. Without a site.
            CorruptEventError: if it is damaged. Without a site.
        """


class CompressedSource:
    """The bytes of an archive, in small pieces of large reads.

    Attributes:
        position: how far it has been used, in bytes.
        is_at_end: whether its end has been found.
        error: what the storage has raised; decompressors hide it.
    """

    closed = False

    def __init__(self, file: StoredBytes) -> None:
        self._file = file
        self._buffer = memoryview(bytearray(_LEN_READ))
        self._unused = self._buffer[:0]
        self._len_read = _LEN_FIRST_READ
        self.position = 0
        self.is_at_end = False
        self.error: OSError | None = None

    def read(self, num_bytes: int = _LEN_PIECE) -> bytes:
        """Return the next bytes, fewer perhaps; none at the end.

        Raises:
            OSError: from the storage.
        """
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


class ArchiveReader:
    """The log within an archive, in the place of a file.

    Args:
        file: the archive, at its beginning.
        compression: its format, as `compression_of` names it.
    """

    def __init__(self, file: StoredBytes, compression: str) -> None:
        self._source = CompressedSource(file)
        self._decompressor = _DECOMPRESSORS[compression]()
        self._given = 0

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
        self._given += len(data)
        return len(data)

    def seek(self, position: int, /) -> int:
        """Refuse: nothing but all bytes before it lead to a place in an archive."""
        raise OSError(f"an archive cannot be read from byte {position} on")

    def tell(self) -> int:
        """Return the position in the log."""
        return self._given

    def close(self) -> None:
        """Close the archive."""
        self._source.close()


@dataclass(frozen=True)
class _Kind:
    """What the decompressors of one-member formats have in common.

    Attributes:
        name: of the format.
        new: makes a decompressor with `decompress(data, max_length)`, `eof` and `unused_data`.
        error: what it raises.
    """

    name: str
    new: Callable[[], Any]
    error: type[Exception]


_GZIP: Final = _Kind("gzip", lambda: _zlib.decompressobj(wbits=31), _zlib.error)
_XZ: Final = _Kind(
    "xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY), lzma.LZMAError
)


class _Members:
    """Decompresses one gzip member or xz stream after the other, as their own tools do.

    Zero bytes after a member are passed over: tapes and xz itself fill up with them.
    """

    def __init__(self, kind: _Kind) -> None:
        self._kind = kind
        self._member: Any = None
        self._pending = b""

    def read(self, source: CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log; see `Decompressor`."""
        kind = self._kind
        while self._member is not None or self._begin(source):
            member = self._member
            # What a decompressor holds back comes out without further input.
            if not self._pending and getattr(member, "needs_input", True):
                self._pending = source.read()
            try:
                data = member.decompress(self._pending, min(num_bytes, _LEN_PIECE))
            except kind.error as error:
                raise damage_error(kind.name, source, error) from error
            self._pending = getattr(member, "unconsumed_tail", b"")
            if member.eof:
                self._pending = member.unused_data
                self._member = None
            if data:
                return bytes(data)
            if source.is_at_end and not member.eof:
                raise cut_error(kind.name, source)
        return b""

    def _begin(self, source: CompressedSource) -> bool:
        """Begin the next member; return whether there is one."""
        while not (rest := self._pending.lstrip(b"\0")):
            self._pending = source.read()
            if not self._pending:
                return False
        self._pending = rest
        self._member = self._kind.new()
        return True


def cut_error(name: str, source: CompressedSource) -> TruncatedEventError:
    """Return the error for an archive that has ended too early, without a site."""
    return TruncatedEventError(f"the {name} archive ends too early, at its byte {source.position}")


def damage_error(name: str, source: CompressedSource, error: Exception) -> CorruptEventError:
    """Return the error for an archive that cannot be decompressed, without a site."""
    return CorruptEventError(
        f"the {name} archive is damaged before its byte {source.position}: {error}"
    )


def _new_zstd() -> Decompressor:
    from pyspark_adapter.inputs.zstd_frames import ZstdFrames

    return ZstdFrames()


_DECOMPRESSORS: Final[dict[str, Callable[[], Decompressor]]] = {
    "gzip": lambda: _Members(_GZIP),
    "xz": lambda: _Members(_XZ),
    "zstd": _new_zstd,
}


def compression_of(start: bytes) -> str:
    """Return the format of an archive by its first `LEN_MAGIC` bytes; empty if it is none.

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
