"""Which transaction an event belongs to.

MySQL writes `GTID`, `QUERY BEGIN`, rows, `XID`; without GTIDs the `BEGIN` comes first; MariaDB
writes its GTID in place of the `BEGIN`; DDL is a GTID and one `QUERY`; logs of MySQL 5.1 can hold
rows with neither. `kernels.scan` follows the same rules for the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.frame import Frame
from pyspark_adapter.events.gtid import format_mariadb_gtid, format_mysql_gtid, format_tagged_gtid
from pyspark_adapter.format.event_types import (
    ENDS,
    ENDS_LOG,
    GTID_EVENTS,
    IN_TRANSACTION,
    NAMES,
    TRAITS,
)
from pyspark_adapter.schema import EventType


@dataclass(slots=True)
class Transaction:
    """A group of events that was committed as one.

    Attributes:
        start_pos: offset of its first event in the file.
        commit_micros: commit time where logged, else the header time of the first event, in
            microseconds since 1970-01-01 UTC.
        gtid: its name as the server prints it; None if it has none.
        xid: its name as a distributed transaction (XA), see `xid_of_statement`; None if it is none.
        has_rows: whether it has rows events so far.
        num_rows: row changes counted so far.
        uncounted: why row changes could not be counted from some event on.
    """

    start_pos: int
    commit_micros: int
    gtid: str | None = None
    xid: str | None = None
    has_rows: bool = False
    num_rows: int = 0
    uncounted: BinlogError | None = None


class _State(Enum):
    CLOSED = 0
    NAMED = 1  # a GTID was seen; a BEGIN or a single statement follows
    OPEN = 2  # until XID, COMMIT, ROLLBACK or XA PREPARE
    IMPLICIT = 3  # without a BEGIN: until the end of the statement


END_TEXTS: Final = (b"COMMIT", b"ROLLBACK")

# Events that `follow` has to see parsed.
PARSED_EVENTS: Final = GTID_EVENTS | {EventType.query}

_BEGINS: Final = (b"BEGIN",)
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
    if not body.is_prepared_xa:
        return None
    xid = body.xid
    return f"X'{xid.gtrid.hex()}',X'{xid.bqual.hex()}',{xid.format_id}"


class TransactionTracker:
    """Follows the transactions of one log, event by event."""

    def __init__(self) -> None:
        self._state = _State.CLOSED
        self._current: Transaction | None = None
        self._last_type = 0

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
        return self._state is not _State.CLOSED

    @property
    def is_unfinished(self) -> bool:
        """Whether the log so far ends inside a transaction that has changed rows."""
        return self.has_open_rows and not TRAITS[self._last_type] & ENDS_LOG

    @property
    def has_open_rows(self) -> bool:
        """Whether a transaction is open that has changed rows."""
        return self._state is _State.OPEN and self.current.has_rows

    def follow(self, frame: Frame, parsed: Any) -> None:
        """Take the next event.

        Args:
            frame: the event.
            parsed: the same as the generated parser gives it, for the PARSED_EVENTS.
        """
        kind = frame.type_code
        if kind == EventType.transaction_payload:
            return  # its events follow
        self._last_type = kind
        if kind == EventType.mariadb_gtid:
            self._open(frame, _State.NAMED if parsed.body.is_standalone else _State.OPEN)
            self.current.gtid = format_mariadb_gtid(
                parsed.body.domain_id, frame.server_id, parsed.body.seq_no
            )
            self.current.xid = xid_of_gtid(parsed.body)
        elif TRAITS[kind] & NAMES:
            self._open(frame, _State.NAMED)
            self._name(kind, parsed.body)
        elif kind == EventType.query:
            self._follow_query(frame, bytes(parsed.body.query))
        elif TRAITS[kind] & ENDS:
            self._state = _State.CLOSED
        elif TRAITS[kind] & IN_TRANSACTION:
            if self._state is _State.CLOSED:
                self._open(frame, _State.IMPLICIT)
            if kind == EventType.query_compressed and self._state is not _State.OPEN:
                self._state = _State.CLOSED  # never a BEGIN: short texts are not compressed

    def end_statement(self) -> None:
        """Take note that the rows event followed last ends its statement."""
        if self._state is _State.IMPLICIT:
            self._state = _State.CLOSED

    def _open(self, frame: Frame, state: _State) -> None:
        self._current = Transaction(frame.start_pos, frame.timestamp * 1_000_000)
        self._state = state

    def _name(self, kind: int, body: Any) -> None:
        if kind == EventType.gtid_tagged:
            name, micros = format_tagged_gtid(body)
            self.current.gtid = name
            self.current.commit_micros = micros
            return
        if kind == EventType.gtid:
            self.current.gtid = format_mysql_gtid(bytes(body.source_uuid), body.gno)
        if body.has_commit_timestamps:
            self.current.commit_micros = body.immediate_commit_timestamp.micros

    def _follow_query(self, frame: Frame, text: bytes) -> None:
        xid = xid_of_statement(text)
        if text in _BEGINS or xid is not None:
            if self._state is _State.NAMED:
                self._state = _State.OPEN
            else:
                self._open(frame, _State.OPEN)
            self.current.xid = xid
        elif text in END_TEXTS:
            self._state = _State.CLOSED
        elif self._state is not _State.OPEN:
            if self._state is _State.CLOSED:
                self._open(frame, _State.CLOSED)
            self._state = _State.CLOSED
