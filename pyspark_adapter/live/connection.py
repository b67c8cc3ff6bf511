"""A connection to a server; the only module that uses PyMySQL.

PyMySQL connects, logs in, encrypts and sends SQL. It has no public names for the socket's bytes and
for commands that are not SQL; comments mark where its private names are used.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import pymysql
from pymysql.connections import Connection
from pymysql.constants import CR, ER

from pyspark_adapter.errors import BinlogError, ServerError, UnsupportedError, one_line
from pyspark_adapter.live.address import ServerAddress
from pyspark_adapter.live.authentication import no_key_error, read_public_key, refused_plugins
from pyspark_adapter.live.tls import context_of, is_final

_T = TypeVar("_T")

# Enough for a server with 100,000 logs.
_MAX_ANSWER: Final = 16 << 20
_LEN_PIECE: Final = 1 << 16

# Errors of a server that is going away, is full, or has ended this connection: it may answer later.
# PyMySQL does not name all of them.
_TRANSIENT: Final = frozenset(
    {
        CR.CR_CONN_HOST_ERROR,
        CR.CR_SERVER_GONE_ERROR,
        CR.CR_SERVER_LOST,
        ER.CON_COUNT_ERROR,
        ER.SERVER_SHUTDOWN,
        ER.NORMAL_SHUTDOWN,
        ER.NEW_ABORTING_CONNECTION,
        ER.ABORTING_CONNECTION,
        ER.NET_READ_ERROR,
        ER.NET_READ_INTERRUPTED,
        ER.NET_ERROR_ON_WRITE,
        ER.NET_WRITE_INTERRUPTED,
        ER.QUERY_INTERRUPTED,
        1927,  # MariaDB: ER_CONNECTION_KILLED
        3032,  # MySQL: ER_SERVER_OFFLINE_MODE
        3168,  # MySQL: ER_SERVER_ISNT_AVAILABLE
        4031,  # MySQL: ER_CLIENT_INTERACTION_TIMEOUT
    }
)

# The answer of a server that cannot send the log, or cannot send it from the position asked for.
NO_LOG: Final = 1236  # ER_MASTER_FATAL_ERROR_READING_BINLOG


class ConnectionLostError(ServerError):
    """The connection is lost, and may be made again; never leaves this folder."""


class RefusedError(ServerError):
    """The server refused a command; never leaves this folder.

    Attributes:
        code: the server's error code.
    """

    code = 0


class _GuardedConnection(Connection):  # type: ignore[misc]
    """Bounds the memory and time of answers, and keeps the password from unknown keys."""

    _public_key: bytes | None = None
    _may_take_key = False

    def __init__(self, server: ServerAddress) -> None:
        arguments: dict[str, Any] = {"ssl_disabled": True}
        is_verified = False
        if server.ssl_mode != "DISABLED":
            self._context = context_of(server)
            is_verified = self._context.verify_mode == ssl.CERT_REQUIRED
            # Without `ssl`, PyMySQL uses TLS if the server offers it.
            arguments = {} if server.ssl_mode == "PREFERRED" else {"ssl": self._context}
        super().__init__(
            host=server.host,
            port=server.port,
            user=server.user,
            password=server.password.encode(),
            charset="utf8mb4",
            conv={},  # values stay text
            autocommit=None,
            connect_timeout=server.connect_timeout,
            read_timeout=server.read_timeout,
            write_timeout=server.read_timeout,
            program_name="mysql-binlog-spark",
            auth_plugin_map=refused_plugins(
                allow_cleartext=server.enable_cleartext_plugin and is_verified
            ),
            defer_connect=True,
            **arguments,
        )
        self._seconds = server.read_timeout
        if server.server_rsa_public_key_file is not None:
            self._public_key = read_public_key(server.server_rsa_public_key_file)
        else:
            self._may_take_key = server.allow_public_key_retrieval
        self.begin_answer()

    @property
    def server_public_key(self) -> bytes | None:
        """The key that encrypts the password; PyMySQL asks for it where there is no TLS."""
        if self._public_key is None and self.password and not self._may_take_key:
            raise no_key_error()
        return self._public_key

    @server_public_key.setter
    def server_public_key(self, key: bytes | None) -> None:
        if self._may_take_key:  # else it is the user's, or nobody's, whatever the server sends
            self._public_key = key

    def begin_answer(self) -> None:
        self._answer_left = _MAX_ANSWER
        self._deadline = time.monotonic() + self._seconds

    def _execute_command(self, command: int, sql: bytes | str) -> None:  # private to PyMySQL
        self.begin_answer()
        super()._execute_command(command, sql)

    def _create_ssl_ctx(self, _settings: object) -> ssl.SSLContext:  # private to PyMySQL
        return self._context

    def _read_bytes(self, num_bytes: int) -> bytes:  # private to PyMySQL
        self._answer_left -= num_bytes
        if self._answer_left < 0:
            raise ValueError(f"an answer of more than {_MAX_ANSWER} bytes")
        parts = []
        while num_bytes:
            try:
                data = self._rfile.read1(min(num_bytes, _LEN_PIECE))
            except OSError as error:
                raise pymysql.OperationalError(CR.CR_SERVER_LOST, str(error)) from error
            if not data:
                raise pymysql.OperationalError(CR.CR_SERVER_LOST, "the server has hung up")
            if time.monotonic() > self._deadline:
                raise pymysql.OperationalError(CR.CR_SERVER_LOST, "no whole answer in time")
            parts.append(data)
            num_bytes -= len(data)
        return b"".join(parts)


class ServerConnection:
    """A connection to a server, logged in. Its errors have no site.

    Args:
        server: the server.

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
        if pymysql.VERSION[:2] < (1, 2):  # it went on without TLS where a server had none
            raise UnsupportedError(
                f"expected PyMySQL 1.2 or later, found {pymysql.VERSION_STRING}:"
                " pip install 'mysql-binlog-spark[live]'"
            )
        self._connection = _GuardedConnection(server)
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
                rows = list(cursor.fetchall())
            if any(isinstance(value, bytes) for row in rows for value in row):
                raise ServerError(f"expected text from {sql}, got binary values")
            return rows

        return self._call(ask)

    def run(self, command: int, payload: bytes) -> None:
        """Run a command that is not SQL and that is answered by OK.

        Raises:
            ConnectionLostError, ServerError: as `rows`.
        """

        def ask() -> None:
            self._connection._execute_command(command, payload)  # private to PyMySQL
            self._connection._read_ok_packet()  # private to PyMySQL

        self._call(ask)

    def begin(self, command: int, payload: bytes) -> None:
        """Send a command whose answer is read by `read_some`.

        Raises:
            ConnectionLostError: if the connection is lost.
        """
        self._call(lambda: self._connection._execute_command(command, payload))  # as above

    def read_some(self, buffer: memoryview) -> int:
        """Read the bytes that have come, at least one.

        Raises:
            ConnectionLostError: if there are none for `read_timeout` of the server.
        """
        try:
            count = self._connection._rfile.readinto1(buffer)  # private to PyMySQL
        except (OSError, AttributeError) as error:  # it is None once closed
            raise lost(str(error)) from error
        if not count:
            raise lost("the server has hung up")
        return int(count)

    def close(self) -> None:
        """Close the connection at once; a server that is sending stops."""
        self._connection._force_close()  # private to PyMySQL

    def _call(self, ask: Callable[[], _T]) -> _T:
        """Call PyMySQL; whatever it raises becomes one of our errors."""
        try:
            return ask()
        except BinlogError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise _as_ours(error) from error


def lost(reason: str) -> ConnectionLostError:
    """Return the error for a connection that is of no more use, without a site."""
    return ConnectionLostError(f"the connection is lost: {reason}")


def refusal(packet: bytes) -> BinlogError:
    """Return the error for an error packet of the protocol, without a site."""
    code = int.from_bytes(packet[1:3], "little")
    text = packet[9:] if packet[3:4] == b"#" else packet[3:]
    return _as_ours(pymysql.OperationalError(code, text.decode(errors="replace")))


def version_of(text: str) -> tuple[int, ...]:
    """Return the numbers of the version in a server's greeting.

    MariaDB 10 put `5.5.5-` before its own, for replicas that read one digit.

    >>> version_of("5.5.5-10.11.19-MariaDB-log"), version_of("9.7.4-2")
    ((10, 11, 19), (9, 7, 4))
    """
    number = r"([0-9]{1,9})"
    match = re.match(rf"(?:5\.5\.5-(?=[0-9]))?{number}\.{number}(?:\.{number})?", text)
    return tuple(int(part) for part in match.groups() if part) if match else ()


def _as_ours(error: Exception) -> BinlogError:
    code = error.args[0] if isinstance(error, pymysql.MySQLError) and error.args else None
    if isinstance(error, RuntimeError) and "package is required" in str(error):
        return UnsupportedError(f"the server asks for an authentication plugin: {error}")
    if not isinstance(code, int) or (isinstance(error, pymysql.InternalError) and code < 1000):
        return ServerError(
            "expected a server of MySQL or MariaDB, its answer is none of theirs:"
            f" {type(error).__name__}: {one_line(str(error))}"
        )
    reason = one_line(str(error.args[1] if len(error.args) > 1 else error))
    cause = getattr(error, "original_exception", None)
    if code in _TRANSIENT and not _is_final(cause):
        return ConnectionLostError(f"cannot be reached: {reason}")
    refused = RefusedError(f"{reason} (error {code})")
    refused.code = code
    return refused


def _is_final(cause: object) -> bool:
    """Return whether a connection that failed so would fail again."""
    if isinstance(cause, socket.gaierror):
        return cause.errno != socket.EAI_AGAIN
    return isinstance(cause, ssl.SSLError) and is_final(cause)
