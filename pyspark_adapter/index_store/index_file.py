"""The file of some indexes: a head with a checksum, an Arrow stream, and the data of the keys.

Files are immutable. Each is written under a temporary name and then renamed. The checksum is that
of the stream, which has the checksums of all chunks of keys: these are read when they are needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa

from pyspark_adapter.index_store.key_chunks import CHUNKS, KeyBytes, chunk_content
from pyspark_adapter.index_store.log_index import INDEXES, LogIndex, from_batch, to_batch
from pyspark_adapter.sources.locations import Location, StoredFile, read_up_to
from pyspark_adapter.sources.open_storage import open_location

# Of files of all versions, and of this one.
OWN_HEAD: Final = b"mysql-binlog-spark index "
HEAD: Final = OWN_HEAD + b"03\n"
SUFFIX: Final = ".index"
_LEN_DIGEST: Final = 32
_LEN_SIZE: Final = 8
LEN_START: Final = len(HEAD) + _LEN_DIGEST + _LEN_SIZE
# A request of an object storage takes as long as to transfer so much.
_FIRST_READ: Final = 1 << 18
# More than the blocks of the logs of 100 TB.
_MAX_STREAM: Final = 1 << 34


@dataclass(frozen=True)
class FileKeys:
    """The data of keys in a file, which another may replace meanwhile: checksums differ then."""

    location: Location
    start: int

    def read(self, offset: int, num_bytes: int) -> bytes:
        """Return some bytes.

        Raises:
            OSError: if they cannot be read.
        """
        file = open_location(self.location)
        try:
            file.seek(self.start + offset)
            return read_up_to(file, num_bytes)
        finally:
            file.close()


def encode(indexes: Sequence[LogIndex]) -> bytes:
    """Return the content of a file, in memory."""
    return b"".join(pieces_of(indexes))


def pieces_of(indexes: Sequence[LogIndex]) -> Iterator[bytes]:
    """Yield the content of a file.

    Raises:
        ValueError: if keys are damaged, or are of another file meanwhile.
        OSError: if keys cannot be read.
    """
    start = 0
    moved = []
    for index in indexes:
        moved.append(replace(index, chunks=_moved(index.chunks, start)))
        start += index.num_key_bytes
    yield _head(moved)
    for index in indexes:
        for k in range(index.chunks.num_rows):
            yield chunk_content(index.chunks, index.key_data, k)


def _moved(chunks: pa.RecordBatch, start: int) -> pa.RecordBatch:
    """Return chunks whose data begins at an offset, in the place of 0."""
    offsets = chunks.column("offset").to_numpy()
    offsets = pa.array(offsets - offsets[:1].sum() + start, pa.int64())
    columns = [offsets if name == "offset" else chunks.column(name) for name in CHUNKS.names]
    return pa.RecordBatch.from_arrays(columns, schema=CHUNKS)


def _head(indexes: Sequence[LogIndex]) -> bytes:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, INDEXES, options=options) as writer:
        writer.write_batch(to_batch(indexes))
    content: bytes = sink.getvalue().to_pybytes()
    size = len(content).to_bytes(_LEN_SIZE, "little")
    return HEAD + hashlib.sha256(content).digest() + size + content


def digest_of(data: bytes) -> str:
    """Return the checksum of a file, in hexadecimal."""
    return data[len(HEAD) : len(HEAD) + _LEN_DIGEST].hex()


def read_file(file: StoredFile) -> list[LogIndex] | None:
    """Return the indexes of a file, without the data of keys; None if it is not of this package.

    Raises:
        ValueError: if it is not a file of this version, or is damaged.
        OSError: if it cannot be read.
    """
    opened = open_location(file.location)
    try:
        start = read_up_to(opened, min(file.num_bytes, _FIRST_READ))
        if not start.startswith(OWN_HEAD):
            return None
        base = LEN_START + _len_stream(start[:LEN_START])
        if base > len(start):
            start += read_up_to(opened, min(base, file.num_bytes) - len(start))
    finally:
        opened.close()
    found = _decode(start)
    if file.num_bytes < base + sum(index.num_key_bytes for index, _ in found):
        raise ValueError("is damaged: it is cut")
    return [
        replace(
            index, chunks=_moved(index.chunks, 0), key_data=FileKeys(file.location, base + first)
        )
        for index, first in found
    ]


def _len_stream(start: bytes) -> int:
    if not start.startswith(HEAD):
        raise ValueError("is not an index of this version")
    size = int.from_bytes(start[-_LEN_SIZE:], "little")
    if len(start) < LEN_START or size > _MAX_STREAM:
        raise ValueError("is damaged: it is cut")
    return size


def decode(data: bytes) -> list[LogIndex]:
    """Return the indexes of a file in memory.

    Raises:
        ValueError: if it is not a file of this version, or is damaged.
    """
    base = LEN_START + _len_stream(data[:LEN_START])
    return [
        replace(index, chunks=_moved(index.chunks, 0), key_data=KeyBytes(data[base + first :]))
        for index, first in _decode(data)
    ]


def _decode(data: bytes) -> list[tuple[LogIndex, int]]:
    """Return the indexes of a file, and where the keys of each begin.

    Raises:
        ValueError: if it is not a file of this version, or is damaged.
    """
    size = _len_stream(data[:LEN_START])
    content = memoryview(data)[LEN_START : LEN_START + size]
    if len(content) < size:
        raise ValueError("is damaged: it is cut")
    if hashlib.sha256(content).digest() != data[len(HEAD) : len(HEAD) + _LEN_DIGEST]:
        raise ValueError("is damaged: its checksum differs")
    try:
        options = pa.ipc.IpcReadOptions(use_threads=False)  # as in `Statistics.by_table`
        with pa.ipc.open_stream(pa.py_buffer(content), options=options) as reader:
            if reader.schema != INDEXES:
                raise ValueError("has other columns")
            table = reader.read_all()
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"is damaged: {error}") from error
    if any(table.column(name).null_count for name in INDEXES.names if name != "modified"):
        raise ValueError("lacks values")
    found = [index for batch in table.to_batches() for index in from_batch(batch)]
    return [
        (index, index.chunks.column("offset")[0].as_py() if index.chunks.num_rows else 0)
        for index in found
    ]
