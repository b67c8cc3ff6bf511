"""The file of some indexes: a head with a checksum, and an Arrow stream.

Files are immutable. Each is written under a temporary name and then renamed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import pyarrow as pa

from pyspark_adapter.index.log_index import INDEXES, LogIndex, from_batch, to_batch

# Of files of all versions, and of this one.
OWN_HEAD: Final = b"mysql-binlog-spark index "
HEAD: Final = OWN_HEAD + b"01\n"
SUFFIX: Final = ".index"
_LEN_DIGEST: Final = 32


def encode(indexes: Sequence[LogIndex]) -> bytes:
    """Return the content of a file."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, INDEXES, options=options) as writer:
        writer.write_batch(to_batch(indexes))
    content: bytes = sink.getvalue().to_pybytes()
    return HEAD + hashlib.sha256(content).digest() + content


def digest_of(data: bytes) -> str:
    """Return the checksum of a file, in hexadecimal."""
    return data[len(HEAD) : len(HEAD) + _LEN_DIGEST].hex()


def decode(data: bytes) -> list[LogIndex]:
    """Return the indexes of a file.

    Raises:
        ValueError: if it is not a file of this version, or is damaged.
    """
    start = len(HEAD) + _LEN_DIGEST
    if not data.startswith(HEAD):
        raise ValueError("is not an index of this version")
    content = memoryview(data)[start:]
    if hashlib.sha256(content).digest() != data[len(HEAD) : start]:
        raise ValueError("is damaged: its checksum differs")
    try:
        with pa.ipc.open_stream(pa.py_buffer(content)) as reader:
            if reader.schema != INDEXES:
                raise ValueError("has other columns")
            table = reader.read_all()
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"is damaged: {error}") from error
    if any(table.column(name).null_count for name in INDEXES.names if name != "modified"):
        raise ValueError("lacks values")
    return [index for batch in table.to_batches() for index in from_batch(batch)]
