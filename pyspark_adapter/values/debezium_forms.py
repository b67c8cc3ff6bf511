"""Columns as Debezium's MySQL connector writes them in JSON: values, and their schemas.

Source: "Data type mappings" of the documentation of Debezium 3.5.
"""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite
from struct import unpack_from
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.layout import Op
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.values.arrow_arrays import text_array
from pyspark_adapter.values.column_types import Decoding
from pyspark_adapter.values.json_columns import JsonValues, scalars_as_json, vectors_as_json
from pyspark_adapter.values.text_form import text_form

_ENCODINGS: Final[Mapping[str, Callable[[bytes], str]]] = MappingProxyType(
    {
        "bytes": lambda data: b64encode(data).decode(),
        "base64": lambda data: b64encode(data).decode(),
        "base64-url-safe": lambda data: urlsafe_b64encode(data).decode(),
        "hex": bytes.hex,
    }
)
_EPOCH: Final = (Op.DATE, Op.TIMESTAMP, Op.DATETIME2, Op.OLD_DATETIME)


class DebeziumForm(NamedTuple):
    """How Debezium writes the values of a column.

    Attributes:
        as_json: a column of values as JSON text, and the quote around each.
        name: of the meaning of its values; "" for none.
        parameters: of the schema.
    """

    connect_type: str
    as_json: Callable[[pa.Array], JsonValues]
    name: str = ""
    parameters: Mapping[str, str] | None = None

    def schema(self, column: Column) -> dict[str, Any]:
        """Return the schema of a column, as Connect's JSON converter writes it."""
        schema: dict[str, Any] = {"type": self.connect_type, "optional": column.is_nullable}
        if self.connect_type == "array":
            schema["items"] = {"type": "float", "optional": False}
        elif self.connect_type == "struct":
            fields = [("double", False, name) for name in "xy" if column.is_point]
            fields += [("bytes", column.is_point, "wkb"), ("int32", True, "srid")]
            schema["fields"] = [{"type": t, "optional": o, "field": f} for t, o, f in fields]
            schema["doc"] = "Geometry (POINT)" if column.is_point else "Geometry"
        if self.name:
            schema |= {"name": self.name, "version": 1}
        if self.parameters:
            schema["parameters"] = dict(self.parameters)
        return schema | {"field": column.label}


def debezium_form(column: Column, decoding: Decoding, options: BinlogOptions) -> DebeziumForm:
    """Return how Debezium writes a column."""
    form = _form(column, decoding, options)
    if decoding.op in _EPOCH and not column.is_nullable:
        # Debezium writes 1970 for an invalid date in a column that is NOT NULL.
        return form._replace(as_json=lambda array: form.as_json(_as_epoch(array)))
    return form


def _form(column: Column, decoding: Decoding, options: BinlogOptions) -> DebeziumForm:
    op, params, code = decoding.op, decoding.params, column.type_code
    mode = options.time_precision_mode
    if op in (Op.DATE, Op.DATETIME2, Op.OLD_DATETIME, Op.TIME2, Op.OLD_TIME):
        return _temporal(op, max(params[0], 0) if params else 0, mode)
    if op == Op.TIMESTAMP:
        as_json = partial(_zoned, fsp=max(params[0], 0))
        return DebeziumForm("string", as_json, "io.debezium.time.ZonedTimestamp")
    if op == Op.DECIMAL_TEXT:
        return _decimal(params[0], params[1], options.decimal_handling_mode)
    if code == Code.bit:
        return _bits(64 if op == Op.UNSIGNED_DECIMAL else params[2])
    if op == Op.UNSIGNED_DECIMAL and code == Code.longlong:
        if options.bigint_unsigned_handling_mode == "precise":
            return _decimal(20, 0, "precise")
        return DebeziumForm("int64", _low_half)
    if op == Op.JSON:
        return DebeziumForm("string", _text, "io.debezium.data.Json")
    if op == Op.GEOMETRY:
        kind = "Point" if column.is_point else "Geometry"
        as_json = partial(_geometries, has_coordinates=column.is_point)
        return DebeziumForm("struct", as_json, f"io.debezium.data.geometry.{kind}")
    if op == Op.VECTOR:
        as_json = partial(vectors_as_json, _decoding=decoding)
        return DebeziumForm("array", as_json, "io.debezium.data.FloatVector")
    if decoding.arrow_type == pa.binary():
        encoding = options.binary_handling_mode
        connect_type = "bytes" if encoding == "bytes" else "string"
        return DebeziumForm(connect_type, partial(_encoded, encode=_ENCODINGS[encoding]))
    name, parameters = "", None
    if op == Op.YEAR:
        name = "io.debezium.time.Year"
    elif code in (Code.enum, Code.set):
        name = f"io.debezium.data.Enum{'Set' if code == Code.set else ''}"
        parameters = {"allowed": b",".join(filter(None, decoding.names)).decode(errors="replace")}
    # Arrow and Connect call their types the same.
    connect_type = str(decoding.arrow_type).replace("int8", "int16")
    return DebeziumForm(connect_type, partial(scalars_as_json, decoding=decoding), name, parameters)


def _as_epoch(array: pa.Array) -> pa.Array:
    zero = pa.scalar(0, pa.int32() if array.type == pa.date32() else pa.int64())
    return pc.fill_null(array, zero.cast(array.type)) if array.null_count else array


def _temporal(op: Op, fsp: int, mode: str) -> DebeziumForm:
    """Return the form of a DATE, DATETIME or TIME."""
    kind = {Op.DATE: "Date", Op.TIME2: "Time", Op.OLD_TIME: "Time"}.get(op, "Timestamp")
    if mode == "isostring":
        return DebeziumForm("string", partial(_iso, fsp=fsp), f"io.debezium.time.Iso{kind}")
    is_exact = mode != "connect"
    package = "io.debezium.time" if is_exact else "org.apache.kafka.connect.data"
    if kind == "Date":
        return DebeziumForm("int32", partial(_number, kind=pa.int32()), f"{package}.Date")
    if is_exact and (kind == "Time" or fsp > 3):
        return DebeziumForm("int64", partial(_number, kind=pa.int64()), f"{package}.Micro{kind}")
    return DebeziumForm("int32" if kind == "Time" else "int64", _millis, f"{package}.{kind}")


def _number(array: pa.Array, kind: pa.DataType) -> JsonValues:
    return JsonValues(array.cast(kind), "")


def _millis(array: pa.Array) -> JsonValues:
    moments = array.cast(pa.int64()).cast(pa.timestamp("us"))
    floored = pc.floor_temporal(moments, unit="millisecond")  # a cast rounds times before 1970 up
    return JsonValues(floored.cast(pa.timestamp("ms")).cast(pa.int64()), "")


def _zoned(array: pa.Array, fsp: int) -> JsonValues:
    return JsonValues(pc.utf8_replace_slice(text_form(array, fsp), 10, 11, "T"), '"')


def _iso(array: pa.Array, fsp: int) -> JsonValues:
    """Return texts without zeros at the end of the fraction."""
    texts = text_form(array, fsp)
    if pa.types.is_timestamp(array.type):
        texts = pc.utf8_replace_slice(texts, 10, 11, "T")
    if fsp:
        texts = pc.utf8_rtrim(pc.utf8_rtrim(texts, "0"), ".")
    return JsonValues(pc.binary_join_element_wise(texts, "Z", ""), '"')


def _decimal(precision: int, scale: int, mode: str) -> DebeziumForm:
    if mode == "string":
        return DebeziumForm("string", lambda array: JsonValues(array, '"'))
    if mode == "double":
        return DebeziumForm("double", lambda array: JsonValues(array.cast(pa.float64()), ""))
    parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}
    as_json = partial(_encoded, encode=_unscaled)
    return DebeziumForm("bytes", as_json, "org.apache.kafka.connect.data.Decimal", parameters)


def _unscaled(value: Any) -> str:
    """Return a decimal as the bytes of Java's `BigInteger.toByteArray`, in base64."""
    number = int(str(value).replace(".", ""))
    length = (number + (number < 0)).bit_length() // 8 + 1
    return b64encode(number.to_bytes(length, "big", signed=True)).decode()


def _low_half(array: pa.Array) -> JsonValues:
    """Return numbers of 64 bits with a sign, as Java has them."""
    limbs = np.frombuffer(array.buffers()[1], np.int64)[2 * array.offset :: 2][: len(array)]
    return JsonValues(pa.array(limbs, mask=array.is_null().to_numpy(zero_copy_only=False)), "")


def _bits(num_bits: int) -> DebeziumForm:
    if num_bits == 1:
        return DebeziumForm("boolean", lambda a: JsonValues(pc.equal(a, 1).cast(pa.string()), ""))

    def encode(value: Any) -> str:
        return b64encode(int(value).to_bytes((num_bits + 7) // 8, "little")).decode()

    as_json = partial(_encoded, encode=encode)
    return DebeziumForm("bytes", as_json, "io.debezium.data.Bits", {"length": str(num_bits)})


def _encoded(array: pa.Array, encode: Callable[[Any], str]) -> JsonValues:
    texts = [None if value is None else encode(value) for value in array.to_pylist()]
    return JsonValues(text_array(texts), '"')


def _text(array: pa.Array) -> JsonValues:
    return scalars_as_json(array, Decoding(pa.string(), Op.TEXT))


def _coordinates(wkb: bytes) -> str:
    """Return a point as the members of an object that come before its WKB."""
    x, y = unpack_from("<dd", wkb.ljust(21, b"\0"), 5)
    shown = [json.dumps(value if isfinite(value) else str(value)) for value in (x, y)]
    return '"x": {}, "y": {}, '.format(*shown)


def _geometries(array: pa.Array, *, has_coordinates: bool) -> JsonValues:
    """Return geometries as objects; an SRID of 0 is null."""
    srids = pc.struct_field(array, "srid").cast(pa.string())
    srids = pc.if_else(pc.equal(pc.fill_null(srids, "0"), "0"), "null", srids)
    wkb = _encoded(pc.struct_field(array, "wkb"), _ENCODINGS["bytes"]).values
    middle, end = '", "srid": ', "}"
    points: pa.Array | str = ""
    if has_coordinates:
        points = _encoded(pc.struct_field(array, "wkb"), _coordinates).values
    joined = pc.binary_join_element_wise("{", points, '"wkb": "', wkb, middle, srids, end, "")
    return JsonValues(joined, "")
