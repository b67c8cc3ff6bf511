"""A connection to a server: SQL, and commands of replicas."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from typing import TypeVar

from pyspark_adapter.errors import BinlogError, ServerError
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.server.pymysql_client import GuardedConnection, as_ours

_T = TypeVar("_T")


class ServerConnection:
    """A connection to a server, logged in. Its errors have no site.

    Attributes:
        version: of the server, as numbers.
        is_mariadb: whether it is MariaDB.

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
