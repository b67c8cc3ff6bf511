"""Writes the statements of a script into a temporary file, while the changes are read."""

from __future__ import annotations

import tempfile
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import EventSite
from pyspark_adapter.kernels.layout import Change, Numbers
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.written_files import temporary_space
from pyspark_adapter.sql_text.findings import Position
from pyspark_adapter.sql_text.fragments import (
    LoggedTransaction,
    LoggedTransactions,
    Marks,
    SqlFragments,
)
from pyspark_adapter.sql_text.log_changes import SqlRequest
from pyspark_adapter.sql_text.refusals import Refusals
from pyspark_adapter.sql_text.statement_blocks import StatementBlocks

_MAX_IN_MEMORY: Final = 8 << 20


class Spool:
    """Records, each a number and a text; the first bytes are kept in memory, the rest on disk."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_MAX_IN_MEMORY)  # noqa: SIM115
        self._records: list[tuple[int, int, int]] = []  # number, position, length
        self._size = 0
        # Also if the script is never read.
        self.close = weakref.finalize(self, _close, self._file)

    def append(self, number: int, text: bytes | memoryview) -> None:
        """Add a record; raises BinlogError if the temporary folder is full."""
        with temporary_space():
            self._file.write(text)
        self._records.append((number, self._size, len(text)))
        self._size += len(text)

    def read(self, *, is_backwards: bool) -> Iterator[tuple[int, bytes]]:
        """Yield all records in order, or the last first."""
        for number, position, length in reversed(self._records) if is_backwards else self._records:
            with temporary_space():
                self._file.seek(position)  # writes the buffer
            yield number, self._file.read(length)


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # of the buffer, if the disk is full
        file.close()


_PROGRESS_ROWS: Final = 10_000
_NUM_CHANGES: Final = len(Change)
# The number of the records that are always written; others are of one prepared transaction each.
_ALWAYS: Final = 0


@dataclass(slots=True)
class Tally:
    """What some records of a script are about.

    Attributes:
        transactions: of the log, the first and the last one, each with its number.
        rows: row changes by table and kind of change.
    """

    transactions: list[tuple[int, LoggedTransaction]] = field(default_factory=list)
    num_transactions: int = 0
    rows: Counter[tuple[TableName, Change]] = field(default_factory=Counter)

    def add_transactions(
        self, number: int, count: int, first: LoggedTransaction, last: LoggedTransaction
    ) -> None:
        """Count transactions, of which the first has a number."""
        self.transactions = [*self.transactions[:1], (number, first), (number + count, last)]
        self.num_transactions += count

    def add(self, other: Tally) -> None:
        """Add what other records are about."""
        merged = sorted((*self.transactions, *other.transactions), key=lambda pair: pair[0])
        self.transactions = [merged[0], merged[-1]]
        self.num_transactions += other.num_transactions
        self.rows += other.rows


class ScriptWriter:
    """Writes the statements of a script.

    Args:
        rows_per_statement: most rows of an INSERT or DELETE.
        transaction_rows: transactions of the log are joined until they have so many row changes.

    Attributes:
        spool: of the statements.
        refusals: reasons why there is no script.
        changed_parents: by table, where its first row was updated or deleted.
        first_rows: by table, where its first row change is.
    """

    def __init__(self, request: SqlRequest, rows_per_statement: int, transaction_rows: int) -> None:
        self._request = request
        self._is_undo = request.is_undo
        self._transaction_rows = transaction_rows
        self._blocks = StatementBlocks(request, most_rows=rows_per_statement)
        self._key: tuple[str, int] | None = None  # of the latest transaction
        self._comment = ""  # that names it
        self._num_rows = 0
        self._begin_rows = 0  # before the transaction of the script
        self._is_open = False
        self._number = _ALWAYS
        self._prepared: list[LoggedTransaction] = []  # of the records from 1 on
        self._num_transactions = 0
        self._tallies = [Tally()]
        self.spool = Spool()
        self.refusals = Refusals()
        self.changed_parents: dict[TableName, EventSite] = {}
        self.first_rows: dict[TableName, Position] = {}

    def add(self, fragments: SqlFragments) -> None:
        """Write the next changes, in the order of the log."""
        log_index = self._request.findings.log_index
        for refused in fragments.refused:
            reason = f"{refused.what} of table {refused.table}: {refused.reason}"
            self.refusals.add(reason, refused.site, count=refused.count)
            self.first_rows.setdefault(refused.table, (log_index, refused.site.start_pos))
        self._note_tables(fragments, log_index)
        if self.refusals.reasons or not fragments.count:  # then there is no script
            return
        starts = np.flatnonzero(np.diff(fragments.transactions, prepend=-1))
        bounds = [*starts.tolist(), fragments.count]
        names = fragments.logged.names()
        for first, last in self._runs(fragments.logged, len(starts)):
            self._add_run(fragments.cut(bounds[first], bounds[last]), starts[first:last], names)

    def _runs(self, logged: LoggedTransactions, count: int) -> Iterator[tuple[int, int]]:
        """Cut transactions into those of one record: a prepared one is alone."""
        apart = [k for k in logged.xids for k in (k, k + 1)]
        return pairwise(sorted({0, count, *apart}))

    def _add_run(self, fragments: SqlFragments, starts: Numbers, names: pa.Array) -> None:
        """Write changes of transactions that are always written, or of one that is prepared."""
        starts = starts - starts[0]
        logged, first = fragments.logged, int(fragments.transactions[0])
        texts = pc.binary_join_element_wise("-- ", names.slice(first, len(starts)), "\n", "")
        goes_on = logged.key(first) == self._key
        if not goes_on and (self._number != _ALWAYS or first in logged.xids):
            self._end_record()
        if not goes_on and first in logged.xids:
            self._prepared.append(logged.one(first, names))
            self._tallies.append(Tally())
            self._number = len(self._prepared)
        before, self._comment = self._comment, texts[-1].as_py()
        self._key = logged.key(first + len(starts) - 1)
        num_new = len(starts) - goes_on
        if num_new:
            self._tallies[self._number].add_transactions(
                self._num_transactions,
                num_new,
                logged.one(first + goes_on, names),
                logged.one(first + len(starts) - 1, names),
            )
            self._num_transactions += num_new
        stops = starts[len(starts) - num_new :]
        begun = texts.slice(len(starts) - num_new)
        marks = self._bounds(stops, begun, before)
        progress = self._progress(fragments.count)
        self._num_rows += fragments.count
        self._write(fragments, marks.merged(progress))

    def _bounds(self, stops: Numbers, begun: pa.Array, before: str) -> Marks:
        """Return the marks where transactions begin.

        Args:
            stops: their first fragments.
            begun: comments that name them.
            before: that of the transaction before them; "" if there is none in this record.
        """
        if not len(stops):
            return Marks.none()
        is_first = not self._is_open
        closes = self._closed(stops)
        comments = begun
        if self._is_undo:  # the comment of a transaction comes before it, so after the next one
            comments = pa.concat_arrays([pa.array([before if self._is_open else ""]), begun[:-1]])
        ends, begins = closes, closes
        if is_first:  # nothing to end; backwards, its comment comes when it ends
            ends, begins = closes.copy(), closes.copy()
            ends[0], begins[0] = self._is_undo, not self._is_undo
        self._is_open = True
        commit = pc.if_else(pa.array(ends), "COMMIT;\n", "")
        start = pc.if_else(pa.array(begins), "START TRANSACTION;\n", "")
        return Marks(stops, pc.binary_join_element_wise(commit, comments, start, ""))

    def _closed(self, stops: Numbers) -> Numbers:
        """Return at which of the bounds the transaction of the script ends."""
        rows = self._num_rows + stops
        if self._transaction_rows <= 1:
            self._begin_rows = int(rows[-1])
            return np.ones(len(stops), dtype=bool)
        closes = np.zeros(len(stops), dtype=bool)
        while True:
            k = int(np.searchsorted(rows, self._begin_rows + self._transaction_rows))
            if k == len(rows):
                return closes
            closes[k] = True
            self._begin_rows = int(rows[k])

    def finish(self) -> None:
        """End the last transaction."""
        if self._is_open:
            self._end_record()

    def _end_record(self) -> None:
        """End the transaction of the script."""
        if self._is_open:
            for block in self._blocks.finish():
                self.spool.append(self._number, block)
            text = f"{self._comment}START TRANSACTION;\n" if self._is_undo else "COMMIT;\n"
            self.spool.append(self._number, text.encode())
        self._is_open = False
        self._begin_rows = self._num_rows
        self._number = _ALWAYS

    def settle(self) -> Tally:
        """Return the counts of the script; refuse transactions whose end is not known."""
        total = self._tallies[_ALWAYS]
        for tally, transaction in zip(self._tallies[1:], self._prepared, strict=True):
            assert transaction.xid is not None
            is_committed = self._request.findings.outcomes.get(transaction.xid)
            if is_committed is None:
                self.refusals.add(
                    f"distributed transaction {transaction.xid}: the logs do not say whether it"
                    " was committed",
                    transaction.site,
                )
            elif is_committed:
                total.add(tally)
        return total

    def blocks(self) -> Iterator[bytes]:
        """Yield the statements in the order of the script, without what was rolled back."""
        left_out = {
            number
            for number, transaction in enumerate(self._prepared, 1)
            if not self._request.findings.outcomes.get(transaction.xid or "")
        }
        records = self.spool.read(is_backwards=self._is_undo)
        return (text for number, text in records if number not in left_out)

    def _note_tables(self, fragments: SqlFragments, log_index: int) -> None:
        """Note which tables have changes, and where the first are."""
        is_of_parent = fragments.changes != Change.INSERT
        for number in np.flatnonzero(np.bincount(fragments.tables)).tolist():
            table = self._request.tables.names[number]
            if table in self.changed_parents:
                continue
            is_of_table = fragments.tables == number
            if table not in self.first_rows:
                site = fragments.site(int(np.argmax(is_of_table)))
                self.first_rows[table] = log_index, site.start_pos
            is_of_table &= is_of_parent
            if is_of_table.any():
                self.changed_parents[table] = fragments.site(int(np.argmax(is_of_table)))

    def _write(self, fragments: SqlFragments, marks: Marks) -> None:
        for block in self._blocks.take(fragments, marks, is_last=False):
            self.spool.append(self._number, block)
        rows = self._tallies[self._number].rows
        counts = np.bincount(fragments.tables * _NUM_CHANGES + fragments.changes)
        for key in np.flatnonzero(counts).tolist():
            table = self._request.tables.names[key // _NUM_CHANGES]
            rows[table, Change(key % _NUM_CHANGES)] += int(counts[key])

    def _progress(self, count: int) -> Marks:
        """Return comments where so many rows are done, or, backwards, are left."""
        first = max(-(-self._num_rows // _PROGRESS_ROWS), 1) * _PROGRESS_ROWS
        numbers = np.arange(first, self._num_rows + count, _PROGRESS_ROWS)
        what = "left" if self._is_undo else "done"
        texts = [f"-- {number:,} rows {what}\n" for number in numbers.tolist()]
        return Marks(numbers - self._num_rows, pa.array(texts, pa.string()))
