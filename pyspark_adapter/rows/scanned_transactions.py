"""Transactions that the scan finds, with the names that have no room in its numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pyspark_adapter.events.gtid import format_tagged_gtid
from pyspark_adapter.events.transactions import xid_of_gtid, xid_of_statement
from pyspark_adapter.format.header import server_id_at, timestamp_at
from pyspark_adapter.kernels import layout as lay

_MAX_TRANSACTIONS: Final = 1 << 15


def _header_micros(event: bytes) -> int:
    return timestamp_at(event) * 1_000_000


class ScannedTransactions:
    """The transactions of a window; the first may have begun before it.

    The kernel opens most of them. Those whose events it cannot read are opened here.

    Args:
        state: (NUM_STATE_FIELDS,) of the scan; what it says of transactions is changed here too.

    Attributes:
        table: (NUM_TRANSACTION_FIELDS, n) int64, as the kernel takes it.
        tagged_gtids: texts of the GTIDs of kind GTID_TAGGED.
        xids: names of distributed transactions, as T_XID counts them.
    """

    def __init__(self, state: np.ndarray[Any, Any]) -> None:
        self._state = state
        self.table = np.zeros((lay.NUM_TRANSACTION_FIELDS, _MAX_TRANSACTIONS), dtype=np.int64)
        self.tagged_gtids: list[str] = []
        self.xids: list[str] = []

    @property
    def found(self) -> np.ndarray[Any, Any]:
        """The columns of `table` that are in use."""
        return self.table[:, : self._state[lay.S_NUM_TRANSACTIONS]]

    @property
    def latest(self) -> np.ndarray[Any, Any]:
        """(NUM_TRANSACTION_FIELDS, 1): the one that was opened last."""
        return self.found[:, -1:]

    def open_tagged(self, body: Any, start_pos: int) -> None:
        """Open the transaction that a GTID event with a tag names."""
        name, micros = format_tagged_gtid(body)
        transaction = self._open(start_pos, micros, lay.TX_NAMED)
        transaction[lay.T_GTID_KIND] = lay.GTID_TAGGED
        transaction[lay.T_GTID_A] = len(self.tagged_gtids)
        self.tagged_gtids.append(name)

    def begin_xa(self, event: bytes, body: Any, start_pos: int) -> None:
        """Take the XA START of a distributed transaction, which may have a GTID already."""
        xid = xid_of_statement(bytes(body.query))
        assert xid is not None
        if self._state[lay.S_TRANSACTION_STATE] != lay.TX_NAMED:
            self._open(start_pos, _header_micros(event), lay.TX_OPEN)
        self._state[lay.S_TRANSACTION_STATE] = lay.TX_OPEN
        self._name_xa(xid)

    def open_prepared(self, event: bytes, body: Any, start_pos: int) -> None:
        """Open the distributed transaction that a GTID event of MariaDB begins."""
        state = lay.TX_NAMED if body.is_standalone else lay.TX_OPEN
        transaction = self._open(start_pos, _header_micros(event), state)
        transaction[lay.T_GTID_KIND] = lay.GTID_MARIADB
        transaction[lay.T_GTID_A] = body.domain_id
        transaction[lay.T_GTID_B] = server_id_at(event)
        transaction[lay.T_GTID_C] = np.uint64(body.seq_no).view(np.int64)
        xid = xid_of_gtid(body)
        assert xid is not None
        self._name_xa(xid)

    def _open(self, start_pos: int, micros: int, state: int) -> np.ndarray[Any, Any]:
        """Append a transaction and return its column."""
        t = int(self._state[lay.S_NUM_TRANSACTIONS])
        self._state[lay.S_TRANSACTION] += 1
        self.table[:, t] = 0
        self.table[lay.T_START_POS, t] = start_pos
        self.table[lay.T_COMMIT_MICROS, t] = micros
        self.table[lay.T_NUMBER, t] = self._state[lay.S_TRANSACTION]
        self._state[lay.S_NUM_TRANSACTIONS] = t + 1
        self._state[lay.S_TRANSACTION_STATE] = state
        self._state[lay.S_HAS_ROWS] = 0
        return np.asarray(self.table[:, t])

    def _name_xa(self, xid: str) -> None:
        self.xids.append(xid)
        self.latest[lay.T_XID] = len(self.xids)

    def carry_over(self) -> None:
        """Keep the last one, which may go on, as the first of the next window.

        The lists of names are new ones: who was given the ones of before keeps them.
        """
        if not self._state[lay.S_NUM_TRANSACTIONS]:
            return
        last = self.latest[:, 0].copy()
        if last[lay.T_GTID_KIND] == lay.GTID_TAGGED:
            self.tagged_gtids = [self.tagged_gtids[last[lay.T_GTID_A]]]
            last[lay.T_GTID_A] = 0
        else:
            self.tagged_gtids = []
        self.xids = [self.xids[last[lay.T_XID] - 1]] if last[lay.T_XID] else []
        last[lay.T_XID] = len(self.xids)
        self.table[:, 0] = last
        self._state[lay.S_NUM_TRANSACTIONS] = 1
