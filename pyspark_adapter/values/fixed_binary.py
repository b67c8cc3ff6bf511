"""MariaDB's UUID, INET4 and INET6: bytes of a fixed number, and text as the server prints them.

The log has the bytes in the order of the text, without zeros at their end.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import Final
from uuid import UUID

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels.layout import FixedBinary

MAX_FIXED_TEXT: Final = 39  # eight groups of an INET6 with the colons between them


def fixed_text(data: bytes, kind: int) -> str:
    """Return a value as text; raises CorruptEventError if it has more bytes than its type.

    >>> fixed_text(bytes(15) + bytes([1]), FixedBinary.INET6)
    '::1'
    """
    length = fixed_length(kind)
    if len(data) > length:
        raise CorruptEventError(f"expected a value of at most {length} bytes, found {len(data)}")
    whole = data.ljust(length, b"\0")
    if kind == FixedBinary.UUID:
        return str(UUID(bytes=whole))
    return str(IPv4Address(whole)) if kind == FixedBinary.INET4 else _inet6_text(whole)


def fixed_length(kind: int) -> int:
    """Return the bytes of a value."""
    return 4 if kind == FixedBinary.INET4 else 16


def fixed_bytes(text: str, kind: int) -> bytes:
    """Return the bytes of a text; raises ValueError if it is none of the type."""
    if kind == FixedBinary.UUID:
        return UUID(text).bytes
    return (IPv4Address if kind == FixedBinary.INET4 else IPv6Address)(text).packed


def _inet6_text(data: bytes) -> str:
    """Return an address; unlike Python's text, a single group of zeros is `::`, too.

    Source: Inet6::to_string of MariaDB's sql_type_inet.cc.
    """
    groups = [int.from_bytes(data[k : k + 2], "big") for k in range(0, 16, 2)]
    gap, length, run = 0, 0, 0
    for k, group in enumerate(groups):
        run = 0 if group else run + 1
        if run > length:
            gap, length = k - run + 1, run
    words = [f"{group:x}" for group in groups]
    if gap == 0 and (length == 6 or (length == 5 and groups[5] == 0xFFFF)):
        words[6:] = [str(IPv4Address(data[12:]))]
    before, after = ":".join(words[:gap]), ":".join(words[gap + length :])
    return f"{before}::{after}" if length else before + after
