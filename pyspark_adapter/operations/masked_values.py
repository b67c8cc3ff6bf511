"""Replacements of values: keyed, of the same type and the same number of bytes.

The same value has the same replacement wherever it has the same type and length, so that tables can
still be joined. Integers are permuted, so that different ones stay different.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from pyspark_adapter.charsets.charset import charset_of
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import GROUP_BYTES

_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz234567"
# 256 bytes to 32 letters.
_TO_LETTERS: Final = _LETTERS * 8
_ROUNDS: Final = 8
# Bytes of a unit, and the place of an ASCII letter in it.
_WIDE: Final = MappingProxyType(
    {"ucs2": (2, 1), "utf16": (2, 1), "utf16le": (2, 0), "utf32": (4, 3)}
)
# By the bytes of a character in UTF-8: the first of its replacements, and how many there are.
_BY_LENGTH: Final = MappingProxyType({2: (0xE0, 23), 3: (0x4E00, 4096), 4: (0x20000, 4096)})


class Masker:
    """Replaces values with a key.

    Args:
        key: secret; at least 16 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.blake2b(key).digest()

    def mask(self, column: Column, value: bytes) -> bytes:
        """Return the replacement of a value; one of no bytes stays.

        Args:
            column: one that `can_mask` takes.
            value: its bytes in a row image, without a length before them.
        """
        return _MASKS[column.type_code](self, column, value) if value else value

    def stream(self, value: bytes, length: int, kind: bytes = b"") -> bytes:
        """Return bytes that depend on the key and a value."""
        return hashlib.shake_256(self._key + kind + b"\0" + value).digest(length)

    def number(self, value: bytes) -> int:
        """Return a number of 64 bits that depends on the key and a value."""
        return int.from_bytes(self.stream(value, 8, b"number"), "big")


def can_mask(column: Column) -> str:
    """Return why values of a column cannot be replaced; empty if they can."""
    if column.type_code in _MASKS:
        return ""
    if column.type_code in (Code.enum, Code.set):
        return "its values are numbers of members, which the definition of the table names"
    return "no other value of the same length is known to be valid"


def is_text(column: Column) -> bool:
    """Return whether values of a column are texts or bytes."""
    return _MASKS[column.type_code] is _mask_text


def _mask_integer(masker: Masker, _column: Column, value: bytes) -> bytes:
    """Permute the integers of a width: a Feistel network of halves."""
    half = len(value) * 4
    most = (1 << half) - 1
    number = int.from_bytes(value, "little")
    left, right = number >> half, number & most
    for k in range(_ROUNDS):
        kind = b"integer %d %d" % (len(value), k)
        noise = int.from_bytes(masker.stream(right.to_bytes(4, "little"), 4, kind), "little")
        left, right = right, left ^ (noise & most)
    return (left << half | right).to_bytes(len(value), "little")


def _mask_text(masker: Masker, column: Column, value: bytes) -> bytes:
    charset = charset_of(column.collation)
    if charset is not None and charset in _WIDE:
        width, place = _WIDE[charset]
        units = bytearray(len(value))
        units[place::width] = _letters(masker, value)[place::width]
        return bytes(units)
    if charset in ("utf8mb4", "utf8mb3", None) and not value.isascii():
        try:
            return _mask_utf8(masker, value.decode())
        except UnicodeDecodeError:
            pass
    return _letters(masker, value)


def _letters(masker: Masker, value: bytes) -> bytes:
    """Return other letters of ASCII, which are valid in all character sets but wide ones."""
    for attempt in range(64):
        letters = masker.stream(value, len(value), b"text %d" % attempt).translate(_TO_LETTERS)
        if letters != value:
            break
    return letters


def _mask_utf8(masker: Masker, text: str) -> bytes:
    """Return other text, in which each character has as many bytes as before."""
    noise = masker.stream(text.encode(), 2 * len(text), b"utf8")
    parts = []
    for k, character in enumerate(text):
        number = int.from_bytes(noise[2 * k : 2 * k + 2], "big")
        length = len(character.encode())
        if length == 1:
            parts.append(chr(_TO_LETTERS[number & 0xFF]))
        else:
            first, count = _BY_LENGTH[length]
            parts.append(chr(first + number % count))
    return "".join(parts).encode()


def _mask_json(masker: Masker, _column: Column, value: bytes) -> bytes:
    """Return a document that is one string: its type, the length in 7 bits a byte, and letters."""
    for len_length in range(1, 6):
        length = len(value) - 1 - len_length
        if 0 <= length < 1 << 7 * len_length:
            break
    else:
        return value
    parts = [(length >> 7 * k) & 0x7F | 0x80 for k in range(len_length)]
    parts[-1] &= 0x7F
    return bytes([0x0C, *parts]) + _letters(masker, value)[:length]


def _mask_real(form: str) -> Callable[[Masker, Column, bytes], bytes]:
    def mask(masker: Masker, _column: Column, value: bytes) -> bytes:
        return struct.pack(form, masker.number(value) % 100_000_000 / 100)

    return mask


def _mask_decimal(masker: Masker, column: Column, value: bytes) -> bytes:
    """Return a positive decimal; groups of nine digits begin at the point, in both directions."""
    digits = "".join(str(byte % 10) for byte in masker.stream(value, 66, b"decimal"))
    precision, scale = column.metadata & 0xFF, column.metadata >> 8
    whole = precision - scale
    packed = b""
    for count in (whole % 9, *[9] * (whole // 9 + scale // 9), scale % 9):
        packed += int(digits[:count] or "0").to_bytes(GROUP_BYTES[count], "big")
        digits = digits[count:]
    return bytes([packed[0] | 0x80]) + packed[1:]


def _mask_bits(masker: Masker, column: Column, value: bytes) -> bytes:
    num_bits = (column.metadata >> 8) * 8 + (column.metadata & 0xFF)
    noise = int.from_bytes(masker.stream(value, len(value), b"bits"), "big")
    return (noise & ((1 << num_bits) - 1)).to_bytes(len(value), "big")


def _mask_vector(_masker: Masker, _column: Column, value: bytes) -> bytes:
    return bytes(len(value))


def _mask_year(masker: Masker, _column: Column, value: bytes) -> bytes:
    return bytes([70 + masker.number(value) % 60])


def _mask_date(masker: Masker, _column: Column, value: bytes) -> bytes:
    number = masker.number(value)
    year, month, day = 1970 + number % 60, 1 + (number >> 8) % 12, 1 + (number >> 16) % 28
    return (year << 9 | month << 5 | day).to_bytes(3, "little")


def _mask_datetime2(masker: Masker, _column: Column, value: bytes) -> bytes:
    number = masker.number(value)
    months = (1970 + number % 60) * 13 + 1 + (number >> 8) % 12
    day = 1 + (number >> 16) % 28
    packed = (months << 5 | day) << 17 | _seconds_of(number >> 24)
    return (packed | 1 << 39).to_bytes(5, "big") + bytes(len(value) - 5)


def _mask_time2(masker: Masker, _column: Column, value: bytes) -> bytes:
    packed = 1 << 23 | _seconds_of(masker.number(value))
    return packed.to_bytes(3, "big") + bytes(len(value) - 3)


def _seconds_of(number: int) -> int:
    """Return hours, minutes and seconds as the packed forms have them."""
    return number % 24 << 12 | (number >> 8) % 60 << 6 | (number >> 16) % 60


def _mask_timestamp2(masker: Masker, _column: Column, value: bytes) -> bytes:
    seconds = 1 + masker.number(value) % ((1 << 31) - 2)
    return seconds.to_bytes(4, "big") + bytes(len(value) - 4)


_MASKS: Final[MappingProxyType[int, Callable[[Masker, Column, bytes], bytes]]] = MappingProxyType(
    dict.fromkeys((Code.tiny, Code.short, Code.int24, Code.long, Code.longlong), _mask_integer)
    | dict.fromkeys((Code.string, Code.varchar, Code.var_string), _mask_text)
    | dict.fromkeys((Code.blob, Code.tiny_blob, Code.medium_blob, Code.long_blob), _mask_text)
    | dict.fromkeys((Code.date, Code.newdate), _mask_date)
    | {
        Code.float: _mask_real("<f"),
        Code.double: _mask_real("<d"),
        Code.newdecimal: _mask_decimal,
        Code.bit: _mask_bits,
        Code.json: _mask_json,
        Code.vector: _mask_vector,
        Code.year: _mask_year,
        Code.datetime2: _mask_datetime2,
        Code.time2: _mask_time2,
        Code.timestamp2: _mask_timestamp2,
    }
)
