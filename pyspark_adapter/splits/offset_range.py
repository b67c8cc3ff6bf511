"""A range of the offsets of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.transaction_bounds import Cut


@dataclass(frozen=True)
class OffsetRange:
    """A range of a log at whose ends no transaction is open.

    Attributes:
        start: offset of its first event; 4 at the beginning of the log.
        stop: offset after its last event; None for the end of the file.
        log_id: identity of the log, see `log_id_of`; empty for whatever log has its name.
        stops_at_gtid: see `ReadRange`.
        cuts: where it may be split, in order; None if that is not known.
        skipped: transactions that are left out, since another server delivered them; None for none.
        only: the transactions that are returned; None for all.
        allowed: see `ReadRange`.
    """

    start: int
    stop: int | None = None
    log_id: str = ""
    stops_at_gtid: bool = True
    cuts: Sequence[Cut] | None = field(default=None, repr=False, compare=False)
    skipped: GtidSet | None = None
    only: GtidSet | None = None
    allowed: GtidSet | None = None

    def num_bytes(self, log_file: LogFile) -> int:
        """Return the bytes of the range, at the size that the log had when it was found."""
        return (log_file.num_bytes if self.stop is None else self.stop) - self.start

    @property
    def is_narrowed(self) -> bool:
        """Whether some of its transactions are left out."""
        return self.skipped is not None or self.only is not None

    def narrowed(self, options: BinlogOptions) -> BinlogOptions:
        """Return the options of a read of the range: without transactions that are left out."""
        skipped, only = self.skipped, self.only
        if skipped is not None:
            options = replace(
                options, exclude_gtids=skipped.union(options.exclude_gtids or GtidSet(()))
            )
        if only is not None:
            wanted = options.include_gtids
            options = replace(
                options, include_gtids=only if wanted is None else wanted.intersection(only)
            )
        return options
