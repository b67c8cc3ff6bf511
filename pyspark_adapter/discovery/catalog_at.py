"""The catalog at an offset of a log, from the statements before it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from pyspark_adapter.discovery.log_survey import follow_statements, range_between
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.sources.log_file import MAGIC, LogFile

# Returns the last offset of a log, at or before another, at which the catalog is known, and the
# catalog; None if there is none. The offset sys.maxsize is the end of the log.
FindCatalog = Callable[[LogFile, int], tuple[int, Catalog] | None]


def catalog_at(
    log_file: LogFile,
    pos: int,
    find_known: FindCatalog,
    earlier: Sequence[LogFile],
    options: BinlogOptions,
) -> Catalog:
    """Return the catalog at an offset of a log.

    Reads the statements since the last offset at which the catalog is known; if there is none, all
    earlier logs and this one up to the offset. An earlier log that cannot be read makes the catalog
    empty: no names are better than wrong ones.

    Args:
        log_file: the log.
        pos: offset where no transaction is open, in bytes.
        find_known: finds what is known.
        earlier: the logs before it, in order.
        options: of the read.

    Raises:
        BinlogError: if the log itself is damaged before the offset.
    """
    unread: list[LogFile] = []
    start, catalog = 0, Catalog()
    for log in (log_file, *reversed(earlier)):
        unread.append(log)
        known = find_known(log, pos if log is log_file else sys.maxsize)
        if known is not None:
            start, catalog = known
            break
    for log in reversed(unread[1:]):
        try:
            catalog = _catalog_after(log, start, None, catalog, options)
        except BinlogError:
            catalog = Catalog()
        start = 0
    return _catalog_after(log_file, start, pos, catalog, options)


def _catalog_after(
    log_file: LogFile, start: int, stop: int | None, catalog: Catalog, options: BinlogOptions
) -> Catalog:
    """Return the catalog after a range of a log, from the one before it."""
    start = max(start, len(MAGIC))
    if start >= (sys.maxsize if stop is None else stop):
        return catalog
    part = range_between(log_file, start, stop)
    return follow_statements(log_file, part, options, catalog).after
