"""A log of more than 4 GiB: its headers have the lower 32 bits of positions alone.

MySQL ends a log at `max_binlog_size`, at most 1 GiB, but only between transactions.
"""

from collections.abc import Iterator
from itertools import pairwise

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogOptions, BinlogOptionsDict, TableName, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.splits import log_splits
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from tests.support.sparse_logs import TABLE, SparseLog, write_sparse_log

pytestmark = pytest.mark.slow

GIB = 1 << 30
LEN_VALUE = 1_000_000
SPLIT = 640 << 20
LOG_NUMBER = 7
# Without the values: these are found and left alone, and their checksums are verified.
SCHEMA = pa.schema(
    [("id", pa.int32()), ("_commit_version", pa.int64()), ("_start_pos", pa.int64())]
)


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparseLog]:
    """Give a log whose positions begin anew within it, and which takes a few MB of the disk."""
    path = tmp_path_factory.mktemp("huge") / f"binlog.{LOG_NUMBER:06}"
    log = write_sparse_log(path, 4 * GIB + 300_000_000, LEN_VALUE)
    assert path.stat().st_size == log.num_bytes > 4 * GIB
    assert path.stat().st_blocks * 512 < 100_000_000
    yield log
    path.unlink()


@pytest.fixture(autouse=True)
def _one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the number of splits follow from the size alone."""
    monkeypatch.setattr(log_splits, "num_cores", lambda: 1)


def part_of(log: SparseLog) -> int:
    """Return the bytes of each split."""
    num_bytes = log.num_bytes - 4
    return -(-num_bytes // -(-num_bytes // SPLIT))


def test_splits_of_a_log_of_more_than_4_gib_give_each_row_once(huge: SparseLog) -> None:
    options = BinlogOptions(
        table=TableName.parse(TABLE), max_partition_bytes=SPLIT, on_statement_events="error"
    )
    [log_file] = find_log_files(huge.path)
    request = plan_read([log_file], options, SCHEMA)
    splits = plan_splits([(log_file, None)], request)
    assert len(splits) == -(-huge.num_bytes // SPLIT)
    counts = []
    rows: list[dict[str, int]] = []
    for split in splits:
        before = len(rows)
        rows += [row for batch in read_split(split, request) for row in batch.to_pylist()]
        counts.append(len(rows) - before)
    assert [row["id"] for row in rows] == list(range(len(huge.starts)))
    version = LOG_NUMBER << 40
    assert [row["_commit_version"] - version for row in rows] == list(huge.starts)
    for row, (start, end) in zip(rows, pairwise([*huge.starts, huge.num_bytes]), strict=True):
        assert start < row["_start_pos"] < end - LEN_VALUE
    assert min(counts) >= part_of(huge) // (LEN_VALUE + 1000) - 1


def test_a_split_after_4_gib_begins_with_the_next_transaction(huge: SparseLog) -> None:
    [log_file] = find_log_files(huge.path)
    options = BinlogOptions(table=TableName.parse(TABLE), max_partition_bytes=SPLIT)
    splits = plan_splits([(log_file, None)], plan_read([log_file], options, SCHEMA))
    for number, split in enumerate(splits[1:], 1):
        assert split.start == next(pos for pos in huge.starts if pos >= 4 + number * part_of(huge))


def test_rows_after_4_gib_have_their_positions(huge: SparseLog) -> None:
    """In the last split alone."""
    [log_file] = find_log_files(huge.path)
    options = BinlogOptions(table=TableName.parse(TABLE), max_partition_bytes=SPLIT)
    request = plan_read([log_file], options, SCHEMA)
    split = plan_splits([(log_file, None)], request)[-1]
    expected = [(k, pos) for k, pos in enumerate(huge.starts) if pos >= split.start]
    assert expected[-1][1] > 4 * GIB
    rows = [row for batch in read_split(split, request) for row in batch.to_pylist()]
    version = LOG_NUMBER << 40
    assert [(row["id"], row["_commit_version"] - version) for row in rows] == expected


def test_a_position_behind_4_gib_is_found(huge: SparseLog) -> None:
    start = huge.starts[-100]
    assert start > 4 * GIB
    place = f"{huge.path.name}:{start}"
    options: BinlogOptionsDict = {"table": TABLE, "starting_position": place}
    batches = read_batches(huge.path, schema=SCHEMA, **options)
    ids = [row["id"] for batch in batches for row in batch.to_pylist()]
    assert ids == [*range(len(huge.starts))][-100:]
