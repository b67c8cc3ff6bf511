"""Values as text, as the server prints them: numbers, dates, times and fixed binary types.

TIMESTAMP is in UTC, with a `Z`. The log has UUID, INET4 and INET6 without zeros at their end.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import Final
from uuid import UUID

import pyarrow as pa
import pyarrow.compute as pc

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


_SECOND_MICROS: Final = 1_000_000
_UNITS: Final = {0: ("s", "second"), 3: ("ms", "millisecond"), 6: ("us", "microsecond")}
_LEN_SECONDS: Final = len("2026-11-20 12:34:56")


def text_form(array: pa.Array, fsp: int = 0) -> pa.Array:
    """Return (n,) string: numbers, dates or times as text; nulls stay null.

    Args:
        array: of an integer, decimal (scale 0), float, date, timestamp or duration type.
        fsp: digits of the fraction of timestamps and durations.
    """
    if pa.types.is_timestamp(array.type):
        return _moments(array, fsp)
    if pa.types.is_duration(array.type):
        return _durations(array, fsp)
    return array.cast(pa.string())


def _moments(array: pa.Array, fsp: int) -> pa.Array:
    """Return dates with times, with as many digits of the fraction as the column has."""
    suffix = "Z" if array.type.tz else ""
    if fsp in _UNITS:  # slicing texts takes longer
        unit, name = _UNITS[fsp]
        # A cast alone rounds times before 1970 up.
        floored = pc.floor_temporal(array, unit=name)
        text = floored.cast(pa.timestamp(unit), safe=False).cast(pa.string())
    else:
        text = array.cast(pa.timestamp("us"), safe=False).cast(pa.string())
        text = pc.utf8_slice_codeunits(text, 0, _LEN_SECONDS + fsp + 1)
    return pc.binary_join_element_wise(text, suffix, "") if suffix else text


def _durations(array: pa.Array, fsp: int) -> pa.Array:
    """Return times from -838:59:59 to 838:59:59."""
    micros = array.cast(pa.int64())
    magnitude = pc.abs(micros)
    seconds = pc.divide(magnitude, _SECOND_MICROS)
    parts = [
        pc.if_else(pc.less(micros, 0), "-", ""),
        _padded(pc.divide(seconds, 3600), 2),
        ":",
        _padded(_remainder(pc.divide(seconds, 60), 60), 2),
        ":",
        _padded(_remainder(seconds, 60), 2),
    ]
    if fsp:
        fraction = pc.divide(_remainder(magnitude, _SECOND_MICROS), 10 ** (6 - fsp))
        parts += [".", _padded(fraction, fsp)]
    return pc.binary_join_element_wise(*parts, "")


def _remainder(array: pa.Array, divisor: int) -> pa.Array:
    return pc.subtract(array, pc.multiply(pc.divide(array, divisor), divisor))


def _padded(array: pa.Array, digits: int) -> pa.Array:
    return pc.utf8_lpad(array.cast(pa.string()), digits, "0")
