"""No log can choose keys that collide: the cost of a table id does not depend on the others."""

import struct
from pathlib import Path

import numpy as np
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.kernels.content_hash import hash_bytes
from pyspark_adapter.scan.table_map_cache import TableMapCache
from tests.support.compiled import callable_from_python
from tests.support.log_writer import TABLE_MAP, WRITE_V2, LoggedColumn, LogWriter

_FACTOR = 0x7F51AFD7ED558CCD  # odd, and below 2**63
NUM_IDS = 4096


def colliding_ids(count: int, num_bits: int) -> list[int]:
    """Return ids of 6 bytes whose hash, with a factor that is known, ends in the same bits."""
    numbers = np.random.default_rng(7)
    found: list[int] = []
    while len(found) < count:
        ids = numbers.integers(0, 1 << 48, 1 << 22, dtype=np.uint64)
        hashes = ids * np.uint64(_FACTOR) >> np.uint64(32)
        found += ids[hashes & np.uint64((1 << num_bits) - 1) == 0].tolist()
    return found[:count]


def bucket_counts(cache: TableMapCache, ids: list[int]) -> np.ndarray:
    mask = np.uint64(4 * len(ids) - 1)
    buckets = np.array(ids, dtype=np.uint64) * np.uint64(cache.salt) >> np.uint64(32) & mask
    return np.bincount(buckets.astype(np.int64))


def test_ids_that_collide_with_one_salt_do_not_with_another() -> None:
    ids = colliding_ids(1024, 12)
    cache = TableMapCache()
    cache.salt = _FACTOR
    assert bucket_counts(cache, ids).max() == 1024
    assert max(bucket_counts(TableMapCache(), ids).max() for _ in range(20)) < 64


@pytest.mark.parametrize("step", [1, 2**16, 2**20, 2**24, 2**32, 2**40, 2**36 + 2**20])
def test_ids_at_a_distance_are_spread(step: int) -> None:
    ids = [i * step % (1 << 48) for i in range(min(NUM_IDS, (1 << 48) // step))]
    for _ in range(10):
        # Ids of 48 bits, of which the bucket uses those from 32 on: 2**16 of them are left.
        assert bucket_counts(TableMapCache(), [*ids, *range(NUM_IDS - len(ids))]).max() <= 256


def test_salts_differ_and_are_odd() -> None:
    salts = {TableMapCache().salt for _ in range(20)}
    assert len(salts) == 20
    assert all(salt % 2 for salt in salts)


def test_the_kernels_use_the_salt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a known salt, chosen ids take far longer than others; so without one they would."""
    ids = colliding_ids(600, 13)

    def read(ids: list[int]) -> int:
        path = tmp_path / "log.000001"
        path.write_bytes(statement(ids))
        return sum(batch.num_rows for batch in read_batches(path))

    probes = {}
    caches: list[TableMapCache] = []
    init = TableMapCache.__init__
    for name in ("random", "known"):

        def begin(self: TableMapCache, name: str = name) -> None:
            init(self)
            if name == "known":
                self.salt = _FACTOR
            caches.append(self)

        caches.clear()
        monkeypatch.setattr(TableMapCache, "__init__", begin)
        assert read(ids) == len(ids)
        probes[name] = max(longest_run(cache) for cache in caches)
    assert probes["known"] > len(ids) / 2
    assert probes["random"] < 100


def test_contents_cannot_be_chosen_to_collide() -> None:
    """An odd factor leaves the highest bit of a word where it is: the next word could flip it back.

    Ten such pairs of words would be a thousand contents of one hash.
    """
    hash_of = callable_from_python(hash_bytes)
    pair = (1 << 63) | (1 << 63 | 1 << 31) << 64
    for salt in (TableMapCache().salt for _ in range(5)):
        contents = [
            b"".join(((k >> i & 1) * pair).to_bytes(16, "little") for i in range(10))
            for k in range(1024)
        ]
        arrays = (np.frombuffer(content, dtype=np.uint8) for content in contents)
        assert len({hash_of(array, 0, array.size, salt) for array in arrays}) == len(contents)


def longest_run(cache: TableMapCache) -> int:
    """Return the most buckets that a search looks at."""
    used = np.flatnonzero(cache.id_keys != -1)
    breaks = np.flatnonzero(np.diff(used) != 1)
    return int(np.diff([-1, *breaks, len(used) - 1]).max()) if len(used) else 0


def statement(ids: list[int]) -> bytes:
    """Return a log of one statement with a table map and a row for each id."""
    log = LogWriter(has_checksums=False)
    log.begin()
    start = len(log.data)
    log.table_map(1, "t", [LoggedColumn("a", 3)])
    body = bytes(log.data[start + 25 :])
    del log.data[start:]
    for table_id in ids:
        log.event(TABLE_MAP, table_id.to_bytes(6, "little") + body)
    for k, table_id in enumerate(ids):
        end = struct.pack("<HH", int(k + 1 == len(ids)), 2)
        log.event(WRITE_V2, table_id.to_bytes(6, "little") + end + b"\x01\xff\xfe\x05\0\0\0")
    log.commit()
    return bytes(log.data)
