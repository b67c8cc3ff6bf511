"""Columns that SELECT shows, in the types that a read of the log gives them."""

from __future__ import annotations

from datetime import date
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.values.column_types import GEOMETRY

# So that no digit or byte is lost.
_EXACT: Final = {"FLOAT": "{} * 1e0", "BIT": "{} + 0", "VECTOR": "HEX({})"}
# Dates that no calendar has, mostly; a read of the log gives null for all that are none.
_NO_DATE: Final = r"^0000|-00"
_TIME: Final = r"^(?P<sign>-?)(?P<h>\d+):(?P<m>\d+):(?P<s>\d+)\.?(?P<fraction>\d*)$"
# Of keys: a literal compares in another way.
UNORDERED: Final = frozenset({"ENUM", "SET", "BIT", "FLOAT", "DOUBLE"})


def selected(name: str, sql_type: str, kind: pa.DataType) -> str:
    """Return what selects a column, quoted, so that `converted` has all its digits and bytes."""
    if sql_type == "VECTOR" and kind == pa.binary():  # of MariaDB, which logs the bytes
        return name
    return _EXACT.get(sql_type, "{}").format(name)


def converted(found: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return values as SELECT sends them, texts or bytes, in a type.

    Raises:
        pa.ArrowInvalid: for a text that is no value of the type.
    """
    if kind == found.type:
        return found
    if kind == GEOMETRY:
        shapes = [
            v and {"srid": int.from_bytes(v[:4], "little"), "wkb": v[4:]} for v in found.to_pylist()
        ]
        return pa.array(shapes, kind)
    texts = found.cast(pa.string())
    if pa.types.is_list(kind):
        vectors = [
            None if v is None else np.frombuffer(bytes.fromhex(v), "<f4") for v in texts.to_pylist()
        ]
        return pa.array(vectors, kind)
    if pa.types.is_duration(kind):
        return _durations(texts, kind)
    if not pa.types.is_temporal(kind):
        return texts.cast(kind)
    plain = pa.timestamp("us") if pa.types.is_timestamp(kind) else kind
    nothing = pa.scalar(None, pa.string())
    texts = pc.if_else(pc.match_substring_regex(texts, _NO_DATE), nothing, texts)
    try:
        return texts.cast(plain).cast(kind)
    except pa.ArrowInvalid:  # such as 2026-02-31
        is_date = [text is not None and _is_date(text) for text in texts.to_pylist()]
        return pc.if_else(pa.array(is_date), texts, nothing).cast(plain).cast(kind)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _durations(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    parts = pc.extract_regex(texts, _TIME)
    sign, hours, minutes, seconds, fraction = parts.flatten()
    micros = pc.utf8_rpad(fraction, 6, "0").cast(pa.int64())
    for part, unit in ((hours, 3600), (minutes, 60), (seconds, 1)):
        micros = pc.add(micros, pc.multiply(part.cast(pa.int64()), unit * 1_000_000))
    return pc.if_else(pc.equal(sign, "-"), pc.negate(micros), micros).cast(kind)
