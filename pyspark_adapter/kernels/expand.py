"""Copies events into a window without compression and checksums; see `events.expanded_reader`."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import (
    CONTAINER,
    FIXED_HEADER,
    LEFT_TO_PYTHON,
    NEVER_IN_PAYLOAD,
    ROWS,
    TRAITS,
)
from pyspark_adapter.format.header import LEN_HEADER, OFS_LEN_EVENT, OFS_TYPE_CODE
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.crc32 import crc32
from pyspark_adapter.kernels.jit import helper, kernel
from pyspark_adapter.kernels.load import copy_bytes, load_u1, load_u4


@helper
def is_verified(traits, verify):
    """Tell whether the checksum of the event is to be compared, by one of the VERIFY_ codes."""
    return verify == lay.VERIFY_ALL or (verify == lay.VERIFY_ALL_BUT_ROWS and traits & ROWS == 0)


@kernel("int64(uint8[::1], int64, int64, int64[::1], int64[::1], uint8[::1], int64[:, ::1])")
def expand(data, window_end, base_pos, fmt, state, out, places):
    """Copy events from state[X_IN] on and return why it stopped, one of the EXPAND_ codes.

    Args:
        data: window of the file.
        window_end: bytes of it that are filled.
        base_pos: offset of the window in the file.
        fmt: (NUM_FORMAT_FIELDS,) from the format description.
        state: (NUM_EXPAND_FIELDS,) kept by the caller and changed here.
        out: where the events go, their checksums left out, once verified. Those that end the window
            are copied as they are, unverified.
        places: (NUM_PLACE_FIELDS, n), one column appended for each event.
    """
    len_checksum = fmt[lay.F_LEN_CHECKSUM]
    verify = fmt[lay.F_VERIFY] if len_checksum == 4 else np.int64(lay.VERIFY_NONE)
    while True:
        p = state[lay.X_IN]
        if p + LEN_HEADER > window_end:
            return lay.EXPAND_MORE
        traits = TRAITS[load_u1(data, p + OFS_TYPE_CODE)]
        len_event = load_u4(data, p + OFS_LEN_EVENT)
        len_header = LEN_HEADER if traits & FIXED_HEADER != 0 else fmt[lay.F_LEN_HEADER]
        if len_event < len_header + len_checksum or len_event > fmt[lay.F_MAX_EVENT]:
            return lay.EXPAND_BAD_LENGTH
        if p + len_event > window_end:
            return lay.EXPAND_MORE
        n = state[lay.X_NUM_PLACES]
        if n >= places.shape[1]:
            return lay.EXPAND_FULL
        if traits & CONTAINER != 0:
            return lay.EXPAND_CONTAINER
        is_last = traits & LEFT_TO_PYTHON != 0
        length = len_event if is_last else len_event - len_checksum
        o = state[lay.X_OUT]
        if o + length > out.size:
            state[lay.X_NEEDED] = length
            return lay.EXPAND_FULL
        if not is_last and is_verified(traits, verify):
            if np.int64(crc32(data, p, p + length)) != load_u4(data, p + length):
                return lay.EXPAND_BAD_CHECKSUM
        copy_bytes(data, p, length, out, o)
        for i in range(4):
            out[o + OFS_LEN_EVENT + i] = np.uint8((length >> (8 * i)) & 0xFF)
        places[lay.P_OFFSET, n] = o
        places[lay.P_START_POS, n] = base_pos + p
        places[lay.P_INNER_POS, n] = -1
        state[lay.X_NUM_PLACES] = n + 1
        state[lay.X_OUT] = o + length
        state[lay.X_IN] = p + len_event
        if is_last:
            return lay.EXPAND_LAST


@kernel("int64(uint8[::1], int64, int64, int64)")
def walk_inner(data, start, end, max_event):
    """Return where the whole events of a compressed transaction end, or one that cannot be begins.

    Args:
        data: decompressed bytes.
        start, end: where in them the first event begins, and how far they reach.
        max_event: bytes of the largest event that is read.
    """
    p = start
    while p + LEN_HEADER <= end:
        length = load_u4(data, p + OFS_LEN_EVENT)
        if not LEN_HEADER <= length <= max_event:
            break
        if TRAITS[load_u1(data, p + OFS_TYPE_CODE)] & NEVER_IN_PAYLOAD != 0:
            break
        if p + length > end:
            break
        p += length
    return p
