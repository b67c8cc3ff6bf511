"""Texts that rows have in common, such as the name of their transaction, as an Arrow column."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import kernel
from pyspark_adapter.kernels.load import copy_bytes


@kernel(
    "int64(int64[::1], Array(int32, 1, 'C', readonly=True), Array(uint8, 1, 'C', readonly=True),"
    " int32[::1], uint8[::1])"
)
def repeat_texts(indexes, text_offsets, texts, offsets, out):
    """Write a text for each row and return the bytes written.

    Args:
        indexes: (n,) the text of each row.
        text_offsets: (number of texts + 1,) Arrow offsets.
        texts: their bytes; what is not within LEN_COPY bytes of the end is copied faster.
        offsets: (n + 1,) Arrow offsets, filled.
        out: their bytes, filled; with LEN_COPY spare ones.
    """
    o = np.int64(0)
    offsets[0] = 0
    for i in range(indexes.size):
        k = indexes[i]
        start = np.int64(text_offsets[k])
        length = np.int64(text_offsets[k + 1]) - start
        copy_bytes(texts, start, length, out, o)
        o += length
        offsets[i + 1] = o
    return o
