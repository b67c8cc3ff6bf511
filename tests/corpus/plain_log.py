"""Logs without compression: what MariaDB and MySQL packed, unpacked for the schema."""

from __future__ import annotations

import zlib
from typing import Any

import pyarrow as pa
from mysql_binlog import MysqlBinlog

MAGIC = b"\xfebin"
LEN_HEADER = 19
LEN_CHECKSUM = 4
OFFSET_OF_TYPE = 4
OFFSET_OF_LENGTH = 9
# Compressed types of MariaDB, and the types of the same layout without compression.
PLAIN_TYPES = {165: 2, 166: 23, 167: 24, 168: 25, 169: 30, 170: 31, 171: 32}


def unpack_payload(payload: bytes) -> bytes:
    """Return the events in the payload of a compressed transaction."""
    with pa.CompressedInputStream(pa.BufferReader(payload), "zstd") as stream:
        content: bytes = stream.read()
    return content


def compressed_record(body: Any) -> Any:
    """Return the record of a body that MariaDB compressed."""
    return getattr(body, "compressed_query", None) or body.compressed_row_data


def unpack_record(record: Any) -> bytes:
    """Return the bytes that MariaDB compressed, of the length that the record claims."""
    data = zlib.decompress(record.data)
    assert len(data) == record.len_data.value
    return data


def without_checksums(format_description: bytes) -> bytes:
    """Return a format description that says that the events have no checksums."""
    at = len(format_description) - LEN_CHECKSUM - 1
    return format_description[:at] + b"\0" + format_description[at + 1 :]


def build_event(header: bytes, type_code: int, body: bytes) -> bytes:
    """Return an event with the other fields of a header."""
    length = (LEN_HEADER + len(body)).to_bytes(4, "little")
    return (
        header[:OFFSET_OF_TYPE]
        + bytes([type_code])
        + header[OFFSET_OF_TYPE + 1 : OFFSET_OF_LENGTH]
        + length
        + header[OFFSET_OF_LENGTH + 4 : LEN_HEADER]
        + body
    )


def unpack_log(log: bytes, root: MysqlBinlog) -> MysqlBinlog:
    """Return the log with the same events, those that MariaDB compressed unpacked."""
    parts = [MAGIC]
    start_pos = len(MAGIC)
    for event in root.events:
        raw = log[start_pos : start_pos + event.len_event]
        start_pos += event.len_event
        if isinstance(event.body, MysqlBinlog.FormatDescriptionEvent):
            parts.append(without_checksums(raw))
            continue
        body = raw[LEN_HEADER : len(raw) - event.frame.len_checksum]
        if event.event_type in PLAIN_TYPES:
            record = compressed_record(event.body)
            cut = len(body) - 1 - record.len_len_data - len(record.data)
            body = body[:cut] + unpack_record(record)
        parts.append(build_event(raw, PLAIN_TYPES.get(event.event_type, event.event_type), body))
    return MysqlBinlog.from_bytes(b"".join(parts))


def read_payload(event: Any, format_description: bytes) -> list[Any]:
    """Return the events of a compressed transaction, as the schema parses them."""
    content = unpack_payload(event.body.payload)
    root = MysqlBinlog.from_bytes(MAGIC + without_checksums(format_description) + content)
    assert root.trailing == b""
    events: list[Any] = root.events[1:]
    return events
