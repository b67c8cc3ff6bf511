"""Values of row images in plain Python: one function for each OP_ code, next to the kernels' own.

Integers stand for dates and times here, as days or microseconds, since Arrow takes them so and
Python's own types cannot hold all of them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa

from pyspark_adapter.charsets.charset import decode_text
from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.values.binary_json.text import decode_json
from pyspark_adapter.values.binary_json.variant import encode_variant
from pyspark_adapter.values.compressed_columns import inflate
from pyspark_adapter.values.decoding import Decoding
from pyspark_adapter.values.new_decimal import decode_decimal
from pyspark_adapter.values.temporal import (
    decode_date,
    decode_datetime2,
    decode_old_datetime,
    decode_old_time,
    decode_time2,
    decode_timestamp,
)

# Takes the bytes of a value (without a length before them), how it is made, and the policy for
# zero dates.
ValueDecoder = Callable[[bytes, Decoding, str], Any]

# Bytes of an SRID and the head of a WKB.
_MIN_GEOMETRY: Final = 9


def decode_value(data: bytes, decoding: Decoding, zero_dates: str) -> Any:
    """Return a value as Python has it; a GEOMETRY as a dict, a VECTOR as a list.

    Args:
        data: its bytes, without a length before them.
        decoding: how it is made.
        zero_dates: value of the option zeroDateTimeBehavior.

    Raises:
        CorruptEventError: if there is no such value.
    """
    return _DECODERS[decoding.op](data, decoding, zero_dates)


def _integer(data: bytes, decoding: Decoding, _zero_dates: str) -> int | float:
    if decoding.arrow_type == pa.float32():
        return float(memoryview(data).cast("f")[0])
    if decoding.arrow_type == pa.float64():
        return float(memoryview(data).cast("d")[0])
    width, sign, _ = decoding.params
    # Eight bytes are signed; unsigned ones of that width are decimals.
    return int.from_bytes(data, "little", signed=sign != 0 or width == 8)


def _bits(data: bytes, decoding: Decoding, _zero_dates: str) -> int:
    _, is_big_endian, num_bits = decoding.params
    value = int.from_bytes(data, "big" if is_big_endian else "little")
    if value >> num_bits:
        raise CorruptEventError(f"the value has more bits than the column: {value:#x}")
    return value


def _unsigned_decimal(data: bytes, decoding: Decoding, _zero_dates: str) -> Decimal:
    return Decimal(int.from_bytes(data, "big" if decoding.params[1] else "little"))


def _year(data: bytes, _decoding: Decoding, _zero_dates: str) -> int:
    return 1900 + data[0] if data[0] else 0


def _decimal(data: bytes, decoding: Decoding, _zero_dates: str) -> Decimal:
    return decode_decimal(data, *decoding.params)


def _decimal_text(data: bytes, decoding: Decoding, zero_dates: str) -> str:
    return f"{_decimal(data, decoding, zero_dates):f}"


def _timestamp(data: bytes, decoding: Decoding, zero_dates: str) -> int | None:
    (fsp,) = decoding.params
    if fsp < 0:
        return decode_timestamp(int.from_bytes(data, "little"), 0, 0, zero_dates)
    seconds, fraction = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:], "big")
    return decode_timestamp(seconds, fraction, fsp, zero_dates)


def _text(data: bytes, decoding: Decoding, _zero_dates: str) -> str | bytes:
    _, kind, padded = decoding.params
    if kind == lay.TEXT_BYTES:
        return data.ljust(padded, b"\0")
    try:
        return decode_text(data, decoding.charset, replaces=bool(kind & lay.TEXT_REPLACES))
    except UnicodeDecodeError as error:
        raise CorruptEventError(
            f"the text is not valid in the column's character set: {error}"
        ) from error


def _compressed_text(data: bytes, decoding: Decoding, zero_dates: str) -> str | bytes:
    return _text(inflate(data), decoding, zero_dates)


def _enum(data: bytes, decoding: Decoding, _zero_dates: str) -> str | bytes:
    number = int.from_bytes(data, "little")
    if number >= len(decoding.names):
        raise CorruptEventError(f"the value has no member: {number}")
    return _named(decoding.names[number], decoding)


def _set(data: bytes, decoding: Decoding, _zero_dates: str) -> str | bytes:
    bits = int.from_bytes(data, "little")
    if bits >> len(decoding.names):
        raise CorruptEventError(f"the value has no member: {bits:#x}")
    return _named(b",".join(n for i, n in enumerate(decoding.names) if bits >> i & 1), decoding)


def _named(name: bytes, decoding: Decoding) -> str | bytes:
    return name.decode() if decoding.arrow_type == pa.string() else name


def _geometry(data: bytes, _decoding: Decoding, _zero_dates: str) -> dict[str, int | bytes | None]:
    """Return SRID and WKB; of a value of no bytes no SRID and nothing."""
    if not data:
        return {"srid": None, "wkb": b""}
    if len(data) < _MIN_GEOMETRY:
        raise CorruptEventError(
            f"expected an SRID and a WKB of 9 bytes and more, found {len(data)}"
        )
    return {"srid": int.from_bytes(data[:4], "little"), "wkb": data[4:]}


def _vector(data: bytes, _decoding: Decoding, _zero_dates: str) -> list[float]:
    if len(data) % 4:
        raise CorruptEventError(f"expected floats of four bytes each, found {len(data)} bytes")
    return [number for (number,) in struct.iter_unpack("<f", data)]


_DECODERS: Final[Mapping[int, ValueDecoder]] = MappingProxyType(
    {
        lay.OP_INTEGER: _integer,
        lay.OP_BITS: _bits,
        lay.OP_UNSIGNED_DECIMAL: _unsigned_decimal,
        lay.OP_YEAR: _year,
        lay.OP_DECIMAL: _decimal,
        lay.OP_DATE: lambda data, _decoding, policy: decode_date(data, policy),
        lay.OP_DATETIME2: lambda data, decoding, policy: decode_datetime2(
            data, decoding.params[0], policy
        ),
        lay.OP_TIMESTAMP: _timestamp,
        lay.OP_TIME2: lambda data, decoding, _policy: decode_time2(data, decoding.params[0]),
        lay.OP_OLD_TIME: lambda data, _decoding, _policy: decode_old_time(data),
        lay.OP_OLD_DATETIME: lambda data, _decoding, policy: decode_old_datetime(data, policy),
        lay.OP_TEXT: _text,
        lay.OP_DECIMAL_TEXT: _decimal_text,
        lay.OP_JSON: lambda data, _decoding, _policy: decode_json(data),
        lay.OP_VARIANT: lambda data, _decoding, _policy: encode_variant(data),
        lay.OP_ENUM: _enum,
        lay.OP_SET: _set,
        lay.OP_GEOMETRY: _geometry,
        lay.OP_VECTOR: _vector,
        lay.OP_COMPRESSED_TEXT: _compressed_text,
    }
)
