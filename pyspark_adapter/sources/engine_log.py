"""A file of MariaDB's engine binlog (`.ibb`) as a log that is open for reading.

The log has the magic, a format description as MariaDB 12.3 has it, and the event groups whose
commit records begin in the file, in order. Out-of-band records are read where they are, in files
before; memory is bounded by what one record and a path through its trees take.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyspark_adapter.errors import BinlogError, CorruptEventError, LogFileError, NotABinlogError
from pyspark_adapter.format.header import HEADER, LEN_HEADER, MAGIC
from pyspark_adapter.sources.engine_pages import ENGINE_NAME, EngineFolder, PageReader
from pyspark_adapter.sources.engine_records import (
    Position,
    Record,
    RecordBytes,
    RecordReader,
    RecordType,
)
from pyspark_adapter.sources.locations import StoredBytes, StoredFile
from pyspark_adapter.sources.log_file import LogFile

_FORMAT_DESCRIPTION: Final = 15
_MARIADB_GTID: Final = 162
_GROUP_STARTS: Final = frozenset({_FORMAT_DESCRIPTION, _MARIADB_GTID})
_SERVER_VERSION: Final = b"12.3.0-MariaDB"
# Post-header lengths of type codes 1 to 172: those of MariaDB 11.8, and of PARTIAL_ROW_DATA.
_FROM_1: Final = bytes.fromhex(
    "380d000800120004040404120000e500041a08000000080808020000000a0a0a0000000000000a0a0a"
)
_FROM_161: Final = bytes.fromhex("041304000d0808080a0a0a 09")
_POST_HEADER_LENGTHS: Final = _FROM_1.ljust(160, b"\0") + _FROM_161
_MAX_HEIGHT: Final = 64


def format_description() -> bytes:
    """Return the format description of an engine binlog: no checksums, header of 19 bytes."""
    body = struct.pack("<H50sIB", 4, _SERVER_VERSION, 0, LEN_HEADER)
    body += _POST_HEADER_LENGTHS + b"\0" + bytes(4)
    length = LEN_HEADER + len(body)
    event = HEADER.pack(0, _FORMAT_DESCRIPTION, 0, length, len(MAGIC) + length, 0) + body
    return event[:-4] + zlib.crc32(event[:-4]).to_bytes(4, "little")


class Groups:
    """Reads the event groups of a file, the bytes of their events in pieces."""

    def __init__(self, pages: PageReader, file_no: int) -> None:
        self._pages = pages
        self._records = RecordReader(pages)
        self._file_no = file_no
        self._used: set[Position] = set()  # first nodes of the sets of groups before

    def __iter__(self) -> Iterator[tuple[Position, Iterator[memoryview]]]:
        """Yield the position of each commit record and the bytes of its group, to be used up first.

        Raises:
            BinlogError: with the page and position of the record as its site.
        """
        if not self._pages.is_used(self._file_no):
            later = self._pages.used_after(self._file_no)
            if later is not None:
                name = self._pages.folder.name_of(later)
                raise CorruptEventError(
                    f"expected a header, found zeros, and {name} is in use",
                    site=self._pages.folder.site(self._file_no, 0),
                )
            return
        for record in self._records.of_file(self._file_no):
            if record.record_type == RecordType.COMMIT:
                yield record.position, self._checked(record)

    def _checked(self, record: Record) -> Iterator[memoryview]:
        """Yield the bytes of a group, which have to be whole events."""
        missing = 0  # bytes of the current event
        header = b""
        is_first = True
        for piece in self._pieces(record):
            at = 0
            while at < len(piece):
                if missing:
                    step = min(missing, len(piece) - at)
                    missing -= step
                    at += step
                    continue
                part = piece[at : at + LEN_HEADER - len(header)]
                header += part
                at += len(part)
                if len(header) < LEN_HEADER:
                    continue
                length = int.from_bytes(header[9:13], "little")
                if length < LEN_HEADER:
                    raise self._records.error(
                        record.position,
                        f"expected events of {LEN_HEADER} bytes or more, found one of {length}",
                    )
                if is_first and header[4] not in _GROUP_STARTS:
                    raise self._records.error(
                        record.position,
                        f"expected a GTID event first, found one of type {header[4]}",
                    )
                missing, header, is_first = length - LEN_HEADER, b"", False
            yield piece
        if missing or header or is_first:
            raise self._records.error(
                record.position,
                "the events of the group are cut: expected whole ones up to its end",
            )

    def _pieces(self, record: Record) -> Iterator[memoryview]:
        content = RecordBytes(self._records, record.position, iter(record.chunks))
        sets: list[tuple[int, Position, Position]] = []
        for _ in range(2):
            count = content.integer()
            if not count:
                break
            sets.append((count, content.position(), content.position()))
        yield from content.rest()
        for count, first, root in sets:
            yield from self._forest(record.position, count, first, root)

    def _forest(
        self, commit: Position, count: int, first: Position, root: Position
    ) -> Iterator[memoryview]:
        """Yield the data of the out-of-band records of a set, in the order of their numbers."""
        if first in self._used:
            raise self._records.error(
                commit, "expected data of its own, found that of a group before"
            )
        self._used.add(first)
        sizes = tree_sizes(count)
        if len(sizes) > _MAX_HEIGHT:
            raise self._records.error(
                commit, f"expected out-of-band records, found {count} of them"
            )
        # The leaf that is reached from a root by left pointers alone names the root before.
        roots = [root]
        number = count
        for size in reversed(sizes):
            number -= size
            leaf, before = self._leftmost(commit, roots[-1], number, size)
            roots.append(before)
        if leaf != first or roots.pop() != (0, 0):
            raise self._records.error(
                commit, "expected the first out-of-band record where the commit record says"
            )
        number = 0
        for position, size in zip(reversed(roots), sizes, strict=True):
            yield from self._tree(commit, position, number, size)
            number += size

    def _leftmost(
        self, commit: Position, position: Position, number: int, size: int
    ) -> tuple[Position, Position]:
        """Return the first leaf of a tree, by its number, and its right pointer."""
        while True:
            left, right, _ = self._node(commit, position, number + size - 1, is_leaf=size == 1)
            if size == 1:
                return position, right
            size //= 2
            position = left

    def _tree(
        self, commit: Position, position: Position, number: int, size: int
    ) -> Iterator[memoryview]:
        """Yield the data of a tree, by its first number: left, right, root."""
        # (position, first number, size, whether its children are done)
        waiting = [(position, number, size, False)]
        while waiting:
            position, number, size, is_done = waiting.pop()
            left, right, content = self._node(
                commit, position, number + size - 1, is_leaf=size == 1
            )
            if is_done or size == 1:
                yield from content.rest()
                continue
            half = size // 2
            waiting.append((position, number, size, True))
            waiting.append((right, number + half, half, False))
            waiting.append((left, number, half, False))

    def _node(
        self, commit: Position, position: Position, number: int, *, is_leaf: bool
    ) -> tuple[Position, Position, RecordBytes]:
        """Return the children of an out-of-band record, and the rest of its bytes."""
        if not self._pages.is_there(position.file_no):
            missing = FileNotFoundError(2, "No such file or directory")
            len_page = self._pages.len_page(commit.file_no)
            folder = self._pages.folder
            raise LogFileError(
                f"the group of this record has data in {folder.name_of(position.file_no)}, which is"
                " not there",
                site=folder.site(commit.file_no, commit.offset // len_page, commit.offset),
                advice="copy the file, too, or begin to read at a later file",
            ) from missing
        chunks = self._records.at(position, RecordType.OUT_OF_BAND)
        content = RecordBytes(self._records, position, chunks)
        entry = content.integer()
        left, right = content.position(), content.position()
        if entry != number or is_leaf != (left == (0, 0)):
            raise self._records.error(
                position,
                f"expected {'leaf' if is_leaf else 'node'} {number} of a tree, as the commit record"
                f" at {commit.offset} of file {commit.file_no} says, found {entry}",
            )
        return left, right, content


def tree_sizes(count: int) -> list[int]:
    """Return the sizes of the perfect trees that so many records form, in order.

    >>> tree_sizes(13), tree_sizes(6), tree_sizes(0)
    ([7, 3, 3], [3, 3], [])
    """
    sizes = []
    while count:
        size = (1 << (count + 1).bit_length() - 1) - 1
        sizes.append(size)
        count -= size
    return sizes


class Origins:
    """Where the bytes of the log come from: commit record and offset in its group.

    Positions are asked for in order; those before are forgotten.
    """

    def __init__(self) -> None:
        self._starts = [0]
        self._offsets = [-1]

    def add(self, start: int, offset: int) -> None:
        """Note where a group begins in the log, and the offset of its commit record."""
        self._starts.append(start)
        self._offsets.append(offset)

    def map(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the offsets of commit records, and offsets in their groups, of positions.

        The format description in front keeps its position, with -1 for the second.
        """
        starts = np.array(self._starts, dtype=np.int64)
        offsets = np.array(self._offsets, dtype=np.int64)
        indices = np.maximum(np.searchsorted(starts, positions, side="right") - 1, 0)
        is_before = offsets[indices] < 0
        self._forget(int(indices.min(initial=0)))
        return (
            np.where(is_before, positions, offsets[indices]),
            np.where(is_before, -1, positions - starts[indices]),
        )

    def at(self, position: int) -> tuple[int, int]:
        """Return the same for one position."""
        start_pos, inner_pos = self.map(np.array([position], dtype=np.int64))
        return int(start_pos[0]), int(inner_pos[0])

    def _forget(self, count: int) -> None:
        del self._starts[:count], self._offsets[:count]


class EngineLog:
    """A file of a folder as a log that is open for reading.

    Attributes:
        origins: of its bytes.
    """

    def __init__(self, folder: EngineFolder, file_no: int) -> None:
        self.origins = Origins()
        self._pages = PageReader(folder)
        self._file_no = file_no
        self._rewind()

    def _rewind(self) -> None:
        self._position = 0
        self._failure: BinlogError | None = None
        self._piece = memoryview(b"")
        self._rest = self._all()

    def _all(self) -> Iterator[memoryview]:
        start = MAGIC + format_description()
        yield memoryview(start)
        position = len(start)
        for origin, pieces in Groups(self._pages, self._file_no):
            self.origins.add(position, origin.offset)
            for piece in pieces:
                position += len(piece)
                yield piece

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return self._position

    def seek(self, position: int, /) -> int:
        """Go to the start, or to where the log is: positions within are no offsets of the file."""
        if position == 0:
            self.origins = Origins()
            self._rewind()
        elif position != self._position:
            raise OSError(f"an engine binlog is read from its start, not from {position}")
        return position

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill a buffer; fewer bytes only at the end; raises BinlogError."""
        filled = 0
        while filled < len(buffer):
            if not self._piece:
                try:
                    self._piece = next(self._rest)
                except StopIteration:
                    break
                except BinlogError as error:
                    self._failure = error
                    break
            step = min(len(self._piece), len(buffer) - filled)
            buffer[filled : filled + step] = self._piece[:step]
            self._piece = self._piece[step:]
            filled += step
            self._position += step
        if self._failure is not None and not filled:
            raise self._failure
        return filled

    def close(self) -> None:
        """Close all files."""
        self._pages.close()


@dataclass(frozen=True)
class EngineLogs:
    """Opens the files of a folder as logs; a `LogStore`."""

    folder: EngineFolder

    def open(self, log_file: LogFile, /) -> StoredBytes:
        """Open one of them."""
        return EngineLog(self.folder, log_file.number)


def describe_engine_log(file: StoredFile, *, verifies: bool) -> LogFile:
    """Return a file of an engine binlog as a log; the others of its folder are found by name.

    Raises:
        NotABinlogError: if it does not have such a name.
    """
    match = ENGINE_NAME.fullmatch(file.location.name)
    if match is None:
        raise NotABinlogError(
            "expected the name of an engine binlog as the server gives it: binlog-000000.ibb",
            site=file.location.site,
            advice="name the file as the server did: the number in it finds the others",
        )
    folder = EngineFolder(file.location.parent, match[1], verifies)
    return LogFile(
        str(file.location), file.name, int(match[2]), file.num_bytes, server=EngineLogs(folder)
    )
