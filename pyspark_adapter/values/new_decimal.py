"""DECIMAL values in the packed form of the server.

Source: `decimal2bin` and `bin2decimal` in the server's `strings/decimal.cc`.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Final

from pyspark_adapter.errors import CorruptEventError

_DIGITS_PER_GROUP = 9
# Bytes that hold a group of 0 to 9 decimal digits.
DIGIT_BYTES: Final = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
_INVERTED: Final = bytes(range(255, -1, -1))


@cache
def decimal_width(precision: int, scale: int) -> int:
    """Return the bytes of a decimal.

    >>> decimal_width(10, 2)
    5
    """
    return sum(DIGIT_BYTES[count] for count in _groups(precision, scale))


def decode_decimal(data: bytes, precision: int, scale: int) -> Decimal:
    """Return a decimal with `scale` digits after the point; raises CorruptEventError.

    >>> decode_decimal(bytes.fromhex("7fed2978a6"), 10, 2)
    Decimal('-1234567.89')
    """
    is_negative = not data[0] & 0x80
    magnitude = data.translate(_INVERTED) if is_negative else data
    magnitude = bytes([magnitude[0] & 0x7F]) + magnitude[1:]
    digits = ""
    offset = 0
    for count in _groups(precision, scale):
        end = offset + DIGIT_BYTES[count]
        group = int.from_bytes(magnitude[offset:end], "big")
        if group >= 10**count:
            raise CorruptEventError(
                f"a group of {count} decimal digits holds {group}: {data[:32].hex(' ')}"
            )
        digits += f"{group:0{count}}"
        offset = end
    # Made of its digits: arithmetic would round to the precision of the decimal context.
    return Decimal(f"{'-' if is_negative else ''}{digits}E-{scale}")


def encode_decimal(digits: str, precision: int, scale: int) -> bytes:
    """Return the positive decimal of these digits, as many as its precision; the rest is not used.

    >>> encode_decimal("1234567890", 10, 2).hex()
    '80bc614e5a'
    """
    packed = b""
    for count in _groups(precision, scale):
        packed += int(digits[:count]).to_bytes(DIGIT_BYTES[count], "big")
        digits = digits[count:]
    return bytes([packed[0] | 0x80]) + packed[1:]


@cache
def _groups(precision: int, scale: int) -> tuple[int, ...]:
    """Return the number of digits of each group, in the order of the bytes."""
    whole = precision - scale
    groups = [whole % _DIGITS_PER_GROUP] if whole % _DIGITS_PER_GROUP else []
    groups += [_DIGITS_PER_GROUP] * (whole // _DIGITS_PER_GROUP + scale // _DIGITS_PER_GROUP)
    return (*groups, *([scale % _DIGITS_PER_GROUP] if scale % _DIGITS_PER_GROUP else []))
