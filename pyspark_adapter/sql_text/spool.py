"""Texts in a temporary file, read forwards or backwards."""

from __future__ import annotations

import struct
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Final

from pyspark_adapter.sources.written_files import temporary_space

_LENGTH: Final = struct.Struct("<Q")
_MAX_IN_MEMORY: Final = 8 << 20
_BLOCK: Final = 1 << 20


class Spool:
    """Records, each a number and a text; the first bytes are kept in memory, the rest on disk.

    A record is framed by its length on both sides, so that it is read from either end.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_MAX_IN_MEMORY)  # noqa: SIM115
        self._size = 0
        # Also if the script is never read.
        self.close = weakref.finalize(self, _close, self._file)

    def append(self, number: int, text: bytes | memoryview) -> None:
        """Add a record; raises BinlogError if the temporary folder is full."""
        length = _LENGTH.pack(_LENGTH.size + len(text))
        with temporary_space():
            for part in (length, _LENGTH.pack(number), text, length):
                self._size += self._file.write(part)

    def forwards(self) -> Iterator[tuple[int, bytes]]:
        """Yield all records in order."""
        with temporary_space():
            self._file.seek(0)  # writes the buffer
        while length := self._file.read(_LENGTH.size):
            content = self._file.read(_LENGTH.unpack(length)[0])
            self._file.read(_LENGTH.size)
            yield _record(content)

    def backwards(self) -> Iterator[tuple[int, bytes]]:
        """Yield all records, the last first."""
        start, block = self._size, b""  # the block is the part of the file before `end`
        end = self._size
        while end:
            if end - start < _LENGTH.size:
                start, block = self._read_before(end, _LENGTH.size)
            (length,) = _LENGTH.unpack_from(block, end - _LENGTH.size - start)
            whole = length + 2 * _LENGTH.size
            if end - start < whole:
                start, block = self._read_before(end, whole)
            first = end - whole + _LENGTH.size - start
            yield _record(block[first : first + length])
            end -= whole

    def _read_before(self, end: int, num_bytes: int) -> tuple[int, bytes]:
        start = max(0, end - max(num_bytes, _BLOCK))
        with temporary_space():
            self._file.seek(start)
        return start, self._file.read(end - start)


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # of the buffer, if the disk is full
        file.close()


def _record(content: bytes) -> tuple[int, bytes]:
    return _LENGTH.unpack_from(content)[0], content[_LENGTH.size :]
