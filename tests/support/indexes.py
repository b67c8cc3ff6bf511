"""Indexes of logs in tests, and reads as text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import BinlogError, BinlogWarning, read_batches
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index.build_index import build_index
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.sources.log_file import LogFile

OPTIONS = BinlogOptions()


def log_at(path: Path) -> LogFile:
    [log_file] = find_log_files(path, OPTIONS)
    return log_file


def index_of(path: Path, step: int, stop: int | None = None) -> LogIndex:
    """Return the index of a log with blocks of any size."""
    index = build_index(log_at(path), OPTIONS, step=step, stop=stop)
    assert index is not None
    return index


def make_index(folder: Path, *paths: Path, step: int) -> Path:
    """Write the indexes of logs into a folder, and return it."""
    indexes = IndexFolder(folder, may_be_missing=True)
    for path in paths:
        indexes.write(index_of(path, step))
    return folder


def as_rows(batches: Iterable[pa.RecordBatch]) -> list[str]:
    """Return rows as text, since NaN is not equal to itself, and the class of an error at last."""
    rows: list[str] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            for batch in batches:
                rows.extend(map(repr, batch.to_pylist()))
    except BinlogError as error:
        rows.append(type(error).__name__)
    return rows


def rows_at(*paths: Path, **options: Any) -> list[str]:
    """Return the rows of a read as text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            batches = read_batches(list(paths), **options)
    except BinlogError as error:
        return [type(error).__name__]
    return as_rows(batches)
