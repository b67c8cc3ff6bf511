"""Values to bytes, written by hand from the format, with the numbers that MySQL stores.

Sources: `strings/decimal.cc` (`decimal2bin`), `sql-common/my_time.cc` (`my_*_packed_to_binary`),
`sql/field.cc` (`Field_*::pack`) and `sql-common/json_binary.h` of MySQL 8.0; `sql/field_comp.cc`
of MariaDB 11.8.
"""

import struct
import zlib
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

# Bytes that hold 0 to 9 decimal digits.
_DIGIT_BYTES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


def integer(number: int, width: int) -> bytes:
    """Return an integer of a width in bytes; signed or not, the bytes are those of its residue."""
    return (number % (1 << 8 * width)).to_bytes(width, "little")


def decimal(number: Decimal, precision: int, scale: int) -> bytes:
    """Return DECIMAL(precision, scale): groups of nine digits from the point outward."""
    digits = f"{number.copy_abs():.{scale}f}"
    whole, _, fraction = digits.partition(".")
    whole = whole.rjust(precision - scale, "0")[-(precision - scale) :] if precision > scale else ""
    first = len(whole) % 9
    groups = [whole[:first]] + [whole[i : i + 9] for i in range(first, len(whole), 9)]
    groups += [fraction[i : i + 9] for i in range(0, len(fraction), 9)]
    packed = b"".join(
        int(group).to_bytes(_DIGIT_BYTES[len(group)], "big") for group in groups if group
    )
    packed = bytes([packed[0] | 0x80]) + packed[1:]
    return bytes(byte ^ 0xFF for byte in packed) if number < 0 else packed


def _fraction(micros: int, fsp: int) -> bytes:
    width = (fsp + 1) // 2
    hundreds: int = 100 ** (3 - width)
    return (micros // hundreds).to_bytes(width, "big")


def datetime2(moment: datetime, fsp: int) -> bytes:
    """Return DATETIME(fsp) of MySQL 5.6.4 and later."""
    year_month = moment.year * 13 + moment.month
    clock = moment.hour << 12 | moment.minute << 6 | moment.second
    packed = (1 << 39) | (year_month << 5 | moment.day) << 17 | clock
    return packed.to_bytes(5, "big") + _fraction(moment.microsecond, fsp)


def timestamp2(seconds: int, micros: int, fsp: int) -> bytes:
    """Return TIMESTAMP(fsp) of MySQL 5.6.4 and later."""
    return seconds.to_bytes(4, "big") + _fraction(micros, fsp)


def time2(span: timedelta, fsp: int) -> bytes:
    """Return TIME(fsp): whole and fraction are one number, which is negated as a whole."""
    micros = abs(span) // timedelta(microseconds=1)
    seconds, micros = divmod(micros, 1_000_000)
    clock = seconds // 3600 << 12 | seconds // 60 % 60 << 6 | seconds % 60
    width = (fsp + 1) // 2
    magnitude = clock << 8 * width | int.from_bytes(_fraction(micros, fsp), "big")
    packed = -magnitude if span < timedelta(0) else magnitude
    return ((0x800000 << 8 * width) + packed).to_bytes(3 + width, "big")


def day(value: date) -> bytes:
    return (value.year << 9 | value.month << 5 | value.day).to_bytes(3, "little")


def prefixed(data: bytes, width: int) -> bytes:
    """Return bytes after their length, which takes `width` bytes."""
    return len(data).to_bytes(width, "little") + data


def json_document(value: Any, *, large: bool = False) -> bytes:
    """Return a document of binary JSON; with `large` all its containers have four-byte offsets."""
    kind, data = _json_value(value, large=large)
    return bytes([kind]) + data


def _json_value(value: Any, *, large: bool) -> tuple[int, bytes]:
    """Return type code and bytes of a value."""
    if isinstance(value, bool) or value is None:
        return 0x04, bytes([{None: 0, True: 1, False: 2}[value]])
    if isinstance(value, int):
        return _json_integer(value)
    if isinstance(value, float):
        return 0x0B, struct.pack("<d", value)
    if isinstance(value, str):
        text = value.encode()
        return 0x0C, seven_bits(len(text)) + text
    return _json_container(value, large=large)


def _json_integer(number: int) -> tuple[int, bytes]:
    for kind, form in ((0x05, "<h"), (0x07, "<i"), (0x09, "<q"), (0x0A, "<Q")):
        try:
            return kind, struct.pack(form, number)
        except struct.error:
            continue
    raise ValueError(number)


def seven_bits(number: int) -> bytes:
    """Return a length as JSON strings have it."""
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*data, number])


def _json_container(value: list[Any] | dict[str, Any], *, large: bool) -> tuple[int, bytes]:
    """Return an object (keys by length, then bytes) or array: tables first, then keys, values."""
    width = 4 if large else 2
    keys: list[bytes] = []
    elements: list[Any] = list(value)
    if isinstance(value, dict):
        encoded = {key.encode(): element for key, element in value.items()}
        keys = sorted(encoded, key=lambda key: (len(key), key))
        elements = [encoded[key] for key in keys]
    place = 2 * width + len(keys) * (width + 2) + len(elements) * (1 + width)
    key_table = value_table = b""
    for key in keys:
        key_table += place.to_bytes(width, "little") + len(key).to_bytes(2, "little")
        place += len(key)
    tail = b"".join(keys)
    for element in elements:
        kind, data = _json_value(element, large=large)
        if kind in (0x04, 0x05, 0x06) or (large and kind in (0x07, 0x08)):
            value_table += bytes([kind]) + data.ljust(width, b"\0")
        else:
            value_table += bytes([kind]) + place.to_bytes(width, "little")
            place += len(data)
            tail += data
    head = len(elements).to_bytes(width, "little") + place.to_bytes(width, "little")
    kind = (0x00 if isinstance(value, dict) else 0x02) + large
    return kind, head + key_table + value_table + tail


def double(number: float) -> bytes:
    return struct.pack("<d", number)


def single(number: float) -> bytes:
    return struct.pack("<f", number)


def old_timestamp(seconds: int) -> bytes:
    """Return TIMESTAMP from before MySQL 5.6.4."""
    return seconds.to_bytes(4, "little")


def old_datetime(moment: datetime) -> bytes:
    """Return DATETIME from before MySQL 5.6.4: a number of the digits YYYYMMDDhhmmss."""
    days = (moment.year * 100 + moment.month) * 100 + moment.day
    clock = (moment.hour * 100 + moment.minute) * 100 + moment.second
    return (days * 1_000_000 + clock).to_bytes(8, "little")


def old_time(seconds: int) -> bytes:
    """Return TIME from before MySQL 5.6.4: a number of the digits HHHMMSS."""
    whole = abs(seconds)
    digits = (whole // 3600 * 100 + whole // 60 % 60) * 100 + whole % 60
    return (-digits if seconds < 0 else digits).to_bytes(3, "little", signed=True)


def geometry(srid: int, wkb: bytes) -> bytes:
    """Return GEOMETRY without its length."""
    return struct.pack("<I", srid) + wkb


def vector(numbers: list[float]) -> bytes:
    """Return VECTOR of MySQL 9 without its length."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def compressed(data: bytes, *, is_deflated: bool, is_raw: bool, len_length: int) -> bytes:
    """Return a value of a compressed column of MariaDB without its length.

    Args:
        data: the value.
        is_deflated: whether it is compressed; else it follows a zero as it is.
        is_raw: whether the header and checksum of zlib are left out.
        len_length: bytes in which the length of the value is written.
    """
    if not data:
        return b""
    if not is_deflated:
        return b"\0" + data
    deflater = zlib.compressobj(wbits=-15 if is_raw else 15)
    body = deflater.compress(data) + deflater.flush()
    head = 8 << 4 | is_raw << 3 | len_length
    return bytes([head]) + len(data).to_bytes(len_length, "big") + body
