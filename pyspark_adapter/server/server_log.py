"""A log of a running server as a file, read over the network and resumed when cut off."""

from __future__ import annotations

import time
from typing import Final, NoReturn

from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    LogFileError,
    ServerError,
    TruncatedEventError,
    located,
    one_line,
)
from pyspark_adapter.format.header import LEN_CHECKSUM, LEN_HEADER, MAGIC, OFS_END_LOG_POS
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.server.binlog_dump import LogDump
from pyspark_adapter.server.connection import ServerConnection, session_of
from pyspark_adapter.server.server_errors import (
    NO_LOG,
    Backoff,
    ConnectionLostError,
    RefusedError,
    lost,
)
from pyspark_adapter.sources.log_file import LogFile

# The command has 4 bytes for a position; beyond them the log is sent from its start.
_LAST_START: Final = (1 << 32) - 1
_LEN_PIECE: Final = 1 << 18
_CREATED: Final = LEN_HEADER + 52  # in a format description: when the server was started


class ServerLog:
    """A log of a server as a file that is open for reading.

    It ends where it ended when the server listed it. It has the bytes of the server's file,
    except the flag in the format description that the file is open for writing, which the server
    clears. An encrypted log is sent decrypted; MariaDB's START_ENCRYPTION event stays and has the
    flag that it is to be ignored. No request is sent before the first byte after the magic is read.
    One connection is held from then to the last byte, the next `seek`, or `close`.

    After a lost connection, the server sends the current event again. The bytes that were already
    read of it have to be the same.
    """

    def __init__(self, server: ServerAddress, log_file: LogFile) -> None:
        self._server = server
        self._log_file = log_file
        self._site = EventSite(log_file.path)
        self._backoff = Backoff(server.reconnect_seconds)
        self._seconds = max(server.reconnect_seconds, server.read_timeout)
        self._progress: tuple[int, int] | None = None  # of the last packet that was whole
        self._waited = 0.0  # seconds, since then
        self._early_end = -1  # where the server moved on to the next log
        self._dump: LogDump | None = None
        self._format_event = b""
        self._len_format = 0
        self._position = 0
        self._event_start = len(MAGIC)
        self._event_crc = 0

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return self._position

    def seek(self, position: int, /) -> int:
        """Go to where an event begins, or to the magic."""
        if position != self._position:
            self.close()
            self._position = position
            self._event_start, self._event_crc = max(position, len(MAGIC)), 0
        return position

    def close(self) -> None:
        """End the connection, if there is one."""
        if self._dump is not None:
            self._dump.close()
            self._dump = None

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read the bytes that have come, at least one; 0 at the end.

        Raises:
            ServerError: if the server refuses, or cannot be reached for too long.
            LogFileError: if it no longer has the log, or has another of the same name.
            CorruptEventError: if it sends something invalid.
            TruncatedEventError: if its log ends before the size that it had.
        """
        if self._position < len(MAGIC):
            piece = MAGIC[self._position : self._position + len(buffer)]
            buffer[: len(piece)] = piece
            self._position += len(piece)
            return len(piece)
        buffer = buffer[: max(0, self._log_file.num_bytes - self._position)]
        while len(buffer):
            try:
                with located(self._site):
                    return self._read_in_time(buffer)
            except ConnectionLostError as error:
                self.close()
                self._backoff.wait(error)
            except RefusedError as error:
                self.close()
                self._raise_refusal(error)
            except BinlogError:
                self.close()
                raise
        self.close()  # the rest is not needed
        return 0

    def _read_in_time(self, buffer: memoryview) -> int:
        """Read at least one byte, of a packet that comes in time."""
        begun = time.monotonic()
        count = self._read(buffer)
        assert self._dump is not None
        if self._progress == self._dump.progress:
            # The time of the caller between two reads does not count.
            self._waited += time.monotonic() - begun
            if self._waited > self._seconds:
                raise lost(f"no whole packet for {self._seconds} s")
        else:
            self._progress, self._waited = self._dump.progress, 0.0
            self._backoff.reset()
        return count

    def _read(self, buffer: memoryview) -> int:
        """Read at least one byte of the log that the server is sending."""
        if self._dump is None:
            self._dump = self._resumed()
        dump = self._dump
        count = dump.readinto(buffer)
        self._position += count
        self._event_start, self._event_crc = dump.event_start, dump.event_crc
        if not count:
            self._refuse_end(dump)
        return count

    def _resumed(self) -> LogDump:
        """Request the log from the current event on, and skip what was already read of it."""
        start = self._event_start
        if start > _LAST_START or start <= len(MAGIC) + self._len_format:
            start = len(MAGIC)  # the server sends the format description in any case
        connection: ServerConnection | None = None
        try:
            connection = ServerConnection(self._server)
            dump = LogDump(connection, self._log_file, start, self._server.read_timeout)
            self._expect_same_log(dump.format_event)
            scratch = memoryview(bytearray(min(_LEN_PIECE, self._position - start)))
            while dump.position < self._position:
                if not dump.readinto(scratch[: self._position - dump.position]):
                    self._refuse_end(dump)
            if (dump.event_start, dump.event_crc) != (self._event_start, self._event_crc):
                raise self._replaced("the current event is another")
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        return dump

    def _expect_same_log(self, event: bytes) -> None:
        """Compare a format description with that of the first connection."""
        data = bytearray(event)
        # From a later position the server sends another position, flags, time of creation, and so
        # another checksum.
        data[OFS_END_LOG_POS:LEN_HEADER] = bytes(LEN_HEADER - OFS_END_LOG_POS)
        data[_CREATED : _CREATED + 4] = bytes(4)
        identity = bytes(data[:-LEN_CHECKSUM])
        if self._format_event not in (b"", identity):
            raise self._replaced("the format description is another")
        self._format_event, self._len_format = identity, len(event)

    def _replaced(self, reason: str) -> LogFileError:
        return LogFileError(
            f"was replaced by another log of the same name while it was read: {reason}",
            advice="read the server again: it has begun its logs from the first one",
        )

    def _refuse_end(self, dump: LogDump) -> NoReturn:
        """Refuse an end before the size that the server listed."""
        expected = self._log_file.num_bytes
        if dump.next_log:
            message = (
                f"the log ends at {dump.position} and {one_line(dump.next_log)} follows: expected"
                f" {expected} bytes, as the server listed it"
            )
            if self._early_end != dump.position:
                # MySQL 5.6 continues to the next log if its thread is killed in the middle of one.
                self._early_end = dump.position
                raise ConnectionLostError(message)
            raise TruncatedEventError(message, needed=expected, available=dump.position)
        # The server is stopping, or has not yet flushed what it has written.
        raise ConnectionLostError(
            f"the server has ended the log at {dump.position}: expected {expected} bytes, as it"
            " listed it"
        )

    def _raise_refusal(self, error: RefusedError) -> NoReturn:
        """Raise the error for a log that the server does not send."""
        if error.code == NO_LOG:
            names = [row[0] for row in session_of(self._server).rows("SHOW BINARY LOGS")]
            if self._log_file.name not in names:
                missing = FileNotFoundError(2, "No such file or directory")
                raise LogFileError(
                    f"the server no longer has it: {error.message}",
                    site=self._site,
                    advice="option ignoreMissingFiles skips logs that are gone",
                ) from missing
        raise ServerError(error.message, site=self._site, advice=error.advice) from error
