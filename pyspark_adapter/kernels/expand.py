"""Copies events into a window without compression and checksums; see `events.expanded_reader`."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.crc32 import crc32
from pyspark_adapter.kernels.jit import helper, kernel
from pyspark_adapter.kernels.load import copy_bytes, load_u1, load_u4

_ROTATE, _FORMAT_DESCRIPTION, _PARTIAL_UPDATE_ROWS, _TRANSACTION_PAYLOAD = 4, 15, 39, 40


@helper
def is_container(type_code):
    """Tell whether the event holds other events, or rows or text that MariaDB compressed."""
    return type_code == _TRANSACTION_PAYLOAD or 165 <= type_code <= 171


@helper
def is_rows_event(type_code):
    """Tell whether the event holds rows in any form, read or not."""
    return (
        20 <= type_code <= 25
        or 30 <= type_code <= 32
        or type_code == _PARTIAL_UPDATE_ROWS
        or 166 <= type_code <= 171
    )


@helper
def is_verified(type_code, verify):
    """Tell whether the checksum of the event is to be compared, by one of the VERIFY_ codes."""
    return verify == lay.VERIFY_ALL or (
        verify == lay.VERIFY_ALL_BUT_ROWS and not is_rows_event(type_code)
    )


@helper
def ends_window(type_code):
    """Tell whether Python looks at the event before it is known how to read the next one.

    START_EVENT_V3, FORMAT_DESCRIPTION, START_ENCRYPTION, PARTIAL_ROW_DATA.
    """
    return type_code in (1, _FORMAT_DESCRIPTION, 164, 172)


@helper
def can_be_inner(type_code):
    """Tell whether it can stand within a compressed transaction; as `events.framing` has it."""
    return type_code not in (1, 3, 4, 15, 33, 34, 35, 40, 42) and type_code < 160


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
        if p + 19 > window_end:
            return lay.EXPAND_MORE
        type_code = load_u1(data, p + 4)
        len_event = load_u4(data, p + 9)
        len_header = fmt[lay.F_LEN_HEADER]
        if type_code == _ROTATE or type_code == _FORMAT_DESCRIPTION:
            len_header = np.int64(19)
        if len_event < len_header + len_checksum or len_event > fmt[lay.F_MAX_EVENT]:
            return lay.EXPAND_BAD_LENGTH
        if p + len_event > window_end:
            return lay.EXPAND_MORE
        n = state[lay.X_NUM_PLACES]
        if n >= places.shape[1]:
            return lay.EXPAND_FULL
        if is_container(type_code):
            return lay.EXPAND_CONTAINER
        is_last = ends_window(type_code)
        length = len_event if is_last else len_event - len_checksum
        o = state[lay.X_OUT]
        if o + length > out.size:
            state[lay.X_NEEDED] = length
            return lay.EXPAND_FULL
        if not is_last and is_verified(type_code, verify):
            if np.int64(crc32(data, p, p + length)) != load_u4(data, p + length):
                return lay.EXPAND_BAD_CHECKSUM
        copy_bytes(data, p, length, out, o)
        for i in range(4):
            out[o + 9 + i] = np.uint8((length >> (8 * i)) & 0xFF)
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
    while p + 19 <= end:
        length = load_u4(data, p + 9)
        if not 19 <= length <= max_event or not can_be_inner(load_u1(data, p + 4)):
            break
        if p + length > end:
            break
        p += length
    return p
