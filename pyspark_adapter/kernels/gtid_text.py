"""Names of transactions as the servers print them."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.digits import COLON, HEX, MINUS, put_integer, put_unsigned
from pyspark_adapter.kernels.jit import helper, inlined
from pyspark_adapter.kernels.load import copy_bytes, put_u1

_UUID_LENGTH = np.int64(36)


@helper
def put_uuid(first, second, out, o):
    """Write a UUID, given as two big-endian halves."""
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
