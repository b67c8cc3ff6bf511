"""Key files of servers: the keys that decrypt their logs.

============================  ==========================================================
server                        file
============================  ==========================================================
MySQL 8.0.24 and later        JSON, of the component `component_keyring_file`
MySQL up to 8.3               of the plugin `keyring_file`
MariaDB, Percona Server 5.7   of the plugin `file_key_management`: a line `id;key` for
                              each key, in hexadecimal; perhaps encrypted with a password
============================  ==========================================================

Source: `Key::store_in_buffer` and `Key::xor_data` of `plugin/keyring/common/keyring_key.cc`, MySQL
8.0; `plugin/file_key_management/parser.cc`, MariaDB 11.8; files that the servers wrote.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark_adapter.errors import OptionError, UnsupportedError, as_log_file_error
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.open_storage import read_start

# MariaDB reads no more of a key file.
_MAX_BYTES: Final = 1 << 20

_PLUGIN_START: Final = re.compile(rb"Keyring file version:\d\.\d")
_PLUGIN_END: Final = b"EOF"
_LENGTHS: Final = struct.Struct("<5Q")  # of the entry, its id, type, user and key
_MASK: Final = b"*305=Ljt0*!@$Hnm(*-9-w;:"

_LINE: Final = re.compile(r"\s*(\d{1,10});([0-9A-Fa-f]+)(?![0-9A-Fa-f])")
_LEN_KEYS: Final = (16, 24, 32)

# What `openssl enc` writes before a salt of 8 bytes.
_SALTED: Final = b"Salted__"
_LEN_SALT: Final = 8
# MariaDB knows SHA-1 only, and from 11.4 on the others.
_DIGESTS: Final = ("sha1", "sha224", "sha256", "sha384", "sha512")
# Before the path of a file that holds a password, as in file_key_management_filekey.
_FILE_PREFIX: Final = "FILE:"


@dataclass(frozen=True)
class Keyring:
    """The keys of a key file.

    Attributes:
        shown: path of the file, for messages.
        by_name: keys of MySQL by the name that a log gives; not shown.
        by_id: keys of MariaDB by number; not shown.
    """

    shown: str
    by_name: dict[str, bytes] = field(default_factory=dict, repr=False)
    by_id: dict[int, bytes] = field(default_factory=dict, repr=False)

    def missing_key(self, wanted: str) -> OptionError:
        """Return the error for a key that the file does not have, without a site."""
        num_keys = len(self.by_name) + len(self.by_id)
        return _refuse(
            f"the key {wanted}, with which the log is encrypted; {self.shown} has {num_keys} other"
            f" key{'s' * (num_keys != 1)}"
        )

    def wrong_key(self, wanted: str) -> OptionError:
        """Return the error for a key that does not decrypt a log, without a site."""
        return _refuse(
            f"the key that encrypted the log; with the key {wanted} of {self.shown}, the log is not"
            " readable: the keyring is that of another server, or the key was replaced"
        )


def read_keyring(path: str, password: str | None) -> Keyring:
    """Return the keys of a key file.

    Args:
        path: of the file, or its URI.
        password: of an encrypted file of MariaDB: itself, or `FILE:` and the path of a file that
            holds it.

    Raises:
        OptionError: if the file has another form, or the password does not decrypt it.
        LogFileError: if it cannot be read.
        UnsupportedError: if it is encrypted and the package `cryptography` is not installed.
    """
    location = Location.parse(path)
    shown = location.shown
    with as_log_file_error(location.site):
        data = read_start(location, _MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise _refuse(f"a file of at most {_MAX_BYTES} bytes, {shown} is larger")
    if data.startswith(_SALTED):
        data = _decrypt(data, _secret(password, shown), shown)
    elif password is not None:
        raise OptionError(
            f"option keyringPassword: {shown} is not encrypted with a password; leave it out",
            option="keyringPassword",
        )
    if _PLUGIN_START.match(data):
        return Keyring(shown, by_name=_of_plugin(data, shown))
    if data.lstrip().startswith(b"{"):
        return Keyring(shown, by_name=_of_component(data, shown))
    return Keyring(shown, by_id=_of_lines(data, shown))


def import_cryptography() -> None:
    """Check that the library of the ciphers is installed; raises UnsupportedError if it is not."""
    try:
        import cryptography.hazmat.primitives.ciphers  # noqa: F401
    except ImportError as error:
        raise UnsupportedError(
            "encrypted logs need the package cryptography",
            advice="pip install 'mysql-binlog-spark[encrypted]'",
        ) from error


def _refuse(expected: str) -> OptionError:
    return OptionError(f"option keyring: expected {expected}", option="keyring")


def _of_component(data: bytes, shown: str) -> dict[str, bytes]:
    """Return the keys of a file of MySQL's component."""
    try:
        elements = json.loads(data)["elements"]
        return {
            str(element["data_id"]): bytes.fromhex(element["data"])
            for element in elements
            if element["data_type"] == "AES"
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        # Neither the text nor the cause is shown: they may contain a key.
        raise _refuse(f"JSON with `elements` of keys, as MySQL writes it, in {shown}") from None


def _of_plugin(data: bytes, shown: str) -> dict[str, bytes]:
    """Return the keys of a file of MySQL's old plugin."""
    keys: dict[str, bytes] = {}
    start = len("Keyring file version:1.0")
    while not data.startswith(_PLUGIN_END, start):
        if len(data) - start < _LENGTHS.size:
            raise _refuse(f"entries up to the word EOF in {shown}, which ends at byte {len(data)}")
        total, len_id, len_type, len_user, len_key = _LENGTHS.unpack_from(data, start)
        fields = start + _LENGTHS.size
        end = fields + len_id + len_type + len_user + len_key
        if not end <= start + total <= len(data):
            raise _refuse(f"entries that end inside {shown}; the one at byte {start} does not")
        name = data[fields : fields + len_id].decode("utf-8", "replace")
        masked = data[end - len_key : end]
        keys[name] = bytes(byte ^ _MASK[i % len(_MASK)] for i, byte in enumerate(masked))
        start += total
    return keys


def _of_lines(data: bytes, shown: str) -> dict[int, bytes]:
    """Return the keys of a file of MariaDB. What follows a key on its line is a comment."""
    keys: dict[int, bytes] = {}
    for number, line in enumerate(data.decode("latin-1").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None or len(match[2]) not in [2 * length for length in _LEN_KEYS]:
            raise _refuse(
                "a key file of a MySQL or MariaDB server; lines as `1;` and 32, 48 or 64"
                f" hexadecimal digits, line {number} of {shown} is another"
            )
        keys[int(match[1])] = bytes.fromhex(match[2])
    return keys


def _secret(password: str | None, shown: str) -> bytes:
    if password is None:
        raise OptionError(
            f"option keyringPassword: expected the password of {shown}, which is encrypted",
            option="keyringPassword",
        )
    if not password.startswith(_FILE_PREFIX):
        return password.encode()
    location = Location.parse(password.removeprefix(_FILE_PREFIX))
    with as_log_file_error(location.site):
        return read_start(location, _MAX_BYTES).rstrip(b"\r\n")


def _decrypt(data: bytes, secret: bytes, shown: str) -> bytes:
    """Return a key file that `openssl enc -aes-256-cbc` encrypted.

    The digest is not in the file: the one that gives keys is right.
    """
    import_cryptography()
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.padding import PKCS7

    content = data[len(_SALTED) + _LEN_SALT :]
    salt = data[len(_SALTED) : len(_SALTED) + _LEN_SALT]
    for digest in _DIGESTS:
        derived = piece = b""
        while len(derived) < 32 + 16:
            piece = hashlib.new(digest, piece + secret + salt).digest()
            derived += piece
        cipher = Cipher(algorithms.AES(derived[:32]), modes.CBC(derived[32:48])).decryptor()
        unpadder: Any = PKCS7(128).unpadder()
        try:
            plain = unpadder.update(cipher.update(content) + cipher.finalize())
            plain += unpadder.finalize()
            if _of_lines(plain, shown):
                return bytes(plain)
        except ValueError:  # as an OptionError is
            continue
    raise OptionError(
        f"option keyringPassword: expected the password of {shown}; this one does not decrypt it",
        option="keyringPassword",
    )
