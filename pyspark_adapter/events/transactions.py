"""Which transaction an event belongs to.

`kernels.transaction_state` has the rules; `kernels.scan` follows them too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pyspark_adapter.events.event_errors import check_end_of_database
from pyspark_adapter.events.frame import Frame
from pyspark_adapter.format.event_types import GTID_EVENTS
from pyspark_adapter.format.gtid import format_mariadb_gtid, format_mysql_gtid, read_tagged_gtid
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels.layout import Tx
from pyspark_adapter.kernels.transaction_state import (
    MARKS,
    OPENS,
    Mark,
    mark_of_statement,
    next_state,
)


@dataclass(slots=True)
class Transaction:
    """A group of events that was committed as one.

    Attributes:
        start_pos: offset of its first event in the file.
        commit_micros: commit time where logged, else the header time of the first event, in
            microseconds since 1970-01-01 UTC.
        gtid: its name as the server prints it; None if it has no name.
        num_bytes: of all its events in the file, as GTIDs of MySQL say; None without one, and of
            those that `TransactionTracker` follows.
    """

    start_pos: int
    commit_micros: int
    gtid: str | None = None
    num_bytes: int | None = None


# Events that `follow` takes parsed.
PARSED_EVENTS: Final = GTID_EVENTS | {EventType.query}

_XA_START: Final = b"XA START "


def xid_of_statement(text: bytes) -> str | None:
    """Return the name of a distributed transaction from the XA START that begins it, else None.

    Servers write the name in one form, whatever the client sent.

    >>> xid_of_statement(b"XA START X'6731',X'',1")
    "X'6731',X'',1"

    Source: `serialize_xid` of the server's `sql/xa_aux.h`, MySQL 5.7.
    """
    if not text.startswith(_XA_START):
        return None
    return text[len(_XA_START) :].decode(errors="backslashreplace")


def xid_of_gtid(body: Any) -> str | None:
    """Return the name of the distributed transaction that a GTID event of MariaDB begins, or None.

    In the form of `xid_of_statement`.
    """
    return xid_of_event(body) if body.is_prepared_xa else None


def xid_of_event(body: Any) -> str:
    """Return the name that an event gives to a distributed transaction, as `xid_of_statement`."""
    xid = body.xid
    return f"X'{xid.gtrid.hex()}',X'{xid.bqual.hex()}',{xid.format_id}"


class TransactionTracker:
    """Follows the transactions of one log, event by event."""

    def __init__(self) -> None:
        self._state: int = Tx.CLOSED
        self._current: Transaction | None = None

    @property
    def current(self) -> Transaction:
        """The transaction of the event followed last; only defined for events within one."""
        assert self._current is not None
        return self._current

    @property
    def latest(self) -> Transaction | None:
        """The transaction that was opened last; None before the first."""
        return self._current

    @property
    def is_open(self) -> bool:
        """Whether the next event belongs to it, unless it opens another."""
        return self._state != Tx.CLOSED

    def follow(self, frame: Frame, parsed: Any) -> None:
        """Take the next event.

        Args:
            parsed: the frame by the generated parser, for the PARSED_EVENTS.
        """
        kind = frame.type_code
        if kind == EventType.transaction_payload:
            return  # its events follow
        mark = MARKS[kind]
        if kind == EventType.query:
            text = bytes(parsed.body.query)
            check_end_of_database(frame.body, len(text))
            mark = mark_of_statement(text, 0, len(text))
        elif kind == EventType.mariadb_gtid and not parsed.body.is_standalone:
            mark = Mark.NAME_AND_BEGIN
        state = next_state(self._state, mark)
        if state & OPENS:
            self._current = Transaction(frame.start_pos, frame.timestamp * 1_000_000)
        self._state = state & ~OPENS
        if kind in GTID_EVENTS:
            self._name(frame, parsed.body)

    def end_statement(self) -> None:
        """End the statement of the rows event followed last."""
        self._state = next_state(self._state, Mark.STATEMENT_END)

    def _name(self, frame: Frame, body: Any) -> None:
        current = self.current
        if frame.type_code == EventType.mariadb_gtid:
            current.gtid = format_mariadb_gtid(body.domain_id, frame.server_id, body.seq_no)
        elif frame.type_code == EventType.gtid_tagged:
            current.gtid, current.commit_micros, _ = read_tagged_gtid(body)
        else:
            if frame.type_code == EventType.gtid:
                current.gtid = format_mysql_gtid(bytes(body.source_uuid), body.gno)
            if body.has_commit_timestamps:
                current.commit_micros = body.immediate_commit_timestamp.micros
