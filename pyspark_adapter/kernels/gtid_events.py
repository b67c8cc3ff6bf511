"""GTID events: the name of a transaction, and its commit time where one is logged."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.schema import EventType
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import N8, load_be, load_u1, load_u3, load_u4, load_u8

_GTID = EventType.gtid.value

# Of a MariaDB GTID: fields that are always there, and bits of its flags and of its extra flags.
_LEN_FIXED = np.int64(13)
_HAS_COMMIT_ID, _COMPLETED_XA = 0x02, 0x80
_SEVERAL_ENGINES, _ENDS_ALTER, _HAS_THREAD_ID = 0x01, 0x0C, 0x10


@inlined
def read_gtid(data, body, end, type_code, transactions, t):
    """Take name and commit time from a GTID or ANONYMOUS_GTID event; False if it is too short."""
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
    return True


@helper
def mariadb_gtid_fits(data, body, end):
    """Return whether a GTID event of MariaDB holds all fields that its flags announce.

    One of a prepared XA transaction is left to Python.
    """
    if end - body < _LEN_FIXED:
        return False
    flags = load_u1(data, body + 12)
    p = body + _LEN_FIXED
    if flags & _HAS_COMMIT_ID:
        p += 8
    if flags & _COMPLETED_XA:
        if p + 6 > end:
            return False
        p += 6 + load_u1(data, p + 4) + load_u1(data, p + 5)
    if p < end:
        extra = load_u1(data, p)
        p += 1
        if extra & _SEVERAL_ENGINES:
            p += 1
        if extra & _ENDS_ALTER:
            p += 8
        if extra & _HAS_THREAD_ID:
            p += 4
    return p <= end


@inlined
def read_mariadb_gtid(data, body, server_id, transactions, t):
    """Take the name from a GTID event of MariaDB that fits."""
    transactions[lay.Transaction.GTID_KIND, t] = lay.GtidKind.MARIADB
    transactions[lay.Transaction.GTID_A, t] = load_u4(data, body + 8)
    transactions[lay.Transaction.GTID_B, t] = server_id
    transactions[lay.Transaction.GTID_C, t] = load_u8(data, body)
