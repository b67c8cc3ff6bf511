"""Columns as JSON text: values that become text as they are, and the quote around each."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.kernels.layout import Op
from pyspark_adapter.values.arrow_arrays import text_array, text_buffers
from pyspark_adapter.values.column_types import Decoding

_SPECIAL: Final = re.compile(rb'["\\\x00-\x1f]')


class JsonValues(NamedTuple):
    """A column that `text_form` turns into JSON text; nulls stay nulls.

    Attributes:
        values: text, numbers, dates or times.
        quote: before and after each.
        fsp: digits of the fraction of times.
    """

    values: pa.Array
    quote: str
    fsp: int = 0


def documents_as_json(array: pa.Array, _decoding: Decoding) -> JsonValues:
    """Return JSON documents as they are."""
    return JsonValues(array, "")


def scalars_as_json(array: pa.Array, decoding: Decoding) -> JsonValues:
    """Return numbers as they are; text, bytes in base64, dates and times in quotes."""
    if pa.types.is_string(array.type):
        return JsonValues(array if _is_plain(array, decoding) else _escape(array), '"')
    if pa.types.is_binary(array.type):
        return JsonValues(_base64(array), '"')
    if pa.types.is_floating(array.type):
        return JsonValues(_numbers(array), "")
    if not pa.types.is_temporal(array.type):
        return JsonValues(array, "")
    fsp = max(decoding.params[0], 0) if decoding.params else 0
    return JsonValues(array, '"', fsp)


def _numbers(array: pa.Array) -> pa.Array:
    """Return numbers; those that JSON does not have in quotes, with the names that Spark reads."""
    if pc.all(pc.is_finite(array)).as_py() is not False:
        return array
    return _quote_infinite(array.cast(pa.string()))


def _quote_infinite(texts: pa.Array) -> pa.Array:
    texts = pc.replace_substring_regex(texts, "-?nan", '"NaN"')
    return pc.replace_substring_regex(texts, "(-?)inf", r'"\1Infinity"')


def _base64(array: pa.Array) -> pa.Array:
    encoded = [None if v is None else b64encode(v).decode() for v in array.to_pylist()]
    return text_array(encoded)


def geometries_as_json(array: pa.Array, _decoding: Decoding) -> JsonValues:
    """Return geometries as objects of SRID and WKB."""
    srids = pc.fill_null(pc.struct_field(array, "srid").cast(pa.string()), "null")
    wkb = _base64(pc.struct_field(array, "wkb"))
    start, end = '{"srid": ', '"}'
    joined = pc.binary_join_element_wise(start, srids, ', "wkb": "', wkb, end, "")
    return JsonValues(joined, "")


def vectors_as_json(array: pa.Array, _decoding: Decoding) -> JsonValues:
    """Return vectors as arrays of numbers."""
    numbers = array.cast(pa.list_(pa.string()))
    texts = _quote_infinite(pc.binary_join(numbers, ", "))
    joined = pc.binary_join_element_wise("[", texts, "]", "")
    return JsonValues(joined, "")


def _is_plain(array: pa.Array, decoding: Decoding) -> bool:
    """Return whether it is known without a look at the values that none needs an escape."""
    if decoding.names and len(decoding.names) <= len(array):
        return not any(map(_SPECIAL.search, decoding.names))
    return decoding.op in (Op.DECIMAL_TEXT, Op.FIXED_BINARY)


def _escape(array: pa.Array) -> pa.Array:
    """Return text with the escapes of JSON. Most columns need none."""
    starts, data = text_buffers(array)
    data = data[starts[0] : starts[len(array)]]
    searched = data.tobytes()
    for letter, escape in (("\\", "\\\\"), ('"', '\\"')):
        if letter.encode() in searched:
            array = pc.replace_substring(array, letter, escape)
    if data.min(initial=0xFF) < 0x20:
        for byte in np.unique(data[data < 0x20]).tolist():
            array = pc.replace_substring(array, chr(byte), json.dumps(chr(byte))[1:-1])
    return array
