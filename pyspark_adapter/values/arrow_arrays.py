"""Arrow arrays of buffers that are filled already, without a copy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa


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


def text_buffers(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return the offsets of n texts, n + 1 int32 at least, and the uint8 that they are in."""
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets or bytes(4), dtype=np.int32)[texts.offset :]
    return starts, np.frombuffer(data or b"", dtype=np.uint8)


def plain_array(arrow_type: pa.DataType, buffers: ColumnBuffers) -> pa.Array:
    """Return an array of values of one width, or of text or bytes."""
    of_bytes = [buffers.values] if buffers.offsets is None else [buffers.offsets, buffers.values]
    return pa.Array.from_buffers(
        arrow_type, buffers.num_rows, [buffers.validity, *of_bytes], buffers.num_nulls
    )


def geometry_array(arrow_type: pa.DataType, buffers: ColumnBuffers) -> pa.Array:
    """Return structs of an SRID and the WKB."""
    n = buffers.num_rows
    assert buffers.srids is not None
    srids = np.frombuffer(buffers.srids, np.int64, n)
    children = [
        pa.array(srids, mask=srids < 0),
        pa.Array.from_buffers(pa.binary(), n, [None, buffers.offsets, buffers.values]),
    ]
    return pa.Array.from_buffers(
        arrow_type, n, [buffers.validity], buffers.num_nulls, children=children
    )


def list_array(arrow_type: pa.DataType, buffers: ColumnBuffers) -> pa.Array:
    """Return lists of values of one width."""
    n = buffers.num_rows
    assert buffers.offsets is not None
    num_values = int(np.frombuffer(buffers.offsets, np.int32)[n])
    values = pa.Array.from_buffers(arrow_type.value_type, num_values, [None, buffers.values])
    return pa.Array.from_buffers(
        arrow_type,
        n,
        [buffers.validity, buffers.offsets],
        buffers.num_nulls,
        children=[values],
    )
