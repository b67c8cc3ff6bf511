"""Logs whose events MariaDB 10.1.7 and later encrypted one by one (encrypt_binlog=ON).

All events after START_ENCRYPTION are encrypted, each with an IV of the log's nonce and its own
offset. The length of an event stays readable: it is where a plain event has it, and the four bytes
of ciphertext from there are the first of the event. Neither the mode of AES nor the length of the
key is in the log.

START_ENCRYPTION itself is returned as a server sends it to replicas, which get all events
decrypted: flagged as one to ignore.

Source: `Log_event::read_log_event` of `sql/log_event.cc`, and `mysys_ssl/my_crypt.cc` for a partial
last block in CBC, MariaDB 11.8.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.format.header import (
    HEADER,
    IGNORABLE,
    LEN_CHECKSUM,
    LEN_HEADER,
    MAGIC,
    OFS_FLAGS,
    OFS_LEN_EVENT,
    len_event_at,
    type_code_at,
)
from pyspark_adapter.sources.keyring import Keyring, import_cryptography
from pyspark_adapter.sources.locations import StoredBytes, read_up_to

# The key of the server's own data, by its number in the key file.
_KEY_ID: Final = 1
# Scheme, version of the key, nonce.
_BODY: Final = struct.Struct("<BI12s")
_SCHEME: Final = 1
_LEN_BLOCK: Final = 16
# More than a header; whole blocks after the first 4 bytes.
_LEN_FIRST: Final = 4 + 2 * _LEN_BLOCK
_LEN_PIECE: Final = 1 << 16
_LEN_READ: Final = 1 << 18


@dataclass(frozen=True)
class EventCipher:
    """Decrypts the events of a log of MariaDB.

    Attributes:
        key: of AES.
        nonce: 12 bytes of the IV; the offset of the event is the rest.
        is_ctr: whether AES is in counter mode; else in CBC.
        clear: the log up to the first encrypted event, as it is returned.
    """

    key: bytes = field(repr=False)
    nonce: bytes = field(repr=False)
    is_ctr: bool
    clear: bytes = field(repr=False)
    len_header = 0

    def open(self, file: StoredBytes, /) -> StoredBytes:
        """Return the decrypted bytes of a file that is at its start."""
        return _DecryptedEvents(file, self)

    def decryptor(self, position: int) -> Callable[[bytes], bytes]:
        """Return what decrypts the event at an offset, piece by piece.

        All pieces but the last are multiples of 16 bytes long.
        """
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        iv = self.nonce + (position & 0xFFFFFFFF).to_bytes(4, "little")
        aes = algorithms.AES(self.key)
        if self.is_ctr:
            update: Callable[[bytes], bytes] = Cipher(aes, modes.CTR(iv)).decryptor().update
            return update
        decryptor = Cipher(aes, modes.CBC(iv)).decryptor()

        def decrypt(piece: bytes) -> bytes:
            blocks = len(piece) - len(piece) % _LEN_BLOCK
            plain = decryptor.update(piece[:blocks])
            if blocks == len(piece):
                return bytes(plain)
            mask = Cipher(aes, modes.ECB()).encryptor().update(iv)  # noqa: S305  # as the server
            return bytes(plain) + bytes(a ^ b for a, b in zip(piece[blocks:], mask, strict=False))

        return decrypt


def find_event_cipher(start: bytes, keyring: Keyring) -> EventCipher | None:
    """Return the cipher of a log; None if it has no START_ENCRYPTION. See `find_cipher`."""
    # Options import this module, and `--help` needs no parser.
    from pyspark_adapter.format.schema import EventType

    first = len(MAGIC)
    if len(start) < first + LEN_HEADER:
        return None
    second = first + len_event_at(start, first)
    if (
        len(start) < second + LEN_HEADER
        or type_code_at(start, second) != EventType.start_encryption
    ):
        return None
    end = second + len_event_at(start, second)
    body = second + LEN_HEADER
    if end - body not in (_BODY.size, _BODY.size + LEN_CHECKSUM) or len(start) < end:
        return None  # cut or damaged, as the reader will find
    scheme, _, nonce = _BODY.unpack_from(start, body)
    if scheme != _SCHEME:
        return None  # as no server writes it: the reader refuses the event
    key = keyring.by_id.get(_KEY_ID)
    if key is None:
        raise keyring.missing_key(str(_KEY_ID))
    import_cryptography()
    clear = start[:second] + _ignorable(start[second:end])
    for is_ctr in (False, True):
        cipher = EventCipher(key, nonce, is_ctr, clear)
        if _fits(cipher, start[end:]):
            return cipher
    raise keyring.wrong_key(str(_KEY_ID))


def _ignorable(event: bytes) -> bytes:
    """Return an event with the flag of those to ignore, and the checksum for it, if it has one."""
    changed = bytearray(event)
    changed[OFS_FLAGS] |= IGNORABLE
    if len(event) == LEN_HEADER + _BODY.size + LEN_CHECKSUM:
        changed[-LEN_CHECKSUM:] = zlib.crc32(changed[:-LEN_CHECKSUM]).to_bytes(4, "little")
    return bytes(changed)


def _fits(cipher: EventCipher, stored: bytes) -> bool:
    """Return whether the first encrypted event is one; True if there is none.

    It is if it says at which offset it ends, as in all logs of a server. In a relay log, which has
    the offsets of another log, its checksum decides.
    """
    if len(stored) < _LEN_BLOCK + 4:
        return True
    position = len(cipher.clear)
    length = len_event_at(stored)
    if length < LEN_HEADER:  # which the reader refuses
        return True
    event = _first_piece(cipher.decryptor(position), stored[:length])
    _, _, _, _, end_log_pos, _ = HEADER.unpack_from(event)
    if end_log_pos == position + length:
        return True
    crc = zlib.crc32(event[:-LEN_CHECKSUM]).to_bytes(4, "little")
    return len(event) == length and event.endswith(crc)


def _first_piece(decrypt: Callable[[bytes], bytes], stored: bytes) -> bytes:
    """Return the decrypted start of an event, its header included."""
    length = stored[OFS_LEN_EVENT : OFS_LEN_EVENT + 4]
    plain = decrypt(stored[4:OFS_LEN_EVENT] + stored[:4] + stored[OFS_LEN_EVENT + 4 :])
    # The timestamp is where the length belongs.
    at = OFS_LEN_EVENT - 4
    return plain[at : at + 4] + plain[:at] + length + plain[at + 4 :]


class _DecryptedEvents:
    """The decrypted bytes of a log, read like a file. Seeks go to events only."""

    def __init__(self, file: StoredBytes, cipher: EventCipher) -> None:
        self.file = file
        self._cipher = cipher
        read_up_to(file, len(cipher.clear))
        self._stored = memoryview(b"")  # read, not yet decrypted
        self._plain = memoryview(cipher.clear)  # decrypted, not yet returned
        self._position = 0  # offset of the next byte to return
        self._end = len(cipher.clear)  # offset of the next byte to decrypt
        self._rest = 0  # bytes of the current event that are not decrypted yet
        self._decrypt: Callable[[bytes], bytes] = bytes

    def readinto(self, buffer: memoryview, /) -> int:
        """Read into a buffer; returns the bytes read, 0 at the end."""
        filled = 0
        while filled < len(buffer):
            if not self._plain:
                piece = self._next_of_event() if self._rest else self._first_of_event()
                if not piece:
                    break
                self._plain = memoryview(piece)
                self._end += len(piece)
            count = min(len(self._plain), len(buffer) - filled)
            buffer[filled : filled + count] = self._plain[:count]
            self._plain = self._plain[count:]
            filled += count
        self._position += filled
        return filled

    def _first_of_event(self) -> bytes:
        """Return the first bytes of the next event; of a cut header, as far as it is written."""
        stored = self._take(LEN_HEADER)
        if len(stored) < LEN_HEADER:
            return stored
        length = len_event_at(stored)
        if length < LEN_HEADER:  # which the reader refuses, and reads nothing after it
            return stored[:LEN_HEADER]
        stored += self._take(min(length, _LEN_FIRST) - LEN_HEADER)
        if len(stored) < min(length, _LEN_FIRST):  # the file is cut here
            return stored[: LEN_HEADER - 1]
        self._decrypt = self._cipher.decryptor(self._end)
        self._rest = length - len(stored)
        return _first_piece(self._decrypt, stored)

    def _next_of_event(self) -> bytes:
        stored = self._take(min(self._rest, _LEN_PIECE))
        self._rest -= len(stored)
        return self._decrypt(stored)

    def _take(self, num_bytes: int) -> bytes:
        """Return the next stored bytes; fewer only at the end of the file."""
        if len(self._stored) < num_bytes:
            self._stored = memoryview(bytes(self._stored) + read_up_to(self.file, _LEN_READ))
        taken, self._stored = self._stored[:num_bytes], self._stored[num_bytes:]
        return bytes(taken)

    def seek(self, position: int, /) -> int:
        """Go to the offset of an event."""
        clear = self._cipher.clear
        self._plain = memoryview(clear)[position:]
        self._position = position
        self._end = max(position, len(clear))
        self._rest = 0
        self._stored = memoryview(b"")
        self.file.seek(self._end)
        return position

    def tell(self) -> int:
        """Return the position in the log."""
        return self._position

    def close(self) -> None:
        """Close the file."""
        self.file.close()
