"""The file of some indexes: headers with a checksum, details of some logs each, and keys.

Files are immutable. Each is written under a temporary name and then renamed. The checksum is that
of the headers. These have the checksums of the details, which have those of the chunks of keys:
both are read when they are needed.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator, Sequence
from typing import Final

import pyarrow as pa

from pyspark_adapter.index_store.index_batches import (
    Details,
    DetailTables,
    IndexHeader,
    IndexHeaders,
    LogTables,
    detail_batch,
    header_batch,
)
from pyspark_adapter.index_store.index_schema import BLOCK_DETAILS, DETAILS, HEADS, TABLE_DETAILS
from pyspark_adapter.index_store.keys import IndexBytes, chunk_content
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.sources.locations import StoredFile, read_up_to
from pyspark_adapter.sources.open_storage import open_location

HEAD: Final = b"mysql-binlog-spark index 05\n"
# Of files of all versions. Notes may begin with the command line: a number and a line end follow.
OWN_HEAD: Final = re.compile(rb"mysql-binlog-spark index \d\d\n")
SUFFIX: Final = ".index"
_LEN_DIGEST: Final = 32
_LEN_SIZE: Final = 8
LEN_START: Final = len(HEAD) + _LEN_DIGEST + _LEN_SIZE
# A request of an object storage takes as long as to transfer so much.
_FIRST_READ: Final = 1 << 18
# More than the headers of the logs of 100 TB.
_MAX_STREAM: Final = 1 << 34
# Details of so many logs, or with so many counts, are read at once.
_MAX_LOGS: Final = 64
_MAX_COUNTS: Final = 1 << 16


class StoredIndexes:
    """The indexes of a file. Headers are loaded; details are read when they are asked for.

    Args:
        content: the headers.
        data: what comes after them.
        num_bytes: of `data`.

    Raises:
        ValueError: if they are damaged.
    """

    def __init__(self, content: bytes | memoryview, data: IndexBytes, num_bytes: int) -> None:
        self._headers = IndexHeaders(batch_of(content, HEADS), num_bytes)
        self._data = data
        self._runs = {number: run for run in self._headers.runs() for number in range(*run)}
        # By the first log of a run; its bytes as long as not all is decoded.
        self._tables: dict[int, DetailTables] = {}
        self._details: dict[int, Details] = {}
        self._contents: dict[int, bytes] = {}
        self.logs: Sequence[IndexHeader] = self._headers.logs

    def index(self, number: int) -> LogIndex:
        """Return an index; raises ValueError, OSError."""
        start, stop = self._runs[number]
        if start not in self._details:
            tables = self._tables_of(number)
            batch = batch_of(self._contents[start], DETAILS, BLOCK_DETAILS)
            self._details[start] = Details(self._headers, start, stop, batch, tables)
            del self._contents[start]
        keys = self._data.after(self._headers.places["keys_pos"][number])
        return self._details[start].index(number, keys)

    def tables(self, number: int) -> LogTables:
        """Return what an index knows of the tables of its log; raises ValueError, OSError."""
        return self._tables_of(number).of(number)

    def _tables_of(self, number: int) -> DetailTables:
        start, stop = self._runs[number]
        if start not in self._tables:
            places = self._headers.places
            size = places["details_size"][start]
            content = self._data.read(places["details_pos"][start], size)
            if len(content) != size:
                raise ValueError("is damaged: it is cut")
            if _digest(content) != places["details_digest"][start]:
                raise ValueError("is damaged: its checksum differs")
            batch = batch_of(content, DETAILS, TABLE_DETAILS)
            self._tables[start] = DetailTables(self._headers, start, stop, batch)
            self._contents[start] = content
        return self._tables[start]


def encode(indexes: Sequence[LogIndex]) -> bytes:
    """Return the content of a file, in memory."""
    return b"".join(pieces_of(indexes))


def pieces_of(indexes: Sequence[LogIndex]) -> Iterator[bytes]:
    """Yield the content of a file; raises ValueError, OSError."""
    places: list[tuple[int, int, bytes]] = []
    details: list[bytes] = []
    end = 0
    for run in _runs(indexes):
        content = stream_of(detail_batch(run))
        places += [(end, len(content), _digest(content))] * len(run)
        details.append(content)
        end += len(content)
    of_keys = []
    for index in indexes:
        of_keys.append((end, index.num_key_bytes))
        end += index.num_key_bytes
    headers = stream_of(
        header_batch(indexes, [(*one, *keys) for one, keys in zip(places, of_keys, strict=True)])
    )
    yield HEAD + _digest(headers) + len(headers).to_bytes(_LEN_SIZE, "little") + headers
    yield from details
    for index in indexes:
        for k in range(index.chunks.num_rows):
            yield chunk_content(index.chunks, index.key_data, k)


def _runs(indexes: Sequence[LogIndex]) -> Iterator[Sequence[LogIndex]]:
    """Yield neighbours whose details are kept together."""
    run: list[LogIndex] = []
    num_counts = 0
    for index in indexes:
        num_counts += index.counts.num_rows
        if run and (len(run) >= _MAX_LOGS or num_counts > _MAX_COUNTS):
            yield run
            run, num_counts = [], index.counts.num_rows
        run.append(index)
    if run:
        yield run


def stream_of(batch: pa.RecordBatch) -> bytes:
    """Return a batch as an Arrow stream."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue().to_pybytes())


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.sha256(content).digest()


def digest_of(data: bytes) -> str:
    """Return the checksum of a file, in hexadecimal."""
    return data[len(HEAD) : len(HEAD) + _LEN_DIGEST].hex()


def read_file(file: StoredFile) -> StoredIndexes | None:
    """Return the indexes of a file; None if it is not of this package; raises ValueError, OSError.

    A small file stays in memory: it may be replaced meanwhile.
    """
    opened = open_location(file.location)
    try:
        start = read_up_to(opened, min(file.num_bytes, _FIRST_READ))
        if not OWN_HEAD.match(start):
            return None
        base = LEN_START + _len_stream(start[:LEN_START])
        if base > len(start):
            start += read_up_to(opened, min(base, file.num_bytes) - len(start))
    finally:
        opened.close()
    is_all = len(start) >= file.num_bytes
    data = IndexBytes(start if is_all else b"", base, file.location)
    return StoredIndexes(_content(start), data, max(file.num_bytes - base, 0))


def _len_stream(start: bytes) -> int:
    if not start.startswith(HEAD):
        raise ValueError("is not an index of this version")
    size = int.from_bytes(start[-_LEN_SIZE:], "little")
    if len(start) < LEN_START or size > _MAX_STREAM:
        raise ValueError("is damaged: it is cut")
    return size


def decode(data: bytes) -> list[LogIndex]:
    """Return the indexes of a file in memory; raises ValueError."""
    base = LEN_START + _len_stream(data[:LEN_START])
    stored = StoredIndexes(_content(data), IndexBytes(data[base:]), max(len(data) - base, 0))
    return [stored.index(number) for number in range(len(stored.logs))]


def _content(data: bytes) -> memoryview:
    """Return the headers of a file; raises ValueError."""
    size = _len_stream(data[:LEN_START])
    content = memoryview(data)[LEN_START : LEN_START + size]
    if len(content) < size:
        raise ValueError("is damaged: it is cut")
    if _digest(content) != data[len(HEAD) : len(HEAD) + _LEN_DIGEST]:
        raise ValueError("is damaged: its checksum differs")
    return content


def batch_of(
    content: bytes | memoryview, schema: pa.Schema, names: Sequence[str] = ()
) -> pa.RecordBatch:
    """Return the one batch of a stream; raises ValueError if it is damaged."""
    fields = [schema.get_field_index(name) for name in names]
    schema = pa.schema([schema.field(k) for k in fields]) if fields else schema
    try:
        check_size(content)
        # Without threads as in `Statistics.by_table`.
        options = pa.ipc.IpcReadOptions(use_threads=False, included_fields=fields)
        with pa.ipc.open_stream(pa.py_buffer(content), options=options) as reader:
            if reader.schema != schema:
                raise ValueError("has other columns")
            batch = reader.read_next_batch()
        batch.validate(full=True)
    except (pa.ArrowException, OSError, StopIteration) as error:
        raise ValueError(f"is damaged: {error}") from error
    if any(batch.column(name).null_count for name in schema.names if name != "modified"):
        raise ValueError("is damaged: it lacks values")
    return batch


# pyarrow decompresses without a bound. Values that are all the same become some thousand times
# smaller.
_ALWAYS: Final = 64 << 20
_MOST_TIMES: Final = 64
_LEN_BUFFER: Final = 16
# Numbers of fields, in `Message.fbs` of Arrow.
_HEADER: Final = 2  # of a message
_BUFFERS: Final = 2  # of a record batch


def check_size(content: bytes | memoryview) -> None:
    """Check that a stream becomes no larger than an index can be.

    Raises:
        ValueError: if it does, or is no stream.
        pa.ArrowException, OSError: if a message is damaged.
    """
    most = _ALWAYS + _MOST_TIMES * len(content)
    for message in pa.ipc.MessageReader.open_stream(pa.py_buffer(content)):
        if message.type == "schema":
            continue
        if message.type != "record batch":
            raise ValueError("has other columns")
        try:
            size = sum(_sizes(bytes(message.metadata), memoryview(message.body)))
        except struct.error as error:
            raise ValueError("is damaged: it has no list of buffers") from error
        if size > most:
            raise ValueError(f"is damaged: it becomes {size:,} bytes, of {len(content):,}")


def _sizes(metadata: bytes, body: memoryview) -> Iterator[int]:
    """Yield the size of each buffer of a batch: compressed ones begin with it."""
    message = _number("<I", metadata, 0)
    batch = _behind(metadata, _field(metadata, message, _HEADER))
    buffers = _behind(metadata, _field(metadata, batch, _BUFFERS))
    for k in range(_number("<I", metadata, buffers)):
        offset, length = struct.unpack_from("<qq", metadata, buffers + 4 + k * _LEN_BUFFER)
        if length:
            yield max(_number("<q", body, offset), length)


def _field(data: bytes, table: int, number: int) -> int:
    """Return where a field of a table of FlatBuffers is."""
    names = table - _number("<i", data, table)
    return table + _number("<H", data, names + 4 + 2 * number)


def _behind(data: bytes, pos: int) -> int:
    """Return the place to which an offset leads."""
    return pos + _number("<I", data, pos)


def _number(form: str, data: bytes | memoryview, pos: int) -> int:
    return int(struct.unpack_from(form, data, pos)[0])
