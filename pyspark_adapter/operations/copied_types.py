"""Columns that SELECT shows, in the types that a read of the log gives them."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.values.column_types import GEOMETRY

if TYPE_CHECKING:
    from pyspark_adapter.server.pymysql_client import Decoder
    from pyspark_adapter.server.result_rows import ResultWindow

# So that no digit or byte is lost.
_EXACT: Final = {
    "FLOAT": "{} * 1e0",
    "BIT": "{} + 0",
    "VECTOR": "HEX({})",
    "TIME": "CAST({} AS CHAR)",
}
# Python and reads of the log have no year 0.
_FIRST: Final = {
    kind: pa.scalar("0001-01-01").cast(kind) for kind in (pa.date32(), pa.timestamp("us"))
}
# Of keys: a literal compares in another way.
UNORDERED: Final = frozenset({"ENUM", "SET", "BIT", "FLOAT", "DOUBLE"})


def selected(name: str, sql_type: str, kind: pa.DataType) -> str:
    """Return what selects a column, quoted, so that `column` has all its digits and bytes."""
    # MariaDB logs a VECTOR as bytes, and PyMySQL makes an interval of a TIME.
    is_plain = {"VECTOR": pa.binary(), "TIME": pa.duration("us")}.get(sql_type) == kind
    return name if is_plain else _EXACT.get(sql_type, "{}").format(name)


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
