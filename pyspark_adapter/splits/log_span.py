"""What is asked for of a log: a range of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark_adapter.definitions.log_definitions import LogDefinitions


@dataclass(frozen=True)
class LogSpan:
    """A range of a log at whose ends no transaction is open.

    Attributes:
        start: offset of its first event; 4 at the beginning of the log.
        stop: offset behind its last event; None for the end of the file.
        log_id: identity of the log, see `log_id_of`; empty for whatever log has its name.
        definitions: what is defined along it, or at its start alone; None if it is not known.
    """

    start: int
    stop: int | None = None
    log_id: str = ""
    definitions: LogDefinitions | None = field(default=None, repr=False, compare=False)
