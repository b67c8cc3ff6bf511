"""Errors of single logs that become warnings.

Options ignoreMissingFiles, ignoreCorruptFiles and failOnDataLoss.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark_adapter.errors import (
    BinlogError,
    CorruptEventError,
    DataLossError,
    LogFileError,
    NotABinlogError,
    TruncatedEventError,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.warn import warn


def is_ignored(error: BinlogError, options: BinlogOptions) -> bool:
    """Return whether the options say that an error ends only the read of its log."""
    is_missing = isinstance(error, LogFileError) and isinstance(error.__cause__, FileNotFoundError)
    if is_missing and options.ignore_missing_files:
        return True
    if isinstance(error, DataLossError) or is_missing:
        return not options.fail_on_data_loss
    is_damage = isinstance(error, (NotABinlogError, TruncatedEventError, CorruptEventError))
    return options.ignore_corrupt_files and is_damage


def warn_ignored(error: BinlogError, options: BinlogOptions) -> None:
    """Warn that a log, or the rest of it, is not read."""
    is_whole = isinstance(error, (LogFileError, NotABinlogError))
    warn_of(error, options, f"{'it' if is_whole else 'the rest of the log'} is skipped")


def warn_of(error: BinlogError, options: BinlogOptions, consequence: str) -> None:
    """Warn of an error, as the caller spells options, and of its consequence."""
    error.is_spelled = options.uses_spark_names
    warn(f"{error.problem}: {consequence}")


@contextmanager
def ignoring(options: BinlogOptions) -> Iterator[None]:
    """End the body with a warning instead of an error, if the options say so."""
    try:
        yield
    except BinlogError as error:
        if not is_ignored(error, options):
            raise
        warn_ignored(error, options)
