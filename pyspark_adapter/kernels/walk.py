"""Walks over the events of a log by their headers, and finds where no transaction is open.

The same function runs as it is, in Python, and compiled (`compiled_walk`). It reads of each event
the header and what tells whether a transaction begins or ends: large rows are stepped over, not
read. The rules are those of `events.transactions`.
"""

from __future__ import annotations

from typing import Any, Final

from pyspark_adapter.kernels.layout import TX_CLOSED, TX_IMPLICIT, TX_NAMED, TX_OPEN

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

_LEN_HEADER: Final = 19
_QUERY, _XID, _FORMAT_DESCRIPTION, _XA_PREPARE, _PAYLOAD = 2, 16, 15, 38, 40
_QUERY_COMPRESSED, _MARIADB_GTID, _START_V3, _START_ENCRYPTION = 165, 162, 1, 164

_OTHER, _GTID, _PART, _ROWS = 0, 1, 2, 3


def _kinds() -> tuple[int, ...]:
    """Return what the types of events are to a transaction, by type code."""
    kinds = [_OTHER] * 256
    for code in (33, 34, 42):  # GTID, ANONYMOUS_GTID, GTID_TAGGED
        kinds[code] = _GTID
    # INTVAR, LOAD and its kin, RAND, USER_VAR, TABLE_MAP, ROWS_QUERY, ANNOTATE_ROWS
    for code in (5, 6, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 29, 160):
        kinds[code] = _PART
    # rows of versions 0, 1 and 2, partial updates, those that MariaDB compressed
    for code in (*range(20, 26), *range(30, 33), 39, *range(166, 172)):
        kinds[code] = _ROWS
    return tuple(kinds)


_KINDS: Final = _kinds()

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
        if pos + _LEN_HEADER > end_pos:
            return WALK_END
        if p < 0 or p + _LEN_HEADER > num_bytes:
            return WALK_WINDOW
        code = data[p + 4]
        # By products: numba takes shifted bytes as unsigned, and sums with signed ones as floats.
        length = data[p + 9] + data[p + 10] * (1 << 8) + data[p + 11] * (1 << 16)
        length += data[p + 12] * (1 << 24)
        if length < _LEN_HEADER + len_checksum:
            return WALK_BAD
        if pos + length > end_pos:
            return WALK_END
        transaction = state[W_TRANSACTION]
        kind = _KINDS[code]
        if transaction == TX_CLOSED or kind == _GTID or code == _MARIADB_GTID:
            count = state[W_NUM_FOUND]
            if count == len(found):
                return WALK_FULL
            found[count] = pos
            state[W_NUM_FOUND] = count + 1

        if code == _QUERY:
            start = p + _LEN_HEADER
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
        elif kind == _GTID:
            state[W_TRANSACTION] = TX_NAMED
        elif code == _MARIADB_GTID:
            flags = p + _LEN_HEADER + 12
            if flags >= p + length:
                return WALK_BAD
            if flags >= num_bytes:
                state[W_NUM_FOUND] -= 1
                return WALK_WINDOW
            state[W_TRANSACTION] = TX_NAMED if data[flags] & 1 else TX_OPEN
        elif code == _XID or code == _XA_PREPARE or code == _PAYLOAD:
            state[W_TRANSACTION] = TX_CLOSED
        elif kind == _PART or kind == _ROWS:
            if transaction == TX_CLOSED:
                state[W_TRANSACTION] = TX_IMPLICIT
            if kind == _ROWS and state[W_TRANSACTION] == TX_IMPLICIT:
                flags = p + _LEN_HEADER + len_table_id
                if flags >= p + length:
                    return WALK_BAD
                if flags >= num_bytes:
                    state[W_TRANSACTION] = transaction
                    state[W_NUM_FOUND] -= transaction == TX_CLOSED
                    return WALK_WINDOW
                if data[flags] & 1:  # the end of the statement
                    state[W_TRANSACTION] = TX_CLOSED
        elif code == _QUERY_COMPRESSED:  # never a BEGIN: short texts are not compressed
            if transaction != TX_OPEN and transaction != TX_UNKNOWN:
                state[W_TRANSACTION] = TX_CLOSED
        elif code in (_START_V3, _START_ENCRYPTION) or (code == _FORMAT_DESCRIPTION and pos != 4):
            return WALK_CONTROL
        state[W_POS] = pos + length
