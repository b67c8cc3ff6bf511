"""The hash tables of the scan: table ids, and contents of table maps.

Both are open: `scan.table_map_cache` fills them by the same rules. Its salt is a random odd number,
without which a log could hold thousands of keys of one bucket, and take quadratic time.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import equal_bytes, load_u1, load_u8

_SEED = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xFF51AFD7ED558CCD)
_SHIFT = np.uint64(32)


@helper
def hash_bytes(data, start, end, salt):
    """Return a 64-bit hash of data[start:end].

    Each word is multiplied by the salt as well: without that, two words that differ in a few bits
    give the hash of two others, whatever the salt.
    """
    factor = np.uint64(salt)
    h = _SEED ^ factor
    p = start
    while p + 8 <= end:
        h = (h ^ np.uint64(load_u8(data, p))) * _FACTOR
        h = (h ^ h >> _SHIFT) * factor
        p += 8
    while p < end:
        h = (h ^ np.uint64(load_u1(data, p))) * _FACTOR
        p += 1
    return h ^ (h >> _SHIFT)


@inlined
def find_content(data, start, end, map_table, map_hashes, map_offsets, map_bytes, salt):
    """Return (slot, hash) of a table map content; slot -1 if it is not known."""
    wanted = hash_bytes(data, start, end, salt)
    mask = map_table.size - 1
    bucket = np.int64(wanted) & mask
    for _ in range(map_table.size):
        slot = map_table[bucket]
        if slot < 0:
            break
        offset = map_offsets[slot]
        if (
            map_hashes[slot] == wanted
            and map_offsets[slot + 1] - offset == end - start
            and equal_bytes(data, start, map_bytes, offset, end - start)
        ):
            return np.int64(slot), wanted
        bucket = (bucket + 1) & mask
    return np.int64(-1), wanted


@inlined
def find_id(table_id, id_keys, salt):
    """Return the bucket of a table id, or the free one where it belongs."""
    mask = id_keys.size - 1
    bucket = np.int64(np.uint64(table_id) * np.uint64(salt) >> _SHIFT) & mask
    for _ in range(id_keys.size):
        if id_keys[bucket] == table_id or id_keys[bucket] == -1:
            break
        bucket = (bucket + 1) & mask
    return bucket
