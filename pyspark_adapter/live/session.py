"""Requests by SQL, over a connection that is kept, and made anew where it is lost."""

from __future__ import annotations

import os
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from pyspark_adapter.errors import ServerError
from pyspark_adapter.live.connection import ConnectionLostError, RefusedError, ServerConnection
from pyspark_adapter.live.patience import Patience

if TYPE_CHECKING:
    from pyspark_adapter.live.server import LiveServer


class Session:
    """Asks a server by SQL.

    A server that was never reached is told at once; one that is gone meanwhile is waited for, as
    long as it says.

    Args:
        server: the server.
    """

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self._lock = Lock()
        self._connection: ServerConnection | None = None
        self._was_reached = False
        self.is_mariadb = False
        self.version: tuple[int, ...] = ()
        self.rows("SELECT 1")

    def rows(self, sql: str, *values: str) -> list[tuple[str | None, ...]]:
        """Return what a statement gives.

        Raises:
            ServerError: if the server cannot be reached, or refuses it.
        """
        patience = Patience(self._server.reconnect_seconds)
        with self._lock:
            while True:
                try:
                    return self._connected().rows(sql, *values)
                except ConnectionLostError as error:
                    self._connection = None
                    if not self._was_reached:
                        raise patience.over(error) from error
                    patience.wait(error)
                except RefusedError as error:
                    self._connection = None
                    raise ServerError(error.message, site=error.site) from error

    def _connected(self) -> ServerConnection:
        if self._connection is None:
            self._connection = ServerConnection(self._server)
            self._was_reached = True
            self.is_mariadb = self._connection.is_mariadb
            self.version = self._connection.version
        return self._connection


def session_of(server: LiveServer) -> Session:
    """Return the session with a server that this process keeps."""
    return _session_of(server, os.getpid())  # a fork must not speak on its parent's connection


# To connect takes several round trips; a stream asks at each trigger.
@lru_cache(maxsize=8)
def _session_of(server: LiveServer, _pid: int) -> Session:
    return Session(server)
