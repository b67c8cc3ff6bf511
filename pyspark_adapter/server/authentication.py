"""Which authentication plugins of a server are answered, and what the server gets of the password.

====================================  ==================  ==================  ====================
plugin                                no TLS              TLS, not verified   TLS, verified
====================================  ==================  ==================  ====================
mysql_native_password                 hash                hash                hash
caching_sha2_password, cached         hash                hash                hash
client_ed25519 (needs PyNaCl)         signature           signature           signature
caching_sha2_password in full,        encrypted [1]_,     password            password
sha256_password                       else refused
mysql_clear_password, dialog          refused             refused             password [2]_,
                                                                              else refused
mysql_old_password                    refused             refused             refused
parsec and others                     not supported       not supported       not supported
====================================  ==================  ==================  ====================

.. [1] With the key of `serverRsaPublicKeyFile`, or, with `allowPublicKeyRetrieval`, the key that
   the server sends: anyone who answers in the server's place can send one, and decrypt.
.. [2] With `enableCleartextPlugin`.

Hashes and signatures answer a challenge; only a weak password can be guessed from them. The hash of
mysql_old_password can be inverted. An auth switch request gets the same answers as the greeting.

The columns by `sslMode`:

- DISABLED is the first. PREFERRED is the second, or the first if the server offers no TLS; an
  attacker on the network can remove the offer. Neither protects the rows from such an attacker.
- REQUIRED is the second. An attacker can answer in the server's place, with any certificate, and
  ask for the password by caching_sha2_password or sha256_password.
- VERIFY_CA and VERIFY_IDENTITY are the third.

MySQL's clients do the same, except that they send clear text without a verified certificate.

Source: `sql-common/client_authentication.cc` and `sql-common/client.cc` of MySQL 9.7.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from pyspark_adapter.errors import OptionError, ServerError, UnsupportedError
from pyspark_adapter.server.address import naming_option

_CLEAR_TEXT: Final = ("mysql_clear_password", "dialog")
_INVERTIBLE: Final = "mysql_old_password"


class RefusedPlugin:
    """An authentication plugin that gets no answer.

    Args:
        _connection: of PyMySQL, which makes an instance when the server asks for the plugin.
    """

    def __init__(self, message: str, advice: str, _connection: object) -> None:
        self._message = message
        self._advice = advice

    def authenticate(self, _packet: object) -> None:
        """Refuse.

        Raises:
            ServerError: always, without a site.
        """
        raise ServerError(self._message, advice=self._advice)


def refused_plugins(*, allow_cleartext: bool) -> dict[str, Callable[[object], RefusedPlugin]]:
    """Return the plugins to refuse, by name, as PyMySQL's `auth_plugin_map` takes them.

    Args:
        allow_cleartext: whether the option allows clear text and TLS is verified.
    """
    messages = {
        _INVERTIBLE: (
            f"the server asks for {_INVERTIBLE}, whose hash reveals the password",
            "give this user mysql_native_password or a later plugin",
        )
    }
    if not allow_cleartext:
        messages |= {
            name: (
                f"the server asks for the password in clear text ({name})",
                "give this user another plugin, or use option enableCleartextPlugin with verified"
                " TLS",
            )
            for name in _CLEAR_TEXT
        }
    return {name: partial(RefusedPlugin, *texts) for name, texts in messages.items()}


def no_key_error() -> ServerError:
    """Return the error for a password that cannot be encrypted with a known key, without a site."""
    return ServerError(
        "the server asks for the password, and there is no TLS",
        advice="use option sslMode=VERIFY_IDENTITY (or REQUIRED), or give the server's key in"
        " option serverRsaPublicKeyFile; option allowPublicKeyRetrieval accepts any key that the"
        " server sends",
    )


def read_public_key(path: str) -> bytes:
    """Return a file with an RSA public key in PEM.

    Raises:
        OptionError: if it cannot be read, or holds no such key.
        UnsupportedError: if the package cryptography is not installed.
    """
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
    except ImportError as error:
        raise UnsupportedError(
            "option serverRsaPublicKeyFile needs the package cryptography, which is not installed",
            advice="pip install 'mysql-binlog-spark[live]'",
        ) from error
    allowed = "a file with an RSA public key in PEM"
    with naming_option("serverRsaPublicKeyFile", path, allowed), Path(path).open("rb") as file:
        data = file.read(1 << 16)
    try:
        is_rsa = isinstance(load_pem_public_key(data), RSAPublicKey)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        is_rsa = False
    if not is_rsa:
        raise OptionError(
            f"option serverRsaPublicKeyFile: expected {allowed}, got {path}",
            option="serverRsaPublicKeyFile",
            value=path,
            allowed=allowed,
        )
    return data
