"""The request for the events of a log, as a replica sends it.

Source: https://mariadb.com/kb/en/com_binlog_dump and com_register_slave.
"""

from __future__ import annotations

import random
import socket
import struct
import uuid
from typing import Final

from pyspark_adapter.server.connection import ServerConnection
from pyspark_adapter.server.server_errors import RefusedError

_COM_BINLOG_DUMP: Final = 0x12
_COM_REGISTER_SLAVE: Final = 0x15
_NON_BLOCK: Final = 1
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
    flags = _NON_BLOCK | (_SEND_ANNOTATE_ROWS if connection.is_mariadb else 0)
    request = struct.pack("<IHI", start_pos, flags, server_id) + log_name.encode()
    connection.begin(_COM_BINLOG_DUMP, request)
