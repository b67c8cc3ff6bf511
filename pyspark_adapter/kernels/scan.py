"""The scan of a window: finds events, verifies checksums, follows transactions and statements.

It does for millions of small events what `events.framing`, `events.transactions` and
`events.table_map` do for one at a time in Python; both are compared on every sample.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import (
    CONTAINER,
    ENDS,
    EXTRA_INFO,
    FIXED_HEADER,
    IN_TRANSACTION,
    LEFT_TO_PYTHON,
    NAMES,
    PLAIN_TYPES,
    ROWS,
    STATEMENT,
    TRAITS,
    TWO_BITMAPS,
)
from pyspark_adapter.format.header import (
    LEN_HEADER,
    OFS_LEN_EVENT,
    OFS_SERVER_ID,
    OFS_TIMESTAMP,
    OFS_TYPE_CODE,
)
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.crc32 import crc32
from pyspark_adapter.kernels.expand import is_verified
from pyspark_adapter.kernels.first_word import statement_kinds
from pyspark_adapter.kernels.jit import helper, inlined, kernel
from pyspark_adapter.kernels.load import (
    N5,
    N6,
    N8,
    equal_bytes,
    load_be,
    load_u1,
    load_u2,
    load_u3,
    load_u4,
    load_u8,
)
from pyspark_adapter.schema import EventType

_QUERY, _QUERY_COMPRESSED = EventType.query.value, EventType.query_compressed.value
_GTID, _MARIADB_GTID = EventType.gtid.value, EventType.mariadb_gtid.value
_GTID_TAGGED, _TABLE_MAP = EventType.gtid_tagged.value, EventType.table_map.value
_PREPARED_XA = 0x40  # flag of a MariaDB GTID

_HASH_SEED = np.uint64(0x9E3779B97F4A7C15)
_HASH_FACTOR = np.uint64(lay.HASH_FACTOR)
_HASH_SHIFT = np.uint64(32)


@helper
def hash_bytes(data, start, end):
    """Return a 64-bit hash of data[start:end]."""
    h = _HASH_SEED
    p = start
    while p + 8 <= end:
        h = (h ^ np.uint64(load_u8(data, p))) * _HASH_FACTOR
        h ^= h >> _HASH_SHIFT
        p += 8
    while p < end:
        h = (h ^ np.uint64(load_u1(data, p))) * _HASH_FACTOR
        p += 1
    return h ^ (h >> _HASH_SHIFT)


@inlined
def find_content(data, start, end, map_table, map_hashes, map_offsets, map_bytes):
    """Return (slot, hash) of a table map content; slot -1 if it is not known."""
    wanted = hash_bytes(data, start, end)
    mask = map_table.size - 1
    place = np.int64(wanted) & mask
    for _ in range(map_table.size):
        slot = map_table[place]
        if slot < 0:
            break
        offset = map_offsets[slot]
        if (
            map_hashes[slot] == wanted
            and map_offsets[slot + 1] - offset == end - start
            and equal_bytes(data, start, map_bytes, offset, end - start)
        ):
            return np.int64(slot), wanted
        place = (place + 1) & mask
    return np.int64(-1), wanted


@inlined
def find_id(table_id, id_keys):
    """Return the place of a table id in the id table, or that where it belongs."""
    mask = id_keys.size - 1
    place = np.int64(np.uint64(table_id) * _HASH_FACTOR >> _HASH_SHIFT) & mask
    for _ in range(id_keys.size):
        if id_keys[place] == table_id or id_keys[place] == -1:
            break
        place = (place + 1) & mask
    return place


@helper
def query_kind(data, start, end):
    """Tell what a statement means for its transaction.

    1 it begins, 2 it ends, 3 it begins and is a distributed one (XA), 0 none of these.

    The servers write these texts themselves, in these letters (`BEGIN`, `COMMIT`, `ROLLBACK`,
    `XA START ...`); `ROLLBACK TO`, `SAVEPOINT` and `XA END` are none of them.
    """
    n = end - start
    if n == 5 and load_be(data, start, N5) == 0x424547494E:
        return 1
    if n == 6 and load_be(data, start, N6) == 0x434F4D4D4954:
        return 2
    if n == 8 and load_be(data, start, N8) == 0x524F4C4C4241434B:
        return 2
    if n >= 9 and load_be(data, start, N8) == 0x5841205354415254 and load_u1(data, start + 8) == 32:
        return 3
    return 0


@inlined
def open_transaction(state, transactions, tx_state, start_pos, timestamp):
    """Append a transaction without a GTID and return its column."""
    t = state[lay.S_NUM_TRANSACTIONS]
    transactions[lay.T_START_POS, t] = start_pos
    transactions[lay.T_COMMIT_MICROS, t] = timestamp * 1000000
    transactions[lay.T_GTID_KIND, t] = lay.GTID_NONE
    transactions[lay.T_GTID_A, t] = 0
    transactions[lay.T_GTID_B, t] = 0
    transactions[lay.T_GTID_C, t] = 0
    transactions[lay.T_XID, t] = 0
    state[lay.S_TRANSACTION] += 1
    transactions[lay.T_NUMBER, t] = state[lay.S_TRANSACTION]
    state[lay.S_NUM_TRANSACTIONS] = t + 1
    state[lay.S_TRANSACTION_STATE] = tx_state
    state[lay.S_HAS_ROWS] = 0
    return t


@inlined
def read_gtid(data, body, end, type_code, transactions, t):
    """Take name and commit time from a GTID or ANONYMOUS_GTID event; False if it is too short."""
    has_logical = end - body > 25 and load_u1(data, body + 25) == 2
    if end - body < (42 if has_logical else 25):
        return False
    if type_code == _GTID:
        transactions[lay.T_GTID_KIND, t] = lay.GTID_MYSQL
        transactions[lay.T_GTID_A, t] = load_be(data, body + 1, N8)
        transactions[lay.T_GTID_B, t] = load_be(data, body + 9, N8)
        transactions[lay.T_GTID_C, t] = load_u8(data, body + 17)
    if end - body >= 49 and has_logical:
        low = load_u4(data, body + 42)
        high = load_u3(data, body + 46) & 0x7FFFFF  # bit 55: another timestamp follows
        transactions[lay.T_COMMIT_MICROS, t] = low | (high << 32)
    return True


@inlined
def read_mariadb_gtid(data, body, end, server_id, state, transactions, t):
    """Take the name from an event of MariaDB; False if it is too short."""
    if end - body < 13:
        return False
    transactions[lay.T_GTID_KIND, t] = lay.GTID_MARIADB
    transactions[lay.T_GTID_A, t] = load_u4(data, body + 8)
    transactions[lay.T_GTID_B, t] = server_id
    transactions[lay.T_GTID_C, t] = load_u8(data, body)
    is_standalone = load_u1(data, body + 12) & 1
    state[lay.S_TRANSACTION_STATE] = lay.TX_NAMED if is_standalone else lay.TX_OPEN
    return True


@helper
def find_text(data, body, end, post_header):
    """Return the position of the text of a statement, or -1 if the fields before it are damaged."""
    if end - body < post_header or post_header < 11:
        return np.int64(-1)
    len_status = load_u2(data, body + 11) if post_header >= 13 else 0
    text = body + post_header + len_status + load_u1(data, body + 8) + 1
    if text > end or load_u1(data, text - 1) != 0:
        return np.int64(-1)
    return text


@inlined
def follow_query(data, text, end, state, transactions, start_pos, timestamp):
    """Follow BEGIN, COMMIT and other statements.

    Returns:
        SCAN_MORE to go on, SCAN_CONTROL if Python has to follow the statement, and nothing is done
        yet.
    """
    effect = query_kind(data, text, end)
    if effect == 3:
        return lay.SCAN_CONTROL
    tx_state = state[lay.S_TRANSACTION_STATE]
    if effect == 1:
        if tx_state == lay.TX_NAMED:
            state[lay.S_TRANSACTION_STATE] = lay.TX_OPEN
        else:
            open_transaction(state, transactions, lay.TX_OPEN, start_pos, timestamp)
    elif effect == 2:
        state[lay.S_TRANSACTION_STATE] = lay.TX_CLOSED
    elif tx_state != lay.TX_OPEN:
        if tx_state == lay.TX_CLOSED:
            open_transaction(state, transactions, lay.TX_CLOSED, start_pos, timestamp)
        state[lay.S_TRANSACTION_STATE] = lay.TX_CLOSED
    return lay.SCAN_MORE


@helper
def read_packed_int(data, position, end):
    """Return (value, position after it) of a packed integer; position -1 if it cannot be."""
    if position >= end:
        return np.int64(0), np.int64(-1)
    first = load_u1(data, position)
    if first < 251:
        return first, position + 1
    if first == 252 and position + 3 <= end:
        return load_u2(data, position + 1), position + 3
    if first == 253 and position + 4 <= end:
        return load_u3(data, position + 1), position + 4
    if first == 254 and position + 9 <= end:
        return load_u8(data, position + 1), position + 9
    return np.int64(0), np.int64(-1)


@inlined
def read_rows_header(data, body, end, traits, len_id, events, e):
    """Find bitmap and rows of a rows event; return its flags, or -1 if it is too short."""
    p = body + len_id + 2
    if p > end:
        return np.int64(-1)
    flags = load_u2(data, p - 2)
    if traits & EXTRA_INFO != 0:
        if p + 2 > end:
            return np.int64(-1)
        len_extra = load_u2(data, p)
        if len_extra < 2:
            return np.int64(-1)
        p += len_extra
    num_columns, p = read_packed_int(data, p, end)
    if p < 0 or num_columns < 0 or num_columns > lay.MAX_COLUMNS:
        return np.int64(-1)
    len_bitmap = (num_columns + 7) >> 3
    events[lay.E_NUM_COLUMNS, e] = num_columns
    events[lay.E_BITMAP, e] = p
    p += len_bitmap
    if traits & TWO_BITMAPS != 0:
        p += len_bitmap
    if p > end:
        return np.int64(-1)
    events[lay.E_ROWS, e] = p
    return flags


@kernel(
    "int64(uint8[::1], int64, int64, int64[::1], int64[::1],"
    " int32[::1], uint64[::1], int64[::1], uint8[::1],"
    " int64[::1], int32[::1], int64[::1],"
    " int64[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1])"
)
def scan(
    data,
    window_end,
    base_pos,
    fmt,
    state,
    map_table,
    map_hashes,
    map_offsets,
    map_bytes,
    id_keys,
    id_slots,
    id_statements,
    events,
    transactions,
    large,
    places,
):
    """Scan events from state[S_OFFSET] on and return why it stopped, one of the SCAN_ codes.

    Args:
        data: the window.
        window_end: bytes of it that are filled.
        base_pos: offset of the window in the file.
        fmt: (NUM_FORMAT_FIELDS,) from the format description.
        state: (NUM_STATE_FIELDS,) kept by the caller and changed here.
        map_table, map_hashes, map_offsets, map_bytes: hash table of the known contents of table
            maps (the body after the table id), by slot.
        id_keys, id_slots, id_statements: hash table of table ids; an entry counts if it is of
            the present statement. The length is a power of two; -1 is a free key.
        events: (NUM_EVENT_FIELDS, n), one column appended for each rows event.
        transactions: (NUM_TRANSACTION_FIELDS, n), one column appended for each transaction.
        large: (n,) offsets of the events whose checksum is left to the caller.
        places: (NUM_PLACE_FIELDS, n) where the events of an expanded window come from.
    """
    len_header = fmt[lay.F_LEN_HEADER]
    len_checksum = fmt[lay.F_LEN_CHECKSUM]
    verify = fmt[lay.F_VERIFY] if len_checksum == 4 else np.int64(lay.VERIFY_NONE)
    wanted_statements = fmt[lay.F_STATEMENTS]
    num_places = state[lay.S_NUM_PLACES]
    while True:
        p = state[lay.S_OFFSET]
        if p + LEN_HEADER > window_end:
            return lay.SCAN_MORE
        if (
            state[lay.S_NUM_EVENTS] >= events.shape[1]
            or state[lay.S_NUM_TRANSACTIONS] + 1 >= transactions.shape[1]
            or state[lay.S_NUM_LARGE] >= large.size
        ):
            return lay.SCAN_FULL
        type_code = load_u1(data, p + OFS_TYPE_CODE)
        traits = TRAITS[type_code]
        len_event = load_u4(data, p + OFS_LEN_EVENT)
        this_header = LEN_HEADER if traits & FIXED_HEADER != 0 else len_header
        if len_event < this_header + len_checksum or len_event > fmt[lay.F_MAX_EVENT]:
            return lay.SCAN_BAD_LENGTH
        if p + len_event > window_end:
            return lay.SCAN_MORE
        if traits & LEFT_TO_PYTHON != 0 or type_code == _GTID_TAGGED:
            return lay.SCAN_CONTROL
        if num_places == 0 and traits & CONTAINER != 0:
            return lay.SCAN_CONTAINER
        end = p + len_event - len_checksum
        if is_verified(traits, verify):
            if len_event >= lay.LARGE_EVENT:
                large[state[lay.S_NUM_LARGE]] = p
                state[lay.S_NUM_LARGE] += 1
            else:
                actual = np.int64(crc32(data, p, end))
                if actual != load_u4(data, end):
                    state[lay.S_DETAIL] = actual
                    return lay.SCAN_BAD_CHECKSUM
        body = p + this_header
        timestamp = load_u4(data, p + OFS_TIMESTAMP)
        server_id = load_u4(data, p + OFS_SERVER_ID)
        start_pos = base_pos + p
        if num_places > 0:
            place = state[lay.S_PLACE]
            while place + 1 < num_places and places[lay.P_OFFSET, place + 1] <= p:
                place += 1
            state[lay.S_PLACE] = place
            start_pos = places[lay.P_START_POS, place]
        post_header = fmt[lay.F_POST_HEADERS + type_code]
        kinds = np.int64(0)

        if type_code == _TABLE_MAP:
            len_id = fmt[lay.F_LEN_TABLE_ID]
            if body + len_id + 2 > end:
                return lay.SCAN_BAD_BODY
            table_id = load_u4(data, body)
            if len_id == 6:
                table_id |= load_u2(data, body + 4) << 32
            content = body + len_id
            place = find_id(table_id, id_keys)
            slot = np.int64(-1)
            if id_keys[place] == table_id:  # mostly the table is as it was in an earlier statement
                known = id_slots[place]
                offset = map_offsets[known]
                if map_offsets[known + 1] - offset == end - content and equal_bytes(
                    data, content, map_bytes, offset, end - content
                ):
                    slot = np.int64(known)
            if slot < 0:
                slot, content_hash = find_content(
                    data, content, end, map_table, map_hashes, map_offsets, map_bytes
                )
                if slot < 0:
                    state[lay.S_DETAIL] = np.int64(content_hash)
                    return lay.SCAN_TABLE_MAP
            if id_keys[place] != table_id:
                if 2 * (state[lay.S_NUM_IDS] + 1) > id_keys.size:
                    return lay.SCAN_GROW_IDS
                id_keys[place] = table_id
                state[lay.S_NUM_IDS] += 1
            id_slots[place] = slot
            id_statements[place] = state[lay.S_STATEMENT]

        if state[lay.S_TRANSACTION_STATE] == lay.TX_CLOSED and traits & IN_TRANSACTION != 0:
            open_transaction(state, transactions, lay.TX_IMPLICIT, start_pos, timestamp)

        if traits & ROWS != 0:
            e = state[lay.S_NUM_EVENTS]
            len_id = fmt[lay.F_LEN_TABLE_ID]
            flags = read_rows_header(data, body, end, traits, len_id, events, e)
            if flags < 0:
                return lay.SCAN_BAD_BODY
            table_id = load_u4(data, body)
            if len_id == 6:
                table_id |= load_u2(data, body + 4) << 32
            place = find_id(table_id, id_keys)
            if id_keys[place] != table_id or id_statements[place] != state[lay.S_STATEMENT]:
                state[lay.S_DETAIL] = table_id
                return lay.SCAN_NO_TABLE_MAP
            events[lay.E_OFFSET, e] = p
            events[lay.E_END, e] = end
            events[lay.E_START_POS, e] = start_pos
            events[lay.E_TYPE, e] = PLAIN_TYPES[type_code]
            events[lay.E_TIMESTAMP, e] = timestamp
            events[lay.E_SERVER_ID, e] = server_id
            events[lay.E_SLOT, e] = id_slots[place]
            events[lay.E_TRANSACTION, e] = state[lay.S_NUM_TRANSACTIONS] - 1
            state[lay.S_NUM_EVENTS] = e + 1
            state[lay.S_HAS_ROWS] = 1
            if flags & 1:  # the end of the statement releases its table maps
                state[lay.S_STATEMENT] += 1
                if state[lay.S_TRANSACTION_STATE] == lay.TX_IMPLICIT:
                    state[lay.S_TRANSACTION_STATE] = lay.TX_CLOSED
        elif type_code == _QUERY:
            text = find_text(data, body, end, post_header)
            if text < 0:
                return lay.SCAN_BAD_BODY
            takes_back = state[lay.S_TRANSACTION_STATE] == lay.TX_OPEN and state[lay.S_HAS_ROWS]
            status = follow_query(data, text, end, state, transactions, start_pos, timestamp)
            if status != lay.SCAN_MORE:
                return status
            if wanted_statements != 0:
                kinds = statement_kinds(data, text, end)
                if kinds == lay.STATEMENT_TAKES_BACK and not takes_back:
                    kinds = np.int64(0)
        elif traits & STATEMENT != 0:
            kinds = np.int64(lay.STATEMENT_CHANGES)
        elif type_code == _QUERY_COMPRESSED:
            text = find_text(data, body, end, post_header)
            if text < 0:
                return lay.SCAN_BAD_BODY
            if wanted_statements != 0:
                kinds = statement_kinds(data, text, end)
            # Never a BEGIN or COMMIT: short texts are not compressed.
            if state[lay.S_TRANSACTION_STATE] != lay.TX_OPEN:
                state[lay.S_TRANSACTION_STATE] = lay.TX_CLOSED
        elif type_code == _MARIADB_GTID:
            if end - body >= 13 and load_u1(data, body + 12) & _PREPARED_XA:
                return lay.SCAN_CONTROL
            t = open_transaction(state, transactions, lay.TX_NAMED, start_pos, timestamp)
            if not read_mariadb_gtid(data, body, end, server_id, state, transactions, t):
                return lay.SCAN_BAD_BODY
        elif traits & NAMES != 0:
            t = open_transaction(state, transactions, lay.TX_NAMED, start_pos, timestamp)
            if not read_gtid(data, body, end, type_code, transactions, t):
                return lay.SCAN_BAD_BODY
        elif traits & ENDS != 0:
            state[lay.S_TRANSACTION_STATE] = lay.TX_CLOSED
        state[lay.S_LAST_TYPE] = type_code
        state[lay.S_OFFSET] = p + len_event
        if kinds & wanted_statements != 0:
            state[lay.S_DETAIL] = p
            return lay.SCAN_STATEMENT
