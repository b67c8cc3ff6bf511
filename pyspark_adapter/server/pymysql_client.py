"""PyMySQL, with bounds on what a server may do. No other module uses PyMySQL.

PyMySQL connects, logs in, encrypts and sends SQL. It has no public names for the socket's bytes and
for commands that are not SQL; comments mark where its private names are used.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, NoReturn

import pymysql
from pymysql.connections import Connection

from pyspark_adapter.errors import BinlogError, ServerError, UnsupportedError, one_line
from pyspark_adapter.server.address import ServerAddress, context_of
from pyspark_adapter.server.authentication import no_key_error, read_public_key, refused_plugins
from pyspark_adapter.server.result_rows import ResultReader, ResultWindow
from pyspark_adapter.server.server_errors import SERVER_LOST, lost, server_error

# Enough for a server with 100,000 logs.
_MAX_ANSWER: Final = 16 << 20
_LEN_PIECE: Final = 1 << 16

Decoder = Callable[[bytes | None], Any]


class GuardedConnection(Connection):  # type: ignore[misc]
    """A connection with bounds on memory and time of answers, and on who gets the password.

    Args:
        server: the server; `connect` connects to it.

    Raises:
        OptionError: if a certificate or key cannot be read.
        UnsupportedError: if PyMySQL is too old.
    """

    _rfile: Any  # private to PyMySQL, as is `_sock`
    _sock: Any
    _public_key: bytes | None = None
    _may_take_key = False

    def __init__(self, server: ServerAddress) -> None:
        if pymysql.VERSION[:2] < (1, 2):  # it continued without TLS where a server had none
            raise UnsupportedError(
                f"expected PyMySQL 1.2 or later, found {pymysql.VERSION_STRING}",
                advice="pip install 'mysql-binlog-spark[live]'",
            )
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
        self._begin_answer()

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

    def _begin_answer(self) -> None:
        """Allow another answer of full size and time."""
        self._answer_left = _MAX_ANSWER
        self._deadline = time.monotonic() + self._seconds

    def _execute_command(self, command: int, sql: bytes | str) -> None:  # private to PyMySQL
        self._begin_answer()
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
                raise server_error(SERVER_LOST, str(error)) from error
            if not data:
                raise server_error(SERVER_LOST, "the server has hung up")
            if time.monotonic() > self._deadline:
                raise server_error(SERVER_LOST, "no whole answer in time")
            parts.append(data)
            num_bytes -= len(data)
        return b"".join(parts)

    def read_some(self, buffer: memoryview) -> int:
        """Read the bytes that have come, at least one; raises ConnectionLostError."""
        try:
            count = self._rfile.readinto1(buffer)  # private to PyMySQL
        except (OSError, AttributeError) as error:  # it is None once closed
            raise lost(str(error)) from error
        if not count:
            raise lost("the server has hung up")
        return int(count)

    def run_command(self, command: int, payload: bytes) -> None:
        """Run a command that is not SQL and that is answered by OK."""
        self._execute_command(command, payload)
        self._read_ok_packet()  # private to PyMySQL

    def send_command(self, command: int, payload: bytes) -> None:
        """Send a command whose answer is read by `read_some`."""
        self._execute_command(command, payload)

    def close_now(self) -> None:
        """Close the socket without sending COM_QUIT."""
        self._force_close()

    def _force_close(self) -> None:  # private to PyMySQL, whose own one swallows a Ctrl-C
        opened = self._rfile, self._sock
        self._rfile = self._sock = None
        for file in opened:
            if file is not None:
                with suppress(OSError):
                    file.close()


class TypedConnection(GuardedConnection):
    """A connection for rows of tables: values in Python's types, answers of any size.

    Args:
        server: the server; it is connected to.

    Raises:
        ServerError, OptionError, UnsupportedError: as `ServerConnection`.
    """

    def __init__(self, server: ServerAddress) -> None:
        super().__init__(server)
        kinds = pymysql.converters.conversions
        self.encoders = {kind: call for kind, call in kinds.items() if not isinstance(kind, int)}
        self.decoders = {kind: call for kind, call in kinds.items() if isinstance(kind, int)}
        with _our_errors():
            self.connect()
        self.is_mariadb = "mariadb" in str(self.get_server_info()).lower()

    def answers(self) -> bool:
        """Return whether the server still answers; the connection is closed if not."""
        try:
            self.ping(reconnect=False)
        except (pymysql.MySQLError, BinlogError, OSError):
            self.close_now()
            return False
        return True

    def _read_bytes(self, num_bytes: int) -> bytes:
        self._begin_answer()  # each packet has the full size and time
        return super()._read_bytes(num_bytes)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; raises RefusedError, ServerError."""
        with _our_errors(), self.cursor(pymysql.cursors.SSCursor) as cursor:
            cursor.execute(sql, values or None)
            return list(cursor.fetchall())

    def windows(self, sql: str, *values: Any) -> Iterator[tuple[ResultWindow, Sequence[Decoder]]]:
        """Yield the rows of a SELECT as they come, and what makes values of their columns.

        Raises:
            RefusedError, ServerError: as `rows`.
        """
        with _our_errors():
            self.query(self.cursor().mogrify(sql, values or None), unbuffered=True)
            result = self._result  # private to PyMySQL, as all of it
            result.unbuffered_active, result.connection = False, None  # its packets are read here
            decoders = [_decoder(*converter) for converter in result.converters]
            yield from (
                (window, decoders)
                for window in ResultReader(
                    self.read_some, result.field_count, self._next_seq_id, _raise_error
                )
            )


def _decoder(encoding: str | None, convert: Callable[[Any], Any] | None) -> Decoder:
    """Return what makes a value of the bytes of one, as PyMySQL does."""

    def decode(data: bytes | None) -> Any:
        if data is None:
            return None
        value = data if encoding is None else data.decode(encoding)
        return value if convert is None else convert(value)

    return decode


def _raise_error(packet: bytes) -> NoReturn:
    pymysql.err.raise_mysql_exception(packet)
    raise AssertionError


@contextmanager
def _our_errors() -> Iterator[None]:
    """Raise what PyMySQL raises as one of our errors."""
    try:
        yield
    except pymysql.MySQLError as error:
        raise as_ours(error) from error


def as_ours(error: Exception) -> BinlogError:
    """Return the error for whatever PyMySQL raises, without a site."""
    code = error.args[0] if isinstance(error, pymysql.MySQLError) and error.args else None
    if isinstance(error, RuntimeError) and "package is required" in str(error):
        return UnsupportedError(
            f"the server asks for an authentication plugin: {error}",
            advice="pip install 'mysql-binlog-spark[live]'",
        )
    if not isinstance(code, int) or (isinstance(error, pymysql.InternalError) and code < 1000):
        return ServerError(
            "expected a MySQL or MariaDB server, got an answer that neither gives:"
            f" {type(error).__name__}: {one_line(str(error))}"
        )
    text = str(error.args[1] if len(error.args) > 1 else error)
    return server_error(code, text, getattr(error, "original_exception", None))
