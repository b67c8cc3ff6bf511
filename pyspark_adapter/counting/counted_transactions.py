"""The transactions of a window with what their rows events change, as numbers.

What a caller does not ask for is not computed: sums by table need neither texts nor Arrow lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.events.statements import Statement
from pyspark_adapter.kernels.layout import Numbers, Transaction

# The changes of a table in a transaction. num_bytes: of its rows events, decompressed and without
# checksums.
TABLE_CHANGES: Final = pa.struct(
    [
        ("table", pa.dictionary(pa.int32(), pa.string())),
        ("num_inserts", pa.int64()),
        ("num_updates", pa.int64()),
        ("num_deletes", pa.int64()),
        ("num_bytes", pa.int64()),
    ]
)

# A row for each transaction.
#   end_pos: where the next transaction begins; for the last one of a log, where its own events end;
#     null for the last one of a log that is compressed.
#   num_bytes: in the file, from its first event to the next transaction; null for the last one of
#     a log that MariaDB compressed.
#   duration: whole seconds from its first rows event to its commit, as logged; null without rows.
TRANSACTIONS: Final = pa.schema(
    [
        ("log_file", pa.string()),
        ("start_pos", pa.int64()),
        ("end_pos", pa.int64()),
        ("commit_timestamp", pa.timestamp("us", tz="UTC")),
        ("gtid", pa.string()),
        ("thread_id", pa.int64()),
        ("num_bytes", pa.int64()),
        ("num_rows", pa.int64()),
        ("duration", pa.int64()),
        ("tables", pa.list_(TABLE_CHANGES)),
    ]
)

# Inserts, updates and deletes, as `RowChanges.kinds` numbers them.
NUM_KINDS: Final = 3

# Later than any time.
_NEVER: Final = (1 << 63) - 1


def _no_numbers() -> Numbers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class RowChanges:
    """What each of some rows events changes, ordered by transaction and then by table.

    Attributes:
        transactions: (n,) columns of the transactions of the window.
        tables: (n,) numbers of the tables.
        kinds: (n,) 0 for inserts, 1 for updates, 2 for deletes.
        num_rows: (n,) row changes.
        num_bytes: (n,) of the event, decompressed and without its checksum.
    """

    transactions: Numbers
    tables: Numbers
    kinds: Numbers
    num_rows: Numbers
    num_bytes: Numbers

    @classmethod
    def none(cls) -> RowChanges:
        """Return those of no events."""
        return cls(*(_no_numbers() for _ in range(5)))

    def columns(self) -> tuple[Numbers, ...]:
        """Return the arrays, in the order above."""
        return self.transactions, self.tables, self.kinds, self.num_rows, self.num_bytes

    def then(self, later: RowChanges) -> RowChanges:
        """Return these and those of later events, in order."""
        both = later
        if len(self.tables):
            pairs = zip(self.columns(), later.columns(), strict=True)
            both = RowChanges(*(np.concatenate(pair) for pair in pairs))
        if not len(both.tables) or both.tables.max() == both.tables.min():
            return both
        keys = both._keys()
        if (keys[1:] >= keys[:-1]).all():
            return both
        return both.at(np.argsort(keys, kind="stable"))

    def at(self, indices: Numbers | slice) -> RowChanges:
        """Return those at some indices."""
        return RowChanges(*(column[indices] for column in self.columns()))

    def _keys(self) -> Numbers:
        """Return a number for each pair of transaction and table."""
        count = int(self.tables.max()) + 1 if len(self.tables) else 1
        return self.transactions if count == 1 else self.transactions * count + self.tables

    def begins(self) -> Numbers:
        """Return where each pair of transaction and table begins."""
        return np.flatnonzero(np.diff(self._keys(), prepend=-1))  # keys are 0 or more

    def of_last(self, transaction: int) -> RowChanges:
        """Return the sums of the last transaction, as those of transaction 0."""
        own = self.at(slice(int(np.searchsorted(self.transactions, transaction)), None))
        if not len(own.tables):
            return own
        keys, groups = np.unique(own.tables * NUM_KINDS + own.kinds, return_inverse=True)
        tables, kinds = np.divmod(keys, NUM_KINDS)
        return RowChanges(
            np.zeros_like(tables),
            tables,
            kinds,
            summed(groups, own.num_rows, len(keys)),
            summed(groups, own.num_bytes, len(keys)),
        )


def summed(groups: Numbers, values: Numbers, count: int) -> Numbers:
    """Return (count,) int64: the sum of the values of each group, exact up to 2^53."""
    return np.bincount(groups, values, count).astype(np.int64)


@dataclass(frozen=True, slots=True)
class RowTimes:
    """When rows were changed, as the headers of all rows events have it, in seconds.

    Attributes:
        transactions: (n,) columns of the transactions of the window.
        seconds: (n,) since 1970-01-01 UTC.
        earlier: the first and the last of events of transaction 0 in windows before.
    """

    transactions: Numbers
    seconds: Numbers
    earlier: tuple[int, int] = (_NEVER, 0)

    @classmethod
    def none(cls) -> RowTimes:
        """Return those of no events."""
        return cls(_no_numbers(), _no_numbers())

    def of_last(self, transaction: int) -> RowTimes:
        """Return those of the last transaction, as those of transaction 0."""
        first, last = self.earlier if transaction == 0 else (_NEVER, 0)
        own = self.seconds[int(np.searchsorted(self.transactions, transaction)) :]
        if len(own):
            first, last = min(first, int(own.min())), max(last, int(own.max()))
        return RowTimes(_no_numbers(), _no_numbers(), (first, last))

    def durations(self, commit_micros: Numbers) -> Numbers:
        """Return the seconds from the first rows event of each to its commit; -1 without rows."""
        first = np.full(len(commit_micros), _NEVER)
        last = commit_micros // 1_000_000
        if len(first):
            first[0], last[0] = self.earlier[0], max(last[0], self.earlier[1])
        begins = np.flatnonzero(np.diff(self.transactions, prepend=-1))
        if len(begins):
            owners = self.transactions[begins]
            first[owners] = np.minimum(first[owners], np.minimum.reduceat(self.seconds, begins))
            last[owners] = np.maximum(last[owners], np.maximum.reduceat(self.seconds, begins))
        # A commit earlier than a rows event is that of another clock, and does not count.
        return np.where(first < _NEVER, np.maximum(last - first, 0), -1)


@dataclass(frozen=True, slots=True)
class CountedTransactions:
    """Transactions of a window. Valid until the next window.

    Attributes:
        fields: (NUM_TRANSACTION_FIELDS, m) int64.
        tagged_gtids: texts of the GTIDs of kind GTID_TAGGED.
        end_pos: (m,) as in TRANSACTIONS; -1 for null.
        table_names: by number.
        changes: of the rows events that are asked for.
        times: of all rows events.
        statements: of the window, those that are asked for; around transactions of it, or of the
            windows next to it.
    """

    log_name: str
    fields: Numbers
    tagged_gtids: list[str]
    end_pos: Numbers
    table_names: Sequence[str]
    changes: RowChanges
    times: RowTimes
    statements: Sequence[Statement] = ()

    @classmethod
    def none(cls, log_name: str, statements: Sequence[Statement]) -> CountedTransactions:
        """Return those of a window that has only statements."""
        fields = np.zeros((len(Transaction), 0), dtype=np.int64)
        no_rows = RowChanges.none(), RowTimes.none()
        return cls(log_name, fields, [], _no_numbers(), (), *no_rows, statements)

    def __len__(self) -> int:
        return len(self.end_pos)

    def first(self, count: int) -> CountedTransactions:
        """Return the first of them."""
        changes, times = self.changes, self.times
        end = int(np.searchsorted(times.transactions, count))
        return replace(
            self,
            fields=self.fields[:, :count],
            end_pos=self.end_pos[:count],
            changes=changes.at(slice(int(np.searchsorted(changes.transactions, count)))),
            times=replace(
                times, transactions=times.transactions[:end], seconds=times.seconds[:end]
            ),
        )

    def last(self) -> CountedTransactions:
        """Return the last one alone, without statements; it stays valid."""
        k = len(self) - 1
        return replace(
            self,
            statements=(),
            fields=self.fields[:, k:].copy(),
            end_pos=self.end_pos[k:].copy(),
            changes=self.changes.of_last(k),
            times=self.times.of_last(k),
        )

    def where(self, keeps: Numbers) -> CountedTransactions:
        """Return those where (m,) bool is set."""
        if keeps.all():
            return self
        numbers = np.cumsum(keeps) - 1
        changes = self.changes.at(np.flatnonzero(keeps[self.changes.transactions]))
        of_kept = keeps[self.times.transactions]
        return replace(
            self,
            fields=np.compress(keeps, self.fields, axis=1),  # each row stays one piece
            end_pos=self.end_pos[keeps],
            changes=replace(changes, transactions=numbers[changes.transactions]),
            times=replace(
                self.times,
                transactions=numbers[self.times.transactions[of_kept]],
                seconds=self.times.seconds[of_kept],
                earlier=self.times.earlier if keeps[0] else (_NEVER, 0),
            ),
        )

    def num_bytes(self) -> Numbers:
        """Return (m,) bytes in the file; -1 where they are not known."""
        logged, starts = self.fields[Transaction.NUM_BYTES], self.fields[Transaction.START_POS]
        if (logged >= 0).all():
            return np.asarray(logged)
        between = np.where(self.end_pos >= 0, self.end_pos - starts, -1)
        return np.where(logged >= 0, logged, between)

    def num_rows(self) -> Numbers:
        """Return (m,) row changes."""
        return summed(self.changes.transactions, self.changes.num_rows, len(self))

    def duration(self) -> Numbers:
        """Return (m,) as in TRANSACTIONS; -1 for null."""
        return self.times.durations(self.fields[Transaction.COMMIT_MICROS])

    def batch(self) -> pa.RecordBatch:
        """Return them as Arrow, with the columns of TRANSACTIONS; it stays valid."""
        from pyspark_adapter.scan.scanned_events import gtid_texts  # loads kernels

        fields = self.fields
        micros = fields[Transaction.COMMIT_MICROS].copy()
        columns = [
            pa.repeat(self.log_name, len(self)),
            pa.array(fields[Transaction.START_POS].copy()),
            _logged(self.end_pos.copy()),
            pa.array(micros).cast(TRANSACTIONS.field("commit_timestamp").type),
            gtid_texts(np.ascontiguousarray(fields), self.tagged_gtids),
            _logged(fields[Transaction.THREAD_ID].copy()),
            _logged(np.array(self.num_bytes())),
            pa.array(self.num_rows()),
            _logged(self.duration()),
            self._lists(),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=TRANSACTIONS)

    def _lists(self) -> pa.Array:
        """Return the column `tables`."""
        changes = self.changes
        begins = changes.begins()
        values = [np.where(changes.kinds == kind, changes.num_rows, 0) for kind in range(NUM_KINDS)]
        values.append(changes.num_bytes)
        if len(begins) < len(changes.tables):
            values = [np.add.reduceat(value, begins) for value in values]
        tables = pa.DictionaryArray.from_arrays(
            pa.array(changes.tables[begins].astype(np.int32)),
            pa.array(self.table_names, pa.string()),
        )
        entries = pa.StructArray.from_arrays(
            [tables, *(pa.array(value) for value in values)], fields=list(TABLE_CHANGES)
        )
        lengths = np.bincount(changes.transactions[begins], minlength=len(self))
        offsets = np.zeros(len(self) + 1, dtype=np.int32)
        np.cumsum(lengths, out=offsets[1:])
        return pa.ListArray.from_arrays(pa.array(offsets), entries)


def _logged(values: Numbers) -> pa.Array:
    """Return numbers; null where they are below 0."""
    return pa.array(values, pa.int64(), mask=values < 0)
