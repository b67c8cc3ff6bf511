"""Logs that MySQL 8.0.14 and later encrypted as a whole (binlog_encryption=ON).

A header of 512 bytes has the file's password, encrypted with a key of the server's keyring. The
password gives the key of AES-256 in counter mode for all that follows, so that a read can begin
anywhere. Positions in the log do not count the header.

Source: `sql/rpl_log_encryption.h` and `sql/stream_cipher.cc`, MySQL 9.7.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark_adapter.errors import (
    CorruptEventError,
    TruncatedEventError,
    UnsupportedError,
    one_line,
)
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.sources.keyring import Keyring, import_cryptography
from pyspark_adapter.sources.locations import StoredBytes, read_up_to

ENCRYPTED_MAGIC: Final = b"\xfdbin"

# Bytes before those of the log.
LEN_ENCRYPTION_HEADER: Final = 512

_OFS_VERSION: Final = 4
_OFS_FIELDS: Final = 5
_VERSION: Final = 1
_LEN_BLOCK: Final = 16

# Types of the header's fields, and the lengths of those that have no length of their own.
_KEY_NAME, _PASSWORD, _IV = 1, 2, 3
_LENGTHS: Final = {_PASSWORD: 32, _IV: 16}


@dataclass(frozen=True)
class LogCipher:
    """Decrypts a log of MySQL.

    Attributes:
        key: of AES-256.
        nonce: the first 8 bytes of each counter block; the number of the block is the rest.
    """

    key: bytes = field(repr=False)
    nonce: bytes = field(repr=False)
    len_header = LEN_ENCRYPTION_HEADER

    def open(self, file: StoredBytes, /) -> StoredBytes:
        """Return the decrypted bytes of a file that is at its start."""
        return _DecryptedLog(file, self)

    def decryptor(self, position: int) -> Any:
        """Return what decrypts from an offset of the log on."""
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        block, rest = divmod(position, _LEN_BLOCK)
        counter = modes.CTR(self.nonce + block.to_bytes(8, "big"))
        decryptor = Cipher(algorithms.AES(self.key), counter).decryptor()
        decryptor.update(bytes(rest))
        return decryptor


def find_log_cipher(start: bytes, keyring: Keyring) -> LogCipher:
    """Return the cipher of a log that begins with `ENCRYPTED_MAGIC`; see `find_cipher`."""
    fields = _header_fields(start)
    name = fields[_KEY_NAME].decode("utf-8", "replace")
    shown = one_line(name)
    if name not in keyring.by_name:
        raise keyring.missing_key(shown)
    import_cryptography()
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    key = keyring.by_name[name]
    if len(key) != 32:
        raise keyring.wrong_key(shown)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(fields[_IV])).decryptor()
    password = decryptor.update(fields[_PASSWORD]) + decryptor.finalize()
    derived = hashlib.sha512(password).digest()
    cipher = LogCipher(derived[:32], derived[32:40])
    magic = start[LEN_ENCRYPTION_HEADER : LEN_ENCRYPTION_HEADER + len(MAGIC)]
    if not MAGIC.startswith(cipher.decryptor(0).update(magic)):
        raise keyring.wrong_key(shown)
    return cipher


def _header_fields(start: bytes) -> dict[int, bytes]:
    """Return the fields of the header by type; all three of them."""
    header = start[:LEN_ENCRYPTION_HEADER]
    if len(header) < LEN_ENCRYPTION_HEADER:
        raise TruncatedEventError(
            f"expected an encryption header of {LEN_ENCRYPTION_HEADER} bytes, found {len(header)}",
            needed=LEN_ENCRYPTION_HEADER,
            available=len(header),
        )
    if header[_OFS_VERSION] != _VERSION:
        raise UnsupportedError(
            f"encryption header of version {header[_OFS_VERSION]}; version {_VERSION} is supported"
        )
    fields: dict[int, bytes] = {}
    position = _OFS_FIELDS
    while position < LEN_ENCRYPTION_HEADER - 1 and header[position]:
        field_type = header[position]
        position += 1
        if field_type == _KEY_NAME:
            length = header[position]
            position += 1
        elif (length := _LENGTHS.get(field_type, 0)) == 0:
            break
        fields[field_type] = header[position : position + length]
        position += length
    if position > LEN_ENCRYPTION_HEADER or not fields.keys() >= {_KEY_NAME, _PASSWORD, _IV}:
        raise CorruptEventError(
            "expected a key's name, a password and an IV in the encryption header, found fields"
            f" {sorted(fields)}"
        )
    return fields


class _DecryptedLog:
    """The decrypted bytes of a log, read like a file."""

    def __init__(self, file: StoredBytes, cipher: LogCipher) -> None:
        self._cipher = cipher
        self._position = 0
        self._decryptor = cipher.decryptor(0)
        read_up_to(file, LEN_ENCRYPTION_HEADER)
        self.file = file

    def readinto(self, buffer: memoryview, /) -> int:
        """Read into a buffer; returns the bytes read, 0 at the end."""
        count = self.file.readinto(buffer) or 0
        buffer[:count] = self._decryptor.update(buffer[:count])
        self._position += count
        return count

    def seek(self, position: int, /) -> int:
        """Go to an offset of the log."""
        self.file.seek(LEN_ENCRYPTION_HEADER + position)
        self._decryptor = self._cipher.decryptor(position)
        self._position = position
        return position

    def tell(self) -> int:
        """Return the position in the log."""
        return self._position

    def close(self) -> None:
        """Close the file."""
        self.file.close()
