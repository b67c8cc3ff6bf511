"""GTID events: the name of a transaction, as the servers print it, and its commit time."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.digits import COLON, HEX, MINUS, put_integer, put_unsigned
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import (
    N8,
    copy_bytes,
    load_be,
    load_u1,
    load_u3,
    load_u4,
    load_u8,
    put_u1,
)
from pyspark_adapter.kernels.row_images import read_packed_int

_GTID = EventType.gtid.value

# Of a MariaDB GTID: fields that are always there, and bits of its flags and of its extra flags.
_LEN_FIXED = np.int64(13)
_HAS_COMMIT_ID, _COMPLETED_XA = 0x02, 0x80
_SEVERAL_ENGINES, _ENDS_ALTER, _HAS_THREAD_ID = 0x01, 0x0C, 0x10


@inlined
def read_gtid(data, body, end, type_code, transactions, t):
    """Take name, commit time and length from a GTID or ANONYMOUS_GTID event.

    Returns:
        False if the event is too short for its fields, or the length of the transaction not valid.
    """
    has_logical = end - body > 25 and load_u1(data, body + 25) == 2
    if end - body < (42 if has_logical else 25):
        return False
    if type_code == _GTID:
        transactions[lay.Transaction.GTID_KIND, t] = lay.GtidKind.MYSQL
        transactions[lay.Transaction.GTID_A, t] = load_be(data, body + 1, N8)
        transactions[lay.Transaction.GTID_B, t] = load_be(data, body + 9, N8)
        transactions[lay.Transaction.GTID_C, t] = load_u8(data, body + 17)
    if end - body >= 49 and has_logical:
        low = load_u4(data, body + 42)
        high = load_u3(data, body + 46) & 0x7FFFFF  # bit 55: another timestamp follows
        transactions[lay.Transaction.COMMIT_MICROS, t] = low | (high << 32)
        p = body + (56 if load_u1(data, body + 48) & 0x80 else 49)
        if p < end:
            num_bytes, p = read_packed_int(data, p, end)
            transactions[lay.Transaction.NUM_BYTES, t] = num_bytes
            return p >= 0 and num_bytes >= 0
    return True


@helper
def find_thread_id(data, body, end):
    """Return where a GTID event of MariaDB has its thread id; 0 if it has none.

    One of a prepared XA transaction is left to Python.

    Returns:
        -1 if the event does not hold all fields that its flags announce.
    """
    if end - body < _LEN_FIXED:
        return np.int64(-1)
    flags = load_u1(data, body + 12)
    p = body + _LEN_FIXED
    if flags & _HAS_COMMIT_ID:
        p += 8
    if flags & _COMPLETED_XA:
        if p + 6 > end:
            return np.int64(-1)
        p += 6 + load_u1(data, p + 4) + load_u1(data, p + 5)
    thread_id = np.int64(0)
    if p < end:
        extra = load_u1(data, p)
        p += 1
        if extra & _SEVERAL_ENGINES:
            p += 1
        if extra & _ENDS_ALTER:
            p += 8
        if extra & _HAS_THREAD_ID:
            thread_id = p
            p += 4
    return thread_id if p <= end else np.int64(-1)


@inlined
def read_mariadb_gtid(data, body, thread_id, server_id, transactions, t):
    """Take name and thread from a GTID event of MariaDB."""
    if thread_id > 0:
        transactions[lay.Transaction.THREAD_ID, t] = load_u4(data, thread_id)
    transactions[lay.Transaction.GTID_KIND, t] = lay.GtidKind.MARIADB
    transactions[lay.Transaction.GTID_A, t] = load_u4(data, body + 8)
    transactions[lay.Transaction.GTID_B, t] = server_id
    transactions[lay.Transaction.GTID_C, t] = load_u8(data, body)


_UUID_LENGTH = np.int64(36)


@helper
def put_uuid(first, second, out, o):
    """Write a UUID from its two big-endian halves."""
    for k in range(32):
        half = first if k < 16 else second
        if k == 8 or k == 12 or k == 16 or k == 20:
            o = put_u1(out, o, MINUS)
        o = put_u1(out, o, HEX[(half >> (60 - 4 * (k & 15))) & 15])


@inlined
def put_gtid(kind, a, b, c, uuid, out, o):
    """Write a GTID and return the position after it; nothing for other kinds.

    Args:
        kind, a, b, c: the fields of the table of transactions.
        uuid: where its UUID is in `out` already; -1 if that is not known.
    """
    if kind == lay.GtidKind.MYSQL:
        if uuid >= 0:
            copy_bytes(out, uuid, _UUID_LENGTH, out, o)
        else:
            put_uuid(a, b, out, o)
        o = put_u1(out, o + _UUID_LENGTH, COLON)
        o = put_integer(c, out, o)
    elif kind == lay.GtidKind.MARIADB:
        o = put_u1(out, put_integer(a, out, o), MINUS)
        o = put_u1(out, put_integer(b, out, o), MINUS)
        o = put_unsigned(c, out, o)
    return o


def fill_gtids(transactions, num_transactions, offsets, out):
    """Write the GTIDs of transactions and return the bytes written; nothing for other kinds.

    Args:
        transactions: (NUM_TRANSACTION_FIELDS, n) of `scan`.
        num_transactions: how many of them.
        offsets: (num_transactions + 1,) Arrow offsets, filled.
        out: at least LEN_GTID bytes for each transaction.
    """
    o = np.int64(0)
    offsets[0] = 0
    uuid = np.int64(-1)  # where the last UUID was written; most are the same
    uuid_a, uuid_b = np.int64(0), np.int64(0)
    for t in range(num_transactions):
        kind = transactions[lay.Transaction.GTID_KIND, t]
        a, b = transactions[lay.Transaction.GTID_A, t], transactions[lay.Transaction.GTID_B, t]
        if a != uuid_a or b != uuid_b:
            uuid = np.int64(-1)
        first = o
        o = put_gtid(kind, a, b, transactions[lay.Transaction.GTID_C, t], uuid, out, o)
        if kind == lay.GtidKind.MYSQL:
            uuid, uuid_a, uuid_b = first, a, b
        offsets[t + 1] = o
    return o
