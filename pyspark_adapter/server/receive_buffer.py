"""The bytes that a server sends, as they come."""

from __future__ import annotations

import time
from typing import Final

from pyspark_adapter.server.connection import ServerConnection
from pyspark_adapter.server.server_errors import lost

_LEN_BUFFER: Final = 1 << 18


class ReceiveBuffer:
    """What has come from a server and is not used yet: `data[start:end]`.

    Args:
        connection: to the server, which is sending.
        seconds: that a server may take between two calls of `restart_clock`.

    Attributes:
        data: the bytes; `view` is a view of them.
        start, end: of those that are not used; callers move `start`.
    """

    def __init__(self, connection: ServerConnection, seconds: float) -> None:
        self._connection = connection
        self._seconds = seconds
        self.data = bytearray(_LEN_BUFFER)
        self.view = memoryview(self.data)
        self.start = self.end = 0
        self.restart_clock()

    def restart_clock(self) -> None:
        """Give the server its full time again."""
        self._deadline = time.monotonic() + self._seconds

    def receive(self) -> None:
        """Read the next bytes, at least one; raises ConnectionLostError."""
        self._check_clock()
        if self.start == self.end:
            self.start = self.end = 0
        self.end += self._connection.read_some(self.view[self.end :])

    def require(self, num_bytes: int) -> None:
        """Read until there are so many bytes, fewer than 2^18; raises ConnectionLostError."""
        if _LEN_BUFFER - self.start < num_bytes:
            left = self.end - self.start
            self.data[:left] = self.data[self.start : self.end]
            self.start, self.end = 0, left
        while self.end - self.start < num_bytes:
            self.receive()

    def take(self, num_bytes: int) -> bytes:
        """Return the next bytes; raises ConnectionLostError, as `receive`."""
        self.require(num_bytes)
        self._check_clock()  # packets without events could come for ever
        self.start += num_bytes
        return bytes(self.data[self.start - num_bytes : self.start])

    def _check_clock(self) -> None:
        """Raise ConnectionLostError if the server's time is over."""
        if time.monotonic() > self._deadline:
            raise lost(f"no event for {self._seconds} s")
