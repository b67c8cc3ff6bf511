"""Which events begin and end transactions: one machine for all that follows them.

MySQL writes `GTID`, `QUERY BEGIN`, rows, `XID`; without GTIDs the `BEGIN` comes first; MariaDB
writes its GTID in place of the `BEGIN`; DDL is a GTID and one `QUERY`; logs of MySQL 5.1 can hold
rows with neither.

`events.transactions` and `transaction_bounds` run these functions as they are, in Python; `scan`
runs them compiled.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from pyspark_adapter.format.event_types import ENDS, IN_TRANSACTION, NAMES, TRAITS
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels.layout import Tx


class Mark(IntEnum):
    """What an event means for the bounds of transactions."""

    NONE = 0
    NAME = 1  # it names a transaction; a BEGIN or a single statement follows
    NAME_AND_BEGIN = 2  # it names a transaction and begins it, as GTIDs of MariaDB do
    BEGIN = 3
    BEGIN_XA = 4  # XA START
    END = 5
    STATEMENT = 6  # any other statement: one outside of BEGIN and COMMIT is committed at once
    PART = 7  # it belongs to a transaction
    STATEMENT_END = 8  # the flag of the last rows event of a statement


# In the result of `next_state`: the event is the first of a transaction.
OPENS: Final = 1 << 8

# Flags of a MariaDB GTID, and where they are in its body.
OFS_GTID_FLAGS: Final = 12
STANDALONE: Final = 0x01  # no COMMIT or XID follows

# The statements that count, in the letters in which servers write them.
_WORDS: Final = tuple(b"BEGINCOMMITROLLBACKXA START ")
_WORD_ENDS: Final = (0, 5, 11, 19, 28)
_WORD_MARKS: Final = (Mark.BEGIN.value, Mark.END.value, Mark.END.value, Mark.BEGIN_XA.value)
_STATEMENT: Final = Mark.STATEMENT.value
LONGEST_WORD: Final = 9


def _mark_of_type(type_code: int) -> int:
    traits = int(TRAITS[type_code])
    if type_code == EventType.query_compressed:
        return Mark.STATEMENT  # never a BEGIN or COMMIT: short texts are not compressed
    if traits & NAMES:
        return Mark.NAME
    if traits & ENDS:
        return Mark.END
    return Mark.PART if traits & IN_TRANSACTION else Mark.NONE


# By type code, for events whose type says it. For QUERY see `mark_of_statement`; GTIDs of MariaDB
# without the flag STANDALONE are NAME_AND_BEGIN.
MARKS: Final = tuple(int(_mark_of_type(type_code)) for type_code in range(256))


def next_state(state: Any, mark: Any) -> Any:
    """Return the `Tx` after an event, with OPENS if the event is the first of a transaction."""
    if mark == Mark.PART:
        return Tx.IMPLICIT | OPENS if state == Tx.CLOSED else state
    if mark == Mark.STATEMENT_END:
        return Tx.CLOSED if state == Tx.IMPLICIT else state
    if mark == Mark.NAME:
        return Tx.NAMED | OPENS
    if mark == Mark.NAME_AND_BEGIN:
        return Tx.OPEN | OPENS
    if mark == Mark.BEGIN or mark == Mark.BEGIN_XA:
        return Tx.OPEN if state == Tx.NAMED else Tx.OPEN | OPENS
    if mark == Mark.END:
        return Tx.CLOSED
    if mark == Mark.STATEMENT and state != Tx.OPEN and state != Tx.UNKNOWN:
        return Tx.CLOSED | OPENS if state == Tx.CLOSED else Tx.CLOSED
    return state


def mark_of_statement(data: Any, start: Any, size: Any) -> Any:
    """Return the `Mark` of the statement in data[start : start + size].

    `ROLLBACK TO`, `SAVEPOINT` and `XA END` neither begin nor end anything. Only the first
    LONGEST_WORD bytes are read.
    """
    for w in range(4):
        first = _WORD_ENDS[w]
        length = _WORD_ENDS[w + 1] - first
        # The whole statement, except for XA START, which is followed by a name.
        if size != length and (w != 3 or size < length):
            continue
        i = 0
        while i < length and data[start + i] == _WORDS[first + i]:
            i += 1
        if i == length:
            return _WORD_MARKS[w]
    return _STATEMENT
