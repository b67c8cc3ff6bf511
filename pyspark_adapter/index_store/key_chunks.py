"""Sorted lists of keys with their blocks, in chunks that are read one by one.

A chunk holds keys and blocks as differences, the bytes of the same weight together, compressed:
sequential keys take next to nothing, scattered ones little more than their own bits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from pyspark_adapter.kernels.layout import Numbers

# Keys of a chunk, at most.
LEN_CHUNK: Final = 8192
_LEN_DIGEST: Final = 16
_LEN_ENTRY: Final = 12
# Compressed data can be a little longer than what it holds.
_MAX_BYTES: Final = 2 * LEN_CHUNK * _LEN_ENTRY
_ZSTD: Final = "zstd"

# Chunks, by specification and then by key; keys are unsigned numbers of 64 bits.
#   spec: index of the specification.
#   first, last: its first and last key.
#   count: entries, each a key and a block.
#   offset, num_bytes: where it is in the data of the keys.
#   digest: its checksum.
CHUNKS: Final = pa.schema(
    [
        ("spec", pa.int64()),
        ("first", pa.uint64()),
        ("last", pa.uint64()),
        ("count", pa.int64()),
        ("offset", pa.int64()),
        ("num_bytes", pa.int64()),
        ("digest", pa.binary()),
    ]
)
NO_CHUNKS: Final = pa.RecordBatch.from_arrays([pa.nulls(0, f.type) for f in CHUNKS], schema=CHUNKS)


class KeyData(Protocol):
    """The data of the chunks of a log."""

    def read(self, offset: int, num_bytes: int) -> bytes:
        """Return some bytes; fewer if there are not so many; raises OSError."""


class KeyBytes:
    """The data in memory."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = data

    def read(self, offset: int, num_bytes: int) -> bytes:
        """Return some bytes."""
        return self._data[offset : offset + num_bytes]


def write_chunks(specs: Sequence[tuple[Numbers, Numbers]]) -> tuple[pa.RecordBatch, bytes]:
    """Return the chunks and their data.

    Args:
        specs: keys (uint64) and blocks of each specification, in any order.
    """
    rows: list[tuple[Any, ...]] = []
    data: list[bytes] = []
    offset = 0
    for number, (keys, blocks) in enumerate(specs):
        keys, blocks = _sorted(keys, blocks)
        for start in range(0, len(keys), LEN_CHUNK):
            part = keys[start : start + LEN_CHUNK]
            content = _encode(part, blocks[start : start + LEN_CHUNK])
            digest = _digest(content)
            count = len(part)
            place = (offset, len(content), digest)
            rows.append((number, int(part[0]), int(part[-1]), count, *place))
            data.append(content)
            offset += len(content)
    if not rows:
        return NO_CHUNKS, b""
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, CHUNKS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=CHUNKS), b"".join(data)


def _sorted(keys: Numbers, blocks: Numbers) -> tuple[Numbers, Numbers]:
    """Return entries by key and block, each once. Inserts mostly come in order."""
    if not (keys[1:] >= keys[:-1]).all() or not (blocks[1:] >= blocks[:-1]).all():
        order = np.lexsort([blocks, keys])
        keys, blocks = keys[order], blocks[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = (keys[1:] != keys[:-1]) | (blocks[1:] != blocks[:-1])
    return (keys, blocks) if is_new.all() else (keys[is_new], blocks[is_new])


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:_LEN_DIGEST]


def _encode(keys: Numbers, blocks: Numbers) -> bytes:
    differences = np.diff(keys, prepend=np.uint64(0)).astype("<u8")
    numbers = np.diff(blocks.astype(np.uint32), prepend=np.uint32(0)).astype("<u4")
    planes = [
        differences.view(np.uint8).reshape(-1, 8).T.tobytes(),
        numbers.view(np.uint8).reshape(-1, 4).T.tobytes(),
    ]
    return bytes(pa.compress(b"".join(planes), codec=_ZSTD, asbytes=True))


def _decode(content: bytes, count: int) -> tuple[Numbers, Numbers]:
    """Return keys and blocks of a chunk; raises ValueError."""
    try:
        plain = pa.decompress(content, count * _LEN_ENTRY, codec=_ZSTD, asbytes=True)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(str(error)) from error
    if len(plain) != count * _LEN_ENTRY:
        raise ValueError("is too short")
    data = np.frombuffer(plain, dtype=np.uint8)
    differences = np.ascontiguousarray(data[: 8 * count].reshape(8, -1).T).view("<u8").ravel()
    numbers = np.ascontiguousarray(data[8 * count :].reshape(4, -1).T).view("<u4").ravel()
    return np.cumsum(differences, dtype=np.uint64), np.cumsum(numbers, dtype=np.uint32)


def are_chunks(
    chunks: pa.RecordBatch, num_specs: Numbers | int, is_first: Numbers | None = None
) -> bool:
    """Return whether chunks can be those of logs.

    Args:
        chunks: of the logs.
        num_specs: specifications of the log of each chunk.
        is_first: whether a chunk is the first of its log; None for those of one log.
    """
    spec, first, last, count, offset, num_bytes = (
        column.to_numpy() for column in chunks.columns[:-1]
    )
    if is_first is None:
        is_first = np.arange(len(spec)) == 0
    goes_on = ~is_first[1:]
    is_good = ((spec >= 0) & (spec < num_specs) & (first <= last)).all()
    is_good &= ((count > 0) & (count <= LEN_CHUNK)).all() and (offset[is_first] == 0).all()
    is_good &= ((num_bytes > 0) & (num_bytes <= _MAX_BYTES)).all()
    is_good &= (spec[1:] >= spec[:-1])[goes_on].all()
    is_good &= (offset[1:] == offset[:-1] + num_bytes[:-1])[goes_on].all()
    same = goes_on & (spec[1:] == spec[:-1])
    return bool(is_good and (first[1:][same] >= last[:-1][same]).all())


def find_blocks(
    chunks: pa.RecordBatch, data: KeyData, spec: int, keys: Sequence[int], num_blocks: int
) -> Numbers:
    """Return (num_blocks,) bool: blocks that have one of some keys of a specification.

    Raises:
        ValueError: if a chunk is damaged.
        OSError: if it cannot be read.
    """
    holds = np.zeros(num_blocks, dtype=bool)
    specs = chunks.column("spec").to_numpy()
    start, stop = np.searchsorted(specs, [spec, spec + 1]).tolist()
    if start == stop:
        return holds
    wanted = np.unique(np.array(keys, dtype=np.uint64))
    first = chunks.column("first").to_numpy()[start:stop]
    last = chunks.column("last").to_numpy()[start:stop]
    # Of each key the chunks from the first whose last key is not below it.
    lows = np.searchsorted(last, wanted, side="left")
    highs = np.searchsorted(first, wanted, side="right")
    needed = sorted({k for low, high in zip(lows, highs, strict=True) for k in range(low, high)})
    for k in needed:
        has, blocks = read_chunk(chunks, data, start + k, num_blocks)
        holds[blocks[np.isin(has, wanted)]] = True
    return holds


def chunk_content(chunks: pa.RecordBatch, data: KeyData, k: int) -> bytes:
    """Return the data of the k-th chunk; raises ValueError, OSError."""
    offset, size = (chunks.column(name)[k].as_py() for name in ("offset", "num_bytes"))
    content = data.read(offset, size)
    if len(content) != size or _digest(content) != chunks.column("digest")[k].as_py():
        raise ValueError("its keys are damaged: a checksum differs")
    return content


def read_chunk(
    chunks: pa.RecordBatch, data: KeyData, k: int, num_blocks: int
) -> tuple[Numbers, Numbers]:
    """Return the keys and blocks of the k-th chunk; raises ValueError, OSError."""
    content = chunk_content(chunks, data, k)
    first, last, count = (chunks.column(name)[k].as_py() for name in ("first", "last", "count"))
    keys, blocks = _decode(content, count)
    is_good = (int(keys[0]), int(keys[-1])) == (first, last)
    if not is_good or (keys[1:] < keys[:-1]).any() or (blocks >= num_blocks).any():
        raise ValueError("its keys are damaged")
    return keys, blocks
