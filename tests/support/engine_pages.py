"""Writes the pages of MariaDB's engine binlogs (`.ibb`): headers, chunks, state records, checksums.

Written from the published format alone (MariaDB's `Docs/replication/binlog.md`, and what it leaves
open from `storage/innobase/fsp/fsp_binlog.cc`), and not from the reader that it tests.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

MAGIC = 0x010DFEFE
COMMIT, GTID_STATE, OUT_OF_BAND, FILLER, XA_PREPARE, XA_COMPLETE = 1, 2, 3, 4, 5, 6
CONTINUES, IS_LAST = 0x80, 0x40
PADDING = 0xFF
# What stands for no file in a header.
NO_FILE = (1 << 64) - 1
LEN_CHUNK_HEADER = 3
LEN_CHECKSUM = 4
# The header has a checksum of its own at the end of the smallest page.
LEN_SMALLEST_PAGE = 512

_HEADER = struct.Struct("<IIIIQQQQQQ")


def _crc32c_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _crc32c_table()


def crc32c(data: bytes | bytearray) -> int:
    """Return the CRC-32C, of the polynomial of Castagnoli.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def compressed_int(number: int) -> bytes:
    """Return the shortest form of an integer of 64 bits, of 1 to 7 or 9 bytes.

    >>> compressed_int(32).hex(" ")
    '01 01'
    """
    if not 0 <= number < 1 << 64:
        raise ValueError(f"{number} is not an unsigned integer of 64 bits")
    length = max(1, (number.bit_length() + 3 + 7) // 8)
    if length >= 8:
        length = 9
    return (number << 3 | min(length - 1, 7)).to_bytes(length, "little")


def compressed_ints(*numbers: int) -> bytes:
    """Return the shortest forms of integers, one after the other."""
    return b"".join(map(compressed_int, numbers))


def file_name(file_no: int) -> str:
    """Return the name of a file in the folder of the binlog."""
    return f"binlog-{file_no:06}.ibb"


class Position(NamedTuple):
    """Where a record begins: number of the file, and offset in it of the first type byte."""

    file_no: int
    offset: int


class References(NamedTuple):
    """The fields of a header that say which older files are needed, `NO_FILE` for none."""

    out_of_band: int
    xa: int


@dataclass(frozen=True)
class Header:
    """The fields of page 0; `state_interval` is written as it is given."""

    page_shift: int
    file_no: int
    num_pages: int
    start_lsn: int
    state_interval: int
    references: References

    def smallest_page(self) -> bytes:
        """Return the first 512 bytes of the page, with their checksum."""
        data = _HEADER.pack(
            MAGIC,
            self.page_shift,
            1,
            0,
            self.file_no,
            self.num_pages,
            self.start_lsn,
            self.state_interval,
            *self.references,
        ).ljust(LEN_SMALLEST_PAGE - LEN_CHECKSUM, b"\0")
        return data + crc32c(data).to_bytes(LEN_CHECKSUM, "little")


def seal(page: bytearray) -> None:
    """Write the checksum at the end of a page. One of zeros alone stays as it is: it is empty."""
    data = page[:-LEN_CHECKSUM]
    if any(data):
        page[-LEN_CHECKSUM:] = crc32c(data).to_bytes(LEN_CHECKSUM, "little")


@dataclass
class PageFile:
    """A file that was begun.

    Attributes:
        num_pages: that it has on disk, once all are allocated.
        pages: those that were begun, page 0 first, without checksums.
    """

    num_pages: int
    pages: list[bytearray]


@dataclass
class PageWriter:
    """Appends records to a sequence of files.

    Attributes:
        page_size: in bytes, a power of two.
        pages_per_file: of the files that are begun from now on, the header included; at least 2.
        state_interval: pages between state records, a power of two; 0 for page 1 alone.
        file_no: the file that is written, or that will be begun first.
        gtid_state: returns the data of a state record: the whole state, or the difference.
        references: returns the references in the header of a file.
        has_interval_in_bytes: whether the first file takes the interval in bytes for one in pages,
            as the first one of a server may.
        start_lsn: of the first file; it grows with what is written.
        files: those that were begun, by number.
    """

    page_size: int
    pages_per_file: int
    state_interval: int
    file_no: int
    gtid_state: Callable[[bool], bytes]
    references: Callable[[int], References]
    has_interval_in_bytes: bool = False
    start_lsn: int = 0x11DD6
    files: dict[int, PageFile] = field(default_factory=dict)
    _page: bytearray | None = None  # The one that has room left, the last of its file.
    _offset: int = 0
    _interval: int = 0

    def __post_init__(self) -> None:
        size, interval = self.page_size, self.state_interval
        if size & (size - 1) or not LEN_SMALLEST_PAGE <= size <= 1 << 16:
            raise ValueError(f"a page of {size} bytes; want a power of two from 512 to 65536")
        if interval & (interval - 1):
            raise ValueError(f"a state record each {interval} pages; want a power of two, or 0")
        if self.pages_per_file < 2:
            raise ValueError(f"{self.pages_per_file} pages in a file; want at least 2")
        self._end = size - LEN_CHECKSUM

    def append(
        self, record_type: int, data: bytes, on_first_byte: Callable[[], None] | None = None
    ) -> Position:
        """Append a record of at least one byte, and return where it begins.

        `on_first_byte` is called when its place is known, behind a state record before it and
        before one in the middle of it.
        """
        if not data:
            raise ValueError("a record has at least one byte")
        start: Position | None = None
        sent = 0
        while sent < len(data):
            room = self._make_room() - LEN_CHUNK_HEADER
            if start is None:
                start = Position(self.file_no, self._page_no * self.page_size + self._offset)
                if on_first_byte:
                    on_first_byte()
            part = data[sent : sent + room]
            flags = (CONTINUES if sent else 0) | (IS_LAST if sent + room >= len(data) else 0)
            self._put_chunk(record_type | flags, part)
            sent += len(part)
        assert start is not None
        return start

    def cut_file(self) -> None:
        """End the file after its page, filled up, and begin the next, as FLUSH BINARY LOGS does."""
        if not self._is_at_end_of_file():
            room = self._make_room() - LEN_CHUNK_HEADER
            self.files[self.file_no].num_pages = self._page_no + 1
            self._put_chunk(FILLER | IS_LAST, bytes([PADDING]) * room)
        self._make_room()

    @property
    def _page_no(self) -> int:
        """The page that is written, or the one to begin next."""
        file = self.files.get(self.file_no)
        return len(file.pages) - (self._page is not None) if file else 0

    def _is_at_end_of_file(self) -> bool:
        file = self.files.get(self.file_no)
        return file is not None and self._page_no >= file.num_pages

    def _make_room(self) -> int:
        """Return the bytes left in a page for a chunk with its header: at least one is for data."""
        while True:
            page = self._page or self._begin_page()
            left = self._end - self._offset
            if left > LEN_CHUNK_HEADER:
                return left
            page[self._offset : self._end] = bytes([PADDING]) * left
            self._page = None

    def _begin_page(self) -> bytearray:
        if self._is_at_end_of_file():
            self.file_no += 1
        if self.file_no not in self.files:
            self._begin_file()
        page_no = self._page_no
        if page_no == 1 or (self._interval and page_no % self._interval == 0):
            self._put_state(is_full=page_no == 1)
        # Without a state record, or behind one that ends with its page.
        return self._page or self._add_page()

    def _add_page(self) -> bytearray:
        self._page, self._offset = bytearray(self.page_size), 0
        self.files[self.file_no].pages.append(self._page)
        return self._page

    def _begin_file(self) -> None:
        is_first, self._interval = not self.files, self.state_interval
        if is_first and self.has_interval_in_bytes:
            self._interval *= self.page_size
        self.files[self.file_no] = PageFile(self.pages_per_file, [])
        page_shift = self.page_size.bit_length() - 1
        header = Header(
            page_shift,
            self.file_no,
            self.pages_per_file,
            self.start_lsn,
            self._interval,
            self.references(self.file_no),
        )
        page = bytearray(header.smallest_page().ljust(self.page_size, b"\0"))
        self.files[self.file_no].pages.append(page)

    def _put_state(self, *, is_full: bool) -> None:
        """Write a state record if a page for data is left behind it in the file."""
        file, data = self.files[self.file_no], self.gtid_state(is_full)
        if self._page_no + -(-len(data) // self._end) >= file.num_pages:
            return
        room = self._end - LEN_CHUNK_HEADER
        for sent in range(0, len(data), room):
            self._add_page()
            flags = (CONTINUES if sent else 0) | (IS_LAST if sent + room >= len(data) else 0)
            self._put_chunk(GTID_STATE | flags, data[sent : sent + room])

    def _put_chunk(self, type_byte: int, data: bytes) -> None:
        """Write a chunk into the page; one that is full then takes no more."""
        chunk = struct.pack("<BH", type_byte, len(data)) + data
        end = self._offset + len(chunk)
        assert self._page is not None
        assert end <= self._end
        self._page[self._offset : end] = chunk
        self._offset = end
        if end == self._end:
            self._page = None
        self.start_lsn += len(chunk)

    def on_disk(self, num_unwritten: int = 0, num_empty: int = 1) -> dict[int, bytes]:
        """Return the files by number: all pages allocated, and the begun ones with checksums.

        Args:
            num_unwritten: pages at the end that the server has not written yet; they are zeros.
            num_empty: files that are allocated ahead.
        """
        contents: dict[int, bytes] = {}
        for file_no in sorted(self.files, reverse=True):
            file = self.files[file_no]
            data = bytearray(file.num_pages * self.page_size)
            num_written = max(0, len(file.pages) - num_unwritten)
            num_unwritten -= len(file.pages) - num_written
            for page_no, page in enumerate(file.pages[:num_written]):
                sealed = bytearray(page)
                seal(sealed)
                data[page_no * self.page_size : (page_no + 1) * self.page_size] = sealed
            contents[file_no] = bytes(data)
        ahead = self.file_no + 1 if self.files else self.file_no
        for file_no in range(ahead, ahead + num_empty):
            contents[file_no] = bytes(self.pages_per_file * self.page_size)
        return dict(sorted(contents.items()))
