"""The index of a log: its blocks add up to the log, and a read of some blocks lacks no row."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, read_batches
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index.build_index import build_index
from pyspark_adapter.index.log_index import LogIndex
from pyspark_adapter.index.wanted_blocks import ranges_of
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import Split
from pyspark_adapter.splits.plan_read import plan_read
from pyspark_adapter.splits.read_split import read_split
from tests.inputs import SAMPLES, UNREADABLE, sample_path

OPTIONS = BinlogOptions()
READABLE = sorted(set(SAMPLES) - UNREADABLE)
STEPS = (1, 1000, 1 << 20)


def log_of(path: Path) -> LogFile:
    [log_file] = find_log_files(path, OPTIONS)
    return log_file


def index_of(path: Path, step: int = 1) -> LogIndex | None:
    try:
        return build_index(log_of(path), OPTIONS, step=step)
    except UnsupportedError:
        return None


def rows_of(batches: Iterator[pa.RecordBatch]) -> list[str]:
    """Return rows as text, up to an error, with its class: NaN is not equal to itself."""
    rows: list[str] = []
    try:
        for batch in batches:
            rows.extend(map(repr, batch.to_pylist()))
    except BinlogError as error:
        rows.append(type(error).__name__)
    return rows


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", READABLE)
def test_blocks_one_by_one_give_the_rows_of_the_log(name: str, step: int) -> None:
    check_blocks(sample_path(name), step)


def check_blocks(path: Path, step: int) -> None:
    index = index_of(path, step)
    if index is None:
        return
    assert index.is_valid()
    log_file = log_of(path)
    request = plan_read([log_file], OPTIONS)
    whole = rows_of(read_batches(path))
    ranges = [
        pair
        for block in np.eye(index.num_blocks, dtype=bool)
        for pair in ranges_of(replace(log_file, num_bytes=index.indexed_to), index, block)
    ]
    if index.indexed_to < log_file.num_bytes:
        nothing = np.zeros(index.num_blocks, dtype=bool)
        ranges += ranges_of(log_file, index, nothing) if index.num_blocks else [(log_file, None)]
    parts = [row for pair in ranges for row in rows_of(read_split(Split(*pair), request))]
    assert parts == whole
