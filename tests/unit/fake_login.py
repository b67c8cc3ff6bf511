"""A server that asks for a password by any plugin, and keeps all that it is sent."""

import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.support.fake_server import OK, packets, take_packet
from tests.support.tcp_proxy import accepting

SALT = b"0123456789abcdefghij"
NATIVE, SHA2, SHA256 = "mysql_native_password", "caching_sha2_password", "sha256_password"
CLEAR, DIALOG, OLD = "mysql_clear_password", "dialog", "mysql_old_password"
_PROMPT = b"\x05Password: "  # the last one, without echo
_CLIENT_SSL = 0x800
_OAEP = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)  # noqa: S303  # theirs


@cache
def private_key(_owner: str) -> rsa.RSAPrivateKey:
    """Return a key, always the same for an owner."""
    return rsa.generate_private_key(65537, 2048)


def public_pem(owner: str) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return private_key(owner).public_key().public_bytes(serialization.Encoding.PEM, form)


def write_certificate(folder: Path) -> Path:
    """Write a certificate of 127.0.0.1, signed by itself, and its key, in one file."""
    key, now = private_key("certificate"), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "fake")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    path = folder / "fake.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@dataclass
class FakeLogin:
    """What a server has been sent."""

    port: int = 0
    heard: list[bytes] = field(default_factory=list)

    def has_learned(self, password: str, owner: str) -> bool:
        """Return whether the password was sent, or can be decrypted by the owner of a key."""
        return any(password.encode() in text for text in [*self.heard, *self._decrypted(owner)])

    def _decrypted(self, owner: str) -> Iterator[bytes]:
        for packet in self.heard:
            with suppress(ValueError):
                text = private_key(owner).decrypt(packet, _OAEP)
                yield bytes(a ^ SALT[i % len(SALT)] for i, a in enumerate(text))


def _greeting(plugin: str, *, offers_tls: bool) -> bytes:
    capabilities = 0x388200 | (_CLIENT_SSL if offers_tls else 0)
    return (
        b"\x0a9.7.0-fake\x00"
        + struct.pack("<I", 1)
        + SALT[:8]
        + b"\x00"
        + struct.pack("<HBHHB", capabilities & 0xFFFF, 45, 2, capabilities >> 16, 21)
        + bytes(10)
        + SALT[8:]
        + b"\x00"
        + plugin.encode()
        + b"\x00"
    )


@contextmanager
def fake_login(plugin: str, *, is_switch: bool, certificate: Path | None) -> Iterator[FakeLogin]:
    """Run a server that takes any password.

    Args:
        plugin: by which it asks for the password; for the password itself if it can.
        is_switch: whether it greets with another one, and asks for this one after that.
        certificate: for TLS; without it, it offers none.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    running = FakeLogin(listener.getsockname()[1])

    def serve(client: socket.socket, stack: ExitStack) -> None:
        number = 0

        def send(payload: bytes) -> None:
            client.sendall(packets([payload], number))

        def hear() -> bytes:
            nonlocal number
            packet, last = take_packet(client)
            number = last + 1
            running.heard.append(packet)
            return packet

        send(_greeting(NATIVE if is_switch else plugin, offers_tls=certificate is not None))
        answer = hear()
        if certificate is not None and int.from_bytes(answer[:4], "little") & _CLIENT_SSL:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            client = stack.enter_context(context.wrap_socket(client, server_side=True))
            hear()
        if is_switch:
            data = _PROMPT if plugin == DIALOG else SALT + b"\0"
            send(b"\xfe" + plugin.encode() + b"\0" + data)
            answer = hear()
        if plugin == SHA2:
            send(b"\x01\x04")  # the hash is not enough
            if hear() == b"\x02":
                send(b"\x01" + public_pem("fake"))
                hear()
        if plugin == SHA256 and not isinstance(client, ssl.SSLSocket):
            send(b"\x01" + public_pem("fake"))  # whether or not it was asked for
            hear()
        while True:
            send(OK)
            hear()

    def accept(client: socket.socket) -> None:
        client.settimeout(5)
        with suppress(OSError), client, ExitStack() as stack:
            serve(client, stack)

    with accepting(listener, accept):
        yield running
