"""SQL requests over a connection that is kept, and made again when it is lost."""

from __future__ import annotations

import os
from functools import lru_cache
from threading import Lock

from pyspark_adapter.errors import BinlogError, ServerError, located
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.server.connection import ServerConnection
from pyspark_adapter.server.server_errors import Backoff, ConnectionLostError, RefusedError


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
