"""Logs packed as servers pack them: transactions into payloads, MariaDB's events one by one.

Written from the description of the format alone, as `log_writer`.
"""

import struct
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise

import pyarrow as pa

from tests.support.log_writer import packed

LEN_HEADER = 19
FORMAT_DESCRIPTION, XID, TABLE_MAP, TRANSACTION_PAYLOAD, PARTIAL_ROW_DATA = 15, 16, 19, 40, 172
ZSTD, NONE = 0, 255
# Types that begin or end a log or a transaction.
_OUTSIDE = frozenset({1, 3, 4, 15, 33, 34, 35, 42})
_COMPRESSED_TYPES = {23: 166, 24: 167, 25: 168}

Compress = Callable[[bytes], bytes]


def in_one_frame(content: bytes) -> bytes:
    frame: bytes = pa.Codec("zstd").compress(content, asbytes=True)
    return frame


def in_frames_of_unknown_size(content: bytes) -> bytes:
    """Return zstd frames of some bytes each, which do not tell how many."""
    frames = b""
    for start in range(0, len(content), 700):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(content[start : start + 350])
            stream.flush()
            stream.write(content[start + 350 : start + 700])
        frame = sink.getvalue().to_pybytes()
        assert frame[:4] == b"\x28\xb5\x2f\xfd"
        assert frame[4] & 0b11100000 == 0  # neither a content size nor a single segment
        frames += frame
    return frames


def payload_body(
    payload: bytes, *, size: int | None, compression: int = ZSTD, payload_size: int | None = None
) -> bytes:
    """Return the body of a TRANSACTION_PAYLOAD event, its fields in the order of MySQL 9.7."""
    fields = {2: compression, 3: size, 1: len(payload) if payload_size is None else payload_size}
    body = b""
    for kind, value in fields.items():
        if value is not None:
            number = packed(value) if value < 1 << 24 else b"\xfe" + struct.pack("<Q", value)
            body += bytes([kind, len(number)]) + number
    return body + b"\0" + payload


def split_log(log: bytes) -> Iterator[bytes]:
    offset = 4
    while offset < len(log):
        end = offset + int.from_bytes(log[offset + 9 : offset + 13], "little")
        yield log[offset:end]
        offset = end


class _Writer:
    def __init__(self, log: bytes) -> None:
        events = list(split_log(log))
        first = events[0]
        num_types = first[LEN_HEADER + 57 + FORMAT_DESCRIPTION - 1] - 57
        is_aware = len(first) == LEN_HEADER + 57 + num_types + 5
        self.len_checksum = 4 if is_aware and first[-5] == 1 else 0
        self.events = events
        self.data = bytearray(b"\xfebin" + events[0])

    def add(self, header: bytes, type_code: int, body: bytes) -> None:
        """Append an event with the time and server of another."""
        length = LEN_HEADER + len(body) + self.len_checksum
        end = len(self.data) + length
        event = header[:4] + bytes([type_code]) + header[5:9]
        event += struct.pack("<IIH", length, end, 0) + body
        if self.len_checksum:
            event += struct.pack("<I", zlib.crc32(event))
        self.data += event

    def body(self, event: bytes) -> bytes:
        """Return the body of an event of the log."""
        return event[LEN_HEADER : len(event) - self.len_checksum]


def inner_event(event: bytes, body: bytes) -> bytes:
    """Return an event as it is within a payload."""
    return event[:9] + struct.pack("<II", LEN_HEADER + len(body), 0) + event[17:LEN_HEADER] + body


def pack_transactions(
    log: bytes, compress: Compress = in_one_frame, compression: int = ZSTD
) -> bytes:
    """Return a log of MySQL with each transaction, except its GTID, in a payload."""
    writer = _Writer(log)
    run: list[bytes] = []

    def flush() -> None:
        if run:
            content = b"".join(inner_event(event, writer.body(event)) for event in run)
            body = payload_body(compress(content), size=len(content), compression=compression)
            writer.add(run[0], TRANSACTION_PAYLOAD, body)
            run.clear()

    for event in writer.events[1:]:
        if event[4] in _OUTSIDE or writer.body(event).endswith(b"\0BEGIN"):
            flush()
        if event[4] in _OUTSIDE:
            writer.add(event, event[4], writer.body(event))
            continue
        run.append(event)
        if event[4] == XID:
            flush()
    flush()
    return bytes(writer.data)


def record(data: bytes, *, length: int | None = None, algorithm: int = 0) -> bytes:
    """Return bytes as MariaDB compresses them: a length of as few bytes as it needs before them."""
    length = len(data) if length is None else length
    width = max(1, (length.bit_length() + 7) // 8)
    header = bytes([0x80 | algorithm << 4 | width])
    return header + length.to_bytes(width, "big") + zlib.compress(data)


def compress_events(log: bytes) -> bytes:
    """Return a log of MariaDB with all rows events compressed."""
    writer = _Writer(log)
    for event in writer.events[1:]:
        body = writer.body(event)
        type_code = _COMPRESSED_TYPES.get(event[4])
        if type_code is None:
            writer.add(event, event[4], body)
            continue
        start, num_columns = 9, body[8]
        if num_columns == 252:
            start, num_columns = 11, int.from_bytes(body[9:11], "little")
        start += (num_columns + 7) // 8 * (2 if event[4] == 24 else 1)
        writer.add(event, type_code, body[:start] + record(body[start:]))
    return bytes(writer.data)


def part_bodies(
    event: bytes, size: int, *, number_first: bool = True, total: int | None = None
) -> list[bytes]:
    """Return the bodies of PARTIAL_ROW_DATA events, of `size` bytes of a rows event each."""
    parts = [event[start : start + size] for start in range(0, len(event), size)]
    bodies = []
    for number, part in enumerate(parts, 1):
        numbers = (number, total or len(parts)) if number_first else (total or len(parts), number)
        length = struct.pack("<Q", len(event)) if number == 1 else b""
        bodies.append(struct.pack("<IIB", *numbers, number == 1) + length + part)
    return bodies


def split_rows(
    log: bytes, size: int, *, number_first: bool = True, has_own_checksum: bool = False
) -> bytes:
    """Return a log of MariaDB with all rows events in parts, but for those too small for two.

    It is not published whether the whole has a checksum of its own.
    """
    writer = _Writer(log)
    for event in writer.events[1:]:
        body = writer.body(event)
        if event[4] not in (*_COMPRESSED_TYPES, *_COMPRESSED_TYPES.values()):
            writer.add(event, event[4], body)
            continue
        own = 4 if has_own_checksum and writer.len_checksum else 0
        length = LEN_HEADER + len(body) + own
        whole = event[:9] + struct.pack("<I", length) + event[13:LEN_HEADER] + body
        if own:
            whole += struct.pack("<I", zlib.crc32(whole))
        if len(whole) <= size:
            writer.add(event, event[4], body)
            continue
        for part in part_bodies(whole, size, number_first=number_first):
            writer.add(event, PARTIAL_ROW_DATA, part)
    return bytes(writer.data)


def positions(log: bytes) -> list[int]:
    """Return where the events of a log begin, and where the last one ends."""
    ends = [4]
    for event in split_log(log):
        ends.append(ends[-1] + len(event))
    assert all(a < b for a, b in pairwise(ends))
    return ends
