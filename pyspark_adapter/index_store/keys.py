"""The keys of rows as an index has them: numbers, in sorted lists with their blocks.

A single integer is itself, as 64 bits. Other keys are hashes of 40 bits over their values: integers
as 64 bits, texts and bytes as the row has them. `kernels.row_keys` does the same with rows.

A chunk of a list is read by itself. It holds keys and blocks as differences, the bytes of the same
weight together, compressed: sequential keys take next to nothing, scattered ones little more than
their own bits.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from ipaddress import ip_address
from itertools import product
from typing import Any, Final
from uuid import UUID

import numpy as np
import pyarrow as pa

from pyspark_adapter.charsets.charset import charset_of
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import (
    KEY_FACTOR_1,
    KEY_FACTOR_2,
    KEY_HASH_BITS,
    KEY_SALT,
    KeyKind,
    Numbers,
)
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.locations import Location, read_up_to
from pyspark_adapter.sources.open_storage import open_location

_INTEGERS: Final = frozenset({Code.tiny, Code.short, Code.int24, Code.long, Code.longlong})
_STRINGS: Final = frozenset({Code.varchar, Code.var_string, Code.string})
# Character sets in which the bytes of a text are known: `_ASCII` of ASCII letters alone.
_UTF8: Final = frozenset({"utf8mb3", "utf8mb4"})
_ASCII: Final = frozenset({"ascii", "latin1"})
_BINARY: Final = "binary"
_INTEGER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
# Look-ups of one read; more are a scan.
MAX_LOOKUPS: Final = 10_000
_MAX_COLUMNS: Final = 16
_MASK: Final = (1 << 64) - 1
_SEED: Final = 0x9E3779B97F4A7C15
_FACTOR: Final = 0xFF51AFD7ED558CCD


@dataclass(frozen=True)
class KeyColumn:
    """A column of a key.

    Attributes:
        name: in the log or a definition, in lower case.
        charset: of a text, `binary` of bytes; empty for an integer.
        is_unsigned: of an integer.
    """

    name: str
    charset: str = ""
    is_unsigned: bool = False

    @property
    def kind(self) -> int:
        """Its `KeyKind`."""
        if self.charset:
            return KeyKind.BYTES
        return KeyKind.UNSIGNED if self.is_unsigned else KeyKind.SIGNED


@dataclass(frozen=True)
class KeySpec:
    """The key of a table, at some place of a log.

    Attributes:
        columns: in the order of the row.
        is_logged: whether the log itself names them.
    """

    table: TableName
    columns: tuple[KeyColumn, ...]
    is_logged: bool

    def encode(self) -> str:
        """Return the columns and where their names are from, as text."""
        columns = [(c.name, c.charset, c.is_unsigned) for c in self.columns]
        return json.dumps([columns, self.is_logged])

    @classmethod
    def decode(cls, table: TableName, text: str) -> KeySpec:
        """Return a specification from `encode`; raises ValueError if it cannot be from there."""
        try:
            columns, is_logged = json.loads(text)
            spec = cls(table, tuple(KeyColumn(*column) for column in columns), is_logged)
        except (TypeError, RecursionError) as error:
            raise ValueError("is no key") from error
        good = isinstance(is_logged, bool) and 0 < len(spec.columns) <= _MAX_COLUMNS
        for column in spec.columns:
            good &= isinstance(column.name, str) and isinstance(column.is_unsigned, bool)
            good &= column.charset in {"", _BINARY} | _UTF8 | _ASCII
        if not good:
            raise ValueError("is no key")
        return spec

    def numbers(self, values: Mapping[str, Collection[Any]]) -> list[int] | None:
        """Return the numbers of the keys that have one of some values in each column.

        Args:
            values: by name of the column in lower case; more columns do not matter.

        Returns:
            None if there are too many, or not all are known.
        """
        choices: list[list[int]] = []
        num_keys = 1
        for column in self.columns:
            if column.name not in values:
                return None
            num_keys *= len(values[column.name])
            if num_keys > MAX_LOOKUPS:
                return None
            sets = [_numbers_of(column, value) for value in values[column.name]]
            if not all(sets):
                return None
            choices.append([number for numbers in sets for number in numbers])
        if len(self.columns) == 1 and not self.columns[0].charset:
            return choices[0]
        return [_hash(numbers) for numbers in product(*choices)]


def spec_of(table_map: TableMap) -> KeySpec | None:
    """Return how the keys of a table are written; None if they are not."""
    columns = [_column_of(table_map.columns[index]) for index in sorted(table_map.row_key)]
    if not 0 < len(columns) <= _MAX_COLUMNS or None in columns:
        return None
    known = tuple(column for column in columns if column is not None)
    return KeySpec(table_map.table, known, table_map.has_logged_names)


def _column_of(column: Column) -> KeyColumn | None:
    if column.name is None:
        return None
    name = column.name.lower()
    if column.type_code in _INTEGERS:
        known = column.is_unsigned is not None
        return KeyColumn(name, is_unsigned=bool(column.is_unsigned)) if known else None
    charset = charset_of(column.collation)
    if column.type_code in _STRINGS and charset in {_BINARY} | _UTF8 | _ASCII:
        assert charset is not None
        return KeyColumn(name, charset)
    return None


def _numbers_of(column: KeyColumn, value: object) -> set[int]:
    """Return the 64 bits of a value, as the kernel has them; none if they are not known."""
    if not column.charset:
        if isinstance(value, Decimal) and value.is_finite() and value == int(value):
            value = int(value)
        if isinstance(value, str) and _INTEGER.fullmatch(value):  # as text has it
            value = int(value)
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        return {value & _MASK} if isinstance(value, int) and is_integer else set()
    if column.charset == _BINARY:
        values = [bytes(value)] if isinstance(value, (bytes, bytearray)) else _packed(value)
        # BINARY(n) is logged without the zero bytes at its end.
        return {_hash_bytes(data) for whole in values for data in (whole, whole.rstrip(b"\0"))}
    if not isinstance(value, str) or "\ufffd" in value:  # perhaps a replacement for invalid bytes
        return set()
    if column.charset in _UTF8:
        return {_hash_bytes(value.encode(errors="surrogatepass"))}
    return {_hash_bytes(value.encode())} if value.isascii() else set()


def _packed(text: object) -> list[bytes]:
    """Return what bytes a text may be that is a UUID or an address of MariaDB; none for others."""
    if not isinstance(text, str):
        return []
    try:
        packed = UUID(text).bytes if "-" in text else ip_address(text).packed
    except ValueError:
        return []
    return [packed, text.encode()]


def _hash_bytes(data: bytes) -> int:
    """Return what `kernels.content_hash.hash_bytes` does with the salt of keys."""
    salt = KEY_SALT
    h = _SEED ^ salt
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        h = (h ^ int.from_bytes(data[start : start + 8], "little")) * _FACTOR & _MASK
        h = (h ^ h >> 32) * salt & _MASK
    for byte in data[whole:]:
        h = (h ^ byte) * _FACTOR & _MASK
    return h ^ h >> 32


def _hash(numbers: Sequence[int]) -> int:
    h = 0
    for number in numbers:
        h = (h ^ number) * KEY_FACTOR_1 & _MASK
        h = (h ^ h >> 32) * KEY_FACTOR_2 & _MASK
        h ^= h >> 32
    return h & KEY_HASH_BITS


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


@dataclass(frozen=True)
class IndexBytes:
    """Bytes in memory, or a part of a file; another may replace it: checksums differ then.

    Attributes:
        known: all bytes without a location; else the first ones of the file, if they are kept.
        start: offset of the part.
    """

    known: bytes = b""
    start: int = 0
    location: Location | None = None

    def after(self, offset: int) -> IndexBytes:
        """Return the bytes from an offset on."""
        return replace(self, start=self.start + offset)

    def read(self, offset: int, num_bytes: int) -> bytes:
        """Return some bytes; fewer if there are not so many; raises OSError."""
        start = self.start + offset
        if self.location is None or start + num_bytes <= len(self.known):
            return self.known[start : start + num_bytes]
        file = open_location(self.location)
        try:
            file.seek(start)
            return read_up_to(file, num_bytes)
        finally:
            file.close()


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
    chunks: pa.RecordBatch, data: IndexBytes, spec: int, keys: Sequence[int], num_blocks: int
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


def chunk_content(chunks: pa.RecordBatch, data: IndexBytes, k: int) -> bytes:
    """Return the data of the k-th chunk; raises ValueError, OSError."""
    offset, size = (chunks.column(name)[k].as_py() for name in ("offset", "num_bytes"))
    content = data.read(offset, size)
    if len(content) != size or _digest(content) != chunks.column("digest")[k].as_py():
        raise ValueError("its keys are damaged: a checksum differs")
    return content


def read_chunk(
    chunks: pa.RecordBatch, data: IndexBytes, k: int, num_blocks: int
) -> tuple[Numbers, Numbers]:
    """Return the keys and blocks of the k-th chunk; raises ValueError, OSError."""
    content = chunk_content(chunks, data, k)
    first, last, count = (chunks.column(name)[k].as_py() for name in ("first", "last", "count"))
    keys, blocks = _decode(content, count)
    is_good = (int(keys[0]), int(keys[-1])) == (first, last)
    if not is_good or (keys[1:] < keys[:-1]).any() or (blocks >= num_blocks).any():
        raise ValueError("its keys are damaged")
    return keys, blocks
