"""Follows the headers of events: where no transaction is open, and whether all end as they say.

`find_bounds` reads the header of each event and what decides whether a transaction begins or ends;
rows are skipped.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from pyspark_adapter.format.event_types import CHANGES_FORMAT, NAMES, ROWS, TRAITS
from pyspark_adapter.format.header import (
    IGNORABLE,
    LEN_HEADER,
    MAGIC,
    OFS_END_LOG_POS,
    OFS_FLAGS,
    OFS_LEN_EVENT,
    OFS_TYPE_CODE,
)
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels.layout import Tx
from pyspark_adapter.kernels.transaction_state import (
    LONGEST_WORD,
    MARKS,
    OFS_GTID_FLAGS,
    OPENS,
    STANDALONE,
    Mark,
    mark_of_statement,
    next_state,
)


class BoundsState(IntEnum):
    """What `find_bounds` keeps from one call to the next."""

    POS = 0  # offset of the next event in the file
    TRANSACTION = 1  # a `Tx`
    NUM_FOUND = 2  # offsets found in this call
    AFTER_PAYLOAD = 3  # whether a compressed transaction was met since the last GTID


class BoundsStatus(IntEnum):
    """Why `find_bounds` returned."""

    END = 0  # the next event is not all there
    WINDOW = 1  # it needs the bytes from the next event on
    FULL = 2  # no room for another offset
    BAD = 3  # the length of the next event is not valid
    CONTROL = 4  # the next event changes how those after it are read


_QUERY: Final = EventType.query.value
_GTID: Final = EventType.gtid.value
_TAGGED_GTID: Final = EventType.gtid_tagged.value
_MARIADB_GTID: Final = EventType.mariadb_gtid.value
_PAYLOAD: Final = EventType.transaction_payload.value
_START_ENCRYPTION: Final = EventType.start_encryption.value
_FORMAT_DESCRIPTION: Final = EventType.format_description.value
_START: Final = len(MAGIC)
_TRAITS: Final = tuple(TRAITS.tolist())
# Flags, UUID and number of a GTID event; more than there is in one with a tag.
_LEN_GTID: Final = 25
MAX_TAGGED_GTID: Final = 1 << 12


def find_bounds(
    data: Any,
    num_bytes: int,
    base_pos: int,
    end_pos: int,
    len_checksum: int,
    len_query_header: int,
    len_table_id: int,
    state: Any,
    offsets: Any,
) -> int:
    """Go through events from state[BoundsState.POS] on and return why it stopped, a `BoundsStatus`.

    Args:
        data: bytes of the file.
        num_bytes: how many there are.
        base_pos: offset of the first in the file.
        end_pos: offset after the last byte of the file that counts.
        len_checksum: bytes of the CRC32 at the end of each event: 4 or 0.
        len_query_header: post-header length of QUERY events.
        len_table_id: bytes of the table id in rows events.
        state: (len(BoundsState),) kept by the caller and changed here.
        offsets: (n,) filled with the offsets of events before which no transaction is open. Of a
            GTID event, the bytes are there that name its transaction.
    """
    state[BoundsState.NUM_FOUND] = 0
    while True:
        pos = state[BoundsState.POS]
        p = pos - base_pos
        if pos + LEN_HEADER > end_pos:
            return BoundsStatus.END
        if p < 0 or p + LEN_HEADER > num_bytes:
            return BoundsStatus.WINDOW
        code = data[p + OFS_TYPE_CODE]
        # By products: numba takes shifted bytes as unsigned, and sums with signed ones as floats.
        q = p + OFS_LEN_EVENT
        length = data[q] + data[q + 1] * (1 << 8) + data[q + 2] * (1 << 16)
        length += data[q + 3] * (1 << 24)
        if length < LEN_HEADER + len_checksum:
            return BoundsStatus.BAD
        if pos + length > end_pos:
            return BoundsStatus.END
        before = state[BoundsState.TRANSACTION]
        traits = _TRAITS[code]
        # Payloads are not opened. One that a server wrote holds a whole transaction,
        # but only a GTID ends it for readers whatever it holds.
        if traits & NAMES != 0:
            state[BoundsState.AFTER_PAYLOAD] = 0
        after_payload = state[BoundsState.AFTER_PAYLOAD] != 0
        is_bound = traits & NAMES != 0 or (before == Tx.CLOSED and not after_payload)
        if is_bound:
            count = state[BoundsState.NUM_FOUND]
            if count == len(offsets):
                return BoundsStatus.FULL
            offsets[count] = pos
            state[BoundsState.NUM_FOUND] = count + 1
        mark = MARKS[code]
        needed = 0  # bytes of the window
        body = p + LEN_HEADER
        if code == _QUERY:
            needed = body + len_query_header
            if needed > p + length:
                return BoundsStatus.BAD
            if needed <= num_bytes:
                len_status = 0
                if len_query_header >= 13:
                    len_status = data[body + 11] + data[body + 12] * (1 << 8)
                text = needed + len_status + data[body + 8] + 1
                len_text = p + length - len_checksum - text
                if len_text < 0:
                    return BoundsStatus.BAD
                needed = text + min(len_text, LONGEST_WORD)
                if needed <= num_bytes:
                    mark = mark_of_statement(data, text, len_text)
        elif code == _MARIADB_GTID:
            needed = body + OFS_GTID_FLAGS + 1
            if needed > p + length:
                return BoundsStatus.BAD
            if needed <= num_bytes and not data[needed - 1] & STANDALONE:
                mark = Mark.NAME_AND_BEGIN
        elif code == _GTID:
            needed = body + _LEN_GTID
            if needed > p + length:
                return BoundsStatus.BAD
        elif code == _TAGGED_GTID:
            needed = p + min(length, MAX_TAGGED_GTID)
        elif code == _PAYLOAD:
            mark = Mark.END
        elif code == _START_ENCRYPTION and data[p + OFS_FLAGS] & IGNORABLE:
            pass  # the events are decrypted
        elif traits & CHANGES_FORMAT and (code != _FORMAT_DESCRIPTION or pos != _START):
            return BoundsStatus.CONTROL
        after = next_state(before, mark) & ~OPENS
        if traits & ROWS and after == Tx.IMPLICIT:
            needed = body + len_table_id + 1
            if needed > p + length:
                return BoundsStatus.BAD
            if needed <= num_bytes and data[needed - 1] & 1:  # the end of the statement
                after = next_state(after, Mark.STATEMENT_END)
        if needed > num_bytes:
            state[BoundsState.NUM_FOUND] -= is_bound
            return BoundsStatus.WINDOW
        if code == _PAYLOAD:
            state[BoundsState.AFTER_PAYLOAD] = 1
        state[BoundsState.TRANSACTION] = after
        state[BoundsState.POS] = pos + length


def find_displaced(data: Any, base_pos: int, start: int, stop: int, max_event_bytes: int) -> int:
    """Return the offset of the first event that is too long or names another end; -1 if none does.

    Such an event is damaged, or was written for another log. An end of 0 is not checked: MariaDB
    11.4 and later write it within transactions. Ends are compared in their lower 32 bits.

    Args:
        data: bytes of the file that hold all headers from `start` to `stop`.
        base_pos: offset of the first of them in the file.
        start: offset of the first event.
        stop: offset of the event to stop at; the headers lead there.
        max_event_bytes: length of the longest event.
    """
    pos = start
    while pos < stop:
        p = pos - base_pos
        # By products, as in `find_bounds`.
        q = p + OFS_LEN_EVENT
        length = data[q] + data[q + 1] * (1 << 8) + data[q + 2] * (1 << 16)
        length += data[q + 3] * (1 << 24)
        q = p + OFS_END_LOG_POS
        named = data[q] + data[q + 1] * (1 << 8) + data[q + 2] * (1 << 16)
        named += data[q + 3] * (1 << 24)
        end = pos + length
        if length > max_event_bytes or (named != 0 and named != end & 0xFFFFFFFF):
            return pos
        pos = end
    return -1
