"""How an encrypted log is decrypted: found once, from its first bytes and a key file.

MySQL encrypts a log as a whole (`encrypted_log`), MariaDB each of its events (`encrypted_events`).
What a cipher opens has the bytes, and the offsets, that the log would have without encryption.
"""

from __future__ import annotations

from typing import Final, Protocol

from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.sources.encrypted_events import find_event_cipher
from pyspark_adapter.sources.encrypted_log import ENCRYPTED_MAGIC, find_log_cipher
from pyspark_adapter.sources.keyring import Keyring
from pyspark_adapter.sources.locations import StoredBytes

# What `find_cipher` needs of a log: its format description and MariaDB's list of GTIDs, whose
# length grows with the number of replication domains.
LEN_START: Final = 1 << 16


class Cipher(Protocol):
    """Decrypts one log; hashable and picklable. Its text does not show the key."""

    @property
    def len_header(self) -> int:
        """Bytes of the file before the log begins."""

    def open(self, file: StoredBytes, /) -> StoredBytes:
        """Return the decrypted bytes of a file that is at its start."""


def find_cipher(start: bytes, keyring: Keyring) -> Cipher | None:
    """Return the cipher of a log; None if it is not encrypted.

    Args:
        start: the first `LEN_START` bytes of the file, fewer if it is shorter.

    Raises:
        OptionError: if the keyring lacks the key, or has another one under its name.
        TruncatedEventError, CorruptEventError: if the start is cut or damaged.
        UnsupportedError: if there is no library for ciphers. All without a site.
    """
    if start.startswith(ENCRYPTED_MAGIC):
        return find_log_cipher(start, keyring)
    if start.startswith(MAGIC):
        return find_event_cipher(start, keyring)
    return None
