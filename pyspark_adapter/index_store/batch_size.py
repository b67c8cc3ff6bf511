"""How large the batch of an Arrow stream becomes: pyarrow decompresses without a bound."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

import pyarrow as pa

# Values that are all the same become some thousand times smaller.
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
