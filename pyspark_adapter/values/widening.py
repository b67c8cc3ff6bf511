"""The types that hold all values of two others, as far as Spark widens columns so."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import pyarrow as pa

from pyspark_adapter.values.column_types import MAX_ARROW_DECIMAL

# Digits of the greatest value of an integer type.
_DIGITS: Final = MappingProxyType({8: 3, 16: 5, 32: 10, 64: 19})


def is_wider(wished: pa.DataType, natural: pa.DataType) -> bool:
    """Return whether a type holds every value of another, and Arrow can cast to it."""
    if pa.types.is_signed_integer(natural):
        if pa.types.is_signed_integer(wished):
            return bool(wished.bit_width > natural.bit_width)
        if pa.types.is_decimal128(wished):
            return bool(wished.precision - wished.scale >= _DIGITS[natural.bit_width])
    if pa.types.is_decimal128(natural) and pa.types.is_decimal128(wished):
        whole = natural.precision - natural.scale
        return bool(wished.scale >= natural.scale and wished.precision - wished.scale >= whole)
    return bool(natural == pa.float32() and wished == pa.float64())


def common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType | None:
    """Return the narrowest type that holds the values of both; None if there is none.

    >>> common_type(pa.int32(), pa.int16())
    DataType(int32)
    >>> common_type(pa.decimal128(6, 2), pa.decimal128(12, 0))
    Decimal128Type(decimal128(14, 2))
    """
    if first == second or is_wider(first, second):
        return first
    if is_wider(second, first):
        return second
    sizes = [_decimal_size(kind) for kind in (first, second)]
    if None in sizes:
        return None
    whole, scale = (max(size[i] for size in sizes if size is not None) for i in (0, 1))
    return pa.decimal128(whole + scale, scale) if whole + scale <= MAX_ARROW_DECIMAL else None


def _decimal_size(kind: pa.DataType) -> tuple[int, int] | None:
    """Return the digits of a number before and after the point."""
    if pa.types.is_decimal128(kind):
        return kind.precision - kind.scale, kind.scale
    return (_DIGITS[kind.bit_width], 0) if pa.types.is_signed_integer(kind) else None
