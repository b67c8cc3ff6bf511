"""The scan of a window: finds events, verifies checksums, follows transactions and statements.

It does for millions of small events what `events.windows`, `events.transactions` and
`events.table_map` do for one at a time in Python. Tests compare both on every sample.
"""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.event_types import (
    CHANGES_FORMAT,
    CONTAINER,
    FIXED_HEADER,
    NAMES,
    NOTED,
    PLAIN_TYPES,
    QUERY_TEXT,
    ROWS,
    SQL_TEXT,
    STATEMENT,
    TRAITS,
)
from pyspark_adapter.format.header import (
    LEN_HEADER,
    OFS_END_LOG_POS,
    OFS_LEN_EVENT,
    OFS_SERVER_ID,
    OFS_TIMESTAMP,
    OFS_TYPE_CODE,
)
from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels import fractions, transaction_bounds, transaction_state
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.content_hash import find_content, find_id
from pyspark_adapter.kernels.crc32 import crc32
from pyspark_adapter.kernels.decompress import is_verified
from pyspark_adapter.kernels.first_word import statement_kinds
from pyspark_adapter.kernels.gtids import find_thread_id, read_gtid, read_mariadb_gtid
from pyspark_adapter.kernels.jit import helper, inlined, shared
from pyspark_adapter.kernels.load import equal_bytes, load_u1, load_u2, load_u4
from pyspark_adapter.kernels.row_images import read_rows_header
from pyspark_adapter.kernels.transaction_state import MARKS, OFS_GTID_FLAGS, OPENS, STANDALONE, Mark

# Functions that also run as plain Python, compiled.
next_state = shared(transaction_state.next_state)
mark_of_statement = shared(transaction_state.mark_of_statement)
big_endian = shared(fractions.big_endian)
fitting_digits = shared(fractions.fitting_digits)

# What `entry_points` takes from here, so that the functions that these call are known.
find_displaced = transaction_bounds.find_displaced
find_bounds = transaction_bounds.find_bounds
find_digits = fractions.find_digits

_QUERY = EventType.query.value
_ROWS_QUERY = EventType.rows_query.value
_GTID_TAGGED, _TABLE_MAP = EventType.gtid_tagged.value, EventType.table_map.value
_MARIADB_GTID = EventType.mariadb_gtid.value
_STATEMENT_MARK = np.int64(Mark.STATEMENT)
_LOW32 = np.int64((1 << 32) - 1)
_PREPARED_XA = 0x40  # flag of a MariaDB GTID
_MARKS = np.array(MARKS, dtype=np.int64)


@inlined
def open_transaction(state, transactions, start_pos, timestamp):
    """Append a transaction, as yet without a GTID."""
    t = state[lay.State.NUM_TRANSACTIONS]
    transactions[lay.Transaction.START_POS, t] = start_pos
    transactions[lay.Transaction.COMMIT_MICROS, t] = timestamp * 1000000
    transactions[lay.Transaction.GTID_KIND, t] = lay.GtidKind.NONE
    transactions[lay.Transaction.GTID_A, t] = 0
    transactions[lay.Transaction.GTID_B, t] = 0
    transactions[lay.Transaction.GTID_C, t] = 0
    transactions[lay.Transaction.XID, t] = 0
    transactions[lay.Transaction.THREAD_ID, t] = -1
    transactions[lay.Transaction.NUM_BYTES, t] = -1
    state[lay.State.TRANSACTION] += 1
    transactions[lay.Transaction.NUMBER, t] = state[lay.State.TRANSACTION]
    state[lay.State.NUM_TRANSACTIONS] = t + 1
    state[lay.State.HAS_ROWS] = 0
    state[lay.State.QUERY_END] = 0


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


@helper
def is_passed_over(data, traits, body, end, post_header):
    """Return whether a survey can skip the event: it has no statement, or only BEGIN or COMMIT."""
    if traits & SQL_TEXT == 0:
        return traits & STATEMENT == 0
    text = find_text(data, body, end, post_header)
    return text >= 0 and mark_of_statement(data, text, end - text) != _STATEMENT_MARK


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
    origins,
):
    """Scan events from state[State.OFFSET] on and return why it stopped, a `ScanStatus`.

    A survey (fmt[Format.SURVEYS]) reads statements, except BEGIN and COMMIT, and table maps of new
    content; it passes over all other events by their headers. It verifies checksums of what it
    reads, and of events whose header does not say where they end, so that it never continues from a
    damaged length.

    Args:
        data: the window.
        window_end: bytes of it that are filled.
        base_pos: offset of the window in the file.
        fmt: (NUM_FORMAT_FIELDS,) as `fill_format` fills it.
        state: (NUM_STATE_FIELDS,) kept by the caller and changed here.
        map_table, map_hashes, map_offsets, map_bytes: hash table of the known contents of table
            maps (the body after the table id), by slot.
        id_keys, id_slots, id_statements: hash table of table ids; an entry counts if its statement
            is the open one. The length is a power of two; -1 is a free key.
        events: (NUM_EVENT_FIELDS, n), one column appended for each rows event.
        transactions: (NUM_TRANSACTION_FIELDS, n), one column appended for each transaction.
        origins: (NUM_ORIGIN_FIELDS, n) where the events of a decompressed window come from.
    """
    len_header = fmt[lay.Format.LEN_HEADER]
    len_checksum = fmt[lay.Format.LEN_CHECKSUM]
    verify = fmt[lay.Format.VERIFY] if len_checksum == 4 else np.int64(lay.Verify.NONE)
    wanted_statements = fmt[lay.Format.STATEMENTS]
    surveys = fmt[lay.Format.SURVEYS] != 0
    follows_queries = fmt[lay.Format.QUERIES] != 0
    num_origins = state[lay.State.NUM_ORIGINS]
    salt = state[lay.State.SALT]
    while True:
        p = state[lay.State.OFFSET]
        if p + LEN_HEADER > window_end:
            return lay.ScanStatus.MORE
        if (
            state[lay.State.NUM_EVENTS] >= events.shape[1]
            or state[lay.State.NUM_TRANSACTIONS] + 1 >= transactions.shape[1]
        ):
            return lay.ScanStatus.FULL
        type_code = load_u1(data, p + OFS_TYPE_CODE)
        traits = TRAITS[type_code]
        len_event = load_u4(data, p + OFS_LEN_EVENT)
        this_header = LEN_HEADER if traits & FIXED_HEADER != 0 else len_header
        if len_event < this_header + len_checksum or len_event > fmt[lay.Format.MAX_EVENT]:
            return lay.ScanStatus.BAD_LENGTH
        if p + len_event > window_end:
            return lay.ScanStatus.MORE
        if traits & CHANGES_FORMAT != 0 or (type_code == _GTID_TAGGED and not surveys):
            return lay.ScanStatus.CONTROL
        if num_origins == 0 and traits & CONTAINER != 0:
            return lay.ScanStatus.CONTAINER
        end = p + len_event - len_checksum
        body = p + this_header
        post_header = fmt[lay.Format.POST_HEADERS + type_code]
        verifies = is_verified(traits, verify)
        if surveys and load_u4(data, p + OFS_END_LOG_POS) == (base_pos + p + len_event) & _LOW32:
            if type_code == _TABLE_MAP:
                verifies = False  # only if its content is new
            elif is_passed_over(data, traits, body, end, post_header):
                state[lay.State.LAST_TYPE] = type_code
                state[lay.State.OFFSET] = p + len_event
                continue
        if verifies:
            actual = np.int64(crc32(data, p, end))
            if actual != load_u4(data, end):
                state[lay.State.DETAIL] = actual
                return lay.ScanStatus.BAD_CHECKSUM
        timestamp = load_u4(data, p + OFS_TIMESTAMP)
        server_id = load_u4(data, p + OFS_SERVER_ID)
        start_pos = base_pos + p
        if num_origins > 0:
            origin = state[lay.State.ORIGIN]
            while origin + 1 < num_origins and origins[lay.Origin.OFFSET, origin + 1] <= p:
                origin += 1
            state[lay.State.ORIGIN] = origin
            start_pos = origins[lay.Origin.START_POS, origin]
        kinds = np.int64(0)

        if type_code == _TABLE_MAP:
            len_id = fmt[lay.Format.LEN_TABLE_ID]
            if body + len_id + 2 > end:
                return lay.ScanStatus.BAD_BODY
            table_id = load_u4(data, body)
            if len_id == 6:
                table_id |= load_u2(data, body + 4) << 32
            content = body + len_id
            bucket = find_id(table_id, id_keys, salt)
            slot = np.int64(-1)
            known = id_slots[bucket]
            if id_keys[bucket] == table_id and known >= state[lay.State.FIRST_SLOT]:
                # Mostly the table is as it was in an earlier statement.
                offset = map_offsets[known]
                if map_offsets[known + 1] - offset == end - content and equal_bytes(
                    data, content, map_bytes, offset, end - content
                ):
                    slot = np.int64(known)
            if slot < 0:
                slot, content_hash = find_content(
                    data, content, end, map_table, map_hashes, map_offsets, map_bytes, salt
                )
                if slot < 0:
                    if not verifies and is_verified(traits, verify):
                        actual = np.int64(crc32(data, p, end))
                        if actual != load_u4(data, end):
                            state[lay.State.DETAIL] = actual
                            return lay.ScanStatus.BAD_CHECKSUM
                    state[lay.State.DETAIL] = np.int64(content_hash)
                    return lay.ScanStatus.TABLE_MAP
            if id_keys[bucket] != table_id:
                if 2 * (state[lay.State.NUM_IDS] + 1) > id_keys.size:
                    return lay.ScanStatus.GROW_IDS
                id_keys[bucket] = table_id
                state[lay.State.NUM_IDS] += 1
            id_slots[bucket] = slot
            id_statements[bucket] = state[lay.State.STATEMENT]

        text = np.int64(0)
        if surveys:
            if traits & SQL_TEXT != 0:
                text = find_text(data, body, end, post_header)
                if text < 0:
                    return lay.ScanStatus.BAD_BODY
                kinds = statement_kinds(data, text, end)
            # No rows are read, which would need the table maps of their statement.
            state[lay.State.STATEMENT] += type_code == _TABLE_MAP
            state[lay.State.LAST_TYPE] = type_code
            state[lay.State.OFFSET] = p + len_event
            if kinds & wanted_statements != 0:
                state[lay.State.DETAIL] = p
                return lay.ScanStatus.STATEMENT
            continue

        thread_id = np.int64(0)
        mark = _MARKS[type_code]
        if traits & SQL_TEXT != 0:
            text = find_text(data, body, end, post_header)
            if text < 0:
                return lay.ScanStatus.BAD_BODY
            if type_code == _QUERY:
                mark = mark_of_statement(data, text, end - text)
                if mark == Mark.BEGIN_XA:
                    return lay.ScanStatus.CONTROL
        elif type_code == _MARIADB_GTID:
            if end - body > OFS_GTID_FLAGS:
                flags = load_u1(data, body + OFS_GTID_FLAGS)
                if flags & _PREPARED_XA != 0:
                    return lay.ScanStatus.CONTROL
                if flags & STANDALONE == 0:
                    mark = np.int64(Mark.NAME_AND_BEGIN)
            thread_id = find_thread_id(data, body, end)
            if thread_id < 0:
                return lay.ScanStatus.BAD_BODY
        before = state[lay.State.TRANSACTION_STATE]
        after = next_state(before, mark)
        if after & OPENS != 0:
            open_transaction(state, transactions, start_pos, timestamp)
            after &= ~OPENS
            # Table maps do not outlast their transaction: a split that begins here has none.
            state[lay.State.STATEMENT] += type_code != _TABLE_MAP
        if mark == Mark.BEGIN and state[lay.State.HAS_ROWS] == 0:
            t = state[lay.State.NUM_TRANSACTIONS] - 1
            transactions[lay.Transaction.THREAD_ID, t] = load_u4(data, body)
        state[lay.State.TRANSACTION_STATE] = after

        if traits & ROWS != 0:
            e = state[lay.State.NUM_EVENTS]
            len_id = fmt[lay.Format.LEN_TABLE_ID]
            flags = read_rows_header(data, body, end, traits, len_id, events, e)
            if flags < 0:
                return lay.ScanStatus.BAD_BODY
            table_id = load_u4(data, body)
            if len_id == 6:
                table_id |= load_u2(data, body + 4) << 32
            bucket = find_id(table_id, id_keys, salt)
            if id_keys[bucket] != table_id or id_statements[bucket] != state[lay.State.STATEMENT]:
                state[lay.State.DETAIL] = table_id
                return lay.ScanStatus.NO_TABLE_MAP
            events[lay.Event.OFFSET, e] = p
            events[lay.Event.END, e] = end
            events[lay.Event.START_POS, e] = start_pos
            events[lay.Event.TYPE, e] = PLAIN_TYPES[type_code]
            events[lay.Event.TIMESTAMP, e] = timestamp
            events[lay.Event.SERVER_ID, e] = server_id
            events[lay.Event.SLOT, e] = id_slots[bucket]
            events[lay.Event.TRANSACTION, e] = state[lay.State.NUM_TRANSACTIONS] - 1
            if follows_queries:
                events[lay.Event.QUERY, e] = state[lay.State.QUERY]
                events[lay.Event.QUERY_END, e] = state[lay.State.QUERY_END]
            state[lay.State.NUM_EVENTS] = e + 1
            state[lay.State.HAS_ROWS] = 1
            if flags & 1:  # the end of the statement releases its table maps
                state[lay.State.STATEMENT] += 1
                state[lay.State.QUERY_END] = 0
                state[lay.State.TRANSACTION_STATE] = next_state(after, Mark.STATEMENT_END)
        elif traits & SQL_TEXT != 0:
            if wanted_statements != 0:
                kinds = statement_kinds(data, text, end)
                has_rows = before == lay.Tx.OPEN and state[lay.State.HAS_ROWS] != 0
                if kinds == lay.StatementBit.TAKES_BACK and not has_rows:
                    kinds = np.int64(0)
        elif traits & STATEMENT != 0:
            kinds = np.int64(lay.StatementBit.CHANGES)
        elif traits & NOTED != 0:
            kinds = np.int64(lay.StatementBit.NOTED)
        elif type_code == _MARIADB_GTID:
            t = state[lay.State.NUM_TRANSACTIONS] - 1
            read_mariadb_gtid(data, body, thread_id, server_id, transactions, t)
        elif traits & NAMES != 0:
            t = state[lay.State.NUM_TRANSACTIONS] - 1
            if not read_gtid(data, body, end, type_code, transactions, t):
                return lay.ScanStatus.BAD_BODY
        elif follows_queries and traits & QUERY_TEXT != 0:
            # A byte without meaning comes before the text that MySQL writes.
            text = body + 1 if type_code == _ROWS_QUERY else body
            if text > end:
                return lay.ScanStatus.BAD_BODY
            state[lay.State.QUERY] = text
            state[lay.State.QUERY_END] = end
        state[lay.State.LAST_TYPE] = type_code
        state[lay.State.OFFSET] = p + len_event
        if kinds & wanted_statements != 0:
            state[lay.State.DETAIL] = p
            return lay.ScanStatus.STATEMENT
