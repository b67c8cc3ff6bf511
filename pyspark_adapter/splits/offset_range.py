"""A range of the offsets of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

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
    """

    start: int
    stop: int | None = None
    log_id: str = ""
    stops_at_gtid: bool = True
    cuts: Sequence[Cut] | None = field(default=None, repr=False, compare=False)

    def num_bytes(self, log_file: LogFile) -> int:
        """Return the bytes of the range, at the size that the log had when it was found."""
        return (log_file.num_bytes if self.stop is None else self.stop) - self.start
