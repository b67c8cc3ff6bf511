"""The range of a log that one reader goes over."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark_adapter.options.gtid_set import GtidSet


@dataclass(frozen=True)
class ReadRange:
    """Which bytes of a log are read: from the start of a transaction to that of another.

    Attributes:
        start: offset of the first event; 4 at the beginning of the log.
        stop: offset of the event to stop before; None for the end of the file.
        format_event: the format description of the log, for a range that does not begin with it.
        stops_at_gtid: whether the event at `stop` names a transaction, and so begins one in any
            case; else a transaction has to end there.
        first_event: of the log that is meant, which is compared when the log is opened; empty if
            that was done.
        allowed: the transactions that it may have, others are an error; None for any.
    """

    start: int
    stop: int | None = None
    format_event: bytes = b""
    stops_at_gtid: bool = False
    first_event: bytes = b""
    allowed: GtidSet | None = None
