"""Records of MariaDB's engine binlogs, put together from the chunks in pages.

Only what a whole record needs is kept in memory: the positions of its chunks. Their bytes are read
when they are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from pyspark_adapter.errors import CorruptEventError, TruncatedEventError
from pyspark_adapter.sources.engine_pages import PageReader

LEN_CHUNK_HEADER: Final = 3
_CONTINUES, _IS_LAST, _TYPE = 0x80, 0x40, 0x3F
_END, _PADDING = 0, 0xFF
_MAX_INT_BYTES: Final = 9


class RecordType(IntEnum):
    """Types of records."""

    COMMIT = 1
    GTID_STATE = 2
    OUT_OF_BAND = 3
    FILLER = 4
    XA_PREPARE = 5
    XA_COMPLETE = 6


# They may stand in the middle of another record.
_BETWEEN: Final = frozenset({RecordType.GTID_STATE, RecordType.FILLER})
_TYPES: Final = frozenset(RecordType)


class Position(NamedTuple):
    """Where a record or chunk begins: number of the file, and offset of its type byte."""

    file_no: int
    offset: int


class Chunk(NamedTuple):
    """A chunk: its type byte and the range of its data in a file."""

    position: Position
    type_byte: int
    length: int

    @property
    def record_type(self) -> int:
        """The type of its record."""
        return self.type_byte & _TYPE

    @property
    def continues(self) -> bool:
        """Whether its record has begun before."""
        return bool(self.type_byte & _CONTINUES)

    @property
    def is_last(self) -> bool:
        """Whether its record ends with it."""
        return bool(self.type_byte & _IS_LAST)


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record: where it begins, its type and its chunks."""

    position: Position
    record_type: int
    chunks: tuple[Chunk, ...]


class RecordReader:
    """Reads records of a folder."""

    def __init__(self, pages: PageReader) -> None:
        self._pages = pages
        self._folder = pages.folder

    def error(self, position: Position, message: str) -> CorruptEventError:
        """Return the error for a record or chunk."""
        len_page = self._pages.len_page(position.file_no)
        site = self._folder.site(position.file_no, position.offset // len_page, position.offset)
        return CorruptEventError(message, site=site)

    def data(self, chunk: Chunk) -> memoryview:
        """Return the data of a chunk; valid as long as it is held."""
        file_no, offset = chunk.position
        len_page = self._pages.len_page(file_no)
        start = offset % len_page + LEN_CHUNK_HEADER
        return self._pages.page(file_no, offset // len_page)[start : start + chunk.length]

    def of_file(self, file_no: int) -> Iterator[Record]:
        """Yield the records that begin in a file, in order, without GTID states and fillers.

        One that continues in later files comes too. One whose end the server has not written yet
        is left out.

        Raises:
            BinlogError: with the page as its site.
        """
        begun: list[Chunk] = []
        is_at_start = True
        for chunk in self._chunks(Position(file_no, self._pages.len_page(file_no))):
            if chunk.continues and is_at_start:
                if begun:
                    self._expect_same(begun, chunk)
                else:
                    self._expect_begun_before(file_no, chunk)
                begun = [chunk]
            elif chunk.continues:
                self._expect_same(begun, chunk)
                begun.append(chunk)
            else:
                if is_at_start and begun and not begun[-1].is_last:
                    raise self._not_ended(chunk)
                if not is_at_start and begun:
                    if not begun[-1].is_last:
                        raise self._not_ended(chunk)
                    yield Record(begun[0].position, begun[0].record_type, tuple(begun))
                if chunk.position.file_no != file_no:
                    return
                is_at_start = False
                begun = [chunk]
            if chunk.position.file_no != file_no and is_at_start:
                return  # a record of an earlier file goes through the whole of this one
        if begun and not is_at_start and begun[-1].is_last:
            yield Record(begun[0].position, begun[0].record_type, tuple(begun))

    def at(self, position: Position, record_type: RecordType) -> Iterator[Chunk]:
        """Yield the chunks of the record at a position that another record names.

        Raises:
            BinlogError: if there is no whole record of the type.
        """
        begun: list[Chunk] = []
        if position.offset < self._pages.len_page(position.file_no):
            raise self.error(position, "expected a record behind the header of the file")
        for chunk in self._chunks(position):
            if not begun and (
                chunk.position != position or chunk.type_byte & ~_IS_LAST != record_type
            ):
                break
            if begun:
                if begun[-1].is_last:
                    if chunk.continues:
                        raise self._without_begin(chunk)
                    return
                self._expect_same(begun, chunk)
            begun = [chunk]
            yield chunk
        if not begun:
            raise self.error(
                position, f"expected a record of type {record_type}, as one refers to it"
            )
        if not begun[-1].is_last:
            raise self.error(position, "expected the whole record, found the end of the log")

    def _expect_same(self, begun: list[Chunk], chunk: Chunk) -> None:
        if not begun or begun[-1].is_last:
            raise self._without_begin(chunk)
        if begun[-1].record_type != chunk.record_type:
            raise self.error(
                chunk.position,
                f"expected the record of type {begun[-1].record_type} to continue, found a chunk of"
                f" type {chunk.record_type}",
            )

    def _without_begin(self, chunk: Chunk) -> CorruptEventError:
        return self.error(
            chunk.position, "expected the start of a record, found a later chunk of one"
        )

    def _not_ended(self, chunk: Chunk) -> CorruptEventError:
        return self.error(chunk.position, "expected the record before to continue, found another")

    def _expect_begun_before(self, file_no: int, chunk: Chunk) -> None:
        """Check that the file before ends in a record that continues, if it exists."""
        before = file_no - 1
        if before < 0:
            raise self._without_begin(chunk)
        if not self._pages.is_there(before) or not self._pages.is_used(before):
            return
        for page_no in range(self._pages.num_pages(before) - 1, 0, -1):
            offset = page_no * self._pages.len_page(before)
            records = [
                other
                for other in self._raw_chunks(Position(before, offset), page_no)
                if other.record_type not in _BETWEEN
            ]
            if records:
                if records[-1].is_last or records[-1].record_type != chunk.record_type:
                    raise self._without_begin(chunk)
                return
        raise self._without_begin(chunk)

    def _chunks(self, start: Position) -> Iterator[Chunk]:
        """Yield the chunks from a position to the end of all files, without states and fillers.

        Raises:
            BinlogError: for a chunk that cannot be; if the log ends where it may not.
        """
        open_between = 0  # the type of a state or filler that continues in the next chunk
        pages, position, is_inside = self._pages, start, False
        while True:
            for page_no in range(
                position.offset // pages.len_page(position.file_no),
                pages.num_pages(position.file_no),
            ):
                cut = None
                for chunk in self._raw_chunks(position, page_no):
                    cut = chunk
                    code = chunk.record_type
                    if code not in _BETWEEN:
                        if open_between:
                            raise self._not_ended(chunk)
                        is_inside = not chunk.is_last
                        yield chunk
                        continue
                    if chunk.continues and code != open_between and chunk.position != start:
                        raise self._without_begin(chunk)
                    open_between = 0 if chunk.is_last else code
                position = Position(
                    position.file_no, (page_no + 1) * pages.len_page(position.file_no)
                )
                if cut is None or not self._is_full(cut, page_no):
                    self._expect_end(position.file_no, page_no + 1)
                    return
            following = position.file_no + 1
            if not pages.is_there(following):
                missing = pages.first_missing(position.file_no)
                if missing is not None or is_inside:
                    raise TruncatedEventError(
                        f"the log continues, and {self._folder.name_of(following)} is not there",
                        site=self._folder.site(
                            position.file_no, pages.num_pages(position.file_no) - 1
                        ),
                        advice="copy all files of the folder",
                    )
                return
            if not pages.is_used(following):
                self._expect_unused_after(following)
                return
            position = Position(following, pages.len_page(following))

    def _is_full(self, last: Chunk, page_no: int) -> bool:
        """Return whether the log continues behind a page."""
        file_no, offset = last.position
        len_page = self._pages.len_page(file_no)
        page = self._pages.page(file_no, page_no)
        end = offset % len_page + LEN_CHUNK_HEADER + last.length
        return end == len(page) or page[end] == _PADDING

    def _raw_chunks(self, position: Position, page_no: int) -> Iterator[Chunk]:
        """Yield the chunks of a page from a position on."""
        file_no = position.file_no
        first = page_no * self._pages.len_page(file_no)
        page = self._pages.page(file_no, page_no)
        offset, end = max(position.offset - first, 0), len(page)
        while offset < end:
            type_byte = page[offset]
            if type_byte == _END:
                if any(page[offset:]):
                    raise self.error(Position(file_no, first + offset), "expected zeros to the end")
                return
            if type_byte == _PADDING:
                if end - offset > LEN_CHUNK_HEADER:
                    raise self.error(Position(file_no, first + offset), "found padding for a chunk")
                return
            here = Position(file_no, first + offset)
            if type_byte & _TYPE not in _TYPES:
                raise self.error(here, f"expected a known type, found {type_byte & _TYPE}")
            if end - offset <= LEN_CHUNK_HEADER:
                raise self.error(here, "expected padding at the end of the page, found a chunk")
            length = page[offset + 1] | page[offset + 2] << 8
            following = offset + LEN_CHUNK_HEADER + length
            if not length or following > end:
                room = end - offset - LEN_CHUNK_HEADER
                raise self.error(here, f"expected a chunk of 1 to {room} bytes, found {length}")
            chunk = Chunk(here, type_byte, length)
            if not chunk.is_last and following != end:
                raise self.error(here, "expected a chunk that continues to fill its page")
            yield chunk
            offset = following

    def _expect_end(self, file_no: int, page_no: int) -> None:
        """Check that nothing follows where the log ends: zeros before the first page with data."""
        used = self._pages.is_zero_from(file_no, page_no)
        if used is not None:
            raise CorruptEventError(
                f"expected data up to page {used}, which has some: the page before is empty or"
                " not full",
                site=self._folder.site(file_no, page_no - 1),
            )
        self._expect_unused_after(file_no)

    def _expect_unused_after(self, file_no: int) -> None:
        later = self._pages.used_after(file_no)
        if later is not None:
            raise CorruptEventError(
                f"expected data up to {self._folder.name_of(later)}, which has some: the file ends"
                " before",
                site=self._folder.site(file_no, 0),
            )


class RecordBytes:
    """The bytes of a record, read once from its begin."""

    def __init__(self, reader: RecordReader, position: Position, chunks: Iterator[Chunk]) -> None:
        self._reader = reader
        self._position = position
        self._chunks = chunks
        self._data = memoryview(b"")

    def integer(self) -> int:
        """Return the next compressed integer; raises BinlogError if the record ends before."""
        first = self._byte()
        length = first & 7
        number = first
        for k in range(1, _MAX_INT_BYTES if length == 7 else length + 1):
            number |= self._byte() << 8 * k
        return number >> 3

    def position(self) -> Position:
        """Return the next two integers as a position."""
        return Position(self.integer(), self.integer())

    def rest(self) -> Iterator[memoryview]:
        """Yield the bytes that are left, a chunk at a time."""
        if self._data:
            yield self._data
        for chunk in self._chunks:
            yield self._reader.data(chunk)

    def _byte(self) -> int:
        while not self._data:
            chunk = next(self._chunks, None)
            if chunk is None:
                raise self._reader.error(self._position, "the record ends within its first fields")
            self._data = self._reader.data(chunk)
        value = self._data[0]
        self._data = self._data[1:]
        return value
