"""Puts pieces of SQL together: blocks of whole statements, in the order of a script."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from pyspark_adapter.kernels import entry_points as kernels
from pyspark_adapter.kernels.sql_layout import SqlPiece
from pyspark_adapter.sql_text.log_changes import SqlRequest
from pyspark_adapter.sql_text.logged_transactions import Numbers
from pyspark_adapter.sql_text.pieces import MAX_STATEMENT, Marks, SqlPieces

Block = bytes | memoryview
_MOST_BYTES: Final = 4 << 20  # of the pieces of a block
_SLACK: Final = 64
_NO_STOPS: Final = np.zeros(0, dtype=np.int64)


class StatementBlocks:
    """Makes statements of pieces as they come.

    Rows of a statement may come with several calls: those of one that is not finished wait.

    Args:
        request: what is written; of an undo, the last row comes first in each block.
        most_rows: of a statement.
    """

    def __init__(self, request: SqlRequest, *, most_rows: int) -> None:
        self._heads = request.heads
        self._is_undo = request.is_undo
        self._most_rows = most_rows
        self._waiting: tuple[SqlPieces, Marks] | None = None
        self._out = np.empty(0, dtype=np.uint8)

    def take(self, pieces: SqlPieces, marks: Marks, *, is_last: bool) -> Iterator[Block]:
        """Yield blocks of statements, in the order of the log; each is valid until the next.

        Args:
            pieces: the next ones.
            marks: of them, each before a piece; a statement ends where one is.
            is_last: whether a statement ends after them.
        """
        if self._waiting is not None:
            waiting, before = self._waiting
            until = int(marks.stops[0]) if len(marks.stops) else pieces.count
            num_more = min(until, pieces.count, max(self._most_rows - waiting.count, 0))
            both = waiting.joined(pieces.cut(0, num_more))
            is_end = is_last or num_more < pieces.count
            starts = self._cut(both, _NO_STOPS, is_last=is_end)
            if len(starts) < 2:
                self._waiting = both, before
                return
            self._waiting = None
            end = int(starts[1])
            yield self._join(both.cut(0, end), before, starts[:2])
            used = end - waiting.count
            marks = marks.between(used, pieces.count)
            pieces = pieces.cut(used, pieces.count)
        starts = self._cut(pieces, marks.stops, is_last=is_last)
        for first, last in self._batches(pieces, starts):
            begin, end = int(starts[first]), int(starts[last])
            of_block = starts[first : last + 1] - begin
            yield self._join(pieces.cut(begin, end), marks.between(begin, end), of_block)
        begin = int(starts[-1])
        if begin < pieces.count:
            rest = pieces.cut(begin, pieces.count).kept()
            self._waiting = rest, marks.between(begin, pieces.count)

    def finish(self) -> Iterator[Block]:
        """Yield the statement whose rows wait."""
        if self._waiting is not None:
            pieces, marks = self._waiting
            self._waiting = None
            yield self._join(pieces, marks, np.array([0, pieces.count]))

    def _batches(self, pieces: SqlPieces, starts: Numbers) -> Iterator[tuple[int, int]]:
        """Cut statements into blocks; yield the first of each, and the first after it."""
        if len(starts) < 2:
            return
        lengths = pieces.table[SqlPiece.END] - pieces.table[SqlPiece.BEGIN]
        sums = np.cumsum(lengths)[starts[1:] - 1]
        blocks = sums // _MOST_BYTES
        bounds = [0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), len(starts) - 1]
        yield from pairwise(bounds)

    def _cut(self, pieces: SqlPieces, stops: Numbers, *, is_last: bool) -> Numbers:
        starts = np.zeros(pieces.count + 1, dtype=np.int64)
        count = kernels.cut_statements(
            pieces.table, pieces.tables, stops, self._most_rows, MAX_STATEMENT, is_last, starts
        )
        return starts[: count + 1]

    def _join(self, pieces: SqlPieces, marks: Marks, starts: Numbers) -> Block:
        lengths = pieces.table[SqlPiece.END] - pieces.table[SqlPiece.BEGIN]
        heads, head_ends = self._heads.arrays()
        texts, ends = marks.arrays()
        size = int(lengths.sum()) + self._heads.most_bytes(pieces.tables) + len(texts) + _SLACK
        if len(self._out) < size:
            self._out = np.empty(size, dtype=np.uint8)
        num_bytes = kernels.join_statements(
            pieces.text,
            pieces.table,
            pieces.tables,
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
