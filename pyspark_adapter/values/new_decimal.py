"""DECIMAL values in the packed form of the server.

Source: `decimal2bin` in the server's `strings/decimal.cc`.
"""

from __future__ import annotations

from functools import cache

from pyspark_adapter.kernels.layout import GROUP_BYTES

_DIGITS_PER_GROUP = 9


@cache
def decimal_width(precision: int, scale: int) -> int:
    """Return the bytes of a decimal.

    >>> decimal_width(10, 2)
    5
    """
    return sum(GROUP_BYTES[count] for count in _groups(precision, scale))


def encode_decimal(digits: str, precision: int, scale: int) -> bytes:
    """Return the positive decimal of these digits, as many as its precision; the rest is not used.

    >>> encode_decimal("1234567890", 10, 2).hex()
    '80bc614e5a'
    """
    packed = b""
    for count in _groups(precision, scale):
        packed += int(digits[:count]).to_bytes(GROUP_BYTES[count], "big")
        digits = digits[count:]
    return bytes([packed[0] | 0x80]) + packed[1:]


@cache
def _groups(precision: int, scale: int) -> tuple[int, ...]:
    """Return the number of digits of each group, in the order of the bytes."""
    whole = precision - scale
    groups = [whole % _DIGITS_PER_GROUP] if whole % _DIGITS_PER_GROUP else []
    groups += [_DIGITS_PER_GROUP] * (whole // _DIGITS_PER_GROUP + scale // _DIGITS_PER_GROUP)
    return (*groups, *([scale % _DIGITS_PER_GROUP] if scale % _DIGITS_PER_GROUP else []))
