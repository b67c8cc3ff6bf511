"""A connection to a server: all that is asked of PyMySQL is asked here.

PyMySQL connects, logs in, encrypts and asks by SQL. What it has no public name for is used where
the marks stand: the socket's bytes, and commands that are no SQL.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pymysql
from pymysql.connections import Connection
from pymysql.constants import CR, ER

from pyspark_adapter.errors import BinlogError, OptionError, ServerError, UnsupportedError
from pyspark_adapter.live.server import version_of

if TYPE_CHECKING:
    from pyspark_adapter.live.server import LiveServer

_T = TypeVar("_T")

# No answer to our requests comes near this: a server with a million logs lists them in less.
_MAX_ANSWER: Final = 16 << 20
_LEN_PIECE: Final = 1 << 16

# What a server says that goes away, is full, or has ended this connection: it may answer again.
# Not all have names in PyMySQL.
_PASSING: Final = frozenset(
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

# A server's answer when it cannot send the log that it was asked for, or not from there.
NO_LOG: Final = 1236  # ER_MASTER_FATAL_ERROR_READING_BINLOG


class ConnectionLostError(ServerError):
    """The connection is gone, and may be made again; never leaves this folder."""


class RefusedError(ServerError):
    """The server has refused a command; never leaves this folder.

    Attributes:
        code: its error code.
    """

    code = 0


class _BoundedConnection(Connection):  # type: ignore[misc]
    """Takes answers to requests in bounded memory and time, whatever lengths they claim."""

    answer_left = 0
    deadline = 0.0
    answer_seconds = 0.0

    def begin_answer(self) -> None:
        self.answer_left = _MAX_ANSWER
        self.deadline = time.monotonic() + self.answer_seconds

    def _execute_command(self, command: int, sql: bytes | str) -> None:  # private to PyMySQL
        self.begin_answer()
        super()._execute_command(command, sql)

    def _create_ssl_ctx(self, sslp: object) -> ssl.SSLContext:  # private to PyMySQL
        return sslp if isinstance(sslp, ssl.SSLContext) else _trusting_context()

    def _read_bytes(self, num_bytes: int) -> bytes:  # private to PyMySQL
        self.answer_left -= num_bytes
        if self.answer_left < 0:
            raise ValueError(f"an answer of more than {_MAX_ANSWER} bytes")
        parts = []
        while num_bytes:
            try:
                data = self._rfile.read1(min(num_bytes, _LEN_PIECE))
            except OSError as error:
                raise pymysql.OperationalError(CR.CR_SERVER_LOST, str(error)) from error
            if not data:
                raise pymysql.OperationalError(CR.CR_SERVER_LOST, "the server has hung up")
            if time.monotonic() > self.deadline:
                raise pymysql.OperationalError(CR.CR_SERVER_LOST, "no whole answer in time")
            parts.append(data)
            num_bytes -= len(data)
        return b"".join(parts)


class ServerConnection:
    """A connection to a server, logged in.

    Args:
        server: the server.

    Attributes:
        version: of the server, as numbers.
        is_mariadb: whether it is MariaDB.

    Raises:
        ConnectionLostError: if it cannot be reached now.
        ServerError: if it does not let this user in, is of another protocol, or no such host.
        OptionError: if a certificate cannot be read.
        UnsupportedError: if PyMySQL is too old.
    """

    def __init__(self, server: LiveServer) -> None:
        if pymysql.VERSION[:2] < (1, 2):  # it went on without TLS where a server had none
            raise UnsupportedError(
                f"expected PyMySQL 1.2 or later, found {pymysql.VERSION_STRING}:"
                " pip install 'mysql-binlog-spark[live]'"
            )
        self._server = server
        self._connection = _BoundedConnection(
            host=server.host,
            port=server.port,
            user=server.user,
            password=server.password.encode(),
            charset="utf8mb4",
            conv={},  # values as the text that they are sent as
            autocommit=None,
            connect_timeout=server.connect_timeout,
            read_timeout=server.read_timeout,
            write_timeout=server.read_timeout,
            program_name="mysql-binlog-spark",
            defer_connect=True,
            **_tls_arguments(server),
        )
        self._connection.answer_seconds = server.read_timeout
        self._connection.begin_answer()
        self._told(self._connection.connect)
        text = str(self._connection.get_server_info())
        self.version = version_of(text)
        self.is_mariadb = "mariadb" in text.lower()

    def rows(self, sql: str, *values: str) -> list[tuple[str | None, ...]]:
        """Return what a statement gives.

        Raises:
            ConnectionLostError, ServerError: as `ServerConnection`; the connection is closed then.
        """

        def ask() -> list[tuple[str | None, ...]]:
            with self._connection.cursor() as cursor:
                cursor.execute(sql, values or None)
                return list(cursor.fetchall())

        return self._told(ask)

    def run(self, command: int, payload: bytes) -> None:
        """Have a command carried out that is no SQL, and that is answered by OK.

        Raises:
            ConnectionLostError, ServerError: as `rows`.
        """

        def ask() -> None:
            self._connection._execute_command(command, payload)  # private to PyMySQL
            self._connection._read_ok_packet()  # private to PyMySQL

        self._told(ask)

    def begin(self, command: int, payload: bytes) -> None:
        """Send a command whose answer is read by `read_some`.

        Raises:
            ConnectionLostError: if the connection is gone.
        """
        self._told(lambda: self._connection._execute_command(command, payload))  # as above

    def read_some(self, buffer: memoryview) -> int:
        """Read bytes as they come, at least one.

        Raises:
            ConnectionLostError: if there are none for `read_timeout` of the server.
        """
        try:
            count = self._connection._rfile.readinto1(buffer)  # private to PyMySQL
        except (OSError, AttributeError) as error:  # it is None once closed
            raise self.lost(str(error)) from error
        if not count:
            raise self.lost("the server has hung up")
        return int(count)

    def lost(self, reason: str) -> ConnectionLostError:
        """Return the error for a connection that is of no more use."""
        return ConnectionLostError(f"the connection is lost: {reason}", site=self._server.site)

    def refusal(self, packet: bytes) -> ServerError:
        """Return the error for a packet by which the server ends its answer."""
        code = int.from_bytes(packet[1:3], "little")
        text = packet[9:] if packet[3:4] == b"#" else packet[3:]
        error = pymysql.OperationalError(code, text.decode(errors="replace"))
        return _as_ours(error, self._server)

    def close(self) -> None:
        """Close the connection at once; a server that is sending gives up."""
        self._connection._force_close()  # private to PyMySQL

    def _told(self, ask: Callable[[], _T]) -> _T:
        """Do something, and tell all that PyMySQL raises as an error of ours."""
        try:
            return ask()
        except BinlogError:
            raise
        except Exception as error:
            self.close()
            raise _as_ours(error, self._server) from error


def _as_ours(error: Exception, server: LiveServer) -> ServerError:
    code = error.args[0] if isinstance(error, pymysql.MySQLError) and error.args else None
    if not isinstance(code, int) or (isinstance(error, pymysql.InternalError) and code < 1000):
        return ServerError(
            f"expected a server of MySQL or MariaDB, its answer is none of theirs:"
            f" {type(error).__name__}: {error}",
            site=server.site,
        )
    reason = str(error.args[1]) if len(error.args) > 1 else str(error)
    cause = getattr(error, "original_exception", None)
    if code in _PASSING and not _is_final(cause):
        return ConnectionLostError(f"cannot be reached: {reason}", site=server.site)
    refused = RefusedError(f"{reason} (error {code})", site=server.site)
    refused.code = code
    return refused


def _is_final(cause: object) -> bool:
    """Tell whether a connection that failed so would fail again."""
    if isinstance(cause, socket.gaierror):
        return cause.errno != socket.EAI_AGAIN
    if isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        return False
    return isinstance(cause, ssl.SSLError)


def _tls_arguments(server: LiveServer) -> dict[str, Any]:
    """Return what PyMySQL is told of TLS."""
    if server.ssl_mode == "DISABLED":
        return {"ssl_disabled": True}
    if server.ssl_mode == "PREFERRED":
        return {}  # it does so by itself, with `_create_ssl_ctx`
    context = _trusting_context()
    if server.ssl_mode.startswith("VERIFY"):
        context.verify_mode = ssl.CERT_REQUIRED
        context.check_hostname = server.ssl_mode == "VERIFY_IDENTITY"
        with _naming("sslCa", server.ssl_ca):
            if server.ssl_ca is None:
                context.load_default_certs()
            else:
                context.load_verify_locations(server.ssl_ca)
    if server.ssl_cert is not None:
        with _naming("sslCert", server.ssl_cert):
            context.load_cert_chain(server.ssl_cert, server.ssl_key)
    return {"ssl": context}


def _trusting_context() -> ssl.SSLContext:
    """Return settings of TLS with which any certificate is taken.

    Not those of `ssl.create_default_context`: it reads the system's certificates, for 20 ms, and is
    stricter than the certificates are that MySQL makes at its first start.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@contextmanager
def _naming(option: str, path: str | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:  # those of ssl are
        raise OptionError(
            f"option {option}: {path} cannot be read: {error.strerror or error}",
            option=option,
            value=str(path),
            allowed="a file of certificates in PEM",
        ) from error
