"""Transactions that the scan finds, with the names that have no room in its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from pyspark_adapter.errors import located
from pyspark_adapter.events.event_errors import open_transaction_error, split_error
from pyspark_adapter.events.transactions import xid_of_gtid, xid_of_statement
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.format.event_types import ENDS_LOG, TRAITS
from pyspark_adapter.format.gtid import read_tagged_gtid
from pyspark_adapter.format.header import server_id_at, timestamp_at
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import fill_gtids
from pyspark_adapter.kernels.layout import GtidKind, Numbers, State, Transaction, Tx
from pyspark_adapter.kernels.transaction_state import OPENS, Mark, next_state
from pyspark_adapter.sources.log_file import LogFile


def _header_micros(event: bytes) -> int:
    return timestamp_at(event) * 1_000_000


class ScannedTransactions:
    """The transactions of a window; the first may have begun before it.

    The kernel opens most of them. Those whose events it cannot read are opened here.

    Args:
        state: (NUM_STATE_FIELDS,) of the scan; what it says of transactions is changed here too.
        max_transactions: of a window.

    Attributes:
        table: (NUM_TRANSACTION_FIELDS, n) int64, as the kernel takes it.
        tagged_gtids: texts of the GTIDs of kind `GtidKind.TAGGED`.
        xids: names of distributed transactions; `Transaction.XID` counts them from 1.
    """

    def __init__(self, state: Numbers, max_transactions: int) -> None:
        self._state = state
        self.table = np.empty((lay.NUM_TRANSACTION_FIELDS, max_transactions), dtype=np.int64)
        self.tagged_gtids: list[str] = []
        self.xids: list[str] = []

    @property
    def used(self) -> Numbers:
        """The columns of `table` that are in use."""
        return self.table[:, : self._state[State.NUM_TRANSACTIONS]]

    @property
    def latest(self) -> Numbers:
        """(NUM_TRANSACTION_FIELDS, 1): the one that was opened last."""
        return self.used[:, -1:]

    def open_tagged(self, body: Any, start_pos: int) -> None:
        """Open the transaction that a GTID event with a tag names."""
        name, micros, num_bytes = read_tagged_gtid(body)
        self._follow(Mark.NAME, start_pos, micros)
        self.latest[Transaction.NUM_BYTES] = num_bytes
        self.latest[Transaction.GTID_KIND] = GtidKind.TAGGED
        self.latest[Transaction.GTID_A] = len(self.tagged_gtids)
        self.tagged_gtids.append(name)

    def begin_xa(self, event: bytes, body: Any, start_pos: int) -> None:
        """Take the XA START of a distributed transaction, which may have a GTID already."""
        self._follow(Mark.BEGIN_XA, start_pos, _header_micros(event))
        if self._state[State.HAS_ROWS]:
            return
        self.latest[Transaction.THREAD_ID] = body.thread_id
        self._name_xa(xid_of_statement(bytes(body.query)))

    def open_prepared(self, event: bytes, body: Any, start_pos: int) -> None:
        """Open the distributed transaction that a GTID event of MariaDB begins."""
        mark = Mark.NAME if body.is_standalone else Mark.NAME_AND_BEGIN
        self._follow(mark, start_pos, _header_micros(event))
        latest = self.latest
        latest[Transaction.GTID_KIND] = GtidKind.MARIADB
        latest[Transaction.GTID_A] = body.domain_id
        latest[Transaction.GTID_B] = server_id_at(event)
        latest[Transaction.GTID_C] = np.uint64(body.seq_no).view(np.int64)
        latest[Transaction.THREAD_ID] = getattr(body, "thread_id", -1)
        self._name_xa(xid_of_gtid(body))

    def _follow(self, mark: Mark, start_pos: int, micros: int) -> None:
        """Move on over an event, and append a transaction if the event opens one."""
        after = next_state(int(self._state[State.TRANSACTION_STATE]), mark)
        self._state[State.TRANSACTION_STATE] = after & ~OPENS
        if not after & OPENS:
            return
        t = int(self._state[State.NUM_TRANSACTIONS])
        self._state[State.TRANSACTION] += 1
        self.table[:, t] = 0
        self.table[[Transaction.THREAD_ID, Transaction.NUM_BYTES], t] = -1
        self.table[Transaction.START_POS, t] = start_pos
        self.table[Transaction.COMMIT_MICROS, t] = micros
        self.table[Transaction.NUMBER, t] = self._state[State.TRANSACTION]
        self._state[State.NUM_TRANSACTIONS] = t + 1
        self._state[State.HAS_ROWS] = 0
        self._state[State.QUERY_END] = 0
        self._state[State.STATEMENT] += 1  # releases all table maps

    def _name_xa(self, xid: str | None) -> None:
        assert xid is not None
        self.xids.append(xid)
        self.latest[Transaction.XID] = len(self.xids)

    def carry_over(self) -> None:
        """Keep the last one, which may continue, as the first of the next window.

        The lists of names are replaced, not changed: windows before keep theirs.
        """
        if not self._state[State.NUM_TRANSACTIONS]:
            return
        last = self.latest[:, 0].copy()
        if last[Transaction.GTID_KIND] == GtidKind.TAGGED:
            self.tagged_gtids = [self.tagged_gtids[last[Transaction.GTID_A]]]
            last[Transaction.GTID_A] = 0
        else:
            self.tagged_gtids = []
        self.xids = [self.xids[last[Transaction.XID] - 1]] if last[Transaction.XID] else []
        last[Transaction.XID] = len(self.xids)
        self.table[:, 0] = last
        self._state[State.NUM_TRANSACTIONS] = 1

    def check_finished(self, log_file: LogFile, part: ReadRange | None) -> None:
        """Raise if the log ends inside a transaction that has changed rows.

        A part of a log has to end where a transaction ends, or where a GTID begins one.
        """
        state, tx_state = self._state, self._state[State.TRANSACTION_STATE]
        is_ended = bool(TRAITS[state[State.LAST_TYPE]] & ENDS_LOG)
        if tx_state == Tx.CLOSED:
            return
        start_pos = int(self.latest[Transaction.START_POS, 0])
        with located(log_file.event_site(start_pos)):
            if part is not None and part.stop is not None:
                if not part.stops_at_gtid:
                    raise split_error(part.stop)
            elif tx_state == Tx.OPEN and state[State.HAS_ROWS] and not is_ended:
                raise open_transaction_error()


def gtid_texts(transactions: Numbers, tagged: list[str]) -> pa.Array:
    """Return the GTID of each transaction; null where it has none."""
    count = transactions.shape[1]
    kinds = transactions[lay.Transaction.GTID_KIND]
    offsets = np.empty(count + 1, dtype=np.int32)
    out = np.empty(count * lay.LEN_GTID, dtype=np.uint8)
    fill_gtids(transactions, count, offsets, out)
    validity = None
    if (kinds == lay.GtidKind.NONE).any():
        bits = np.packbits(kinds != lay.GtidKind.NONE, bitorder="little")
        validity = pa.py_buffer(bits)
    texts = pa.Array.from_buffers(
        pa.string(), count, [validity, pa.py_buffer(offsets), pa.py_buffer(out)]
    )
    if (kinds == lay.GtidKind.TAGGED).any():
        listed = texts.to_pylist()
        for t in np.flatnonzero(kinds == lay.GtidKind.TAGGED).tolist():
            listed[t] = tagged[int(transactions[lay.Transaction.GTID_A, t])]
        texts = pa.array(listed, pa.string())
    return texts
