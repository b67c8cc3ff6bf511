"""Converts schemas between Arrow and Spark, for the types that this package returns."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import types as spark

from pyspark_adapter.errors import SchemaMismatchError
from pyspark_adapter.spark.versions import GEOMETRY_TYPE, VARIANT_TYPE, needed
from pyspark_adapter.values.column_types import NATIVE_GEOMETRY, VARIANT

_NONE: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({})
_SIMPLE: Final = (
    (pa.bool_(), spark.BooleanType()),
    (pa.int8(), spark.ByteType()),
    (pa.int16(), spark.ShortType()),
    (pa.int32(), spark.IntegerType()),
    (pa.int64(), spark.LongType()),
    (pa.float32(), spark.FloatType()),
    (pa.float64(), spark.DoubleType()),
    (pa.string(), spark.StringType()),
    (pa.binary(), spark.BinaryType()),
    (pa.date32(), spark.DateType()),
    (pa.timestamp("us", tz="UTC"), spark.TimestampType()),
    (pa.timestamp("us"), spark.TimestampNTZType()),
    (pa.duration("us"), spark.DayTimeIntervalType()),
)


def to_spark_schema(
    schema: pa.Schema, metadata: Mapping[str, dict[str, Any]] = _NONE
) -> spark.StructType:
    """Return the Spark schema of an Arrow schema; all columns are nullable.

    Raises:
        SchemaMismatchError: for a type that no column of a log can have.
    """
    return spark.StructType(
        [
            spark.StructField(
                field.name, _to_spark(field.name, field.type), True, metadata.get(field.name, {})
            )
            for field in schema
        ]
    )


def to_arrow_schema(schema: spark.StructType) -> pa.Schema:
    """Return the Arrow schema of a Spark schema; raises SchemaMismatchError."""
    return pa.schema(
        [pa.field(field.name, _to_arrow(field.name, field.dataType)) for field in schema]
    )


def _to_spark(name: str, arrow_type: pa.DataType) -> spark.DataType:
    if pa.types.is_decimal128(arrow_type):
        return spark.DecimalType(arrow_type.precision, arrow_type.scale)
    if arrow_type == VARIANT:
        return needed(VARIANT_TYPE, f"column {name}: the type VARIANT", "4.0")
    if arrow_type == NATIVE_GEOMETRY:
        return needed(GEOMETRY_TYPE, f"column {name}: the type GEOMETRY", "4.1")
    if pa.types.is_list(arrow_type):
        return spark.ArrayType(_to_spark(name, arrow_type.value_type))
    if pa.types.is_struct(arrow_type):
        return to_spark_schema(pa.schema(list(arrow_type)))
    for kind, simple in _SIMPLE:
        if kind == arrow_type:
            return simple
    raise SchemaMismatchError(f"column {name}: no column of a log can have type {arrow_type}")


def _to_arrow(name: str, spark_type: spark.DataType) -> pa.DataType:
    if isinstance(spark_type, spark.DecimalType):
        return pa.decimal128(spark_type.precision, spark_type.scale)
    if spark_type == VARIANT_TYPE:
        return VARIANT
    if spark_type == GEOMETRY_TYPE:
        return NATIVE_GEOMETRY
    if isinstance(spark_type, spark.ArrayType):
        return pa.list_(_to_arrow(name, spark_type.elementType))
    if isinstance(spark_type, spark.StructType):
        return pa.struct(list(to_arrow_schema(spark_type)))
    for arrow_type, simple in _SIMPLE:
        if type(simple) is type(spark_type):
            return arrow_type
    raise SchemaMismatchError(
        f"column {name}: no column of a log can have type {spark_type.simpleString()}"
    )
