"""Ranges of a log: what is asked for of it, and what is read of it at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark_adapter.definitions.catalog import Catalog


@dataclass(frozen=True)
class LogSpan:
    """A range of a log at whose ends no transaction is open.

    Attributes:
        start: offset of its first event; 4 at the beginning of the log.
        stop: offset behind its last event; None for the end of the file.
        log_id: identity of the log, see `log_id_of`; empty for whatever log has its name.
        catalog: what is defined at the start; None if it is not known.
    """

    start: int
    stop: int | None = None
    log_id: str = ""
    catalog: Catalog | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class LogPart:
    """Which bytes of a log are read at once: from the start of a transaction to that of another.

    Attributes:
        start: offset of the first event; 4 at the beginning of the log.
        stop: offset of the event before which the part ends; None for the end of the file.
        format_event: the format description of the log, for a part that does not begin with it.
        stops_at_gtid: whether the event at `stop` names a transaction, which begins one whatever
            stands before it; else a transaction has to end there.
    """

    start: int
    stop: int | None = None
    format_event: bytes = b""
    stops_at_gtid: bool = False
