"""Walks over the events of a log by their headers, and finds where no transaction is open.

The same function runs as it is, in Python, and compiled (`compiled_walk`). It reads of each event
the header and what tells whether a transaction begins or ends: large rows are stepped over, not
read. The rules are those of `events.transactions`.
"""

from __future__ import annotations

from typing import Any, Final

from pyspark_adapter.format.event_types import (
    CHANGES_FORMAT,
    ENDS,
    IN_TRANSACTION,
    NAMES,
    ROWS,
    TRAITS,
)
from pyspark_adapter.format.header import LEN_HEADER, MAGIC, OFS_LEN_EVENT, OFS_TYPE_CODE
from pyspark_adapter.kernels.layout import TX_CLOSED, TX_IMPLICIT, TX_NAMED, TX_OPEN
from pyspark_adapter.schema import EventType

# State: what a walk keeps between two calls.
W_POS: Final = 0  # offset of the next event in the file
W_TRANSACTION: Final = 1  # one of the TX_ codes, or TX_UNKNOWN
W_NUM_FOUND: Final = 2  # places found in this call
NUM_WALK_FIELDS: Final = 3

# A walk that begins anywhere: nothing is known until a transaction begins or ends for sure.
TX_UNKNOWN: Final = 4

# Why a walk stops.
WALK_END: Final = 0  # the next event is not all there
WALK_WINDOW: Final = 1  # it needs the bytes from the next event on
WALK_FULL: Final = 2  # no room for another place
WALK_BAD: Final = 3  # the length of the next event cannot be
WALK_CONTROL: Final = 4  # the next event changes how those after it are read

_QUERY: Final = EventType.query.value
_QUERY_COMPRESSED: Final = EventType.query_compressed.value
_MARIADB_GTID: Final = EventType.mariadb_gtid.value
_PAYLOAD: Final = EventType.transaction_payload.value
_FORMAT_DESCRIPTION: Final = EventType.format_description.value

_TRAITS: Final = tuple(TRAITS.tolist())

# The statements that matter, one after the other; `XA START ` with what follows it.
_WORDS: Final = tuple(b"BEGINCOMMITROLLBACKXA START ")
_WORD_ENDS: Final = (0, 5, 11, 19, 28)
_LONGEST_WORD: Final = 9
_BEGIN, _XA_START = 0, 3


def walk(
    data: Any,
    num_bytes: int,
    base_pos: int,
    end_pos: int,
    len_checksum: int,
    len_query_header: int,
    len_table_id: int,
    state: Any,
    found: Any,
) -> int:
    """Walk on from state[W_POS] and return why it stopped, one of the WALK_ codes.

    Args:
        data: bytes of the file.
        num_bytes: how many there are.
        base_pos: offset of the first in the file.
        end_pos: offset behind the last byte of the file that counts.
        len_checksum: bytes of the CRC32 at the end of each event: 4 or 0.
        len_query_header: post-header length of QUERY events.
        len_table_id: bytes of the table id in rows events.
        state: (NUM_WALK_FIELDS,) kept by the caller and changed here.
        found: (n,) to be filled with the offsets of events before which no transaction is open.
    """
    state[W_NUM_FOUND] = 0
    while True:
        pos = state[W_POS]
        p = pos - base_pos
        if pos + LEN_HEADER > end_pos:
            return WALK_END
        if p < 0 or p + LEN_HEADER > num_bytes:
            return WALK_WINDOW
        code = data[p + OFS_TYPE_CODE]
        # By products: numba takes shifted bytes as unsigned, and sums with signed ones as floats.
        q = p + OFS_LEN_EVENT
        length = data[q] + data[q + 1] * (1 << 8) + data[q + 2] * (1 << 16)
        length += data[q + 3] * (1 << 24)
        if length < LEN_HEADER + len_checksum:
            return WALK_BAD
        if pos + length > end_pos:
            return WALK_END
        transaction = state[W_TRANSACTION]
        traits = _TRAITS[code]
        if transaction == TX_CLOSED or traits & NAMES:
            count = state[W_NUM_FOUND]
            if count == len(found):
                return WALK_FULL
            found[count] = pos
            state[W_NUM_FOUND] = count + 1

        if code == _QUERY:
            start = p + LEN_HEADER
            if start + len_query_header > num_bytes:
                if start + len_query_header > p + length:
                    return WALK_BAD
                state[W_NUM_FOUND] -= transaction == TX_CLOSED
                return WALK_WINDOW
            len_status = 0
            if len_query_header >= 13:
                len_status = data[start + 11] + data[start + 12] * (1 << 8)
            text = start + len_query_header + len_status + data[start + 8] + 1
            len_text = p + length - len_checksum - text
            if len_text < 0:
                return WALK_BAD
            if text + min(len_text, _LONGEST_WORD) > num_bytes:
                state[W_NUM_FOUND] -= transaction == TX_CLOSED
                return WALK_WINDOW
            word = -1
            for w in range(4):
                first, last = _WORD_ENDS[w], _WORD_ENDS[w + 1]
                size = last - first
                # Whole statements, but for the one that has a name behind it.
                if len_text < size or (w != _XA_START and len_text != size):
                    continue
                is_same = True
                for i in range(size):
                    is_same = is_same and data[text + i] == _WORDS[first + i]
                if is_same:
                    word = w
            if word == _BEGIN or word == _XA_START:
                state[W_TRANSACTION] = TX_OPEN
            elif word >= 0 or (transaction != TX_OPEN and transaction != TX_UNKNOWN):
                state[W_TRANSACTION] = TX_CLOSED
        elif code == _MARIADB_GTID:
            flags = p + LEN_HEADER + 12
            if flags >= p + length:
                return WALK_BAD
            if flags >= num_bytes:
                state[W_NUM_FOUND] -= 1
                return WALK_WINDOW
            state[W_TRANSACTION] = TX_NAMED if data[flags] & 1 else TX_OPEN
        elif traits & NAMES:
            state[W_TRANSACTION] = TX_NAMED
        elif traits & ENDS or code == _PAYLOAD:
            state[W_TRANSACTION] = TX_CLOSED
        elif code == _QUERY_COMPRESSED:  # never a BEGIN: short texts are not compressed
            if transaction != TX_OPEN and transaction != TX_UNKNOWN:
                state[W_TRANSACTION] = TX_CLOSED
        elif traits & IN_TRANSACTION:
            if transaction == TX_CLOSED:
                state[W_TRANSACTION] = TX_IMPLICIT
            if traits & ROWS and state[W_TRANSACTION] == TX_IMPLICIT:
                flags = p + LEN_HEADER + len_table_id
                if flags >= p + length:
                    return WALK_BAD
                if flags >= num_bytes:
                    state[W_TRANSACTION] = transaction
                    state[W_NUM_FOUND] -= transaction == TX_CLOSED
                    return WALK_WINDOW
                if data[flags] & 1:  # the end of the statement
                    state[W_TRANSACTION] = TX_CLOSED
        elif traits & CHANGES_FORMAT and (code != _FORMAT_DESCRIPTION or pos != len(MAGIC)):
            return WALK_CONTROL
        state[W_POS] = pos + length
