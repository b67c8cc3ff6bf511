"""Pages of MariaDB's engine binlogs (`.ibb`), read in blocks and verified.

Source: MariaDB's `Docs/replication/binlog.md` and `storage/innobase/fsp/fsp_binlog.cc`; the layout
is in `mariadb_engine_binlog.ksy`.
"""

from __future__ import annotations

import re
import struct
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from pyspark_adapter.errors import (
    ChecksumMismatchError,
    CorruptEventError,
    EventSite,
    LogFileError,
    NotABinlogError,
    TruncatedEventError,
    UnsupportedError,
    as_log_file_error,
)
from pyspark_adapter.sources.locations import Location, StoredBytes, read_up_to
from pyspark_adapter.sources.log_file import ENGINE_MAGIC
from pyspark_adapter.sources.open_storage import storage_of

ENGINE_NAME: Final = re.compile(r"(.*)-(\d{6,})\.ibb", re.DOTALL)
LEN_PAGE_CHECKSUM: Final = 4
_HEADER: Final = struct.Struct("<4sIIIQQ")
_LEN_HEADER: Final = 512  # that the header has in any page, with a checksum of its own
_MAJOR_VERSION: Final = 1
_FILLER_TYPE: Final = 0x44
_BLOCK_BYTES: Final = 1 << 18
_MAX_BLOCKS: Final = 16
_MAX_FILES: Final = 8


@dataclass(frozen=True)
class EngineFolder:
    """The engine binlogs of one server.

    Attributes:
        base: the names of its files without their numbers, as `binlog`.
        verifies: whether the checksums of pages are compared.
    """

    location: Location
    base: str
    verifies: bool = True

    def name_of(self, file_no: int) -> str:
        """Return the name of a file."""
        return f"{self.base}-{file_no:06}.ibb"

    def site(self, file_no: int, page_no: int, offset: int | None = None) -> EventSite:
        """Return a page as the site of an error, or a record in it that begins at an offset."""
        if offset is None:
            return EventSite(self.name_of(file_no), event_type=f"page {page_no}")
        return EventSite(self.name_of(file_no), offset, f"page {page_no}")

    def numbers(self) -> dict[int, int]:
        """Return the sizes in bytes of the existing files, by number; raises LogFileError."""
        with as_log_file_error(self.location.site):
            files = storage_of(self.location).list(self.location)
        matches = [(ENGINE_NAME.fullmatch(file.location.name), file) for file in files]
        return {
            int(match[2]): file.num_bytes
            for match, file in matches
            if match is not None and match[1] == self.base and not file.is_directory
        }


@dataclass
class _OpenFile:
    """A file that is in use by the server, or was."""

    file_no: int
    file: StoredBytes
    len_page: int
    num_pages: int


class PageReader:
    """Reads pages of a folder by number; holds some blocks of them in memory."""

    def __init__(self, folder: EngineFolder) -> None:
        self.folder = folder
        self._open: OrderedDict[int, _OpenFile | None] = OrderedDict()
        self._blocks: OrderedDict[tuple[int, int], memoryview] = OrderedDict()

    @cached_property
    def _sizes(self) -> dict[int, int]:
        return self.folder.numbers()

    def close(self) -> None:
        """Close all files."""
        for opened in self._open.values():
            if opened is not None:
                opened.file.close()
        self._open.clear()
        self._blocks.clear()

    def is_there(self, file_no: int) -> bool:
        """Return whether there is a file of a number, in use or not."""
        return file_no in self._sizes

    def is_used(self, file_no: int) -> bool:
        """Return whether a file has a header; one that the server has only allocated has none.

        Raises:
            BinlogError: if there is no such file, or its header is invalid.
        """
        return self._file(file_no) is not None

    def len_page(self, file_no: int) -> int:
        """Return the bytes of a page of a file in use."""
        return self._used(file_no).len_page

    def num_pages(self, file_no: int) -> int:
        """Return how many pages a file in use has, its header included."""
        return self._used(file_no).num_pages

    def used_after(self, file_no: int) -> int | None:
        """Return the number of the next file in use, if there is one; raises BinlogError."""
        later = sorted(number for number in self._sizes if number > file_no)
        return next((number for number in later if self.is_used(number)), None)

    def first_missing(self, after: int) -> int | None:
        """Return the number of the first missing file with later ones; None if none is missing."""
        later = [number for number in self._sizes if number > after]
        last = max(later, default=after)
        if last - after == len(later):
            return None
        return next(number for number in range(after + 1, last) if number not in self._sizes)

    def page(self, file_no: int, page_no: int) -> memoryview:
        """Return the bytes of a page without its checksum; raises BinlogError."""
        file = self._used(file_no)
        in_block = max(1, _BLOCK_BYTES // file.len_page)
        number, index = divmod(page_no, in_block)
        key = file_no, number
        block = self._blocks.get(key)
        if block is None:
            block = self._read(file, number * in_block, in_block)
            self._blocks[key] = block
            if len(self._blocks) > _MAX_BLOCKS:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(key)
        start = index * file.len_page
        end = start + file.len_page
        if len(block) < end:  # the block ends before a page whose checksum is wrong
            block, start, end = self._single(file, page_no), 0, file.len_page
        return block[start : end - LEN_PAGE_CHECKSUM]

    def is_zero_from(self, file_no: int, page_no: int) -> int | None:
        """Return the first page from a number on that is not all zeros; None if there is none."""
        file = self._used(file_no)
        step = max(1, _BLOCK_BYTES // file.len_page)
        for first in range(page_no, file.num_pages, step):
            data = self._bytes_of(file, first, step)
            if data.count(0) != len(data):
                position = int(np.frombuffer(data, dtype=np.uint8).nonzero()[0][0])
                return first + position // file.len_page
        return None

    def _used(self, file_no: int) -> _OpenFile:
        file = self._file(file_no)
        if file is None:
            raise CorruptEventError(
                "expected a file in use, found one of zeros", site=self.folder.site(file_no, 0)
            )
        return file

    def _bytes_of(self, file: _OpenFile, page_no: int, num_pages: int) -> bytearray:
        wanted = min(num_pages, file.num_pages - page_no) * file.len_page
        with as_log_file_error(self.folder.site(file.file_no, page_no)):
            file.file.seek(page_no * file.len_page)
            data = bytearray(read_up_to(file.file, wanted))
        if len(data) < wanted:
            short = page_no + len(data) // file.len_page
            raise TruncatedEventError(
                f"expected {file.num_pages} pages, the file ends within this one",
                site=self.folder.site(file.file_no, short),
                needed=wanted,
                available=len(data),
            )
        return data

    def _read(self, file: _OpenFile, page_no: int, num_pages: int) -> memoryview:
        """Return pages whose checksums are right, up to the first one where it is wrong."""
        data = self._bytes_of(file, page_no, num_pages)
        if not self.folder.verifies:
            return memoryview(data)
        from pyspark_adapter.kernels.entry_points import count_valid_pages

        count = len(data) // file.len_page
        valid = count_valid_pages(np.frombuffer(data, dtype=np.uint8), count, file.len_page)
        return memoryview(data)[: valid * file.len_page]

    def _single(self, file: _OpenFile, page_no: int) -> memoryview:
        site = self.folder.site(file.file_no, page_no)
        if page_no >= file.num_pages:
            message = f"expected a page within the {file.num_pages} of the file"
            raise CorruptEventError(message, site=site)
        data = self._bytes_of(file, page_no, 1)
        _check_checksum(data, site)
        return memoryview(data)

    def _file(self, file_no: int) -> _OpenFile | None:
        """Return an open file; None if the server has only allocated it."""
        if file_no in self._open:
            self._open.move_to_end(file_no)
            return self._open[file_no]
        if not self.is_there(file_no):
            missing = FileNotFoundError(2, "No such file or directory")
            raise LogFileError(
                "the file is not in the folder", site=EventSite(self.folder.name_of(file_no))
            ) from missing
        name = self.folder.name_of(file_no)
        with as_log_file_error(EventSite(name)):
            location = self.folder.location.child(name)
            file = storage_of(location).open(location)
            try:
                opened = self._with_header(file_no, file)
            except BaseException:
                file.close()
                raise
        if opened is None:
            file.close()
        self._open[file_no] = opened
        if len(self._open) > _MAX_FILES:
            oldest = self._open.popitem(last=False)[1]
            if oldest is not None:
                oldest.file.close()
        return opened

    def _with_header(self, file_no: int, file: StoredBytes) -> _OpenFile | None:
        """Check the header of a file; see `_file`."""
        site = self.folder.site(file_no, 0)
        num_bytes = self._sizes[file_no]
        start = bytearray(read_up_to(file, _LEN_HEADER))
        if start and not any(start):
            self._expect_zeros(file_no, file)
            return None
        if len(start) < _LEN_HEADER:
            raise TruncatedEventError(
                f"expected a header of {_LEN_HEADER} bytes",
                site=site,
                needed=_LEN_HEADER,
                available=len(start),
            )
        magic, log2_len_page, major, _, number, num_begun = _HEADER.unpack_from(start)
        if magic != ENGINE_MAGIC:
            raise NotABinlogError(
                f"expected the bytes {ENGINE_MAGIC.hex(' ')} first, found {magic.hex(' ')}",
                site=site,
            )
        if self.folder.verifies:
            _check_checksum(start, site)
        if major > _MAJOR_VERSION:
            raise UnsupportedError(
                f"expected version {_MAJOR_VERSION} of the format, found {major}", site=site
            )
        if not 9 <= log2_len_page <= 16:
            raise CorruptEventError(
                f"expected pages of 2^9 to 2^16 bytes, found 2^{log2_len_page}", site=site
            )
        if number != file_no:
            raise CorruptEventError(
                f"expected the number of the file in its header, {file_no}, found {number}",
                site=site,
                advice="give the file the name that the server gave it",
            )
        len_page = 1 << log2_len_page
        opened = _OpenFile(file_no, file, len_page, num_bytes // len_page)
        if num_bytes % len_page or not opened.num_pages:
            raise TruncatedEventError(
                f"expected pages of {len_page} bytes, the file ends within this one",
                site=self.folder.site(file_no, opened.num_pages),
                needed=len_page,
                available=num_bytes % len_page,
            )
        page = self._bytes_of(opened, 0, 1)
        if self.folder.verifies:
            _check_checksum(page, site)
        if opened.num_pages < num_begun:
            self._check_cut(opened, num_begun)
        return opened

    def _expect_zeros(self, file_no: int, file: StoredBytes) -> None:
        """Check the rest of a file without a header, which the server has only allocated."""
        while data := read_up_to(file, _BLOCK_BYTES):
            if data.count(0) != len(data):
                raise CorruptEventError(
                    "expected a header, found zeros, and data behind it",
                    site=self.folder.site(file_no, 0),
                )

    def _check_cut(self, file: _OpenFile, num_begun: int) -> None:
        """Check that a file that is shorter than it was begun ends as FLUSH BINARY LOGS ends one.

        Else it is cut, or a page within is missing, and offsets of records are not what they were.
        """
        last = file.num_pages - 1
        site = self.folder.site(file.file_no, last)
        page = self._bytes_of(file, last, 1) if last else b""
        offset, end = 0, file.len_page - LEN_PAGE_CHECKSUM
        while offset + 3 <= end and page and page[offset] not in (0, _FILLER_TYPE, 0xFF):
            offset += 3 + int.from_bytes(page[offset + 1 : offset + 3], "little")
        if not page or offset >= end or page[offset] != _FILLER_TYPE:
            raise TruncatedEventError(
                f"expected {num_begun} pages as the header says, or a filler at the end of page"
                f" {last}, the last one: the file is cut, or pages are missing",
                site=site,
                needed=num_begun * file.len_page,
                available=file.num_pages * file.len_page,
            )


def _check_checksum(data: bytearray, site: EventSite) -> None:
    """Compare the CRC-32C at the end of bytes; raises ChecksumMismatchError."""
    from pyspark_adapter.kernels.entry_points import count_valid_pages

    if not count_valid_pages(np.frombuffer(data, dtype=np.uint8), 1, len(data)):
        raise _checksum_error(data, site)


def _checksum_error(data: bytearray, site: EventSite) -> ChecksumMismatchError:
    from pyspark_adapter.kernels.entry_points import crc32c

    expected = int.from_bytes(data[-LEN_PAGE_CHECKSUM:], "little")
    actual = crc32c(np.frombuffer(data[:-LEN_PAGE_CHECKSUM], dtype=np.uint8))
    return ChecksumMismatchError(
        f"expected CRC-32C {expected:#010x} at the end of the page, its bytes have {actual:#010x}",
        site=site,
        expected=expected,
        actual=actual,
    )
