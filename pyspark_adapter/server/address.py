"""How a running server is reached."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Self

from pyspark_adapter.errors import EventSite

if TYPE_CHECKING:
    from pyspark_adapter.options.binlog_options import BinlogOptions


@dataclass(frozen=True)
class ServerAddress:
    """Host, user and settings of the connection; the options of the same names.

    It is sent to other processes with the password. The password is never printed.

    Attributes:
        host: name or address.
        port: TCP port.
        user: needs the privileges REPLICATION SLAVE and REPLICATION CLIENT.
        password: of the user.
        ssl_mode: when TLS is used and how the server is verified, in the words of MySQL's clients.
        ssl_ca: path of a file of trusted certificates; None for those of the system.
        ssl_cert, ssl_key: paths of the client's certificate and its key.
        server_rsa_public_key_file: path of the key that encrypts the password without TLS.
        allow_public_key_retrieval: whether the key may be the one that the server sends.
        enable_cleartext_plugin: whether the password may be sent in clear text over verified TLS.
        connect_timeout: seconds in which a connection has to be made.
        reconnect_seconds: seconds to keep retrying after the server's last byte.
        fallbacks: hosts and ports of further servers with the same transactions.
    """

    host: str
    port: int = 3306
    user: str = ""
    password: str = field(default="", repr=False)
    ssl_mode: str = "PREFERRED"
    ssl_ca: str | None = None
    ssl_cert: str | None = None
    ssl_key: str | None = None
    server_rsa_public_key_file: str | None = None
    allow_public_key_retrieval: bool = False
    enable_cleartext_plugin: bool = False
    connect_timeout: int = 10
    reconnect_seconds: int = 60
    fallbacks: tuple[tuple[str, int], ...] = ()

    @classmethod
    def from_options(cls, options: BinlogOptions) -> Self:
        """Return the server that the option `host` names."""
        names = [spec.name for spec in fields(cls) if spec.name != "fallbacks"]
        values = {name: getattr(options, name) for name in names}
        (host, port), *fallbacks = options.hosts
        values |= {"host": host, "port": port, "password": options.password or ""}
        return cls(**values, fallbacks=tuple(fallbacks))

    @property
    def shown(self) -> str:
        """The server as text for messages, without the password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"mysql://{self.user}@{host}:{self.port}"

    @property
    def site(self) -> EventSite:
        """The server as the site of an error."""
        return EventSite(self.shown)

    @property
    def patience(self) -> int:
        """Seconds to keep retrying before another of several servers is tried."""
        return min(self.reconnect_seconds, 1) if self.fallbacks else self.reconnect_seconds

    @property
    def read_timeout(self) -> int:
        """Seconds without a byte after which the connection counts as lost."""
        return max(self.connect_timeout, self.reconnect_seconds // 2)
