"""Copies events without checksums, for `events.decompressed_reader`."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import (
    CHANGES_FORMAT,
    CONTAINER,
    FIXED_HEADER,
    NEVER_IN_PAYLOAD,
    ROWS,
    TRAITS,
)
from pyspark_adapter.format.header import LEN_HEADER, OFS_LEN_EVENT, OFS_TYPE_CODE
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.crc32 import crc32
from pyspark_adapter.kernels.jit import helper
from pyspark_adapter.kernels.load import copy_bytes, load_u1, load_u4


@helper
def is_verified(traits, verify):
    """Return whether the checksum of an event is compared; `verify` is a `Verify`."""
    return verify == lay.Verify.ALL or (verify == lay.Verify.ALL_BUT_ROWS and traits & ROWS == 0)


def decompress(data, window_end, base_pos, fmt, state, out, origins):
    """Copy events from state[Copy.IN] on and return why it stopped, a `CopyStatus`.

    Args:
        data: window of the file.
        window_end: bytes of it that are filled.
        base_pos: offset of the window in the file.
        fmt: (NUM_FORMAT_FIELDS,) from the format description.
        state: (NUM_COPY_FIELDS,) kept by the caller and changed here.
        out: the new window. Checksums are verified and left out, except for the event that ends the
            window: it is copied as it is, unverified.
        origins: (NUM_ORIGIN_FIELDS, n), one column appended for each event.
    """
    len_checksum = fmt[lay.Format.LEN_CHECKSUM]
    verify = fmt[lay.Format.VERIFY] if len_checksum == 4 else np.int64(lay.Verify.NONE)
    while True:
        p = state[lay.Copy.IN]
        if p + LEN_HEADER > window_end:
            return lay.CopyStatus.MORE
        traits = TRAITS[load_u1(data, p + OFS_TYPE_CODE)]
        len_event = load_u4(data, p + OFS_LEN_EVENT)
        len_header = LEN_HEADER if traits & FIXED_HEADER != 0 else fmt[lay.Format.LEN_HEADER]
        if len_event < len_header + len_checksum or len_event > fmt[lay.Format.MAX_EVENT]:
            return lay.CopyStatus.BAD_LENGTH
        if p + len_event > window_end:
            return lay.CopyStatus.MORE
        n = state[lay.Copy.NUM_ORIGINS]
        if n >= origins.shape[1]:
            return lay.CopyStatus.FULL
        if traits & CONTAINER != 0:
            return lay.CopyStatus.CONTAINER
        is_last = traits & CHANGES_FORMAT != 0
        length = len_event if is_last else len_event - len_checksum
        o = state[lay.Copy.OUT]
        if o + length > out.size:
            state[lay.Copy.NEEDED] = length
            return lay.CopyStatus.FULL
        if not is_last and is_verified(traits, verify):
            if np.int64(crc32(data, p, p + length)) != load_u4(data, p + length):
                return lay.CopyStatus.BAD_CHECKSUM
        copy_bytes(data, p, length, out, o)
        for i in range(4):
            out[o + OFS_LEN_EVENT + i] = np.uint8((length >> (8 * i)) & 0xFF)
        origins[lay.Origin.OFFSET, n] = o
        origins[lay.Origin.START_POS, n] = base_pos + p
        origins[lay.Origin.INNER_POS, n] = -1
        state[lay.Copy.NUM_ORIGINS] = n + 1
        state[lay.Copy.OUT] = o + length
        state[lay.Copy.IN] = p + len_event
        if is_last:
            return lay.CopyStatus.LAST


def skip_inner_events(data, start, end, max_event):
    """Return where the whole events of a compressed transaction end, or an invalid one begins.

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
