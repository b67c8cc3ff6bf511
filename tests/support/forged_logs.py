"""Logs whose values hold whole chains of events, with the positions and checksums of that offset.

An ordinary user can write such values; all that looks for events by their bytes believes them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

GTID = 33
ROWS_QUERY = 29
REAL, FORGED = "real", "forged"
COLUMNS = [LoggedColumn("id", 3), LoggedColumn("data", 252, b"\x04", collation=63)]
TABLE_ID = 7
# From the start of a rows event of one row of COLUMNS to the bytes of `data`: header, table id,
# flags, extra info, number of columns, bitmap, null bitmap, `id`, and the length of `data`.
BEFORE_DATA = 19 + 6 + 2 + 2 + 1 + 1 + 1 + 4 + 4


@dataclass(frozen=True)
class Forgery:
    """A value that holds transactions.

    Attributes:
        num_transactions: that it holds, each of one row of another table.
        num_bytes: of the value, filled up with zeros; more if the transactions take more.
        begins_a_log: whether magic and a format description come first.
        is_stretched: whether the last event reaches to the end of the rows event, where a real
            event begins.
        nested: a value of the first forged row.
    """

    num_transactions: int = 0
    num_bytes: int = 0
    begins_a_log: bool = False
    is_stretched: bool = False
    nested: Forgery | None = None


def write_forged_log(
    transactions: Sequence[Sequence[Forgery]], *, has_checksums: bool = True, has_gtids: bool = True
) -> bytes:
    """Return a log of transactions, each of one row for each of its forgeries."""
    log = LogWriter(has_checksums)
    for number, forgeries in enumerate(transactions):
        write_transaction(log, number, forgeries, has_gtids=has_gtids)
    return bytes(log.data)


def write_transaction(
    log: LogWriter,
    number: int,
    forgeries: Sequence[Forgery],
    table: str = REAL,
    *,
    has_gtids: bool = True,
) -> None:
    """Append a transaction; its rows have the ids 1000 * number and up."""
    if has_gtids:
        log.event(GTID, struct.pack("<B16sQBQQ", 0, bytes(range(16)), number + 1, 2, 0, 1))
    log.begin()
    for row, forgery in enumerate(forgeries):
        log.table_map(TABLE_ID, table, COLUMNS)
        data = _forge(log, forgery, has_gtids=has_gtids)
        image = [struct.pack("<i", 1000 * number + row), struct.pack("<I", len(data)) + data]
        log.rows(TABLE_ID, Rows(WRITE_V2, [image], (True, True)))
    log.commit()


def _forge(log: LogWriter, forgery: Forgery, *, has_gtids: bool) -> bytes:
    if forgery == Forgery(num_bytes=forgery.num_bytes):
        return bytes(forgery.num_bytes)
    start = len(log.data) + BEFORE_DATA
    inner = LogWriter(log.has_checksums)
    beginning = bytes(inner.data) if forgery.begins_a_log else b""
    inner.data = bytearray(start) + beginning
    for number in range(forgery.num_transactions):
        nested = forgery.nested if number == 0 and forgery.nested is not None else Forgery()
        write_transaction(inner, number, [nested], FORGED, has_gtids=has_gtids)
    end = max(start + forgery.num_bytes, len(inner.data) + 19 * forgery.is_stretched)
    if forgery.is_stretched:
        next_event = end + (4 if log.has_checksums else 0)
        length = next_event - len(inner.data)
        inner.data += struct.pack("<IBIIIH", 1, ROWS_QUERY, 1, length, next_event, 0)
    return bytes(inner.data[start:].ljust(end - start, b"\0"))
