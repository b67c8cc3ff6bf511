"""A log of a running server as a file: read over the network, and taken up where it breaks off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    LogFileError,
    ServerError,
    TruncatedEventError,
)
from pyspark_adapter.inputs.log_files import MAGIC, LogFile
from pyspark_adapter.live.connection import (
    NO_LOG,
    ConnectionLostError,
    RefusedError,
    ServerConnection,
)
from pyspark_adapter.live.dump import LogDump
from pyspark_adapter.live.patience import Patience
from pyspark_adapter.schema import LEN_HEADER

if TYPE_CHECKING:
    from pyspark_adapter.live.server import LiveServer

# The command has 4 bytes for a position; from there on a log is sent from its beginning.
_LAST_START: Final = (1 << 32) - 1
_LEN_PIECE: Final = 1 << 18
_CREATED: Final = LEN_HEADER + 52  # in a format description: when the server was started


class ServerLog:
    """A log of a server as a file that is open for reading.

    It ends where it ended when the server listed it. Its bytes are those of the server's file,
    but for the flag in the format description that the file is open for writing, which the server
    clears as it sends it. An encrypted log is sent as it was before; MariaDB's event of it, which
    stays, has the flag that it is to be ignored. Nothing is asked before the first byte behind the
    magic is read, and one connection is held from then to the last byte, the next `seek`, or
    `close`.

    A connection that breaks is made anew, and the event under way sent again; what was given of it
    has to come again as it was.

    Args:
        server: that has it.
        log_file: the log.
    """

    def __init__(self, server: LiveServer, log_file: LogFile) -> None:
        self._server = server
        self._log_file = log_file
        self._site = EventSite(log_file.path)
        self._patience = Patience(server.reconnect_seconds)
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
        """Read what has come, at least one byte; 0 at the end.

        Raises:
            ServerError: if the server refuses, or is gone for too long.
            LogFileError: if it has the log no more, or another of the same name.
            CorruptEventError: if it sends what cannot be.
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
                if count := self._read(buffer):
                    self._patience.renew()
                    return count
            except ConnectionLostError as error:
                self.close()
                error.site = self._site
                self._patience.wait(error)
            except RefusedError as error:
                self.close()
                self._tell(error)
            except BinlogError:
                self.close()
                raise
        self.close()  # nothing is left to read: the server need not go on
        return 0

    def _read(self, buffer: memoryview) -> int:
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
        """Have the log sent from the event under way, and go past what was given of it."""
        start = self._event_start
        if start > _LAST_START or start <= len(MAGIC) + self._len_format:
            start = len(MAGIC)  # not at an event that the server sends in any case
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
                raise self._replaced("the event under way is another")
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        return dump

    def _expect_same_log(self, event: bytes) -> None:
        """Compare a format description with the one of before."""
        found = bytearray(event)
        found[13:19] = bytes(6)  # the server changes position and flags where it is not the first
        found[_CREATED : _CREATED + 4] = bytes(4)  # and this
        identity = bytes(found[:-4])  # and so its checksum
        if self._format_event not in (b"", identity):
            raise self._replaced("the format description is another")
        self._format_event, self._len_format = identity, len(event)

    def _replaced(self, reason: str) -> LogFileError:
        return LogFileError(
            f"was replaced by another log of the same name while it was read: {reason}",
            site=self._site,
        )

    def _refuse_end(self, dump: LogDump) -> None:
        """Refuse an end before the one that the server has told."""
        expected = self._log_file.num_bytes
        if dump.next_log:
            raise TruncatedEventError(
                f"the log ends at {dump.position} and {dump.next_log} follows: expected"
                f" {expected} bytes, as the server listed it",
                site=self._site,
                needed=expected,
                available=dump.position,
            )
        # It is being stopped, or has not yet released what it has written.
        raise ConnectionLostError(
            f"the server has ended the log at {dump.position}: expected {expected} bytes, as it"
            " listed it",
            site=self._site,
        )

    def _tell(self, error: RefusedError) -> NoReturn:
        """Raise the error for a log that the server does not send."""
        if error.code == NO_LOG:
            names = [log.name for log in self._server.log_files()]
            if self._log_file.name not in names:
                missing = FileNotFoundError(2, "No such file or directory")
                raise LogFileError(
                    f"the server has it no more: {error.message}", site=self._site
                ) from missing
        raise ServerError(error.message, site=self._site) from error
