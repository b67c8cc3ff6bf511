"""Folders of MariaDB's engine binlogs, damaged: pages, chunks and records that no server writes."""

import random
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from pyspark_adapter import BinlogError
from pyspark_adapter.find_logs import find_log_files
from tests.fuzz import reads
from tests.support.engine_binlog import EngineBinlogWriter
from tests.support.engine_groups import GroupWriter, groups_of
from tests.support.engine_pages import crc32c, file_name, seal
from tests.support.logs import read_sample

_SIZES = ((512, 9, 60), (512, 40, 400), (1024, 12, 2000), (4096, 9, 9000))


@cache
def _folder(page_size: int, pages_per_file: int, cache_size: int) -> dict[int, bytes]:
    writer = EngineBinlogWriter(
        page_size=page_size, pages_per_file=pages_per_file, cache_size=cache_size
    )
    GroupWriter(writer).write(groups_of(read_sample("mariadb-11.8-transactions")))
    return writer.pages.on_disk()


def make_folder(rng: random.Random) -> bytes:
    """Return the files of a folder, some bytes changed; most pages get a checksum that is right."""
    sizes = rng.choice(_SIZES)
    page_size = sizes[0]
    files = {number: bytearray(data) for number, data in _folder(*sizes).items()}
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        data = rng.choice(list(files.values()))
        start = rng.randrange(max(len(data) // page_size, 1)) * page_size
        page = bytearray(data[start : start + page_size])
        if len(page) < page_size:
            continue
        for _ in range(rng.choice((1, 1, 2, 8))):
            # The first bytes of a page are those of a chunk or of the header.
            place = rng.randrange(rng.choice((4, 64, page_size)))
            page[place] = rng.choice((rng.randrange(256), page[place] ^ 1 << rng.randrange(8)))
        if rng.random() < 0.8:
            page[508:512] = (
                crc32c(bytes(page[:508])).to_bytes(4, "little") if not start else page[508:512]
            )
            seal(page)
        data[start : start + page_size] = page
    if rng.random() < 0.1:
        del files[rng.choice(list(files))]
    if files and rng.random() < 0.1:
        data = rng.choice(list(files.values()))
        del data[rng.randrange(len(data) + 1) :]
    return b"".join(struct.pack("<II", n, len(data)) + data for n, data in files.items())


def _files_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while offset + 8 <= len(data):
        number, length = struct.unpack_from("<II", data, offset)
        yield number, data[offset + 8 : offset + 8 + length]
        offset += 8 + length


def read_folder(data: bytes, folder: Path) -> None:
    """Read each file of a folder, in windows of two sizes."""
    place = folder / "engine"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for number, content in _files_of(data):
        (place / file_name(number)).write_bytes(content)
    options = {**reads.CHANGES, "verify_checksums": bool(zlib.crc32(data) % 4)}
    with suppress(BinlogError):
        for log_file in find_log_files(str(place), reads.options_of(options)):
            # Where a page and an event in it are damaged, either may be found first.
            reads.read_twice(log_file, options, with_errors=False)
