"""What a server learns of the password, by `sslMode`, plugin and option."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogError, OptionError, ServerError, UnsupportedError
from pyspark_adapter.server.address import ServerAddress
from pyspark_adapter.server.connection import ServerConnection
from pyspark_adapter.server.server_errors import RefusedError
from tests.unit.fake_login import (
    CLEAR,
    DIALOG,
    NATIVE,
    OLD,
    SHA2,
    SHA256,
    fake_login,
    public_pem,
    write_certificate,
)

# It waits for servers and TLS.
pytestmark = pytest.mark.slow

PASSWORD = "geheim-\u00e9-und-lang"  # noqa: S105

# The columns of the table in `live/authentication.py`: no TLS, TLS not verified, TLS verified.
PLAIN, UNVERIFIED, VERIFIED = range(3)
MODES = {
    "DISABLED": PLAIN,
    "PREFERRED, TLS removed": PLAIN,
    "PREFERRED": UNVERIFIED,
    "REQUIRED": UNVERIFIED,
    "VERIFY_CA": VERIFIED,
    "VERIFY_IDENTITY": VERIFIED,
}
REFUSED, HASH, PASSWORD_SENT = "refused", "hash", "password"

# Plugin, and what the server gets in each column.
PLUGINS: dict[str, tuple[str, str, str]] = {
    NATIVE: (HASH, HASH, HASH),
    SHA2: (REFUSED, PASSWORD_SENT, PASSWORD_SENT),
    SHA256: (REFUSED, PASSWORD_SENT, PASSWORD_SENT),
    CLEAR: (REFUSED, REFUSED, REFUSED),
    DIALOG: (REFUSED, REFUSED, REFUSED),
    OLD: (REFUSED, REFUSED, REFUSED),
    "parsec": (REFUSED, REFUSED, REFUSED),
    "authentication_ldap_sasl_client": (REFUSED, REFUSED, REFUSED),
    "no_such_plugin": (REFUSED, REFUSED, REFUSED),
}
# Option, and the plugins that it changes.
OPTIONS: dict[str, dict[str, tuple[str, str, str]]] = {
    "": {},
    "allow_public_key_retrieval": dict.fromkeys((SHA2, SHA256), (PASSWORD_SENT,) * 3),
    "server_rsa_public_key_file": dict.fromkeys(
        (SHA2, SHA256), (HASH, PASSWORD_SENT, PASSWORD_SENT)
    ),
    "enable_cleartext_plugin": dict.fromkeys((CLEAR, DIALOG), (REFUSED, REFUSED, PASSWORD_SENT)),
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_certificate(tmp_path_factory.mktemp("tls"))


def address(port: int, mode: str, certificate: Path, **settings: Any) -> ServerAddress:
    return ServerAddress(
        "127.0.0.1",
        port,
        "u",
        PASSWORD,
        ssl_mode=mode.partition(",")[0],
        ssl_ca=str(certificate) if mode.startswith("VERIFY") else None,
        connect_timeout=5,
        **settings,
    )


def error_of(server: ServerAddress) -> BinlogError | None:
    """Connect, and return the error if there is one."""
    try:
        ServerConnection(server).close()
    except BinlogError as error:
        return error
    return None


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("plugin", PLUGINS)
@pytest.mark.parametrize("mode", MODES)
def test_the_password_is_sent_where_the_table_says_so_only(
    mode: str, plugin: str, option: str, certificate: Path, tmp_path: Path
) -> None:
    key_file = tmp_path / "server.pem"
    key_file.write_bytes(public_pem("user"))
    value: Any = str(key_file) if option == "server_rsa_public_key_file" else True
    expected = OPTIONS[option].get(plugin, PLUGINS[plugin])[MODES[mode]]
    has_tls = MODES[mode] != PLAIN
    for is_switch in [True, False] if plugin in (NATIVE, SHA2, SHA256) else [True]:
        with fake_login(
            plugin, is_switch=is_switch, certificate=certificate if has_tls else None
        ) as fake:
            server = address(fake.port, mode, certificate, **({option: value} if option else {}))
            raised = error_of(server)
        if expected == REFUSED:
            assert type(raised) in (ServerError, RefusedError)
            assert PASSWORD not in f"{raised!r} {raised}"
        else:
            assert raised is None
        assert fake.has_learned(PASSWORD, "fake") is (expected == PASSWORD_SENT)
        assert fake.heard
        if option == "server_rsa_public_key_file" and plugin in (SHA2, SHA256):
            assert fake.has_learned(PASSWORD, "user")  # who has the key can log in the user


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        (SHA2, "server_rsa_public_key_file"),
        (SHA256, "server_rsa_public_key_file"),
        (CLEAR, r"clear text \(mysql_clear_password\).* enable_cleartext_plugin"),
        (DIALOG, r"clear text \(dialog\).* enable_cleartext_plugin"),
        (OLD, "give this user mysql_native_password or a later plugin"),
        ("parsec", "parsec"),
    ],
)
def test_the_error_says_what_to_do(plugin: str, words: str, certificate: Path) -> None:
    with fake_login(plugin, is_switch=True, certificate=None) as fake:
        server = address(fake.port, "PREFERRED", certificate)
        with pytest.raises(ServerError, match=words):
            ServerConnection(server)


def test_a_package_that_a_plugin_needs_is_named(certificate: Path) -> None:
    with fake_login("client_ed25519", is_switch=True, certificate=None) as fake:
        server = address(fake.port, "PREFERRED", certificate)
        with pytest.raises(UnsupportedError, match="pynacl"):
            ServerConnection(server)
    assert not fake.has_learned(PASSWORD, "fake")


def test_a_server_without_the_tls_that_is_required_learns_nothing(certificate: Path) -> None:
    for mode in ("REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"):
        with (
            fake_login(NATIVE, is_switch=False, certificate=None) as fake,
            pytest.raises(ServerError, match="SSL is required"),
        ):
            ServerConnection(address(fake.port, mode, certificate))
        assert fake.heard == []


def test_a_server_with_a_certificate_that_is_not_trusted_learns_nothing(certificate: Path) -> None:
    for mode in ("VERIFY_CA", "VERIFY_IDENTITY"):
        with fake_login(SHA256, is_switch=False, certificate=certificate) as fake:
            server = replace(address(fake.port, mode, certificate), ssl_ca=None)
            with pytest.raises(ServerError, match="certificate verify failed"):
                ServerConnection(server)
        assert [len(packet) for packet in fake.heard] == [32]  # that it wants TLS


@pytest.mark.parametrize("plugin", [SHA2, SHA256, CLEAR, DIALOG, OLD])
def test_without_a_password_there_is_nothing_to_encrypt(plugin: str, certificate: Path) -> None:
    with fake_login(plugin, is_switch=True, certificate=None) as fake:
        server = replace(address(fake.port, "DISABLED", certificate), password="")
        assert (error_of(server) is None) is (plugin in (SHA2, SHA256))


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PUBLIC KEY-----\nAAAA\n"])
def test_a_file_without_a_key_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    server = ServerAddress("127.0.0.1", 1, server_rsa_public_key_file=str(path))
    with pytest.raises(OptionError, match=r"server_rsa_public_key_file: .*key\.pem cannot be read"):
        ServerConnection(server)
    path.write_bytes(content)
    with pytest.raises(OptionError, match="expected a file with an RSA public key in PEM"):
        ServerConnection(server)


# A curve that the package cryptography does not know.
SMALL_CURVE = b"""-----BEGIN PUBLIC KEY-----
MDIwEAYHKoZIzj0CAQYFK4EEAAYDHgAEahlcxQARehh4r3W/WHqRjVriCcmmVdjN
iRR5rw==
-----END PUBLIC KEY-----
"""


def test_a_key_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(SMALL_CURVE)
    server = ServerAddress("127.0.0.1", 1, server_rsa_public_key_file=str(path))
    with pytest.raises(OptionError, match="expected a file with an RSA public key in PEM"):
        ServerConnection(server)


def test_both_files_of_a_certificate_are_named(certificate: Path, tmp_path: Path) -> None:
    for content in (None, b"no key"):
        key = tmp_path / "own.key"
        if content is not None:
            key.write_bytes(content)
        server = ServerAddress("127.0.0.1", 1, ssl_cert=str(certificate), ssl_key=str(key))
        with pytest.raises(OptionError, match=f"{certificate} or {key} cannot be read") as caught:
            ServerConnection(server)
        assert "option ssl_key" in str(caught.value)
