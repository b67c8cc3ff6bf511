"""Where in a log the bytes may be the header of an event."""

from __future__ import annotations

from typing import Final

import numpy as np

from pyspark_adapter.events.transactions import ROWS_EVENTS
from pyspark_adapter.kernels.layout import HAS_POSITION, MAY_LACK_POSITION, NO_EVENT
from pyspark_adapter.schema import LEN_HEADER, EventType
from pyspark_adapter.splits.log_bytes import LogBytes

# A format description or the beginning of encryption within a log changes how the rest is read.
_NEVER: Final = frozenset(
    {EventType.start_v3, EventType.format_description, EventType.start_encryption}
)
# What MariaDB 11.4 and later write without a position, within a transaction.
_WITHOUT_POSITION: Final[frozenset[int]] = ROWS_EVENTS | {
    EventType.query,
    EventType.query_compressed,
    EventType.table_map,
    EventType.annotate_rows,
    EventType.intvar,
    EventType.rand,
    EventType.user_var,
    EventType.append_block,
    EventType.begin_load_query,
    EventType.execute_load_query,
    EventType.delete_file,
}

_Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]


def kinds_of_types(*, is_mariadb: bool) -> _Bytes:
    """Return for each of the 256 type codes one of the codes of `kernels.layout`."""
    kinds = np.zeros(256, dtype=np.uint8)
    kinds[[kind.value for kind in EventType if kind not in _NEVER]] = HAS_POSITION
    if is_mariadb:
        kinds[list(_WITHOUT_POSITION)] = MAY_LACK_POSITION
    return kinds


def find_candidates(
    log_bytes: LogBytes, start: int, end: int, kinds: _Bytes, least: int
) -> list[int]:
    """Return the offsets of a range where the bytes may be an event's header.

    Args:
        log_bytes: of the log.
        start: of the range.
        end: of the range, exclusive.
        kinds: see `kinds_of_types`.
        least: length of the shortest event.
    """
    length = end - start + LEN_HEADER - 1
    block, offset = log_bytes.block(start, length)
    data = np.frombuffer(block, dtype=np.uint8)[offset : offset + length]
    count = len(data) - LEN_HEADER + 1
    if count <= 0:
        return []
    # The lowest bytes of length and position tell of most offsets that they are none.
    offsets = np.resize(np.arange(start, start + 256).astype(np.uint8), count)
    is_likely = offsets + data[9 : 9 + count] == data[13 : 13 + count]
    if (kinds == MAY_LACK_POSITION).any():
        is_likely |= data[13 : 13 + count] == 0
    hits = np.flatnonzero(is_likely)
    hits = hits[kinds[data[hits + 4]] != NO_EVENT]
    lengths = _load_u4(data, hits + 9)
    positions = _load_u4(data, hits + 13)
    ends = start + hits + lengths
    agrees = positions == ends & 0xFFFFFFFF
    agrees |= (positions == 0) & (kinds[data[hits + 4]] == MAY_LACK_POSITION)
    fits = (lengths >= least) & (ends <= log_bytes.num_bytes)
    found: list[int] = (start + hits[fits & agrees]).tolist()
    return found


def _load_u4(
    data: _Bytes, offsets: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the little-endian u4 at each offset."""
    total = data[offsets].astype(np.int64)
    for k in (1, 2, 3):
        total |= data[offsets + k].astype(np.int64) << 8 * k
    return total
