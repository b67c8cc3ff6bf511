"""Converts decoded columns to other types.

The options `time`, `unsignedBigint` and `geometry` ask for them, or a schema. Both decoders apply
conversions to finished columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import SchemaMismatchError
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.values.column_types import GEOMETRY, NATIVE_GEOMETRY
from pyspark_adapter.values.text_form import text_form
from pyspark_adapter.values.widening import common_type

_MIN_LONG: Final = -(1 << 63)
_MAX_LONG: Final = (1 << 63) - 1
_MAX_SRID: Final = (1 << 31) - 1
_LONG: Final = pa.int64()
_DIGITS_OF_LONG: Final = 19
_TIME: Final = pa.duration("us")
# Logged as numbers, which mean nothing without the names of the members.
_WITH_MEMBERS: Final = frozenset({Code.enum, Code.set})


class ConversionError(Exception):
    """A value that the type of the output does not hold.

    Attributes:
        row: index of its row.
        column: index of its column.
        error: its fault, without a site.
    """

    def __init__(self, row: int, column: int, error: SchemaMismatchError) -> None:
        super().__init__(row, column, error)
        self.row = row
        self.column = column
        self.error = error


@dataclass(frozen=True, slots=True)
class Conversion:
    """How to convert a column to the type of the output.

    Attributes:
        fsp: digits of the fraction of times.
        narrowed: the type of the decoded numbers, if that of the output does not hold all of them.
    """

    arrow_type: pa.DataType
    fsp: int = 0
    narrowed: pa.DataType | None = None

    def check(self, value: Any) -> None:
        """Check that the output holds a decoded value; else raises SchemaMismatchError."""
        if self.narrowed is not None:
            try:
                self.apply(pa.array([value], self.narrowed))
            except pa.ArrowInvalid:
                raise SchemaMismatchError(
                    f"expected a value of type {self.arrow_type}, as the column had when the stream"
                    f" began, found {value} of type {self.narrowed}",
                    advice="start the query again to continue with the column's present type",
                ) from None
            return
        is_long = isinstance(value, Decimal) and self.arrow_type == _LONG
        if is_long and not _MIN_LONG <= value <= _MAX_LONG:
            raise SchemaMismatchError(
                f"expected a value from {_MIN_LONG} to {_MAX_LONG} for type int64, found {value}",
                advice="take the column as decimal or string",
            )
        if isinstance(value, dict) and self.arrow_type == NATIVE_GEOMETRY:
            srid = value["srid"]
            if srid is None or srid > _MAX_SRID:
                reason = "an empty value" if srid is None else f"SRID {srid}"
                raise SchemaMismatchError(
                    f"expected an SRID up to {_MAX_SRID} for Spark's GEOMETRY, found {reason}",
                    advice="take the column as a struct: option geometry=wkb",
                )

    def apply(self, array: pa.Array) -> pa.Array:
        """Return a decoded column in the type of the output.

        Raises:
            pa.ArrowInvalid: for a value that does not `check`.
        """
        if self.narrowed is not None:
            return _narrow(array, self.arrow_type)
        if self.arrow_type == NATIVE_GEOMETRY:
            return _to_native(array)
        if pa.types.is_string(self.arrow_type):
            return text_form(array, self.fsp)
        return array.cast(self.arrow_type)


def _narrow(array: pa.Array, wished: pa.DataType) -> pa.Array:
    if pa.types.is_decimal(wished) and pa.types.is_integer(array.type):
        # Arrow looks at the precision of the type, not at the values.
        array = array.cast(pa.decimal128(_DIGITS_OF_LONG, 0)).cast(
            pa.decimal128(_DIGITS_OF_LONG + wished.scale, wished.scale)
        )
    narrowed = array.cast(wished)
    # Arrow rounds floats.
    if pa.types.is_floating(wished) and not narrowed.cast(array.type).equals(array):
        raise pa.ArrowInvalid("a value that is rounded")
    return narrowed


def _to_native(array: pa.Array) -> pa.Array:
    srids = pc.struct_field(array, "srid")
    if srids.null_count != array.null_count:
        raise pa.ArrowInvalid("a geometry without an SRID")
    children = [
        pc.fill_null(srids.cast(pa.int32()), 0),
        pc.fill_null(pc.struct_field(array, "wkb"), b""),
    ]
    return pa.StructArray.from_arrays(children, fields=list(NATIVE_GEOMETRY), mask=array.is_null())


def convert_all(
    conversions: Sequence[Conversion | None], columns: Sequence[pa.Array]
) -> list[pa.Array]:
    """Return decoded columns in the types of the output; raises ConversionError."""
    converted: list[pa.Array] = []
    failures: list[ConversionError] = []
    for c, (conversion, column) in enumerate(zip(conversions, columns, strict=True)):
        try:
            converted.append(column if conversion is None else conversion.apply(column))
        except pa.ArrowInvalid:
            assert conversion is not None
            failures.append(_first_failure(conversion, column, c))
    if failures:
        raise min(failures, key=lambda failure: failure.row)
    return converted


def _first_failure(conversion: Conversion, column: pa.Array, c: int) -> ConversionError:
    for row, value in enumerate(column.to_pylist()):
        try:
            conversion.check(value)
        except SchemaMismatchError as error:
            return ConversionError(row, c, error)
    raise AssertionError(column.type)


def narrowing_of(decoded: pa.DataType, wished: pa.DataType) -> Conversion | None:
    """Return how to convert a column whose values may fit the type of the output, or None."""
    if common_type(decoded, wished) is None:
        return None
    return Conversion(wished, narrowed=decoded)


def conversion_of(column: Column, decoded: pa.DataType, wished: pa.DataType) -> Conversion | None:
    """Return how to convert a column, or None if the types do not fit."""
    is_integral = pa.types.is_decimal(decoded) and decoded.scale == 0
    has_fraction = pa.types.is_timestamp(decoded) or pa.types.is_duration(decoded)
    if wished == _LONG and (is_integral or decoded == _TIME):
        return Conversion(wished)
    if wished == NATIVE_GEOMETRY and decoded == GEOMETRY:
        return Conversion(wished)
    is_number = is_integral or pa.types.is_integer(decoded) or pa.types.is_floating(decoded)
    has_text = is_number or has_fraction or pa.types.is_date(decoded)
    if wished == pa.string() and has_text and column.type_code not in _WITH_MEMBERS:
        return Conversion(wished, max(column.metadata, 0) if has_fraction else 0)
    return None
