"""Adds up the transactions of a window by block, by block and table, and by block and source."""

from __future__ import annotations

import numpy as np

from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.kernels.layout import GtidKind, Transaction

_FIRST_POS = np.int64(len(MAGIC))
_HOUR = np.int64(3_600_000_000)
_SECOND = np.int64(1_000_000)
_NEVER = np.int64((1 << 63) - 1)
# Inserts, updates and deletes are from this column of a count on.
_KINDS = 4


def add_blocks(
    fields,
    end_pos,
    of_change,
    tables,
    kinds,
    num_rows,
    num_bytes,
    of_event,
    seconds,
    step,
    latest,
    blocks,
    counts,
    gtids,
    sizes,
):
    """Fill sums and return how many transactions there are.

    Args:
        fields: (NUM_TRANSACTION_FIELDS, m) of the transactions.
        end_pos: (m,) where each ends; -1 for unknown.
        of_change, tables, kinds, num_rows, num_bytes: (n,) as `RowChanges`.
        of_event, seconds: (k,) as `RowTimes`.
        step: bytes of a block.
        latest: (2, most tables) filled: the last run of blocks and hours that changes a table, and
            its count; all -1 at first. The last column has the first and last second of the rows of
            transaction 0 in windows before.
        blocks: (9, m) filled: number, first offset, first and last commit, transactions, bytes,
            most bytes, rows and seconds of one.
        counts: (10, n) filled: hour, block, table, transactions, inserts, updates, deletes, bytes,
            first and last commit. A block whose commits are of two hours has several.
        gtids: (6, m) filled: block, kind, source, first and last number.
        sizes: (3,) filled: how many columns of each.
    """
    b, c, g = np.int64(-1), np.int64(-1), np.int64(-1)
    i, j, run = np.int64(0), np.int64(0), np.int64(-1)
    last_block, last_hour = np.int64(-1), np.int64(0)
    home = latest.shape[1] - 1
    for t in range(fields.shape[1]):
        start = fields[Transaction.START_POS, t]
        micros = fields[Transaction.COMMIT_MICROS, t]
        block = (start - _FIRST_POS) // step
        hour = micros // _HOUR
        size = fields[Transaction.NUM_BYTES, t]
        if size < 0 and end_pos[t] >= 0:
            size = end_pos[t] - start
        if block != last_block or hour != last_hour:
            run += 1
        if block != last_block:
            b += 1
            blocks[0, b], blocks[1, b] = block, start
            blocks[2, b], blocks[3, b] = micros, micros
            for k in range(4, 6):
                blocks[k, b] = 0
            for k in range(6, 9):
                blocks[k, b] = -1
        last_block, last_hour = block, hour
        rows, change = np.int64(0), c
        table = np.int64(-1)
        while i < of_change.size and of_change[i] == t:
            if tables[i] != table:
                table = tables[i]
                if latest[0, table] != run:
                    c += 1
                    latest[0, table], latest[1, table] = run, c
                    counts[0, c], counts[1, c], counts[2, c] = hour, block, table
                    for k in range(3, 8):
                        counts[k, c] = 0
                    counts[8, c], counts[9, c] = micros, micros
                change = latest[1, table]
                counts[3, change] += 1
                counts[8, change] = min(counts[8, change], micros)
                counts[9, change] = max(counts[9, change], micros)
            counts[_KINDS + kinds[i], change] += num_rows[i]
            counts[7, change] += num_bytes[i]
            rows += num_rows[i]
            i += 1
        first, last = _NEVER, micros // _SECOND
        if t == 0:
            first, last = latest[0, home], max(last, latest[1, home])
        while j < of_event.size and of_event[j] == t:
            first, last = min(first, seconds[j]), max(last, seconds[j])
            j += 1
        # A commit earlier than a rows event is that of another clock, and does not count.
        duration = max(last - first, np.int64(0)) if first < _NEVER else np.int64(-1)
        blocks[2, b], blocks[3, b] = min(blocks[2, b], micros), max(blocks[3, b], micros)
        blocks[4, b] += 1
        blocks[5, b] += max(size, np.int64(0))
        blocks[6, b], blocks[7, b] = max(blocks[6, b], size), max(blocks[7, b], rows)
        blocks[8, b] = max(blocks[8, b], duration)
        kind = fields[Transaction.GTID_KIND, t]
        if kind == GtidKind.NONE:
            continue
        high, low = fields[Transaction.GTID_A, t], fields[Transaction.GTID_B, t]
        number = fields[Transaction.GTID_C, t]
        # Numbers of MariaDB from 2^63 on would be negative here: so rare, they are as texts.
        if kind == GtidKind.TAGGED or number < 0:
            kind, high, low, number = np.int64(GtidKind.TAGGED), 0, 0, 0
        is_same = g >= 0 and gtids[0, g] == block and gtids[1, g] == kind
        if not (is_same and gtids[2, g] == high and gtids[3, g] == low):
            g += 1
            gtids[0, g], gtids[1, g], gtids[2, g], gtids[3, g] = block, kind, high, low
            gtids[4, g], gtids[5, g] = number, number
        gtids[4, g], gtids[5, g] = min(gtids[4, g], number), max(gtids[5, g], number)
    sizes[0], sizes[1], sizes[2] = b + 1, c + 1, g + 1
    return np.int64(fields.shape[1])
