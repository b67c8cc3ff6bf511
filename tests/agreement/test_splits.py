"""Splits of a log give together what a read of the whole gives, on every sample and the corpus."""

from pathlib import Path

import pytest

from tests.agreement.test_corpus import logs
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.support.splits import SplitLog

# Its servers number the events in another way, so that it is never split.
OLD_TYPE_CODES = "suite__binlog__std_data__ver_5_1-wl2325_r.001"
# Of a log that is split in a test that is not slow.
MOST_BYTES = 60_000


def assert_same(path: Path, sizes: list[int]) -> int:
    """Compare splits of several sizes with the whole; return the most that rows came from."""
    log = SplitLog(path)
    whole = log.whole()
    most = 0
    for size in sizes:
        splits = log.splits(size)
        most = max(most, len(splits))
        found = log.read(splits)
        assert found.rows == whole.rows, (path.name, size)
        # Where rows of a type cannot be decoded, each split with such rows says so.
        assert found.errors[:1] == whole.errors, (path.name, size)
    return most


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - UNREADABLE))
def test_sample(name: str) -> None:
    path = sample_path(name)
    size = path.stat().st_size
    assert assert_same(path, [max(700, size // 40), size // 3]) > 1


@pytest.mark.parametrize(
    "name", ["mysql-9.7-transactions", "mariadb-11.8-transactions", "mysql-9.7-tagged-gtids"]
)
def test_splits_of_few_bytes(name: str) -> None:
    """Of one byte, the least there is: each transaction has a split of its own."""
    path = sample_path(name)
    assert assert_same(path, [1]) >= assert_same(path, [257]) > 5


def test_corpus() -> None:
    most = 0
    for entry, path in logs(largest=MOST_BYTES):
        if path.name != OLD_TYPE_CODES and "encrypted" not in entry["labels"]:
            most = max(most, assert_same(path, [max(200, entry["size"] // 9)]))
    assert most > 5


@pytest.mark.slow
def test_larger_logs_of_the_corpus() -> None:
    for entry, path in logs():
        if entry["size"] > MOST_BYTES:
            assert_same(path, [entry["size"] // 20])
