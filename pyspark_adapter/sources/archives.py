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
from typing import Any, Final

from pyspark_adapter.sources.compressed_source import (
    LEN_PIECE,
    CompressedSource,
    Decompressor,
    cut_error,
    damage_error,
)
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


class ArchiveReader:
    """The log in an archive, read like a file.

    Args:
        file: the archive, at its start.
        compression: its format, as `compression_of` names it.
    """

    def __init__(self, file: StoredBytes, compression: str) -> None:
        self._source = CompressedSource(file)
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

    def read(self, source: CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log; see `Decompressor`."""
        kind = self._kind
        while self._member is not None or self._begin(source):
            member = self._member
            # A decompressor returns what it holds back without further input.
            if not self._pending and getattr(member, "needs_input", True):
                self._pending = source.read()
            try:
                data = member.decompress(self._pending, min(num_bytes, LEN_PIECE))
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
        """Start the next member; return whether there is one."""
        while not (rest := self._pending.lstrip(b"\0")):
            self._pending = source.read()
            if not self._pending:
                return False
        self._pending = rest
        self._member = self._kind.new()
        return True


def _new_zstd() -> Decompressor:
    from pyspark_adapter.sources.zstd_frames import ZstdFrames

    return ZstdFrames()


_DECOMPRESSORS: Final[dict[str, Callable[[], Decompressor]]] = {
    "gzip": lambda: _Members(_GZIP),
    "xz": lambda: _Members(_XZ),
    "zstd": _new_zstd,
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
