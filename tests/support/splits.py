"""Reads of all splits of a log, one after the other, beside the read of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pyspark_adapter import BinlogError
from pyspark_adapter.events.log_part import LogPart
from pyspark_adapter.log_search import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.reader import plan_read, read_log, read_part
from pyspark_adapter.splits.part_finder import PartFinder


@dataclass(frozen=True)
class Given:
    """Rows as text, since NaN is no value of a column and -0.0 == 0.0, and errors.

    Attributes:
        rows: with all metadata columns.
        errors: class and text of each.
    """

    rows: list[str]
    errors: list[tuple[type[BinlogError], str]]


class SplitLog:
    """A log that is read in splits and as a whole.

    Args:
        path: of the log.
        engine: that reads it.
    """

    def __init__(self, path: Path, engine: str = "kernels") -> None:
        [self._log_file] = find_log_files(path)
        self._options = BinlogOptions(engine=engine, metadata_columns=tuple(METADATA_BY_NAME))
        self._request = plan_read([self._log_file], self._options)
        self.num_bytes = self._log_file.num_bytes

    def whole(self) -> Given:
        """Return what a read of the whole log gives."""
        return _given([read_log(self._log_file, self._request)])

    def parts(self, num_bytes: int, reach: int) -> list[LogPart]:
        """Return the parts that splits of a size read; see `EventFinder` for the reach."""
        try:
            finder = PartFinder(self._log_file, num_bytes, self._options, reach)
        except BinlogError:
            return [LogPart(4)]  # as `plan_splits` does with a log whose first event is damaged
        try:
            parts = [finder.part(number) for number in range(finder.num_splits)]
        finally:
            finder.close()
        return [part for part in parts if part is not None]

    def read_parts(self, parts: list[LogPart]) -> Given:
        """Return what reads of the parts give, one after the other."""
        return _given([read_part(self._log_file, self._request, part) for part in parts])


def _given(reads: list[Iterator[pa.RecordBatch]]) -> Given:
    given = Given([], [])
    for read in reads:
        try:
            for batch in read:
                given.rows.extend(map(repr, batch.to_pylist()))
        except BinlogError as error:
            given.errors.append((type(error), str(error)))
    return given
