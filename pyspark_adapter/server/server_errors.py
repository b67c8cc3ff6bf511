"""Errors for what a server refuses, or sends when it stops, and retries after a lost connection.

The errors have no site.
"""

from __future__ import annotations

import socket
import ssl
import time
from typing import Final

from pyspark_adapter.errors import ServerError, one_line

SERVER_LOST: Final = 2013  # CR_SERVER_LOST
# A server that is going away, is full, or has ended this connection: it may answer later.
_TRANSIENT: Final = frozenset(
    {
        1040,  # ER_CON_COUNT_ERROR
        1053,  # ER_SERVER_SHUTDOWN
        1077,  # ER_NORMAL_SHUTDOWN
        1152,  # ER_ABORTING_CONNECTION
        1158,  # ER_NET_READ_ERROR
        1159,  # ER_NET_READ_INTERRUPTED
        1160,  # ER_NET_ERROR_ON_WRITE
        1161,  # ER_NET_WRITE_INTERRUPTED
        1184,  # ER_NEW_ABORTING_CONNECTION
        1317,  # ER_QUERY_INTERRUPTED
        1927,  # ER_CONNECTION_KILLED of MariaDB
        2003,  # CR_CONN_HOST_ERROR
        2006,  # CR_SERVER_GONE_ERROR
        SERVER_LOST,
        3032,  # ER_SERVER_OFFLINE_MODE of MySQL
        3168,  # ER_SERVER_ISNT_AVAILABLE of MySQL
        4031,  # ER_CLIENT_INTERACTION_TIMEOUT of MySQL
    }
)

# Of errors that no server sends, such as those of a name that is unknown.
_CLIENT_CODES: Final = range(2000, 3000)

# The server cannot send the log, or cannot send it from the position asked for.
NO_LOG: Final = 1236  # ER_MASTER_FATAL_ERROR_READING_BINLOG


class ConnectionLostError(ServerError):
    """The connection is lost, and may be made again; never leaves this folder."""

    class_advice = "check that the server runs, and option host and option port"


class RefusedError(ServerError):
    """The server refused a command; never leaves this folder."""

    code = 0


def lost(reason: str) -> ConnectionLostError:
    """Return the error for a connection that is of no more use."""
    return ConnectionLostError(f"the connection is lost: {reason}")


def refusal(packet: bytes) -> ServerError:
    """Return the error for an error packet of the protocol."""
    text = packet[9:] if packet[3:4] == b"#" else packet[3:]
    return server_error(int.from_bytes(packet[1:3], "little"), text.decode(errors="replace"))


def server_error(code: int, text: str, cause: object = None) -> ServerError:
    """Return the error for a code of a server or client.

    Args:
        code: of the protocol.
        text: that goes with it.
        cause: what failed on the network, if that is known.
    """
    if code in _TRANSIENT and not _is_final(cause):
        return ConnectionLostError(f"cannot be reached: {one_line(text)}")
    refused = RefusedError(f"{one_line(text)} (error {code})")
    refused.code = code
    return refused


def _is_final(cause: object) -> bool:
    """Return whether a connection that failed so would fail again."""
    if isinstance(cause, socket.gaierror):
        return cause.errno != socket.EAI_AGAIN
    is_cut_off = isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError))
    return isinstance(cause, ssl.SSLError) and not is_cut_off


def is_unreachable(error: ServerError) -> bool:
    """Return whether an error means that a server was not reached, or was lost."""
    return any(
        isinstance(cause, ConnectionLostError)
        or (isinstance(cause, RefusedError) and cause.code in _CLIENT_CODES)
        for cause in (error, error.__cause__)
    )


_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 5.0


class Backoff:
    """Waits between attempts, longer each time, until there was no progress for too long.

    Args:
        seconds: how long, from the first failure after the last progress.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.reset()

    def reset(self) -> None:
        """Start over after progress."""
        self._end: float | None = None
        self._pause = _FIRST_PAUSE

    def wait(self, error: ServerError) -> None:
        """Wait before the next attempt.

        Raises:
            ServerError: instead of `error`, if it has lasted too long.
        """
        now = time.monotonic()
        if self._end is None:
            self._end = now + self._seconds
        left = self._end - now
        if left <= 0:
            raise self.give_up(error) from error
        time.sleep(min(self._pause, left))
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def give_up(self, error: ServerError) -> ServerError:
        """Return the error to raise instead of the last one."""
        message = error.message
        if self._end is not None:
            message += f", tried for {self._seconds} s (option reconnectSeconds)"
        return ServerError(message, site=error.site, advice=error.advice)
