"""Puts fragments of SQL together: blocks of whole statements, in the order of a script."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from pyspark_adapter.kernels import entry_points as kernels
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.kernels.sql_layout import SqlFragment
from pyspark_adapter.sql_text.fragments import MAX_STATEMENT, Marks, SqlFragments
from pyspark_adapter.sql_text.log_changes import SqlRequest

Block = bytes | memoryview
_MOST_BYTES: Final = 4 << 20  # of the fragments of a block
_SLACK: Final = 64
_NO_STOPS: Final = np.zeros(0, dtype=np.int64)


class StatementBlocks:
    """Makes statements of fragments as they come.

    Rows of a statement may come with several calls: those of one that is not finished wait.

    Args:
        request: of the SQL; of an undo, the last row comes first in each block.
        most_rows: of a statement.
    """

    def __init__(self, request: SqlRequest, *, most_rows: int) -> None:
        self._tables = request.tables
        self._is_undo = request.is_undo
        self._most_rows = most_rows
        self._waiting: tuple[SqlFragments, Marks] | None = None
        self._out = np.empty(0, dtype=np.uint8)

    def take(self, fragments: SqlFragments, marks: Marks, *, is_last: bool) -> Iterator[Block]:
        """Yield blocks of statements, in the order of the log; each is valid until the next.

        Args:
            fragments: the next ones.
            marks: of them, each before a fragment; a statement ends where one is.
            is_last: whether a statement ends after them.
        """
        if self._waiting is not None:
            waiting, before = self._waiting
            until = int(marks.stops[0]) if len(marks.stops) else fragments.count
            num_more = min(until, fragments.count, max(self._most_rows - waiting.count, 0))
            both = waiting.joined(fragments.cut(0, num_more))
            is_end = is_last or num_more < fragments.count
            starts = self._cut(both, _NO_STOPS, is_last=is_end)
            if len(starts) < 2:
                self._waiting = both, before
                return
            self._waiting = None
            end = int(starts[1])
            yield self._join(both.cut(0, end), before, starts[:2])
            used = end - waiting.count
            marks = marks.between(used, fragments.count)
            fragments = fragments.cut(used, fragments.count)
        starts = self._cut(fragments, marks.stops, is_last=is_last)
        for first, last in self._batches(fragments, starts):
            begin, end = int(starts[first]), int(starts[last])
            of_block = starts[first : last + 1] - begin
            yield self._join(fragments.cut(begin, end), marks.between(begin, end), of_block)
        begin = int(starts[-1])
        if begin < fragments.count:
            rest = fragments.cut(begin, fragments.count).kept()
            self._waiting = rest, marks.between(begin, fragments.count)

    def finish(self) -> Iterator[Block]:
        """Yield the statement whose rows wait."""
        if self._waiting is not None:
            fragments, marks = self._waiting
            self._waiting = None
            yield self._join(fragments, marks, np.array([0, fragments.count]))

    def _batches(self, fragments: SqlFragments, starts: Numbers) -> Iterator[tuple[int, int]]:
        """Cut statements into blocks; yield the first of each, and the first after it."""
        if len(starts) < 2:
            return
        lengths = fragments.table[SqlFragment.END] - fragments.table[SqlFragment.BEGIN]
        sums = np.cumsum(lengths)[starts[1:] - 1]
        blocks = sums // _MOST_BYTES
        bounds = [0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), len(starts) - 1]
        yield from pairwise(bounds)

    def _cut(self, fragments: SqlFragments, stops: Numbers, *, is_last: bool) -> Numbers:
        starts = np.zeros(fragments.count + 1, dtype=np.int64)
        count = kernels.cut_statements(
            fragments.table,
            fragments.tables,
            stops,
            self._most_rows,
            MAX_STATEMENT,
            is_last,
            starts,
        )
        return starts[: count + 1]

    def _join(self, fragments: SqlFragments, marks: Marks, starts: Numbers) -> Block:
        lengths = fragments.table[SqlFragment.END] - fragments.table[SqlFragment.BEGIN]
        heads, head_ends = self._tables.arrays()
        texts, ends = marks.arrays()
        size = int(lengths.sum()) + self._tables.most_bytes(fragments.tables) + len(texts) + _SLACK
        if len(self._out) < size:
            self._out = np.empty(size, dtype=np.uint8)
        num_bytes = kernels.join_statements(
            fragments.text,
            fragments.table,
            fragments.tables,
            starts,
            0,
            len(starts) - 1,
            heads,
            head_ends,
            marks.stops,
            texts,
            ends,
            self._is_undo,
            self._out,
        )
        return self._out[:num_bytes].data
