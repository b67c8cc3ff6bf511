"""Logs of any size that take next to no room on disk: values of zero bytes, left out as holes.

All else is written: events with right lengths, positions and checksums, in transactions as a server
logs them. A reader cannot tell them from other logs.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BufferedWriter
from pathlib import Path

from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

TABLE = "d.big"
COLUMNS = [LoggedColumn("id", 3), LoggedColumn("data", 252, b"\x04", collation=63)]

_HEADER = struct.Struct("<IBIIIH")
_LEN_CHECKSUM = 4


@dataclass(frozen=True)
class SparseLog:
    """A log that was written.

    Attributes:
        path: of the file.
        num_bytes: its size, holes and all.
        starts: where its transactions begin; each has one row, whose `id` is its number from 0.
    """

    path: Path
    num_bytes: int
    starts: Sequence[int]


class ZeroBytes:
    """What a number of zero bytes make of the CRC32 of the bytes before them.

    But for a constant this is linear in the bits of that CRC32.

    >>> ZeroBytes(1000).append_to(zlib.crc32(b"some")) == zlib.crc32(b"some" + bytes(1000))
    True
    """

    def __init__(self, count: int) -> None:
        zeros = bytes(count)
        self.count = count
        self._of_none = zlib.crc32(zeros, 0)
        self._of_bits = [zlib.crc32(zeros, 1 << bit) ^ self._of_none for bit in range(32)]

    def append_to(self, crc: int) -> int:
        """Return the CRC32 of some bytes, whose own is given, and the zero bytes after them."""
        found = self._of_none
        for bit, of_bit in enumerate(self._of_bits):
            if crc >> bit & 1:
                found ^= of_bit
        return found


def write_sparse_log(path: Path, num_bytes: int, len_value: int) -> SparseLog:
    """Write a log of at least so many bytes, whose rows have values of so many zero bytes."""
    zeros = ZeroBytes(len_value)
    starts: list[int] = []
    with path.open("wb") as file:
        file.write(LogWriter().data)
        while file.tell() < num_bytes:
            starts.append(file.tell())
            for event in _transaction(len(starts) - 1, len_value):
                _write(file, event, zeros if event[4] == WRITE_V2 else None)
        return SparseLog(path, file.tell(), starts)


def _transaction(number: int, len_value: int) -> Iterator[bytes]:
    """Yield the events of a transaction without checksums, and its row without its value."""
    writer = LogWriter(has_checksums=False)
    first = len(writer.data)
    writer.begin()
    writer.table_map(7, TABLE.partition(".")[2], COLUMNS)
    cells = [struct.pack("<i", number), struct.pack("<I", len_value)]
    writer.rows(7, Rows(WRITE_V2, [cells], [True] * len(COLUMNS)))
    writer.commit()
    while first < len(writer.data):
        length: int = _HEADER.unpack_from(writer.data, first)[3]
        yield bytes(writer.data[first : first + length])
        first += length


def _write(file: BufferedWriter, event: bytes, zeros: ZeroBytes | None) -> None:
    """Append an event, with zero bytes at its end, if so, and its checksum."""
    seconds, kind, server_id, length, _, flags = _HEADER.unpack_from(event)
    length += _LEN_CHECKSUM + (zeros.count if zeros else 0)
    end = file.tell() + length
    event = _HEADER.pack(seconds, kind, server_id, length, end & 0xFFFFFFFF, flags) + event[19:]
    file.write(event)
    crc = zlib.crc32(event)
    if zeros:
        crc = zeros.append_to(crc)
        file.seek(zeros.count, 1)
    file.write(struct.pack("<I", crc))
