"""One log as a server sends it: packets of the protocol to the bytes of events.

Source: `sql/rpl_binlog_sender.cc` of MySQL 9.7 and `sql/sql_repl.cc` of MariaDB 11.8 for what is
sent and when; https://mariadb.com/kb/en/com_binlog_dump and com_register_slave for the commands.
"""

from __future__ import annotations

import random
import socket
import struct
import time
import uuid
import zlib
from typing import Final

from pyspark_adapter.errors import BinlogError, CorruptEventError, one_line
from pyspark_adapter.events.framing import HEADER, LEN_CHECKSUM, crc32, event_site
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.live.connection import RefusedError, ServerConnection, lost, refusal
from pyspark_adapter.schema import LEN_HEADER, EventType

_COM_BINLOG_DUMP: Final = 0x12
_COM_REGISTER_SLAVE: Final = 0x15
_NON_BLOCK: Final = 1
# A flag of MariaDB; MySQL means another thing by it.
_SEND_ANNOTATE_ROWS: Final = 2

# What servers keep for replicas that are configured is 1 to 2^32 - 1; people begin at the lower.
_FIRST_SERVER_ID: Final = 1 << 31
_LAST_SERVER_ID: Final = (1 << 32) - 1
_LEN_HOST_NAME: Final = 60

_MAX_PACKET: Final = (1 << 24) - 1
_LEN_PACKET_HEADER: Final = 4
_LEN_BUFFER: Final = 1 << 18
# What is not part of the log: ROTATE and HEARTBEAT with a name, format descriptions, errors.
_MAX_ASIDE: Final = 1 << 16

# Of a packet in which an event begins: its header, its status, the header of the event.
_START: Final = struct.Struct("<IBIBIIIH")
_LEN_START: Final = _START.size
_OK, _EOF, _ERROR = 0x00, 0xFE, 0xFF
_ARTIFICIAL: Final = 0x20
_HEARTBEATS: Final = frozenset({EventType.heartbeat.value, EventType.heartbeat_v2.value})
_FORMAT: Final = EventType.format_description.value
# MariaDB repeats it before any position of a log that is encrypted on its disk.
_START_ENCRYPTION: Final = EventType.start_encryption.value
_ROTATE: Final = EventType.rotate.value
_ODD_EVENTS: Final = _HEARTBEATS | {_FORMAT, _START_ENCRYPTION, _ROTATE}


class LogDump:
    """The events of one log from a position on, as a server sends them.

    What it sends besides is left out: the ROTATE that names the log, the first events where the
    position is behind them, and heartbeats.

    Args:
        connection: on which nothing else is asked; closed by `close`.
        log_file: the log.
        start_pos: where an event begins, below 2^32.
        seconds: for which it may send no event before it is taken as gone.

    Attributes:
        position: offset in the log of the next byte that is given.
        event_start: of the event that is given in part; else as `position`.
        event_crc: CRC32 of what has been given of it.
        format_event: the format description, as it is sent.
        is_at_end: whether the server has sent all that it has of this log.
        next_log: the log that follows, where the server has gone on to it.

    Raises:
        ConnectionLostError: if the connection is lost.
        ServerError: if the server refuses.
        CorruptEventError: if it sends what cannot be.
    """

    def __init__(
        self, connection: ServerConnection, log_file: LogFile, start_pos: int, seconds: float
    ) -> None:
        self._connection = connection
        self._log_file = log_file
        self._seconds = seconds
        self._data = bytearray(_LEN_BUFFER)
        self._view = memoryview(self._data)
        self._start = self._end = 0  # what of it has come and is not used
        self._next_packet = 1
        self._packet_left = 0
        self._event_left = 0
        self._goes_on = False  # the packet is as long as can be, and another continues it
        self._knows_log = False
        self._failure: BinlogError | None = None
        self.position = self.event_start = start_pos
        self.event_crc = 0
        self.format_event = b""
        self.is_at_end = False
        self.next_log = ""
        self._ask(start_pos)
        self._deadline = time.monotonic() + seconds
        while not self.format_event:
            if self.is_at_end:
                raise self._corrupt("expected a format description first, found the end")
            self._begin_packet()

    def _ask(self, start_pos: int) -> None:
        """Tell the server what we are and understand, and what to send."""
        connection = self._connection
        server_id = random.SystemRandom().randint(_FIRST_SERVER_ID, _LAST_SERVER_ID)
        name = uuid.uuid4()
        nanoseconds = int(self._seconds * 1e9) // 2
        # Servers look for their own names and pass over the others.
        connection.rows(
            "SET @master_binlog_checksum = 'CRC32', @source_binlog_checksum = 'CRC32',"
            f" @master_heartbeat_period = {nanoseconds}, @source_heartbeat_period = {nanoseconds},"
            f" @slave_uuid = '{name}', @replica_uuid = '{name}', @mariadb_slave_capability = 4"
        )
        host = socket.gethostname().encode()[:_LEN_HOST_NAME]
        replica = struct.pack("<IB", server_id, len(host)) + host + bytes(12)
        try:
            connection.run(_COM_REGISTER_SLAVE, replica)
        except RefusedError as error:
            error.message += "; expected a user with the privilege REPLICATION SLAVE"
            raise
        flags = _NON_BLOCK | (_SEND_ANNOTATE_ROWS if connection.is_mariadb else 0)
        connection.begin(
            _COM_BINLOG_DUMP,
            struct.pack("<IHI", start_pos, flags, server_id) + self._log_file.name.encode(),
        )

    def readinto(self, buffer: memoryview) -> int:
        """Read what has come of the events, at least one byte; 0 at the end.

        Raises:
            ConnectionLostError, ServerError, CorruptEventError: as `LogDump`, once all before is
                given.
        """
        if self._failure is not None:
            raise self._failure
        self._deadline = time.monotonic() + self._seconds
        filled, room = 0, len(buffer)
        while filled < room and not self.is_at_end:
            if not (self._event_left or self._goes_on):
                filled = self._copy_whole(buffer, filled)
                if filled == room:
                    break
            if not self._packet_left:
                if filled and self._end - self._start < _LEN_PACKET_HEADER + 1 + LEN_HEADER:
                    break  # the caller is given what there is, without waiting
                try:
                    self._begin_packet()
                except BinlogError as error:
                    if not filled:
                        raise
                    self._failure = error
                    break
                continue
            if self._start == self._end:
                if filled:
                    break
                self._receive()
            count = min(self._packet_left, self._end - self._start, room - filled)
            piece = self._view[self._start : self._start + count]
            buffer[filled : filled + count] = piece
            self._start += count
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
        """Copy events that are there as a whole, with nothing odd about them: as a rule, all.

        Returns the bytes of the buffer that are filled then; leaves all else to `_begin_packet`.
        """
        data, view, room = self._data, self._view, len(buffer)
        start, end, number = self._start, self._end, self._next_packet
        position = self.position
        while end - start >= _LEN_START:
            packet, status, _, type_code, _, size, end_log_pos, _ = _START.unpack_from(data, start)
            first = start + _LEN_PACKET_HEADER + 1
            behind = first + size
            if (
                packet != size + 1 | number << 24
                or status != _OK
                or type_code in _ODD_EVENTS
                or size < LEN_HEADER
                or (end_log_pos and end_log_pos != (position + size) & 0xFFFFFFFF)
                or behind > end
                or filled + size > room
            ):
                break
            buffer[filled : filled + size] = view[first:behind]
            filled += size
            position += size
            start = behind
            number = (number + 1) & 0xFF
        self._start, self._next_packet = start, number
        self.position = self.event_start = position
        return filled

    def close(self) -> None:
        """End it; the server notices and gives up."""
        self._connection.close()

    def _receive(self) -> None:
        """Read what comes behind what is there."""
        if time.monotonic() > self._deadline:
            raise lost(f"no event for {self._seconds} s")
        if self._start == self._end:
            self._start = self._end = 0
        self._end += self._connection.read_some(self._view[self._end :])

    def _require(self, num_bytes: int) -> None:
        """Have so many bytes there."""
        if _LEN_BUFFER - self._start < num_bytes:
            left = self._end - self._start
            self._data[:left] = self._data[self._start : self._end]
            self._start, self._end = 0, left
        while self._end - self._start < num_bytes:
            self._receive()

    def _begin_packet(self) -> None:
        """Go to where bytes of the log begin in the next packet, or past a packet without any."""
        self._require(_LEN_PACKET_HEADER)
        header = int.from_bytes(
            self._view[self._start : self._start + _LEN_PACKET_HEADER], "little"
        )
        len_packet, number = header & _MAX_PACKET, header >> 24
        if number != self._next_packet:
            if number == 0:  # MariaDB tells so that it shuts down
                raise lost("the server has ended it")
            raise self._corrupt(f"packet {number} of the protocol: expected {self._next_packet}")
        self._next_packet = (number + 1) & 0xFF
        if self._goes_on:
            self._start += _LEN_PACKET_HEADER
            self._continue_event(len_packet)
        else:
            self._begin_event(len_packet)

    def _continue_event(self, len_packet: int) -> None:
        if len_packet != min(self._event_left, _MAX_PACKET):
            raise self._corrupt(
                f"a packet of {len_packet} bytes, {self._event_left} of the event are left"
            )
        self._packet_left = len_packet
        self._goes_on = len_packet == _MAX_PACKET

    def _begin_event(self, len_packet: int) -> None:
        if not len_packet:
            raise self._corrupt("a packet without bytes")
        self._require(_LEN_PACKET_HEADER + 1)
        status = self._data[self._start + _LEN_PACKET_HEADER]
        if status != _OK:
            self._take_status(status, self._aside(len_packet))
            return
        if len_packet < 1 + LEN_HEADER:
            raise self._corrupt(f"a packet of {len_packet} bytes, too short for an event")
        self._require(_LEN_PACKET_HEADER + 1 + LEN_HEADER)
        first = self._start + _LEN_PACKET_HEADER + 1
        _, type_code, _, len_event, end_log_pos, flags = HEADER.unpack_from(self._data, first)
        if len_packet != min(len_event + 1, _MAX_PACKET):
            raise self._corrupt(
                f"an event of {len_event} bytes in a packet of {len_packet}", type_code
            )
        is_made_up = not end_log_pos or flags & _ARTIFICIAL
        if type_code in _HEARTBEATS or (type_code == _START_ENCRYPTION and is_made_up):
            self._aside(len_packet)
        elif type_code == _ROTATE and is_made_up:
            self._take_rotate(self._aside(len_packet)[1:])
        elif type_code == _FORMAT and not self.format_event:
            self._take_format(len_packet)
        elif not self.format_event:
            raise self._corrupt("expected a format description first", type_code)
        else:
            end = (self.position + len_event) & 0xFFFFFFFF
            if end_log_pos not in (0, end) or (is_made_up and type_code == _FORMAT):
                raise self._corrupt(
                    f"the event is of another place: expected its end at {end}, it says"
                    f" {end_log_pos}",
                    type_code,
                )
            self._give_event(len_packet, len_event)

    def _give_event(self, len_packet: int, len_event: int) -> None:
        self._start += _LEN_PACKET_HEADER + 1
        self._packet_left = len_packet - 1
        self._event_left = len_event
        self._goes_on = len_packet == _MAX_PACKET

    def _take_format(self, len_packet: int) -> None:
        """Keep the format description; it is given as well where it stands at the position."""
        event = self._aside(len_packet)[1:]
        if not self._knows_log:
            raise self._corrupt("expected the name of the log first", _FORMAT)
        self.format_event = event
        if self.position == len(MAGIC):
            self._start -= _LEN_PACKET_HEADER + len_packet
            self._give_event(len_packet, len(event))

    def _aside(self, len_packet: int) -> bytes:
        """Return a packet that is short, and go past it."""
        if len_packet > _MAX_ASIDE:
            raise self._corrupt(f"a packet of {len_packet} bytes that is no event of the log")
        self._require(_LEN_PACKET_HEADER + len_packet)
        self._start += _LEN_PACKET_HEADER + len_packet
        if time.monotonic() > self._deadline:
            raise lost(f"no event for {self._seconds} s")
        return bytes(self._data[self._start - len_packet : self._start])

    def _take_status(self, status: int, packet: bytes) -> None:
        if status == _EOF and len(packet) < 9:
            self.is_at_end = True
        elif status == _ERROR:
            raise refusal(packet)
        else:
            raise self._corrupt(f"a packet that begins with {status:#04x}, none of the protocol")

    def _take_rotate(self, event: bytes) -> None:
        """Learn which log the events to come are of."""
        if crc32(event[:-LEN_CHECKSUM]) == int.from_bytes(event[-LEN_CHECKSUM:], "little"):
            event = event[:-LEN_CHECKSUM]
        name = event[LEN_HEADER + 8 :].decode(errors="replace")
        if name == self._log_file.name:
            self._knows_log = True
        elif self.format_event:
            self.next_log, self.is_at_end = name, True
        else:
            raise self._corrupt(f"the events are of another log: '{one_line(name)}'", _ROTATE)

    def _corrupt(self, reason: str, type_code: int | None = None) -> BinlogError:
        return CorruptEventError(
            f"the server has sent {reason}",
            site=event_site(self._log_file, self.position, type_code),
        )
