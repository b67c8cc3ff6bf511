"""How a running server is reached, and how TLS is used as its `sslMode` asks."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Self

from pyspark_adapter.errors import EventSite, OptionError

if TYPE_CHECKING:
    from pyspark_adapter.options.binlog_options import BinlogOptions

_CERTIFICATES = "a file of certificates in PEM"


def context_of(server: ServerAddress) -> ssl.SSLContext:
    """Return the settings for a server whose `ssl_mode` is not DISABLED; raises OptionError."""
    # `ssl.create_default_context` reads the system's certificates, which takes 20 ms, and refuses
    # those that MySQL makes at its first start.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = server.ssl_mode == "VERIFY_IDENTITY"
    if not server.ssl_mode.startswith("VERIFY"):
        context.verify_mode = ssl.CERT_NONE
    elif server.ssl_ca is None:
        context.load_default_certs()
    else:
        with naming_option("sslCa", server.ssl_ca, _CERTIFICATES):
            context.load_verify_locations(server.ssl_ca)
    if server.ssl_cert is not None:
        # OpenSSL does not say which of the two files its error is about.
        files = " or ".join(filter(None, [server.ssl_cert, server.ssl_key]))
        with naming_option(
            "sslCert", files, _CERTIFICATES + ", and its key in it or in option sslKey"
        ):
            context.load_cert_chain(server.ssl_cert, server.ssl_key)
    return context


@contextmanager
def naming_option(option: str, path: str, allowed: str) -> Iterator[None]:
    """Raise what fails in the body as an error of the option that names the file.

    Raises:
        OptionError: instead of an OSError; those of `ssl` are OSErrors.
    """
    try:
        yield
    except OSError as error:
        raise OptionError(
            f"option {option}: expected {allowed}, {path} cannot be read:"
            f" {error.strerror or error}",
            option=option,
            value=path,
            allowed=allowed,
        ) from error


@dataclass(frozen=True)
class ServerAddress:
    """A server and how it is reached: the options of the same names, as they are described there.

    It is sent to other processes with the password. The password is never printed.

    Attributes:
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
