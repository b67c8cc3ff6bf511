"""A connection to a server: SQL, commands of replicas, and the bytes that the server sends."""

from __future__ import annotations

import os
import re
import time
import weakref
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Final, TypeVar

from pyspark_adapter.errors import BinlogError, ServerError, located
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.server.pymysql_client import GuardedConnection, as_ours
from pyspark_adapter.server.server_errors import Backoff, ConnectionLostError, RefusedError, lost

_T = TypeVar("_T")


class ServerConnection:
    """A connection to a server, logged in. Its errors have no site.

    Attributes:
        version: of the server, as numbers.

    Raises:
        ConnectionLostError: if it cannot be reached now.
        ServerError: if the host is unknown, the user is refused, the server asks for the password
            in a form that is not allowed, or it does not speak the protocol.
        OptionError: if a certificate or key cannot be read.
        UnsupportedError: if a package for this is missing or too old.
    """

    def __init__(self, server: ServerAddress) -> None:
        self._connection = GuardedConnection(server)
        # Garbage in a cycle is finalized in any order: the socket could be before its connection.
        self._close = weakref.finalize(self, self._connection.close_now)
        self._call(self._connection.connect)
        text = str(self._connection.get_server_info())
        self.version = version_of(text)
        self.is_mariadb = "mariadb" in text.lower()

    def rows(self, sql: str, *values: str) -> list[tuple[str | None, ...]]:
        """Return the rows of a statement, which may differ in length.

        Raises:
            ConnectionLostError, ServerError: as `ServerConnection`; the connection is closed then.
        """

        def ask() -> list[tuple[str | None, ...]]:
            with self._connection.cursor() as cursor:
                cursor.execute(sql, values or None)
                if cursor.description is None:
                    raise ServerError(
                        f"expected rows of {sql}, the server answered OK without rows"
                    )
                rows = list(cursor.fetchall())
            if any(isinstance(value, bytes) for row in rows for value in row):
                raise ServerError(f"expected text from {sql}, got binary values")
            return rows

        return self._call(ask)

    def execute(self, sql: str) -> None:
        """Run a statement that returns no rows; raises ConnectionLostError, ServerError."""
        self._call(lambda: self._connection.query(sql))

    def run(self, command: int, payload: bytes) -> None:
        """Run a command that is not SQL and that is answered by OK.

        Raises:
            ConnectionLostError, ServerError: as `rows`.
        """
        self._call(lambda: self._connection.run_command(command, payload))

    def begin(self, command: int, payload: bytes) -> None:
        """Send a command whose answer is read by `read_some`; raises ConnectionLostError."""
        self._call(lambda: self._connection.send_command(command, payload))

    def read_some(self, buffer: memoryview) -> int:
        """Read the bytes that have come, at least one; raises ConnectionLostError."""
        return self._connection.read_some(buffer)

    def close(self) -> None:
        """Close the connection at once; a server that is sending stops."""
        self._close()

    def _call(self, ask: Callable[[], _T]) -> _T:
        """Call PyMySQL; whatever it raises becomes one of our errors, and closes the connection."""
        try:
            return ask()
        except BinlogError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise as_ours(error) from error


def version_of(text: str) -> tuple[int, ...]:
    """Return the numbers of the version in a server's greeting.

    MariaDB 10 put `5.5.5-` before its own, for replicas that read one digit.

    >>> version_of("5.5.5-10.11.19-MariaDB-log"), version_of("9.7.4-2")
    ((10, 11, 19), (9, 7, 4))
    """
    number = r"([0-9]{1,9})"
    match = re.match(rf"(?:5\.5\.5-(?=[0-9]))?{number}\.{number}(?:\.{number})?", text)
    return tuple(int(part) for part in match.groups() if part) if match else ()


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


class Session:
    """Asks a server by SQL.

    If the server was never reached, the first failure is raised. Once it was reached, a lost
    connection is retried for `reconnect_seconds`.
    """

    def __init__(self, server: ServerAddress) -> None:
        self._server = server
        self._lock = Lock()
        self._connection: ServerConnection | None = None
        self._was_reached = False
        self.is_mariadb = False
        self.version: tuple[int, ...] = ()
        self._identity, self._gtid_mode = "", ""
        self.rows("SELECT 1")

    def rows(self, sql: str, *values: str, num_columns: int = 1) -> list[tuple[str | None, ...]]:
        """Return the rows of a statement, each of so many columns or more; raises ServerError."""
        backoff = Backoff(self._server.patience)
        with self._lock, located(self._server.site):
            while True:
                try:
                    rows = self._connected().rows(sql, *values)
                    break
                except ConnectionLostError as error:
                    self._connection = None
                    if not self._was_reached:
                        raise backoff.give_up(error) from error
                    backoff.wait(error)
                except BinlogError as error:
                    self._connection = None  # it is closed
                    if isinstance(error, RefusedError):
                        raise ServerError(error.message, advice=error.advice) from error
                    raise
            for row in rows:
                if len(row) < num_columns:
                    raise ServerError(f"expected {num_columns} columns of {sql}, got {len(row)}")
            return rows

    def row(self, sql: str, *values: str, num_columns: int = 1) -> tuple[str | None, ...]:
        """Return the row of a statement that has one; raises ServerError."""
        rows = self.rows(sql, *values, num_columns=num_columns)
        if len(rows) != 1:
            raise ServerError(f"expected one row of {sql}, got {len(rows)}", site=self._server.site)
        return rows[0]

    def identity(self) -> str:
        """Return the UUID of the server that answers now, or the id of one that has no UUID.

        Raises:
            ServerError: as `rows`.
        """
        if not self._identity:
            has_uuid = not self.is_mariadb and self.version >= (5, 6)
            name = "server_uuid, @@GLOBAL.gtid_mode" if has_uuid else "server_id"
            identity, *mode = self.row(f"SELECT @@GLOBAL.{name}")
            self._identity, self._gtid_mode = identity or "", (mode or [""])[0] or ""
        return self._identity

    def has_gtids(self) -> bool:
        """Return whether all transactions of a MySQL server have GTIDs; raises ServerError."""
        return bool(self.identity()) and self._gtid_mode == "ON"

    def _connected(self) -> ServerConnection:
        if self._connection is None:
            self._connection = ServerConnection(self._server)
            self._was_reached = True
            self.is_mariadb = self._connection.is_mariadb
            self.version = self._connection.version
            self._identity = ""  # another server may answer now
        return self._connection


def session_of(server: ServerAddress) -> Session:
    """Return the session with a server that this process keeps."""
    return _session_of(server, os.getpid())  # a forked process needs a connection of its own


# To connect takes several round trips; a stream asks at each trigger.
@lru_cache(maxsize=8)
def _session_of(server: ServerAddress, _pid: int) -> Session:
    return Session(server)
