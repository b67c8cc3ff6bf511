"""Arrow arrays of buffers that are filled already, without a copy, and of few Python texts.

`pa.array` and `pa.scalar` import pandas if it is installed, which takes 0.3 s. Reads do without.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from pyspark_adapter.kernels.layout import Numbers


def number_array(values: Numbers, is_null: Numbers | None = None) -> pa.Array:
    """Return integers, or truth values; the array keeps them.

    Args:
        values: (n,) integers, or booleans.
        is_null: (n,) which ones are null; None for none of them.
    """
    if values.dtype == np.bool_:
        arrow_type, data = pa.bool_(), np.packbits(values, bitorder="little")
    else:
        arrow_type, data = pa.from_numpy_dtype(values.dtype), np.ascontiguousarray(values)
    validity = None if is_null is None else pa.py_buffer(np.packbits(~is_null, bitorder="little"))
    return pa.Array.from_buffers(arrow_type, len(values), [validity, pa.py_buffer(data)])


def text_array(texts: Sequence[str | None]) -> pa.Array:
    """Return few texts as an array."""
    data = [b"" if text is None else text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, data)], dtype=np.int32)
    validity = None
    if None in texts:
        is_there = np.array([text is not None for text in texts])
        validity = pa.py_buffer(np.packbits(is_there, bitorder="little"))
    buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(b"".join(data))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


def text_scalar(text: str) -> pa.Scalar:
    """Return a text as Arrow's functions take it."""
    return text_array([text])[0]


def valid_of(values: pa.Array) -> Numbers:
    """Return which of n values are not null, as n booleans."""
    bits = values.buffers()[0]
    if bits is None:
        return np.ones(len(values), dtype=np.bool_)
    flags = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")
    return flags[values.offset : values.offset + len(values)].astype(np.bool_)


def text_buffers(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return the offsets of n texts, n + 1 int32 at least, and the uint8 that they are in."""
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets or bytes(4), dtype=np.int32)[texts.offset :]
    return starts, np.frombuffer(data or b"", dtype=np.uint8)


def joined(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Return record batches, at least one, as one. `pa.concat_batches` needs PyArrow 19."""
    if len(batches) == 1:
        return batches[0]
    table = pa.Table.from_batches(batches).combine_chunks()
    return next(iter(table.to_batches()), batches[0])
