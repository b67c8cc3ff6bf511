"""Catalogs along a log, for reads that start inside it."""

from __future__ import annotations

import sys
from bisect import bisect_left
from dataclasses import dataclass, field, replace

from pyspark_adapter.schema_history.catalog import Catalog


@dataclass
class CatalogSnapshots:
    """The catalog at the start of a range of a log, and at some of its statements.

    Offsets that are multiples of `step` cut the log. The first statement after each cut has a
    snapshot, so the catalog at any offset follows from the statements since the cut before it.

    Attributes:
        before: the catalog at the start of the range.
        start: offset of the start in bytes; 0 for the whole log.
        step: bytes between two cuts.
        marks: the offset of a statement and the catalog before it, in order.
        is_whole: whether the range was read to its end, which is the last mark then.
    """

    before: Catalog
    start: int
    step: int
    marks: list[tuple[int, Catalog]] = field(default_factory=list)
    is_whole: bool = False

    @property
    def after(self) -> Catalog:
        """The catalog at the end; only if `is_whole`."""
        return self.marks[-1][1]

    def near(self, pos: int, num_bytes: int) -> tuple[int, Catalog]:
        """Return the last known offset at or before an offset, and the catalog there.

        Args:
            pos: the offset in bytes; sys.maxsize for the end of the log.
            num_bytes: size of the log, which may have grown since the snapshots were taken.
        """
        if pos == sys.maxsize and self.is_whole and self.marks[-1][0] == num_bytes:
            return pos, self.after
        cut = self._cut_before(pos)
        if cut <= self.start or not self.is_whole:
            return self.start, self.before
        mark, catalog = self.marks[self._mark_of(cut)]
        return min(mark, pos), catalog

    def within(self, start: int, stop: int) -> CatalogSnapshots:
        """Return only what `near` needs for offsets between two others."""
        if not self.is_whole:
            return self
        first, last = (self._mark_of(self._cut_before(pos)) for pos in (start, stop))
        return replace(self, marks=self.marks[first : last + 1])

    def _cut_before(self, pos: int) -> int:
        return pos - pos % self.step

    def _mark_of(self, cut: int) -> int:
        """Return the index of the first mark at or after a cut, or of the last mark."""
        index = bisect_left(self.marks, cut, key=lambda mark: mark[0])
        return min(index, len(self.marks) - 1)
