"""Damages files of MariaDB's engine binlogs in ways that have names."""

import struct
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass

from tests.support.engine_pages import (
    COMMIT,
    CONTINUES,
    IS_LAST,
    LEN_CHECKSUM,
    LEN_CHUNK_HEADER,
    LEN_SMALLEST_PAGE,
    OUT_OF_BAND,
    PADDING,
    crc32c,
    seal,
)


def _flip(page: bytearray, offset: int) -> None:
    page[offset] ^= 0x55


def _edit_header(offset: int, value: bytes) -> Callable[[bytearray], None]:
    """Return an edit of page 0 that leaves both checksums right."""

    def edit(page: bytearray) -> None:
        page[offset : offset + len(value)] = value
        end = LEN_SMALLEST_PAGE - LEN_CHECKSUM
        page[end:LEN_SMALLEST_PAGE] = crc32c(page[:end]).to_bytes(LEN_CHECKSUM, "little")
        seal(page)

    return edit


def _spoil_header_checksum(page: bytearray) -> None:
    _flip(page, LEN_SMALLEST_PAGE - LEN_CHECKSUM)
    seal(page)


def _edit_chunk(edit: Callable[[int, int], tuple[int, int]]) -> Callable[[bytearray], None]:
    """Return an edit of type and length of the first chunk of events of a page that it changes."""

    def apply(page: bytearray) -> None:
        offset = 0
        while True:
            type_byte, length = struct.unpack_from("<BH", page, offset)
            assert type_byte not in (0, PADDING), "the page has no such chunk"
            changed = edit(type_byte, length)
            is_of_events = type_byte & ~(CONTINUES | IS_LAST) in (COMMIT, OUT_OF_BAND)
            if is_of_events and changed != (type_byte, length):
                break
            offset += LEN_CHUNK_HEADER + length
        struct.pack_into("<BH", page, offset, *changed)
        seal(page)

    return apply


# Those of chunks and headers leave the checksums right, unless the name says so.
_PAGE_DAMAGES: dict[str, Callable[[bytearray], None]] = {
    "flipped byte": lambda page: _flip(page, 5),
    "bad checksum": lambda page: _flip(page, len(page) - 1),
    "zeroed page": lambda page: page.__setitem__(slice(None), bytes(len(page))),
    "bad header checksum": _spoil_header_checksum,
    "bad magic": _edit_header(0, b"\xfebin"),
    "page size of 128 KiB": _edit_header(4, (17).to_bytes(4, "little")),
    "newer major version": _edit_header(8, (2).to_bytes(4, "little")),
    "newer minor version": _edit_header(12, (1).to_bytes(4, "little")),
    "other file number": _edit_header(16, (77).to_bytes(8, "little")),
    "long chunk": _edit_chunk(lambda type_byte, _: (type_byte, 0xFFFF)),
    "empty chunk": _edit_chunk(lambda type_byte, _: (type_byte, 0)),
    "unknown type": _edit_chunk(lambda type_byte, n: (type_byte & (CONTINUES | IS_LAST) | 9, n)),
    "no last chunk": _edit_chunk(lambda type_byte, n: (type_byte & ~IS_LAST, n)),
    "early last chunk": _edit_chunk(lambda type_byte, n: (type_byte | IS_LAST, n)),
    "no first chunk": _edit_chunk(lambda type_byte, n: (type_byte | CONTINUES, n)),
    "no continuation": _edit_chunk(lambda type_byte, n: (type_byte & ~CONTINUES, n)),
}
DAMAGES = (*_PAGE_DAMAGES, "missing page", "cut at page", "cut in page", "missing file")


@dataclass(frozen=True)
class Damage:
    """A damage of a page, or of a file from a page on.

    Attributes:
        name: one of `DAMAGES`.
        file_no: of the file.
        page_no: 0 for damages of the header; "missing file" needs none.
    """

    name: str
    file_no: int = 0
    page_no: int = 0

    def do(self, files: MutableMapping[int, bytes], page_size: int) -> None:
        """Damage the contents of files, by number. There is an error if that changes nothing."""
        data = files.pop(self.file_no)
        if self.name == "missing file":
            return
        start, end = self.page_no * page_size, (self.page_no + 1) * page_size
        assert end <= len(data), "the file has no such page"
        if self.name == "missing page":
            changed = data[:start] + data[end:]
        elif self.name == "cut at page":
            changed = data[:start]
        elif self.name == "cut in page":
            changed = data[: start + page_size // 2]
        else:
            page = bytearray(data[start:end])
            _PAGE_DAMAGES[self.name](page)
            changed = data[:start] + bytes(page) + data[end:]
        assert changed != data, f"{self.name!r} changes nothing here"
        files[self.file_no] = changed
        for number in sorted(files):
            files[number] = files.pop(number)
