"""Encrypts logs and writes key files as servers do.

Written from the servers' sources, and not from the code that it tests. `tests/live` shows that real
servers do the same.
"""

import hashlib
import json
import struct
import zlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

KEY_NAME = "MySQLReplicationKey_54c2_1"
MASTER_KEY = bytes(range(7, 39))
EVENT_KEY = bytes(range(60, 76))
MYSQL_HEADER = 512
_PASSWORD, _IV = bytes(range(100, 132)), bytes(range(16))
_NONCE = b"twelve bytes"
_MASK = b"*305=Ljt0*!@$Hnm(*-9-w;:"


def encrypt_as_mysql(log: bytes, key: bytes = MASTER_KEY) -> bytes:
    """Return a log as MySQL encrypts it: as a whole."""
    cbc = Cipher(algorithms.AES(key), modes.CBC(_IV)).encryptor()
    name = KEY_NAME.encode()
    fields = b"\x01" + bytes([len(name)]) + name + b"\x02" + cbc.update(_PASSWORD) + b"\x03" + _IV
    header = (b"\xfdbin\x01" + fields).ljust(MYSQL_HEADER, b"\0")
    derived = hashlib.sha512(_PASSWORD).digest()
    ctr = Cipher(algorithms.AES(derived[:32]), modes.CTR(derived[32:40] + bytes(8))).encryptor()
    return header + ctr.update(log)


def encrypt_as_mariadb(log: bytes, mode: str, key: bytes = EVENT_KEY) -> bytes:
    """Return a log as MariaDB encrypts it: after the first event, one by one.

    START_ENCRYPTION moves the events, so that the offsets in their headers change.

    Args:
        log: not encrypted.
        mode: `cbc` or `ctr`; `none` for what the server sends to a replica.
        key: of AES.
    """
    first = 4 + struct.unpack_from("<I", log, 4 + 9)[0]
    has_crc = log[first - 5] == 1
    end = first + 19 + 17 + 4 * has_crc
    start = struct.pack("<IBIIIH", 0, 164, 1, end - first, end, 0x80 if mode == "none" else 0)
    start += struct.pack("<BI12s", 1, 1, _NONCE)
    out = bytearray(log[:first] + start)
    if has_crc:
        out += zlib.crc32(start).to_bytes(4, "little")
    position = first
    while position < len(log):
        length = int.from_bytes(log[position + 9 : position + 13], "little")
        event = bytearray(log[position : position + length])
        position += length
        event[13:17] = (len(out) + length).to_bytes(4, "little")
        if has_crc:
            event[-4:] = zlib.crc32(event[:-4]).to_bytes(4, "little")
        out += event if mode == "none" else _encrypt_event(bytes(event), len(out), mode, key)
    return bytes(out)


def _encrypt_event(event: bytes, offset: int, mode: str, key: bytes) -> bytes:
    iv = _NONCE + offset.to_bytes(4, "little")
    aes = algorithms.AES(key)
    plain = event[4:9] + event[:4] + event[13:]
    if mode == "ctr":
        stored = Cipher(aes, modes.CTR(iv)).encryptor().update(plain)
    else:
        whole = len(plain) // 16 * 16
        stored = Cipher(aes, modes.CBC(iv)).encryptor().update(plain[:whole])
        mask = Cipher(aes, modes.ECB()).encryptor().update(iv)  # noqa: S305  # as the server
        stored += bytes(a ^ b for a, b in zip(plain[whole:], mask, strict=False))
    # What is encrypted first in place of the timestamp makes room for the length.
    return stored[5:9] + stored[:5] + event[9:13] + stored[9:]


def component_keyring(key: bytes = MASTER_KEY, name: str = KEY_NAME) -> bytes:
    """Return the key file of MySQL's component_keyring_file."""
    entry = {"user": "", "data_id": name, "data_type": "AES", "data": key.hex(), "extension": []}
    other = entry | {"data_id": "MySQLReplicationKey_54c2", "data": "01" + "00" * 15}
    return json.dumps({"version": "1.0", "elements": [other, entry]}).encode()


def plugin_keyring(key: bytes = MASTER_KEY, name: str = KEY_NAME) -> bytes:
    """Return the key file of MySQL's plugin keyring_file."""
    masked = bytes(byte ^ _MASK[i % len(_MASK)] for i, byte in enumerate(key))
    fields = name.encode() + b"AES" + b"" + masked
    size = -(-(40 + len(fields)) // 8) * 8
    entry = struct.pack("<5Q", size, len(name), 3, 0, len(key)) + fields
    content = b"Keyring file version:2.0" + entry.ljust(size, b"\0") + b"EOF"
    return content + hashlib.sha256(content).digest()


def mariadb_keyring(key: bytes = EVENT_KEY) -> bytes:
    """Return the key file of MariaDB's file_key_management."""
    return f"# keys\n\n 2;{'0f' * 32}\n1;{key.hex()} # of the system\n".encode()


def with_password(keyring: bytes, password: bytes, digest: str = "sha1") -> bytes:
    """Return a key file as `openssl enc -aes-256-cbc -md DIGEST -pass` encrypts it."""
    salt = b"saltsalt"
    derived = piece = b""
    while len(derived) < 48:
        piece = hashlib.new(digest, piece + password + salt).digest()
        derived += piece
    padder = PKCS7(128).padder()
    cbc = Cipher(algorithms.AES(derived[:32]), modes.CBC(derived[32:48])).encryptor()
    return b"Salted__" + salt + cbc.update(padder.update(keyring) + padder.finalize())
