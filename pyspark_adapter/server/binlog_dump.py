"""One log as a server sends it: the request of a replica, and packets to the bytes of events.

Source: https://mariadb.com/kb/en/com_binlog_dump and com_register_slave; `sql/rpl_binlog_sender.cc`
and, for sets of GTIDs, `Gtid_set::encode` of `sql/rpl_gtid_set.cc` of MySQL 9.7;
`sql/sql_repl.cc` of MariaDB 11.8.
"""

from __future__ import annotations

import random
import socket
import struct
import uuid
import zlib
from typing import Final
from uuid import UUID

from pyspark_adapter.errors import BinlogError, CorruptEventError, one_line
from pyspark_adapter.format.event_types import ARTIFICIAL, STREAM_ONLY, types_with
from pyspark_adapter.format.header import ARTIFICIAL as ARTIFICIAL_FLAG
from pyspark_adapter.format.header import HEADER, LEN_CHECKSUM, LEN_HEADER, MAGIC, crc32
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.connection import ReceiveBuffer, ServerConnection
from pyspark_adapter.server.server_errors import RefusedError, lost, refusal
from pyspark_adapter.sources.log_file import LogFile

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


_MAX_PACKET: Final = (1 << 24) - 1
_LEN_PACKET_HEADER: Final = 4
# For packets that are not part of the log: ROTATE, HEARTBEAT, format descriptions, errors.
_MAX_SHORT_PACKET: Final = 1 << 16

# A packet in which an event begins: packet header, status, event header.
_START: Final = struct.Struct("<IBIBIIIH")
_LEN_START: Final = _START.size
_OK, _EOF, _ERROR = 0x00, 0xFE, 0xFF
_HEARTBEATS: Final = types_with(STREAM_ONLY)
_FORMAT: Final = EventType.format_description.value
# MariaDB sends it first, whatever the position, if the log is encrypted on its disk.
_START_ENCRYPTION: Final = EventType.start_encryption.value
_ROTATE: Final = EventType.rotate.value
_SPECIAL_EVENTS: Final = types_with(ARTIFICIAL)


class LogDump:
    """The events of one log from a position on, as a server sends them.

    Events that the server adds are left out: the ROTATE that names the log, heartbeats, and the
    first events of the log if the position is after them.

    Args:
        connection: used for this only; closed by `close`.
        start_pos: where an event begins, below 2^32.
        seconds: without an event after which the connection counts as lost.

    Attributes:
        position: offset in the log of the next byte to read.
        event_start: start of the event that is partly read; else equal to `position`.
        event_crc: CRC32 of what was read of that event.
        format_event: the format description, as it was sent.
        is_at_end: whether the server has sent all that it has of this log.
        next_log: the next log, if the server continued with it.

    Raises:
        ConnectionLostError: if the connection is lost. Without a site.
        ServerError: if the server refuses. Without a site.
        CorruptEventError: if it sends something invalid.
    """

    def __init__(
        self, connection: ServerConnection, log_file: LogFile, start_pos: int, seconds: float
    ) -> None:
        self._connection = connection
        self._log_file = log_file
        self._next_packet = 1
        self._packet_left = 0
        self._event_left = 0
        self._is_continued = False  # by the next packet: this one has the maximum length
        self._knows_log = False
        self._failure: BinlogError | None = None
        self.position = self.event_start = start_pos
        self.event_crc = 0
        self.format_event = b""
        self.is_at_end = False
        self.next_log = ""
        request_dump(connection, log_file.name, start_pos, seconds)
        self._received = ReceiveBuffer(connection, seconds)
        while not self.format_event:
            if self.is_at_end:
                raise self._corrupt("the end, expected a format description first")
            self._begin_packet()

    @property
    def progress(self) -> tuple[int, int]:
        """Changes with each packet that has begun, and so with each one that was whole."""
        return self.event_start, self._next_packet

    def readinto(self, buffer: memoryview) -> int:
        """Read the bytes of events that have come, at least one; 0 at the end.

        Raises:
            ConnectionLostError, ServerError, CorruptEventError: as `LogDump`, after all bytes
                before the failure were returned.
        """
        if self._failure is not None:
            raise self._failure
        received = self._received
        received.restart_clock()
        filled, room = 0, len(buffer)
        while filled < room and not self.is_at_end:
            if not (self._event_left or self._is_continued):
                filled = self._copy_whole(buffer, filled)
                if filled == room:
                    break
            if not self._packet_left:
                if filled and received.end - received.start < _LEN_PACKET_HEADER + 1 + LEN_HEADER:
                    break  # return what there is, without waiting
                try:
                    self._begin_packet()
                except BinlogError as error:
                    if not filled:
                        raise
                    self._failure = error
                    break
                continue
            if received.start == received.end:
                if filled:
                    break
                received.receive()
            count = min(self._packet_left, received.end - received.start, room - filled)
            piece = received.view[received.start : received.start + count]
            buffer[filled : filled + count] = piece
            received.start += count
            self._packet_left -= count
            self._event_left -= count
            self.position += count
            filled += count
            if not self._event_left:
                self.event_start, self.event_crc = self.position, 0
            else:
                self.event_crc = zlib.crc32(piece, self.event_crc)
        return filled

    def _copy_whole(self, buffer: memoryview, filled: int) -> int:
        """Copy complete ordinary events, which nearly all are; `_begin_packet` handles the others.

        Returns the number of bytes of the buffer that are filled then.
        """
        received, room = self._received, len(buffer)
        data, view, start, end = received.data, received.view, received.start, received.end
        number = self._next_packet
        position = self.position
        while end - start >= _LEN_START:
            packet, status, _, type_code, _, size, end_log_pos, _ = _START.unpack_from(data, start)
            first = start + _LEN_PACKET_HEADER + 1
            after = first + size
            if (
                packet != size + 1 | number << 24
                or status != _OK
                or type_code in _SPECIAL_EVENTS
                or size < LEN_HEADER
                or (end_log_pos and end_log_pos != (position + size) & 0xFFFFFFFF)
                or after > end
                or filled + size > room
            ):
                break
            buffer[filled : filled + size] = view[first:after]
            filled += size
            position += size
            start = after
            number = (number + 1) & 0xFF
        received.start, self._next_packet = start, number
        self.position = self.event_start = position
        return filled

    def close(self) -> None:
        """Close the connection; the server notices and stops."""
        self._connection.close()

    def _begin_packet(self) -> None:
        """Go to the bytes of the log in the next packet, or past a packet without any."""
        received = self._received
        received.require(_LEN_PACKET_HEADER)
        start = received.start
        header = int.from_bytes(received.view[start : start + _LEN_PACKET_HEADER], "little")
        len_packet, number = header & _MAX_PACKET, header >> 24
        if number != self._next_packet:
            if number == 0:  # so MariaDB announces that it shuts down
                raise lost("the server has ended it")
            raise self._corrupt(f"packet {number} of the protocol: expected {self._next_packet}")
        self._next_packet = (number + 1) & 0xFF
        if self._is_continued:
            received.start += _LEN_PACKET_HEADER
            self._continue_event(len_packet)
        else:
            self._begin_event(len_packet)

    def _continue_event(self, len_packet: int) -> None:
        if len_packet != min(self._event_left, _MAX_PACKET):
            raise self._corrupt(
                f"a packet of {len_packet} bytes, {self._event_left} of the event are left"
            )
        self._packet_left = len_packet
        self._is_continued = len_packet == _MAX_PACKET

    def _begin_event(self, len_packet: int) -> None:
        if not len_packet:
            raise self._corrupt("a packet without bytes")
        received = self._received
        received.require(_LEN_PACKET_HEADER + 1)
        status = received.data[received.start + _LEN_PACKET_HEADER]
        if status != _OK:
            self._take_status(status, self._short_packet(len_packet))
            return
        if len_packet < 1 + LEN_HEADER:
            raise self._corrupt(f"a packet of {len_packet} bytes, too short for an event")
        received.require(_LEN_PACKET_HEADER + 1 + LEN_HEADER)
        first = received.start + _LEN_PACKET_HEADER + 1
        _, type_code, _, len_event, end_log_pos, flags = HEADER.unpack_from(received.data, first)
        if len_packet != min(len_event + 1, _MAX_PACKET):
            raise self._corrupt(
                f"an event of {len_event} bytes in a packet of {len_packet}", type_code
            )
        is_artificial = not end_log_pos or flags & ARTIFICIAL_FLAG
        if type_code in _HEARTBEATS or (type_code == _START_ENCRYPTION and is_artificial):
            self._short_packet(len_packet)
        elif type_code == _ROTATE and is_artificial:
            self._take_rotate(self._short_packet(len_packet)[1:])
        elif type_code == _FORMAT and not self.format_event:
            self._take_format(len_packet)
        elif not self.format_event:
            raise self._corrupt("an event, expected a format description first", type_code)
        else:
            end = (self.position + len_event) & 0xFFFFFFFF
            if end_log_pos not in (0, end) or (is_artificial and type_code == _FORMAT):
                raise self._corrupt(
                    f"an event of another position: expected its end at {end}, it says"
                    f" {end_log_pos}",
                    type_code,
                )
            self._start_event(len_packet, len_event)

    def _start_event(self, len_packet: int, len_event: int) -> None:
        self._received.start += _LEN_PACKET_HEADER + 1
        self._packet_left = len_packet - 1
        self._event_left = len_event
        self._is_continued = len_packet == _MAX_PACKET

    def _take_format(self, len_packet: int) -> None:
        """Keep the format description; it is read too if the position is before it."""
        event = self._short_packet(len_packet)[1:]
        if not self._knows_log:
            raise self._corrupt("a format description, expected the name of the log first", _FORMAT)
        self.format_event = event
        if self.position == len(MAGIC):
            self._received.start -= _LEN_PACKET_HEADER + len_packet
            self._start_event(len_packet, len(event))

    def _short_packet(self, len_packet: int) -> bytes:
        """Return a packet that is not part of the log, and go past it."""
        if len_packet > _MAX_SHORT_PACKET:
            raise self._corrupt(f"a packet of {len_packet} bytes that is no event of the log")
        return self._received.take(_LEN_PACKET_HEADER + len_packet)[_LEN_PACKET_HEADER:]

    def _take_status(self, status: int, packet: bytes) -> None:
        if status == _EOF and len(packet) < 9:
            self.is_at_end = True
        elif status == _ERROR:
            raise refusal(packet)
        else:
            raise self._corrupt(f"a packet that begins with {status:#04x}, none of the protocol")

    def _take_rotate(self, event: bytes) -> None:
        """Check which log the next events are of."""
        name = log_named_by(event)
        if name == self._log_file.name:
            self._knows_log = True
        elif self.format_event:
            self.next_log, self.is_at_end = name, True
        else:
            raise self._corrupt(f"events of another log: '{one_line(name)}'", _ROTATE)

    def _corrupt(self, reason: str, type_code: int | None = None) -> BinlogError:
        return CorruptEventError(
            f"the server has sent {reason}",
            site=self._log_file.event_site(self.position, type_code),
        )


def log_named_by(event: bytes) -> str:
    """Return the name of the log that a ROTATE event is about, with a checksum or without."""
    if crc32(event[:-LEN_CHECKSUM]) == int.from_bytes(event[-LEN_CHECKSUM:], "little"):
        event = event[:-LEN_CHECKSUM]
    return event[LEN_HEADER + 8 :].decode(errors="replace")
