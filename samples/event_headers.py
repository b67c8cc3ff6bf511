"""Reads the event headers of a log, independently of the package.

It reads the 19-byte headers; and of the format description, the server version and the checksum
algorithm.
"""

import collections
import struct
from dataclasses import dataclass

PLAIN_MAGIC = b"\xfebin"
ENCRYPTED_MAGIC = b"\xfdbin"
HEADER = struct.Struct("<IBIIIH")  # timestamp, type, server id, length, end position, flags
FORMAT_DESCRIPTION = 15
START_ENCRYPTION = 164
IN_USE_FLAG = 1
NO_CHECKSUMS = ("5.0.", "5.1.", "5.5.")  # versions whose format description names no algorithm
CHECKSUMS = {0: "none", 1: "crc32"}

MYSQL_EVENTS = """
    UNKNOWN START_V3 QUERY STOP ROTATE INTVAR LOAD SLAVE CREATE_FILE APPEND_BLOCK EXEC_LOAD
    DELETE_FILE NEW_LOAD RAND USER_VAR FORMAT_DESCRIPTION XID BEGIN_LOAD_QUERY EXECUTE_LOAD_QUERY
    TABLE_MAP WRITE_ROWS_V0 UPDATE_ROWS_V0 DELETE_ROWS_V0 WRITE_ROWS_V1 UPDATE_ROWS_V1
    DELETE_ROWS_V1 INCIDENT HEARTBEAT IGNORABLE ROWS_QUERY WRITE_ROWS UPDATE_ROWS DELETE_ROWS
    GTID ANONYMOUS_GTID PREVIOUS_GTIDS TRANSACTION_CONTEXT VIEW_CHANGE XA_PREPARE
    PARTIAL_UPDATE_ROWS TRANSACTION_PAYLOAD HEARTBEAT_V2 GTID_TAGGED
"""
MARIADB_EVENTS = """
    ANNOTATE_ROWS BINLOG_CHECKPOINT MARIADB_GTID GTID_LIST START_ENCRYPTION QUERY_COMPRESSED
    WRITE_ROWS_COMPRESSED_V1 UPDATE_ROWS_COMPRESSED_V1 DELETE_ROWS_COMPRESSED_V1
    WRITE_ROWS_COMPRESSED UPDATE_ROWS_COMPRESSED DELETE_ROWS_COMPRESSED
"""
FIRST_MARIADB_CODE = 160
EVENT_NAMES: dict[int, str] = {
    **dict(enumerate(MYSQL_EVENTS.split())),
    **dict(enumerate(MARIADB_EVENTS.split(), FIRST_MARIADB_CODE)),
}


@dataclass(frozen=True)
class LogSummary:
    """The facts in the headers of a log.

    Attributes:
        server_version: Version text of the format description, empty when encrypted.
        checksum: `crc32` or `none`, empty when encrypted.
        in_use: Whether the in-use flag is set.
        events: Number of events by type name, sorted by name; for an encrypted log, those before
            the encryption begins.
        encrypted: Whether events follow that cannot be counted.
    """

    server_version: str
    checksum: str
    in_use: bool
    events: dict[str, int]
    encrypted: bool


def summarize_log(log: bytes) -> LogSummary:
    """Return the facts in the headers of a log.

    Raises:
        ValueError: The bytes are no log, or its last event is not whole.
    """
    if log.startswith(ENCRYPTED_MAGIC):
        return LogSummary("", "", in_use=False, events={}, encrypted=True)
    if not log.startswith(PLAIN_MAGIC):
        raise ValueError(f"not a binary log: it begins with {log[:4].hex()}")
    counts: collections.Counter[str] = collections.Counter()
    version, checksum, in_use, encrypted = "", "", False, False
    start_pos = len(PLAIN_MAGIC)
    while start_pos < len(log) and not encrypted:
        _, code, _, len_event, _, flags = HEADER.unpack_from(log, start_pos)
        if len_event < HEADER.size or start_pos + len_event > len(log):
            raise ValueError(f"event at {start_pos} of type {code} has length {len_event}")
        counts[EVENT_NAMES[code]] += 1
        if code == FORMAT_DESCRIPTION:
            body = log[start_pos + HEADER.size : start_pos + len_event]
            version = body[2:52].partition(b"\0")[0].decode()
            checksum = "none" if version.startswith(NO_CHECKSUMS) else CHECKSUMS[body[-5]]
            in_use = bool(flags & IN_USE_FLAG)
        encrypted = code == START_ENCRYPTION
        start_pos += len_event
    return LogSummary(version, checksum, in_use, dict(sorted(counts.items())), encrypted)
