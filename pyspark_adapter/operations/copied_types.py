"""Columns that SELECT shows, in the types that a read of the log gives them."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import UnsupportedError

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import Decoder
    from pyspark_adapter.server.result_rows import ResultWindow

INTEGERS: Final = {
    "tinyint": 8,
    "smallint": 16,
    "mediumint": 24,
    "int": 32,
    "bigint": 64,
    "year": 24,
}
BINARY = ["tinyblob", "blob", "mediumblob", "longblob", "binary", "varbinary"]
TEXT = ["char", "varchar", "tinytext", "text", "mediumtext", "longtext"]
TEXT += ["enum", "set", "json", "time", "uuid", "inet6", "inet4"]
SHAPES = ["geometry", "point", "linestring", "polygon", "geomcollection", "geometrycollection"]
SHAPES += ["multipoint", "multilinestring", "multipolygon"]
GEOMETRY: Final = pa.struct([("srid", pa.int64()), ("wkb", pa.binary())])
TYPES: Final = {
    **dict.fromkeys(BINARY, pa.binary()),
    **dict.fromkeys(TEXT, pa.string()),
    **dict.fromkeys(SHAPES, GEOMETRY),
    "float": pa.float32(),
    "double": pa.float64(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "timestamp": pa.timestamp("us", "UTC"),
    "vector": pa.list_(pa.float32()),
}
# So that no digit or byte is lost.
SELECTED = {"float": "{} * 1e0", "bit": "{} + 0", "time": "CAST({} AS CHAR)", "vector": "HEX({})"}
# Python and reads of the log have no year 0.
_FIRST: Final = {
    kind: pa.scalar("0001-01-01").cast(kind) for kind in (pa.date32(), pa.timestamp("us"))
}
UNORDERED: Final = {"enum", "set", "bit", "float", "double"}  # a literal compares in another way


def arrow_type(kind: str, full_type: str, precision: int, scale: int) -> pa.DataType:
    """Return the type that a read of the log gives a column."""
    if kind in INTEGERS:
        bits = INTEGERS[kind] + ("unsigned" in full_type)
        wide = next((width for width in (8, 16, 32, 64) if width >= bits), 0)
        return getattr(pa, f"int{wide}")() if wide else pa.decimal128(20, 0)
    if kind == "decimal":
        return pa.decimal128(precision, scale) if precision <= 38 else pa.string()
    if kind == "bit":
        return pa.decimal128(20, 0) if precision == 64 else pa.int64()
    if kind in TYPES:
        return TYPES[kind]
    raise UnsupportedError(f"a column of type {full_type}: this type is not copied")


def column(window: ResultWindow, number: int, kind: pa.DataType, decode: Decoder) -> pa.Array:
    """Return a column of rows that SELECT gives."""
    found = window.column(number)
    if kind == found.type:
        return found
    if not (kind == GEOMETRY or pa.types.is_list(kind)):
        plain = pa.timestamp("us") if pa.types.is_timestamp(kind) else kind
        with suppress(pa.ArrowException):  # 0000-00-00 is no date of Arrow
            values = found.cast(pa.string()).cast(plain)
            if not (pa.types.is_temporal(kind) and pc.any(pc.less(values, _FIRST[plain])).as_py()):
                return values.cast(kind)
    return array([decode(value) for value in found.to_pylist()], kind)


def array(values: Any, kind: pa.DataType) -> pa.Array:
    """Return the values that SELECT gives of a column."""
    if kind == GEOMETRY:
        values = [v and {"srid": int.from_bytes(v[:4], "little"), "wkb": v[4:]} for v in values]
    elif pa.types.is_temporal(kind):
        values = [None if isinstance(value, str) else value for value in values]  # 0000-00-00
    elif pa.types.is_list(kind):
        values = [None if v is None else np.frombuffer(bytes.fromhex(v), "<f4") for v in values]
    elif pa.types.is_string(kind):
        values = [f"{v:f}" if isinstance(v, Decimal) else v for v in values]
    return pa.array(values, kind)
