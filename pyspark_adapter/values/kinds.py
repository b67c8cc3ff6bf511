"""The kinds of values: all facts of an Op code that are not in the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from pyspark_adapter.kernels.layout import (
    JSON_SLACK,
    MAX_JSON_GROWTH,
    MAX_JSON_GROWTH_BASE,
    Op,
    Text,
)
from pyspark_adapter.values.arrow_arrays import number_array
from pyspark_adapter.values.column_types import Decoding
from pyspark_adapter.values.json_columns import (
    JsonValues,
    documents_as_json,
    geometries_as_json,
    scalars_as_json,
    vectors_as_json,
)
from pyspark_adapter.values.text_form import MAX_FIXED_TEXT
from pyspark_adapter.values.variant_cells import scalars_as_variant, vectors_as_variant

# Returns bytes by byte of the log, and by row.
Growth = Callable[[Decoding], tuple[int, int]]

_DECIMAL_TEXT_BYTES: Final = 68  # 65 digits, sign, point and a zero before it
_TEXT_GROWTH: Final = 3  # bytes of U+FFFD, or of a character, for a byte of the log


class ColumnBuffers(NamedTuple):
    """The buffers of a column.

    Attributes:
        num_rows: values, nulls included.
        num_nulls: nulls.
        validity: one bit for each value; None if there are no nulls.
        values: values of one width, or the bytes of all values one after the other.
        offsets: (num_rows + 1,) int32; of values that differ in length.
        srids: (num_rows,) int64, negative for none; of a GEOMETRY.
    """

    num_rows: int
    num_nulls: int
    validity: pa.Buffer | None
    values: pa.Buffer
    offsets: pa.Buffer | None
    srids: pa.Buffer | None


def _plain_array(arrow_type: pa.DataType, buffers: ColumnBuffers) -> pa.Array:
    """Return an array of values of one width, or of text or bytes."""
    of_bytes = [buffers.values] if buffers.offsets is None else [buffers.offsets, buffers.values]
    return pa.Array.from_buffers(
        arrow_type, buffers.num_rows, [buffers.validity, *of_bytes], buffers.num_nulls
    )


def _geometry_array(arrow_type: pa.DataType, buffers: ColumnBuffers) -> pa.Array:
    """Return structs of an SRID and the WKB."""
    n = buffers.num_rows
    assert buffers.srids is not None
    srids = np.frombuffer(buffers.srids, np.int64, n)
    children = [
        number_array(srids, srids < 0),
        pa.Array.from_buffers(pa.binary(), n, [None, buffers.offsets, buffers.values]),
    ]
    return pa.Array.from_buffers(
        arrow_type, n, [buffers.validity], buffers.num_nulls, children=children
    )


def _list_array(arrow_type: pa.DataType, buffers: ColumnBuffers) -> pa.Array:
    """Return lists of values of one width."""
    n = buffers.num_rows
    assert buffers.offsets is not None
    num_values = int(np.frombuffer(buffers.offsets, np.int32)[n])
    values = pa.Array.from_buffers(arrow_type.value_type, num_values, [None, buffers.values])
    return pa.Array.from_buffers(
        arrow_type, n, [buffers.validity, buffers.offsets], buffers.num_nulls, children=[values]
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """Facts of a kind of values.

    Attributes:
        op: its number in the kernels.
        growth: most bytes of the values in Arrow, by byte of the log and by row; None if all
            values of a column have the width of its Arrow type.
        as_array: the Arrow array of its buffers.
        as_json: a column of it as JSON text, and the quote around each value.
        as_variant: a column of it as values of VARIANT; documents and geometries are made apart.
        has_srids: whether it has a buffer of SRIDs.
        is_apart: whether `decode.columns` makes the whole column, and not `kernels.fill`.
        has_bytes: whether a field of type BINARY can take the logged bytes of its values.
        is_text: whether a field of type STRING can take them, if no character set is logged.
    """

    op: Op
    growth: Growth | None = None
    as_array: Callable[[pa.DataType, ColumnBuffers], pa.Array] = _plain_array
    as_json: Callable[[pa.Array, Decoding], JsonValues] = scalars_as_json
    as_variant: Callable[[pa.Array, Decoding], pa.BinaryArray] = scalars_as_variant
    has_srids: bool = False
    is_apart: bool = False
    has_bytes: bool = False
    is_text: bool = False


def _text_growth(decoding: Decoding) -> tuple[int, int]:
    _, kind, padded = decoding.params
    return 1 if kind <= Text.ASCII else _TEXT_GROWTH, padded


def _set_growth(decoding: Decoding) -> tuple[int, int]:
    return 0, sum(len(name) + 1 for name in decoding.names)


KINDS: Final = MappingProxyType(
    {
        kind.op: kind
        for kind in (
            Kind(Op.INTEGER),
            Kind(Op.BITS),
            Kind(Op.UNSIGNED_DECIMAL),
            Kind(Op.YEAR),
            Kind(Op.DECIMAL),
            Kind(Op.DATE),
            Kind(Op.DATETIME2),
            Kind(Op.TIMESTAMP),
            Kind(Op.TIME2),
            Kind(Op.OLD_TIME),
            Kind(Op.OLD_DATETIME),
            Kind(Op.TEXT, _text_growth, has_bytes=True, is_text=True),
            Kind(Op.DECIMAL_TEXT, lambda _d: (0, _DECIMAL_TEXT_BYTES)),
            Kind(
                Op.JSON,
                lambda _d: (MAX_JSON_GROWTH, MAX_JSON_GROWTH_BASE + JSON_SLACK),
                as_json=documents_as_json,
            ),
            Kind(Op.VARIANT, is_apart=True),
            Kind(Op.ENUM, lambda d: (0, max(map(len, d.names)))),
            Kind(Op.SET, _set_growth),
            Kind(
                Op.GEOMETRY,
                lambda _d: (1, 0),
                _geometry_array,
                geometries_as_json,
                has_srids=True,
                has_bytes=True,
            ),
            Kind(
                Op.VECTOR,
                lambda _d: (1, 0),
                _list_array,
                vectors_as_json,
                vectors_as_variant,
                has_bytes=True,
            ),
            Kind(Op.FIXED_BINARY, lambda _d: (0, MAX_FIXED_TEXT), has_bytes=True),
            Kind(Op.COMPRESSED_TEXT, is_apart=True, has_bytes=True, is_text=True),
        )
    }
)
