"""The conditions of `row_filter`, for all events of a window at once."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import reduce
from uuid import UUID

import numpy as np

from pyspark_adapter.errors import located
from pyspark_adapter.events.event_errors import gtid_error
from pyspark_adapter.events.row_filter import RowFilter
from pyspark_adapter.format.header import server_id_at
from pyspark_adapter.kernels.layout import Event, GtidKind, Numbers, Transaction
from pyspark_adapter.options.change_types import CHANGES_BY_EVENT_TYPE
from pyspark_adapter.options.gtid_set import ANY_SERVER, GtidSet, Ranges, Source
from pyspark_adapter.scan.scanned_events import ScannedEvents, ScannedTransactions, gtid_texts


class ScannedFilter(RowFilter):
    """Selects the events of a window that a read asks for."""

    def transactions(self, transactions: Numbers, tagged_gtids: Sequence[str]) -> Numbers:
        """Return (m,) bool: whether each transaction is asked for.

        Args:
            transactions: (NUM_TRANSACTION_FIELDS, m) as `ScannedEvents` has them.
            tagged_gtids: texts of the GTIDs of kind `GtidKind.TAGGED`.
        """
        count = transactions.shape[1]
        if self.keeps_none:
            return np.zeros(count, dtype=bool)
        start_pos = transactions[Transaction.START_POS]
        keeps = start_pos >= self.first_pos
        if self.end_pos is not None:
            keeps &= start_pos < self.end_pos
        micros = transactions[Transaction.COMMIT_MICROS]
        if self.first_micros is not None:
            keeps &= micros >= self.first_micros
        if self.end_micros is not None:
            keeps &= micros < self.end_micros
        if self.include_gtids is not None:
            keeps &= contained(self.include_gtids, transactions, tagged_gtids)
        if self.exclude_gtids is not None:
            keeps &= ~contained(self.exclude_gtids, transactions, tagged_gtids)
        return np.asarray(keeps)

    def keeps_statement(self, event: bytes, transactions: ScannedTransactions) -> bool:
        """Return whether both the transaction and the server of a statement are asked for.

        Args:
            transactions: the latest is its transaction; there is none in a survey, which follows no
                transactions.
        """
        if self.keeps_all_transactions and self.server_ids is None:
            return True
        latest, tagged = transactions.latest, transactions.tagged_gtids
        is_wanted = not latest.size or bool(self.transactions(latest, tagged)[0])
        return is_wanted and self.keeps_server(server_id_at(event))

    def selected(self, scanned: ScannedEvents) -> Numbers:
        """Return the columns of the events that are asked for; raise as `events`."""
        keeps = self.events(scanned)
        return np.arange(scanned.events.shape[1]) if keeps is None else np.flatnonzero(keeps)

    def events(self, scanned: ScannedEvents) -> Numbers | None:
        """Return (n,) bool: whether each event is asked for; None if all are.

        Raises:
            ServerError: if the batch does not have a transaction by its offsets.
        """
        if self.allowed is not None:
            _check_gtids(scanned, self.allowed)
        if self.keeps_all:
            return None
        events = scanned.events
        of_change = np.zeros(256, dtype=bool)
        for type_code, changes in CHANGES_BY_EVENT_TYPE.items():
            of_change[type_code] = bool(changes & self.changes)
        keeps = of_change[events[Event.TYPE]]
        if not self.keeps_all_transactions:
            of_transactions = self.transactions(scanned.transactions, scanned.tagged_gtids)
            keeps &= of_transactions[events[Event.TRANSACTION]]
        if self.server_ids is not None:
            server_id = events[Event.SERVER_ID]
            keeps &= _any_of(
                (server_id >= first) & (server_id <= last) for first, last in self.server_ids
            )
        if not self.tables.keeps_all:
            table_maps = scanned.tables.table_maps
            slots, inverse = np.unique(events[Event.SLOT], return_inverse=True)
            of_slots = [self.tables.keeps(table_maps[slot].table) for slot in slots.tolist()]
            keeps &= np.array(of_slots, dtype=bool)[inverse]
        return np.asarray(keeps)


def _check_gtids(scanned: ScannedEvents, allowed: GtidSet) -> None:
    """Check that all transactions that have a GTID are in a set."""
    transactions, tagged = scanned.transactions, scanned.tagged_gtids
    is_named = transactions[Transaction.GTID_KIND] != GtidKind.NONE
    for t in np.flatnonzero(is_named & ~contained(allowed, transactions, tagged))[:1].tolist():
        [gtid] = gtid_texts(np.ascontiguousarray(transactions[:, t : t + 1]), tagged).to_pylist()
        with located(scanned.log_file.event_site(int(transactions[Transaction.START_POS, t]))):
            raise gtid_error(gtid)


def contained(gtids: GtidSet, transactions: Numbers, tagged_gtids: Sequence[str]) -> Numbers:
    """Return (m,) bool: whether each transaction has a GTID that is in a set.

    Args:
        transactions: (NUM_TRANSACTION_FIELDS, m) as `ScannedEvents` has them.
        tagged_gtids: texts of the GTIDs of kind `GtidKind.TAGGED`.
    """
    kinds, a, b, c = (
        transactions[field]
        for field in (
            Transaction.GTID_KIND,
            Transaction.GTID_A,
            Transaction.GTID_B,
            Transaction.GTID_C,
        )
    )
    contains = np.zeros(len(kinds), dtype=bool)
    for source, ranges in gtids.entries:
        kind, first, second = fields_of(source)
        is_of_source = (kinds == kind) & (a == first)
        if kind != GtidKind.MARIADB or second != ANY_SERVER:
            is_of_source &= b == second
        of_source = np.flatnonzero(is_of_source)
        numbers = c[of_source]
        if kind == GtidKind.MARIADB:
            numbers = numbers.view(np.uint64)
        contains[of_source] |= _within(numbers, ranges)
    for t in np.flatnonzero(kinds == GtidKind.TAGGED).tolist():
        contains[t] = tagged_gtids[int(a[t])] in gtids
    return contains


def fields_of(source: Source) -> tuple[int, int, int]:
    """Return kind and fields A and B of a source; kind -1 if it has a tag."""
    if isinstance(source[0], int):
        return GtidKind.MARIADB, int(source[0]), int(source[1])
    uuid, tag = source
    first, second = struct.unpack(">qq", UUID(str(uuid)).bytes)
    return -1 if tag else GtidKind.MYSQL, first, second


def _within(numbers: Numbers, ranges: Ranges) -> Numbers:
    """Return for each number whether it is in one of the ranges."""
    firsts, lasts = np.array(ranges, dtype=numbers.dtype).T
    k = np.searchsorted(firsts, numbers, side="right") - 1
    return np.asarray((k >= 0) & (numbers <= lasts[k]))


def _any_of(conditions: Iterable[Numbers]) -> Numbers:
    return np.asarray(reduce(np.logical_or, conditions))
