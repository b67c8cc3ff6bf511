"""Logs made byte by byte, for events that no server at hand writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mysql_binlog import MysqlBinlog

MAGIC = b"\xfebin"
FORMAT_DESCRIPTION, TABLE_MAP, WRITE_ROWS, UPDATE_ROWS = 15, 19, 30, 31
# Post-header lengths of the types from 1 on: those of MySQL 9.7, and what MariaDB has beyond.
MYSQL_LENGTHS = (
    "0 13 0 8 0 0 0 0 4 0 4 0 0 0 99 0 4 26 8 0 0 0 0 0 0 2 0 0 0 10 10 10 42 42 0 18 52 0 "
    "10 40 0 0"
)
MARIADB_LENGTHS = (
    "56 13 0 8 0 18 0 4 4 4 4 18 0 0 228 0 4 26 8 0 0 0 8 8 8 2 0 0 0 10 10 10 0 0 0 0 0 0 "
    "10 10 10 " + "0 " * 118 + "0 4 19 4 0 13 8 8 8 10 10 10"
)


def event(
    type_code: int, body: bytes, *, end_log_pos: int = 0, flags: int = 0, server_id: int = 1
) -> bytes:
    """Return an event of binlog version 4, or a format description, without a checksum."""
    return (
        bytes(4)
        + bytes([type_code])
        + server_id.to_bytes(4, "little")
        + (19 + len(body)).to_bytes(4, "little")
        + end_log_pos.to_bytes(4, "little")
        + flags.to_bytes(2, "little")
        + body
    )


def format_description(lengths: str, server_version: bytes) -> bytes:
    """Return the first event of a log whose events have no checksums."""
    body = b"\4\0" + server_version.ljust(50, b"\0") + bytes(4) + b"\x13"
    body += bytes(map(int, lengths.split()))
    return event(FORMAT_DESCRIPTION, body + bytes(5))


MYSQL = format_description(MYSQL_LENGTHS, b"9.7.4")
MARIADB = format_description(MARIADB_LENGTHS, b"11.8.6-MariaDB")


def parse(*events: bytes, first: bytes = MYSQL) -> list[Any]:
    """Return the events of a log after its format description, as the schema parses them."""
    root = MysqlBinlog.from_bytes(MAGIC + first + b"".join(events))
    assert root.trailing == b""
    found: list[Any] = root.events[1:]
    assert len(found) == len(events)
    return found


def parse_body(
    type_code: int, hexadecimal: str, *, first: bytes = MYSQL, end_log_pos: int = 0
) -> Any:
    """Return the body of one event, given in hexadecimal digits."""
    body = bytes.fromhex(hexadecimal)
    return parse(event(type_code, body, end_log_pos=end_log_pos), first=first)[0].body


@dataclass(frozen=True)
class Column:
    """A column of a table made by hand."""

    type_code: int
    metadata: bytes = b""


def table_map(columns: list[Column], optional: bytes = b"") -> bytes:
    """Return the table map of a table `d.t` with the number 7."""
    count = len(columns)
    metadata = b"".join(column.metadata for column in columns)
    body = (
        (7).to_bytes(6, "little")
        + b"\1\0\1d\0\1t\0"
        + bytes([count])
        + bytes(column.type_code for column in columns)
        + bytes([len(metadata)])
        + metadata
        + b"\xff" * ((count + 7) // 8)
        + optional
    )
    return event(TABLE_MAP, body)


def rows_event(
    type_code: int, num_columns: int, rows: bytes, *, extra: bytes = b"", num_bitmaps: int = 1
) -> bytes:
    """Return a rows event of version 2 for table 7, all columns present."""
    body = (
        (7).to_bytes(6, "little")
        + b"\1\0"
        + (2 + len(extra)).to_bytes(2, "little")
        + extra
        + bytes([num_columns])
        + b"\xff" * ((num_columns + 7) // 8) * num_bitmaps
        + rows
    )
    return event(type_code, body)


def parse_value(column: Column, data: bytes, optional: bytes = b"") -> Any:
    """Return one value of one column, as the schema parses it."""
    rows = rows_event(WRITE_ROWS, 1, b"\0" + data)
    body = parse(table_map([column], optional), rows)[1].body
    assert body.layout.num_rows == 1
    return body.rows[0].after_image[0].value
