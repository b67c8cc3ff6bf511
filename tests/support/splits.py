"""Reads of all splits of a log, one after the other, and the read of the whole."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import BinlogError, BinlogWarning
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.splits.log_splits import OffsetRange, Split, plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_log, read_split


def options_for(num_bytes: int, **options: Any) -> BinlogOptions:
    """Return options for splits of any size, also of less than the option allows."""
    made = BinlogOptions(**{"metadata_columns": tuple(METADATA_BY_NAME), **options})
    object.__setattr__(made, "max_partition_bytes", num_bytes)
    return made


@dataclass(frozen=True)
class Given:
    """Rows as text, since NaN is no value of a column and -0.0 == 0.0, and errors."""

    rows: list[str]
    errors: list[tuple[type[BinlogError], str]]


class SplitLog:
    """A log that is read in splits and as a whole."""

    def __init__(self, path: Path, **options: Any) -> None:
        [self._log_file] = find_log_files(path, BinlogOptions(**options))
        self._options = options
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            self._request = plan_read([self._log_file], options_for(1, **options))

    def whole(self) -> Given:
        """Return what a read of the whole log gives."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            return _given([read_log(self._log_file, self._request)])

    def splits(self, num_bytes: int) -> list[Split]:
        """Return the splits of a size; those of a stream, which has no range of an empty log."""
        request = self._request.narrowed(options_for(num_bytes, **self._options))
        start = len(MAGIC)
        ranges = [(self._log_file, OffsetRange(start))]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            return plan_splits(ranges if self._log_file.num_bytes > start else [], request)

    def read(self, splits: list[Split]) -> Given:
        """Return what reads of splits give, one after the other."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            return _given([read_split(split, self._request) for split in splits])


def _given(reads: list[Iterator[pa.RecordBatch]]) -> Given:
    given = Given([], [])
    for read in reads:
        try:
            for batch in read:
                given.rows.extend(map(repr, batch.to_pylist()))
        except BinlogError as error:
            given.errors.append((type(error), str(error)))
    return given
