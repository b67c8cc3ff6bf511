"""Lengths of events, from their headers."""

from __future__ import annotations

from pyspark_adapter.format.header import OFS_LEN_EVENT
from pyspark_adapter.kernels.jit import kernel
from pyspark_adapter.kernels.load import load_u4


@kernel("void(uint8[::1], int64[::1], int64[::1])")
def fill_lengths(data, offsets, lengths):
    """Fill in the lengths of events, headers and checksums included.

    Args:
        data: the window.
        offsets: (n,) of the events in it.
        lengths: (n,) filled.
    """
    for k in range(lengths.size):
        lengths[k] = load_u4(data, offsets[k] + OFS_LEN_EVENT)
