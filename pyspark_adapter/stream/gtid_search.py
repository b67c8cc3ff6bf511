"""Where the logs of a directory continue after some transactions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from pyspark_adapter.errors import DataLossError, EventSite
from pyspark_adapter.events.log_start import LogStart, read_log_start
from pyspark_adapter.events.logged_gtids import LoggedGtids
from pyspark_adapter.format.schema import parse_format_description
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.sources.log_file import MAGIC, LogFile
from pyspark_adapter.splits.transaction_bounds import TransactionBounds


def transactions_of(logs: Sequence[LogFile], options: BinlogOptions) -> GtidPosition | None:
    """Return the transactions in some logs and before them; None if they have no GTIDs.

    Args:
        logs: in order; the last one is read to its end.
        options: of the read.

    Raises:
        BinlogError: if a log cannot be read.
    """
    for log_file in reversed(logs):
        start = read_log_start(log_file)
        if start is not None:
            gtids, bounds = _followed(start, options)
            for _ in bounds.find(log_file):
                gtids.move(bounds.position)
            return gtids.before(bounds.position)
    return None


def log_after(
    logs: Sequence[LogFile], delivered: GtidPosition, options: BinlogOptions, site: EventSite
) -> LogFile | None:
    """Return the newest log that all transactions missing from a set are in or after.

    Returns:
        None if there is no log yet.

    Raises:
        DataLossError: if the logs lack some of the set, or do not reach back to it.
        BinlogError: if a log cannot be read.
    """
    there = [log for log in logs if log.num_bytes > len(MAGIC)]
    if not there:
        return None
    theirs = transactions_of(there, options)
    if theirs is None:
        raise DataLossError(
            "the logs of another server have no GTIDs, so that it is not known where they continue",
            site=site,
        )
    lacking = delivered.minus(theirs)

    def begins_later(log_file: LogFile) -> bool:
        before = _before(log_file)
        return before is None or bool(before.minus(delivered))

    # A set holds those of all logs before.
    index = bisect_right(there, False, key=begins_later) - 1
    if index < 0 and not lacking:
        before = _before(there[0])
        raise DataLossError(
            "the logs of another server begin after transactions that were not delivered:"
            f" {before.minus(delivered).text if before else 'their names are not known'}",
            site=there[0].site,
        )
    if not lacking:
        lacking = _absent(there[index], delivered, options)
    if lacking:
        raise DataLossError(
            f"the logs of another server lack transactions that the stream has delivered:"
            f" {lacking.text}",
            site=site,
            advice="let the server replicate them, and copy its logs; with option"
            " failOnDataLoss=false the stream continues with what they have",
        )
    return there[index]


def _before(log_file: LogFile) -> GtidPosition | None:
    start = read_log_start(log_file)
    return None if start is None else start.gtids


def _followed(start: LogStart, options: BinlogOptions) -> tuple[LoggedGtids, TransactionBounds]:
    event = start.format_event
    description = parse_format_description(event, verify=options.verify_checksums)
    gtids = LoggedGtids(description, start.gtids)
    return gtids, TransactionBounds(description, len(MAGIC), options, gtids=gtids)


def _absent(log_file: LogFile, delivered: GtidPosition, options: BinlogOptions) -> GtidPosition:
    """Return the last ones of a set's domains that are neither in a log of MariaDB nor before it.

    The log may continue with another transaction of the same number.
    """
    start = read_log_start(log_file)
    before = start.gtids.last if start is not None and start.gtids is not None else {}
    left = {domain: last for domain, last in delivered.last.items() if before.get(domain) != last}
    if start is not None and left:
        gtids, bounds = _followed(start, options)
        for _ in bounds.find(log_file):
            left = {domain: last for domain, last in left.items() if not gtids.names(domain, *last)}
            gtids.move(bounds.position)
    return GtidPosition(last=left)
