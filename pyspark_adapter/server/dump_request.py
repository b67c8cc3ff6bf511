"""The request for the events of a log, or after some GTIDs, as a replica sends it.

Source: https://mariadb.com/kb/en/com_binlog_dump and com_register_slave; for sets of GTIDs
`Gtid_set::encode` of `sql/rpl_gtid_set.cc`, MySQL 9.7.
"""

from __future__ import annotations

import random
import socket
import struct
import uuid
from typing import Final
from uuid import UUID

from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.connection import ServerConnection
from pyspark_adapter.server.server_errors import RefusedError

_COM_BINLOG_DUMP: Final = 0x12
_COM_REGISTER_SLAVE: Final = 0x15
_COM_BINLOG_DUMP_GTID: Final = 0x1E
_NON_BLOCK: Final = 1
_THROUGH_GTIDS: Final = 4
# A flag of MariaDB; it has another meaning in MySQL.
_SEND_ANNOTATE_ROWS: Final = 2

# Replicas may have any id from 1 to 2^32 - 1; people number theirs from the lower end.
_FIRST_SERVER_ID: Final = 1 << 31
_LAST_SERVER_ID: Final = (1 << 32) - 1
_LEN_HOST_NAME: Final = 60


def request_dump(
    connection: ServerConnection, log_name: str, start_pos: int, seconds: float
) -> None:
    """Register as a replica, and request the events of a log up to its end.

    Args:
        connection: to the server.
        log_name: of the log.
        start_pos: where an event begins, below 2^32.
        seconds: without events after which the server counts as gone; it sends two heartbeats.

    Raises:
        ConnectionLostError: if the connection is lost. Without a site, as all.
        ServerError: if the server refuses.
    """
    server_id = _register(connection, seconds)
    flags = _NON_BLOCK | (_SEND_ANNOTATE_ROWS if connection.is_mariadb else 0)
    request = struct.pack("<IHI", start_pos, flags, server_id) + log_name.encode()
    connection.begin(_COM_BINLOG_DUMP, request)


def request_gtid_dump(
    connection: ServerConnection, gtids: GtidPosition, begin: LogPosition | None, seconds: float
) -> None:
    """Register as a replica that has a set of transactions, and request the others.

    Args:
        connection: to the server.
        gtids: the set.
        begin: of MySQL, where the server begins to look; None to let it search its logs.
        seconds: as for `request_dump`.

    Raises:
        ConnectionLostError, ServerError: as `request_dump`.
    """
    if connection.is_mariadb:
        # With these it takes neither the name of a log nor a position.
        connection.execute(
            f"SET @slave_connect_state = '{gtids.text}', @slave_gtid_strict_mode = 1,"
            " @slave_gtid_ignore_duplicates = 0"
        )
    server_id = _register(connection, seconds)
    if connection.is_mariadb:
        connection.begin(_COM_BINLOG_DUMP, struct.pack("<IHI", len(MAGIC), _NON_BLOCK, server_id))
        return
    name = b"" if begin is None else begin.log_name.encode()
    start = len(MAGIC) if begin is None else begin.start_pos
    known = encoded_set(gtids)
    request = struct.pack("<HII", _NON_BLOCK | _THROUGH_GTIDS, server_id, len(name)) + name
    request += struct.pack("<QI", start, len(known)) + known
    connection.begin(_COM_BINLOG_DUMP_GTID, request)


def _register(connection: ServerConnection, seconds: float) -> int:
    """Register as a replica; return its id."""
    server_id = random.SystemRandom().randint(_FIRST_SERVER_ID, _LAST_SERVER_ID)
    name = uuid.uuid4()
    nanoseconds = int(seconds * 1e9) // 2
    # Each server looks for its own names and ignores the others.
    connection.execute(
        "SET @master_binlog_checksum = 'CRC32', @source_binlog_checksum = 'CRC32',"
        f" @master_heartbeat_period = {nanoseconds}, @source_heartbeat_period = {nanoseconds},"
        f" @slave_uuid = '{name}', @replica_uuid = '{name}', @mariadb_slave_capability = 4"
    )
    host = socket.gethostname().encode()[:_LEN_HOST_NAME]
    replica = struct.pack("<IB", server_id, len(host)) + host + bytes(12)
    try:
        connection.run(_COM_REGISTER_SLAVE, replica)
    except RefusedError as error:
        error.advice = "grant the user the privilege REPLICATION SLAVE"
        raise
    return server_id


def encoded_set(gtids: GtidPosition) -> bytes:
    """Return a set of MySQL as COM_BINLOG_DUMP_GTID takes it; with tags in the form of 8.3.

    >>> encoded_set(GtidPosition.parse("00010203-0405-0607-0809-0a0b0c0d0e0f:1-5")).hex()[-32:]
    '01000000000000000600000000000000'
    """
    is_tagged = any(tag for _, tag in gtids.sets)
    count = len(gtids.sets)
    data = bytearray(struct.pack("<Q", count << 8 | 1 | 1 << 56 if is_tagged else count))
    for (source, tag), ranges in sorted(gtids.sets.items()):
        data += UUID(source).bytes
        if is_tagged:
            data += bytes([len(tag) << 1]) + tag.encode()
        data += struct.pack("<Q", len(ranges))
        for first, last in ranges:
            data += struct.pack("<qq", first, last + 1)
    return bytes(data)
