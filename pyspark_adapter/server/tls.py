"""Settings of TLS for a connection to a server, as its `sslMode` asks for them."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark_adapter.errors import OptionError
from pyspark_adapter.server.address import ServerAddress

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
