"""The transactions after a set of GTIDs, as a server sends them to a replica that has that set.

Source: `Binlog_sender::init` and `skip_event` of `sql/rpl_binlog_sender.cc`, MySQL 9.7;
`mysql_binlog_send` of `sql/sql_repl.cc`, MariaDB 11.8.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.events.logged_gtids import LoggedGtids
from pyspark_adapter.format.event_types import GTID_EVENTS
from pyspark_adapter.format.header import HEADER, LEN_HEADER, MAGIC
from pyspark_adapter.format.schema import EventType, FormatDescription
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.server.binlog_dump import log_named_by, request_gtid_dump
from pyspark_adapter.server.connection import ReceiveBuffer, ServerConnection
from pyspark_adapter.server.server_errors import lost, refusal

_MAX_PACKET: Final = (1 << 24) - 1
_LEN_PACKET_HEADER: Final = 4
_OK, _EOF, _ERROR = 0x00, 0xFE, 0xFF
# Of each event: all of a GTID, a format description, the name of a log.
_LEN_KEPT: Final = 1 << 13


class NamedTransaction(NamedTuple):
    """A transaction that a server sends, or the end of what it sends of a log.

    Attributes:
        begin: where it begins.
        gtid: its name; empty for an end. All before it is of the set or was sent. The server may
            have written more, which it sends only once that is synced.
    """

    begin: LogPosition
    gtid: GtidPosition


def transactions_after(
    server: ServerAddress, gtids: GtidPosition, begin: LogPosition | None = None
) -> Generator[NamedTransaction]:
    """Yield the transactions that a server has and a set lacks, and the end of each log.

    MySQL 5.6 sends all written events, synced or not. Of it no ends are yielded.

    Rows are received and thrown away, those of the transactions that are yielded.

    Args:
        begin: of MySQL, where the server begins to look; None to let it search its logs.

    Raises:
        ConnectionLostError: if the connection is lost. Without a site, as all.
        RefusedError: of code `NO_LOG`, if the server has removed logs that are needed, or lacks
            transactions of the set that only it could have; of another, if it has no GTIDs.
        CorruptEventError: if it sends something invalid.
    """
    seconds = server.read_timeout
    with closing(ServerConnection(server)) as connection:
        is_old = connection.version < (5, 7)
        # MySQL 5.6 sends but one event from a position within a log.
        asked = replace(begin, start_pos=len(MAGIC)) if is_old and begin is not None else begin
        request_gtid_dump(connection, gtids, asked, seconds)
        log_name, lowest, reached, description = "", 0, 0, None
        for event in _event_heads(ReceiveBuffer(connection, seconds)):
            _, type_code, _, length, end, _ = HEADER.unpack_from(event)
            reached = max(reached, end)  # a heartbeat tells how far transactions were skipped
            if type_code == EventType.rotate:
                before, log_name = log_name, log_named_by(event)
                if before == log_name:
                    continue
                if before and not is_old:
                    yield NamedTransaction(LogPosition(before, reached), GtidPosition())
                lowest = reached = begin.start_pos if begin and begin.log_name == log_name else 0
            elif type_code == EventType.format_description:
                description = FormatDescription.parse(event)
            elif type_code in GTID_EVENTS and end:
                if description is None or not log_name:
                    raise CorruptEventError("expected the name of the log and its format first")
                start = (end - length) & 0xFFFFFFFF
                if start < lowest:
                    continue
                named = LoggedGtids(description, GtidPosition())
                named.take(np.zeros(1, dtype=np.int64), event, 0)
                yield NamedTransaction(
                    LogPosition(log_name, start), named.before(1) or GtidPosition()
                )
        if log_name and not is_old:
            yield NamedTransaction(LogPosition(log_name, reached), GtidPosition())


def _event_heads(received: ReceiveBuffer) -> Iterator[bytes]:
    """Yield the first bytes of each event that a server sends, to the end."""
    number = 1
    while True:
        received.restart_clock()
        length, number = _next_packet(received, number)
        head = received.take(min(length, _LEN_KEPT))
        _skip(received, length - len(head))
        while length == _MAX_PACKET:
            length, number = _next_packet(received, number)
            _skip(received, length)
        if not head:
            raise CorruptEventError("the server has sent a packet without bytes")
        if head[0] == _ERROR:
            raise refusal(head)
        if head[0] == _EOF and len(head) < 9:
            return
        if head[0] != _OK or len(head) <= LEN_HEADER:
            raise CorruptEventError(f"the server has sent a packet of no event: {head[:1]!r}")
        yield head[1:]


def _next_packet(received: ReceiveBuffer, expected: int) -> tuple[int, int]:
    """Return the length of the next packet, and the number of the one after it."""
    header = int.from_bytes(received.take(_LEN_PACKET_HEADER), "little")
    if header >> 24 != expected:
        raise lost("the server has ended it")
    return header & _MAX_PACKET, (expected + 1) & 0xFF


def _skip(received: ReceiveBuffer, num_bytes: int) -> None:
    while num_bytes:
        if received.start == received.end:
            received.receive()
        count = min(num_bytes, received.end - received.start)
        received.start += count
        num_bytes -= count
