"""The bytes within a TRANSACTION_PAYLOAD event: a whole transaction, compressed as one.

The event holds fields (a packed integer for the type, one for the length, one as the value) up to
an end mark, and then the events of the transaction as a stream of zstd, or as they are.

Source: `binary_log::codecs::binary::Transaction_payload` of the server's
`libs/mysql/binlog/event/codecs/binary.cpp`, MySQL 8.0.20 and later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.format.packed_int import read_packed_int

_END_MARK, _PAYLOAD_SIZE, _COMPRESSION, _UNCOMPRESSED_SIZE = 0, 1, 2, 3
_ZSTD, _NONE = 0, 255

# Bytes that are decompressed at once. Damage in the stream is met after the same events by all that
# read it.
_LEN_PIECE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class PayloadFields:
    """What comes before the payload.

    Attributes:
        compression: 0 for zstd, 255 for none.
        uncompressed_size: bytes of the events, if the field is present.
        start: where the payload begins in the body.
    """

    compression: int
    uncompressed_size: int | None
    start: int


def parse_payload_fields(body: memoryview) -> PayloadFields:
    """Read the fields of a TRANSACTION_PAYLOAD event; raises CorruptEventError, UnsupportedError.

    Args:
        body: of the event, without header and checksum.
    """
    sizes: dict[int, int] = {}
    offset = 0
    while True:
        kind, offset = _packed_int(body, offset)
        if kind == _END_MARK:
            break
        length, offset = _packed_int(body, offset)
        if kind <= _UNCOMPRESSED_SIZE:
            sizes[kind], end = _packed_int(body, offset)
            if end > offset + length:
                raise CorruptEventError(f"expected a number of {length} bytes, found a longer one")
        offset += length
    left = len(body) - offset
    if sizes.get(_PAYLOAD_SIZE, left) != left:
        raise CorruptEventError(f"expected a payload of {sizes[_PAYLOAD_SIZE]} bytes, found {left}")
    if _COMPRESSION not in sizes:
        raise CorruptEventError("expected the field that names the compression, found none")
    if sizes[_COMPRESSION] not in (_ZSTD, _NONE):
        raise UnsupportedError(
            f"compression {sizes[_COMPRESSION]} of a transaction: expected 0 (zstd) or 255 (none)"
        )
    return PayloadFields(sizes[_COMPRESSION], sizes.get(_UNCOMPRESSED_SIZE), offset)


def _packed_int(body: memoryview, offset: int) -> tuple[int, int]:
    """Return (value, position after it)."""
    packed = read_packed_int(body, offset)
    if packed is None:
        raise CorruptEventError(
            f"the fields before the payload reach beyond its {len(body)} bytes, or hold a length"
            " that is not valid"
        )
    return packed


class PayloadReader:
    """Decompresses payloads, one after the other, with one decompressor.

    Creating one costs several times as much as decompressing a small transaction.

    Args:
        max_bytes: most bytes that may come out of a payload; the declared size is not trusted.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._source = _Source()
        self._stream: pa.CompressedInputStream | None = None
        self._buffer = memoryview(b"")

    def pieces(self, body: memoryview) -> Iterator[memoryview]:
        """Yield the bytes of the events within a payload, a piece at a time.

        The next piece may overwrite one in memory.

        Args:
            body: of the TRANSACTION_PAYLOAD event, without header and checksum; it must not change
                before the last piece is read.

        Raises:
            CorruptEventError: if the fields or the stream are damaged, if more comes out than is
                allowed, or another number of bytes than the event declares. Without a site.
            UnsupportedError: if the compression is not known. Without a site.
        """
        fields = parse_payload_fields(body)
        payload = body[fields.start :]
        size = fields.uncompressed_size
        total = 0
        for piece in self._inflate(payload) if fields.compression == _ZSTD else _cut(payload):
            total += len(piece)
            if total > self._max_bytes:
                raise CorruptEventError(
                    f"expected at most {self._max_bytes} bytes of events in a compressed"
                    " transaction (option maxPayloadBytes), found more",
                    advice="if the log is whole, raise that limit",
                )
            if size is not None and total > size:
                raise _size_error(size, "more")
            yield piece
        if size is not None and total != size:
            raise _size_error(size, str(total))

    def _inflate(self, payload: memoryview) -> Iterator[memoryview]:
        """Yield the content of zstd frames, as long as there are some."""
        # Kept for the next payload only from the end of a frame.
        stream, self._stream = self._stream, None
        if stream is None:
            self._source = _Source()
            stream = pa.CompressedInputStream(pa.PythonFile(self._source, mode="r"), "zstd")
        self._source.payload = payload
        # pyarrow's `read` never frees the bytes of a piece that ends in an error.
        self._buffer = self._buffer or memoryview(bytearray(_LEN_PIECE))
        try:
            while count := stream.readinto(self._buffer):
                yield self._buffer[:count]
        except OSError as error:
            raise CorruptEventError(f"the compressed transaction is damaged: {error}") from error
        self._stream = stream


class _Source:
    """A file of one payload, and then of another."""

    closed = False

    def __init__(self) -> None:
        self.payload = memoryview(b"")

    def read(self, num_bytes: int) -> bytes:
        """Return the next bytes of the payload."""
        data = bytes(self.payload[:num_bytes])
        self.payload = self.payload[num_bytes:]
        return data

    def close(self) -> None:
        """Do nothing: there is no file."""


def _cut(payload: memoryview) -> Iterator[memoryview]:
    for start in range(0, len(payload), _LEN_PIECE):
        yield payload[start : start + _LEN_PIECE]


def _size_error(expected: int, found: str) -> CorruptEventError:
    return CorruptEventError(
        f"expected {expected} bytes of events in the compressed transaction as declared, found"
        f" {found}"
    )
